//! Quantization schemes over a layout, and the exact sizes of their parameters (quantization.md §4 to §6, §11).

use super::layout::Laid;
use crate::model::{Layout, NONE, Scheme};
use crate::random::Random;

const AFFINE: [(u8, u32, i64, i64); 10] = [
    (0x10, 8, -128, 127),
    (0x11, 8, 0, 255),
    (0x12, 16, -32768, 32767),
    (0x13, 16, 0, 65535),
    (0x14, 32, i32::MIN as i64, i32::MAX as i64),
    (0x15, 32, 0, i32::MAX as i64),
    (0x48, 4, -8, 7),
    (0x49, 4, 0, 15),
    (0x4A, 2, -2, 1),
    (0x4B, 2, 0, 3),
];
const BLOCK: [(u8, u32); 6] = [(0x10, 8), (0x11, 8), (0x48, 4), (0x49, 4), (0x4A, 2), (0x4B, 2)];
const MXFP: [(u8, u32); 7] = [(0x40, 8), (0x41, 8), (0x43, 4), (0x44, 6), (0x45, 6), (0x10, 8), (0x48, 4)];

/// A scheme, its storage type and that type's bits; the shape changes where a scheme asks for it. `None` where no
/// scheme fits.
pub fn scheme(random: &mut Random, laid: &mut Laid) -> Option<(Scheme, u8, u32)> {
    let per_tensor = |random: &mut Random| {
        let (tag, bits, low, high) = random.pick(&AFFINE);
        let zero_point = (low + random.below((high - low + 1) as u64) as i64) as i32;
        let scale = random.pick(&[0.25, -3.5, 1e-42, f32::MAX, 0.1]);
        Some((Scheme::PerTensor { scale, zero_point }, tag, bits))
    };
    if let Layout::Head { .. } = laid.layout {
        return None;
    }
    if laid.shape.is_empty() || random.once_in(5) {
        return per_tensor(random);
    }
    // Counts of parameters must stay in 64 bits.
    if laid.elements().is_none_or(|count| count > 1 << 50) {
        return per_tensor(random);
    }
    let paged = match laid.layout {
        Layout::Paged { page_size, .. } => Some(page_size),
        _ => None,
    };
    let scales = laid.base();
    let zero_points = random.pick(&[NONE, scales, scales + 1, scales + 1]);
    // Scales may also come behind the zero points.
    let swapped = zero_points == scales + 1 && random.once_in(3);
    let (scales, zero_points) = if swapped { (zero_points, scales) } else { (scales, zero_points) };
    let mut axis = random.below(laid.shape.len() as u64) as usize;
    match random.below(4) {
        0 => {
            if paged.is_some() {
                axis = axis.max(1);
            }
            let (tag, bits, ..) = random.pick(&AFFINE);
            Some((Scheme::PerChannel { axis: axis as u32, scales, zero_points }, tag, bits))
        }
        1 => {
            let (tag, bits) = random.pick(&BLOCK);
            let block = match paged {
                Some(page_size) if page_size >= 2 && page_size.is_power_of_two() => {
                    axis = 0;
                    page_size
                }
                Some(_) => return per_tensor(random),
                None => power_up_to(random, laid, axis, 2)?,
            };
            let scale_type = random.within(1, 3) as u8;
            Some((Scheme::PerBlock { axis: axis as u32, block, scales, zero_points, scale_type }, tag, bits))
        }
        2 => {
            let block = match paged {
                Some(_) => 8 << random.below(4),
                None => power_up_to(random, laid, axis, 8)?,
            };
            let scales = laid.base();
            Some((Scheme::Blocks { tag: 4, axis: axis as u32, block, scales }, 0x49, 4))
        }
        _ => {
            let (tag, bits) = random.pick(&MXFP);
            let block = 16u32 << random.below(4);
            let whole = u64::from(block) * random.within(1, 3);
            match laid.layout {
                Layout::Hilbert { .. } | Layout::Morton(_) => {
                    if laid.shape[axis] == 0 || !laid.shape[axis].is_multiple_of(u64::from(block)) {
                        return None;
                    }
                }
                _ => laid.shape[axis] = whole,
            }
            shape_changed(laid)?;
            let scales = laid.base();
            Some((Scheme::Blocks { tag: 5, axis: axis as u32, block, scales }, tag, bits))
        }
    }
}

/// A power of two from `least` up, at most the axis unless that is 0.
fn power_up_to(random: &mut Random, laid: &mut Laid, axis: usize, least: u64) -> Option<u32> {
    let extent = laid.shape[axis];
    if extent == 0 {
        return Some((least << random.below(5)) as u32);
    }
    if extent < least {
        if matches!(laid.layout, Layout::Hilbert { .. } | Layout::Morton(_)) {
            return None;
        }
        laid.shape[axis] = random.within(least, 40);
        shape_changed(laid)?;
    }
    let block = least << random.below(6);
    Some(block.min(1 << laid.shape[axis].ilog2()).max(least) as u32)
}

/// Sizes are taken from the shape later; only the entries of a sparse tensor were chosen for the old one.
fn shape_changed(laid: &mut Laid) -> Option<()> {
    let most = laid.elements()?;
    match &mut laid.layout {
        Layout::Coo { nnz, .. } | Layout::Compressed { nnz, .. } | Layout::Csf { nnz, .. } => {
            *nnz = (*nnz).min(most as u64);
        }
        _ => {}
    }
    Some(())
}

/// Exact sizes of the parameter buffers, in the order of the table.
pub fn sizes(random: &mut Random, scheme: &Scheme, laid: &Laid) -> Vec<u64> {
    let extent = |axis: u32| laid.shape[axis as usize];
    let blocks = |axis: u32, block: u32| {
        let others = laid.shape.iter().enumerate().filter(|&(k, _)| k != axis as usize);
        let others: u64 = if laid.shape.contains(&0) && extent(axis) != 0 {
            0
        } else if extent(axis) == 0 {
            return 0;
        } else {
            others.map(|(_, &n)| n).product()
        };
        extent(axis).div_ceil(u64::from(block)) * others
    };
    let table = |scales: u32, zero_points: u32, scale_bytes: u64, zero_bytes: u64| match zero_points {
        NONE => vec![scale_bytes],
        both if both == scales => vec![scale_bytes + zero_bytes],
        later if later > scales => vec![scale_bytes, zero_bytes],
        _ => vec![zero_bytes, scale_bytes],
    };
    let paged = match laid.layout {
        Layout::Paged { page_size, pages, .. } => Some(pages * u64::from(page_size)),
        _ => None,
    };
    match scheme {
        Scheme::PerTensor { .. } => Vec::new(),
        Scheme::PerChannel { axis, scales, zero_points } => {
            table(*scales, *zero_points, 4 * extent(*axis), 4 * extent(*axis))
        }
        Scheme::PerBlock { axis, block, scales, zero_points, scale_type } => {
            let count = paged.unwrap_or_else(|| blocks(*axis, *block));
            table(*scales, *zero_points, count * if *scale_type == 3 { 4 } else { 2 }, count * 4)
        }
        // Their sizes on a page pool are not defined.
        Scheme::Blocks { .. } if paged.is_some() => vec![random.below(100)],
        Scheme::Blocks { tag: 4, axis, block, .. } => vec![4 * blocks(*axis, *block)],
        Scheme::Blocks { axis, block, .. } => vec![blocks(*axis, *block)],
        Scheme::Unknown { .. } => (0..random.below(3)).map(|_| random.below(100)).collect(),
    }
}

/// A scheme that is not understood.
pub fn unknown(random: &mut Random) -> Scheme {
    let len = random.below(30) as usize;
    Scheme::Unknown {
        tag: random.pick(&[0x06, 0x3F, 0x40, 0x5F, 0x60, 0x7F, 0x80, 0xEF, 0xF0, 0xFE]),
        version: random.word() as u8,
        flags: random.word() as u16,
        data: random.bytes(len),
    }
}
