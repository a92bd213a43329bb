import { C } from './constants';
import { HurrayError } from './error';
import { native } from './native';

/** What a tag is called that the format has no name for. */
export function privateName(tag: number): string {
  return `private_${tag.toString(16).padStart(2, '0')}`;
}

/** The name of a tag in a space of hurray.h. */
export function tagName(space: number, tag: number): string {
  return native.tagName(space, tag) ?? privateName(tag);
}

/** The tag of a name. */
export function tagOf(space: number, name: string): number {
  const given = /^private_([0-9a-f]{2})$/.exec(name);
  if (given) return parseInt(given[1] as string, 16);
  for (let tag = 0; tag < 256; tag++) if (native.tagName(space, tag) === name) return tag;
  throw new HurrayError(`unknown name ${JSON.stringify(name)}`, 'HURRAY_ERR_INVALID_ARGUMENT', C.ERR_INVALID_ARGUMENT);
}
