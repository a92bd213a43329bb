// Descriptors: bytes written by hand, fields of every kind, the builder, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Composite, Descriptor, HurrayError, Tensor } from '../dist/index.js';

// float32 [2, 3], row-major, one buffer of 24 bytes aligned to 64, by hand from the written format.
const PLAIN = Buffer.from(
  '48525259' + '01' + '00' + '3d000000' + '00000000' + '03' + '01' + '02000000' +
    '0200000000000000' + '0300000000000000' + '0000000000000000' + '01' +
    '1800000000000000' + '40000000' + '00000000',
  'hex',
);

test('bytes written by hand', () => {
  const d = Descriptor.decode(PLAIN);
  assert.deepEqual(d.version, [1, 0]);
  assert.equal(d.dtype.name, 'float32');
  assert.deepEqual(d.shape, [2, 3]);
  assert.equal(d.size, 6n);
  assert.equal(d.byteOffset, 0n);
  assert.deepEqual(d.layout, { name: 'row_major' });
  assert.equal(d.quantization, null);
  assert.deepEqual(d.buffers, [
    { byteSize: 24n, alignment: 64, device: 'cpu', memoryClass: 'standard', syncMode: 'producer_synced', role: 'values', roleLevel: 0 },
  ]);
  assert.deepEqual(d.encode(), PLAIN);
  assert.match(d.annotate(), /48 52 52 59/);
  assert.equal(inspect(d), `Descriptor <${d}>`);
});

test('the builder writes the same bytes', () => {
  const d = Descriptor.from({ dtype: 'float32', shape: [2, 3], buffers: [{ byteSize: 24n }] });
  assert.deepEqual(d.encode(), PLAIN);
});

const B = (...sizes) => sizes.map((byteSize) => ({ byteSize: BigInt(byteSize) }));
const LAYOUTS = [
  [{ name: 'column_major' }, [2, 3], B(24)],
  [{ name: 'strided', strides: [1, -2] }, [2, 3], B(24), 16],
  [{ name: 'tiled', tileShape: [2, 2], outerLayout: 'row_major', innerLayout: 'column_major' }, [4, 4], B(64)],
  [
    {
      name: 'tiled', tileShape: [4, 4], outerLayout: 'row_major', innerLayout: 'tiled',
      inner: { tileShape: [2, 2], outerLayout: 'column_major', innerLayout: 'row_major' },
    },
    [8, 8], B(256),
  ],
  [{ name: 'morton', bits: [1, 2] }, [2, 4], B(48)],
  [{ name: 'hilbert', order: 1, rank: 2 }, [2, 2], B(16)],
  [{ name: 'coo', nnz: 2n, isSorted: true }, [4, 4], B(8, 32)],
  [{ name: 'csr', nnz: 2n }, [3, 4], B(8, 16, 32)],
  [{ name: 'csc', nnz: 2n }, [3, 4], B(8, 16, 40)],
];

for (const [layout, shape, buffers, byteOffset = 0] of LAYOUTS) {
  test(`${layout.name}${layout.inner ? ', nested' : ''}: typed fields in are typed fields out`, () => {
    const made = Descriptor.from({ dtype: 'float32', shape, layout, buffers, byteOffset });
    const read = Descriptor.decode(made.encode());
    assert.deepEqual(read.layout, layout);
    assert.deepEqual(read.shape, shape);
    assert.equal(read.byteOffset, BigInt(byteOffset));
    assert.deepEqual(read.buffers.map((entry) => entry.byteSize), buffers.map((entry) => entry.byteSize));
  });
}

const SCHEMES = [
  [{ scheme: 'per_tensor_affine', scale: 0.5, zeroPoint: -3 }, B(6)],
  [{ scheme: 'per_channel_affine', axis: 0, scaleBuffer: 1, scaleType: 'float32' }, B(6, 8)],
  [{ scheme: 'per_channel_affine', axis: 0, scaleBuffer: 1, zeroPointBuffer: 2, scaleType: 'float32' }, B(6, 8, 8)],
  [{ scheme: 'per_block_affine', axis: 1, blockSize: 2, scaleBuffer: 1, scaleType: 'float16' }, B(6, 8)],
];

for (const [quantization, buffers] of SCHEMES) {
  test(`${quantization.scheme} with ${buffers.length} buffers`, () => {
    const made = Descriptor.from({ dtype: 'int8', shape: [2, 3], quantization, buffers });
    assert.deepEqual(Descriptor.decode(made.encode()).quantization, quantization);
  });
}

test('sections', () => {
  const statistics = { nnz: 5n, min: -1.5, max: 2, absMax: 2, hasNan: false, hasInf: true };
  const shard = { parentShape: [4n, 3n], offset: [2n, 0n] };
  const d = Descriptor.from({ dtype: 'float32', shape: [2, 3], statistics, shard, memberRole: 'correction', buffers: B(24) });
  const read = Descriptor.decode(d.encode());
  assert.deepEqual(read.statistics, statistics);
  assert.deepEqual(read.shard, shard);
  assert.equal(read.memberRole, 'correction');
  const extensionType = {
    bitWidth: 16, packingFactor: 1, isFloat: true, isSigned: false, signBits: 1, exponentBits: 5, mantissaBits: 10,
    exponentBias: 15, hasNan: true, hasInf: false,
  };
  const own = { dtype: 'private_f0', shape: [2], extensionType, buffers: B(4) };
  const bytes = Descriptor.from(own).encode();
  assert.deepEqual(Descriptor.decode(bytes).extensionType, extensionType);
});

test('dimensions beyond 2^53 - 1 are bigints or an error, dynamic ones null', () => {
  const huge = Descriptor.from({ dtype: 'float32', shape: [2n ** 60n, 0], buffers: B(0) });
  assert.throws(() => huge.shape, (error) => error.code === 'HURRAY_ERR_OVERFLOW');
  assert.deepEqual(huge.bigShape, [2n ** 60n, 0n]);
});

test('broken bytes name the rule and the place', () => {
  assert.throws(() => Descriptor.decode(Buffer.from('HRRX')), HurrayError);
  for (let cut = 0; cut < PLAIN.length; cut++) {
    assert.throws(() => Descriptor.decode(PLAIN.subarray(0, cut)), HurrayError, `${cut} bytes`);
  }
  const magic = Buffer.from(PLAIN);
  magic[0] = 0;
  assert.throws(() => Descriptor.decode(magic), (error) => error.code === 'HURRAY_ERR_INVALID_MAGIC' && error.message.length > 0);
});

test('parts of a quantized and of a sparse tensor', () => {
  const q = Tensor.fromParts({
    dtype: 'int8', shape: [2, 3], quantization: { scheme: 'per_channel_affine', axis: 0, scaleType: 'float32' },
    buffers: [new Int8Array([1, 2, 3, 4, 5, 6]), new Float32Array([0.5, 0.25])],
  });
  assert.equal(q.quantization.axis, 0);
  assert.equal(q.quantization.scaleBuffer, 1);
  assert.deepEqual([...q.part('scales').data()], [0.5, 0.25]);
  const csr = Tensor.fromParts({
    dtype: 'float32', shape: [2, 3], layout: { name: 'csr', nnz: 2n },
    buffers: [new Float32Array([7, 8]), new BigUint64Array([2n, 0n]), new BigUint64Array([0n, 1n, 2n])],
  });
  assert.equal(csr.layout.nnz, 2n);
  assert.deepEqual([...csr.part('values').data()], [7, 8]);
  assert.deepEqual([...csr.part('indices').data()], [2n, 0n]);
  assert.deepEqual([...csr.part('pointers').data()], [0n, 1n, 2n]);
  assert.throws(() => csr.part('scales'), (error) => error.code === 'HURRAY_ERR_FIELD_NOT_APPLICABLE');
  assert.throws(() => csr.data(), (error) => error.code === 'HURRAY_ERR_UNSUPPORTED');
});

test('buffers are bound to a descriptor', () => {
  const descriptor = Descriptor.decode(Descriptor.from({ dtype: 'int32', shape: [24] }).encode());
  const memory = new Int32Array(40);
  const tensor = Tensor.fromDescriptor(descriptor, [memory], { copy: true });
  assert.deepEqual(tensor.shape, [24]);
  assert.deepEqual([...tensor.data()], [...memory.subarray(0, 24)]);
  for (const wrong of [[], [memory.subarray(0, 23)], [memory, memory]]) {
    assert.throws(
      () => Tensor.fromDescriptor(descriptor, wrong),
      (error) => error.code === 'HURRAY_ERR_BUFFER_MISMATCH',
    );
  }
});

test('composites', () => {
  const left = Tensor.fromParts({
    dtype: 'float32', shape: [1, 2], shard: { parentShape: [2n, 2n], offset: [0n, 0n] }, buffers: [new Float32Array([1, 2])],
  });
  const right = Tensor.fromParts({
    dtype: 'float32', shape: [1, 2], shard: { parentShape: [2n, 2n], offset: [1n, 0n] }, buffers: [new Float32Array([3, 4])],
  });
  const whole = Composite.from({ rule: 'partition', dtype: 'float32', shape: [2, 2], members: [left, right] });
  assert.deepEqual(whole.descriptor.layout, { name: 'composite', rule: 'partition', combineOp: 'none', memberCount: 2 });
  assert.deepEqual([...whole.members[1].data()], [3, 4]);
  assert.throws(() => Composite.from({ rule: 'partition', dtype: 'float32', shape: [2, 2], members: [left, left] }), HurrayError);
});
