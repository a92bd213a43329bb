import { inspect } from 'node:util';
import { markAsUntransferable } from 'node:worker_threads';
import type { NativeBuffer, NativeConversion, NativeTensor } from './addon';
import { C } from './constants';
import { Descriptor, type DescriptorParts, make } from './descriptor';
import { type ElementType, type TypedArray, arrayClass, elementType, typeOf } from './element';
import { HurrayError } from './error';
import { whole } from './fields';
import type { Layout } from './layout';
import { native } from './native';
import { settings } from './options';
import type { Quantization } from './quantization';
import type { ExtensionType, Shard, Statistics } from './sections';

/** The name of the method that gives a tensor's external: what addons look for on an object. */
export const exportSymbol: unique symbol = Symbol.for('hurray.tensor') as never;

const dispose: unique symbol = ((Symbol as { dispose?: symbol }).dispose ?? Symbol.for('nodejs.dispose')) as never;

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

/** The parts of a tensor: those of a descriptor, and the buffers' bytes, in order. */
export interface TensorParts extends Omit<DescriptorParts, 'buffers'>, CopyOption {
  readonly buffers: readonly ArrayBufferView[];
}

export interface ConvertOptions extends CopyOption {
  /** Threads of a large conversion; 0 is as many as help. One unless told. */
  readonly threads?: number;
}

function converting(options: ConvertOptions): BigUint64Array {
  return settings([
    [C.OPTION_COPY, choice(options.copy)],
    [C.OPTION_THREADS, options.threads],
  ]);
}

function quantizing(target: Descriptor, parameters: readonly ArrayBufferView[] | undefined): NativeConversion {
  return native.NativeConversion.quantize(target.native, parameters?.map((view) => aligned(view, undefined)));
}

const ROLES: Readonly<Record<string, number>> = {
  values: C.ROLE_VALUES,
  indices: C.ROLE_INDICES,
  pointers: C.ROLE_POINTERS,
  block_table: C.ROLE_BLOCK_TABLE,
  seq_ptr: C.ROLE_SEQ_PTR,
  scales: C.ROLE_SCALES,
  zero_points: C.ROLE_ZERO_POINTS,
};

const REASONS: readonly (readonly [number, string])[] = [
  [C.BUFFER_COPIED_ALIGNMENT, 'alignment'],
  [C.BUFFER_COPIED_WIDTH, 'width'],
  [C.BUFFER_COPIED_PACKING, 'packing'],
  [C.BUFFER_COPIED_ON_REQUEST, 'request'],
];

function choice(copy: boolean | undefined): number {
  if (copy === undefined) return 0;
  return copy ? 2 : 1;
}

/** The bytes of a view. The memory may not move while a tensor stands on it. */
function bytesOf(view: ArrayBufferView): Uint8Array {
  const memory = view.buffer as ArrayBuffer & { resizable?: boolean; detached?: boolean };
  if (memory.detached || (view.byteLength === 0 && memory.byteLength === 0 && view.byteOffset > 0)) {
    throw new TypeError('the array is detached: its memory was transferred away');
  }
  if (memory.resizable) throw new TypeError('the memory of a resizable ArrayBuffer may move: give a copy of it');
  return new Uint8Array(memory, view.byteOffset, view.byteLength);
}

function held(view: ArrayBufferView): Uint8Array {
  const bytes = bytesOf(view);
  markAsUntransferable(bytes.buffer);
  return bytes;
}

function copyRequired(text: string): HurrayError {
  return new HurrayError(text, 'HURRAY_ERR_COPY_REQUIRED', C.ERR_COPY_REQUIRED);
}

function aligned(view: ArrayBufferView, copy: boolean | undefined): NativeBuffer {
  if (copy !== true) {
    const buffer = native.NativeBuffer.wrap(held(view));
    if (buffer) return buffer;
    if (copy === false) throw copyRequired('a part is not aligned to 64, and copy: false forbids a copy');
  }
  const reason = copy ? C.BUFFER_COPIED_ON_REQUEST : C.BUFFER_COPIED_ALIGNMENT;
  return native.NativeBuffer.copyOf(bytesOf(view), reason);
}

/**
 * A tensor: elements in memory, and what they mean. `close` ends it at once; arrays made from it stay valid, and the
 * memory goes with the last of them.
 */
export class Tensor {
  readonly #native: NativeTensor;
  #descriptor: Descriptor | undefined;

  /** @internal */
  constructor(handle: NativeTensor) {
    this.#native = handle;
  }

  /** @internal */
  get native(): NativeTensor {
    return this.#native;
  }

  /**
   * A tensor on the memory of a typed array, which it holds; any strides, nothing copied unless it must be. The array's
   * ArrayBuffer cannot be transferred to another thread afterwards.
   */
  static from(array: ArrayBufferView, options: FromArrayOptions = {}): Tensor {
    const given = options.dtype;
    const type = given === undefined ? typeOf(array) : typeof given === 'string' ? elementType(given) : given;
    const width = type.bits / 8;
    const bytes = options.copy === true ? bytesOf(array) : held(array);
    const shape = options.shape?.map((extent, k) => whole(extent, `shape[${k}]`)) ?? [
      BigInt(Math.floor(bytes.length / (width || 1))),
    ];
    shape.forEach((extent, k) => {
      if (extent < 0n || extent >= 1n << 64n) throw new RangeError(`shape[${k}] is ${extent}: not a dimension`);
    });
    const unit = BigInt(Math.max(width, 1));
    const strides = options.strides?.map((stride, k) => BigInt.asIntN(64, whole(stride, `strides[${k}]`) * unit));
    const offset = (options.offset ?? 0) * Math.max(width, 1);
    const flags = options.readOnly ? C.BUFFER_READ_ONLY : 0;
    const how = choice(options.copy);
    const steps = strides && BigInt64Array.from(strides);
    const made = native.NativeTensor.fromArray(type.tag, BigUint64Array.from(shape), steps, bytes, offset, flags, how);
    return new Tensor(made);
  }

  /**
   * A tensor of its parts, judged by the library. Parts must begin on a 64-byte boundary, but for the first of a dense
   * tensor; those that do not are copied, and `copies` says so.
   */
  static fromParts(parts: TensorParts): Tensor {
    const dense = ['row_major', 'column_major', 'strided', 'tiled', 'morton', 'hilbert'];
    const anywhere = parts.copy === undefined && dense.includes(parts.layout?.name ?? 'row_major');
    const buffers = parts.buffers.map((view, k) =>
      k === 0 && anywhere ? native.NativeBuffer.wrapAnywhere(held(view)) : aligned(view, parts.copy),
    );
    const entries = buffers.map((buffer) => buffer.info());
    const lead = entries[0]?.lead ?? 0;
    const describe = (start: number, cut: number): Descriptor => {
      const byteOffset = whole(parts.byteOffset ?? 0, 'byteOffset') + BigInt(start);
      const table = entries.map(({ byteSize, alignment }, k) => ({
        byteSize: k === 0 ? byteSize - BigInt(cut) : byteSize,
        alignment,
      }));
      return new Descriptor(make({ ...parts, byteOffset, buffers: table }));
    };
    // First of the caller's bytes alone: no element may lie in what comes before them in the buffer.
    let descriptor = describe(0, lead);
    if (lead > 0) descriptor = describe(lead, 0);
    return new Tensor(native.NativeTensor.fromParts(descriptor.native, buffers));
  }

  /**
   * The tensor of an object that exports one, or of an external; its version is read first, and the external is consumed.
   */
  static import(source: object): Tensor {
    const exporter = (source as { [exportSymbol]?: () => object })[exportSymbol];
    const external = typeof exporter === 'function' ? exporter.call(source) : source;
    return new Tensor(native.NativeTensor.import(external));
  }

  /** A share of the tensor in an external with Hurray's type tag, for another addon. */
  [exportSymbol](): object {
    return this.#native.export();
  }

  /** A share of the tensor in an external with Hurray's type tag, for another addon. */
  export(): object {
    return this.#native.export();
  }

  /** Another handle on the same tensor, to be closed on its own. */
  share(): Tensor {
    return new Tensor(this.#native.share());
  }

  /** What the tensor is, without its memory. */
  get descriptor(): Descriptor {
    if (this.closed) this.#native.fields(); // throws
    return (this.#descriptor ??= new Descriptor(this.#native.descriptor()));
  }

  /** The element type; of a quantized tensor, that of its codes. */
  get dtype(): ElementType {
    return this.descriptor.dtype;
  }

  /** The dimensions, slowest first as row-major order has them. */
  get shape(): readonly number[] {
    return this.descriptor.shape as readonly number[];
  }

  /** The number of elements, stored or not. */
  get size(): bigint {
    return this.descriptor.size ?? 0n;
  }

  get byteOffset(): bigint {
    return this.descriptor.byteOffset;
  }

  get layout(): Layout {
    return this.descriptor.layout;
  }

  get quantization(): Quantization | null {
    return this.descriptor.quantization;
  }

  get statistics(): Statistics | null {
    return this.descriptor.statistics;
  }

  get shard(): Shard | null {
    return this.descriptor.shard;
  }

  get extensionType(): ExtensionType | null {
    return this.descriptor.extensionType;
  }

  /** The number of buffers. */
  get bufferCount(): number {
    return this.#native.bufferCount();
  }

  #infos(): ReturnType<NativeBuffer['info']>[] {
    return Array.from({ length: this.bufferCount }, (_, k) => this.#native.buffer(k).info());
  }

  /** Bytes of all buffers, without what comes before the owner's. */
  get byteLength(): bigint {
    return this.#infos().reduce((sum, { byteSize, lead }) => sum + byteSize - BigInt(lead), 0n);
  }

  /** Why each buffer was copied when the tensor was made; an empty list is memory that is shared in place. */
  get copies(): readonly (readonly string[])[] {
    return this.#infos().map(({ flags }) => REASONS.filter(([bit]) => flags & bit).map(([, reason]) => reason));
  }

  /** How many bytes were copied when the tensor was made. */
  get copiedBytes(): bigint {
    const copied = REASONS.reduce((bits, [bit]) => bits | bit, 0);
    return this.#infos().reduce((sum, { byteSize, flags }) => sum + (flags & copied ? byteSize : 0n), 0n);
  }

  /** Whether the memory of buffer 0 must not be written to. */
  get readOnly(): boolean {
    return this.bufferCount > 0 && (this.#native.buffer(0).info().flags & C.BUFFER_READ_ONLY) !== 0;
  }

  /**
   * The bytes of one buffer, in place. Read-only memory throws `HURRAY_ERR_COPY_REQUIRED` unless `copy` is set, because a
   * JavaScript array can always be written to.
   */
  buffer(index: number, options: { copy?: boolean } = {}): Uint8Array {
    return new Uint8Array(this.#native.buffer(index).bytes(options.copy ?? false).buffer);
  }

  /**
   * The elements of a row-major, column-major or strided tensor in place, as a typed array with strides. 16-bit floats are
   * shown as their bits, complex numbers as pairs, types that JavaScript lacks as bytes. Memory that is read-only or not
   * aligned throws `HURRAY_ERR_COPY_REQUIRED` unless `copy` is set.
   */
  view(options: { copy?: boolean } = {}): View {
    const found = this.#native.view(options.copy ?? false);
    const type = elementType(found.type);
    const ArrayClass = arrayClass(type);
    const item = ArrayClass.BYTES_PER_ELEMENT;
    const data = new ArrayClass(found.buffer as ArrayBuffer);
    return {
      data,
      shape: Array.from(found.shape, Number),
      strides: found.byteStrides ? Array.from(found.byteStrides, (stride) => Number(stride) / item) : [],
      offset: found.origin / item,
      copied: found.copied,
    };
  }

  /**
   * The elements of a row-major tensor in place, in one typed array. Tensors in another order throw
   * `HURRAY_ERR_COPY_REQUIRED`: `view` shows those with their strides.
   */
  data(options: { copy?: boolean } = {}): TypedArray {
    const found = this.#native.view(options.copy ?? false);
    if (!(found.flags & C.VIEW_ROW_MAJOR) && !(found.flags & C.VIEW_PACKED)) {
      throw copyRequired('the elements are not in row-major order: `view` shows them with their strides');
    }
    return new (arrayClass(elementType(found.type)))(found.buffer as ArrayBuffer);
  }

  /**
   * One array inside the tensor as a dense tensor that shares it: `values`, `indices`, `pointers`, `scales`, `zero_points`,
   * `block_table`, `seq_ptr`. `level` is that of a tree (CSF).
   */
  part(role: string, level = 0): Tensor {
    const number = ROLES[role];
    if (number === undefined) throw new RangeError(`no part is named ${JSON.stringify(role)}`);
    return new Tensor(this.#native.part(number, level));
  }

  #run(conversion: NativeConversion, options: ConvertOptions): Promise<Tensor> {
    return this.#native.convert(conversion, converting(options)).then((made) => new Tensor(made));
  }

  #runSync(conversion: NativeConversion, options: ConvertOptions): Tensor {
    return new Tensor(this.#native.convertSync(conversion, converting(options)));
  }

  /** The same elements in another layout, whose descriptor is given; row-major without one. A share where nothing moves. */
  toLayout(target: Descriptor | null = null, options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.layout(target?.native), options);
  }

  /** As `toLayout`, at once. */
  toLayoutSync(target: Descriptor | null = null, options: ConvertOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.layout(target?.native), options);
  }

  /** The numbers that the elements stand for, as `float16`, `bfloat16`, `float32` or `float64`; a scheme is applied. */
  dequantize(dtype = 'float32', options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.dequantize(elementType(dtype).tag), options);
  }

  /** As `dequantize`, at once. */
  dequantizeSync(dtype = 'float32', options: ConvertOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.dequantize(elementType(dtype).tag), options);
  }

  /** Codes of the scheme and type of `target`; its parameter arrays are computed unless they are given, in order. */
  quantize(target: Descriptor, parameters?: readonly ArrayBufferView[], options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(quantizing(target, parameters), options);
  }

  /** As `quantize`, at once. */
  quantizeSync(target: Descriptor, parameters?: readonly ArrayBufferView[], options: ConvertOptions = {}): Tensor {
    return this.#runSync(quantizing(target, parameters), options);
  }

  /** Codes of one a byte (`int8`, `uint8`) as a packed type. */
  pack(dtype: string, options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.pack(elementType(dtype).tag), options);
  }

  /** As `pack`, at once. */
  packSync(dtype: string, options: ConvertOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.pack(elementType(dtype).tag), options);
  }

  /** The codes of a packed type, one a byte. */
  unpack(options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.unpack(), options);
  }

  /** As `unpack`, at once. */
  unpackSync(options: ConvertOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.unpack(), options);
  }

  /** Bytes that the conversion wrote which made this tensor; 0 for a share. */
  get movedBytes(): bigint {
    return this.#native.movedBytes();
  }

  /** Where an element is, in elements from the one at index zero. */
  elementOffset(index: readonly number[]): bigint {
    const words = BigUint64Array.from(index, (i, k) => whole(i, `index[${k}]`));
    return BigInt.asIntN(64, this.#native.elementOffset(words));
  }

  /** DLPack's struct in a tagged external, for an addon: the versioned one unless told. */
  toDLPack(options: CopyOption & { readonly versioned?: boolean } = {}): object {
    return this.#native.toDlpack(options.versioned ?? true, choice(options.copy));
  }

  /** A tensor of DLPack's struct in a tagged external, which is consumed. */
  static fromDLPack(external: object, options: CopyOption = {}): Tensor {
    return new Tensor(native.NativeTensor.fromDlpack(external, choice(options.copy)));
  }

  /** Ends the tensor now. Arrays made from it stay valid. Doing it twice is harmless; any other use is an error. */
  close(): void {
    this.#native.close();
  }

  [dispose](): void {
    this.close();
  }

  get closed(): boolean {
    return this.#native.closed();
  }

  toString(): string {
    return this.closed ? 'closed' : this.#native.describe();
  }

  [inspect.custom](): string {
    return `Tensor <${this.toString()}>`;
  }
}
