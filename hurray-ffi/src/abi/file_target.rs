//! Where a written file goes: a path, a callback of the host, or memory.

use super::handles::HurrayOwnerReleaseFn;
use super::options::Progress;
use super::shared::Shared;
use super::tensor::Owner;
use crate::format::{Fault, Status};
use crate::io::file::Sink;
use crate::io::os::{Pages, Replacement};
use std::ffi::c_void;
use std::io::IoSlice;

/// Shorter slices are joined before the host is called.
const SHORT: usize = 16 << 10;
/// Bytes joined at a time.
const JOINED: usize = 64 << 10;

/// The function that takes a callback's bytes.
pub(crate) type Write = unsafe extern "C" fn(*mut c_void, *const u8, u64) -> i32;

/// Where the bytes go.
pub(crate) enum Target {
    /// A file of the system.
    Path(Replacement),
    /// The host.
    Callback(WriteCallback),
    /// Memory that grows.
    Memory(Memory),
}

/// The host's write function.
pub(crate) struct WriteCallback {
    write: Write,
    owner: Owner,
}

// SAFETY: the host allows its function and context on any thread, one at a time.
unsafe impl Send for WriteCallback {}

impl Drop for WriteCallback {
    fn drop(&mut self) {
        std::mem::replace(&mut self.owner, Owner::NONE).release();
    }
}

impl WriteCallback {
    pub(crate) fn new(write: Write, context: *mut c_void, release: HurrayOwnerReleaseFn) -> WriteCallback {
        WriteCallback { write, owner: Owner { owner: context, release } }
    }

    /// Drops the callback without calling its release function: it stays the caller's.
    pub(crate) fn disarm(mut self) {
        self.owner = Owner::NONE;
    }

    fn call(&self, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the host's function with the host's context, and bytes that live through the call.
        let failed = unsafe { (self.write)(self.owner.owner, bytes.as_ptr(), bytes.len() as u64) };
        if failed == 0 {
            return Ok(());
        }
        let os_error = i32::try_from(failed.unsigned_abs()).unwrap_or(0);
        Err(Fault { os_error, ..Fault::new(Status::IO, "", "the write callback failed") })
    }

    fn write(&self, parts: &[IoSlice<'_>]) -> Result<(), Fault> {
        let mut joined = Vec::new();
        joined.try_reserve_exact(JOINED).map_err(|_| super::guard::out_of_memory(JOINED as u64))?;
        for part in parts {
            if joined.len() + part.len() > JOINED || part.len() >= SHORT {
                self.call(&joined)?;
                joined.clear();
            }
            if part.len() >= SHORT {
                self.call(part)?;
            } else {
                joined.extend_from_slice(part);
            }
        }
        self.call(&joined)
    }
}

/// Memory that grows.
#[derive(Default)]
pub(crate) struct Memory {
    pages: Option<Pages>,
    /// The pages once somebody wants them.
    wanted: Option<Shared<Pages>>,
    len: usize,
}

impl Memory {
    /// A share of the pages, and how many bytes of them were written; none when nothing was, or it was taken already.
    pub(crate) fn share(&mut self) -> Result<Option<(Shared<Pages>, usize)>, Fault> {
        if let Some(pages) = self.pages.take() {
            match Shared::try_new(pages) {
                Ok(shared) => self.wanted = Some(shared),
                Err((pages, fault)) => {
                    self.pages = Some(pages);
                    return Err(fault);
                }
            }
        }
        Ok(self.wanted.clone().map(|shared| (shared, self.len)))
    }

    /// The pages are somebody else's now.
    pub(crate) fn give_up(&mut self) {
        self.wanted = None;
    }

    fn write(&mut self, parts: &[IoSlice<'_>]) -> Result<(), Fault> {
        let more: usize = parts.iter().map(|part| part.len()).sum();
        let out = |_| super::guard::out_of_memory(more as u64);
        let wanted =
            self.len.checked_add(more).and_then(usize::checked_next_power_of_two).unwrap_or(usize::MAX);
        let pages = match &mut self.pages {
            Some(pages) => {
                pages.grow(wanted).map_err(out)?;
                pages
            }
            None => self.pages.insert(Pages::anonymous(wanted.max(SHORT)).map_err(out)?),
        };
        let mut room = pages.bytes_mut().get_mut(self.len..).unwrap_or_default();
        for part in parts {
            let Some((to, rest)) = room.split_at_mut_checked(part.len()) else { break };
            to.copy_from_slice(part);
            room = rest;
        }
        self.len += more;
        Ok(())
    }
}

/// A target, and whoever watches how much it took.
pub(crate) struct Watched<'a> {
    pub(crate) target: &'a mut Target,
    pub(crate) progress: Option<&'a Progress>,
}

impl Sink for Watched<'_> {
    fn write(&mut self, parts: &mut [IoSlice<'_>]) -> Result<(), Fault> {
        // Before the write, so that a cancelled call has done nothing.
        self.progress.map_or(Ok(()), |progress| progress.step(0))?;
        let bytes: usize = parts.iter().map(|part| part.len()).sum();
        match self.target {
            Target::Path(file) => file.write(parts)?,
            Target::Callback(callback) => callback.write(parts)?,
            Target::Memory(memory) => memory.write(parts)?,
        }
        self.progress.map_or(Ok(()), |progress| progress.step(bytes as u64))
    }

    fn expect(&mut self, bytes: u64) {
        if let Some(progress) = self.progress {
            progress.expect(bytes);
        }
    }
}
