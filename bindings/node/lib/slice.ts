import type { NativeConversion } from './addon';
import { native } from './native';

/**
 * Part of one dimension: from `start` on, before `stop`, in steps of `step`, which may be negative. Numbers below 0
 * count from the end; null, or nothing, is as far as it goes.
 */
export type Range = readonly [start?: number | null, stop?: number | null, step?: number | null];

function whole(value: number, name: string, k: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${name} of dimension ${k} is ${value}: a whole number is wanted`);
}

/** Start, stop and step as the library takes them: inside the dimension. */
function ends(range: Range, extent: number, k: number): readonly [number, number, number] {
  const step = whole(range[2] ?? 1, 'the step', k);
  if (step === 0) throw new RangeError(`the step of dimension ${k} is 0`);
  const [low, high] = step > 0 ? [0, extent] : [-1, extent - 1];
  const inside = (value: number | null | undefined, name: string, open: number): number => {
    if (value === null || value === undefined) return open;
    const from = whole(value, name, k) + (value < 0 ? extent : 0);
    return Math.min(Math.max(from, low), high);
  };
  const [start, stop] = step > 0 ? [low, high] : [high, low];
  return [inside(range[0], 'the start', start), inside(range[1], 'the stop', stop), step];
}

/** @internal The conversion to a part; dimensions without a range are whole. */
export function slicing(shape: readonly number[], ranges: readonly (Range | null)[]): NativeConversion {
  if (ranges.length > shape.length) {
    throw new RangeError(`${ranges.length} ranges for ${shape.length} dimensions`);
  }
  const found = shape.map((extent, k) => ends(ranges[k] ?? [], extent, k));
  const each = (which: 0 | 1 | 2): BigInt64Array => BigInt64Array.from(found, (one) => BigInt(one[which]));
  return native.NativeConversion.slice(each(0), each(1), each(2));
}
