//! The buffer table and the optional sections of a descriptor.

use crate::buffer::Placement;
use crate::builder::DescriptorBuilder;
use crate::error::Result;
use crate::fields::{FieldId, Fields};
use crate::sys::*;
use crate::tag::{BufferRole, Device, MemoryClass, SyncMode};

/// An entry of the buffer table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferEntry {
    /// The size in bytes.
    pub byte_size: u64,
    /// The alignment of its first byte, in bytes.
    pub alignment: u32,
    /// Where it is.
    pub placement: Placement,
    /// What it holds. Follows from layout and scheme; not written.
    pub role: BufferRole,
    /// The level of the tree that it belongs to (CSF). Follows from the layout; not written.
    pub role_level: u32,
}

impl BufferEntry {
    /// An entry in ordinary memory of the host, aligned to 64 bytes.
    pub const fn host(byte_size: u64) -> Self {
        let (placement, role) = (Placement::HOST, BufferRole::UNKNOWN);
        Self { byte_size, alignment: 64, placement, role, role_level: 0 }
    }

    pub(crate) fn read_all(fields: &Fields) -> Result<Vec<Self>> {
        // Not carried behind a layout that was not understood.
        let count = match fields.get(HURRAY_HEADER_FIELD_BUFFER_COUNT, 0) {
            Some(_) => fields.narrow::<u32>(HURRAY_HEADER_FIELD_BUFFER_COUNT, 0)?,
            None => 0,
        };
        (0..count).map(|index| Self::read(fields, index)).collect()
    }

    fn read(fields: &Fields, index: u32) -> Result<Self> {
        Ok(Self {
            byte_size: fields.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, index)?,
            alignment: fields.narrow(HURRAY_BUFFER_FIELD_ALIGNMENT, index)?,
            placement: Placement {
                device: Device(fields.narrow(HURRAY_BUFFER_FIELD_DEVICE_TAG, index)?),
                sync_mode: SyncMode(fields.narrow(HURRAY_BUFFER_FIELD_SYNC_MODE, index)?),
                memory_class: MemoryClass(fields.narrow(HURRAY_BUFFER_FIELD_MEMORY_CLASS, index)?),
            },
            role: BufferRole(fields.narrow(HURRAY_BUFFER_FIELD_ROLE, index)?),
            role_level: fields.narrow(HURRAY_BUFFER_FIELD_ROLE_LEVEL, index)?,
        })
    }
}

/// Which part of a larger tensor this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The shape of the larger tensor.
    pub parent_shape: Vec<u64>,
    /// Where this part begins in it.
    pub offset: Vec<u64>,
}

impl Shard {
    pub(crate) fn read(fields: &Fields) -> Result<Option<Self>> {
        let Some(parent) = fields.get(HURRAY_SHARD_FIELD_PARENT_SHAPE, 0) else { return Ok(None) };
        let offset = fields.u64s(HURRAY_SHARD_FIELD_OFFSET, 0)?;
        Ok(Some(Self { parent_shape: parent.u64s().to_vec(), offset }))
    }

    pub(crate) fn write(&self, builder: &mut DescriptorBuilder) -> Result<()> {
        builder.set_u64_array(HURRAY_SHARD_FIELD_PARENT_SHAPE, 0, &self.parent_shape)?;
        builder.set_u64_array(HURRAY_SHARD_FIELD_OFFSET, 0, &self.offset)?;
        Ok(())
    }
}

/// What a producer counted and measured: advisory, of the dequantized values. A group is given whole or not at all:
/// minimum, maximum and largest magnitude; mean and deviation; N and M; NaN and infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the fields have the names of the format
pub struct Statistics {
    pub nnz: Option<u64>,
    pub sparsity_ratio: Option<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub abs_max: Option<f64>,
    pub mean: Option<f64>,
    /// Of the population.
    pub stddev: Option<f64>,
    /// At most `nm_n` of every `nm_m` neighbours are not zero.
    pub nm_n: Option<u8>,
    pub nm_m: Option<u8>,
    pub has_nan: Option<bool>,
    pub has_inf: Option<bool>,
}

impl Statistics {
    pub(crate) fn read(fields: &Fields) -> Option<Self> {
        fields.get(HURRAY_STATS_FIELD_COMPUTED_MASK, 0)?;
        let whole = |id: FieldId| fields.get(id, 0).map(|field| field.u64());
        let real = |id: FieldId| fields.get(id, 0).map(|field| field.f64());
        Some(Self {
            nnz: whole(HURRAY_STATS_FIELD_NNZ),
            sparsity_ratio: real(HURRAY_STATS_FIELD_SPARSITY_RATIO),
            min: real(HURRAY_STATS_FIELD_MIN),
            max: real(HURRAY_STATS_FIELD_MAX),
            abs_max: real(HURRAY_STATS_FIELD_ABS_MAX),
            mean: real(HURRAY_STATS_FIELD_MEAN),
            stddev: real(HURRAY_STATS_FIELD_STDDEV),
            nm_n: whole(HURRAY_STATS_FIELD_NM_N).and_then(|n| n.try_into().ok()),
            nm_m: whole(HURRAY_STATS_FIELD_NM_M).and_then(|m| m.try_into().ok()),
            has_nan: whole(HURRAY_STATS_FIELD_HAS_NAN).map(|flag| flag != 0),
            has_inf: whole(HURRAY_STATS_FIELD_HAS_INF).map(|flag| flag != 0),
        })
    }

    pub(crate) fn write(&self, builder: &mut DescriptorBuilder) -> Result<()> {
        let whole = [
            (HURRAY_STATS_FIELD_NNZ, self.nnz),
            (HURRAY_STATS_FIELD_NM_N, self.nm_n.map(u64::from)),
            (HURRAY_STATS_FIELD_NM_M, self.nm_m.map(u64::from)),
            (HURRAY_STATS_FIELD_HAS_NAN, self.has_nan.map(u64::from)),
            (HURRAY_STATS_FIELD_HAS_INF, self.has_inf.map(u64::from)),
        ];
        let real = [
            (HURRAY_STATS_FIELD_SPARSITY_RATIO, self.sparsity_ratio),
            (HURRAY_STATS_FIELD_MIN, self.min),
            (HURRAY_STATS_FIELD_MAX, self.max),
            (HURRAY_STATS_FIELD_ABS_MAX, self.abs_max),
            (HURRAY_STATS_FIELD_MEAN, self.mean),
            (HURRAY_STATS_FIELD_STDDEV, self.stddev),
        ];
        for (id, value) in whole {
            if let Some(value) = value {
                builder.set_u64(id, 0, value)?;
            }
        }
        for (id, value) in real {
            if let Some(value) = value {
                builder.set_f64(id, 0, value)?;
            }
        }
        Ok(())
    }
}

/// What a private element type is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the fields have the names of the format
pub struct ExtensionType {
    pub bit_width: u32,
    /// Elements to a byte; 1 for whole bytes.
    pub packing_factor: u8,
    pub is_float: bool,
    pub is_signed: bool,
    pub sign_bits: u8,
    pub exponent_bits: u8,
    pub mantissa_bits: u8,
    pub exponent_bias: u32,
    pub has_nan: bool,
    pub has_inf: bool,
}

impl ExtensionType {
    pub(crate) fn read(fields: &Fields) -> Result<Option<Self>> {
        if fields.get(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, 0).is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            bit_width: fields.narrow(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, 0)?,
            packing_factor: fields.narrow(HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR, 0)?,
            is_float: fields.u64(HURRAY_EXT_TYPE_FIELD_IS_FLOAT, 0)? != 0,
            is_signed: fields.u64(HURRAY_EXT_TYPE_FIELD_IS_SIGNED, 0)? != 0,
            sign_bits: fields.narrow(HURRAY_EXT_TYPE_FIELD_SIGN_BITS, 0)?,
            exponent_bits: fields.narrow(HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS, 0)?,
            mantissa_bits: fields.narrow(HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS, 0)?,
            exponent_bias: fields.narrow(HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS, 0)?,
            has_nan: fields.u64(HURRAY_EXT_TYPE_FIELD_HAS_NAN, 0)? != 0,
            has_inf: fields.u64(HURRAY_EXT_TYPE_FIELD_HAS_INF, 0)? != 0,
        }))
    }

    pub(crate) fn write(&self, builder: &mut DescriptorBuilder) -> Result<()> {
        let values: [(FieldId, u64); 10] = [
            (HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, self.bit_width.into()),
            (HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR, self.packing_factor.into()),
            (HURRAY_EXT_TYPE_FIELD_IS_FLOAT, self.is_float.into()),
            (HURRAY_EXT_TYPE_FIELD_IS_SIGNED, self.is_signed.into()),
            (HURRAY_EXT_TYPE_FIELD_SIGN_BITS, self.sign_bits.into()),
            (HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS, self.exponent_bits.into()),
            (HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS, self.mantissa_bits.into()),
            (HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS, self.exponent_bias.into()),
            (HURRAY_EXT_TYPE_FIELD_HAS_NAN, self.has_nan.into()),
            (HURRAY_EXT_TYPE_FIELD_HAS_INF, self.has_inf.into()),
        ];
        for (id, value) in values {
            builder.set_u64(id, 0, value)?;
        }
        Ok(())
    }
}
