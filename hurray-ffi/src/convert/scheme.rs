//! A quantization scheme made ready: its parameters read once, checked, and laid out in the order of the elements.

use super::number::float::values;
use super::number::read_f32;
use crate::format::{Fault, Scheme, Status};

/// Which parameter an element has, from its row-major position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// One for all.
    Tensor,
    /// One a component of the axis: `inner` elements beside each other share it.
    Channel { channels: u64, inner: u64 },
    /// One a block along the axis.
    Block { channels: u64, inner: u64, size: u64 },
}

impl Place {
    /// The place of a scheme's parameters over a static shape.
    pub fn new(scheme: &Scheme, shape: &[u64]) -> Place {
        let (axis, size) = match *scheme {
            Scheme::PerTensor { .. } | Scheme::Unknown { .. } => return Place::Tensor,
            Scheme::PerChannel { axis, .. } => (axis, None),
            Scheme::PerBlock { axis, block_size, .. }
            | Scheme::Nf4 { axis, block_size, .. }
            | Scheme::Mxfp { axis, block_size, .. } => (axis, Some(u64::from(block_size.max(1)))),
        };
        let axis = axis as usize;
        let channels = shape.get(axis).copied().unwrap_or(1).max(1);
        let inner = shape.iter().skip(axis.saturating_add(1)).fold(1u64, |n, &m| n.saturating_mul(m.max(1)));
        match size {
            None => Place::Channel { channels, inner },
            Some(size) => Place::Block { channels, inner, size },
        }
    }

    /// The parameter of an index.
    fn parameter(self, axis: usize, shape: &[u64], index: &[u64]) -> usize {
        let a = index.get(axis).copied().unwrap_or_default();
        let Place::Block { channels, inner, size } = self else {
            return if self == Place::Tensor { 0 } else { a as usize };
        };
        let (mut outer, mut n) = (0u64, 0u64);
        for (k, (&extent, &i)) in shape.iter().zip(index).enumerate().filter(|&(k, _)| k != axis) {
            let sum = if k < axis { &mut outer } else { &mut n };
            *sum = sum.wrapping_mul(extent).wrapping_add(i);
        }
        let row = outer.wrapping_mul(channels.div_ceil(size)).wrapping_add(a / size);
        row.wrapping_mul(inner).wrapping_add(n) as usize
    }

    /// Whether the format's own array is in the order of the elements.
    fn is_stored_in_order(self) -> bool {
        !matches!(self, Place::Block { inner: 2.., .. })
    }

    /// The parameter at a position of [`Parameters`], by its position in the format's own array.
    pub fn stored(self, position: usize) -> usize {
        let Place::Block { channels, inner: inner @ 2.., size } = self else { return position };
        let (blocks, inner) = (channels.div_ceil(size) as usize, inner as usize);
        let (row, n) = (position / inner, position % inner);
        (row / blocks * inner + n) * blocks + row % blocks
    }

    /// Splits `count` elements from `start` on into segments.
    pub fn segments(self, start: u64, count: usize) -> Segments {
        let (channels, inner, size) = match self {
            Place::Tensor => (1, u64::MAX, 1),
            Place::Channel { channels, inner } => (channels, inner, 1),
            Place::Block { channels, inner, size } => (channels, inner, size),
        };
        let (line, n) = (start / inner, start % inner);
        let (outer, a) = (line / channels, line % channels);
        let row = match self {
            Place::Block { .. } => outer * channels.div_ceil(size) + a / size,
            _ => a,
        };
        let row = if let (Place::Block { .. }, 2..) = (self, inner) { row * inner } else { row };
        Segments { place: self, channels, inner, size, count, at: 0, n, a, phase: a % size, row }
    }
}

/// An iterator over the segments of a run of elements. It divides nowhere: blocks are short.
pub struct Segments {
    place: Place,
    channels: u64,
    inner: u64,
    size: u64,
    count: usize,
    /// Elements done.
    at: usize,
    /// Position inside the `inner` elements of a component.
    n: u64,
    /// Component of the axis, and its position in the block.
    a: u64,
    phase: u64,
    /// Parameter of the component.
    row: u64,
}

impl Segments {
    /// To the first element of the component that is so many further, inside the block or at the next one.
    #[inline(always)]
    fn step(&mut self, components: u64, next: u64) {
        self.n = 0;
        self.a += components;
        self.phase += components;
        if self.a >= self.channels {
            (self.a, self.phase) = (0, 0);
            self.row += next;
        } else if self.phase >= self.size {
            self.phase = 0;
            self.row += next;
        }
    }
}

impl Iterator for Segments {
    type Item = Segment;

    #[inline(always)]
    fn next(&mut self) -> Option<Segment> {
        let left = self.count.checked_sub(self.at).filter(|&left| left > 0)?;
        let (parameter, len, each) = match self.place {
            Place::Tensor => (0, u64::MAX, false),
            Place::Channel { inner: 1, .. } => {
                let a = std::mem::take(&mut self.a);
                (a, self.channels - a, true)
            }
            Place::Channel { .. } => {
                let found = (self.a, self.inner - self.n, false);
                self.n = 0;
                self.a = if self.a + 1 == self.channels { 0 } else { self.a + 1 };
                found
            }
            Place::Block { inner: 1, .. } => {
                let len = (self.size - self.phase).min(self.channels - self.a);
                let found = (self.row, len, false);
                self.step(len, 1);
                found
            }
            Place::Block { .. } => {
                let found = (self.row + self.n, self.inner - self.n, true);
                self.step(1, self.inner);
                found
            }
        };
        let segment = Segment {
            first: self.at,
            len: usize::try_from(len).map_or(left, |len| len.min(left)),
            parameter: parameter as usize,
            each,
        };
        self.at += segment.len;
        Some(segment)
    }
}

/// Elements beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First element, from the start of the run.
    pub first: usize,
    /// Elements.
    pub len: usize,
    /// Parameter of the first element.
    pub parameter: usize,
    /// Whether the others have the parameters after it, or the same.
    pub each: bool,
}

impl Segment {
    /// The elements, from the start of the run.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len
    }
}

/// What codes stand for before they are scaled.
#[derive(Clone, Copy, Debug)]
pub enum Levels {
    /// The integer, less the zero point.
    Affine,
    /// A table's entry.
    Table(&'static [f32; 256]),
    /// As a table of the first 16 entries.
    Sixteen(&'static [f32; 256]),
}

/// The levels of NF4.
#[allow(clippy::excessive_precision)] // as they are written in the format
pub static NF4: [f32; 256] = {
    let levels = [
        -1.0,
        -0.696_192_800_998_687_7,
        -0.525_073_051_452_636_7,
        -0.394_917_488_098_144_53,
        -0.284_441_381_692_886_35,
        -0.184_773_430_228_233_34,
        -0.091_050_036_251_544_95,
        0.0,
        0.079_580_299_556_255_34,
        0.160_930_201_411_247_25,
        0.246_112_301_945_686_34,
        0.337_915_241_718_292_24,
        0.440_709_829_330_444_34,
        0.562_617_003_917_694_1,
        0.722_956_836_223_602_3,
        1.0,
    ];
    let mut table = [0.0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = levels[code % 16];
        code += 1;
    }
    table
};

/// A scheme's parameters in the order of the elements, and what its codes stand for.
pub struct Parameters {
    pub place: Place,
    pub levels: Levels,
    pub scales: Vec<f32>,
    /// None where symmetric.
    pub zeros: Vec<i32>,
}

/// Where a scheme's arrays are: packed scales with their type, and zero points.
pub struct Arrays<'a> {
    pub scales: &'a [u8],
    pub scale_type: u8,
    pub zeros: Option<&'a [u8]>,
    pub count: usize,
}

/// Least and greatest code of an integer storage type.
pub fn range(tag: u8) -> (i64, i64) {
    match tag {
        0x10 => (-128, 127),
        0x11 => (0, 255),
        0x12 => (-32768, 32767),
        0x13 => (0, 65535),
        0x14 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        0x15 => (0, i64::from(u32::MAX)),
        0x48 => (-8, 7),
        0x49 => (0, 15),
        0x4A => (-2, 1),
        _ => (0, 3),
    }
}

/// A vector of so many equal values, allocated fallibly.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub fn filled<T: Copy>(value: T, len: usize) -> Result<Vec<T>, Fault> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(len).map_err(|_| Fault::out_of_memory())?;
    vector.resize(len, value);
    Ok(vector)
}

impl Parameters {
    /// Reads and checks the parameters of a scheme, whose places are known.
    ///
    /// # Errors
    /// `INVALID_DESCRIPTOR` with rule and the position of the first parameter that may not occur;
    /// `BUFFER_MISMATCH` where an array is shorter than it must be; `UNSUPPORTED` for a scheme that was not understood.
    pub fn read(
        tag: u8,
        scheme: &Scheme,
        place: Place,
        arrays: Option<Arrays<'_>>,
    ) -> Result<Parameters, Fault> {
        let levels = match (scheme, tag) {
            (Scheme::Nf4 { .. }, _) => Levels::Sixteen(&NF4),
            (Scheme::Mxfp { .. }, 0x10 | 0x48) => Levels::Affine,
            (Scheme::Mxfp { .. }, 0x43) => values(tag).map_or(Levels::Affine, Levels::Sixteen),
            (Scheme::Mxfp { .. }, _) => values(tag).map_or(Levels::Affine, Levels::Table),
            _ => Levels::Affine,
        };
        if let Scheme::PerTensor { scale, zero_point } = *scheme {
            return Ok(Parameters {
                place,
                levels,
                scales: filled(scale, 1)?,
                zeros: filled(zero_point, 1)?,
            });
        }
        let Some(arrays) = arrays else {
            return Err(Fault::new(Status::UNSUPPORTED, "", "the quantization scheme is not understood")
                .field("scheme_tag")
                .value(scheme.tag()));
        };
        let mut found = filled(f32::NAN, arrays.count)?;
        read_f32(arrays.scale_type, arrays.scales, &mut found)?;
        if let Some(index) = found.iter().position(|&scale| !is_scale(scheme, scale)) {
            return Err(bad_scale(scheme, index, found.get(index).copied().unwrap_or_default()));
        }
        let mut scales = found;
        if !place.is_stored_in_order() {
            let stored = std::mem::replace(&mut scales, filled(0.0, arrays.count)?);
            for (position, slot) in scales.iter_mut().enumerate() {
                *slot = stored.get(place.stored(position)).copied().unwrap_or_default();
            }
        }
        let mut zeros = Vec::new();
        if let Some(bytes) = arrays.zeros {
            zeros = filled(0, arrays.count)?;
            let entries = bytes.as_chunks().0;
            let (low, high) = range(tag);
            for (position, slot) in zeros.iter_mut().enumerate() {
                let index = place.stored(position);
                let Some(entry) = entries.get(index) else { return Err(short("zero_points", index)) };
                *slot = i32::from_le_bytes(*entry);
                if !(low..=high).contains(&i64::from(*slot)) {
                    let what = "a zero point outside the range of the storage type";
                    return Err(Fault::new(Status::INVALID_DESCRIPTOR, "Q-030", what)
                        .field("zero_points")
                        .index(index)
                        .value(*slot)
                        .limit(high));
                }
            }
        }
        Ok(Parameters { place, levels, scales, zeros })
    }

    /// The parameters of `count` entries that lie in an order of their own, one each: `walk` passes the index of each
    /// entry, of the axis and shape given, and its position.
    ///
    /// # Errors
    /// Those of `walk`; `OUT_OF_MEMORY`.
    pub fn of_entries(
        &self,
        axis: usize,
        shape: &[u64],
        count: usize,
        walk: impl FnOnce(&mut dyn FnMut(&[u64], usize)) -> Result<(), Fault>,
    ) -> Result<Parameters, Fault> {
        let mut scales = filled(0.0, count)?;
        let mut zeros = filled(0, if self.zeros.is_empty() { 0 } else { count })?;
        walk(&mut |index, entry| {
            let from = self.place.parameter(axis, shape, index);
            if let (Some(to), Some(&scale)) = (scales.get_mut(entry), self.scales.get(from)) {
                *to = scale;
            }
            if let (Some(to), Some(&zero)) = (zeros.get_mut(entry), self.zeros.get(from)) {
                *to = zero;
            }
        })?;
        // One channel an element.
        let place = Place::Channel { channels: u64::MAX, inner: 1 };
        Ok(Parameters { place, levels: self.levels, scales, zeros })
    }
}

fn is_scale(scheme: &Scheme, scale: f32) -> bool {
    match scheme {
        Scheme::Nf4 { .. } => scale.is_finite() && scale >= 0.0,
        _ => scale.is_finite() && scale != 0.0,
    }
}

#[cold]
fn bad_scale(scheme: &Scheme, index: usize, scale: f32) -> Fault {
    let (rule, what) = match scheme {
        Scheme::Nf4 { .. } => ("Q-031", "a scale that is negative, infinite or not a number"),
        Scheme::Mxfp { .. } => ("Q-032", "a scale byte 00 or FF"),
        _ => ("Q-029", "a scale that is zero, infinite or not a number"),
    };
    Fault::new(Status::INVALID_DESCRIPTOR, rule, what).field("scales").index(index).real(scale.into())
}

#[cold]
fn short(field: &'static str, index: usize) -> Fault {
    Fault::new(Status::BUFFER_MISMATCH, "Q-033", "a parameter array is shorter than the scheme needs")
        .field(field)
        .index(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// quantization.md section 6, element by element.
    fn by_formula(scheme: &Scheme, shape: &[u64], position: u64) -> usize {
        let mut index = vec![0; shape.len()];
        let mut rest = position;
        for (slot, n) in index.iter_mut().zip(shape).rev() {
            *slot = rest % n;
            rest /= n;
        }
        let (axis, size) = match *scheme {
            Scheme::PerChannel { axis, .. } => return index[axis as usize] as usize,
            Scheme::PerBlock { axis, block_size, .. } => (axis as usize, u64::from(block_size)),
            _ => return 0,
        };
        let others = (0..shape.len()).filter(|&k| k != axis);
        let outer = others.fold(0, |outer, k| outer * shape[k] + index[k]);
        (outer * shape[axis].div_ceil(size) + index[axis] / size) as usize
    }

    #[test]
    fn every_element_finds_its_parameter() {
        let per_block = |axis, block_size| Scheme::PerBlock {
            axis,
            block_size,
            scale_buffer: 1,
            zero_point_buffer: 2,
            scale_type: 3,
        };
        let per_channel =
            |axis| Scheme::PerChannel { axis, scale_buffer: 1, zero_point_buffer: 2, scale_type: 3 };
        let one = Scheme::PerTensor { scale: 1.0, zero_point: 0 };
        let shape = [3, 6, 5];
        let schemes = [0, 1, 2].map(per_channel).into_iter().chain([one]);
        let blocks = [(0, 2), (1, 2), (1, 4), (2, 4), (2, 2)].map(|(axis, size)| per_block(axis, size));
        for scheme in schemes.chain(blocks) {
            let place = Place::new(&scheme, &shape);
            for (start, count) in [(0u64, 90usize), (7, 50), (31, 1), (88, 2)] {
                let mut seen = 0;
                for segment in place.segments(start, count) {
                    assert_eq!(segment.first, seen);
                    for k in 0..segment.len {
                        let parameter = segment.parameter + if segment.each { k } else { 0 };
                        let position = start + (segment.first + k) as u64;
                        assert_eq!(
                            place.stored(parameter),
                            by_formula(&scheme, &shape, position),
                            "{scheme:?}"
                        );
                    }
                    seen += segment.len;
                }
                assert_eq!(seen, count);
            }
        }
    }

    #[test]
    fn entries_in_an_order_of_their_own() {
        let shape = [3, 6, 5];
        let blocks = [(0u32, 2u32, 2 * 30usize), (1, 4, 30), (2, 4, 36)];
        for (axis, block_size, count) in blocks {
            let (scale_buffer, zero_point_buffer, scale_type) = (1, u32::MAX, 3);
            let scheme = Scheme::PerBlock { axis, block_size, scale_buffer, zero_point_buffer, scale_type };
            let bytes: Vec<u8> = (0..count).flat_map(|b| (b as f32 + 1.0).to_le_bytes()).collect();
            let arrays = Arrays { scales: &bytes, scale_type: 3, zeros: None, count };
            let found = Parameters::read(0x10, &scheme, Place::new(&scheme, &shape), Some(arrays)).unwrap();
            // Every seventh element, backwards.
            let positions: Vec<u64> = (0..90).rev().step_by(7).collect();
            let walk = |entry: &mut dyn FnMut(&[u64], usize)| {
                for (k, t) in positions.iter().enumerate() {
                    entry(&[t / 30, t / 5 % 6, t % 5], k);
                }
                Ok(())
            };
            let found = found.of_entries(axis as usize, &shape, positions.len(), walk).unwrap();
            let want = positions.iter().map(|&t| by_formula(&scheme, &shape, t) as f32 + 1.0);
            assert_eq!(found.scales, want.collect::<Vec<_>>(), "{scheme:?}");
            let each: Vec<_> = found.place.segments(5, 4).collect();
            assert_eq!(each, [Segment { first: 0, len: 4, parameter: 5, each: true }]);
        }
    }

    #[test]
    fn parameters_that_may_not_occur() {
        let read = |tag, scheme: &Scheme, scale_type, scales: &[u8], zeros: Option<&[u8]>| {
            let arrays = Arrays { scales, scale_type, zeros, count: 2 };
            Parameters::read(tag, scheme, Place::new(scheme, &[2, 16]), Some(arrays))
                .map(|found| found.scales)
        };
        let refused =
            |found: Result<Vec<f32>, Fault>| found.map_err(|fault| (fault.rule, fault.index)).unwrap_err();
        let channel = Scheme::PerChannel { axis: 0, scale_buffer: 1, zero_point_buffer: 2, scale_type: 3 };
        let two = |a: f32, b: f32| [a.to_le_bytes(), b.to_le_bytes()].concat();
        let zeros = |a: i32, b: i32| [a.to_le_bytes(), b.to_le_bytes()].concat();
        assert_eq!(read(0x10, &channel, 3, &two(-2.0, 1e-45), None).unwrap(), [-2.0, 1e-45]);
        for bad in [0.0, -0.0, f32::NAN, f32::INFINITY] {
            assert_eq!(refused(read(0x10, &channel, 3, &two(1.0, bad), None)), ("Q-029", Some(1)));
        }
        assert_eq!(refused(read(0x10, &channel, 3, &two(1.0, 2.0)[..4], None)), ("Q-029", Some(1)));
        let ones = two(1.0, 1.0);
        for (tag, bad) in [(0x10, 128), (0x11, -1), (0x48, -9), (0x49, 16), (0x4A, 2), (0x4B, 4), (0x15, -1)]
        {
            assert_eq!(
                refused(read(tag, &channel, 3, &ones, Some(&zeros(bad, 0)))),
                ("Q-030", Some(0)),
                "{tag:02X}"
            );
        }
        assert_eq!(refused(read(0x10, &channel, 3, &ones, Some(&zeros(1, 1)[..7]))), ("Q-033", Some(1)));
        let nf4 = Scheme::Nf4 { axis: 1, block_size: 16, scale_buffer: 1 };
        assert_eq!(read(0x49, &nf4, 3, &two(0.0, -0.0), None).unwrap(), [0.0, 0.0]);
        for bad in [-1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(refused(read(0x49, &nf4, 3, &two(bad, 1.0), None)), ("Q-031", Some(0)));
        }
        let mxfp = Scheme::Mxfp { axis: 1, block_size: 16, scale_buffer: 1 };
        assert_eq!(read(0x43, &mxfp, 0x42, &[0x80, 0x7D], None).unwrap(), [2.0, 0.25]);
        assert_eq!(read(0x43, &mxfp, 0x42, &[0x01, 0xFE], None).unwrap(), [2f32.powi(-126), 2f32.powi(127)]);
        for bad in [0x00, 0xFF] {
            assert_eq!(refused(read(0x43, &mxfp, 0x42, &[0x80, bad], None)), ("Q-032", Some(1)));
        }
    }
}
