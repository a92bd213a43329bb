// Loads the native module and checks its library, before any other call.
import { constants } from 'node:buffer';
import type * as Addon from './addon';
import { HurrayError } from './error';

/** The native module. */
export const native = require('./hurray.node') as typeof Addon;

native.setErrorClass(HurrayError);
native.setLongestArray(constants.MAX_LENGTH);

/** The library's release. The error for one of another C ABI version names both versions and the file. */
export const version: string = native.version();
