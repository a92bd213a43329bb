//! Files and streams, over any source or sink of bytes. Knows nothing of C.
//!
//! `file` and `stream` are safe and make no system call; `os` holds the few that the standard library lacks.

pub mod file;
pub mod os;
pub mod stream;
