//! The parameter arrays of a quantization scheme: shapes, counts, places and sizes.

use super::element::{packed_bytes, packed_bytes_wide};
use super::extent::{DYNAMIC, Sizes, count_overflow, layout_buffer_count, min_sizes, product};
use super::strides::dims;
use super::{Dims, Fault, Layout, Place, Scheme, Status};

/// A buffer index that means none.
pub const NO_BUFFER: u32 = u32::MAX;

/// One parameter array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterArray {
    /// Entry of the buffer table that holds it.
    pub buffer: u32,
    /// Element type tag.
    pub element_type: u8,
    /// Entries; `None` while a dimension it needs is dynamic, or where the format defines no count.
    pub count: Option<u64>,
    /// Byte position in its buffer.
    pub offset: u64,
}

impl ParameterArray {
    /// Bytes; `None` where the count is.
    pub fn bytes(&self) -> Option<u64> {
        packed_bytes(super::element_info(self.element_type)?.bits, self.count?)
    }
}

/// The parameter arrays of a scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Scales (NF4: largest magnitudes).
    pub scales: Option<ParameterArray>,
    /// Zero points; none where symmetric.
    pub zero_points: Option<ParameterArray>,
}

/// The fields of a scheme that place its parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    pub axis: u32,
    /// `None` per channel.
    pub block_size: Option<u32>,
    pub scale_buffer: u32,
    pub zero_point_buffer: u32,
    pub scale_type: u8,
}

impl Scheme {
    /// `None` for per-tensor and unknown schemes, which have no parameter buffers to speak of.
    pub(super) fn blocks(&self) -> Option<Blocks> {
        match *self {
            Scheme::PerChannel { axis, scale_buffer, zero_point_buffer, scale_type } => {
                Some(Blocks { axis, block_size: None, scale_buffer, zero_point_buffer, scale_type })
            }
            Scheme::PerBlock { axis, block_size, scale_buffer, zero_point_buffer, scale_type } => {
                let block_size = Some(block_size);
                Some(Blocks { axis, block_size, scale_buffer, zero_point_buffer, scale_type })
            }
            Scheme::Nf4 { axis, block_size, scale_buffer } => Some(Blocks {
                axis,
                block_size: Some(block_size),
                scale_buffer,
                zero_point_buffer: NO_BUFFER,
                scale_type: 0x03,
            }),
            Scheme::Mxfp { axis, block_size, scale_buffer } => Some(Blocks {
                axis,
                block_size: Some(block_size),
                scale_buffer,
                zero_point_buffer: NO_BUFFER,
                scale_type: 0x42,
            }),
            Scheme::PerTensor { .. } | Scheme::Unknown { .. } => None,
        }
    }

    /// Number of distinct buffers the parameters take.
    pub fn parameter_buffer_count(&self) -> usize {
        match self.blocks() {
            None => 0,
            Some(b) if b.zero_point_buffer == NO_BUFFER || b.zero_point_buffer == b.scale_buffer => 1,
            Some(_) => 2,
        }
    }
}

/// Shape of a scheme's parameter arrays: `[S]` per channel; the dimensions other than the axis, then the
/// blocks along it; a slot for every token of the pool when block-paged per block.
///
/// `None` for a scheme without parameter buffers, while a dimension it needs is dynamic, for an axis that is
/// not there, and for NF4 and MXFP on a block-paged tensor.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub fn parameter_shape(scheme: &Scheme, layout: &Layout, shape: &[u64]) -> Result<Option<Dims>, Fault> {
    let Some(blocks) = scheme.blocks() else { return Ok(None) };
    if let (Layout::BlockPaged(paged), Some(_)) = (layout, blocks.block_size) {
        let per_block = matches!(scheme, Scheme::PerBlock { .. });
        return Ok(per_block.then(|| Dims::from_slice(&[paged.num_pages, u64::from(paged.page_size)])));
    }
    let axis = usize::try_from(blocks.axis).unwrap_or(usize::MAX);
    let Some(&channels) = shape.get(axis) else { return Ok(None) };
    let Some(block_size) = blocks.block_size else {
        return Ok((channels != DYNAMIC).then(|| Dims::from_slice(&[channels])));
    };
    if shape.contains(&DYNAMIC) {
        return Ok(None);
    }
    let mut array = dims(shape)?;
    array.remove(axis);
    array.push(channels.div_ceil(u64::from(block_size.max(1))));
    Ok(Some(array))
}

/// The parameter arrays of a scheme. Faults with Q-028 where a count or a size passes 64 bits.
pub fn parameters(scheme: &Scheme, layout: &Layout, shape: &[u64]) -> Result<Parameters, Fault> {
    let Some(blocks) = scheme.blocks() else { return Ok(Parameters::default()) };
    let count = match parameter_shape(scheme, layout, shape)? {
        None => None,
        Some(array) => {
            let count = product(&array).and_then(|count| u64::try_from(count).ok());
            Some(count.ok_or_else(parameter_overflow)?)
        }
    };
    let scales =
        ParameterArray { buffer: blocks.scale_buffer, element_type: blocks.scale_type, count, offset: 0 };
    let zero_points = (blocks.zero_point_buffer != NO_BUFFER).then_some(ParameterArray {
        buffer: blocks.zero_point_buffer,
        element_type: 0x14,
        count,
        // A shared buffer holds all scales, then all zero points.
        offset: if blocks.zero_point_buffer == blocks.scale_buffer { scales.bytes().unwrap_or(0) } else { 0 },
    });
    for array in [Some(scales), zero_points].into_iter().flatten() {
        let end = array.bytes().and_then(|bytes| bytes.checked_add(array.offset));
        if count.is_some() && end.is_none() && super::element_info(array.element_type).is_some() {
            return Err(parameter_overflow());
        }
    }
    Ok(Parameters { scales: Some(scales), zero_points })
}

impl Parameters {
    /// Exact size of parameter buffer `index`; `None` if it holds no parameter or its size is not defined.
    pub fn buffer_size(&self, index: u32) -> Option<u64> {
        let last = [self.zero_points, self.scales].into_iter().flatten().find(|a| a.buffer == index)?;
        last.bytes()?.checked_add(last.offset)
    }
}

/// Sizes a writer gives the buffers of a static shape: those of the layout, with whole quantization blocks in
/// a dense data buffer, then the exact parameter arrays.
///
/// Faults where the parameters do not name the entries right after the layout's, or have no defined size.
pub fn default_sizes(
    layout: &Layout,
    shape: &[u64],
    bits: u32,
    byte_offset: u64,
    scheme: Option<&Scheme>,
) -> Result<Sizes, Fault> {
    let mut sizes = min_sizes(layout, shape, bits, byte_offset)?;
    let Some(scheme) = scheme else { return Ok(sizes) };
    if let Some(data) = sizes.first_mut() {
        *data = (*data).max(padded_size(scheme, layout, shape, bits, byte_offset)?);
    }
    let parameters = parameters(scheme, layout, shape)?;
    sizes.try_reserve(scheme.parameter_buffer_count()).map_err(|_| Fault::out_of_memory())?;
    for _ in 0..scheme.parameter_buffer_count() {
        let index = u32::try_from(sizes.len()).unwrap_or(NO_BUFFER);
        sizes.push(parameters.buffer_size(index).ok_or_else(parameter_unplaced)?);
    }
    Ok(sizes)
}

/// Bytes of a dense data buffer whose last, partial block along the axis is stored whole; 0 without one.
fn padded_size(
    scheme: &Scheme,
    layout: &Layout,
    shape: &[u64],
    bits: u32,
    byte_offset: u64,
) -> Result<u64, Fault> {
    let dense = layout_buffer_count(layout, shape.len()) == Some(1);
    let Some((true, blocks)) = scheme.blocks().map(|b| (dense, b)) else { return Ok(0) };
    let Some(block_size) = blocks.block_size.map(|k| u64::from(k.max(1))) else { return Ok(0) };
    let mut padded = dims(shape)?;
    match usize::try_from(blocks.axis).ok().and_then(|axis| padded.get_mut(axis)) {
        Some(n) if *n % block_size != 0 => {
            *n = n.div_ceil(block_size).checked_mul(block_size).ok_or_else(count_overflow)?;
        }
        _ => return Ok(0),
    }
    let bytes = product(&padded).and_then(|count| packed_bytes_wide(bits, count));
    let end = bytes.and_then(|bytes| bytes.checked_add(u128::from(byte_offset)));
    end.and_then(|end| u64::try_from(end).ok()).ok_or_else(count_overflow)
}

#[cold]
fn parameter_overflow() -> Fault {
    Fault::new(Status::OVERFLOW, "Q-028", "size of a parameter array passes 64 bits")
        .at(Place::Quantization(4))
}

#[cold]
fn parameter_unplaced() -> Fault {
    Fault::new(
        Status::INVALID_DESCRIPTOR,
        "V-116",
        "parameter buffers are not the entries right after the layout's, or have no defined size",
    )
    .field("scale_buffer_index")
    .at(Place::Quantization(4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::BlockPaged;

    const ROW: Layout = Layout::RowMajor;

    fn per_block(block_size: u32, scale_buffer: u32, zero_point_buffer: u32) -> Scheme {
        Scheme::PerBlock { axis: 1, block_size, scale_buffer, zero_point_buffer, scale_type: 0x01 }
    }

    #[test]
    fn counts_follow_the_blocks() {
        let channel = Scheme::PerChannel { axis: 1, scale_buffer: 1, zero_point_buffer: 2, scale_type: 0x03 };
        let found = parameters(&channel, &ROW, &[4, 8]).unwrap();
        assert_eq!(
            (found.buffer_size(1), found.buffer_size(2), found.buffer_size(3)),
            (Some(32), Some(32), None)
        );
        // [2,6] with K = 4: two blocks a row, the second one partial; quantization.md §10.
        let found = parameters(&per_block(4, 1, NO_BUFFER), &ROW, &[2, 6]).unwrap();
        assert_eq!((found.scales.unwrap().count, found.buffer_size(1)), (Some(4), Some(8)));
        assert_eq!(parameter_shape(&per_block(4, 1, 2), &ROW, &[2, 6, 3]).unwrap().unwrap()[..], [2, 3, 2]);
        let mxfp = Scheme::Mxfp { axis: 1, block_size: 16, scale_buffer: 1 };
        assert_eq!(parameters(&mxfp, &ROW, &[1, 32]).unwrap().buffer_size(1), Some(2));
        let nf4 = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer: 1 };
        assert_eq!(parameters(&nf4, &ROW, &[16]).unwrap().buffer_size(1), Some(8));
        assert_eq!(parameters(&nf4, &ROW, &[0]).unwrap().buffer_size(1), Some(0));
    }

    #[test]
    fn a_shared_buffer_holds_scales_then_zero_points() {
        let found = parameters(&per_block(2, 1, 1), &ROW, &[1, 5]).unwrap();
        assert_eq!(found.zero_points.unwrap().offset, 6);
        assert_eq!(found.buffer_size(1), Some(6 + 12));
        assert_eq!(per_block(2, 1, 1).parameter_buffer_count(), 1);
    }

    #[test]
    fn unknown_counts() {
        assert_eq!(parameters(&per_block(2, 1, 2), &ROW, &[DYNAMIC, 4]).unwrap().buffer_size(1), None);
        let paged = Layout::BlockPaged(BlockPaged {
            page_size: 4,
            num_pages: 5,
            paged_axis: 0,
            num_seqs: 1,
            kv_role: 0,
            layer_index: 0,
            block_table_index_type: 0,
        });
        let slots = Scheme::PerBlock {
            axis: 0,
            block_size: 4,
            scale_buffer: 3,
            zero_point_buffer: NO_BUFFER,
            scale_type: 0x03,
        };
        assert_eq!(parameters(&slots, &paged, &[DYNAMIC, 2, 2]).unwrap().buffer_size(3), Some(80));
        let nf4 = Scheme::Nf4 { axis: 0, block_size: 8, scale_buffer: 3 };
        assert_eq!(parameters(&nf4, &paged, &[16, 2, 2]).unwrap().buffer_size(3), None);
    }

    #[test]
    fn overflow_is_named() {
        let fault = parameters(&per_block(2, 1, 2), &ROW, &[1 << 40, 1 << 30]).unwrap_err();
        assert_eq!((fault.rule, fault.status), ("Q-028", Status::OVERFLOW));
        assert!(parameters(&per_block(2, 1, 2), &ROW, &[1 << 62, 0]).is_ok());
    }

    #[test]
    fn default_sizes_hold_whole_blocks() {
        let sizes = |scheme: &Scheme, shape: &[u64]| default_sizes(&ROW, shape, 4, 0, Some(scheme));
        // [2,6] becomes [2,8] in storage: 16 codes of 4 bits.
        assert_eq!(sizes(&per_block(4, 1, 2), &[2, 6]).unwrap()[..], [8, 8, 16]);
        assert_eq!(sizes(&per_block(2, 1, 2), &[2, 6]).unwrap()[..], [6, 12, 24]);
        assert_eq!(sizes(&per_block(2, 2, 1), &[2, 6]).unwrap()[..], [6, 24, 12]);
        assert_eq!(sizes(&per_block(2, 3, 1), &[2, 6]).unwrap_err().rule, "V-116");
        assert_eq!(default_sizes(&ROW, &[2, 6], 4, 3, None).unwrap()[..], [9]);
    }
}
