//! Text out, by the capacity idiom, written without allocating.

use super::guard::{Filler, put_array};
use crate::format::Fault;
use std::ffi::c_char;
use std::fmt::{self, Write};

struct Count(usize);

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

struct Into<'a>(&'a mut Filler<c_char>);

impl Write for Into<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend(text.bytes().map(|byte| byte as c_char));
        Ok(())
    }
}

/// Writes text that `line` produces, the same each time it is called: once to measure, once into the caller's array.
///
/// # Safety
/// As [`put_array`].
pub(crate) unsafe fn put_text(
    out: *mut c_char,
    out_len: *mut usize,
    line: impl Fn(&mut dyn Write) -> fmt::Result,
) -> Result<(), Fault> {
    let mut count = Count(0);
    // Neither writer fails.
    let _ = line(&mut count);
    let fill = |to: &mut Filler<c_char>| {
        let _ = line(&mut Into(to));
    };
    // SAFETY: as this function's own.
    unsafe { put_array(out, out_len, count.0, fill) }
}
