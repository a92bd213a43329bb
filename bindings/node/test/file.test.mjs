// Files: in and out, in place, by name and index, keys of every type, and what is refused.
import assert from 'node:assert/strict';
import {
  closeSync, existsSync, ftruncateSync, openSync as openFd, readFileSync, readdirSync, writeFileSync, writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Composite, File, FileWriter, HurrayError, Tensor, elementType, open, openSync, save, saveSync } from '../dist/index.js';
import { balanced, withFolder } from './support.mjs';

const code = (name) => (error) => error instanceof HurrayError && error.code === `HURRAY_ERR_${name}`;

test('save, open, read in place; the file never changes', () =>
  withFolder((folder) =>
    balanced(async () => {
      const path = join(folder, 'a.hrry');
      await save(path, { a: Tensor.from(new Float32Array([1, 2, 3])), b: Tensor.from(new BigInt64Array([2n ** 60n])) });
      const before = readFileSync(path);
      const file = await open(path);
      assert.deepEqual([...file], ['a', 'b']);
      assert.equal(file.has('c'), false);
      const a = await file.get('a');
      file.close();
      const data = a.data();
      assert.deepEqual([...data], [1, 2, 3]);
      data[0] = 9; // private pages
      assert.deepEqual(readFileSync(path), before);
      assert.throws(() => file.kv, code('INVALID_HANDLE'));
      await assert.rejects(file.get('a'), code('INVALID_HANDLE'));
      const again = openSync(path);
      assert.deepEqual([...again.tensor(1).data()], [2n ** 60n]);
      assert.deepEqual(again.tensor('a').copies, [[]]);
    }),
  ));

test('maps: read-only gives copies, copy gives memory', () =>
  withFolder((folder) => {
    const path = join(folder, 'a.hrry');
    saveSync(path, { a: Tensor.from(new Float32Array([1, 2])) });
    const mapped = openSync(path, { map: 'read-only' }).tensor('a');
    assert.throws(() => mapped.data(), code('COPY_REQUIRED'));
    assert.deepEqual([...mapped.data({ copy: true })], [1, 2]);
    assert.deepEqual([...openSync(path, { map: 'copy' }).tensor('a').data()], [1, 2]);
    assert.throws(() => openSync(path, { map: 'else' }), RangeError);
  }));

const KV = {
  truth: true, count: -(2n ** 63n), size: 2n ** 64n - 1n, real: 0.1, text: 'grün', raw: new Uint8Array([1, 2]),
  truths: [true, false], counts: [1n, -2n], reals: [0.5, NaN, -Infinity], texts: ['', 'b'], raws: [new Uint8Array(), new Uint8Array([3])],
  none: { kind: 'int64', value: [] }, whole: { kind: 'uint64', value: 7 },
};

test('keys of every type', () => {
  const writer = FileWriter.toMemory({ kv: KV });
  writer.finishSync();
  const { kv } = File.fromBytes(writer.bytes());
  assert.deepEqual([...kv.keys()], Object.keys(KV));
  const value = (key) => kv.get(key).value;
  assert.equal(value('truth'), true);
  assert.equal(value('count'), -(2n ** 63n));
  assert.deepEqual(kv.get('size'), { kind: 'uint64', value: 2n ** 64n - 1n });
  assert.equal(value('real'), 0.1);
  assert.equal(value('text'), 'grün');
  assert.deepEqual([...value('raw')], [1, 2]);
  assert.deepEqual(value('truths'), [true, false]);
  assert.deepEqual(value('counts'), [1n, -2n]);
  assert.deepEqual(value('reals'), [0.5, NaN, -Infinity]);
  assert.deepEqual(value('texts'), ['', 'b']);
  assert.deepEqual(value('raws').map((one) => one.length), [0, 1]);
  assert.deepEqual(kv.get('none'), { kind: 'int64', value: [] });
  assert.deepEqual(kv.get('whole'), { kind: 'uint64', value: 7n });
});

test('keys that are refused', () => {
  const writer = FileWriter.toMemory();
  for (const wrong of [[], [1, 'a'], { kind: 'int64', value: 1.5 }, { kind: 'int64', value: 2n ** 63n }, undefined, null]) {
    assert.throws(() => writer.set('k', wrong), (error) => error instanceof Error);
  }
  assert.throws(() => writer.set('k', { kind: 'int64', value: 2 ** 53 }), RangeError);
  writer.set('k', 1);
  assert.throws(() => writer.set('k', 2), code('DUPLICATE'));
});

test('composites, sorted names, alignment', () => {
  const part = (row) =>
    Tensor.fromParts({
      dtype: 'float32', shape: [1, 2], shard: { parentShape: [2n, 2n], offset: [BigInt(row), 0n] }, buffers: [new Float32Array([row, row])],
    });
  const whole = Composite.from({ rule: 'partition', dtype: 'float32', shape: [2, 2], members: [part(0), part(1)] });
  const writer = FileWriter.toMemory({ sorted: true, alignment: 8192 });
  writer.putSync('z', Tensor.from(new Float32Array(1)));
  writer.putSync('c', whole);
  writer.finishSync();
  const file = File.fromBytes(writer.bytes(), { verify: true });
  const item = file.getSync('c');
  assert.ok(item instanceof Composite);
  assert.deepEqual([...item.members[1].data()], [1, 1]);
  assert.throws(() => file.tensor('c'), code('INVALID_ARGUMENT'));
  assert.equal(file.range('z').offset % 8192n, 0n);
  assert.equal(file.descriptor('z').dtype.name, 'float32');
});

test('errors name what is wrong, and leave the old file', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.hrry');
    const tensor = Tensor.from(new Float32Array([1]));
    saveSync(path, { a: tensor });
    assert.throws(() => openSync(join(folder, 'none')), (error) => error.code === 'HURRAY_ERR_IO' && error.errno === 2);
    await assert.rejects(open(join(folder, 'none')), code('IO'));
    await assert.rejects(save(path, [['b', tensor], ['b', tensor]]), code('DUPLICATE'));
    assert.deepEqual(openSync(path).names, ['a']);
    assert.deepEqual(readdirSync(folder), ['a.hrry']);
    const file = openSync(path);
    await assert.rejects(file.get('b'), code('NOT_FOUND'));
    await assert.rejects(file.get(1), code('INDEX_OUT_OF_BOUNDS'));
    assert.throws(() => file.tensor(-1), code('INDEX_OUT_OF_BOUNDS'));
  }));

test('b54: a name comes back as it was, or is refused', () => {
  const tensor = Tensor.from(new Float32Array(1));
  for (const name of ['a\0b', '/', '../a', 'x'.repeat(65535), 'e\u0301', '\u00e9', '\u{1f600}', '__metadata__', 'hurray']) {
    const writer = FileWriter.toMemory();
    writer.putSync(name, tensor);
    writer.finishSync();
    const file = File.fromBytes(writer.bytes());
    assert.deepEqual(file.names, [name]);
    assert.equal(file.has(name), true);
  }
  for (const name of ['', 'x'.repeat(65536)]) {
    assert.throws(() => FileWriter.toMemory().putSync(name, tensor), HurrayError);
  }
  const writer = FileWriter.toMemory();
  for (const half of ['\ud83d', 'a\ude00', '\ude00\ud83d']) {
    assert.throws(() => writer.putSync(half, tensor), RangeError);
    assert.throws(() => writer.set(half, 1), RangeError);
    assert.throws(() => writer.set('key', half), RangeError);
  }
  writer.putSync('\ufffd', tensor); // what a half would have become
  writer.finishSync();
  assert.throws(() => File.fromBytes(writer.bytes()).has('\ud83d'), RangeError);
});

test('b53, b55: no tensors, with a key, with an empty section, with nothing', () => {
  for (const [options, keys] of [[{}, []], [{ kvSection: 'always' }, []], [{ kv: { a: '' } }, ['a']]]) {
    const writer = FileWriter.toMemory(options);
    writer.finishSync();
    const file = File.fromBytes(writer.bytes(), { verify: true });
    assert.deepEqual(file.names, []);
    assert.deepEqual([...file.kv.keys()], keys);
  }
  assert.throws(() => FileWriter.toMemory({ kv: { '': 1 } }), code('INVALID_ARGUMENT'));
});

test('b64: every cut of a small file is refused', () => {
  const writer = FileWriter.toMemory();
  writer.putSync('a', Tensor.from(new Float32Array([1, 2])));
  writer.finishSync();
  const bytes = Buffer.from(writer.bytes());
  for (let cut = 0; cut < bytes.length; cut += cut < 64 ? 1 : 61) {
    assert.throws(() => File.fromBytes(bytes.subarray(0, cut)), HurrayError, `${cut} bytes`);
  }
  const wild = Buffer.from(bytes);
  wild.fill(0xff, bytes.length - 24);
  assert.throws(() => File.fromBytes(wild), HurrayError);
});

test('b107: beyond 4 GiB, in parts', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'big.hrry');
    const rows = 5 * 1024;
    const memory = new Uint8Array(1 << 20); // every row is this one: a stride of 0
    memory[3] = 7;
    const tensor = Tensor.from(memory, { shape: [rows, 1 << 20], strides: [0, 1] });
    const writer = FileWriter.create(path, { durable: false });
    writer.close();
    assert.equal(existsSync(path), false);
    saveSync(path, { a: tensor }, { durable: false });
    const file = openSync(path);
    const { size } = file.range('a');
    assert.ok(size > 0n);
    const found = file.tensor('a');
    assert.equal(found.size, 5n * 2n ** 30n);
    const part = await file.read('a', 0, 0n, 8);
    assert.deepEqual([...part], [0, 0, 0, 7, 0, 0, 0, 0]);
    await assert.rejects(file.read('a', 0, 2n ** 40n, 8), HurrayError);
  }));

/** A file of one tensor of uint8 [5 GiB], by hand from the written format; all of it but two bytes is a hole. */
function writeSparse(path) {
  const [data, size] = [4096n, 5n << 30n];
  const u = (width, ...values) => {
    const bytes = Buffer.alloc(8 * values.length);
    values.forEach((value, k) => bytes.writeBigUInt64LE(BigInt(value), width * k));
    return bytes.subarray(0, width * values.length);
  };
  const type = Buffer.from([elementType('uint8').tag, 1]); // and row-major
  const descriptor = Buffer.concat([
    Buffer.from('HRRY'), u(1, 1), u(1, 0), u(4, 53), u(4, 0), type, u(4, 1), u(8, size), u(8, 0), u(1, 1), u(8, size), u(4, 64), u(4, 0),
  ]);
  const header = Buffer.concat([Buffer.from('HRRYFILE'), u(1, 1), u(1, 0), u(2, 0), u(4, 0), u(4, data), u(8, 64), u(8, 1), Buffer.alloc(28)]);
  const index = Buffer.concat([u(8, 1), u(2, 1), Buffer.from('a'), u(8, 64), u(4, 53), u(8, data), u(8, size), u(4, 0), Buffer.alloc(5)]);
  const trailer = Buffer.concat([u(8, data + size), u(8, 43), u(8, 0), u(4, 0), u(4, 0), u(4, 0), Buffer.from('HRRY')]);
  const fd = openFd(path, 'w');
  const put = (bytes, at) => writeSync(fd, Buffer.from(bytes), 0, bytes.length, Number(at));
  put(Buffer.concat([header, descriptor]), 0);
  put([7], data + (4n << 30n) + 10n);
  put([9], data + size - 1n);
  put(Buffer.concat([index, trailer]), data + size);
  closeSync(fd);
}

test('b107: a tensor of 5 GiB in a sparse file', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'sparse.hrry');
    writeSparse(path);
    const file = await open(path);
    assert.deepEqual(file.range('a'), { offset: 4096n, size: 5n << 30n });
    assert.deepEqual([...(await file.read('a', 0, (4n << 30n) + 9n, 3))], [0, 7, 0]);
    assert.deepEqual([...(await file.read('a', 0, 5 * 2 ** 30 - 2, 2))], [0, 9]);
    await assert.rejects(file.read('a', 0, 5 * 2 ** 30 - 1, 2), HurrayError);
    const tensor = file.tensor('a');
    assert.equal(tensor.size, 5n << 30n);
    assert.equal(tensor.byteLength, 5n << 30n);
    assert.throws(() => tensor.data(), code('LIMIT_EXCEEDED'));
    assert.deepEqual([...tensor.slice([[-1]]).data()], [9]);
    assert.deepEqual([...tensor.slice([[2 ** 32 + 10, 2 ** 32 + 12]]).data()], [7, 0]);
  }));

test('a file from a Buffer at any address', () => {
  const writer = FileWriter.toMemory();
  writer.putSync('a', Tensor.from(new Float64Array([1, 2])));
  writer.finishSync();
  const bytes = writer.bytes();
  const odd = Buffer.alloc(bytes.length + 5).subarray(5);
  odd.set(bytes);
  assert.deepEqual([...File.fromBytes(odd).tensor('a').data()], [1, 2]);
});

test('5 GiB of zeros are refused at once', () =>
  withFolder((folder) => {
    const path = join(folder, 'zeros');
    writeFileSync(path, '');
    const fd = openFd(path, 'r+');
    ftruncateSync(fd, 5 * 2 ** 30);
    closeSync(fd);
    assert.throws(() => openSync(path), HurrayError);
  }));
