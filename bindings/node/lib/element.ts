import { C } from './constants';
import { HurrayError } from './error';
import { native } from './native';
import { privateName } from './tag';

/** A typed array that elements can be seen through. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** An element type of the format. */
export interface ElementType {
  /** Its name, such as `bfloat16`. */
  readonly name: string;
  /** Its tag in a descriptor. */
  readonly tag: number;
  /** Bits of one element; 0 for a type that the format does not know, `private_..`, whose width a descriptor may tell. */
  readonly bits: number;
  /** The alignment of one element, in bytes. */
  readonly alignment: number;
  readonly isFloat: boolean;
  readonly isInteger: boolean;
  readonly isSigned: boolean;
  readonly isComplex: boolean;
  /** Whether elements are narrower than a byte, and so are packed. */
  readonly isSubByte: boolean;
}

const byTag = new Map<number, ElementType>();
const byName = new Map<string, ElementType>();

function register(tag: number): ElementType {
  const info = native.elementTypeInfo(tag);
  const kind = info?.kind ?? 0;
  const type: ElementType = Object.freeze({
    name: native.tagName(C.SPACE_ELEMENT_TYPE, tag) ?? privateName(tag),
    tag,
    bits: info?.bits ?? 0,
    alignment: info?.alignment ?? 1,
    isFloat: (kind & C.KIND_FLOAT) !== 0,
    isInteger: (kind & C.KIND_INTEGER) !== 0,
    isSigned: (kind & C.KIND_SIGNED) !== 0,
    isComplex: (kind & C.KIND_COMPLEX) !== 0,
    isSubByte: (kind & C.KIND_SUB_BYTE) !== 0,
  });
  byTag.set(tag, type);
  byName.set(type.name, type);
  return type;
}

for (let tag = 0; tag <= 0xff; tag++) register(tag);

/** The element type of a name or a tag. Throws `HURRAY_ERR_INVALID_TYPE` for what is none. */
export function elementType(nameOrTag: string | number): ElementType {
  const found = typeof nameOrTag === 'string' ? byName.get(nameOrTag) : byTag.get(nameOrTag);
  if (found) return found;
  throw new HurrayError(`${nameOrTag} is no element type`, 'HURRAY_ERR_INVALID_TYPE', C.ERR_INVALID_TYPE);
}

const NAMES: Readonly<Record<string, string>> = {
  Int8Array: 'int8',
  Uint8Array: 'uint8',
  Uint8ClampedArray: 'uint8',
  Buffer: 'uint8',
  Int16Array: 'int16',
  Uint16Array: 'uint16',
  Int32Array: 'int32',
  Uint32Array: 'uint32',
  BigInt64Array: 'int64',
  BigUint64Array: 'uint64',
  Float16Array: 'float16',
  Float32Array: 'float32',
  Float64Array: 'float64',
};

const byClass = new Map<unknown, ElementType>();

/** The element type of a typed array's own elements. */
export function typeOf(array: ArrayBufferView): ElementType {
  const known = byClass.get(array.constructor);
  if (known) return known;
  const name = NAMES[array.constructor.name];
  if (name) {
    byClass.set(array.constructor, elementType(name));
    return elementType(name);
  }
  throw new TypeError(`${array.constructor.name} has no element type: give one as dtype`);
}
