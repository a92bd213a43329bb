//! Layouts, each with its fields.

use crate::builder::DescriptorBuilder;
use crate::error::Result;
use crate::fields::Fields;
use crate::sys::*;
use crate::tag::{CombineOp, CompositionRule, KvRole};

/// How the elements of a tensor lie in its buffers, with every field of the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // the fields have the names of the format
pub enum Layout {
    /// Last dimension fastest.
    RowMajor,
    /// First dimension fastest.
    ColumnMajor,
    /// One stride a dimension, in elements.
    Strided { strides: Vec<i64> },
    /// Tiles, possibly of tiles: the outermost first.
    Tiled { levels: Vec<Tile> },
    /// Interleaved index bits: how many of each dimension.
    Morton { bits: Vec<u64> },
    /// Sparse, one coordinate tuple an entry.
    Coo { nnz: u64, is_sorted: bool },
    /// Sparse, compressed rows.
    Csr { nnz: u64 },
    /// Sparse, compressed columns.
    Csc { nnz: u64 },
    /// Sparse, a tree of coordinates; the dimension of each level.
    Csf { nnz: u64, mode_order: Vec<u64> },
    /// Pages reached through a table. `wide_indices`: 64-bit table entries, else 32-bit.
    BlockPaged {
        page_size: u32,
        num_pages: u64,
        paged_axis: u32,
        num_seqs: u32,
        kv_role: KvRole,
        layer_index: Option<u32>,
        wide_indices: bool,
    },
    /// The head of a composite.
    Composite { rule: CompositionRule, combine_op: CombineOp, member_count: u32 },
    /// Along a Hilbert curve.
    Hilbert { order: u32, rank: u32 },
    /// A private layout (permissive reading): its tag, its identifier and its bytes.
    Private { tag: u8, id: u64, data: Vec<u8> },
    /// A layout that the library does not understand (permissive reading): all bytes behind the byte offset.
    Unknown { tag: u8, data: Vec<u8> },
}

/// One level of a tiled layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The elements of a tile in each dimension.
    pub shape: Vec<u64>,
    /// Order of the tiles: a `HURRAY_LAYOUT_...` tag.
    pub outer_layout: u8,
    /// Order inside a tile: a `HURRAY_LAYOUT_...` tag; tiled means that the next level follows.
    pub inner_layout: u8,
    /// Strides of a strided outer layout, in tiles.
    pub outer_strides: Option<Vec<i64>>,
    /// Strides of a strided inner layout, in elements.
    pub inner_strides: Option<Vec<i64>>,
}

impl Layout {
    /// The `HURRAY_LAYOUT_...` tag.
    pub fn tag(&self) -> u8 {
        match self {
            Self::RowMajor => HURRAY_LAYOUT_ROW_MAJOR,
            Self::ColumnMajor => HURRAY_LAYOUT_COLUMN_MAJOR,
            Self::Strided { .. } => HURRAY_LAYOUT_STRIDED,
            Self::Tiled { .. } => HURRAY_LAYOUT_TILED,
            Self::Morton { .. } => HURRAY_LAYOUT_MORTON,
            Self::Coo { .. } => HURRAY_LAYOUT_COO,
            Self::Csr { .. } => HURRAY_LAYOUT_CSR,
            Self::Csc { .. } => HURRAY_LAYOUT_CSC,
            Self::Csf { .. } => HURRAY_LAYOUT_CSF,
            Self::BlockPaged { .. } => HURRAY_LAYOUT_BLOCK_PAGED,
            Self::Composite { .. } => HURRAY_LAYOUT_COMPOSITE,
            Self::Hilbert { .. } => HURRAY_LAYOUT_HILBERT,
            Self::Private { tag, .. } | Self::Unknown { tag, .. } => *tag,
        }
    }

    pub(crate) fn read(fields: &Fields) -> Result<Self> {
        let tag = fields.narrow(HURRAY_HEADER_FIELD_LAYOUT, 0)?;
        Ok(match tag {
            HURRAY_LAYOUT_ROW_MAJOR => Self::RowMajor,
            HURRAY_LAYOUT_COLUMN_MAJOR => Self::ColumnMajor,
            HURRAY_LAYOUT_STRIDED => Self::Strided {
                strides: fields.require(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0)?.i64s().collect(),
            },
            HURRAY_LAYOUT_TILED => {
                let depth = fields.narrow(HURRAY_LAYOUT_FIELD_TILED_DEPTH, 0)?;
                Self::Tiled {
                    levels: (0..depth).map(|level| Tile::read(fields, level)).collect::<Result<_>>()?,
                }
            }
            HURRAY_LAYOUT_MORTON => Self::Morton { bits: fields.u64s(HURRAY_LAYOUT_FIELD_MORTON_BITS, 0)? },
            HURRAY_LAYOUT_COO => Self::Coo {
                nnz: fields.u64(HURRAY_LAYOUT_FIELD_COO_NNZ, 0)?,
                is_sorted: fields.u64(HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 0)? != 0,
            },
            HURRAY_LAYOUT_CSR => Self::Csr { nnz: fields.u64(HURRAY_LAYOUT_FIELD_CSR_NNZ, 0)? },
            HURRAY_LAYOUT_CSC => Self::Csc { nnz: fields.u64(HURRAY_LAYOUT_FIELD_CSC_NNZ, 0)? },
            HURRAY_LAYOUT_CSF => Self::Csf {
                nnz: fields.u64(HURRAY_LAYOUT_FIELD_CSF_NNZ, 0)?,
                mode_order: fields.u64s(HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, 0)?,
            },
            HURRAY_LAYOUT_BLOCK_PAGED => Self::BlockPaged {
                page_size: fields.narrow(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 0)?,
                num_pages: fields.u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, 0)?,
                paged_axis: fields.narrow(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, 0)?,
                num_seqs: fields.narrow(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, 0)?,
                kv_role: KvRole(fields.narrow(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, 0)?),
                layer_index: fields
                    .get(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, 0)
                    .and_then(|field| u32::try_from(field.u64()).ok()),
                wide_indices: fields.u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, 0)? != 0,
            },
            HURRAY_LAYOUT_COMPOSITE => Self::Composite {
                rule: CompositionRule(fields.narrow(HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, 0)?),
                combine_op: CombineOp(fields.narrow(HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0)?),
                member_count: fields.narrow(HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 0)?,
            },
            HURRAY_LAYOUT_HILBERT => Self::Hilbert {
                order: fields.narrow(HURRAY_LAYOUT_FIELD_HILBERT_ORDER, 0)?,
                rank: fields.narrow(HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0)?,
            },
            tag => match fields.get(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, 0) {
                Some(id) => {
                    Self::Private { tag, id: id.u64(), data: fields.bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA) }
                }
                None => Self::Unknown { tag, data: fields.bytes(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA) },
            },
        })
    }

    /// Sets the layout's own fields.
    pub(crate) fn write(&self, builder: &mut DescriptorBuilder) -> Result<()> {
        match self {
            Self::RowMajor | Self::ColumnMajor => {}
            Self::Strided { strides } => {
                builder.set_i64_array(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides)?;
            }
            Self::Tiled { levels } => {
                for (level, tile) in (0..).zip(levels) {
                    tile.write(builder, level)?;
                }
            }
            Self::Morton { bits } => {
                builder.set_u64_array(HURRAY_LAYOUT_FIELD_MORTON_BITS, 0, bits)?;
            }
            Self::Coo { nnz, is_sorted } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_COO_NNZ, 0, *nnz)?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 0, (*is_sorted).into())?;
            }
            Self::Csr { nnz } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_CSR_NNZ, 0, *nnz)?;
            }
            Self::Csc { nnz } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_CSC_NNZ, 0, *nnz)?;
            }
            Self::Csf { nnz, mode_order } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_CSF_NNZ, 0, *nnz)?;
                builder.set_u64_array(HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, 0, mode_order)?;
            }
            Self::BlockPaged {
                page_size,
                num_pages,
                paged_axis,
                num_seqs,
                kv_role,
                layer_index,
                wide_indices,
            } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 0, (*page_size).into())?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, 0, *num_pages)?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, 0, (*paged_axis).into())?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, 0, (*num_seqs).into())?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, 0, kv_role.0.into())?;
                if let Some(layer) = layer_index {
                    builder.set_u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, 0, (*layer).into())?;
                }
                let index_type = HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE;
                builder.set_u64(index_type, 0, (*wide_indices).into())?;
            }
            Self::Composite { rule, combine_op, member_count } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, 0, rule.0.into())?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0, combine_op.0.into())?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 0, (*member_count).into())?;
            }
            Self::Hilbert { order, rank } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_HILBERT_ORDER, 0, (*order).into())?;
                builder.set_u64(HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0, (*rank).into())?;
            }
            Self::Private { id, data, .. } => {
                builder.set_u64(HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, 0, *id)?;
                builder.set_bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA, 0, data)?;
            }
            Self::Unknown { data, .. } => {
                builder.set_bytes(HURRAY_LAYOUT_FIELD_UNKNOWN_DATA, 0, data)?;
            }
        }
        Ok(())
    }
}

impl Tile {
    fn read(fields: &Fields, level: u32) -> Result<Self> {
        Ok(Self {
            shape: fields.u64s(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, level)?,
            outer_layout: fields.narrow(HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, level)?,
            inner_layout: fields.narrow(HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, level)?,
            outer_strides: fields.i64s(HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, level),
            inner_strides: fields.i64s(HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, level),
        })
    }

    fn write(&self, builder: &mut DescriptorBuilder, level: u32) -> Result<()> {
        builder.set_u64_array(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, level, &self.shape)?;
        builder.set_u64(HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, level, self.outer_layout.into())?;
        builder.set_u64(HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, level, self.inner_layout.into())?;
        if let Some(strides) = &self.outer_strides {
            builder.set_i64_array(HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, level, strides)?;
        }
        if let Some(strides) = &self.inner_strides {
            builder.set_i64_array(HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, level, strides)?;
        }
        Ok(())
    }
}
