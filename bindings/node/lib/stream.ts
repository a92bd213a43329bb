import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { NativeStreamReader, NativeStreamWriter } from './addon';
import { C } from './constants';
import { type Item, type Part, partFromNative, toNative } from './item';
import { native } from './native';
import { type Limits, limits, settings } from './options';

export interface ReadOptions extends Limits {
  /** Refuses memory that carries events, which cannot cross machines. */
  readonly crossMachine?: boolean;
  /** Gives the parts of a composite one by one: its head as a `DescriptorItem`, then each member. */
  readonly flat?: boolean;
}

/** What a reader with these options gives: descriptors come alone only where one asked for it. */
export type Given<O extends ReadOptions> = O extends ReadOptions & { permissive?: false; flat?: false } ? Item : Part;

export interface WriteOptions {
  /** Makes the stream a framed one, on this id (not 0); bare unless told. */
  readonly streamId?: number;
  /** The longest message that the peer of a framed stream takes, in bytes. */
  readonly maxMessageBytes?: number;
  readonly crossMachine?: boolean;
}

/** Bytes of an item that a chunk of a writer has at the most. */
const CHUNK = 1 << 20;

/**
 * Items out of the bytes of a stream, bare or framed, whichever it is. The caller moves the bytes: `feed`, then `next`
 * until it gives null.
 */
export class StreamReader<O extends ReadOptions = {}> {
  readonly #native: NativeStreamReader;

  constructor(options?: O) {
    const { crossMachine, flat }: ReadOptions = options ?? {};
    const pairs = [...limits(options ?? {}), [C.OPTION_CROSS_MACHINE, crossMachine], [C.OPTION_FLAT, flat]] as const;
    this.#native = new native.NativeStreamReader(settings(pairs));
  }

  /** Takes bytes in, up to the end of an item; how many were taken. The rest is fed after `next` gave that item. */
  feed(bytes: Uint8Array): number {
    return this.#native.feed(bytes);
  }

  /** The next item; null when bytes are missing, or when the stream has `ended`. */
  next(): Given<O> | null {
    const item = this.#native.next();
    return item && (partFromNative(item) as Given<O>);
  }

  /** Whether the stream has ended between items. */
  get ended(): boolean {
    return this.#native.ended();
  }

  /** No more bytes come. Throws `HURRAY_ERR_TORN` if the stream ends inside something. */
  finish(): void {
    this.#native.finish();
  }

  /** The stream id that the last item came on; 0 in a bare stream. */
  get streamId(): number {
    return this.#native.streamId();
  }

  /** Bytes that were taken and belong to no complete item. */
  get unread(): Buffer {
    return this.#native.unread();
  }

  /** The messages that a framed stream owes its peer: answers to PING, and the ERROR for what broke it. Once. */
  reply(): Buffer {
    return this.#native.reply();
  }
}

/** The items of anything that gives bytes: a readable stream, a socket, an async iterable of chunks. */
export async function* readStream<O extends ReadOptions = {}>(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options?: O,
): AsyncGenerator<Given<O>, void, undefined> {
  const reader = new StreamReader(options);
  for await (const chunk of source) {
    let rest = chunk;
    for (;;) {
      const item = reader.next();
      if (item) yield item;
      else if (reader.ended) return;
      else if (rest.length === 0) break;
      else rest = rest.subarray(reader.feed(rest));
    }
  }
  reader.finish();
  for (let item = reader.next(); item; item = reader.next()) yield item;
}

/** The bytes of items. The caller moves the bytes: `put`, then `take` until it gives null. */
export class StreamWriter {
  readonly #native: NativeStreamWriter;

  constructor(options: WriteOptions = {}) {
    const { streamId, maxMessageBytes = 0, crossMachine } = options;
    if (streamId === 0) throw new RangeError('stream id 0 is reserved');
    const given = settings([[C.OPTION_CROSS_MACHINE, crossMachine]]);
    this.#native = new native.NativeStreamWriter(streamId ?? 0, maxMessageBytes, given);
  }

  /** Appends a tensor or a composite, which is validated whole before its first byte. */
  put(item: Item): void {
    this.#native.put(toNative(item));
  }

  /** The next bytes, at most so many; null when all were taken. */
  take(most = CHUNK): Buffer | null {
    return this.#native.take(most);
  }
}

type Items = Iterable<Item> | AsyncIterable<Item>;

/** The bytes of items, chunk by chunk. */
export async function* streamChunks(items: Items, options: WriteOptions = {}): AsyncGenerator<Buffer, void, undefined> {
  const writer = new StreamWriter(options);
  for await (const item of items) {
    writer.put(item);
    for (let chunk = writer.take(); chunk; chunk = writer.take()) yield chunk;
  }
}

/** Writes items to a writable stream, waiting while it is full. The stream stays open. */
export async function writeStream(destination: Writable, items: Items, options: WriteOptions = {}): Promise<void> {
  for await (const chunk of streamChunks(items, options)) {
    if (destination.destroyed || destination.writableEnded) throw new Error('the stream is closed');
    if (!destination.write(chunk)) await once(destination, 'drain');
  }
}
