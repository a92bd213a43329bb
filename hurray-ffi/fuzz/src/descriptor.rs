//! Descriptor handles, as safe Rust.

use hurray::abi::*;
use std::ptr::null_mut;

/// A descriptor handle.
pub struct Descriptor(pub *mut HurrayDescriptor);

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_descriptor_destroy(&raw mut self.0) }, 0);
    }
}

fn made(status: i32, out: *mut HurrayDescriptor) -> Option<Descriptor> {
    assert_eq!(status == 0, !out.is_null());
    (status == 0).then(|| Descriptor(out))
}

/// The descriptor at the front of these bytes.
pub fn decode(bytes: &[u8], permissive: bool) -> Option<Descriptor> {
    let mut out = std::ptr::dangling_mut();
    let flags = u32::from(permissive);
    // SAFETY: the bytes are a slice; the output is this frame's own.
    let status = unsafe { hurray_descriptor_decode_with(bytes.as_ptr(), bytes.len(), flags, &raw mut out) };
    made(status, out)
}

/// The descriptor of these words.
pub fn from_fields(words: &[u64]) -> Option<Descriptor> {
    let mut out = std::ptr::dangling_mut();
    // SAFETY: the words are a slice; the output is this frame's own.
    made(unsafe { hurray_descriptor_from_fields(words.as_ptr(), words.len(), &raw mut out) }, out)
}

/// An array by the capacity idiom.
fn array<T: Copy + Default>(call: impl Fn(*mut T, *mut usize) -> i32) -> Vec<T> {
    let mut len = 0;
    let short = call(null_mut(), &raw mut len);
    assert!(short == if len == 0 { 0 } else { -5 });
    let mut values = vec![T::default(); len];
    assert_eq!(call(values.as_mut_ptr(), &raw mut len), 0);
    assert_eq!(len, values.len());
    values
}

impl Descriptor {
    pub fn encode(&self) -> Vec<u8> {
        // SAFETY: a live handle; `array` passes the room of its array.
        array(|out, len| unsafe { hurray_descriptor_encode(self.0, out, len) })
    }

    /// All fields in the bulk form.
    pub fn words(&self) -> Vec<u64> {
        // SAFETY: as above.
        array(|out, len| unsafe { hurray_descriptor_fields(self.0, out, len) })
    }

    /// The describing line.
    pub fn line(&self) -> String {
        // SAFETY: as above; text is written as bytes.
        let text: Vec<u8> =
            array(|out: *mut u8, len| unsafe { hurray_descriptor_describe(self.0, out.cast(), len) });
        String::from_utf8(text).expect("UTF-8")
    }
}
