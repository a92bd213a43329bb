// Node's part of the tour: it reads what Python wrote, and writes a tensor that Python reads.
//
//     node main.mjs FILE STREAM OUT
//
// FILE is a file of tensors, STREAM a Unix socket to connect to, or a file or pipe with a stream of tensors, OUT the file
// to write. One JSON object a line goes to standard output: one for each tensor of the file, then of the stream, with the
// CRC-32 of its logical bytes, then one with the number of live handles. The exit code is 1 if anything fails.
import { createReadStream, statSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { HurrayError, Tensor, liveHandles, open, readStream, save } from '../../bindings/node/dist/index.js';

const PARTS = ['indices', 'pointers', 'scales', 'zero_points'];

/** The bytes of a strided tensor's elements, in row-major order. */
function bytesOf(tensor) {
  const { data, shape, strides, offset } = tensor.view();
  const plain = strides.length === 0 || tensor.layout.name === 'row_major';
  if (plain) return new Uint8Array(data.buffer);
  const out = new data.constructor(shape.reduce((count, extent) => count * extent, 1));
  const index = shape.map(() => 0);
  for (let k = 0; k < out.length; k++) {
    out[k] = data[offset + index.reduce((sum, i, axis) => sum + i * strides[axis], 0)];
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
  }
  return new Uint8Array(out.buffer);
}

function part(tensor, role) {
  try {
    return tensor.part(role);
  } catch (error) {
    if (error instanceof HurrayError && error.code === 'HURRAY_ERR_FIELD_NOT_APPLICABLE') return null;
    throw error;
  }
}

/** The entry in the middle of a CSR matrix. */
function middle(tensor, layout) {
  if (layout.name !== 'csr' || layout.nnz === 0n || tensor.dtype.name !== 'float32') return {};
  const [values, columns, pointers] = ['values', 'indices', 'pointers'].map((role) => tensor.part(role).data());
  const at = Number(layout.nnz / 2n);
  const row = pointers.findIndex((_, k) => pointers[k + 1] > BigInt(at));
  return { nnz: Number(layout.nnz), middle_row: row, middle_column: Number(columns[at]), middle_value: values[at] };
}

function report(from, name, tensor) {
  let [sum, bytes] = [0, 0];
  for (const one of [part(tensor, 'values') ?? tensor, ...PARTS.map((role) => part(tensor, role))]) {
    if (!one) continue;
    const found = bytesOf(one);
    sum = crc32(found, sum);
    bytes += found.length;
  }
  const { layout, quantization: scheme } = tensor;
  const scales = scheme?.scheme === 'per_channel_affine' ? tensor.part('scales').data() : null;
  const line = {
    from,
    name,
    dtype: tensor.dtype.name,
    shape: tensor.shape,
    layout: layout.name,
    ...(scheme ? { quantization: scheme.scheme } : {}),
    bytes,
    copied: Number(tensor.copiedBytes),
    crc32: sum,
    ...(scales ? { axis: scheme.axis, last_scale: scales.at(-1) } : {}),
    ...middle(tensor, layout),
  };
  tensor.close();
  console.log(JSON.stringify(line));
}

async function readAll(path) {
  const file = await open(path);
  for (const name of file) {
    const item = await file.get(name);
    if (item instanceof Tensor) report('file', name, item);
  }
  file.close();
}

async function receiveAll(path) {
  const source = statSync(path).isSocket() ? connect(path) : createReadStream(path);
  let count = 0;
  for await (const item of readStream(source)) {
    if (item instanceof Tensor) report('stream', String(count), item);
    count++;
  }
}

/** A column-major tensor whose element [i, j] is 10 i + j. */
async function write(path) {
  const data = new Float64Array(12);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 4; j++) data[i + 3 * j] = 10 * i + j;
  const tensor = Tensor.from(data, { shape: [3, 4], strides: [1, 3] });
  await save(path, { from_node: tensor }, { kv: { language: 'Node' } });
  tensor.close();
}

const [file, stream, out] = process.argv.slice(2);
if (!out) {
  console.error('usage: main.mjs FILE STREAM OUT');
  process.exit(2);
}
await readAll(file);
await receiveAll(stream);
await write(out);
// Views let their memory go when they are collected.
for (let round = 0; round < 100 && liveHandles() > 0n; round++) {
  globalThis.gc();
  await sleep(2);
}
console.log(JSON.stringify({ live_handles: Number(liveHandles()) }));
