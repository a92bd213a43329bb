//! Rows written past the caches. A target that is larger than the caches is not read there first, line by line, only to
//! be overwritten: where columns are turned around that is most of the time.

/// Least bytes of a move whose target is written so.
pub const LARGE: u64 = 4 << 20;

/// Bytes of a cache line.
pub const LINE: usize = 64;

/// Bytes that [`empty`] takes at once.
const PIECE: usize = 16 * LINE;

/// Writes a row that is whole, aligned lines, or gives `false` and writes nothing. [`settle`] comes after the last one.
///
/// # Safety
/// `to` is writable memory of the row's size.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn write<T, const N: usize>(to: *mut [T; N], row: &[T; N]) -> bool {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    let bytes = size_of::<[T; N]>();
    if !bytes.is_multiple_of(LINE) || !to.addr().is_multiple_of(LINE) {
        return false;
    }
    let (from, to) = (std::ptr::from_ref(row).cast::<__m128i>(), to.cast::<__m128i>());
    for k in 0..bytes / size_of::<__m128i>() {
        // SAFETY: inside both rows, and aligned as a line is; every x86-64 processor has the instructions.
        unsafe { _mm_stream_si128(to.add(k), _mm_loadu_si128(from.add(k))) };
    }
    true
}

/// As above, on processors where it is not known to pay.
///
/// # Safety
/// None.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub unsafe fn write<T, const N: usize>(_to: *mut [T; N], _row: &[T; N]) -> bool {
    false
}

/// Copies bytes of the same number, whole lines past the caches. [`settle`] comes after the last one.
pub fn copy(to: &mut [u8], from: &[u8]) {
    let head = to.as_ptr().align_offset(LINE).min(to.len()).min(from.len());
    let ((to_head, to), (from_head, from)) = (to.split_at_mut(head), from.split_at(head));
    to_head.copy_from_slice(from_head);
    let ((to, to_tail), (from, from_tail)) = (to.as_chunks_mut::<LINE>(), from.as_chunks::<LINE>());
    lines(to, from);
    to_tail.copy_from_slice(from_tail);
}

/// As [`copy`], and leaves zeros behind. Piece by piece, so that the one runs while memory is busy with the other.
pub fn empty(to: &mut [u8], from: &mut [u8]) {
    // Up to a line first, so that no piece ends inside one.
    let head = to.as_ptr().align_offset(LINE).min(to.len()).min(from.len());
    let ((to_head, to), (from_head, from)) = (to.split_at_mut(head), from.split_at_mut(head));
    to_head.copy_from_slice(from_head);
    from_head.fill(0);
    for (to, from) in to.chunks_mut(PIECE).zip(from.chunks_mut(PIECE)) {
        copy(to, from);
        from.fill(0);
    }
}

/// Copies lines to where lines begin.
fn lines(to: &mut [[u8; LINE]], from: &[[u8; LINE]]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        #[target_feature(enable = "avx")]
        fn wide(to: &mut [[u8; LINE]], from: &[[u8; LINE]]) {
            use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_stream_si256};
            for (to, from) in to.iter_mut().zip(from) {
                let (to, from) = (to.as_mut_ptr().cast::<__m256i>(), from.as_ptr().cast::<__m256i>());
                // SAFETY: a line is two registers, and `to` is aligned as a line is.
                unsafe {
                    _mm256_stream_si256(to, _mm256_loadu_si256(from));
                    _mm256_stream_si256(to.add(1), _mm256_loadu_si256(from.add(1)));
                }
            }
        }
        if to.as_ptr().addr().is_multiple_of(LINE) {
            // SAFETY: the processor has AVX.
            return unsafe { wide(to, from) };
        }
    }
    for (to, from) in to.iter_mut().zip(from) {
        // SAFETY: a line of memory that is borrowed for writing.
        if !unsafe { write(to, from) } {
            *to = *from;
        }
    }
}

/// Starts loading the line at an address, which may be anywhere: where there is no memory, nothing happens.
#[inline(always)]
pub fn soon<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads nothing that the program sees and never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Orders what was written past the caches before everything that this thread does next.
pub fn settle() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Lines([u8; 192]);

    #[test]
    fn bytes_at_any_place() {
        let from: Vec<u8> = (0..1000).map(|k| (k % 251) as u8).collect();
        for start in [0, 1, 63, 64, 70] {
            for len in [0, 1, 63, 64, 65, 128, 300, 900] {
                let mut to = vec![0xEE; 1100];
                copy(&mut to[start..start + len], &from[7..7 + len]);
                settle();
                assert!(to[start..start + len] == from[7..7 + len]);
                assert!(to[..start].iter().chain(&to[start + len..]).all(|&byte| byte == 0xEE));
            }
            for len in [0, 1, 63, 1000, 1024, 1030, 2048, 4000] {
                let mut to = vec![0xEE; 4100];
                let full: Vec<u8> = (0..4000).map(|k| (k % 251) as u8).collect();
                let mut from = full.clone();
                empty(&mut to[start..start + len], &mut from[..len]);
                settle();
                assert!(to[start..start + len] == full[..len] && from[len..] == full[len..]);
                assert!(from[..len].iter().all(|&byte| byte == 0));
                assert!(to[..start].iter().chain(&to[start + len..]).all(|&byte| byte == 0xEE));
            }
        }
    }

    #[test]
    fn whole_lines_only() {
        let mut lines = Lines([0; 192]);
        let row: [[u8; 4]; 32] = std::array::from_fn(|k| [k as u8 + 1; 4]);
        // SAFETY: inside the lines.
        let (written, odd, short) = unsafe {
            let start = lines.0.as_mut_ptr();
            let written = write(start.add(64).cast(), &row);
            settle();
            (written, write(start.add(4).cast(), &row), write(start.cast(), &[[9u8; 4]; 15]))
        };
        assert_eq!((written, odd, short), (cfg!(target_arch = "x86_64"), false, false));
        assert!(lines.0[..64].iter().all(|&byte| byte == 0));
        if written {
            assert_eq!(lines.0[64..], *row.as_flattened());
        }
    }
}
