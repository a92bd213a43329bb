// Arrays in and out: what is shared, what is refused, and how long it lives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { HurrayError, Tensor, allowExternalBuffers, elementType, liveHandles } from '../dist/index.js';
import { balanced, collected } from './support.mjs';

const code = (name) => (error) => error instanceof HurrayError && error.code === `HURRAY_ERR_${name}` && error.status < 0;

const CLASSES = [
  ['int8', Int8Array], ['uint8', Uint8Array], ['int16', Int16Array], ['uint16', Uint16Array], ['int32', Int32Array],
  ['uint32', Uint32Array], ['int64', BigInt64Array], ['uint64', BigUint64Array], ['float32', Float32Array],
  ['float64', Float64Array],
];

for (const [name, ArrayClass] of CLASSES) {
  test(`${name}: in place both ways`, () => {
    const one = name.endsWith('64') && name !== 'float64' ? 1n : 1;
    const array = new ArrayClass(6);
    const tensor = Tensor.from(array, { shape: [2, 3] });
    assert.equal(tensor.dtype.name, name);
    assert.deepEqual(tensor.shape, [2, 3]);
    assert.deepEqual(tensor.copies, [[]]);
    const data = tensor.data();
    assert.equal(data.constructor, ArrayClass);
    data[4] = one;
    assert.equal(array[4], one);
    array[5] = one;
    assert.equal(data[5], one);
  });
}

test('b42: 16-bit floats are taken as bits, and given as bits', () => {
  const bits = new Uint16Array([0x3c00, 0xc000, 0x7e01]);
  for (const dtype of ['float16', 'bfloat16']) {
    const data = Tensor.from(bits, { dtype }).data();
    assert.equal(data.constructor, Uint16Array);
    assert.deepEqual([...data], [0x3c00, 0xc000, 0x7e01]);
  }
  if (globalThis.Float16Array) assert.equal(Tensor.from(new globalThis.Float16Array(2)).dtype.name, 'float16');
});

test('types that JavaScript lacks are bytes, complex numbers are pairs', () => {
  const packed = Tensor.from(new Uint8Array([0x21, 0x43]), { dtype: 'int4', shape: [4] });
  assert.deepEqual([...packed.data()], [0x21, 0x43]);
  assert.equal(packed.size, 4n);
  const pair = Tensor.from(new Float32Array([1, 2, 3, 4]), { dtype: 'complex64', shape: [2] });
  assert.deepEqual([...pair.data()], [1, 2, 3, 4]);
  assert.equal(Tensor.from(new Uint8Array(3), { dtype: 'float8_e4m3' }).data().length, 3);
  assert.equal(Tensor.from(new Uint8Array(16), { dtype: 'float128', shape: [1] }).data().length, 16);
});

test('b104: a sub-view begins where it begins, at any address', () => {
  const memory = new ArrayBuffer(64);
  new Float32Array(memory).set([0, 1, 2, 3, 4, 5, 6]);
  const sub = new Float32Array(memory, 12, 4);
  assert.deepEqual([...Tensor.from(sub).data()], [3, 4, 5, 6]);
  const odd = Buffer.from(memory, 3, 8); // misaligned for float32
  const tensor = Tensor.from(odd, { dtype: 'float32', shape: [2] });
  assert.throws(() => tensor.data(), code('COPY_REQUIRED'));
  assert.throws(() => tensor.data(), /not aligned for float32.*copy: true/);
  const expected = new Float32Array(new Uint8Array(memory.slice(3, 11)).buffer);
  assert.deepEqual([...tensor.data({ copy: true })], [...expected]);
});

test('strides of every sign', () => {
  const array = new Float64Array([0, 1, 2, 3, 4, 5]);
  const tensor = Tensor.from(array, { shape: [2, 3], strides: [-3, 1], offset: 3 });
  const { data, shape, strides, offset, copied } = tensor.view();
  const at = (i, j) => data[offset + i * strides[0] + j * strides[1]];
  assert.deepEqual(shape, [2, 3]);
  assert.deepEqual([at(0, 0), at(0, 2), at(1, 0), at(1, 2)], [3, 5, 0, 2]);
  assert.equal(copied, false);
  assert.throws(() => tensor.data(), code('COPY_REQUIRED'));
  const repeated = Tensor.from(array, { shape: [4, 2], strides: [0, 1] }).view();
  assert.equal(repeated.strides[0], 0);
  const column = Tensor.from(array, { shape: [2, 3], strides: [1, 2] });
  assert.equal(column.layout.name, 'column_major');
});

test('what does not fit is refused before anything is wrapped', () => {
  const array = new Float32Array(6);
  for (const given of [
    { shape: [7] }, { shape: [2, 4] }, { shape: [2, 3], offset: 1 }, { shape: [2], strides: [-1] }, { shape: [2, 3], strides: [4, 1] },
    { shape: [1], offset: -1 }, { shape: [2 ** 40, 2 ** 40] }, { shape: [2n ** 63n] },
  ]) {
    assert.throws(() => Tensor.from(array, given), HurrayError, inspect(given));
  }
  assert.throws(() => Tensor.from(array, { shape: [2.5] }), RangeError);
  assert.throws(() => Tensor.from(array, { shape: [-1] }), RangeError);
  assert.throws(() => Tensor.from(array, { shape: [2, 3], strides: [1] }), HurrayError);
  assert.throws(() => Tensor.from(new DataView(new ArrayBuffer(4))), TypeError);
});

test('read-only memory gives a copy or an error', () => {
  const tensor = Tensor.from(new Float32Array([1, 2]), { readOnly: true });
  assert.equal(tensor.readOnly, true);
  assert.throws(() => tensor.data(), code('COPY_REQUIRED'));
  assert.throws(() => tensor.buffer(0), code('COPY_REQUIRED'));
  const copy = tensor.data({ copy: true });
  copy[0] = 9;
  assert.deepEqual([...tensor.data({ copy: true })], [1, 2]);
});

test('copy: true copies, copy: false never does', () => {
  const array = new Float32Array([1, 2]);
  const copied = Tensor.from(array, { copy: true });
  array[0] = 5;
  assert.deepEqual([...copied.data()], [1, 2]);
  assert.deepEqual(copied.copies, [['request']]);
  assert.equal(copied.copiedBytes, 8n);
  assert.equal(Tensor.from(array).copiedBytes, 0n);
  assert.deepEqual(Tensor.from(array, { copy: false }).copies, [[]]);
});

test('rank 0, and b103: no elements', () => {
  assert.deepEqual([...Tensor.from(new Float32Array([7]), { shape: [] }).data()], [7]);
  const empty = Tensor.from(new Float32Array(0), { shape: [0, 3] }).data();
  assert.equal(empty.length, 0);
  assert.equal(Buffer.concat([Buffer.from(empty.buffer)]).length, 0);
});

test('b108: 64-bit values are exact, and unsafe numbers refused', () => {
  const array = new BigInt64Array([2n ** 53n + 1n, -(2n ** 63n)]);
  assert.deepEqual([...Tensor.from(array).data()], [2n ** 53n + 1n, -(2n ** 63n)]);
  assert.deepEqual([...Tensor.from(new BigUint64Array([2n ** 64n - 1n])).data()], [2n ** 64n - 1n]);
  assert.throws(() => Tensor.from(array, { shape: [2 ** 53] }), RangeError);
});

test('the array is held, and let go once', async () => {
  let released = 0;
  const registry = new FinalizationRegistry(() => released++);
  await balanced(async () => {
    let array = new Float32Array(1024);
    registry.register(array.buffer, 0);
    let tensor = Tensor.from(array);
    array = null;
    await collected(() => true);
    assert.equal(released, 0);
    const view = tensor.data();
    tensor.close();
    tensor = null;
    view[0] = 1; // still there
  });
  await collected(() => released === 1);
});

test('close, use after close, close again', () => {
  const tensor = Tensor.from(new Float32Array([1, 2]));
  const view = tensor.data();
  const share = tensor.share();
  tensor.close();
  tensor.close();
  assert.equal(tensor.closed, true);
  for (const use of ['shape', 'dtype', 'layout', 'descriptor', 'byteLength', 'copies']) {
    assert.throws(() => tensor[use], code('INVALID_HANDLE'), use);
  }
  for (const use of ['data', 'view', 'share', 'export']) assert.throws(() => tensor[use](), code('INVALID_HANDLE'), use);
  assert.deepEqual([...view], [1, 2]);
  assert.deepEqual([...share.data()], [1, 2]);
  assert.equal(`${tensor}`, 'closed');
});

test('using ends it', () => {
  const dispose = Symbol.dispose ?? Symbol.for('nodejs.dispose');
  const tensor = Tensor.from(new Float32Array(1));
  tensor[dispose]();
  assert.equal(tensor.closed, true);
});

test('b98: a runtime without external buffers gets copies that say so', async () => {
  await balanced(async () => {
    const array = new Float32Array([1, 2]);
    allowExternalBuffers(false);
    try {
      const before = liveHandles();
      const tensor = Tensor.from(array);
      const view = tensor.view();
      assert.equal(view.copied, true);
      assert.deepEqual([...view.data], [1, 2]);
      tensor.close();
      assert.equal(liveHandles(), before); // the view holds nothing
      view.data[0] = 9;
      assert.equal(array[0], 1);
    } finally {
      allowExternalBuffers(true);
    }
  });
});

test('b101: memory is not transferred away, and what was is refused', async () => {
  const array = new Float32Array([1, 2]);
  const tensor = Tensor.from(array);
  try {
    structuredClone(array, { transfer: [array.buffer] });
  } catch {
    // refused, or copied: either leaves the array where it is
  }
  assert.equal(array.length, 2);
  const view = tensor.data();
  try {
    structuredClone(view, { transfer: [view.buffer] });
  } catch {
    // as above
  }
  assert.deepEqual([...tensor.data()], [1, 2]);
  const gone = new Float32Array(2);
  structuredClone(gone, { transfer: [gone.buffer] });
  assert.throws(() => Tensor.from(gone, { shape: [2] }), (error) => error instanceof TypeError || error instanceof HurrayError);
});

test('a resizable ArrayBuffer is refused', () => {
  const memory = new ArrayBuffer(16, { maxByteLength: 32 });
  assert.equal(memory.resizable, true);
  assert.throws(() => Tensor.from(new Float32Array(memory)), /may move/);
});

test('one line for people', () => {
  const tensor = Tensor.from(new Float32Array(6), { shape: [2, 3] });
  assert.equal(`${tensor}`, 'float32 [2, 3] row_major cpu 24 bytes');
  assert.equal(inspect(tensor), 'Tensor <float32 [2, 3] row_major cpu 24 bytes>');
});

test('b99: 100 000 tensors and views, closed: nothing is left', async () => {
  await balanced(async () => {
    const array = new Float32Array(64);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 100_000; round++) {
      const tensor = Tensor.from(array, { shape: [8, 8] });
      tensor.export();
      if (round % 16 === 0) tensor.data();
      tensor.close();
      if (round % 2000 === 0) await collected(() => true);
    }
    await collected(() => true);
    assert.ok(process.memoryUsage().rss - before < 64 << 20, 'resident memory grew by 64 MiB or more');
  });
});

test('b99: memory of the library goes when it is closed, and counts for the collector', () => {
  const mebibyte = new Uint8Array(1 << 20).fill(1);
  const before = process.memoryUsage();
  for (let round = 0; round < 500; round++) Tensor.from(mebibyte, { copy: true }).close();
  assert.ok(process.memoryUsage().rss - before.rss < 64 << 20, 'resident memory grew by 64 MiB or more');
  const tensor = Tensor.from(mebibyte, { copy: true });
  const { external } = process.memoryUsage();
  const data = tensor.data();
  assert.ok(process.memoryUsage().external >= external + data.byteLength);
});

test('element types by name and tag', () => {
  assert.equal(elementType('bfloat16').bits, 16);
  assert.equal(elementType(elementType('int4').tag).isSubByte, true);
  assert.throws(() => elementType('float7'), code('INVALID_TYPE'));
});
