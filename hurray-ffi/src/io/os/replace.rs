//! A file that takes its name only when it is complete.
//!
//! The bytes go to a new file beside the target, `.hurray-` and 16 hexadecimal digits and `.tmp`, which is renamed over the
//! target at the end and removed when it is given up. A process that is killed can leave one behind; it is never read.

use super::{fault, path_of};
use crate::format::{Fault, Status};
use std::ffi::OsString;
use std::fs::{File, OpenOptions, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IoSlice, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Most symbolic links followed to the target.
const MAX_LINKS: u32 = 40;

/// A file being written.
pub struct Replacement {
    file: File,
    /// The temporary name and the target's; none for a device or pipe, which is written to directly.
    names: Option<(PathBuf, PathBuf)>,
    durable: bool,
}

impl Replacement {
    /// Starts a file at a path. Links are followed; an old file keeps its mode.
    pub fn create(path: &[u8], durable: bool) -> Result<Replacement, Fault> {
        let target = follow(path_of(path)?)?;
        let old = match std::fs::metadata(&target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(fault("the target cannot be looked at", &error)),
        };
        if let Some(old) = old.as_ref().filter(|old| !old.is_file()) {
            if old.is_dir() {
                return Err(fault("the target is a directory", &io::Error::from_raw_os_error(libc::EISDIR)));
            }
            let file = OpenOptions::new().write(true).open(&target);
            let file = file.map_err(|error| fault("the target cannot be opened", &error))?;
            return Ok(Replacement { file, names: None, durable: false });
        }
        let folder = folder_of(&target);
        let (file, name) = temporary(folder)?;
        let made = Replacement { file, names: Some((name, target)), durable };
        if let Some(old) = old {
            made.imitate(&old)?;
        }
        Ok(made)
    }

    /// Owner, as far as the system allows it, and mode of the file that is replaced.
    fn imitate(&self, old: &std::fs::Metadata) -> Result<(), Fault> {
        let new = self.file.metadata().map_err(|error| fault("the new file cannot be looked at", &error))?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            // Only the administrator may give files away; anybody else gets what any editor leaves.
            let _ = std::os::unix::fs::fchown(&self.file, Some(old.uid()), Some(old.gid()));
        }
        let mode = Permissions::from_mode(old.mode() & 0o7777);
        self.file.set_permissions(mode).map_err(|error| fault("the mode cannot be kept", &error))
    }

    /// Writes all slices, in order.
    pub fn write(&mut self, mut parts: &mut [IoSlice<'_>]) -> Result<(), Fault> {
        IoSlice::advance_slices(&mut parts, 0);
        while !parts.is_empty() {
            match self.file.write_vectored(parts) {
                Ok(0) => return Err(Fault::new(Status::IO, "", "the file takes no more bytes")),
                Ok(n) => IoSlice::advance_slices(&mut parts, n),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fault("writing the file failed", &error)),
            }
        }
        Ok(())
    }

    /// The file is complete: it takes its name.
    pub fn commit(mut self) -> Result<(), Fault> {
        if self.durable {
            self.file.sync_all().map_err(|error| fault("the file cannot be synced", &error))?;
        }
        let Some((name, target)) = &self.names else { return Ok(()) };
        std::fs::rename(name, target).map_err(|error| fault("the file cannot be renamed", &error))?;
        let names = self.names.take();
        if let Some((_, target)) = names.filter(|_| self.durable) {
            let synced = File::open(folder_of(&target)).and_then(|folder| folder.sync_all());
            synced.map_err(|error| fault("the folder cannot be synced", &error))?;
        }
        Ok(())
    }

    /// Leaves everything on the disk as it is: for a process that is not the one that made it.
    pub fn forget(mut self) {
        self.names = None;
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some((name, _)) = &self.names {
            // Nobody can be told, and the name says what it is.
            let _ = std::fs::remove_file(name);
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The path behind symbolic links, whether or not there is a file.
fn follow(path: &Path) -> Result<PathBuf, Fault> {
    let mut path = joined(Path::new(""), path.as_os_str().as_bytes())?;
    let mut link = [0u8; libc::PATH_MAX as usize];
    for _ in 0..MAX_LINKS {
        match read_link(&path, &mut link) {
            Some(link) => path = joined(folder_of(&path), link)?,
            None => return Ok(path),
        }
    }
    Err(fault("too many symbolic links", &io::Error::from_raw_os_error(libc::ELOOP)))
}

/// What a symbolic link says; none where there is no link. The standard library's call would abort without memory.
fn read_link<'a>(path: &Path, room: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut name = [0u8; libc::PATH_MAX as usize];
    let path = path.as_os_str().as_bytes();
    // A longer one has no file behind it; the last byte stays 0.
    name.get_mut(..path.len()).filter(|to| to.len() < libc::PATH_MAX as usize)?.copy_from_slice(path);
    // SAFETY: the name ends with 0, and the room has the length that is said.
    let len = unsafe { libc::readlink(name.as_ptr().cast(), room.as_mut_ptr().cast(), room.len()) };
    room.get(..usize::try_from(len).ok()?)
}

/// A name in a folder, or the name itself where it begins with a slash.
fn joined(folder: &Path, name: &[u8]) -> Result<PathBuf, Fault> {
    let folder = folder.as_os_str().as_bytes();
    let mut path = Vec::new();
    path.try_reserve_exact(folder.len() + 1 + name.len()).map_err(|_| Fault::out_of_memory())?;
    if !folder.is_empty() && !name.starts_with(b"/") {
        path.extend_from_slice(folder);
        path.push(b'/');
    }
    path.extend_from_slice(name);
    Ok(OsString::from_vec(path).into())
}

/// A new file under a name that nobody has.
fn temporary(folder: &Path) -> Result<(File, PathBuf), Fault> {
    let keys = RandomState::new();
    for attempt in 0..100u32 {
        let mut name = *b".hurray-0000000000000000.tmp";
        let mut digits = name.get_mut(8..24).unwrap_or_default();
        // Sixteen digits fit.
        let _ = write!(digits, "{:016x}", keys.hash_one((std::process::id(), attempt)));
        let name = joined(folder, &name)?;
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Ok(file) => return Ok((file, name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(fault("a file beside the target cannot be made", &error)),
        }
    }
    Err(fault("no free name beside the target", &io::Error::from_raw_os_error(libc::EEXIST)))
}
