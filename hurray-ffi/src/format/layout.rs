//! Layouts: how elements lie in their buffers.

use super::{Boxed, Dims, Strides};
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
