//! The Hilbert curve: Skilling's transpose map, plane by plane with a small state (layouts.md section 8).

use crate::format::{Fault, MAX_RANK};

/// What one plane leaves to the next: which axis stands where, which bits are flipped, and the running parity.
#[derive(Clone, Copy)]
struct State {
    perm: [u8; MAX_RANK],
    flip: [bool; MAX_RANK],
    carry: bool,
}

type Plane = [bool; MAX_RANK];

impl State {
    fn new() -> State {
        State { perm: std::array::from_fn(|a| a as u8), flip: [false; MAX_RANK], carry: false }
    }

    fn turn(&mut self, plane: &Plane, rank: usize) {
        for (a, &is_set) in plane.iter().enumerate().take(rank) {
            if is_set {
                self.flip[0] = !self.flip[0];
            } else {
                self.perm.swap(0, a);
                self.flip.swap(0, a);
            }
        }
    }
}

/// The position on the curve of an index whose components have `order` bits each.
pub fn position(order: u32, index: &[u64]) -> u64 {
    let rank = index.len().min(MAX_RANK);
    let (mut state, mut code) = (State::new(), 0u64);
    for bit in (0..order).rev() {
        let mut plane = [false; MAX_RANK];
        let places = plane.iter_mut().zip(&state.perm).zip(&state.flip).take(rank);
        for ((g, &axis), &flip) in places {
            let component = index.get(usize::from(axis)).copied().unwrap_or(0);
            *g = (component.checked_shr(bit).unwrap_or(0) & 1 == 1) != flip;
            state.carry ^= *g;
            code = code << 1 | u64::from(state.carry);
        }
        state.turn(&plane, rank);
    }
    code
}

/// Goes along a curve of `rank` axes and `order` bits each, and gives each index to `body`, in the order of the curve.
///
/// # Errors
/// Those of `body`; `OUT_OF_MEMORY`.
pub fn walk(order: u32, rank: usize, mut body: impl FnMut(&[u64]) -> Result<(), Fault>) -> Result<(), Fault> {
    let rank = rank.min(MAX_RANK);
    let planes = order.min(63) as usize;
    // The state before each plane, and the index above it: a step forward computes only the planes that change.
    let mut above: Vec<(State, [u64; MAX_RANK])> = Vec::new();
    above.try_reserve_exact(planes + 1).map_err(|_| Fault::out_of_memory())?;
    above.resize(planes + 1, (State::new(), [0; MAX_RANK]));
    let bits = planes * rank;
    let (mut position, mut first) = (0u64, 0);
    loop {
        for plane in first..planes {
            let (left, right) = above.split_at_mut(plane + 1);
            let (Some((state, index)), Some((next, to))) = (left.last(), right.first_mut()) else { break };
            (*next, *to) = (*state, *index);
            let word = position >> (bits - (plane + 1) * rank);
            let mut g = [false; MAX_RANK];
            let places = g.iter_mut().zip(&state.perm).zip(&state.flip).take(rank);
            for (a, ((g, &axis), &flip)) in places.enumerate() {
                let bit = word >> (rank - 1 - a) & 1 == 1;
                *g = bit != next.carry;
                next.carry = bit;
                if let Some(component) = to.get_mut(usize::from(axis)) {
                    *component |= u64::from(*g != flip) << (planes - 1 - plane);
                }
            }
            next.turn(&g, rank);
        }
        if let Some((_, index)) = above.last() {
            body(index.get(..rank).unwrap_or_default())?;
        }
        let changed = position ^ (position + 1);
        position += 1;
        if position >> bits != 0 {
            return Ok(());
        }
        let top = 63 - changed.leading_zeros() as usize;
        first = planes - 1 - top / rank.max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(order: u32, rank: usize) -> Vec<Vec<u64>> {
        let mut seen = Vec::new();
        walk(order, rank, |index| {
            seen.push(index.to_vec());
            Ok(())
        })
        .unwrap();
        seen
    }

    #[test]
    fn curves_of_the_written_format() {
        // layouts.md section 8, the table of visiting orders.
        assert_eq!(visit(1, 2), [[0, 0], [0, 1], [1, 1], [1, 0]]);
        let four = [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
            [0, 2],
            [0, 3],
            [1, 3],
            [1, 2],
            [2, 2],
            [2, 3],
            [3, 3],
            [3, 2],
            [3, 1],
            [2, 1],
            [2, 0],
            [3, 0],
        ];
        assert_eq!(visit(2, 2), four);
        assert_eq!(visit(3, 2)[..6], [[0, 0], [0, 1], [1, 1], [1, 0], [2, 0], [3, 0]]);
        assert_eq!(visit(2, 3)[..5], [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0], [1, 0, 1]]);
        assert_eq!(position(3, &[5, 3]), 52);
        assert_eq!(position(2, &[2, 3, 1]), 36);
    }

    #[test]
    fn ends_steps_and_inverse() {
        for (order, rank) in [(1, 2), (3, 2), (2, 3), (1, 7), (4, 3), (2, 5), (5, 2)] {
            let seen = visit(order, rank);
            assert_eq!(seen.len(), 1 << (order as usize * rank));
            let mut last = vec![0; rank];
            assert_eq!(seen[0], last);
            last[0] = (1 << order) - 1;
            assert_eq!(seen[seen.len() - 1], last);
            let first_axis = (rank - order as usize % rank) % rank;
            assert_eq!(seen[1].iter().position(|&i| i == 1), Some(first_axis));
            for (h, pair) in seen.windows(2).enumerate() {
                let step: u64 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a.abs_diff(*b)).sum();
                assert_eq!(step, 1);
                assert_eq!(position(order, &pair[0]), h as u64);
            }
        }
    }
}
