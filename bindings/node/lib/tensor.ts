import { inspect } from 'node:util';
import { markAsUntransferable } from 'node:worker_threads';
import type {
  BufferInfo,
  NativeBuffer,
  NativeConversion,
  NativeDescriptor,
  NativeOptions,
  NativeTensor,
} from './addon';
import { type CopyOption, type FromArrayOptions, type View, checked, choice, close, view, wrap } from './array';
import { C } from './constants';
import { Descriptor, type DescriptorParts, make } from './descriptor';
import { type ElementType, type TypedArray, elementType } from './element';
import { HurrayError } from './error';
import { FieldWriter, Fields, whole } from './fields';
import type { Layout } from './layout';
import { native } from './native';
import type { Pair } from './options';
import type { Quantization } from './quantization';
import { type RunOptions, options as atOnce, run } from './run';
import type { ExtensionType, Shard, Statistics } from './sections';
import { type Range, slicing } from './slice';

/** The name of the method that gives a tensor's external: what addons look for on an object. */
export const exportSymbol: unique symbol = Symbol.for('hurray.tensor') as never;

const dispose: unique symbol = ((Symbol as { dispose?: symbol }).dispose ?? Symbol.for('nodejs.dispose')) as never;

/** The parts of a tensor: those of a descriptor, and the buffers' bytes, in order. */
export interface TensorParts extends Omit<DescriptorParts, 'buffers'>, CopyOption {
  readonly buffers: readonly ArrayBufferView[];
}

/** What a conversion may be given that works at once. */
export interface ConvertSyncOptions extends CopyOption {
  /** Threads of a large conversion; 0 is as many as help. One unless told. */
  readonly threads?: number;
}

/** What a conversion may be given that works on a thread of the pool. */
export interface ConvertOptions extends ConvertSyncOptions, RunOptions {}

/** The tokens of each sequence. */
type Lengths = readonly (number | bigint)[] | null;

function lengths(given: Lengths): BigUint64Array | null {
  return given && new FieldWriter().us(0, given, 'sequenceLengths').words().subarray(2);
}

/** @internal The options of hurray.h for a conversion. */
export function converting(options: ConvertSyncOptions): readonly Pair[] {
  return [
    [C.OPTION_COPY, choice(options.copy)],
    [C.OPTION_THREADS, options.threads],
  ];
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

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(checked(view), view.byteOffset, view.byteLength);
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
  #native: NativeTensor | null;
  #descriptor: Descriptor | undefined;

  /** @internal */
  constructor(handle: NativeTensor) {
    this.#native = handle;
  }

  /** @internal */
  get native(): NativeTensor {
    if (this.#native !== null) return this.#native;
    throw new HurrayError('the tensor is closed', 'HURRAY_ERR_INVALID_HANDLE', C.ERR_INVALID_HANDLE);
  }

  /**
   * A tensor on the memory of a typed array, which it holds; any strides, nothing copied unless it must be. The array's
   * ArrayBuffer cannot be transferred to another thread afterwards.
   */
  static from(array: ArrayBufferView, options: FromArrayOptions = {}): Tensor {
    return new Tensor(wrap(array, options));
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
    return new Tensor(native.fromParts(descriptor.native, buffers));
  }

  /**
   * A tensor of a descriptor and its buffers in order, each as long as the descriptor says or longer. Buffers must begin
   * on a 64-byte boundary; those that do not are copied, and `copies` says so.
   */
  static fromDescriptor(
    descriptor: Descriptor,
    buffers: readonly ArrayBufferView[],
    options: CopyOption = {},
  ): Tensor {
    return new Tensor(
      native.fromParts(
        descriptor.native,
        buffers.map((view) => aligned(view, options.copy)),
      ),
    );
  }

  /**
   * The tensor of an object that exports one, or of an external; its version is read first, and the external is consumed.
   */
  static import(source: object): Tensor {
    const exporter = (source as { [exportSymbol]?: () => object })[exportSymbol];
    const external = typeof exporter === 'function' ? exporter.call(source) : source;
    return new Tensor(native.importTensor(external));
  }

  /** A share of the tensor in an external with Hurray's type tag, for another addon. */
  [exportSymbol](): object {
    return native.exportTensor(this.native);
  }

  /** A share of the tensor in an external with Hurray's type tag, for another addon. */
  export(): object {
    return native.exportTensor(this.native);
  }

  /** Another handle on the same tensor, to be closed on its own. */
  share(): Tensor {
    return new Tensor(native.share(this.native));
  }

  /** The descriptor as far as its fields tell, which is what most callers want, in one call. */
  get #fields(): Descriptor {
    const handle = this.native; // throws once closed
    const make = (): NativeDescriptor => native.descriptor(this.native);
    return (this.#descriptor ??= new Descriptor(make, new Fields(new BigUint64Array(native.fields(handle)))));
  }

  /** What the tensor is, without its memory. */
  get descriptor(): Descriptor {
    const descriptor = this.#fields;
    void descriptor.native; // outlives the tensor from now on
    return descriptor;
  }

  /** The element type; of a quantized tensor, that of its codes. */
  get dtype(): ElementType {
    return this.#fields.dtype;
  }

  /** The dimensions, slowest first as row-major order has them. */
  get shape(): readonly number[] {
    return this.#fields.shape as readonly number[];
  }

  /** The number of elements, stored or not. */
  get size(): bigint {
    return this.#fields.size ?? 0n;
  }

  get byteOffset(): bigint {
    return this.#fields.byteOffset;
  }

  get layout(): Layout {
    return this.#fields.layout;
  }

  get quantization(): Quantization | null {
    return this.#fields.quantization;
  }

  get statistics(): Statistics | null {
    return this.#fields.statistics;
  }

  get shard(): Shard | null {
    return this.#fields.shard;
  }

  get extensionType(): ExtensionType | null {
    return this.#fields.extensionType;
  }

  /** The number of buffers. */
  get bufferCount(): number {
    return native.bufferCount(this.native);
  }

  #infos(): BufferInfo[] {
    return Array.from({ length: this.bufferCount }, (_, k) => native.bufferInfo(this.native, k));
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
    return this.bufferCount > 0 && (native.bufferInfo(this.native, 0).flags & C.BUFFER_READ_ONLY) !== 0;
  }

  /**
   * The bytes of one buffer, in place. Read-only memory throws `HURRAY_ERR_COPY_REQUIRED` unless `copy` is set, because a
   * JavaScript array can always be written to.
   */
  buffer(index: number, options: { copy?: boolean } = {}): Uint8Array {
    return new Uint8Array(native.buffer(this.native, index).bytes(options.copy ?? false).buffer);
  }

  /**
   * The elements of a row-major, column-major or strided tensor in place, as a typed array with strides. 16-bit floats are
   * shown as their bits, complex numbers as pairs, types that JavaScript lacks as bytes. Memory that is read-only or not
   * aligned throws `HURRAY_ERR_COPY_REQUIRED` unless `copy` is set.
   */
  view(options: { copy?: boolean } = {}): View {
    return view(this.native, options.copy ?? false);
  }

  /**
   * The elements of a row-major tensor in place, in one typed array. Tensors in another order throw
   * `HURRAY_ERR_COPY_REQUIRED`: `view` shows those with their strides.
   */
  data(options: { copy?: boolean } = {}): TypedArray {
    return native.data(this.native, options.copy ?? false);
  }

  /**
   * One array inside the tensor as a dense tensor that shares it: `values`, `indices`, `pointers`, `scales`, `zero_points`,
   * `block_table`, `seq_ptr`. `level` is that of a tree (CSF).
   */
  part(role: string, level = 0): Tensor {
    const number = ROLES[role];
    if (number === undefined) throw new RangeError(`no part is named ${JSON.stringify(role)}`);
    return new Tensor(native.part(this.native, number, level));
  }

  #run(conversion: NativeConversion, options: ConvertOptions): Promise<Tensor> {
    const start = (running: NativeOptions): Promise<NativeTensor> => native.convert(this.native, conversion, running);
    return run(options, converting(options), start).then((made) => new Tensor(made));
  }

  #runSync(conversion: NativeConversion, options: ConvertSyncOptions): Tensor {
    return new Tensor(native.convertSync(this.native, conversion, atOnce(converting(options))));
  }

  /** The same elements in another layout, whose descriptor is given; row-major without one. A share where nothing moves. */
  toLayout(target: Descriptor | null = null, options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.layout(target?.native), options);
  }

  /** As `toLayout`, at once. */
  toLayoutSync(target: Descriptor | null = null, options: ConvertSyncOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.layout(target?.native), options);
  }

  /** The numbers that the elements stand for, as `float16`, `bfloat16`, `float32` or `float64`; a scheme is applied. */
  dequantize(dtype = 'float32', options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.dequantize(elementType(dtype).tag), options);
  }

  /** As `dequantize`, at once. */
  dequantizeSync(dtype = 'float32', options: ConvertSyncOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.dequantize(elementType(dtype).tag), options);
  }

  /** Codes of the scheme and type of `target`; its parameter arrays are computed unless they are given, in order. */
  quantize(target: Descriptor, parameters?: readonly ArrayBufferView[], options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(quantizing(target, parameters), options);
  }

  /** As `quantize`, at once. */
  quantizeSync(target: Descriptor, parameters?: readonly ArrayBufferView[], options: ConvertSyncOptions = {}): Tensor {
    return this.#runSync(quantizing(target, parameters), options);
  }

  /** Codes of one a byte (`int8`, `uint8`) as a packed type. */
  pack(dtype: string, options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.pack(elementType(dtype).tag), options);
  }

  /** As `pack`, at once. */
  packSync(dtype: string, options: ConvertSyncOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.pack(elementType(dtype).tag), options);
  }

  /** The codes of a packed type, one a byte. */
  unpack(options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.unpack(), options);
  }

  /** As `unpack`, at once. */
  unpackSync(options: ConvertSyncOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.unpack(), options);
  }

  /**
   * Part of a dense tensor: a range for each dimension, in order; those without one are whole. A share of the memory of
   * row-major, column-major and strided tensors, a row-major copy of others, as `copy` allows. It keeps the rank:
   * `tensor.slice([[1, 2]])` is one row.
   */
  slice(ranges: readonly (Range | null)[], options: CopyOption = {}): Tensor {
    return this.#runSync(slicing(this.shape, ranges), options);
  }

  /** The same tensor, on the same memory, with all statistics that one pass over its elements gives. */
  withStatistics(options: RunOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.statistics(), options);
  }

  /** As `withStatistics`, at once. */
  withStatisticsSync(): Tensor {
    return this.#runSync(native.NativeConversion.statistics(), {});
  }

  /**
   * All tokens of a block-paged tensor, sequence after sequence, row-major. `sequenceLengths` are the tokens of each
   * sequence, which no field says; none will do for one sequence, or where every page is full.
   */
  gather(sequenceLengths: Lengths = null, options: ConvertOptions = {}): Promise<Tensor> {
    return this.#run(native.NativeConversion.gather(lengths(sequenceLengths)), options);
  }

  /** As `gather`, at once. */
  gatherSync(sequenceLengths: Lengths = null, options: ConvertSyncOptions = {}): Tensor {
    return this.#runSync(native.NativeConversion.gather(lengths(sequenceLengths)), options);
  }

  /**
   * Writes the tokens of this dense tensor into the pages of a block-paged one of the same shape, as `gather` reads
   * them; how many bytes. Nobody else may use those pages before the promise is settled.
   */
  scatter(paged: Tensor, sequenceLengths: Lengths = null, options: Omit<ConvertOptions, 'copy'> = {}): Promise<bigint> {
    const found = lengths(sequenceLengths);
    return run(options, converting(options), (running) => native.scatter(this.native, paged.native, found, running));
  }

  /** As `scatter`, at once. */
  scatterSync(paged: Tensor, sequenceLengths: Lengths = null, options: Omit<ConvertSyncOptions, 'copy'> = {}): bigint {
    return native.scatterSync(this.native, paged.native, lengths(sequenceLengths), atOnce(converting(options)));
  }

  /**
   * Holds the contents of all buffers to the format: coordinates inside the shape and in order, pointers that rise,
   * pages that exist, scales that their scheme allows, unused bits that are 0. The error names the rule, the part and
   * the position. Nothing else needs it: conversions check each index as they use it.
   */
  checkData(options: RunOptions = {}): Promise<void> {
    return run(options, [], (running) => native.checkData(this.native, running));
  }

  /** As `checkData`, at once. */
  checkDataSync(): void {
    native.checkDataSync(this.native, atOnce([]));
  }

  /** Bytes that the conversion wrote which made this tensor; 0 for a share. */
  get movedBytes(): bigint {
    return native.movedBytes(this.native);
  }

  /** Where an element is, in elements from the one at index zero. */
  elementOffset(index: readonly number[]): bigint {
    const words = BigUint64Array.from(index, (i, k) => whole(i, `index[${k}]`));
    return BigInt.asIntN(64, native.elementOffset(this.native, words));
  }

  /** DLPack's struct in a tagged external, for an addon: the versioned one unless told. */
  toDLPack(options: CopyOption & { readonly versioned?: boolean } = {}): object {
    return native.toDlpack(this.native, options.versioned ?? true, choice(options.copy));
  }

  /** A tensor of DLPack's struct in a tagged external, which is consumed. */
  static fromDLPack(external: object, options: CopyOption = {}): Tensor {
    return new Tensor(native.fromDlpack(external, choice(options.copy)));
  }

  /** Ends the tensor now. Arrays made from it stay valid. Doing it twice is harmless; any other use is an error. */
  close(): void {
    if (this.#native === null) return;
    close(this.#native);
    this.#native = null;
  }

  [dispose](): void {
    this.close();
  }

  get closed(): boolean {
    return this.#native === null;
  }

  toString(): string {
    return this.#native === null ? 'closed' : native.describe(this.#native);
  }

  [inspect.custom](): string {
    return `Tensor <${this.toString()}>`;
  }
}
