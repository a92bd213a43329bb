// Conversions and DLPack, as far as they are the package's: what is shared, what is counted, and how they end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Descriptor, HurrayError, Tensor } from '../dist/index.js';
import { balanced } from './support.mjs';

const code = (name) => (error) => error instanceof HurrayError && error.code === `HURRAY_ERR_${name}`;

test('to row-major and to a layout; a share where nothing moves', async () => {
  const array = new Float32Array([0, 1, 2, 3, 4, 5]);
  const columns = Tensor.from(array, { shape: [2, 3], strides: [1, 2] });
  const rows = await columns.toLayout();
  assert.deepEqual([...rows.data()], [0, 2, 4, 1, 3, 5]);
  assert.equal(rows.movedBytes, 24n);
  const target = Descriptor.from({ dtype: 'float32', shape: [2, 3], layout: { name: 'column_major' } });
  const same = columns.toLayoutSync(target);
  assert.equal(same.movedBytes, 0n);
  assert.throws(() => columns.toLayoutSync(null, { copy: false }), code('COPY_REQUIRED'));
  assert.equal(columns.elementOffset([1, 2]), 5n);
  assert.throws(() => columns.elementOffset([2, 0]), HurrayError);
});

test('quantized and back, packed and back', async () => {
  const tensor = Tensor.from(new Float32Array([-1, 0.5, 1, 2]), { shape: [2, 2] });
  const quantization = { scheme: 'per_channel_affine', axis: 0, scaleType: 'float32' };
  const target = Descriptor.from({ dtype: 'int8', shape: [2, 2], quantization });
  const codes = await tensor.quantize(target, [new Float32Array([0.5, 0.25])]);
  assert.deepEqual([...codes.data()], [-2, 1, 4, 8]);
  assert.deepEqual([...(await codes.dequantize()).data()], [-1, 0.5, 1, 2]);
  const small = Tensor.from(new Int8Array([1, -2, 3, -8]));
  const packed = small.packSync('int4');
  assert.deepEqual([...packed.data()], [0xe1, 0x83]);
  assert.deepEqual([...(await packed.unpack()).data()], [1, -2, 3, -8]);
  await assert.rejects(small.pack('float32'), HurrayError);
});

test('what a promise works on may be closed meanwhile', () =>
  balanced(async () => {
    const tensor = Tensor.from(new Float32Array(1 << 16), { shape: [256, 256], strides: [1, 256] });
    const promise = tensor.toLayout();
    tensor.close();
    assert.equal((await promise).data().length, 1 << 16);
    assert.throws(() => tensor.toLayout(), code('INVALID_HANDLE'));
  }));

for (const versioned of [true, false]) {
  test(`DLPack, ${versioned ? '' : 'un'}versioned: consumed once, or dropped`, () =>
    balanced(() => {
      const tensor = Tensor.from(new Float32Array([1, 2]));
      const external = tensor.toDLPack({ versioned });
      const back = Tensor.fromDLPack(external);
      assert.deepEqual([...back.data({ copy: !versioned })], [1, 2]); // an unversioned one is read-only
      assert.throws(() => Tensor.fromDLPack(external), code('INVALID_HANDLE'));
      tensor.toDLPack({ versioned }); // dropped
      assert.throws(() => Tensor.fromDLPack(tensor.export()), code('INVALID_ARGUMENT'));
      assert.throws(() => Tensor.fromDLPack({}), code('INVALID_ARGUMENT'));
    }));
}
