import { inspect } from 'node:util';
import type { NativeDescriptor } from './addon';
import { C } from './constants';
import { type ElementType, elementType } from './element';
import { FieldWriter, Fields, safe } from './fields';
import { type Layout, layoutTag, readLayout, writeLayout } from './layout';
import { native } from './native';
import { type Quantization, parameterCount, readQuantization, writeQuantization } from './quantization';
import {
  type ExtensionType,
  type Shard,
  type Statistics,
  readExtensionType,
  readShard,
  readStatistics,
  writeExtensionType,
  writeShard,
  writeStatistics,
} from './sections';

/** What a descriptor declares of one buffer. Sizes are in bytes. */
export interface BufferEntry {
  readonly byteSize: bigint;
  readonly alignment: number;
  readonly device: string;
  readonly memoryClass: string;
  readonly syncMode: string;
  /** What the buffer holds, such as `values`, `indices` or `scales`. */
  readonly role: string;
  /** The level of a tree (CSF) that it belongs to. */
  readonly roleLevel: number;
}

/** The parts of a descriptor to be made. */
export interface DescriptorParts {
  readonly dtype: string | ElementType;
  /** The dimensions; null is a dynamic one. */
  readonly shape: readonly (number | bigint | null)[];
  /** Row-major unless told. */
  readonly layout?: Layout;
  /** Where in buffer 0, in bytes, the element at index zero lies. */
  readonly byteOffset?: number | bigint;
  readonly quantization?: Quantization | null;
  readonly statistics?: Statistics | null;
  readonly shard?: Shard | null;
  readonly extensionType?: ExtensionType | null;
  /** The role in an overlay, `base` or `correction`. */
  readonly memberRole?: string | null;
  /** One entry a buffer; those that the other parts imply unless told. */
  readonly buffers?: readonly (Pick<BufferEntry, 'byteSize'> & Partial<BufferEntry>)[] | null;
}

const DYNAMIC = 0xffff_ffff_ffff_ffffn;

function writeSections(out: FieldWriter, parts: DescriptorParts): void {
  if (parts.shard) writeShard(out, parts.shard);
  if (parts.statistics) writeStatistics(out, parts.statistics);
  if (parts.extensionType) writeExtensionType(out, parts.extensionType);
  if (parts.memberRole) out.tag(C.MEMBER_FIELD_ROLE, C.SPACE_MEMBER_ROLE, parts.memberRole);
}

/** @internal The native descriptor of its parts. */
export function make(parts: DescriptorParts): NativeDescriptor {
  const type = typeof parts.dtype === 'string' ? elementType(parts.dtype) : parts.dtype;
  const layout = parts.layout ?? { name: 'row_major' };
  const shape = parts.shape.map((extent) => extent ?? DYNAMIC);
  const { buffers, quantization } = parts;
  const out = new FieldWriter();
  out.u(C.HEADER_FIELD_BYTE_OFFSET, parts.byteOffset ?? 0, 'byteOffset');
  writeLayout(out, layout);
  if (quantization) writeQuantization(out, quantization, buffers ? buffers.length - parameterCount(quantization) : null);
  writeSections(out, parts);
  if (!buffers) {
    const extents = new FieldWriter().us(0, shape, 'shape').words().subarray(2);
    return native.NativeDescriptor.withDefaultBuffers(type.tag, layoutTag(layout), extents, out.words());
  }
  out.u(C.HEADER_FIELD_ELEMENT_TYPE, type.tag, 'dtype').u(C.HEADER_FIELD_LAYOUT, layoutTag(layout), 'layout');
  out.us(C.HEADER_FIELD_SHAPE, shape, 'shape').u(C.HEADER_FIELD_BUFFER_COUNT, buffers.length, 'buffers');
  buffers.forEach((entry, index) => {
    const tag = (field: number, space: number, name: string): FieldWriter => out.tag(field, space, name, index);
    out.u(C.BUFFER_FIELD_BYTE_SIZE, entry.byteSize, 'byteSize', index);
    out.u(C.BUFFER_FIELD_ALIGNMENT, entry.alignment ?? 64, 'alignment', index);
    tag(C.BUFFER_FIELD_DEVICE_TAG, C.SPACE_DEVICE, entry.device ?? 'cpu');
    tag(C.BUFFER_FIELD_SYNC_MODE, C.SPACE_SYNC_MODE, entry.syncMode ?? 'producer_synced');
    tag(C.BUFFER_FIELD_MEMORY_CLASS, C.SPACE_MEMORY_CLASS, entry.memoryClass ?? 'standard');
  });
  return native.NativeDescriptor.fromFields(out.words());
}

/** What a tensor is, without its memory: element type, shape, layout, buffers, quantization and sections. */
export class Descriptor {
  #native: NativeDescriptor | (() => NativeDescriptor);
  #fields: Fields | undefined;

  /** @internal Of a handle, or of what gives one when it is needed beside the fields. */
  constructor(handle: NativeDescriptor | (() => NativeDescriptor), fields?: Fields) {
    this.#native = handle;
    this.#fields = fields;
  }

  /** @internal */
  get native(): NativeDescriptor {
    if (typeof this.#native === 'function') this.#native = this.#native();
    return this.#native;
  }

  /**
   * Decodes and validates a descriptor's bytes; what follows its own length is left alone. `permissive` keeps private and
   * unknown layouts, schemes and element types as opaque parts instead of refusing them.
   */
  static decode(bytes: Uint8Array, options: { permissive?: boolean } = {}): Descriptor {
    return new Descriptor(native.NativeDescriptor.decode(bytes, options.permissive ?? false));
  }

  /** Makes a descriptor of its parts, with full validation. */
  static from(parts: DescriptorParts): Descriptor {
    return new Descriptor(make(parts));
  }

  /** @internal */
  get fields(): Fields {
    return (this.#fields ??= new Fields(new BigUint64Array(this.native.fields())));
  }

  /** The descriptor's bytes: those that were decoded, or those that the library wrote. */
  encode(): Buffer {
    return this.native.encode();
  }

  /** The bytes as a table for people: on each line the offset, up to 16 bytes, and what they are. */
  annotate(): string {
    return this.native.annotate();
  }

  /** Major and minor version of the format. */
  get version(): readonly [number, number] {
    return [this.fields.number(C.HEADER_FIELD_VERSION_MAJOR), this.fields.number(C.HEADER_FIELD_VERSION_MINOR)];
  }

  /** The length of the bytes. */
  get encodedLength(): number {
    return this.fields.number(C.HEADER_FIELD_ENCODED_LENGTH);
  }

  get dtype(): ElementType {
    return elementType(this.fields.number(C.HEADER_FIELD_ELEMENT_TYPE));
  }

  /** The dimensions; null is a dynamic one. Throws beyond 2^53 - 1: `bigShape` has those. */
  get shape(): readonly (number | null)[] {
    return this.bigShape.map((extent, k) => (extent === null ? null : safe(extent, `dimension ${k}`)));
  }

  /** The dimensions as bigints; null is a dynamic one. */
  get bigShape(): readonly (bigint | null)[] {
    const shape = this.fields.get(C.HEADER_FIELD_SHAPE) as bigint[];
    return shape.map((extent) => (extent === DYNAMIC ? null : extent));
  }

  /** The number of elements; null while a dimension is dynamic. */
  get size(): bigint | null {
    return this.fields.has(C.HEADER_FIELD_ELEMENT_COUNT) ? this.fields.big(C.HEADER_FIELD_ELEMENT_COUNT) : null;
  }

  get byteOffset(): bigint {
    return this.fields.big(C.HEADER_FIELD_BYTE_OFFSET);
  }

  get layout(): Layout {
    return readLayout(this.fields);
  }

  get quantization(): Quantization | null {
    return readQuantization(this.fields);
  }

  get statistics(): Statistics | null {
    return readStatistics(this.fields);
  }

  get shard(): Shard | null {
    return readShard(this.fields);
  }

  get extensionType(): ExtensionType | null {
    return readExtensionType(this.fields);
  }

  /** The role in an overlay, `base` or `correction`; null elsewhere. */
  get memberRole(): string | null {
    return this.fields.has(C.MEMBER_FIELD_ROLE) ? this.fields.name(C.MEMBER_FIELD_ROLE, C.SPACE_MEMBER_ROLE) : null;
  }

  /** What is declared of each buffer. */
  get buffers(): readonly BufferEntry[] {
    const f = this.fields;
    const count = f.has(C.HEADER_FIELD_BUFFER_COUNT) ? f.number(C.HEADER_FIELD_BUFFER_COUNT) : 0;
    return Array.from({ length: count }, (_, index) => ({
      byteSize: f.big(C.BUFFER_FIELD_BYTE_SIZE, index),
      alignment: f.number(C.BUFFER_FIELD_ALIGNMENT, index),
      device: f.name(C.BUFFER_FIELD_DEVICE_TAG, C.SPACE_DEVICE, index),
      memoryClass: f.name(C.BUFFER_FIELD_MEMORY_CLASS, C.SPACE_MEMORY_CLASS, index),
      syncMode: f.name(C.BUFFER_FIELD_SYNC_MODE, C.SPACE_SYNC_MODE, index),
      role: native.tagName(C.SPACE_BUFFER_ROLE, f.number(C.BUFFER_FIELD_ROLE, index)) ?? 'unknown',
      roleLevel: f.number(C.BUFFER_FIELD_ROLE_LEVEL, index),
    }));
  }

  toString(): string {
    return this.native.describe();
  }

  [inspect.custom](): string {
    return `Descriptor <${this.toString()}>`;
  }
}
