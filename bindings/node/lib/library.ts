import { native } from './native';

/** The C ABI version of the library that was loaded; always the one this package was built for. */
export const abiVersion: number = native.abiVersion();

/** Which file the library came from. */
export const libraryPath: string | null = native.libraryPath() ?? null;

/** Handles that were made and not destroyed, in the whole process. */
export function liveHandles(): bigint {
  return native.liveHandles();
}

/**
 * Whether arrays may stand on the library's memory (the default). Some runtimes (Electron) never allow it: there every
 * view is a copy, and says so. `false` makes this one behave like them.
 */
export function allowExternalBuffers(allow: boolean): void {
  native.allowExternalBuffers(allow);
}
