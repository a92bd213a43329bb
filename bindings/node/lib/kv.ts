import type { KvEntry } from './addon';
import { whole } from './fields';
import { wellFormed } from './text';

/** The types of a file's key-value section. */
export type KvKind = 'bool' | 'int64' | 'uint64' | 'float64' | 'string' | 'bytes';

/** One value. */
export type KvScalar = boolean | bigint | number | string | Uint8Array;

/** A value as it is read: whole numbers are bigints, an array says its type even when it is empty. */
export interface KvValue {
  readonly kind: KvKind;
  readonly value: KvScalar | readonly KvScalar[];
}

/**
 * A value to write. A plain value has the type that fits: boolean, float64 (number), int64 or uint64 (bigint), string,
 * bytes. `{ kind, value }` says it.
 */
export type KvInput = KvScalar | readonly KvScalar[] | KvValue;

function kindOf(value: KvScalar): KvKind {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'bigint') return value >= 1n << 63n ? 'uint64' : 'int64';
  if (typeof value === 'string') return 'string';
  if (value instanceof Uint8Array) return 'bytes';
  throw new TypeError('a key has a boolean, number, bigint, string or Uint8Array, or an array of one of them');
}

function words(values: readonly KvScalar[], signed: boolean, key: string): bigint[] {
  return values.map((value) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeError(`key ${key} wants whole numbers`);
    const word = whole(value, `key ${key}`);
    if ((signed ? BigInt.asIntN(64, word) : BigInt.asUintN(64, word)) !== word) {
      throw new RangeError(`key ${key}: ${word} does not fit 64 bits`);
    }
    return word;
  });
}

function checked<T extends KvScalar>(values: readonly KvScalar[], is: (value: KvScalar) => value is T, key: string): T[] {
  return values.map((value) => {
    if (!is(value)) throw new TypeError(`key ${key} has values of several types, or of another than it says`);
    return value;
  });
}

/** @internal */
export function toEntry(key: string, input: KvInput): KvEntry {
  const typed = typeof input === 'object' && 'kind' in input;
  const value = typed ? (input as KvValue).value : (input as KvScalar | readonly KvScalar[]);
  const isArray = Array.isArray(value);
  const values = (isArray ? value : [value]) as readonly KvScalar[];
  const first = values[0];
  if (!typed && first === undefined) throw new TypeError(`key ${key}: an empty array needs { kind, value: [] }`);
  const kind = typed ? (input as KvValue).kind : kindOf(first as KvScalar);
  const entry = { key: wellFormed(key, 'key'), kind, isArray };
  switch (kind) {
    case 'bool':
      return { ...entry, bools: checked(values, (v): v is boolean => typeof v === 'boolean', key) };
    case 'int64':
      return { ...entry, int64S: BigInt64Array.from(words(values, true, key)) };
    case 'uint64':
      return { ...entry, uint64S: BigUint64Array.from(words(values, false, key)) };
    case 'float64':
      return { ...entry, float64S: Float64Array.from(checked(values, (v): v is number => typeof v === 'number', key)) };
    case 'string':
      return {
        ...entry,
        strings: checked(values, (v): v is string => typeof v === 'string', key).map((v) => wellFormed(v, `key ${key}:`)),
      };
    case 'bytes':
      return {
        ...entry,
        bytes: checked(values, (v): v is Uint8Array => v instanceof Uint8Array, key).map((v) => Buffer.from(v)),
      };
  }
}

/** @internal */
export function fromEntry(entry: KvEntry): KvValue {
  const lists = [entry.bools, entry.int64S, entry.uint64S, entry.float64S, entry.strings, entry.bytes];
  const list = (lists.find((one) => one != null) ?? []) as ArrayLike<KvScalar>;
  const values = Array.from(list);
  return { kind: entry.kind as KvKind, value: entry.isArray ? values : (values[0] as KvScalar) };
}
