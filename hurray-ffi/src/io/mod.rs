//! Files: the container, read and written over any source or sink of bytes. Knows nothing of C.
//!
//! `file` is safe and makes no system call; `os` holds the few that the standard library lacks.

pub mod file;
pub mod os;
