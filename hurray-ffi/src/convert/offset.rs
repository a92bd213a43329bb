//! Where one element lies: layout and index to element offset (layouts.md sections 4 to 8, 14).

use super::axis::{Axes, axes};
use super::hilbert;
use crate::format::{Descriptor, Fault, Layout, Status};

/// The element offset of every index of one dense layout.
pub enum Map {
    /// A sum of one term a dimension.
    Axes(Axes),
    /// A Hilbert curve of so many bits a dimension.
    Hilbert(u32),
}

impl Map {
    /// The map of a dense layout; `None` for every other.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn of(layout: &Layout, shape: &[u64]) -> Result<Option<Map>, Fault> {
        match layout {
            Layout::Hilbert { order, .. } => Ok(Some(Map::Hilbert(*order))),
            _ => Ok(axes(layout, shape)?.map(Map::Axes)),
        }
    }

    /// Whether both put every element of a shape in the same place.
    pub fn is_same(&self, other: &Map, shape: &[u64]) -> bool {
        match (self, other) {
            _ if shape.contains(&0) => true,
            (Map::Axes(a), Map::Axes(b)) => a.iter().zip(b).zip(shape).all(|((a, b), &n)| n <= 1 || a == b),
            (Map::Hilbert(a), Map::Hilbert(b)) => a == b,
            _ => false,
        }
    }

    /// The offset of an index of the shape, in elements, as two's complement where it is negative.
    pub fn at(&self, index: &[u64]) -> i64 {
        match self {
            Map::Axes(axes) => {
                axes.iter().zip(index).fold(0, |sum, (axis, &i)| i64::wrapping_add(sum, axis.at(i)))
            }
            Map::Hilbert(order) => hilbert::position(*order, index) as i64,
        }
    }
}

/// Holds an index against a shape.
///
/// # Errors
/// `INVALID_ARGUMENT` (length, a dynamic dimension), `INDEX_OUT_OF_BOUNDS`.
pub fn check_index(shape: &[u64], index: &[u64]) -> Result<(), Fault> {
    if index.len() != shape.len() {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "L-013", "an index has one component a dimension")
            .field("len")
            .value(index.len() as u64)
            .limit(shape.len() as u64));
    }
    check_static(shape)?;
    for (k, (&i, &n)) in index.iter().zip(shape).enumerate() {
        if i >= n {
            return Err(Fault::new(Status::INDEX_OUT_OF_BOUNDS, "L-014", "an index outside the shape")
                .field("index")
                .index(k)
                .value(i)
                .limit(n));
        }
    }
    Ok(())
}

/// No offset is computed while a dimension is dynamic.
///
/// # Errors
/// `INVALID_ARGUMENT`.
pub fn check_static(shape: &[u64]) -> Result<(), Fault> {
    match shape.iter().position(|&n| n == u64::MAX) {
        None => Ok(()),
        Some(k) => Err(Fault::new(
            Status::INVALID_ARGUMENT,
            "L-015",
            "a dimension is dynamic: elements have no places yet",
        )
        .field("shape")
        .index(k)),
    }
}

/// The element offset of an index, by arithmetic on the descriptor alone.
///
/// # Errors
/// Those of [`check_index`]; `UNSUPPORTED` where the layout needs more than arithmetic.
pub fn element_offset(descriptor: &Descriptor, index: &[u64]) -> Result<i64, Fault> {
    let what = match &descriptor.layout {
        Layout::Private { .. } | Layout::Unknown { .. } => {
            "the layout is private or not understood: its elements have no known places"
        }
        Layout::Composite { .. } => "the head of a composite has no elements of its own",
        _ => "the offset depends on index buffers: ask the tensor",
    };
    check_index(&descriptor.shape, index)?;
    match Map::of(&descriptor.layout, &descriptor.shape)? {
        Some(map) => Ok(map.at(index)),
        None => {
            Err(Fault::new(Status::UNSUPPORTED, "", what).field("layout_tag").value(descriptor.layout.tag()))
        }
    }
}
