// Descriptors and items as JSON, read through the package's objects.
import { Composite, DescriptorItem } from '../dist/index.js';
import { hexOf, real, tag, wides } from './form.mjs';

const DYNAMIC = 2n ** 64n - 1n;

function levels(tile) {
  const { tileShape, outerLayout, innerLayout, outerStrides, innerStrides, inner } = tile;
  const level = { tile_shape: wides(tileShape), outer: tag(outerLayout), inner: tag(innerLayout) };
  if (outerStrides) level.outer_strides = wides(outerStrides);
  if (innerStrides) level.inner_strides = wides(innerStrides);
  return inner ? [level, ...levels(inner)] : [level];
}

function layout(found) {
  switch (found.name) {
    case 'row_major':
    case 'column_major':
      return { tag: found.name };
    case 'strided':
      return { tag: found.name, strides: wides(found.strides) };
    case 'tiled':
      return { tag: found.name, levels: levels(found) };
    case 'morton':
      return { tag: found.name, bits: found.bits };
    case 'hilbert':
      return { tag: found.name, order: found.order, rank: found.rank };
    case 'coo':
      return { tag: found.name, nnz: String(found.nnz), is_sorted: found.isSorted };
    case 'csr':
    case 'csc':
      return { tag: found.name, nnz: String(found.nnz) };
    case 'csf':
      return { tag: found.name, nnz: String(found.nnz), mode_order: found.modeOrder };
    case 'block_paged':
      return {
        tag: found.name,
        page_size: Number(found.pageSize),
        num_pages: String(found.numPages),
        paged_axis: found.pagedAxis,
        num_seqs: Number(found.numSeqs),
        kv_role: tag(found.kvRole),
        layer_index: found.layerIndex,
        block_table_index_type: found.blockTableIndexType,
      };
    case 'composite':
      return { tag: found.name, rule: tag(found.rule), combine_op: tag(found.combineOp), member_count: found.memberCount };
    case 'private':
      return { tag: found.tag, layout_id: String(found.id), data: hexOf(found.data) };
    case 'unknown':
      return { tag: found.tag, unknown_data: hexOf(found.data) };
  }
}

function quantization(found) {
  switch (found.scheme) {
    case 'per_tensor_affine':
      return { scheme: found.scheme, scale: real(found.scale), zero_point: found.zeroPoint };
    case 'unknown':
      return { scheme: found.tag, version: found.version, flags: found.flags, unknown_data: hexOf(found.data) };
    default:
      return {
        scheme: found.scheme,
        axis: found.axis,
        block_size: found.blockSize,
        scale_buffer: found.scaleBuffer,
        zero_point_buffer: found.zeroPointBuffer,
        scale_type: found.scaleType && tag(found.scaleType),
      };
  }
}

const maybe = (value) => (value === undefined ? undefined : real(value));

export function statistics(found) {
  return {
    nnz: found.nnz === undefined ? undefined : String(found.nnz),
    sparsity_ratio: maybe(found.sparsityRatio),
    min: maybe(found.min),
    max: maybe(found.max),
    abs_max: maybe(found.absMax),
    mean: maybe(found.mean),
    stddev: maybe(found.stddev),
    nm_n: found.nmN,
    nm_m: found.nmM,
    has_nan: found.hasNan,
    has_inf: found.hasInf,
  };
}

function extensionType(found) {
  return {
    bit_width: found.bitWidth,
    packing_factor: found.packingFactor,
    is_float: found.isFloat,
    is_signed: found.isSigned,
    sign_bits: found.signBits,
    exponent_bits: found.exponentBits,
    mantissa_bits: found.mantissaBits,
    exponent_bias: found.exponentBias,
    has_nan: found.hasNan,
    has_inf: found.hasInf,
  };
}

/** Every field of a descriptor. */
export function descriptor(d) {
  return {
    version: d.version,
    dtype: tag(d.dtype.name),
    shape: wides(d.bigShape.map((extent) => extent ?? DYNAMIC)),
    byte_offset: String(d.byteOffset),
    element_count: d.size === null ? undefined : String(d.size),
    encoded_length: d.encodedLength,
    layout: layout(d.layout),
    buffers: d.buffers.map((entry) => ({
      byte_size: String(entry.byteSize),
      alignment: entry.alignment,
      device: tag(entry.device),
      sync_mode: tag(entry.syncMode),
      memory_class: tag(entry.memoryClass),
      role: entry.role,
      role_level: entry.roleLevel,
    })),
    quantization: d.quantization ? quantization(d.quantization) : undefined,
    shard: d.shard ? { parent_shape: wides(d.shard.parentShape), offset: wides(d.shard.offset) } : undefined,
    statistics: d.statistics ? statistics(d.statistics) : undefined,
    extension_type: d.extensionType ? extensionType(d.extensionType) : undefined,
    member_role: d.memberRole === null ? undefined : tag(d.memberRole),
  };
}

/** A tensor with its data, a composite with its members, or a descriptor with the bytes that came with it. */
export function item(found) {
  if (found instanceof DescriptorItem) {
    const { data } = found;
    return { descriptor: descriptor(found.descriptor), data: data && hexOf(data.buffer(0, { copy: true })) };
  }
  if (found instanceof Composite) return { composite: descriptor(found.descriptor), members: found.members.map(item) };
  const data = Array.from({ length: found.bufferCount }, (_, k) => hexOf(found.buffer(k, { copy: true })));
  return { tensor: descriptor(found.descriptor), data };
}
