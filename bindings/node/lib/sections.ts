import { C, type Name } from './constants';
import { FieldWriter, Fields } from './fields';

/** What the producer computed of the values; what it did not compute is left out. */
export interface Statistics {
  readonly nnz?: bigint;
  readonly sparsityRatio?: number;
  readonly min?: number;
  readonly max?: number;
  readonly absMax?: number;
  readonly mean?: number;
  readonly stddev?: number;
  readonly nmN?: number;
  readonly nmM?: number;
  readonly hasNan?: boolean;
  readonly hasInf?: boolean;
}

/** The box of a larger tensor that a tensor is. */
export interface Shard {
  readonly parentShape: readonly bigint[];
  readonly offset: readonly bigint[];
}

/** What a private element type looks like; widths are in bits. */
export interface ExtensionType {
  readonly bitWidth: number;
  readonly packingFactor: number;
  readonly isFloat: boolean;
  readonly isSigned: boolean;
  readonly signBits: number;
  readonly exponentBits: number;
  readonly mantissaBits: number;
  readonly exponentBias: number;
  readonly hasNan: boolean;
  readonly hasInf: boolean;
}

type Shape = 'big' | 'number' | 'real' | 'truth';

const STATISTICS: readonly (readonly [keyof Statistics, Name, Shape])[] = [
  ['nnz', 'STATS_FIELD_NNZ', 'big'],
  ['sparsityRatio', 'STATS_FIELD_SPARSITY_RATIO', 'real'],
  ['min', 'STATS_FIELD_MIN', 'real'],
  ['max', 'STATS_FIELD_MAX', 'real'],
  ['absMax', 'STATS_FIELD_ABS_MAX', 'real'],
  ['mean', 'STATS_FIELD_MEAN', 'real'],
  ['stddev', 'STATS_FIELD_STDDEV', 'real'],
  ['nmN', 'STATS_FIELD_NM_N', 'number'],
  ['nmM', 'STATS_FIELD_NM_M', 'number'],
  ['hasNan', 'STATS_FIELD_HAS_NAN', 'truth'],
  ['hasInf', 'STATS_FIELD_HAS_INF', 'truth'],
];

const EXTENSION: readonly (readonly [keyof ExtensionType, Name, Shape])[] = [
  ['bitWidth', 'EXT_TYPE_FIELD_BIT_WIDTH', 'number'],
  ['packingFactor', 'EXT_TYPE_FIELD_PACKING_FACTOR', 'number'],
  ['isFloat', 'EXT_TYPE_FIELD_IS_FLOAT', 'truth'],
  ['isSigned', 'EXT_TYPE_FIELD_IS_SIGNED', 'truth'],
  ['signBits', 'EXT_TYPE_FIELD_SIGN_BITS', 'number'],
  ['exponentBits', 'EXT_TYPE_FIELD_EXPONENT_BITS', 'number'],
  ['mantissaBits', 'EXT_TYPE_FIELD_MANTISSA_BITS', 'number'],
  ['exponentBias', 'EXT_TYPE_FIELD_EXPONENT_BIAS', 'number'],
  ['hasNan', 'EXT_TYPE_FIELD_HAS_NAN', 'truth'],
  ['hasInf', 'EXT_TYPE_FIELD_HAS_INF', 'truth'],
];

function readAll(fields: Fields, table: readonly (readonly [string, Name, Shape])[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, field, shape] of table) {
    const id = C[field];
    if (!fields.has(id)) continue;
    if (shape === 'big') found[name] = fields.big(id);
    else if (shape === 'number') found[name] = fields.number(id);
    else if (shape === 'real') found[name] = fields.real(id);
    else found[name] = fields.big(id) !== 0n;
  }
  return found;
}

function writeAll(out: FieldWriter, table: readonly (readonly [string, Name, Shape])[], values: object): void {
  for (const [name, field, shape] of table) {
    const value = (values as Record<string, number | bigint | boolean | undefined>)[name];
    if (value === undefined) continue;
    if (shape === 'real') out.f(C[field], Number(value));
    else out.u(C[field], value, name);
  }
}

export function readStatistics(fields: Fields): Statistics | null {
  return fields.has(C.STATS_FIELD_COMPUTED_MASK) ? readAll(fields, STATISTICS) : null;
}

export function writeStatistics(out: FieldWriter, statistics: Statistics): void {
  writeAll(out, STATISTICS, statistics);
}

export function readShard(fields: Fields): Shard | null {
  if (!fields.has(C.SHARD_FIELD_PARENT_SHAPE)) return null;
  return { parentShape: fields.bigs(C.SHARD_FIELD_PARENT_SHAPE), offset: fields.bigs(C.SHARD_FIELD_OFFSET) };
}

export function writeShard(out: FieldWriter, shard: Shard): void {
  out.us(C.SHARD_FIELD_PARENT_SHAPE, shard.parentShape, 'parentShape').us(C.SHARD_FIELD_OFFSET, shard.offset, 'offset');
}

export function readExtensionType(fields: Fields): ExtensionType | null {
  if (!fields.has(C.EXT_TYPE_FIELD_BIT_WIDTH)) return null;
  return readAll(fields, EXTENSION) as unknown as ExtensionType;
}

export function writeExtensionType(out: FieldWriter, type: ExtensionType): void {
  writeAll(out, EXTENSION, type);
}
