// Streams: over Node's own streams, at every split, and what is refused.
import assert from 'node:assert/strict';
import { createServer, connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import {
  Composite,
  Descriptor,
  DescriptorItem,
  HurrayError,
  StreamReader,
  StreamWriter,
  Tensor,
  readStream,
  streamChunks,
  writeStream,
} from '../dist/index.js';
import { balanced, withFolder } from './support.mjs';

const code = (name) => (error) => error instanceof HurrayError && error.code === `HURRAY_ERR_${name}`;

const items = () => [
  Tensor.from(new Float32Array([1, 2, 3, 4, 5, 6]), { shape: [2, 3] }),
  Tensor.from(new BigUint64Array([2n ** 64n - 1n])),
  Tensor.from(new Float32Array(0), { shape: [0] }),
];

async function bytesOf(tensors, options) {
  const chunks = [];
  for await (const chunk of streamChunks(tensors, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function all(source, options) {
  const found = [];
  for await (const item of readStream(source, options)) found.push(item);
  return found;
}

for (const [form, options] of [['bare', {}], ['framed', { streamId: 7 }]]) {
  test(`${form}: every split gives the same items`, async () => {
    const bytes = await bytesOf(items(), options);
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const found = await all(chunks);
      assert.equal(found.length, 3);
      assert.deepEqual([...found[0].data()], [1, 2, 3, 4, 5, 6]);
      assert.deepEqual([...found[1].data()], [2n ** 64n - 1n]);
      assert.deepEqual(found[2].shape, [0]);
    }
  });

  test(`${form}: every cut is torn, none crashes`, async () => {
    const bytes = await bytesOf(items().slice(0, 1), options);
    for (let cut = 1; cut < bytes.length; cut++) {
      await assert.rejects(all([bytes.subarray(0, cut)]), HurrayError, `${cut} bytes`);
    }
    assert.deepEqual(await all([bytes]).then((found) => found.length), 1);
  });
}

test('a bare stream is the descriptor, padding and data of each tensor, and nothing else', async () => {
  const bytes = await bytesOf(items().slice(0, 1));
  const descriptor = Descriptor.from({ dtype: 'float32', shape: [2, 3], buffers: [{ byteSize: 24n }] });
  assert.deepEqual(bytes.subarray(0, 61), descriptor.encode());
  assert.deepEqual([...new Float32Array(new Uint8Array(bytes.subarray(-24)).buffer)], [1, 2, 3, 4, 5, 6]);
});

test('over a Unix socket, with a slow reader', () =>
  withFolder((folder) =>
    balanced(async () => {
      const path = join(folder, 's');
      const large = new Float32Array(1 << 20).map((_, k) => k);
      const server = createServer(async (socket) => {
        await writeStream(socket, [Tensor.from(large), ...items()]);
        socket.end();
      });
      await new Promise((resolve) => server.listen(path, resolve));
      const found = await all(connect(path));
      assert.equal(found.length, 4);
      assert.deepEqual(found[0].data().subarray(-2), large.subarray(-2));
      await new Promise((resolve) => server.close(resolve));
    }),
  ));

test('through pipelines of Node', async () => {
  const through = new PassThrough({ highWaterMark: 16 });
  const [found] = await Promise.all([all(through), pipeline(Readable.from(streamChunks(items())), through)]);
  assert.equal(found.length, 3);
});

test('a source that fails, and a peer that goes', async () => {
  const bytes = await bytesOf(items());
  async function* broken() {
    yield bytes.subarray(0, 80);
    throw new Error('the network is down');
  }
  await assert.rejects(all(broken()), /the network is down/);
  const closed = new PassThrough();
  closed.destroy();
  await assert.rejects(writeStream(closed, items()), /closed/);
});

test('the caller moves the bytes', async () => {
  const writer = new StreamWriter();
  for (const tensor of items()) writer.put(tensor);
  const reader = new StreamReader();
  let found = 0;
  for (let chunk = writer.take(32); chunk; chunk = writer.take(32)) {
    assert.ok(chunk.length <= 32);
    let rest = chunk;
    while (rest.length > 0) {
      rest = rest.subarray(reader.feed(rest));
      while (reader.next()) found++;
    }
  }
  assert.equal(found, 3);
  reader.finish();
  assert.equal(reader.next(), null);
  assert.equal(reader.ended, true);
  assert.equal(writer.take(), null);
});

test('a stream id, limits, and id 0', async () => {
  const bytes = await bytesOf(items(), { streamId: 9 });
  const reader = new StreamReader();
  let rest = bytes;
  while (!reader.next()) rest = rest.subarray(reader.feed(rest));
  assert.equal(reader.streamId, 9);
  assert.throws(() => new StreamWriter({ streamId: 0 }), RangeError);
  await assert.rejects(all([await bytesOf(items())], { maxBufferBytes: 8 }), code('LIMIT_EXCEEDED'));
});

test('a descriptor may come alone', async () => {
  // Byte 15 of a descriptor is its layout. A framed stream says how many bytes come with it.
  const framed = await bytesOf(items().slice(0, 1), { streamId: 9 });
  framed[12 + 15] = 0x30;
  await assert.rejects(all([framed]), code('INVALID_LAYOUT'));
  const [alone] = await all([framed], { permissive: true });
  assert.ok(alone instanceof DescriptorItem);
  assert.deepEqual(alone.descriptor.shape, [2, 3]);
  assert.deepEqual([...new Float32Array(alone.data.data().slice().buffer)], [1, 2, 3, 4, 5, 6]);
  assert.throws(() => new StreamWriter().put(alone), TypeError);
  // A bare one does not, and ends there.
  const bare = await bytesOf(items().slice(0, 1));
  bare[15] = 0x30;
  const found = [];
  const reading = async () => {
    for await (const item of readStream([bare], { permissive: true })) found.push(item);
  };
  await assert.rejects(reading(), code('UNSUPPORTED'));
  assert.equal(found.length, 1);
  assert.equal(found[0].data, null);
});

test('a composite part by part', async () => {
  const members = items().slice(0, 2);
  const whole = Composite.from({ rule: 'group', dtype: 'float32', shape: [], members });
  const [head, first, second, ...more] = await all([await bytesOf([whole])], { flat: true });
  assert.ok(head instanceof DescriptorItem);
  assert.equal(head.descriptor.layout.memberCount, 2);
  assert.equal(head.data, null);
  assert.deepEqual([...first.data()], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...second.data()], [2n ** 64n - 1n]);
  assert.equal(more.length, 0);
});

test('declared bytes that never come cost nothing', async () => {
  const huge = Buffer.from(
    '48525259' + '01' + '00' + '35000000' + '00000000' + '06' + '01' + '01000000' +
      '0000000000000040' + '0000000000000000' + '01' + '0000000000000040' + '40000000' + '00000000',
    'hex',
  );
  const before = process.memoryUsage().rss;
  await assert.rejects(all([huge, Buffer.alloc(10)]), HurrayError);
  assert.ok(process.memoryUsage().rss - before < 10 << 20);
});
