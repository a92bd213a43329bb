//! Layouts: how elements lie in their buffers.

use super::strides::{collect, dims};
use super::{Boxed, Dims, Fault, Strides};
use smallvec::SmallVec;

/// Short arrays of 32-bit words (Morton bits, CSF mode order).
pub type Words32 = SmallVec<[u32; 8]>;

/// A layout and its fields, as on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `01`
    RowMajor,
    /// `02`
    ColumnMajor,
    /// `03`: strides in elements.
    Strided(Strides),
    /// `04`
    Tiled(Boxed<Tiled>),
    /// `05`: bits per dimension.
    Morton(Words32),
    /// `06`
    Coo {
        /// Stored entries.
        nnz: u64,
        /// 1 when coordinates ascend.
        is_sorted: u8,
    },
    /// `07`
    Csr {
        /// Stored entries.
        nnz: u64,
    },
    /// `08`
    Csc {
        /// Stored entries.
        nnz: u64,
    },
    /// `09`
    Csf {
        /// Stored entries.
        nnz: u64,
        /// Dimension stored at each tree level.
        mode_order: Words32,
    },
    /// `0A`
    BlockPaged(BlockPaged),
    /// `0B`
    Composite {
        /// Composition rule.
        rule: u8,
        /// Combine op, 0 for none.
        op: u8,
        /// Members that follow.
        member_count: u32,
    },
    /// `40`
    Hilbert {
        /// Bits per dimension.
        order: u32,
        /// Must equal the rank.
        rank: u32,
    },
    /// `F0`-`FE`: addressable by agreement only.
    Private {
        /// Wire tag.
        tag: u8,
        /// Extension layout id.
        id: u64,
        /// Opaque bytes.
        data: Vec<u8>,
    },
    /// Read permissively and not understood: all bytes after `byte_offset`.
    Unknown {
        /// Wire tag.
        tag: u8,
        /// Opaque bytes.
        data: Vec<u8>,
    },
}

/// One level of a tiled layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiled {
    /// Tile extents.
    pub tile_shape: Dims,
    /// Order of the tiles: 1, 2 or 3.
    pub outer_layout: u8,
    /// Order inside a tile: 1 to 4.
    pub inner_layout: u8,
    /// In tiles; present when `outer_layout` is 3.
    pub outer_strides: Option<Strides>,
    /// In elements; present when `inner_layout` is 3.
    pub inner_strides: Option<Strides>,
    /// Present when `inner_layout` is 4.
    pub nested: Option<Boxed<Tiled>>,
}

/// The block-paged payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPaged {
    /// Tokens per page.
    pub page_size: u32,
    /// Pages in the pool.
    pub num_pages: u64,
    /// Always 0.
    pub paged_axis: u32,
    /// Sequences.
    pub num_seqs: u32,
    /// 0 key, 1 value, 2 fused or other.
    pub kv_role: u8,
    /// `u32::MAX` is none.
    pub layer_index: u32,
    /// 0: u32 tables, 1: u64 tables.
    pub block_table_index_type: u8,
}

impl Layout {
    /// The wire tag.
    pub fn tag(&self) -> u8 {
        match self {
            Layout::RowMajor => 0x01,
            Layout::ColumnMajor => 0x02,
            Layout::Strided(_) => 0x03,
            Layout::Tiled(_) => 0x04,
            Layout::Morton(_) => 0x05,
            Layout::Coo { .. } => 0x06,
            Layout::Csr { .. } => 0x07,
            Layout::Csc { .. } => 0x08,
            Layout::Csf { .. } => 0x09,
            Layout::BlockPaged(_) => 0x0A,
            Layout::Composite { .. } => 0x0B,
            Layout::Hilbert { .. } => 0x40,
            Layout::Private { tag, .. } | Layout::Unknown { tag, .. } => *tag,
        }
    }
}

impl Layout {
    /// A copy, allocated fallibly.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn try_clone(&self) -> Result<Layout, Fault> {
        Ok(match self {
            Layout::RowMajor => Layout::RowMajor,
            Layout::ColumnMajor => Layout::ColumnMajor,
            Layout::Strided(strides) => Layout::Strided(copy(strides)?),
            Layout::Tiled(tiled) => Layout::Tiled(Boxed::try_new(tiled.try_clone()?)?),
            Layout::Morton(bits) => Layout::Morton(words(bits)?),
            Layout::Coo { nnz, is_sorted } => Layout::Coo { nnz: *nnz, is_sorted: *is_sorted },
            Layout::Csr { nnz } => Layout::Csr { nnz: *nnz },
            Layout::Csc { nnz } => Layout::Csc { nnz: *nnz },
            Layout::Csf { nnz, mode_order } => Layout::Csf { nnz: *nnz, mode_order: words(mode_order)? },
            Layout::BlockPaged(paged) => Layout::BlockPaged(paged.clone()),
            Layout::Composite { rule, op, member_count } => {
                Layout::Composite { rule: *rule, op: *op, member_count: *member_count }
            }
            Layout::Hilbert { order, rank } => Layout::Hilbert { order: *order, rank: *rank },
            Layout::Private { tag, id, data } => Layout::Private { tag: *tag, id: *id, data: bytes(data)? },
            Layout::Unknown { tag, data } => Layout::Unknown { tag: *tag, data: bytes(data)? },
        })
    }
}

impl Tiled {
    fn try_clone(&self) -> Result<Tiled, Fault> {
        let nested = match &self.nested {
            Some(nested) => Some(Boxed::try_new(nested.try_clone()?)?),
            None => None,
        };
        Ok(Tiled {
            tile_shape: dims(&self.tile_shape)?,
            outer_layout: self.outer_layout,
            inner_layout: self.inner_layout,
            outer_strides: self.outer_strides.as_ref().map(copy).transpose()?,
            inner_strides: self.inner_strides.as_ref().map(copy).transpose()?,
            nested,
        })
    }
}

fn copy(strides: &Strides) -> Result<Strides, Fault> {
    collect(strides.len(), strides.iter().copied())
}

fn words(list: &Words32) -> Result<Words32, Fault> {
    let mut copy = Words32::new();
    copy.try_reserve(list.len()).map_err(|_| Fault::out_of_memory())?;
    copy.extend_from_slice(list);
    Ok(copy)
}

fn bytes(list: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(list.len()).map_err(|_| Fault::out_of_memory())?;
    copy.extend_from_slice(list);
    Ok(copy)
}
