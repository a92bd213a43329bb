/**
 * @internal Refuses half of a surrogate pair, which UTF-8 cannot hold: the native module would get another character in its
 * place, without a word.
 */
export function wellFormed(text: string, what: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new RangeError(`${what} ${JSON.stringify(text)} has half of a surrogate pair`);
  return text;
}
