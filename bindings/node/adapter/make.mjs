// Tensors and composites of the fields that a request gives.
import { Composite, Descriptor, Tensor } from '../dist/index.js';
import { bytesOf, fromReal, fromTag } from './form.mjs';

const bigs = (values) => values?.map(BigInt);

function tile([level, ...rest]) {
  return {
    tileShape: bigs(level.tile_shape),
    outerLayout: fromTag(level.outer),
    innerLayout: fromTag(level.inner),
    outerStrides: bigs(level.outer_strides),
    innerStrides: bigs(level.inner_strides),
    inner: rest.length > 0 ? tile(rest) : undefined,
  };
}

function layout(given) {
  if (typeof given.tag === 'number') {
    return { name: 'private', tag: given.tag, id: BigInt(given.layout_id), data: bytesOf(given.data) };
  }
  const name = given.tag;
  switch (name) {
    case 'strided':
      return { name, strides: bigs(given.strides) };
    case 'tiled':
      return { name, ...tile(given.levels) };
    case 'coo':
      return { name, nnz: BigInt(given.nnz), isSorted: given.is_sorted };
    case 'csr':
    case 'csc':
      return { name, nnz: BigInt(given.nnz) };
    case 'csf':
      return { name, nnz: BigInt(given.nnz), modeOrder: given.mode_order };
    case 'block_paged':
      return {
        name,
        pageSize: BigInt(given.page_size),
        numPages: BigInt(given.num_pages),
        pagedAxis: given.paged_axis,
        numSeqs: BigInt(given.num_seqs),
        kvRole: fromTag(given.kv_role),
        layerIndex: given.layer_index ?? undefined,
        blockTableIndexType: given.block_table_index_type,
      };
    case 'composite':
      return { name, rule: fromTag(given.rule), combineOp: fromTag(given.combine_op), memberCount: given.member_count };
    default:
      return { ...given, name };
  }
}

function quantization(given) {
  if (!given) return null;
  if (given.scheme === 'per_tensor_affine') {
    return { scheme: given.scheme, scale: fromReal(given.scale), zeroPoint: given.zero_point };
  }
  return {
    scheme: given.scheme,
    axis: given.axis,
    blockSize: given.block_size,
    scaleBuffer: given.scale_buffer,
    zeroPointBuffer: given.zero_point_buffer ?? undefined,
    scaleType: given.scale_type && fromTag(given.scale_type),
  };
}

const maybe = (text) => (text == null ? undefined : fromReal(text));

function statistics(given) {
  if (!given) return null;
  return {
    nnz: given.nnz == null ? undefined : BigInt(given.nnz),
    sparsityRatio: maybe(given.sparsity_ratio),
    min: maybe(given.min),
    max: maybe(given.max),
    absMax: maybe(given.abs_max),
    mean: maybe(given.mean),
    stddev: maybe(given.stddev),
    nmN: given.nm_n ?? undefined,
    nmM: given.nm_m ?? undefined,
    hasNan: given.has_nan ?? undefined,
    hasInf: given.has_inf ?? undefined,
  };
}

function extensionType(given) {
  if (!given) return null;
  return {
    bitWidth: given.bit_width,
    packingFactor: given.packing_factor,
    isFloat: given.is_float,
    isSigned: given.is_signed,
    signBits: given.sign_bits,
    exponentBits: given.exponent_bits,
    mantissaBits: given.mantissa_bits,
    exponentBias: given.exponent_bias,
    hasNan: given.has_nan,
    hasInf: given.has_inf,
  };
}

function parts(fields) {
  return {
    dtype: fromTag(fields.dtype),
    shape: bigs(fields.shape),
    layout: layout(fields.layout),
    byteOffset: BigInt(fields.byte_offset),
    quantization: quantization(fields.quantization),
    statistics: statistics(fields.statistics),
    shard: fields.shard && { parentShape: bigs(fields.shard.parent_shape), offset: bigs(fields.shard.offset) },
    extensionType: extensionType(fields.extension_type),
    memberRole: fields.member_role && fromTag(fields.member_role),
  };
}

function tensor(fields, data) {
  // A copy begins on a 64-byte boundary, which JavaScript's own memory need not.
  return Tensor.fromParts({ ...parts(fields), copy: true, buffers: data.map((hex) => Uint8Array.from(bytesOf(hex))) });
}

/** A descriptor of its fields; buffers that are not told have the sizes that the layout needs. */
export function descriptor(fields) {
  const buffers = fields.buffers?.map(({ byte_size: byteSize }) => ({ byteSize: BigInt(byteSize) }));
  return Descriptor.from({ ...parts(fields), buffers: buffers ?? null });
}

/** An item of fields and data. */
export function item(given) {
  if (!given.members) return tensor(given.tensor, given.data);
  const head = given.composite;
  return Composite.from({
    rule: fromTag(head.layout.rule),
    combineOp: fromTag(head.layout.combine_op),
    dtype: fromTag(head.dtype),
    shape: bigs(head.shape),
    members: given.members.map(item),
  });
}
