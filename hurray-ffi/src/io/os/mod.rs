//! The operating system: mapped memory, memory that grows, positioned reads, file descriptors, advice. The one place
//! with its calls.

mod fd;
mod growing;
mod replace;
mod spare;

pub use fd::{Output, Piece, is_network, read};
pub use growing::Growing;
pub use replace::Replacement;
pub use spare::Block;

use crate::format::{Fault, Status};
use std::ffi::{OsStr, c_void};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::ptr::{NonNull, null_mut};

/// Pages of memory, given back when dropped.
#[derive(Debug)]
pub struct Pages {
    /// What was reserved, which may begin before the data.
    base: NonNull<c_void>,
    reserved: usize,
    data: NonNull<u8>,
    len: usize,
}

// SAFETY: memory of the process, owned by this value alone.
unsafe impl Send for Pages {}
// SAFETY: reads through a shared reference change nothing.
unsafe impl Sync for Pages {}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: reserved by this value and by no other; nothing refers to it any more.
        unsafe { libc::munmap(self.base.as_ptr(), self.reserved) };
    }
}

/// What is wanted of a mapped file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Pages that cannot be written to.
    ReadOnly,
    /// Pages that become the process's own when written to; the file never changes.
    CopyOnWrite,
}

/// How memory or a file is going to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// No advice.
    Normal,
    /// From front to back.
    Sequential,
    /// Here and there.
    Random,
    /// Soon: start reading ahead.
    WillNeed,
    /// Now: have it in memory before the call returns.
    Populate,
}

impl Pages {
    /// Zeroed memory, not backed by a file.
    pub fn anonymous(len: usize) -> io::Result<Pages> {
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh mapping at an address of the system's choice.
        let base = unsafe { map(null_mut(), len, access, flags, -1)? };
        Ok(Pages { base, reserved: len, data: base.cast(), len })
    }

    /// The first `len` bytes of a file, at an address that is a multiple of `alignment` (a power of two).
    pub fn of_file(file: &File, len: usize, access: Access, alignment: usize) -> io::Result<Pages> {
        use std::os::fd::AsRawFd;
        let (protection, flags) = match access {
            Access::ReadOnly => (libc::PROT_READ, libc::MAP_SHARED),
            Access::CopyOnWrite => {
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_NORESERVE)
            }
        };
        if alignment <= page_size() {
            // SAFETY: a fresh mapping at an address of the system's choice.
            let base = unsafe { map(null_mut(), len, protection, flags, file.as_raw_fd())? };
            return Ok(Pages { base, reserved: len, data: base.cast(), len });
        }
        let reserved = len.checked_add(alignment).ok_or(io::ErrorKind::OutOfMemory)?;
        let nothing = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh reservation, without access, at an address of the system's choice.
        let base = unsafe { map(null_mut(), reserved, libc::PROT_NONE, nothing, -1)? };
        let skip = (base.as_ptr() as usize).wrapping_neg() % alignment;
        // SAFETY: `skip` is below `alignment`, which was reserved beyond `len`.
        let data = unsafe { base.cast::<u8>().add(skip) };
        let pages = Pages { base, reserved, data, len };
        // SAFETY: replaces pages inside the reservation just made, which nothing refers to.
        unsafe { map(data.as_ptr().cast(), len, protection, flags | libc::MAP_FIXED, file.as_raw_fd())? };
        Ok(pages)
    }

    /// The first byte.
    pub fn data(&self) -> *mut u8 {
        self.data.as_ptr()
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of anonymous memory.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: mapped for reading and writing for as long as this value lives, and borrowed from it alone.
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), self.len) }
    }

    /// Makes anonymous memory longer; it may move.
    pub fn grow(&mut self, len: usize) -> io::Result<()> {
        if len <= self.len {
            return Ok(());
        }
        #[cfg(target_os = "linux")]
        {
            // SAFETY: the mapping is this value's own, and no reference to it is live.
            let moved = unsafe { libc::mremap(self.base.as_ptr(), self.reserved, len, libc::MREMAP_MAYMOVE) };
            if moved == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let base = NonNull::new(moved).ok_or(io::ErrorKind::OutOfMemory)?;
            (self.base, self.reserved, self.data, self.len) = (base, len, base.cast(), len);
        }
        #[cfg(not(target_os = "linux"))]
        {
            let mut longer = Pages::anonymous(len)?;
            longer.bytes_mut()[..self.len].copy_from_slice(self.bytes_mut());
            *self = longer;
        }
        Ok(())
    }

    /// Tells the system how a range is going to be read. A hint that the system does not know is no error.
    pub fn advise(&self, start: usize, len: usize, advice: Advice) -> io::Result<()> {
        let end = start.saturating_add(len).min(self.len);
        let start = start - start % page_size();
        if start >= end {
            return Ok(());
        }
        let how = match advice {
            Advice::Normal => libc::MADV_NORMAL,
            Advice::Sequential => libc::MADV_SEQUENTIAL,
            Advice::Random => libc::MADV_RANDOM,
            Advice::WillNeed => libc::MADV_WILLNEED,
            Advice::Populate => POPULATE,
        };
        // SAFETY: advice changes no content, and the range lies inside the mapping.
        let done = unsafe { libc::madvise(self.data.as_ptr().add(start).cast(), end - start, how) };
        match done {
            0 => Ok(()),
            _ if advice == Advice::Populate => self.advise(start, end - start, Advice::WillNeed),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(target_os = "linux")]
const POPULATE: i32 = libc::MADV_POPULATE_READ;
#[cfg(not(target_os = "linux"))]
const POPULATE: i32 = libc::MADV_WILLNEED;

/// # Safety
/// With `MAP_FIXED` the range is the caller's own.
unsafe fn map(at: *mut c_void, len: usize, access: i32, flags: i32, fd: i32) -> io::Result<NonNull<c_void>> {
    // SAFETY: as this function's own.
    let address = unsafe { libc::mmap(at, len, access, flags, fd, 0) };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(address).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

/// Bytes of a page.
pub fn page_size() -> usize {
    // SAFETY: reads a constant of the system.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Opens a file for reading. A path is bytes here, without NUL.
pub fn open(path: &[u8]) -> Result<File, Fault> {
    // A FIFO that nobody writes to must not block.
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NONBLOCK);
    options.open(path_of(path)?).map_err(|error| fault("the file cannot be opened", &error))
}

/// The path of bytes.
pub fn path_of(path: &[u8]) -> Result<&Path, Fault> {
    if path.is_empty() || path.contains(&0) {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", "a path is not empty and has no NUL")
            .field("path_len")
            .value(path.len() as u64));
    }
    Ok(Path::new(OsStr::from_bytes(path)))
}

/// Another descriptor of an open file.
pub fn duplicate(fd: i64) -> Result<File, Fault> {
    let bad = || Fault::new(Status::INVALID_ARGUMENT, "", "not a file descriptor").field("fd").value(fd);
    let fd = i32::try_from(fd).ok().filter(|&fd| fd >= 0).ok_or_else(bad)?;
    // SAFETY: not -1; a number that no file has makes the call fail, nothing else.
    let borrowed = unsafe { BorrowedFd::borrow_raw(fd) };
    let owned = borrowed.try_clone_to_owned();
    Ok(File::from(owned.map_err(|error| fault("the file descriptor cannot be duplicated", &error))?))
}

/// The size of a file, in bytes.
pub fn size(file: &File) -> Result<u64, Fault> {
    let metadata = file.metadata().map_err(|error| fault("the size of the file cannot be read", &error))?;
    if metadata.is_dir() {
        return Err(fault("a directory is not a file", &io::Error::from_raw_os_error(libc::EISDIR)));
    }
    if metadata.file_type().is_fifo() || metadata.file_type().is_socket() {
        let error = io::Error::from_raw_os_error(libc::ESPIPE);
        return Err(fault("a pipe or socket cannot be read by position; it is a stream", &error));
    }
    Ok(metadata.len())
}

/// Fills `out` from a position of a file.
pub fn read_at(file: &File, offset: u64, mut out: &mut [u8]) -> Result<(), Fault> {
    let mut at = offset;
    while !out.is_empty() {
        match file.read_at(out, at) {
            Ok(0) => return Err(shrunk(at)),
            Ok(n) => {
                at += n as u64;
                out = out.get_mut(n..).unwrap_or_default();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(fault("reading the file failed", &error)),
        }
    }
    Ok(())
}

/// The file ends before bytes that it had when it was opened.
#[cold]
pub fn shrunk(at: u64) -> Fault {
    Fault::new(Status::TRUNCATED, "", "the file ends before its bytes do; it was cut after it was opened")
        .at(crate::format::Place::Byte(at))
}

/// A failure of the system.
#[cold]
pub fn fault(what: &'static str, error: &io::Error) -> Fault {
    let status = match error.kind() {
        io::ErrorKind::OutOfMemory => Status::OUT_OF_MEMORY,
        _ => Status::IO,
    };
    Fault { os_error: error.raw_os_error().unwrap_or(0), ..Fault::new(status, "", what) }
}
