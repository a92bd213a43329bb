//! Rules that bind writers only: a reader takes what they refuse.

use crate::format::extent::{strided_span, tile_volume};
use crate::format::{Descriptor, Fault, Layout, Place, Scheme, Status, Tiled};

impl Descriptor {
    /// Whether a file or stream may be written of this descriptor: L-023, L-035, Q-034 and Q-036. Q-034
    /// does not bind a caller who asks for partial blocks.
    pub fn check_writable(&self, partial_blocks: bool) -> Result<(), Fault> {
        match &self.layout {
            Layout::Tiled(tiled) => check_tiles(tiled)?,
            Layout::Coo { nnz, .. } | Layout::Csr { nnz } | Layout::Csc { nnz } | Layout::Csf { nnz, .. } => {
                self.check_nnz(*nnz)?;
            }
            _ => {}
        }
        match self.quantization.as_ref().map(|quantization| &quantization.scheme) {
            Some(Scheme::Nf4 { .. } | Scheme::Mxfp { .. })
                if matches!(self.layout, Layout::BlockPaged(_)) =>
            {
                Err(Fault::new(Status::UNSUPPORTED, "Q-036", "a page pool has no blocks of this scheme")
                    .field("quantization.scheme"))
            }
            Some(Scheme::PerBlock { axis, block_size, .. } | Scheme::Nf4 { axis, block_size, .. })
                if !partial_blocks =>
            {
                self.check_blocks(*axis, *block_size)
            }
            _ => Ok(()),
        }
    }

    /// L-035.
    fn check_nnz(&self, nnz: u64) -> Result<(), Fault> {
        match &self.statistics {
            Some(statistics) if statistics.computed_mask & 1 != 0 && statistics.nnz != nnz => {
                Err(Fault::new(
                    Status::INVALID_DESCRIPTOR,
                    "L-035",
                    "statistics count other entries than the layout",
                )
                .field("statistics.nnz")
                .value(statistics.nnz)
                .limit(nnz))
            }
            _ => Ok(()),
        }
    }

    /// a last block that is not full, on an axis that is not the slowest-varying one in memory.
    fn check_blocks(&self, axis: u32, block_size: u32) -> Result<(), Fault> {
        let axis = axis as usize;
        if !self.has_partial_block() || self.is_slowest(axis) {
            return Ok(());
        }
        Err(Fault::new(
            Status::UNSUPPORTED,
            "Q-034",
            "a partial block on an axis that is not the slowest in memory",
        )
        .field("quantization.block_size")
        .value(block_size)
        .limit(self.shape.get(axis).copied().unwrap_or(0)))
    }

    /// Whether the last quantization block along its axis is not full. Writers store it whole.
    pub fn has_partial_block(&self) -> bool {
        match self.quantization.as_ref().map(|quantization| &quantization.scheme) {
            Some(Scheme::PerBlock { axis, block_size, .. } | Scheme::Nf4 { axis, block_size, .. }) => {
                let size = self.shape.get(*axis as usize).copied().unwrap_or(0);
                let full = size == u64::MAX || size.is_multiple_of(u64::from((*block_size).max(1)));
                !full && !matches!(self.layout, Layout::BlockPaged(_))
            }
            _ => false,
        }
    }

    fn is_slowest(&self, axis: usize) -> bool {
        let mut others = self.shape.iter().enumerate().filter(|&(k, &n)| k != axis && n > 1);
        match &self.layout {
            Layout::RowMajor => others.all(|(k, _)| k > axis),
            Layout::ColumnMajor => others.all(|(k, _)| k < axis),
            Layout::Strided(strides) => {
                let stride = |k: usize| strides.get(k).map_or(0, |stride| stride.unsigned_abs());
                others.all(|(k, _)| stride(k) < stride(axis))
            }
            _ => self.shape.len() == 1,
        }
    }
}

/// L-023.
fn check_tiles(tiled: &Tiled) -> Result<(), Fault> {
    let overlap = |what| {
        Err(Fault::new(Status::INVALID_LAYOUT, "L-023", what).field("tile_shape").at(Place::Layout(0)))
    };
    if let Some(strides) = &tiled.inner_strides {
        let span = strided_span(&tiled.tile_shape, strides);
        let volume = tile_volume(&tiled.tile_shape).map(i128::from);
        let inside =
            |(span, volume): (crate::format::extent::Span, i128)| span.lowest >= 0 && span.highest < volume;
        if !span.zip(volume).is_some_and(inside) {
            return overlap("strides leave their tile");
        }
    }
    let Some(nested) = &tiled.nested else { return Ok(()) };
    let divides = |(&outer, &inner): (&u64, &u64)| inner != 0 && outer.is_multiple_of(inner);
    if !tiled.tile_shape.iter().zip(&nested.tile_shape).all(divides) {
        return overlap("a nested tile does not divide the one around it");
    }
    check_tiles(nested)
}
