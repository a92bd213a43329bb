import { C } from './constants';
import { FieldWriter, Fields } from './fields';
import { tagOf } from './tag';

/**
 * How stored codes become real numbers; `scheme` says which scheme it is. Parameter arrays (scales, zero points) are
 * buffers of the tensor, named by their index; left out, they are the tensor's last buffers.
 */
export type Quantization =
  | { readonly scheme: 'per_tensor_affine'; readonly scale: number; readonly zeroPoint: number }
  | {
      readonly scheme: 'per_channel_affine';
      readonly axis: number;
      readonly scaleBuffer?: number;
      readonly zeroPointBuffer?: number;
      readonly scaleType: string;
    }
  | {
      readonly scheme: 'per_block_affine';
      readonly axis: number;
      readonly blockSize: number;
      readonly scaleBuffer?: number;
      readonly zeroPointBuffer?: number;
      readonly scaleType: string;
    }
  | { readonly scheme: 'nf4' | 'mxfp'; readonly axis: number; readonly blockSize: number; readonly scaleBuffer?: number }
  | { readonly scheme: 'unknown'; readonly tag: number; readonly version: number; readonly flags: number; readonly data: Uint8Array };

function zeroPoints(fields: Fields, id: number): { zeroPointBuffer?: number } {
  return fields.has(id) ? { zeroPointBuffer: fields.number(id) } : {};
}

/** The scheme of a descriptor's fields; null for a plain tensor. */
export function readQuantization(fields: Fields): Quantization | null {
  if (!fields.has(C.QUANT_FIELD_SCHEME)) return null;
  const tag = fields.number(C.QUANT_FIELD_SCHEME);
  switch (tag) {
    case C.SCHEME_PER_TENSOR_AFFINE:
      return {
        scheme: 'per_tensor_affine',
        scale: fields.real(C.QUANT_FIELD_PER_TENSOR_SCALE),
        zeroPoint: fields.number(C.QUANT_FIELD_PER_TENSOR_ZERO_POINT),
      };
    case C.SCHEME_PER_CHANNEL_AFFINE:
      return {
        scheme: 'per_channel_affine',
        axis: fields.number(C.QUANT_FIELD_PER_CHANNEL_AXIS),
        scaleBuffer: fields.number(C.QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER),
        ...zeroPoints(fields, C.QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER),
        scaleType: fields.name(C.QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, C.SPACE_ELEMENT_TYPE),
      };
    case C.SCHEME_PER_BLOCK_AFFINE:
      return {
        scheme: 'per_block_affine',
        axis: fields.number(C.QUANT_FIELD_PER_BLOCK_AXIS),
        blockSize: fields.number(C.QUANT_FIELD_PER_BLOCK_BLOCK_SIZE),
        scaleBuffer: fields.number(C.QUANT_FIELD_PER_BLOCK_SCALE_BUFFER),
        ...zeroPoints(fields, C.QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER),
        scaleType: fields.name(C.QUANT_FIELD_PER_BLOCK_SCALE_TYPE, C.SPACE_ELEMENT_TYPE),
      };
    case C.SCHEME_NF4:
      return {
        scheme: 'nf4',
        axis: fields.number(C.QUANT_FIELD_NF4_AXIS),
        blockSize: fields.number(C.QUANT_FIELD_NF4_BLOCK_SIZE),
        scaleBuffer: fields.number(C.QUANT_FIELD_NF4_SCALE_BUFFER),
      };
    case C.SCHEME_MXFP:
      return {
        scheme: 'mxfp',
        axis: fields.number(C.QUANT_FIELD_MXFP_AXIS),
        blockSize: fields.number(C.QUANT_FIELD_MXFP_BLOCK_SIZE),
        scaleBuffer: fields.number(C.QUANT_FIELD_MXFP_SCALE_BUFFER),
      };
    default:
      return {
        scheme: 'unknown',
        tag,
        version: fields.number(C.QUANT_FIELD_SCHEME_VERSION),
        flags: fields.number(C.QUANT_FIELD_FLAGS),
        data: fields.bytes(C.QUANT_FIELD_UNKNOWN_DATA),
      };
  }
}

/** How many parameter arrays a scheme has. */
export function parameterCount(q: Quantization): number {
  switch (q.scheme) {
    case 'per_channel_affine':
    case 'per_block_affine':
      return q.zeroPointBuffer === undefined ? 1 : 2;
    case 'nf4':
    case 'mxfp':
      return 1;
    default:
      return 0;
  }
}

/**
 * Writes a scheme's fields; `first` is the buffer that its parameters begin at unless they say otherwise. Without it the
 * library decides.
 */
export function writeQuantization(out: FieldWriter, q: Quantization, first: number | null): void {
  const buffer = (field: number, given: number | undefined): void => {
    const index = given ?? first;
    if (index !== null) out.u(field, Math.max(index, 0), 'scaleBuffer');
  };
  out.u(C.QUANT_FIELD_SCHEME, q.scheme === 'unknown' ? q.tag : tagOf(C.SPACE_SCHEME, q.scheme), 'scheme');
  switch (q.scheme) {
    case 'per_tensor_affine':
      out.f(C.QUANT_FIELD_PER_TENSOR_SCALE, q.scale).i(C.QUANT_FIELD_PER_TENSOR_ZERO_POINT, q.zeroPoint, 'zeroPoint');
      return;
    case 'per_channel_affine':
      out.u(C.QUANT_FIELD_PER_CHANNEL_AXIS, q.axis, 'axis');
      buffer(C.QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, q.scaleBuffer);
      out.tag(C.QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, C.SPACE_ELEMENT_TYPE, q.scaleType);
      if (q.zeroPointBuffer === undefined) return;
      out.u(C.QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, q.zeroPointBuffer, 'zeroPointBuffer');
      return;
    case 'per_block_affine':
      out.u(C.QUANT_FIELD_PER_BLOCK_AXIS, q.axis, 'axis').u(C.QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, q.blockSize, 'blockSize');
      buffer(C.QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, q.scaleBuffer);
      out.tag(C.QUANT_FIELD_PER_BLOCK_SCALE_TYPE, C.SPACE_ELEMENT_TYPE, q.scaleType);
      if (q.zeroPointBuffer === undefined) return;
      out.u(C.QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, q.zeroPointBuffer, 'zeroPointBuffer');
      return;
    case 'nf4':
      out.u(C.QUANT_FIELD_NF4_AXIS, q.axis, 'axis').u(C.QUANT_FIELD_NF4_BLOCK_SIZE, q.blockSize, 'blockSize');
      buffer(C.QUANT_FIELD_NF4_SCALE_BUFFER, q.scaleBuffer);
      return;
    case 'mxfp':
      out.u(C.QUANT_FIELD_MXFP_AXIS, q.axis, 'axis').u(C.QUANT_FIELD_MXFP_BLOCK_SIZE, q.blockSize, 'blockSize');
      buffer(C.QUANT_FIELD_MXFP_SCALE_BUFFER, q.scaleBuffer);
      return;
    case 'unknown':
      out.u(C.QUANT_FIELD_SCHEME_VERSION, q.version, 'version').u(C.QUANT_FIELD_FLAGS, q.flags, 'flags');
      out.b(C.QUANT_FIELD_UNKNOWN_DATA, q.data);
      return;
  }
}
