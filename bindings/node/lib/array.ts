// Arrays on their way into a tensor and out of one.
import { markAsUntransferable } from 'node:worker_threads';
import type { NativeTensor } from './addon';
import { C } from './constants';
import { type ElementType, type TypedArray, elementType, typeOf } from './element';
import { native } from './native';

/** Elements in place: `data[offset + sum(index[k] * strides[k])]`. Strides and offset are in items of `data`. */
export interface View {
  readonly data: TypedArray;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  /** Whether the elements are a copy. */
  readonly copied: boolean;
}

/** Whether to copy: if needed, `false` never (`HURRAY_ERR_COPY_REQUIRED` instead), `true` always. */
export interface CopyOption {
  readonly copy?: boolean;
}

export interface FromArrayOptions extends CopyOption {
  /** The element type; that of the array unless told. Types that JavaScript lacks are given as their bits or bytes. */
  readonly dtype?: string | ElementType;
  /** The dimensions; one dimension of all elements unless told. */
  readonly shape?: readonly (number | bigint)[];
  /** One stride a dimension, in elements; row-major unless told. */
  readonly strides?: readonly (number | bigint)[];
  /** Which element of the array is the one at index zero. */
  readonly offset?: number;
  /** Whether users of the tensor must not write to the memory. */
  readonly readOnly?: boolean;
}

/** @internal The number that the native module has for a choice of copying. */
export function choice(copy: boolean | undefined): number {
  if (copy === undefined) return 0;
  return copy ? 2 : 1;
}

// What crosses beside arguments, as the native module's `numbers` say: an array for each call would cost more than it.
const RANK = 64;
const TYPE = 2 * RANK;
const words = new BigUint64Array(native.numbers);
const halves = new Uint32Array(native.numbers);
const numbers = new Float64Array(native.numbers);

/** A whole number as two halves, without a bigint in between. */
function put(at: number, value: number | bigint, signed: boolean, name: string, k: number): void {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) {
      throw new RangeError(`${name}[${k}] is ${value}: a whole number up to 2^53 - 1, or a bigint, is wanted`);
    }
    if (value < 0 && !signed) throw new RangeError(`${name}[${k}] is ${value}: not a dimension`);
    halves[2 * at] = value;
    halves[2 * at + 1] = Math.floor(value / 2 ** 32);
    return;
  }
  const word = signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
  if (word !== value) throw new RangeError(`${name}[${k}] is ${value}: not a ${signed ? 'stride' : 'dimension'}`);
  words[at] = BigInt.asUintN(64, value);
}

type Whole = readonly (number | bigint)[] | undefined;

/** Puts numbers, and says how many there are; -1 for none. The native module refuses more than there is room for. */
function putAll(start: number, values: Whole, signed: boolean, name: string): number {
  if (values === undefined) return -1;
  const count = values.length;
  for (let k = 0; k < count && k < RANK; k++) put(start + k, values[k] as number | bigint, signed, name, k);
  return count;
}

/** @internal Refuses memory that may move while a tensor stands on it, and gives it. */
export function checked(view: ArrayBufferView): ArrayBuffer {
  const memory = view.buffer as ArrayBuffer & { resizable?: boolean; detached?: boolean };
  if (view.byteLength === 0 && (memory.detached || (memory.byteLength === 0 && view.byteOffset > 0))) {
    throw new TypeError('the array is detached: its memory was transferred away');
  }
  if (memory.resizable) throw new TypeError('the memory of a resizable ArrayBuffer may move: give a copy of it');
  return memory;
}

// Handles of closed tensors, for those that come: making one costs about as much as wrapping an array.
const spare: NativeTensor[] = [];
const SPARES = 256;

/** @internal Ends a handle, which nobody may use afterwards. */
export function close(handle: NativeTensor): void {
  native.close(handle);
  if (spare.length < SPARES) spare.push(handle);
}

/** @internal A tensor on the memory of an array. */
export function wrap(array: ArrayBufferView, options: FromArrayOptions): NativeTensor {
  const { dtype, copy } = options;
  const type = dtype === undefined ? typeOf(array) : typeof dtype === 'string' ? elementType(dtype) : dtype;
  const memory = checked(array);
  if (copy !== true) markAsUntransferable(memory);
  numbers[TYPE + 1] = putAll(0, options.shape, false, 'shape');
  numbers[TYPE + 2] = putAll(RANK, options.strides, true, 'strides');
  numbers[TYPE] = type.tag;
  numbers[TYPE + 3] = options.offset ?? 0;
  numbers[TYPE + 4] = choice(copy);
  numbers[TYPE + 5] = options.readOnly ? C.BUFFER_READ_ONLY : 0;
  return native.wrap(array, spare.pop());
}

function taken(start: number, count: number): number[] {
  const found: number[] = [];
  for (let k = start; k < start + count; k++) found.push(numbers[k] as number);
  return found;
}

/** @internal The elements of a tensor, with their strides. */
export function view(handle: NativeTensor, copy: boolean): View {
  const data = native.view(handle, copy);
  const [rank, count, offset, copied] = taken(TYPE + 1, 4) as [number, number, number, number];
  return { data, shape: taken(0, rank), strides: taken(RANK, count), offset, copied: copied !== 0 };
}
