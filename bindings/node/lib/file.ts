import type { NativeFileReader, NativeFileWriter, NativeOptions } from './addon';
import { C } from './constants';
import { Descriptor } from './descriptor';
import { HurrayError } from './error';
import { type Item, fromNative, toNative } from './item';
import { type KvInput, type KvValue, fromEntry, toEntry } from './kv';
import { native } from './native';
import { type Limits, type Pair, limits, settings } from './options';
import { type RunOptions, options as atOnce, run } from './run';
import { Tensor } from './tensor';
import { wellFormed } from './text';

export interface OpenOptions extends Limits {
  /**
   * `copy-on-write` (the default) maps the file in private pages: views can be written to, and the file never changes.
   * `read-only` shares pages with others: such tensors give arrays only as copies. `copy` reads tensors into memory, and is
   * the one that another program which cuts the file short cannot hurt; the other two can kill the process then.
   */
  readonly map?: 'copy-on-write' | 'read-only' | 'copy';
  /** Whether padding and the contents of index buffers are checked too. */
  readonly verify?: boolean;
}

export interface SaveOptions {
  readonly kv?: Readonly<Record<string, KvInput>>;
  /** Alignment of tensor data, a power of two from 4096 to 2 MiB. */
  readonly alignment?: number;
  /** Writes the index in ascending order of names. */
  readonly sorted?: boolean;
  /** Syncs the file to the disk before it takes its name (the default). */
  readonly durable?: boolean;
  /** Writes only the bytes that some element reaches (the default); else whole buffers. */
  readonly compact?: boolean;
  /** Whether there is a key-value section: if a key is set, always, never, or without its flag as an old reader wants it. */
  readonly kvSection?: 'if-set' | 'always' | 'never' | 'unflagged';
}

const MAPS = { 'read-only': 0, 'copy-on-write': 1, copy: 2 } as const;
const KV_SECTIONS = { 'if-set': 0, always: 1, never: 2, unflagged: 3 } as const;
const ADVICE = {
  normal: C.ADVICE_NORMAL,
  sequential: C.ADVICE_SEQUENTIAL,
  random: C.ADVICE_RANDOM,
  'will-need': C.ADVICE_WILL_NEED,
  populate: C.ADVICE_POPULATE,
} as const;

function opening(options: OpenOptions): BigUint64Array {
  const map = MAPS[options.map ?? 'copy-on-write'] as number | undefined;
  if (map === undefined) throw new RangeError(`map is ${String(options.map)}: copy-on-write, read-only or copy`);
  return settings([
    [C.OPTION_MAP, map],
    [C.OPTION_VERIFY, options.verify],
    ...limits(options),
  ]);
}

function saving(options: SaveOptions): readonly Pair[] {
  return [
    [C.OPTION_DATA_ALIGNMENT, options.alignment],
    [C.OPTION_SORTED_INDEX, options.sorted],
    [C.OPTION_DURABLE, options.durable],
    [C.OPTION_COMPACT, options.compact ?? true],
    [C.OPTION_KV_MODE, options.kvSection && KV_SECTIONS[options.kvSection]],
  ];
}

/** A file that is open for reading. Tensors taken from it outlive it. */
export class File implements Iterable<string> {
  #native: NativeFileReader | null;
  #names: readonly string[] | undefined;

  /** @internal */
  constructor(handle: NativeFileReader) {
    this.#native = handle;
  }

  get #open(): NativeFileReader {
    if (this.#native) return this.#native;
    throw new HurrayError('the file is closed', 'HURRAY_ERR_INVALID_HANDLE', C.ERR_INVALID_HANDLE);
  }

  /** Opens a file that is in memory. */
  static fromBytes(bytes: Uint8Array, options: OpenOptions = {}): File {
    const buffer = native.NativeBuffer.wrapAnywhere(bytes);
    return new File(native.NativeFileReader.openBuffer(buffer, opening(options)));
  }

  /** Opens a file by its path, without waiting for the disk on the event loop. */
  static async open(path: string, options: OpenOptions = {}): Promise<File> {
    return new File(await native.NativeFileReader.open(path, opening(options)));
  }

  /** As `open`, at once. */
  static openSync(path: string, options: OpenOptions = {}): File {
    return new File(native.NativeFileReader.openSync(path, opening(options)));
  }

  /** The names of the items, in the file's order; members of a composite are not among them. */
  get names(): readonly string[] {
    if (this.#names) return this.#names;
    const all = this.#open.names();
    this.#names = Array.from(this.#open.items(), (entry) => all[Number(entry)] as string);
    return this.#names;
  }

  /** The names of all entries, members of composites too. */
  get entries(): readonly string[] {
    return this.#open.names();
  }

  get length(): number {
    return this.names.length;
  }

  [Symbol.iterator](): Iterator<string> {
    return this.names[Symbol.iterator]();
  }

  has(name: string): boolean {
    return this.#open.find(wellFormed(name, 'the name')) !== null;
  }

  #entry(nameOrIndex: string | number): bigint {
    if (typeof nameOrIndex === 'number') {
      const entry = this.#open.items()[nameOrIndex];
      if (entry !== undefined) return entry;
      const text = `the file has ${this.length} items, and none at ${nameOrIndex}`;
      throw new HurrayError(text, 'HURRAY_ERR_INDEX_OUT_OF_BOUNDS', C.ERR_INDEX_OUT_OF_BOUNDS);
    }
    const found = this.#open.find(wellFormed(nameOrIndex, 'the name'));
    if (found !== null) return found;
    throw new HurrayError(`the file has no ${JSON.stringify(nameOrIndex)}`, 'HURRAY_ERR_NOT_FOUND', C.ERR_NOT_FOUND);
  }

  /** The item of a name, or at a position of `names`: a tensor in place, or a composite. */
  async get(nameOrIndex: string | number): Promise<Item> {
    return fromNative(await this.#open.item(this.#entry(nameOrIndex)));
  }

  /** As `get`, at once. */
  getSync(nameOrIndex: string | number): Item {
    return fromNative(this.#open.itemSync(this.#entry(nameOrIndex)));
  }

  /** As `getSync`, for an item that must be a tensor. */
  tensor(nameOrIndex: string | number): Tensor {
    const item = this.getSync(nameOrIndex);
    if (item instanceof Tensor) return item;
    throw new HurrayError(`${nameOrIndex} is a composite`, 'HURRAY_ERR_INVALID_ARGUMENT', C.ERR_INVALID_ARGUMENT);
  }

  /** The descriptor of an entry, without its data. */
  descriptor(nameOrIndex: string | number): Descriptor {
    return new Descriptor(this.#open.descriptor(this.#entry(nameOrIndex)));
  }

  /** Where an entry lies in the file, in bytes. */
  range(nameOrIndex: string | number): { offset: bigint; size: bigint } {
    const [offset = 0n, size = 0n] = this.#open.range(this.#entry(nameOrIndex));
    return { offset, size };
  }

  /** Part of one buffer of an entry, read from the file: for tensors larger than an ArrayBuffer can be. */
  async read(nameOrIndex: string | number, buffer: number, offset: number | bigint, size: number): Promise<Uint8Array> {
    const out = new Uint8Array(size);
    await this.#open.read(this.#entry(nameOrIndex), buffer, BigInt(offset), out);
    return out;
  }

  /** Tells the system how the mapping is going to be read; of one item, or all. */
  advise(advice: keyof typeof ADVICE, nameOrIndex?: string | number): void {
    const entry = nameOrIndex === undefined ? null : this.#entry(nameOrIndex);
    this.#open.advise(entry, ADVICE[advice]);
  }

  /** The key-value section, in the file's order. */
  get kv(): ReadonlyMap<string, KvValue> {
    return new Map(this.#open.kv().map((entry) => [entry.key, fromEntry(entry)]));
  }

  /** Ends the file. Its tensors stay valid. */
  close(): void {
    this.#native = null;
  }

  get closed(): boolean {
    return this.#native === null;
  }
}

/** A file being written, front to back: keys first, then items. It takes its name when it is finished. */
export class FileWriter {
  readonly #native: NativeFileWriter;

  private constructor(handle: NativeFileWriter) {
    this.#native = handle;
  }

  static create(path: string, options: SaveOptions = {}): FileWriter {
    return FileWriter.under(atOnce(saving(options)), path, options);
  }

  static toMemory(options: SaveOptions = {}): FileWriter {
    return FileWriter.#with(native.NativeFileWriter.toMemory(atOnce(saving(options))), options);
  }

  /** @internal A writer under options of hurray.h that others use meanwhile. */
  static under(running: NativeOptions, path: string, options: SaveOptions): FileWriter {
    return FileWriter.#with(native.NativeFileWriter.create(path, running), options);
  }

  static #with(handle: NativeFileWriter, options: SaveOptions): FileWriter {
    const writer = new FileWriter(handle);
    for (const [key, value] of Object.entries(options.kv ?? {})) writer.set(key, value);
    return writer;
  }

  /** Sets a key, before the first item. */
  set(key: string, value: KvInput): void {
    this.#native.set(toEntry(key, value));
  }

  /** Writes an item under a name, without waiting for the disk on the event loop. One call at a time. */
  async put(name: string, item: Item): Promise<void> {
    await this.#native.put(wellFormed(name, 'the name'), toNative(item));
  }

  putSync(name: string, item: Item): void {
    this.#native.putSync(wellFormed(name, 'the name'), toNative(item));
  }

  /** Writes what comes after the last item; the file takes its name. */
  async finish(): Promise<void> {
    await this.#native.finish();
  }

  finishSync(): void {
    this.#native.finishSync();
  }

  /** The bytes of a finished file in memory, once. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#native.takeBuffer().bytes(false).buffer);
  }

  /** Gives up what is not finished: nothing is left behind. */
  close(): void {
    this.#native.close();
  }
}

/** Opens a file by its path. */
export const open = (path: string, options?: OpenOptions): Promise<File> => File.open(path, options);

/** As `open`, at once. */
export const openSync = (path: string, options?: OpenOptions): File => File.openSync(path, options);

type Named = Readonly<Record<string, Item>> | Iterable<readonly [string, Item]>;

function pairs(items: Named): Iterable<readonly [string, Item]> {
  return Symbol.iterator in items ? (items as Iterable<readonly [string, Item]>) : Object.entries(items);
}

/** Writes items to a path; a file that has the name already is replaced whole, or not at all. */
export async function save(path: string, items: Named, options: SaveOptions & RunOptions = {}): Promise<void> {
  await run(options, saving(options), async (running) => {
    const writer = FileWriter.under(running, path, options);
    try {
      for (const [name, item] of pairs(items)) await writer.put(name, item);
      await writer.finish();
    } finally {
      writer.close();
    }
  });
}

/** As `save`, at once. */
export function saveSync(path: string, items: Named, options: SaveOptions = {}): void {
  const writer = FileWriter.create(path, options);
  try {
    for (const [name, item] of pairs(items)) writer.putSync(name, item);
    writer.finishSync();
  } finally {
    writer.close();
  }
}

