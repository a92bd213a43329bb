//! Part of a tensor: bounds per dimension, what shape they give, and where the part lies in the whole's own memory.

use super::axis::Axis;
use super::offset::Map;
use super::plan::Cut;
use crate::format::strides::{collect, dims, order};
use crate::format::{Boxed, Descriptor, Dims, Fault, Layout, Scheme, Shard, Status, Strides};

/// Bounds of a part: from `start` on in steps of `step`, before `stop`.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// First components.
    pub start: &'a [i64],
    /// First components that are not in the part.
    pub stop: &'a [i64],
    /// Steps, not 0; empty for steps of one.
    pub step: &'a [i64],
}

/// A part whose bounds are inside the whole.
pub struct Part {
    /// Its shape.
    pub shape: Dims,
    start: Strides,
    step: Strides,
}

impl Part {
    /// Holds bounds against a static shape.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` (lengths, a step of 0), `INDEX_OUT_OF_BOUNDS`, `OUT_OF_MEMORY`.
    pub fn new(shape: &[u64], bounds: Bounds<'_>) -> Result<Part, Fault> {
        let rank = shape.len();
        let fits = |list: &[i64]| list.len() == rank;
        if !fits(bounds.start) || !fits(bounds.stop) || !(fits(bounds.step) || bounds.step.is_empty()) {
            let what = "a slice has a start, a stop and a step for each dimension";
            return Err(Fault::new(Status::INVALID_ARGUMENT, "L-013", what)
                .field("rank")
                .value(bounds.start.len() as u64)
                .limit(rank as u64));
        }
        let step_of = |k: usize| bounds.step.get(k).copied().unwrap_or(1);
        let step = collect(rank, (0..rank).map(step_of))?;
        let mut part =
            Part { shape: dims(shape)?, start: collect(rank, bounds.start.iter().copied())?, step };
        for (k, (n, ((start, stop), step))) in
            part.shape.iter_mut().zip(bounds.start.iter().zip(bounds.stop).zip(&part.step)).enumerate()
        {
            *n = count(*n, i128::from(*start), i128::from(*stop), i128::from(*step))
                .map_err(|fault| fault.index(k))?;
        }
        Ok(part)
    }

    /// Which part of the whole it is, for a move.
    pub fn cut(&self) -> Cut<'_> {
        Cut { start: &self.start, step: &self.step }
    }

    /// Whether the part has all of a dimension, in order.
    fn has_all(&self, k: usize, n: u64) -> bool {
        self.shape.get(k) == Some(&n) && (n <= 1 || self.step.get(k) == Some(&1))
    }

    /// Whether the part is the whole.
    pub fn is_whole(&self, shape: &[u64]) -> bool {
        shape.iter().enumerate().all(|(k, &n)| self.has_all(k, n))
    }

    /// Where the part is in the whole's memory, as layout and byte offset; `None` where only a copy can be described:
    /// tiles, curves, and packed elements that do not begin with a byte.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn in_place(&self, whole: &Descriptor, map: &Map) -> Result<Option<(Layout, u64)>, Fault> {
        if self.shape.contains(&0) {
            return Ok(Some((Layout::RowMajor, 0)));
        }
        if self.is_whole(&whole.shape) {
            return Ok(Some((whole.layout.try_clone()?, whole.byte_offset)));
        }
        let (Map::Axes(axes), Some(bits)) = (map, whole.bits()) else { return Ok(None) };
        let mut first = 0i128;
        for (axis, &start) in axes.iter().zip(&self.start) {
            let Axis::Linear(stride) = axis else { return Ok(None) };
            first += i128::from(*stride) * i128::from(start);
        }
        // Six-bit elements begin in groups of four, three bytes each.
        let (group, bytes) = match bits {
            6 => (4, 3),
            0..8 => (i128::from(8 / bits), 1),
            _ => (1, i128::from(bits / 8)),
        };
        let byte = i128::from(whole.byte_offset) + first.div_euclid(group) * bytes;
        let (Ok(byte), 0) = (u64::try_from(byte), first.rem_euclid(group)) else { return Ok(None) };
        let strides = collect(
            axes.len(),
            axes.iter().zip(&self.step).zip(&self.shape).map(|((axis, &step), &n)| match axis {
                Axis::Linear(stride) if n > 1 => stride.wrapping_mul(step),
                Axis::Linear(stride) => *stride,
                _ => 0,
            }),
        )?;
        let plain = order(&self.shape, &strides);
        let layout = match strides {
            _ if plain.row_major => Layout::RowMajor,
            _ if plain.column_major => Layout::ColumnMajor,
            strides => Layout::Strided(strides),
        };
        Ok(Some((layout, byte)))
    }

    /// The part's descriptor without buffers: the whole's sections as far as they hold for a part. A shard is a shard of
    /// the same parent; statistics are of the whole.
    ///
    /// # Errors
    /// `UNSUPPORTED` (quantization parameters that cover more than the part), `OUT_OF_MEMORY`.
    pub fn descriptor(
        &self,
        whole: &Descriptor,
        layout: Layout,
        byte_offset: u64,
    ) -> Result<Descriptor, Fault> {
        let is_covered = match whole.quantization.as_ref().map(|quantization| &quantization.scheme) {
            None | Some(Scheme::PerTensor { .. }) => true,
            Some(Scheme::PerChannel { axis, .. }) => {
                let axis = *axis as usize;
                whole.shape.get(axis).is_some_and(|&n| self.has_all(axis, n))
            }
            Some(_) => self.is_whole(&whole.shape),
        };
        if !is_covered {
            let what = "the quantization parameters are those of the whole: dequantize the tensor first";
            return Err(Fault::new(Status::UNSUPPORTED, "", what));
        }
        let mut descriptor = whole.in_layout(layout, byte_offset)?;
        descriptor.shape = dims(&self.shape)?;
        if !self.is_whole(&whole.shape) {
            descriptor.statistics = None;
            descriptor.member = None;
            descriptor.shard = match &whole.shard {
                Some(shard) => self.shard(shard)?,
                None => None,
            };
            descriptor.flag_sections();
        }
        Ok(descriptor)
    }

    /// Where a part of a shard is in the parent; nowhere where it leaves elements out between others.
    fn shard(&self, shard: &Shard) -> Result<Option<Boxed<Shard>>, Fault> {
        if self.step.iter().zip(&self.shape).any(|(&step, &n)| step != 1 && n > 1) {
            return Ok(None);
        }
        let mut offset = dims(&shard.offset)?;
        for (offset, &start) in offset.iter_mut().zip(&self.start) {
            *offset = offset.saturating_add_signed(start);
        }
        Boxed::try_new(Shard { parent_shape: dims(&shard.parent_shape)?, offset }).map(Some)
    }
}

/// Elements of one dimension's bounds.
fn count(n: u64, start: i128, stop: i128, step: i128) -> Result<u64, Fault> {
    let n = i128::from(n);
    let (low, high) = match step {
        0 => {
            let what = "a slice goes on in steps that are not 0";
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", what).field("step"));
        }
        1.. => (0, n),
        _ => (-1, n - 1),
    };
    for (field, value) in [("start", start), ("stop", stop)] {
        if value < low || value > high {
            let what = "a slice reaches outside the shape";
            return Err(Fault::new(Status::INDEX_OUT_OF_BOUNDS, "L-014", what)
                .field(field)
                .value(value)
                .limit(if value < low { low } else { high }));
        }
    }
    let way = if step > 0 { stop - start } else { start - stop };
    let step = step.abs();
    Ok(u64::try_from((way + step - 1).div_euclid(step)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_bounds() {
        // As Python's len(range(start, stop, step)).
        for (n, start, stop, step, want) in [
            (5, 0, 5, 1, 5),
            (5, 1, 5, 2, 2),
            (5, 0, 5, 2, 3),
            (5, 4, -1, -1, 5),
            (5, 4, -1, -3, 2),
            (5, 3, 3, 1, 0),
            (5, 4, 2, 1, 0),
            (5, 0, 3, -1, 0),
            (5, 5, 5, 9, 0),
            (0, 0, 0, 1, 0),
            (0, -1, -1, -1, 0),
        ] {
            assert_eq!(count(n, start, stop, step).unwrap(), want, "{start}:{stop}:{step}");
        }
        for (start, stop, step) in [(0, 6, 1), (-1, 3, 1), (5, 0, -1), (4, -2, -1), (6, 6, 1)] {
            let fault = count(5, start, stop, step).unwrap_err();
            assert_eq!(fault.status, Status::INDEX_OUT_OF_BOUNDS, "{start}:{stop}:{step}");
        }
        assert_eq!(count(5, 0, 5, 0).unwrap_err().status, Status::INVALID_ARGUMENT);
    }
}
