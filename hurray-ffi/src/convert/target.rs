//! What a conversion may write into: a layout that keeps each element in a place of its own (rule L-023).

use super::dense::walk;
use crate::format::extent::{strided_span, tile_volume};
use crate::format::{Fault, Layout, Status, Tiled};
use smallvec::SmallVec;

/// Refuses a dense target in which two elements of the shape would share a place.
///
/// # Errors
/// `INVALID_ARGUMENT` (strides that overlap), `INVALID_LAYOUT` (L-023), `OUT_OF_MEMORY`.
pub fn check(layout: &Layout, shape: &[u64]) -> Result<(), Fault> {
    match layout {
        Layout::Strided(strides) => check_strides(shape, strides, "strides"),
        Layout::Tiled(tiled) => check_tiles(tiled, shape),
        _ => Ok(()),
    }
}

fn check_tiles(tiled: &Tiled, shape: &[u64]) -> Result<(), Fault> {
    let tile = &tiled.tile_shape;
    if let Some(strides) = &tiled.outer_strides {
        let mut grid: SmallVec<[u64; 8]> = SmallVec::new();
        grid.try_reserve(shape.len()).map_err(|_| Fault::out_of_memory())?;
        grid.extend(shape.iter().zip(tile).map(|(&n, &t)| n.div_ceil(t.max(1))));
        check_strides(&grid, strides, "outer_strides")?;
    }
    if let Some(strides) = &tiled.inner_strides {
        let inside = strided_span(tile, strides).zip(tile_volume(tile));
        if !inside.is_some_and(|(span, volume)| span.lowest >= 0 && span.highest < i128::from(volume)) {
            return Err(overlap("inner strides leave their tile", "inner_strides"));
        }
        check_strides(tile, strides, "inner_strides")?;
    }
    let Some(nested) = &tiled.nested else { return Ok(()) };
    for (k, (&outer, &inner)) in tile.iter().zip(&nested.tile_shape).enumerate() {
        if !outer.is_multiple_of(inner) {
            return Err(overlap("a nested tile does not divide its enclosing tile", "tile_shape")
                .index(k)
                .value(inner)
                .limit(outer));
        }
    }
    check_tiles(nested, tile)
}

fn overlap(what: &'static str, field: &'static str) -> Fault {
    Fault::new(Status::INVALID_LAYOUT, "L-023", what).field(field)
}

fn check_strides(shape: &[u64], strides: &[i64], field: &'static str) -> Result<(), Fault> {
    if is_injective(shape, strides)? {
        return Ok(());
    }
    let what = "the target's strides put several elements in one place";
    Err(Fault::new(Status::INVALID_ARGUMENT, "", what).field(field))
}

/// Whether each index has an offset of its own.
fn is_injective(shape: &[u64], strides: &[i64]) -> Result<bool, Fault> {
    if shape.contains(&0) {
        return Ok(true);
    }
    let mut steps: SmallVec<[(u64, u64); 8]> = SmallVec::new();
    steps.try_reserve(shape.len()).map_err(|_| Fault::out_of_memory())?;
    steps.extend(strides.iter().zip(shape).filter(|(_, n)| **n > 1).map(|(s, &n)| (s.unsigned_abs(), n)));
    steps.sort_unstable();
    let mut reach = 0u128;
    let is_nested = steps.iter().all(|&(step, n)| {
        let is_beyond = u128::from(step) > reach;
        reach = reach.saturating_add(u128::from(step) * u128::from(n - 1));
        is_beyond
    });
    if is_nested {
        return Ok(true);
    }
    // Dimensions may interleave and still not meet: only marking every place tells.
    let count = shape.iter().try_fold(1u128, |count, &n| count.checked_mul(u128::from(n)));
    let (Some(span), Some(count)) = (strided_span(shape, strides), count) else { return Ok(false) };
    let places = (span.highest - span.lowest + 1) as u128;
    if count > places {
        return Ok(false);
    }
    let words = usize::try_from(places.div_ceil(64)).map_err(|_| Fault::out_of_memory())?;
    let mut seen: Vec<u64> = Vec::new();
    seen.try_reserve_exact(words).map_err(|_| Fault::out_of_memory())?;
    seen.resize(words, 0);
    let mut is_apart = true;
    walk(shape, |index| {
        let offset = index
            .iter()
            .zip(strides)
            .fold(-span.lowest, |sum, (&i, &stride)| sum + i128::from(i) * i128::from(stride));
        let word = seen.get_mut((offset / 64) as usize).filter(|_| offset >= 0);
        let bit = 1u64 << (offset % 64);
        match word {
            Some(word) if *word & bit == 0 => *word |= bit,
            _ => is_apart = false,
        }
        Ok(())
    })?;
    Ok(is_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_that_keep_elements_apart() {
        for (shape, strides) in [
            (&[2u64, 3][..], &[3i64, 1][..]),
            (&[2, 3], &[-1, -2]),
            (&[3, 2], &[2, 3]),
            (&[1, 4], &[0, 7]),
            (&[0, 4], &[0, 0]),
            (&[], &[]),
        ] {
            assert_eq!(is_injective(shape, strides).ok(), Some(true), "{shape:?} {strides:?}");
        }
        for (shape, strides) in
            [(&[2u64][..], &[0i64][..]), (&[2, 3], &[2, 1]), (&[3, 3], &[1, -1]), (&[4, 2], &[2, 6])]
        {
            assert_eq!(is_injective(shape, strides).ok(), Some(false), "{shape:?} {strides:?}");
        }
    }
}
