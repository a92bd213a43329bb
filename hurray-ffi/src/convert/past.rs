//! Rows written past the caches. A target that is larger than the caches is not read there first, line by line, only to
//! be overwritten: where columns are turned around that is most of the time.

/// Least bytes of a move whose target is written so.
pub const LARGE: u64 = 4 << 20;

/// Bytes of a cache line.
const LINE: usize = 64;

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
