// Files and streams.
import { File, FileWriter, StreamReader, StreamWriter } from '../dist/index.js';
import { bytesOf, fromReal, hexOf, real } from './form.mjs';
import * as make from './make.mjs';
import * as show from './show.mjs';

const NAMES = {
  permissive: ['permissive', Boolean],
  verify: ['verify', Boolean],
  max_descriptor_bytes: ['maxDescriptorBytes', Number],
  max_buffer_bytes: ['maxBufferBytes', Number],
  max_composite_depth: ['maxCompositeDepth', Number],
  cross_machine: ['crossMachine', Boolean],
  flat: ['flat', Boolean],
  data_alignment: ['alignment', Number],
  sorted_index: ['sorted', Boolean],
  kv_mode: ['kvSection', (mode) => ['if-set', 'always', 'never', 'unflagged'][mode]],
};

/** The options as the package names them. */
export function options(given = {}) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (!NAMES[name]) throw new TypeError(`no option is named ${name}`);
      const [key, convert] = NAMES[name];
      return [key, convert(value)];
    }),
  );
}

function kvForm(kind, value) {
  if (kind === 'int64' || kind === 'uint64') return String(value);
  if (kind === 'float64') return real(value);
  return kind === 'bytes' ? hexOf(value) : value;
}

function kvOf(kind, value) {
  if (kind === 'int64' || kind === 'uint64') return BigInt(value);
  if (kind === 'float64') return fromReal(value);
  return kind === 'bytes' ? bytesOf(value) : value;
}

function contents(file) {
  const kv = Array.from(file.kv, ([key, { kind, value }]) => {
    const array = Array.isArray(value);
    return { key, type: kind, array, value: array ? value.map((one) => kvForm(kind, one)) : kvForm(kind, value) };
  });
  const entries = file.entries.map((name) => ({ name, item: show.item(file.getSync(name)) }));
  return { kv, entries, items: file.names };
}

export function readFile(request) {
  const given = options(request.options);
  const file = request.path ? File.openSync(request.path, given) : File.fromBytes(bytesOf(request.bytes), given);
  return contents(file);
}

export function writeFile(request) {
  const given = { ...options(request.options), durable: false, compact: false };
  const writer = FileWriter.create(request.path, given);
  try {
    for (const { key, type: kind, array, value } of request.kv) {
      writer.set(key, { kind, value: array ? value.map((one) => kvOf(kind, one)) : kvOf(kind, value) });
    }
    for (const { name, item } of request.entries) writer.putSync(name, make.item(item));
    writer.finishSync();
  } finally {
    writer.close();
  }
  return {};
}

/** Items of bytes that come in pieces; each is shown as it comes. */
function* arrivals(bytes, chunk, given) {
  const reader = new StreamReader(given);
  for (let at = 0; at < bytes.length; at += chunk) {
    let rest = bytes.subarray(at, at + chunk);
    for (;;) {
      const item = reader.next();
      if (item) yield [reader.streamId, item];
      else if (reader.ended) return;
      else if (rest.length === 0) break;
      else rest = rest.subarray(reader.feed(rest));
    }
  }
  reader.finish();
  for (let item = reader.next(); item; item = reader.next()) yield [reader.streamId, item];
}

export function readStream(request) {
  const bytes = bytesOf(request.bytes);
  const items = [];
  try {
    for (const [streamId, item] of arrivals(bytes, request.chunk || bytes.length || 1, options(request.options))) {
      items.push({ stream_id: streamId, item: show.item(item) });
    }
  } catch (error) {
    error.beside = { items };
    throw error;
  }
  return { items };
}

export function writeStream(request) {
  const framed = { streamId: request.stream_id, maxMessageBytes: request.max_message_size };
  const writer = new StreamWriter({ ...(request.form === 'framed' ? framed : {}), ...options(request.options) });
  const chunks = [];
  for (const item of request.items.map(make.item)) {
    try {
      writer.put(item);
    } catch (error) {
      error.beside = { bytes: hexOf(Buffer.concat(chunks)) };
      throw error;
    }
    for (let chunk = writer.take(); chunk; chunk = writer.take()) chunks.push(chunk);
  }
  return { bytes: hexOf(Buffer.concat(chunks)) };
}

/** One input of a batch of files or streams. */
export function visit(what, bytes, given) {
  if (what === 'read_file') contents(File.fromBytes(bytes, options(given)));
  else for (const arrival of arrivals(bytes, bytes.length || 1, options(given))) void arrival;
}
