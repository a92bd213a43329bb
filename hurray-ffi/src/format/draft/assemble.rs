//! From fields to the decoded form, before it is validated.

use super::check::{MAX_TILE_LEVELS, too_deep};
use super::store::{copy, dims, strides};
use super::{Draft, NONE};
use crate::format::field::*;
use crate::format::*;

impl Draft {
    pub(super) fn assemble(&self) -> Result<Descriptor, Fault> {
        let layout = self.layout()?;
        let mut buffers = Entries::new();
        buffers.try_reserve(self.buffers.len()).map_err(|_| Fault::out_of_memory())?;
        buffers.extend_from_slice(&self.buffers);
        let mut descriptor = Descriptor {
            minor: 0,
            flags: 0,
            element_type: self.element_type,
            shape: dims(&self.shape)?,
            byte_offset: self.byte_offset,
            layout,
            buffers,
            quantization: self.section(2, Self::quantization)?,
            shard: self.section(3, Self::shard)?,
            statistics: self.section(4, Self::statistics)?,
            extension_type: self.section(5, Self::extension_type)?,
            member: self.section(6, |draft| Ok(Member { role: draft.need(MEMBER_FIELD_ROLE)? }))?,
            tail: Vec::new(),
            permissive: false,
        };
        let sections = [
            descriptor.quantization.is_some(),
            descriptor.shard.is_some(),
            descriptor.extension_type.is_some(),
            descriptor.statistics.is_some(),
            descriptor.member.is_some(),
        ];
        descriptor.flags = match &descriptor.layout {
            // The sections are inside the opaque bytes: only the caller knows which there are.
            Layout::Unknown { .. } => self.fields.number(HEADER_FIELD_FLAGS, 0).unwrap_or(0),
            _ => (0..).zip(sections).map(|(bit, present)| u32::from(present) << bit).sum(),
        };
        Ok(descriptor)
    }

    /// A section, if a field of it is set.
    pub(super) fn section<T>(
        &self,
        section: u32,
        build: impl Fn(&Draft) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        if self.fields.has_section(section) { build(self).map(Some) } else { Ok(None) }
    }

    fn need<T: TryFrom<u64>>(&self, id: u32) -> Result<T, Fault> {
        self.need_at(id, 0)
    }

    fn need_at<T: TryFrom<u64>>(&self, id: u32, level: u32) -> Result<T, Fault> {
        self.fields.number(id, level).ok_or_else(|| missing(id, level))
    }

    fn need_real(&self, id: u32) -> Result<f64, Fault> {
        match self.fields.get(id, 0) {
            Some(Value::F(value)) => Ok(value),
            _ => Err(missing(id, 0)),
        }
    }

    fn need_dims(&self, id: u32, level: u32) -> Result<Dims, Fault> {
        match self.fields.get(id, level) {
            Some(Value::Us(values)) => dims(values),
            _ => Err(missing(id, level)),
        }
    }

    fn need_words(&self, id: u32) -> Result<Words32, Fault> {
        let values = self.need_dims(id, 0)?;
        let mut words = Words32::new();
        words.try_reserve(values.len()).map_err(|_| Fault::out_of_memory())?;
        words.extend(values.iter().map(|&value| value as u32));
        Ok(words)
    }

    fn need_strides(&self, id: u32, level: u32) -> Result<Strides, Fault> {
        match self.fields.get(id, level) {
            Some(Value::Is(values)) => strides(values),
            _ => Err(missing(id, level)),
        }
    }

    fn need_bytes(&self, id: u32) -> Result<Vec<u8>, Fault> {
        match self.fields.get(id, 0) {
            Some(Value::Bytes(bytes)) => copy(bytes),
            _ => Err(missing(id, 0)),
        }
    }

    pub(super) fn layout(&self) -> Result<Layout, Fault> {
        Ok(match self.layout {
            0x01 => Layout::RowMajor,
            0x02 => Layout::ColumnMajor,
            0x03 => Layout::Strided(self.need_strides(LAYOUT_FIELD_STRIDED_STRIDES, 0)?),
            0x04 => Layout::Tiled(Boxed::try_new(self.tile(0)?)?),
            0x05 => Layout::Morton(self.need_words(LAYOUT_FIELD_MORTON_BITS)?),
            0x06 => Layout::Coo {
                nnz: self.need(LAYOUT_FIELD_COO_NNZ)?,
                is_sorted: self.need(LAYOUT_FIELD_COO_IS_SORTED)?,
            },
            0x07 => Layout::Csr { nnz: self.need(LAYOUT_FIELD_CSR_NNZ)? },
            0x08 => Layout::Csc { nnz: self.need(LAYOUT_FIELD_CSC_NNZ)? },
            0x09 => Layout::Csf {
                nnz: self.need(LAYOUT_FIELD_CSF_NNZ)?,
                mode_order: self.need_words(LAYOUT_FIELD_CSF_MODE_ORDER)?,
            },
            0x0A => Layout::BlockPaged(BlockPaged {
                page_size: self.need(LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE)?,
                num_pages: self.need(LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES)?,
                paged_axis: self.need(LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS)?,
                num_seqs: self.need(LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS)?,
                kv_role: self.need(LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE)?,
                layer_index: self.fields.number(LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, 0).unwrap_or(u32::MAX),
                block_table_index_type: self.need(LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE)?,
            }),
            0x0B => Layout::Composite {
                rule: self.need(LAYOUT_FIELD_COMPOSITE_RULE)?,
                op: self.need(LAYOUT_FIELD_COMPOSITE_COMBINE_OP)?,
                member_count: self.need(LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT)?,
            },
            0x40 => Layout::Hilbert {
                order: self.need(LAYOUT_FIELD_HILBERT_ORDER)?,
                rank: self.need(LAYOUT_FIELD_HILBERT_RANK)?,
            },
            // Without its agreement the rest does not matter: the strict decoder refuses the tag.
            tag @ 0xF0..=0xFE => match self.fields.number(LAYOUT_FIELD_PRIVATE_LAYOUT_ID, 0) {
                Some(id) => Layout::Private { tag, id, data: self.need_bytes(LAYOUT_FIELD_PRIVATE_DATA)? },
                None => Layout::Private { tag, id: 0, data: Vec::new() },
            },
            tag => match self.fields.get(LAYOUT_FIELD_UNKNOWN_DATA, 0) {
                Some(_) => Layout::Unknown { tag, data: self.need_bytes(LAYOUT_FIELD_UNKNOWN_DATA)? },
                None => Layout::Unknown { tag, data: Vec::new() },
            },
        })
    }

    fn tile(&self, level: u32) -> Result<Tiled, Fault> {
        if level >= MAX_TILE_LEVELS {
            return Err(too_deep(level));
        }
        let tile_shape = self.need_dims(LAYOUT_FIELD_TILED_TILE_SHAPE, level)?;
        let outer_layout = self.need_at(LAYOUT_FIELD_TILED_OUTER_LAYOUT, level)?;
        let inner_layout = self.need_at(LAYOUT_FIELD_TILED_INNER_LAYOUT, level)?;
        let strides = |is_strided: bool, id| is_strided.then(|| self.need_strides(id, level)).transpose();
        Ok(Tiled {
            tile_shape,
            outer_layout,
            inner_layout,
            outer_strides: strides(outer_layout == 3, LAYOUT_FIELD_TILED_OUTER_STRIDES)?,
            inner_strides: strides(inner_layout == 3, LAYOUT_FIELD_TILED_INNER_STRIDES)?,
            nested: if inner_layout == 4 { Some(Boxed::try_new(self.tile(level + 1)?)?) } else { None },
        })
    }

    pub(super) fn quantization(&self) -> Result<Quantization, Fault> {
        let tag: u8 = self.need(QUANT_FIELD_SCHEME)?;
        let zero_point_buffer = |id| self.fields.number(id, 0).unwrap_or(u32::MAX);
        let opaque = self.fields.get(QUANT_FIELD_UNKNOWN_DATA, 0).is_some();
        let scheme = match tag {
            _ if opaque => Scheme::Unknown { tag, data: self.need_bytes(QUANT_FIELD_UNKNOWN_DATA)? },
            0x01 => Scheme::PerTensor {
                scale: self.need_real(QUANT_FIELD_PER_TENSOR_SCALE)? as f32,
                zero_point: match self.fields.get(QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0) {
                    Some(Value::I(value)) => value as i32,
                    _ => return Err(missing(QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0)),
                },
            },
            0x02 => Scheme::PerChannel {
                axis: self.need(QUANT_FIELD_PER_CHANNEL_AXIS)?,
                scale_buffer: self.need(QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER)?,
                zero_point_buffer: zero_point_buffer(QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER),
                scale_type: self.need(QUANT_FIELD_PER_CHANNEL_SCALE_TYPE)?,
            },
            0x03 => Scheme::PerBlock {
                axis: self.need(QUANT_FIELD_PER_BLOCK_AXIS)?,
                block_size: self.need(QUANT_FIELD_PER_BLOCK_BLOCK_SIZE)?,
                scale_buffer: self.need(QUANT_FIELD_PER_BLOCK_SCALE_BUFFER)?,
                zero_point_buffer: zero_point_buffer(QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER),
                scale_type: self.need(QUANT_FIELD_PER_BLOCK_SCALE_TYPE)?,
            },
            0x04 => Scheme::Nf4 {
                axis: self.need(QUANT_FIELD_NF4_AXIS)?,
                block_size: self.need(QUANT_FIELD_NF4_BLOCK_SIZE)?,
                scale_buffer: self.need(QUANT_FIELD_NF4_SCALE_BUFFER)?,
            },
            0x05 => Scheme::Mxfp {
                axis: self.need(QUANT_FIELD_MXFP_AXIS)?,
                block_size: self.need(QUANT_FIELD_MXFP_BLOCK_SIZE)?,
                scale_buffer: self.need(QUANT_FIELD_MXFP_SCALE_BUFFER)?,
            },
            // No agreement: the strict decoder refuses the tag.
            _ => Scheme::Unknown { tag, data: Vec::new() },
        };
        let symmetric = match scheme {
            Scheme::PerChannel { zero_point_buffer, .. } | Scheme::PerBlock { zero_point_buffer, .. } => {
                u64::from(zero_point_buffer) == NONE
            }
            _ => false,
        };
        Ok(Quantization {
            scheme,
            version: self.fields.number(QUANT_FIELD_SCHEME_VERSION, 0).unwrap_or(1),
            flags: self.fields.number(QUANT_FIELD_FLAGS, 0).unwrap_or(u16::from(symmetric)),
            padding: Vec::new(),
        })
    }

    fn shard(&self) -> Result<Boxed<Shard>, Fault> {
        let parent_shape = self.need_dims(SHARD_FIELD_PARENT_SHAPE, 0)?;
        Boxed::try_new(Shard { parent_shape, offset: self.need_dims(SHARD_FIELD_OFFSET, 0)? })
    }

    fn statistics(&self) -> Result<Boxed<Statistics>, Fault> {
        let mut statistics = Statistics {
            computed_mask: 0,
            nnz: 0,
            sparsity_ratio: 0.0,
            range: [0.0; 3],
            moments: [0.0; 2],
            nm: [0; 2],
            has: [0; 2],
        };
        let mut mask = 0;
        let mut group = |bit: u32, first: u32, last: u32| {
            let set = (first..=last).any(|id| self.fields.get(id, 0).is_some());
            mask |= u32::from(set) << bit;
            set
        };
        if group(0, STATS_FIELD_NNZ, STATS_FIELD_NNZ) {
            statistics.nnz = self.need(STATS_FIELD_NNZ)?;
        }
        if group(1, STATS_FIELD_SPARSITY_RATIO, STATS_FIELD_SPARSITY_RATIO) {
            statistics.sparsity_ratio = self.need_real(STATS_FIELD_SPARSITY_RATIO)?;
        }
        if group(2, STATS_FIELD_MIN, STATS_FIELD_ABS_MAX) {
            let [min, max] = [self.need_real(STATS_FIELD_MIN)?, self.need_real(STATS_FIELD_MAX)?];
            statistics.range = [min, max, self.need_real(STATS_FIELD_ABS_MAX)?];
        }
        if group(3, STATS_FIELD_MEAN, STATS_FIELD_STDDEV) {
            statistics.moments = [self.need_real(STATS_FIELD_MEAN)?, self.need_real(STATS_FIELD_STDDEV)?];
        }
        if group(4, STATS_FIELD_NM_N, STATS_FIELD_NM_M) {
            statistics.nm = [self.need(STATS_FIELD_NM_N)?, self.need(STATS_FIELD_NM_M)?];
        }
        if group(5, STATS_FIELD_HAS_NAN, STATS_FIELD_HAS_INF) {
            statistics.has = [self.need(STATS_FIELD_HAS_NAN)?, self.need(STATS_FIELD_HAS_INF)?];
        }
        statistics.computed_mask = self.fields.number(STATS_FIELD_COMPUTED_MASK, 0).unwrap_or(mask);
        if statistics.computed_mask & 0x3F != mask {
            return Err(Fault::new(Status::INVALID_DESCRIPTOR, "", "mask names other groups than are set")
                .field("STATS_FIELD_COMPUTED_MASK")
                .value(statistics.computed_mask)
                .limit(mask));
        }
        Boxed::try_new(statistics)
    }

    fn extension_type(&self) -> Result<ExtensionType, Fault> {
        Ok(ExtensionType {
            bit_width: self.need(EXT_TYPE_FIELD_BIT_WIDTH)?,
            packing_factor: self.need(EXT_TYPE_FIELD_PACKING_FACTOR)?,
            is_float: self.need(EXT_TYPE_FIELD_IS_FLOAT)?,
            is_signed: self.need(EXT_TYPE_FIELD_IS_SIGNED)?,
            sign_bits: self.need(EXT_TYPE_FIELD_SIGN_BITS)?,
            exponent_bits: self.need(EXT_TYPE_FIELD_EXPONENT_BITS)?,
            mantissa_bits: self.need(EXT_TYPE_FIELD_MANTISSA_BITS)?,
            exponent_bias: self.need(EXT_TYPE_FIELD_EXPONENT_BIAS)?,
            has_nan: self.need(EXT_TYPE_FIELD_HAS_NAN)?,
            has_inf: self.need(EXT_TYPE_FIELD_HAS_INF)?,
        })
    }
}

#[cold]
fn missing(id: u32, level: u32) -> Fault {
    let status = if id >> 16 == 1 { Status::INVALID_LAYOUT } else { Status::INVALID_DESCRIPTOR };
    let fault = Fault::new(status, "", "field is missing");
    match field(id) {
        Some(field) if field.has_levels() => fault.field(field.name).index(level as usize),
        Some(field) => fault.field(field.name),
        None => fault,
    }
}
