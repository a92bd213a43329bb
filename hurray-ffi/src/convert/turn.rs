//! A tile turned around: columns of neighbours in, rows of neighbours out.

/// Edge of a tile.
pub const TILE: usize = 32;

/// A tile, row by row.
pub type Tile<const W: usize> = [[[u8; W]; TILE]; TILE];

/// Writes the rows that `columns` make, beginning at column `at` of the tile. All four are as long as the tile at most
/// and equally long.
#[inline]
pub fn turn_four<const W: usize>(tile: &mut Tile<W>, at: usize, columns: [&[[u8; W]]; 4]) -> Option<()> {
    let [a, b, c, d] = columns;
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b.as_chunks::<4>();
    let (c, c_rest) = c.as_chunks::<4>();
    let (d, d_rest) = d.as_chunks::<4>();
    let done = 4 * a.len();
    let (whole, rest) = tile.split_at_mut_checked(done)?;
    if at + 4 > TILE {
        return None;
    }
    for ((((rows, a), b), c), d) in whole.as_chunks_mut::<4>().0.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let [first, second, third, fourth] = four_by_four([a, b, c, d]);
        let [to_first, to_second, to_third, to_fourth] = rows;
        to_first[at..at + 4].copy_from_slice(&first);
        to_second[at..at + 4].copy_from_slice(&second);
        to_third[at..at + 4].copy_from_slice(&third);
        to_fourth[at..at + 4].copy_from_slice(&fourth);
    }
    for ((((row, a), b), c), d) in rest.iter_mut().zip(a_rest).zip(b_rest).zip(c_rest).zip(d_rest) {
        *row.get_mut(at..)?.first_chunk_mut::<4>()? = [*a, *b, *c, *d];
    }
    Some(())
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn four_by_four<const W: usize>(columns: [&[[u8; W]; 4]; 4]) -> [[[u8; W]; 4]; 4] {
    use std::arch::x86_64::*;
    if W != 4 {
        return plain(columns);
    }
    // SAFETY: every x86-64 processor has SSE2. A column is 16 bytes where W is 4, as is a register, and any bytes make a
    // value of either.
    unsafe {
        let load = |column: &[[u8; W]; 4]| std::mem::transmute_copy::<_, __m128i>(column);
        let [a, b, c, d] = columns;
        let (a, b, c, d) = (load(a), load(b), load(c), load(d));
        let (ab_low, ab_high) = (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
        let (cd_low, cd_high) = (_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
        std::mem::transmute_copy(&[
            _mm_unpacklo_epi64(ab_low, cd_low),
            _mm_unpackhi_epi64(ab_low, cd_low),
            _mm_unpacklo_epi64(ab_high, cd_high),
            _mm_unpackhi_epi64(ab_high, cd_high),
        ])
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn four_by_four<const W: usize>(columns: [&[[u8; W]; 4]; 4]) -> [[[u8; W]; 4]; 4] {
    plain(columns)
}

/// Eight elements taken apart: those at even places, and those at odd ones.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn apart<const W: usize>(fours: [[[u8; W]; 4]; 2]) -> [[[u8; W]; 4]; 2] {
    use std::arch::x86_64::*;
    if W != 4 {
        return plain_apart(fours);
    }
    // SAFETY: every x86-64 processor has SSE. Four elements are 16 bytes where W is 4, as is a register, and any bytes
    // make a value of either.
    unsafe {
        let [a, b]: [__m128; 2] = std::mem::transmute_copy(&fours);
        std::mem::transmute_copy(&[_mm_shuffle_ps::<0x88>(a, b), _mm_shuffle_ps::<0xDD>(a, b)])
    }
}

/// Eight elements taken apart: those at even places, and those at odd ones.
#[cfg(not(target_arch = "x86_64"))]
pub fn apart<const W: usize>(fours: [[[u8; W]; 4]; 2]) -> [[[u8; W]; 4]; 2] {
    plain_apart(fours)
}

fn plain_apart<const W: usize>([[a, b, c, d], [e, f, g, h]]: [[[u8; W]; 4]; 2]) -> [[[u8; W]; 4]; 2] {
    [[a, c, e, g], [b, d, f, h]]
}

fn plain<const W: usize>([a, b, c, d]: [&[[u8; W]; 4]; 4]) -> [[[u8; W]; 4]; 4] {
    std::array::from_fn(|k| [a[k], b[k], c[k], d[k]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const W: usize>() {
        let mut tile: Tile<W> = [[[0xEE; W]; TILE]; TILE];
        let columns: [Vec<[u8; W]>; 4] = std::array::from_fn(|c| {
            (0..7).map(|k| std::array::from_fn(|b| (c * 64 + k * 8 + b) as u8)).collect()
        });
        turn_four(&mut tile, 5, columns.each_ref().map(|column| &column[..])).unwrap();
        for (k, row) in tile.iter().enumerate() {
            for (at, element) in row.iter().enumerate() {
                let want = match (k, at) {
                    (0..7, 5..9) => columns[at - 5][k],
                    _ => [0xEE; W],
                };
                assert_eq!(*element, want);
            }
        }
        assert_eq!(turn_four(&mut tile, TILE - 3, columns.each_ref().map(|column| &column[..])), None);
    }

    fn check_apart<const W: usize>() {
        let fours = [0, 4].map(|first| std::array::from_fn(|k| [(first + k) as u8; W]));
        assert_eq!(apart(fours), [[0, 2, 4, 6], [1, 3, 5, 7]].map(|places| places.map(|k| [k; W])));
    }

    #[test]
    fn pairs_taken_apart() {
        check_apart::<1>();
        check_apart::<2>();
        check_apart::<4>();
        check_apart::<8>();
        check_apart::<16>();
    }

    #[test]
    fn columns_become_rows() {
        check::<1>();
        check::<2>();
        check::<4>();
        check::<8>();
    }
}
