import { C } from './constants';

/** Limits of what is read; beyond one of them reading fails with `HURRAY_ERR_LIMIT_EXCEEDED`. */
export interface Limits {
  /** Keeps private and unknown parts as opaque ones instead of refusing them. */
  readonly permissive?: boolean;
  /** The longest descriptor, in bytes. */
  readonly maxDescriptorBytes?: number;
  /** The largest buffer, in bytes. */
  readonly maxBufferBytes?: number;
  /** The deepest nesting of composites. */
  readonly maxCompositeDepth?: number;
}

export type Pair = readonly [number, number | boolean | undefined];

/** Options of hurray.h, as pairs of number and value. */
export function settings(pairs: readonly Pair[]): BigUint64Array {
  const given = pairs.filter((pair) => pair[1] !== undefined);
  return BigUint64Array.from(given.flatMap(([option, value]) => [BigInt(option), BigInt(value as number)]));
}

/** The options that limits set. */
export function limits(options: Limits): readonly Pair[] {
  return [
    [C.OPTION_PERMISSIVE, options.permissive],
    [C.OPTION_MAX_DESCRIPTOR_BYTES, options.maxDescriptorBytes],
    [C.OPTION_MAX_BUFFER_BYTES, options.maxBufferBytes],
    [C.OPTION_MAX_COMPOSITE_DEPTH, options.maxCompositeDepth],
  ];
}
