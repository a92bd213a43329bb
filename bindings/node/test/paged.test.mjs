// Pages, composites and the deep check, with the values that the written format's own examples give.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Composite, HurrayError, Tensor } from '../dist/index.js';
import { balanced } from './support.mjs';

const code = (name) => (error) => error instanceof HurrayError && error.code === `HURRAY_ERR_${name}`;
const count = (from, to) => Array.from({ length: to - from }, (_, k) => from + k);

// Sequences of 5 and 6 tokens of [2, 2] in pages of 3: the first in pages 4 and 1, the second in pages 4 and 2.
const LENGTHS = [5, 6];
const paged = () =>
  Tensor.fromParts({
    dtype: 'float32', shape: [11, 2, 2],
    layout: {
      name: 'block_paged', pageSize: 3n, numPages: 5n, pagedAxis: 0, numSeqs: 2n, kvRole: 'key', blockTableIndexType: 'uint32',
    },
    buffers: [new Float32Array(count(0, 60)), new Uint32Array([4, 1, 0, 4, 2]), new Uint32Array([0, 3, 5])],
  });

test('tokens are gathered from their pages', async () => {
  const tensor = paged();
  const tokens = await tensor.gather(LENGTHS);
  assert.deepEqual(tokens.shape, [11, 2, 2]);
  assert.deepEqual([...tokens.data()], [...count(48, 60), ...count(12, 20), ...count(48, 60), ...count(24, 36)]);
  assert.equal(tokens.movedBytes, 176n);
  assert.equal(tensor.elementOffset([0, 4, 1, 0]), 18n);
  for (const wrong of [[6, 6], [11], [5n, 7n], null]) {
    await assert.rejects(tensor.gather(wrong), HurrayError, `${wrong}`);
  }
  assert.throws(() => tokens.gatherSync([11]), code('INVALID_ARGUMENT'));
});

test('tokens are scattered into their pages', async () => {
  const tensor = paged();
  const tokens = Tensor.from(new Float32Array(count(100, 144)), { shape: [11, 2, 2] });
  assert.equal(await tokens.scatter(tensor, LENGTHS), 176n);
  const pool = new Float32Array(tensor.buffer(0).buffer);
  assert.deepEqual([...pool.subarray(48, 60)], count(120, 132)); // page 4 is both sequences': the last one stays
  assert.deepEqual([...pool.subarray(12, 24)], [...count(112, 120), ...count(20, 24)]);
  assert.deepEqual([...pool.subarray(24, 36)], count(132, 144));
  assert.deepEqual([...pool.subarray(0, 12)], count(0, 12)); // no token's
  assert.equal(tokens.scatterSync(tensor, LENGTHS), 176n);
  assert.throws(() => tokens.scatterSync(tokens, LENGTHS), code('INVALID_ARGUMENT'));
  await assert.rejects(Tensor.from(new Float64Array(44), { shape: [11, 2, 2] }).scatter(tensor, LENGTHS), HurrayError);
});

test('the deep check', async () => {
  const csr = (columns, pointers) =>
    Tensor.fromParts({
      dtype: 'float32', shape: [2, 3], layout: { name: 'csr', nnz: 2n },
      buffers: [new Float32Array([7, 8]), new BigUint64Array(columns), new BigUint64Array(pointers)],
    });
  const good = csr([2n, 0n], [0n, 1n, 2n]);
  assert.equal(await good.checkData(), undefined);
  assert.equal(good.checkDataSync(), undefined);
  for (const wrong of [csr([3n, 0n], [0n, 1n, 2n]), csr([2n, 0n], [0n, 2n, 2n])]) {
    await assert.rejects(wrong.checkData(), (error) => code('INVALID_LAYOUT')(error) && /L-03\d/.test(error.message));
  }
  const unused = Tensor.from(new Uint8Array([0x21, 0xf3]), { dtype: 'int4', shape: [3] });
  assert.throws(() => unused.checkDataSync(), code('CORRUPT'));
});

const box = (values, shape, offset, more) =>
  Tensor.fromParts({
    dtype: 'int32', shape, shard: { parentShape: [4n, 4n], offset }, buffers: [new Int32Array(values)], ...more,
  });

for (const [combineOp, expected] of [
  ['replace', [1015, 2001, 3003, 3004]],
  ['add', [1015, 3003, 6013, 4014]],
]) {
  test(`an overlay that makes its corrections ${combineOp}`, async () => {
    const members = [
      box(count(1000, 1016), [4, 4], [0n, 0n], { memberRole: 'base' }),
      box(count(2000, 2006), [2, 3], [0n, 1n], { memberRole: 'correction' }),
      box(count(3000, 3006), [3, 2], [1n, 1n], { memberRole: 'correction', layout: { name: 'column_major' } }),
    ];
    const overlay = Composite.from({ rule: 'overlay', combineOp, dtype: 'int32', shape: [4, 4], members });
    const data = (await overlay.assemble()).data();
    assert.deepEqual([[3, 3], [0, 2], [1, 2], [2, 2]].map(([i, j]) => data[4 * i + j]), expected);
  });
}

test('a partition is joined, and a group is not', () =>
  balanced(async () => {
    const members = [box(count(0, 8), [2, 4], [0n, 0n]), box(count(8, 16), [2, 4], [2n, 0n])];
    const whole = Composite.from({ rule: 'partition', dtype: 'int32', shape: [4, 4], members });
    const joined = whole.assembleSync();
    assert.deepEqual([...joined.data()], count(0, 16));
    assert.equal(joined.movedBytes, 64n);
    const loose = [Tensor.from(new Int32Array(1))];
    const group = Composite.from({ rule: 'group', dtype: 'int32', shape: [], members: loose });
    await assert.rejects(group.assemble(), code('UNSUPPORTED'));
  }));
