// Parts of tensors, against JavaScript's own slices, and statistics.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Descriptor, HurrayError, Tensor } from '../dist/index.js';

const code = (name) => (error) => error instanceof HurrayError && error.code === `HURRAY_ERR_${name}`;
const elements = (tensor) => [...tensor.toLayoutSync().data()];

test('every start and stop, as Array.prototype.slice has them', () => {
  const array = [10, 11, 12, 13];
  const tensor = Tensor.from(new Int32Array(array));
  const ends = [undefined, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6];
  for (const start of ends) {
    for (const stop of ends) {
      const part = tensor.slice([[start, stop]]);
      assert.deepEqual(elements(part), array.slice(start, stop), `${start}, ${stop}`);
      assert.equal(part.movedBytes, 0n);
    }
  }
});

test('steps of either sign, in place', () => {
  const array = new Int32Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const tensor = Tensor.from(array, { shape: [3, 4] });
  const part = tensor.slice([[1, 3], [null, null, -2]]);
  assert.deepEqual(part.shape, [2, 2]);
  assert.deepEqual(elements(part), [7, 5, 11, 9]);
  array[7] = 70;
  assert.equal(elements(part)[0], 70);
  assert.deepEqual(elements(tensor.slice([[-1]])), [8, 9, 10, 11]);
  assert.deepEqual(elements(tensor.slice([null, [1, 2]])), [1, 5, 9]);
  assert.deepEqual(elements(tensor.slice([[null, null, -1], [0, 1]])), [8, 4, 0]);
  assert.deepEqual(elements(tensor.slice([[2, 0, -1], [0, 1]])), [8, 4]);
  assert.deepEqual(tensor.slice([[2, 1]]).shape, [0, 4]);
  assert.deepEqual(tensor.slice([]).shape, [3, 4]);
  const copied = tensor.slice([[0, 1]], { copy: true });
  assert.equal(copied.movedBytes, 16n);
  array[0] = 9;
  assert.deepEqual(elements(copied), [0, 1, 2, 3]);
});

test('parts of other layouts are copies', () => {
  const rows = Tensor.from(Float32Array.from({ length: 16 }, (_, k) => k), { shape: [4, 4] });
  const layout = { name: 'tiled', tileShape: [2, 2], outerLayout: 'row_major', innerLayout: 'row_major' };
  const tiled = rows.toLayoutSync(Descriptor.from({ dtype: 'float32', shape: [4, 4], layout }));
  const part = tiled.slice([[1, 3], [1, 3]]);
  assert.deepEqual([...part.data()], [5, 6, 9, 10]);
  assert.equal(part.movedBytes, 16n);
  assert.throws(() => tiled.slice([[1, 3]], { copy: false }), code('COPY_REQUIRED'));
});

test('ranges that are refused', () => {
  const tensor = Tensor.from(new Float32Array(6), { shape: [2, 3] });
  for (const wrong of [[[0, 1, 0]], [[0.5]], [[0, NaN]], [null, null, null], [[0, 2 ** 53]]]) {
    assert.throws(() => tensor.slice(wrong), RangeError, JSON.stringify(wrong));
  }
  tensor.close();
  assert.throws(() => tensor.slice([]), code('INVALID_HANDLE'));
});

test('statistics, on the same memory', async () => {
  const array = new Float64Array([1, -2, 0, 5]);
  const tensor = Tensor.from(array);
  assert.equal(tensor.statistics, null);
  const { mean, stddev, ...rest } = tensor.withStatisticsSync().statistics;
  assert.deepEqual(rest, { nnz: 3n, sparsityRatio: 0.25, min: -2, max: 5, absMax: 5, hasNan: false, hasInf: false });
  assert.ok(Math.abs(mean - 1) < 1e-12);
  assert.ok(Math.abs(stddev - Math.sqrt(6.5)) < 1e-12); // squares of 0, -3, -1 and 4
  const again = await tensor.withStatistics();
  again.data()[3] = 6;
  assert.equal(array[3], 6);
});

test('statistics of what is not finite', () => {
  const found = Tensor.from(new Float32Array([NaN, 1, -Infinity])).withStatisticsSync().statistics;
  assert.equal(found.hasNan, true);
  assert.equal(found.hasInf, true);
  assert.equal(found.mean, undefined);
  assert.equal(found.max, 1);
});
