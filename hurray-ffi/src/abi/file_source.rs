//! Where an open file's bytes come from: a file of the system, memory, or a callback of the host.

use super::buffer::{Buffer, Keep};
use super::handles::HurrayOwnerReleaseFn;
use super::shared::Shared;
use super::tensor::Owner;
use crate::format::{Fault, Place, Status};
use crate::io::file::Source;
use crate::io::os::{self, Pages};
use std::ffi::c_void;
use std::fs::File;

/// Bytes that a ranged read brings beyond those asked for, where they belong to what was asked for.
const AHEAD: usize = 64 << 10;

/// The function that reads a range of a callback's file.
pub(crate) type ReadAt = unsafe extern "C" fn(*mut c_void, u64, *mut u8, u64) -> i64;

/// Where the bytes come from.
pub(crate) enum Origin {
    /// A file of the system, and its mapping if it has one.
    File(File, u64, Option<Shared<Pages>>),
    /// Memory, as long as a buffer keeps it.
    Memory(Shared<Buffer>),
    /// Ranged reads by the host.
    Callback(Callback),
}

/// The host's read function.
pub(crate) struct Callback {
    read: ReadAt,
    owner: Owner,
    size: u64,
}

// SAFETY: the host allows its function and context on any thread.
unsafe impl Send for Callback {}
// SAFETY: as above, several at once.
unsafe impl Sync for Callback {}

impl Drop for Callback {
    fn drop(&mut self) {
        std::mem::replace(&mut self.owner, Owner::NONE).release();
    }
}

impl Callback {
    pub(crate) fn new(
        read: ReadAt,
        context: *mut c_void,
        release: HurrayOwnerReleaseFn,
        size: u64,
    ) -> Callback {
        Callback { read, owner: Owner { owner: context, release }, size }
    }

    /// Drops the callback without calling its release function: it stays the caller's.
    pub(crate) fn disarm(mut self) {
        self.owner = Owner::NONE;
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<(), Fault> {
        let mut done = 0;
        while let Some(rest) = out.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let (at, len) = (offset + done as u64, rest.len() as u64);
            // SAFETY: the host's function with the host's context, and room for `len` bytes.
            let read = unsafe { (self.read)(self.owner.owner, at, rest.as_mut_ptr(), len) };
            match u64::try_from(read) {
                Ok(0) => return Err(os::shrunk(at)),
                Ok(read) if read <= len => done += read as usize,
                Ok(read) => {
                    return Err(Fault::new(
                        Status::IO,
                        "",
                        "the read callback gave more than it was asked for",
                    )
                    .field("bytes read")
                    .value(read)
                    .limit(len)
                    .at(Place::Byte(at)));
                }
                Err(_) => {
                    let os_error = i32::try_from(read.unsigned_abs()).unwrap_or(0);
                    let fault = Fault::new(Status::IO, "", "the read callback failed").at(Place::Byte(at));
                    return Err(Fault { os_error, ..fault });
                }
            }
        }
        Ok(())
    }
}

impl Origin {
    /// The first byte of the file, and what keeps it there, if the file is in memory.
    pub(crate) fn memory(&self) -> Option<(*mut u8, Keep)> {
        match self {
            Origin::File(_, _, Some(pages)) => Some((pages.data(), Keep::Pages(pages.clone()))),
            Origin::Memory(buffer) => Some((buffer.data.cast(), Keep::Buffer(buffer.clone()))),
            Origin::File(_, _, None) | Origin::Callback(_) => None,
        }
    }
}

impl Source for Origin {
    fn size(&self) -> u64 {
        match self {
            Origin::File(_, size, _) => *size,
            Origin::Memory(buffer) => buffer.byte_size,
            Origin::Callback(callback) => callback.size,
        }
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<(), Fault> {
        let len = out.len() as u64;
        if self.size().checked_sub(offset).is_none_or(|left| left < len) {
            return Err(os::shrunk(self.size()));
        }
        match self {
            // A read, not the mapping: it fails with a status when the file was cut, where a mapping would fault.
            Origin::File(file, _, _) => os::read_at(file, offset, out),
            Origin::Memory(buffer) => {
                // SAFETY: inside the buffer's bytes, which `out`, being exclusive, does not overlap.
                unsafe {
                    let from = buffer.data.cast::<u8>().add(offset as usize);
                    std::ptr::copy_nonoverlapping(from, out.as_mut_ptr(), out.len());
                }
                Ok(())
            }
            Origin::Callback(callback) => callback.read_at(offset, out),
        }
    }

    fn ahead(&self) -> usize {
        match self {
            Origin::Callback(_) => AHEAD,
            _ => 0,
        }
    }
}
