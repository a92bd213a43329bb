// Descriptor fields on their way in and out: the identifiers of hurray.h with their values.
import { C } from './constants';
import { HurrayError } from './error';
import { tagName, tagOf } from './tag';

/** One field's value, as the library gives it. */
type Value = bigint | number | bigint[] | Uint8Array;

const LEVEL = 2 ** 32;
const KIND = { u: 1n, i: 2n, f: 3n, us: 4n, is: 5n, b: 6n };

const shared = new DataView(new ArrayBuffer(8));

function real(word: bigint): number {
  shared.setBigUint64(0, word);
  return shared.getFloat64(0);
}

function bits(value: number): bigint {
  shared.setFloat64(0, value);
  return shared.getBigUint64(0);
}

/** A whole number as a JavaScript number; an error beyond 2^53 - 1, never a rounded value. */
export function safe(value: bigint, name: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new HurrayError(`${name} is ${value}, beyond 2^53 - 1`, 'HURRAY_ERR_OVERFLOW', C.ERR_OVERFLOW);
}

/** A whole number of the caller's as 64 bits, two's complement. A number must be a safe integer. */
export function whole(value: number | bigint | boolean, name: string): bigint {
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${name} is ${value}: a whole number up to 2^53 - 1, or a bigint, is wanted`);
  }
  return BigInt(value);
}

function ranged(value: bigint, signed: boolean, name: string): bigint {
  const word = signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
  if (word === value) return BigInt.asUintN(64, value);
  throw new RangeError(`${name} is ${value}, which does not fit ${signed ? '' : 'un'}signed 64 bits`);
}

/** Everything that a descriptor carries. */
export class Fields {
  readonly #values = new Map<number, Value>();

  constructor(words: BigUint64Array) {
    let at = 0;
    while (at + 1 < words.length) {
      const head = words[at] as bigint;
      const count = Number(words[at + 1]);
      const kind = head >> 48n;
      const size = kind === KIND.b ? Math.ceil(count / 8) : count;
      const body = words.subarray(at + 2, at + 2 + size);
      const key = Number(head & 0xffff_ffffn) + LEVEL * Number((head >> 32n) & 0xffffn);
      const value = Fields.#value(kind, body, count);
      if (value !== undefined) this.#values.set(key, value);
      at += 2 + size;
    }
  }

  static #value(kind: bigint, body: BigUint64Array, count: number): Value | undefined {
    const first = body[0] ?? 0n;
    if (kind === KIND.u) return first;
    if (kind === KIND.i) return BigInt.asIntN(64, first);
    if (kind === KIND.f) return real(first);
    if (kind === KIND.us) return Array.from(body);
    if (kind === KIND.is) return Array.from(body, (word) => BigInt.asIntN(64, word));
    if (kind === KIND.b) return new Uint8Array(body.slice().buffer, 0, count);
    return undefined; // a kind that this package does not know
  }

  has(id: number): boolean {
    return this.#values.has(id);
  }

  /** A field's value; undefined if the descriptor does not carry it. */
  get(id: number, level = 0): Value | undefined {
    return this.#values.get(id + LEVEL * level);
  }

  big(id: number, level = 0): bigint {
    const value = this.get(id, level);
    if (typeof value === 'bigint') return value;
    throw new HurrayError(
      `field 0x${id.toString(16)} of level ${level} is not carried`,
      'HURRAY_ERR_FIELD_NOT_PRESENT',
      C.ERR_FIELD_NOT_PRESENT,
    );
  }

  number(id: number, level = 0): number {
    return safe(this.big(id, level), `field 0x${id.toString(16)}`);
  }

  real(id: number): number {
    return this.get(id) as number;
  }

  bigs(id: number, level = 0): readonly bigint[] {
    return (this.get(id, level) as bigint[] | undefined) ?? [];
  }

  numbers(id: number, level = 0): readonly number[] {
    return this.bigs(id, level).map((value) => safe(value, `field 0x${id.toString(16)}`));
  }

  bytes(id: number): Uint8Array {
    return (this.get(id) as Uint8Array | undefined) ?? new Uint8Array();
  }

  /** The name of a tag that a field holds. */
  name(id: number, space: number, level = 0): string {
    return tagName(space, this.number(id, level));
  }
}

/** Fields to make a descriptor of. */
export class FieldWriter {
  readonly #words: bigint[] = [];

  #push(kind: bigint, id: number, level: number, body: bigint[], count = body.length): this {
    this.#words.push(BigInt(id) | (BigInt(level) << 32n) | (kind << 48n), BigInt(count), ...body);
    return this;
  }

  u(id: number, value: number | bigint | boolean, name: string, level = 0): this {
    return this.#push(KIND.u, id, level, [ranged(whole(value, name), false, name)]);
  }

  i(id: number, value: number | bigint, name: string): this {
    return this.#push(KIND.i, id, 0, [ranged(whole(value, name), true, name)]);
  }

  f(id: number, value: number): this {
    return this.#push(KIND.f, id, 0, [bits(value)]);
  }

  us(id: number, values: readonly (number | bigint)[], name: string, level = 0): this {
    return this.#push(KIND.us, id, level, values.map((value) => ranged(whole(value, name), false, name)));
  }

  is(id: number, values: readonly (number | bigint)[], name: string, level = 0): this {
    return this.#push(KIND.is, id, level, values.map((value) => ranged(whole(value, name), true, name)));
  }

  b(id: number, value: Uint8Array): this {
    const padded = new Uint8Array(Math.ceil(value.length / 8) * 8);
    padded.set(value);
    return this.#push(KIND.b, id, 0, Array.from(new BigUint64Array(padded.buffer)), value.length);
  }

  tag(id: number, space: number, name: string, level = 0): this {
    return this.u(id, tagOf(space, name), name, level);
  }

  words(): BigUint64Array {
    return BigUint64Array.from(this.#words);
  }
}
