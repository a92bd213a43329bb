//! Memory that grows without copying what is in it.

use std::io;
use std::ptr::{NonNull, null_mut};

/// Private, zeroed pages at an aligned address. Pages that nobody has touched take no memory.
pub struct Growing {
    data: NonNull<u8>,
    len: usize,
    alignment: usize,
}

// SAFETY: memory of the process, owned by this value alone.
unsafe impl Send for Growing {}
// SAFETY: a shared reference gives nothing but the address.
unsafe impl Sync for Growing {}

impl Drop for Growing {
    fn drop(&mut self) {
        // SAFETY: mapped by this value, which is the last to know of it.
        unsafe { libc::munmap(self.data.as_ptr().cast(), self.len) };
    }
}

fn pages(len: usize) -> io::Result<usize> {
    // The largest page that is common; lengths of mappings are whole pages.
    const PAGE: usize = 1 << 16;
    len.max(1).checked_next_multiple_of(PAGE).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

/// Address space for `len` bytes at a multiple of `alignment`, without access to it.
fn reserve(len: usize, alignment: usize, access: i32) -> io::Result<NonNull<u8>> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let whole = len.checked_add(alignment).ok_or(io::ErrorKind::OutOfMemory)?;
    // SAFETY: a fresh mapping at an address of the system's choice.
    let base = unsafe { libc::mmap(null_mut(), whole, access, flags, -1, 0) };
    if base == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    let skip = (base as usize).wrapping_neg() % alignment;
    // SAFETY: what is cut off lies inside the fresh mapping and outside of what is kept; `skip` is below `alignment`.
    let data = unsafe {
        let data = base.cast::<u8>().add(skip);
        if skip > 0 {
            libc::munmap(base, skip);
        }
        if alignment > skip {
            libc::munmap(data.add(len).cast(), alignment - skip);
        }
        data
    };
    NonNull::new(data).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

impl Growing {
    /// At least `len` bytes at a multiple of `alignment`, a power of two.
    pub fn new(len: usize, alignment: usize) -> io::Result<Growing> {
        let len = pages(len)?;
        // Whole pages, so that what is cut off is whole pages too.
        let alignment = alignment.max(pages(1)?);
        let data = reserve(len, alignment, libc::PROT_READ | libc::PROT_WRITE)?;
        Ok(Growing { data, len, alignment })
    }

    /// Asks for large pages, where the system has them to give: memory that is written from end to end costs fewer
    /// faults so.
    pub fn prefer_large_pages(&self) {
        // SAFETY: this value's own pages; advice changes nothing that they hold.
        #[cfg(target_os = "linux")]
        unsafe {
            libc::madvise(self.data.as_ptr().cast(), self.len, libc::MADV_HUGEPAGE)
        };
    }

    /// Lets the system take the pages back, one by one and when it likes: each holds what it holds or zeros until it is
    /// written to. `false` where there is no such leave.
    pub fn release(&self) -> bool {
        // SAFETY: this value's own pages; nobody relies on what they hold any more.
        unsafe { libc::madvise(self.data.as_ptr().cast(), self.len, libc::MADV_FREE) == 0 }
    }

    /// Length in bytes, of whole pages.
    pub fn size(&self) -> usize {
        self.len
    }

    /// Gives back what lies beyond the first `len` bytes.
    pub fn shorten(&mut self, len: usize) {
        if let Ok(len) = pages(len)
            && len < self.len
        {
            // SAFETY: the end of this value's own mapping, which nothing refers to.
            unsafe { libc::munmap(self.data.as_ptr().add(len).cast(), self.len - len) };
            self.len = len;
        }
    }

    /// The first byte. It moves when the memory grows.
    pub fn data(&self) -> *mut u8 {
        self.data.as_ptr()
    }

    /// Makes it at least `len` bytes long.
    pub fn grow(&mut self, len: usize) -> io::Result<()> {
        let len = pages(len)?;
        if len <= self.len {
            return Ok(());
        }
        let target = reserve(len, self.alignment, libc::PROT_NONE)?;
        // SAFETY: moves this value's own pages over a range that was reserved just now.
        let moved = unsafe { remap(self.data.as_ptr(), self.len, target.as_ptr(), len) };
        if let Err(error) = moved {
            // SAFETY: the reservation of a moment ago, which nobody uses.
            unsafe { libc::munmap(target.as_ptr().cast(), len) };
            return Err(error);
        }
        (self.data, self.len) = (target, len);
        Ok(())
    }
}

/// # Safety
/// Both ranges are mappings of the caller's own.
#[cfg(target_os = "linux")]
unsafe fn remap(from: *mut u8, len: usize, to: *mut u8, longer: usize) -> io::Result<()> {
    let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
    // SAFETY: as this function's own.
    let moved = unsafe { libc::mremap(from.cast(), len, longer, flags, to.cast::<libc::c_void>()) };
    if moved == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// # Safety
/// Both ranges are mappings of the caller's own.
#[cfg(not(target_os = "linux"))]
unsafe fn remap(from: *mut u8, len: usize, to: *mut u8, longer: usize) -> io::Result<()> {
    // SAFETY: as this function's own; the ranges are different mappings.
    unsafe {
        if libc::mprotect(to.cast(), longer, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            return Err(io::Error::last_os_error());
        }
        to.copy_from_nonoverlapping(from, len);
        libc::munmap(from.cast(), len);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays_when_it_grows() {
        for alignment in [64, 4096, 2 << 20] {
            let mut memory = Growing::new(10, alignment).unwrap();
            for len in [10, 1 << 20, 3 << 20, 100 << 20] {
                memory.grow(len).unwrap();
                assert_eq!(memory.data() as usize % alignment, 0);
                // SAFETY: mapped, this long, for reading and writing.
                let bytes = unsafe { std::slice::from_raw_parts_mut(memory.data(), len) };
                assert!(len == 10 || bytes[..10] == [7; 10]);
                assert_eq!(bytes[len - 1], if len == 10 { 0 } else { bytes[len - 1] });
                bytes[..10].fill(7);
            }
        }
    }

    /// Pages that this thread touched for the first time.
    #[cfg(target_os = "linux")]
    fn faults() -> i64 {
        // SAFETY: a struct of numbers, filled in by the call.
        unsafe {
            let mut usage = std::mem::zeroed();
            assert_eq!(libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage), 0);
            usage.ru_minflt
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn it_grows_without_copying() {
        let mut memory = Growing::new(1 << 20, 64).unwrap();
        for len in (1..=8).map(|k| k << 20) {
            let before = faults();
            memory.grow(len).unwrap();
            let touched = faults() - before;
            // A copy would touch the 256 pages of each MiB that is there.
            assert!(touched < 64, "{touched} new pages on the way to {len} bytes");
            // SAFETY: mapped, this long, for reading and writing.
            unsafe { std::slice::from_raw_parts_mut(memory.data(), len) }.fill(7);
        }
    }

    #[test]
    fn large_pages_are_as_empty_as_others() {
        let memory = Growing::new(5 << 20, 2 << 20).unwrap();
        memory.prefer_large_pages();
        // SAFETY: mapped, this long, for reading.
        let bytes = unsafe { std::slice::from_raw_parts(memory.data(), 5 << 20) };
        assert!(bytes.iter().all(|&byte| byte == 0));
    }

    #[test]
    fn more_than_there_is_room_for_is_refused() {
        assert!(Growing::new(usize::MAX, 64).is_err());
        let mut memory = Growing::new(1 << 20, 64).unwrap();
        assert!(memory.grow(1 << 62).is_err());
        // SAFETY: mapped, at least this long.
        assert_eq!(unsafe { memory.data().read() }, 0);
    }
}
