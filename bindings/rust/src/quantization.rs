//! Quantization schemes, each with its fields.

use crate::builder::DescriptorBuilder;
use crate::error::Result;
use crate::fields::{FieldId, Fields};
use crate::sys::*;
use crate::tag::ElementType;

/// How stored codes become real numbers. Buffers are named by their index in the buffer table; no zero-point buffer
/// means a symmetric scheme.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields have the names of the format
pub enum Quantization {
    /// One scale and zero point.
    PerTensorAffine { scale: f32, zero_point: i32 },
    /// A scale and zero point for each index of an axis.
    PerChannelAffine { axis: u32, scale_buffer: u32, zero_point_buffer: Option<u32>, scale_type: ElementType },
    /// A scale and zero point for each block along an axis.
    PerBlockAffine {
        axis: u32,
        block_size: u32,
        scale_buffer: u32,
        zero_point_buffer: Option<u32>,
        scale_type: ElementType,
    },
    /// 16 fixed levels, a scale for each block.
    Nf4 { axis: u32, block_size: u32, scale_buffer: u32 },
    /// Narrow floats, a power-of-two scale for each block.
    Mxfp { axis: u32, block_size: u32, scale_buffer: u32 },
    /// A scheme that the library does not understand (permissive reading): the bytes behind version and flags.
    Unknown { tag: u8, version: u8, flags: u16, data: Vec<u8> },
}

impl Quantization {
    /// The `HURRAY_SCHEME_...` tag.
    pub fn tag(&self) -> u8 {
        match self {
            Self::PerTensorAffine { .. } => HURRAY_SCHEME_PER_TENSOR_AFFINE,
            Self::PerChannelAffine { .. } => HURRAY_SCHEME_PER_CHANNEL_AFFINE,
            Self::PerBlockAffine { .. } => HURRAY_SCHEME_PER_BLOCK_AFFINE,
            Self::Nf4 { .. } => HURRAY_SCHEME_NF4,
            Self::Mxfp { .. } => HURRAY_SCHEME_MXFP,
            Self::Unknown { tag, .. } => *tag,
        }
    }

    pub(crate) fn read(fields: &Fields) -> Result<Option<Self>> {
        if fields.get(HURRAY_QUANT_FIELD_SCHEME, 0).is_none() {
            return Ok(None);
        }
        let optional = |id: FieldId| fields.get(id, 0).and_then(|field| u32::try_from(field.u64()).ok());
        Ok(Some(match fields.narrow(HURRAY_QUANT_FIELD_SCHEME, 0)? {
            HURRAY_SCHEME_PER_TENSOR_AFFINE => Self::PerTensorAffine {
                // A float32 that was widened, so nothing is lost.
                scale: fields.require(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0)?.f64() as f32,
                zero_point: fields.require(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0)?.i64() as i32,
            },
            HURRAY_SCHEME_PER_CHANNEL_AFFINE => Self::PerChannelAffine {
                axis: fields.narrow(HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0)?,
                scale_buffer: fields.narrow(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, 0)?,
                zero_point_buffer: optional(HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER),
                scale_type: ElementType(fields.narrow(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, 0)?),
            },
            HURRAY_SCHEME_PER_BLOCK_AFFINE => Self::PerBlockAffine {
                axis: fields.narrow(HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, 0)?,
                block_size: fields.narrow(HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, 0)?,
                scale_buffer: fields.narrow(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, 0)?,
                zero_point_buffer: optional(HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER),
                scale_type: ElementType(fields.narrow(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, 0)?),
            },
            HURRAY_SCHEME_NF4 => Self::Nf4 {
                axis: fields.narrow(HURRAY_QUANT_FIELD_NF4_AXIS, 0)?,
                block_size: fields.narrow(HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE, 0)?,
                scale_buffer: fields.narrow(HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER, 0)?,
            },
            HURRAY_SCHEME_MXFP => Self::Mxfp {
                axis: fields.narrow(HURRAY_QUANT_FIELD_MXFP_AXIS, 0)?,
                block_size: fields.narrow(HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE, 0)?,
                scale_buffer: fields.narrow(HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER, 0)?,
            },
            tag => Self::Unknown {
                tag,
                version: fields.narrow(HURRAY_QUANT_FIELD_SCHEME_VERSION, 0)?,
                flags: fields.narrow(HURRAY_QUANT_FIELD_FLAGS, 0)?,
                data: fields.bytes(HURRAY_QUANT_FIELD_UNKNOWN_DATA),
            },
        }))
    }

    /// Opens the section and sets its fields.
    pub(crate) fn write(&self, builder: &mut DescriptorBuilder) -> Result<()> {
        builder.set_u64(HURRAY_QUANT_FIELD_SCHEME, 0, self.tag().into())?;
        let mut set = |id: FieldId, value: u32| builder.set_u64(id, 0, value.into()).map(drop);
        match self {
            Self::PerTensorAffine { scale, zero_point } => {
                builder.set_f64(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0, (*scale).into())?;
                builder.set_i64(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, (*zero_point).into())?;
            }
            Self::PerChannelAffine { axis, scale_buffer, zero_point_buffer, scale_type } => {
                set(HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, *axis)?;
                set(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, *scale_buffer)?;
                if let Some(buffer) = zero_point_buffer {
                    set(HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, *buffer)?;
                }
                set(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, scale_type.0.into())?;
            }
            Self::PerBlockAffine { axis, block_size, scale_buffer, zero_point_buffer, scale_type } => {
                set(HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, *axis)?;
                set(HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, *block_size)?;
                set(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, *scale_buffer)?;
                if let Some(buffer) = zero_point_buffer {
                    set(HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, *buffer)?;
                }
                set(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, scale_type.0.into())?;
            }
            Self::Nf4 { axis, block_size, scale_buffer } => {
                set(HURRAY_QUANT_FIELD_NF4_AXIS, *axis)?;
                set(HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE, *block_size)?;
                set(HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER, *scale_buffer)?;
            }
            Self::Mxfp { axis, block_size, scale_buffer } => {
                set(HURRAY_QUANT_FIELD_MXFP_AXIS, *axis)?;
                set(HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE, *block_size)?;
                set(HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER, *scale_buffer)?;
            }
            Self::Unknown { version, flags, data, .. } => {
                set(HURRAY_QUANT_FIELD_SCHEME_VERSION, (*version).into())?;
                set(HURRAY_QUANT_FIELD_FLAGS, (*flags).into())?;
                builder.set_bytes(HURRAY_QUANT_FIELD_UNKNOWN_DATA, 0, data)?;
            }
        }
        Ok(())
    }
}
