//! The capacity idiom: room in, true length out.

use crate::error::{Error, Result, Status, check};
use crate::sys;

/// Reads an array: `N` items on the stack first, and if they do not do, once more with the true length.
pub(crate) fn array<T: Copy + Default, const N: usize>(
    mut call: impl FnMut(*mut T, *mut usize) -> sys::HurrayStatus,
) -> Result<Vec<T>> {
    let mut items = Vec::new();
    let mut first = [T::default(); N];
    let mut len = N;
    match call(first.as_mut_ptr(), &mut len) {
        sys::HURRAY_ERR_BUFFER_TOO_SMALL => {
            reserve(&mut items, len)?;
            items.resize(len, T::default());
            check(call(items.as_mut_ptr(), &mut len))?;
            items.truncate(len);
        }
        status => {
            check(status)?;
            reserve(&mut items, len)?;
            items.extend_from_slice(first.get(..len).unwrap_or_default());
        }
    }
    Ok(items)
}

/// Reads text.
pub(crate) fn text(
    mut call: impl FnMut(*mut std::ffi::c_char, *mut usize) -> sys::HurrayStatus,
) -> Result<String> {
    let bytes = array::<u8, 256>(|out, len| call(out.cast(), len))?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|bytes| String::from_utf8_lossy(bytes.as_bytes()).into_owned()))
}

/// Makes room for what input sizes, or says that there is none.
pub(crate) fn reserve<T>(items: &mut Vec<T>, count: usize) -> Result<()> {
    items
        .try_reserve_exact(count)
        .map_err(|_| Error::new(Status::OUT_OF_MEMORY, format!("no memory for {count} items")))
}
