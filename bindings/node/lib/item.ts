import { inspect } from 'node:util';
import type { NativeItem } from './addon';
import { Descriptor } from './descriptor';
import type { ElementType } from './element';
import type { Layout } from './layout';
import { native } from './native';
import { options as atOnce, run } from './run';
import { type ConvertOptions, type ConvertSyncOptions, Tensor, converting } from './tensor';

/** What files and streams hold. */
export type Item = Tensor | Composite;

/** What a stream gives that is read with `permissive` or `flat`. */
export type Part = Item | DescriptorItem;

/** @internal The handle of an item. */
export function toNative(item: Item): NativeItem {
  if (item instanceof Composite) return item.native;
  if (item instanceof Tensor) return native.NativeItem.ofTensor(item.native);
  throw new TypeError('a Tensor or a Composite is wanted');
}

/** @internal The item of a handle. */
export function fromNative(handle: NativeItem): Item {
  const tensor = handle.tensor();
  return tensor ? new Tensor(tensor) : new Composite(handle);
}

/** @internal The same, where descriptors may come alone. */
export function partFromNative(handle: NativeItem): Part {
  return handle.isAlone() ? new DescriptorItem(handle) : fromNative(handle);
}

/**
 * A descriptor without a tensor: one whose layout is unknown, from a stream that is read with `permissive`, or the head
 * of a composite, with `flat`. It cannot be written.
 */
export class DescriptorItem {
  /** @internal */
  readonly native: NativeItem;

  /** @internal */
  constructor(handle: NativeItem) {
    this.native = handle;
  }

  get descriptor(): Descriptor {
    return new Descriptor(this.native.head());
  }

  /**
   * The bytes that came with it, as a uint8 tensor `[n]`: all buffers, in order, without padding. Null where nobody
   * knows how many they are, and for a head.
   */
  get data(): Tensor | null {
    const bytes = this.native.data();
    return bytes && new Tensor(bytes);
  }

  toString(): string {
    return this.descriptor.toString();
  }

  [inspect.custom](): string {
    return `DescriptorItem <${this.toString()}>`;
  }
}

/** Tensors that make one: a partition, an overlay, or a group. */
export class Composite {
  /** @internal */
  readonly native: NativeItem;

  /** @internal */
  constructor(handle: NativeItem) {
    this.native = handle;
  }

  /** Makes a composite; every rule of composites is checked. */
  static from(parts: {
    rule: string;
    combineOp?: string;
    dtype: string | ElementType;
    shape: readonly (number | bigint)[];
    members: readonly Item[];
  }): Composite {
    const { rule, combineOp = 'none', dtype, shape, members } = parts;
    const layout: Layout = { name: 'composite', rule, combineOp, memberCount: members.length };
    const head = Descriptor.from({ dtype, shape, layout, buffers: [] });
    return new Composite(native.NativeItem.composite(head.native, members.map(toNative)));
  }

  /** The head's descriptor. */
  get descriptor(): Descriptor {
    return new Descriptor(this.native.head());
  }

  /** The members, in order. */
  get members(): readonly Item[] {
    return Array.from({ length: this.native.memberCount() }, (_, k) => fromNative(this.native.member(k)));
  }

  /**
   * One row-major tensor: the members of a partition joined, the corrections of an overlay applied to its base. The
   * members of a group are independent, and make none.
   */
  assemble(options: ConvertOptions = {}): Promise<Tensor> {
    const made = run(options, converting(options), (running) => this.native.assemble(running));
    return made.then((handle) => new Tensor(handle));
  }

  /** As `assemble`, at once. */
  assembleSync(options: ConvertSyncOptions = {}): Tensor {
    return new Tensor(this.native.assembleSync(atOnce(converting(options))));
  }

  toString(): string {
    return this.descriptor.toString();
  }

  [inspect.custom](): string {
    return `Composite <${this.toString()}>`;
  }
}
