//! Rows of elements at fixed steps, in forms that the compiler makes wide instructions of.

/// Most elements that are copied in place; for more, the system's own copy is worth a call.
const FEW: usize = 128;

/// Copies a row; both have the same length.
#[inline]
pub fn copy<T: Copy>(target: &mut [T], source: &[T]) {
    if target.len() > FEW || target.len() != source.len() {
        return target.copy_from_slice(source);
    }
    let ((wide_to, to), (wide, from)) = (target.as_chunks_mut::<8>(), source.as_chunks::<8>());
    for (to, from) in wide_to.iter_mut().zip(wide) {
        *to = *from;
    }
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// Fills `target` with the elements of `source` from `at` on, each `step` after the one before.
pub fn gather<T: Copy>(target: &mut [T], source: &[T], at: i64, step: i64) -> Option<()> {
    let (window, stride) = window(at, step, target.len(), source.len())?;
    let window = source.get(window)?;
    match step {
        -1 => target.iter_mut().zip(window.iter().rev()).for_each(|(to, from)| *to = *from),
        2 => every::<T, 2>(target, window),
        3 => every::<T, 3>(target, window),
        4 => every::<T, 4>(target, window),
        1.. => target.iter_mut().zip(window.iter().step_by(stride)).for_each(|(to, from)| *to = *from),
        0 => target.fill(*window.first()?),
        _ => {
            let backwards = window.iter().rev().step_by(stride);
            target.iter_mut().zip(backwards).for_each(|(to, from)| *to = *from);
        }
    }
    Some(())
}

fn every<T: Copy, const STEP: usize>(target: &mut [T], window: &[T]) {
    let (groups, last) = window.as_chunks::<STEP>();
    for (to, group) in target.iter_mut().zip(groups) {
        *to = group[0];
    }
    if let (Some(to), Some(from)) = (target.get_mut(groups.len()), last.first()) {
        *to = *from;
    }
}

/// Writes the elements of `source` into `target` from `at` on, each `step` after the one before.
pub fn scatter<T: Copy>(target: &mut [T], source: &[T], at: i64, step: i64) -> Option<()> {
    let (window, stride) = window(at, step, source.len(), target.len())?;
    let window = target.get_mut(window)?;
    match step {
        2 => every_other(window, source),
        1.. => window.iter_mut().step_by(stride).zip(source).for_each(|(to, from)| *to = *from),
        _ => window.iter_mut().rev().step_by(stride.max(1)).zip(source).for_each(|(to, from)| *to = *from),
    }
    Some(())
}

fn every_other<T: Copy>(window: &mut [T], source: &[T]) {
    let (pairs, last) = window.as_chunks_mut::<2>();
    let count = pairs.len();
    for (to, from) in pairs.iter_mut().zip(source) {
        to[0] = *from;
    }
    if let (Some(to), Some(from)) = (last.first_mut(), source.get(count)) {
        *to = *from;
    }
}

/// The elements between the first and the last of `count` at a step, both included, and the step's size.
fn window(at: i64, step: i64, count: usize, len: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let last = i64::try_from(count.checked_sub(1)?).ok()?.checked_mul(step)?.checked_add(at)?;
    let (low, high) = (usize::try_from(at.min(last)).ok()?, usize::try_from(at.max(last)).ok()?);
    let stride = usize::try_from(step.unsigned_abs()).ok()?;
    (high < len).then_some((low..high + 1, stride))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_at_a_step() {
        let source: Vec<u32> = (0..300).collect();
        for step in [-7i64, -2, -1, 0, 1, 2, 3, 4, 5] {
            for count in [1usize, 2, 7, 20, 33] {
                let at = if step < 0 { 260 } else { 3 };
                let want: Vec<u32> = (0..count as i64).map(|k| (at + k * step) as u32).collect();
                let mut got = vec![0; count];
                gather(&mut got, &source, at, step).unwrap();
                assert_eq!(got, want);
                if step != 0 {
                    let mut out = vec![0; 300];
                    scatter(&mut out, &want, at, step).unwrap();
                    assert!(out.iter().enumerate().all(|(k, &v)| v == 0 || v == k as u32));
                    assert_eq!(out.iter().filter(|v| **v != 0).count(), count);
                }
            }
        }
        assert_eq!(gather(&mut [0; 4], &source, 298, 1), None);
        assert_eq!(gather(&mut [0; 4], &source, 2, -1), None);
        assert_eq!(scatter(&mut [0u32; 4], &source[..3], 1, 2), None);
        let mut copied = [0; 13];
        copy(&mut copied, &source[..13]);
        assert_eq!(copied[..], source[..13]);
    }
}
