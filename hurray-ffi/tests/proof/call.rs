//! The C functions that these tests go through, as safe Rust.

use crate::fields::Value;
use hurray::abi::*;
use std::ptr::null_mut;

pub const OK: i32 = 0;
pub const BUFFER_TOO_SMALL: i32 = -5;
pub const OUT_OF_MEMORY: i32 = -25;

/// This thread's text for its last failing call.
pub fn last_text() -> String {
    let (mut text, mut len) = ([0u8; 512], 512);
    // SAFETY: `len` is the room of `text`.
    assert_eq!(unsafe { hurray_last_error_message(text.as_mut_ptr().cast(), &raw mut len) }, OK);
    String::from_utf8_lossy(&text[..len]).into_owned()
}

/// The rule that a text starts with.
pub fn rule_of(text: &str) -> &str {
    text.split_once(": ").map_or("", |(rule, _)| rule)
}

/// Makes and ends a handle: the first one of a thread takes the cell that the thread counts in, and keeps it.
pub fn warm_up() {
    drop(Builder::new(3, 1, &[]));
}

/// A descriptor handle.
#[derive(Debug)]
pub struct Descriptor(pub *mut HurrayDescriptor);

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_descriptor_destroy(&raw mut self.0) }, OK);
    }
}

/// The handle, or the status.
fn made(status: i32, out: *mut HurrayDescriptor) -> Result<Descriptor, i32> {
    assert_eq!(status == OK, !out.is_null(), "an out-handle is NULL exactly when the call fails");
    if status == OK { Ok(Descriptor(out)) } else { Err(status) }
}

pub fn decode(bytes: &[u8], permissive: bool) -> Result<Descriptor, i32> {
    let mut out = std::ptr::dangling_mut();
    // SAFETY: the bytes are a slice; the output is this frame's own.
    let status = unsafe {
        match permissive {
            false => hurray_descriptor_decode(bytes.as_ptr(), bytes.len(), &raw mut out),
            true => hurray_descriptor_decode_with(bytes.as_ptr(), bytes.len(), 1, &raw mut out),
        }
    };
    made(status, out)
}

pub fn from_fields(words: &[u64]) -> Result<Descriptor, i32> {
    let mut out = std::ptr::dangling_mut();
    // SAFETY: the words are a slice; the output is this frame's own.
    made(unsafe { hurray_descriptor_from_fields(words.as_ptr(), words.len(), &raw mut out) }, out)
}

/// An array by the capacity idiom.
fn array<T: Copy + Default>(mut call: impl FnMut(*mut T, *mut usize) -> i32) -> Result<Vec<T>, i32> {
    let mut len = 0;
    match call(null_mut(), &raw mut len) {
        OK => return Ok(Vec::new()),
        BUFFER_TOO_SMALL => {}
        status => return Err(status),
    }
    let (mut values, room) = (vec![T::default(); len], len);
    let status = call(values.as_mut_ptr(), &raw mut len);
    assert_eq!((status, len), (OK, room));
    Ok(values)
}

impl Descriptor {
    pub fn encode(&self) -> Vec<u8> {
        // SAFETY: a live handle; `array` passes the room of its array.
        array(|out, len| unsafe { hurray_descriptor_encode(self.0, out, len) }).expect("encodes")
    }

    /// All fields in the bulk form.
    pub fn words(&self) -> Vec<u64> {
        // SAFETY: as above.
        array(|out, len| unsafe { hurray_descriptor_fields(self.0, out, len) }).expect("has fields")
    }

    /// A field of the kind of `like`.
    pub fn get(&self, id: u32, level: u32, like: &Value) -> Result<Value, i32> {
        let (d, mut unsigned, mut signed, mut real) = (self.0, 0, 0, 0.0);
        let scalar = |status: i32| if status == OK { Ok(()) } else { Err(status) };
        // SAFETY: a live handle; scalars go to this frame, arrays as above.
        unsafe {
            Ok(match like {
                Value::U(_) => {
                    scalar(hurray_descriptor_field_u64(d, id, level, &raw mut unsigned))?;
                    Value::U(unsigned)
                }
                Value::I(_) => {
                    scalar(hurray_descriptor_field_i64(d, id, level, &raw mut signed))?;
                    Value::I(signed)
                }
                Value::F(_) => {
                    scalar(hurray_descriptor_field_f64(d, id, level, &raw mut real))?;
                    Value::F(real)
                }
                Value::Us(_) => {
                    Value::Us(array(|to, len| hurray_descriptor_field_u64_array(d, id, level, to, len))?)
                }
                Value::Is(_) => {
                    Value::Is(array(|to, len| hurray_descriptor_field_i64_array(d, id, level, to, len))?)
                }
                Value::Bytes(_) => {
                    Value::Bytes(array(|to, len| hurray_descriptor_field_bytes(d, id, level, to, len))?)
                }
            })
        }
    }
}

/// A builder handle.
pub struct Builder(pub *mut HurrayDescriptorBuilder);

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_descriptor_builder_destroy(&raw mut self.0) }, OK);
    }
}

impl Builder {
    pub fn new(type_tag: u8, layout_tag: u8, shape: &[u64]) -> Result<Builder, i32> {
        let mut out = std::ptr::dangling_mut();
        // SAFETY: the shape is a slice; the output is this frame's own.
        let status = unsafe {
            hurray_descriptor_builder_new(type_tag, layout_tag, shape.as_ptr(), shape.len(), &raw mut out)
        };
        assert_eq!(status == OK, !out.is_null());
        if status == OK { Ok(Builder(out)) } else { Err(status) }
    }

    pub fn set(&mut self, id: u32, level: u32, value: &Value) -> i32 {
        let b = self.0;
        // SAFETY: a live builder, used by this thread alone; arrays are slices.
        unsafe {
            match value {
                Value::U(value) => hurray_descriptor_builder_set_u64(b, id, level, *value),
                Value::I(value) => hurray_descriptor_builder_set_i64(b, id, level, *value),
                Value::F(value) => hurray_descriptor_builder_set_f64(b, id, level, *value),
                Value::Us(values) => {
                    hurray_descriptor_builder_set_u64_array(b, id, level, values.as_ptr(), values.len())
                }
                Value::Is(values) => {
                    hurray_descriptor_builder_set_i64_array(b, id, level, values.as_ptr(), values.len())
                }
                Value::Bytes(bytes) => {
                    hurray_descriptor_builder_set_bytes(b, id, level, bytes.as_ptr(), bytes.len())
                }
            }
        }
    }

    pub fn push(&mut self, entry: &crate::model::Entry) -> i32 {
        let crate::model::Entry { byte_size, alignment, device, sync, class } = *entry;
        // SAFETY: a live builder, used by this thread alone.
        unsafe { hurray_descriptor_builder_push_buffer(self.0, byte_size, alignment, device, sync, class) }
    }

    pub fn finish(&mut self) -> Result<Descriptor, i32> {
        let mut out = std::ptr::dangling_mut();
        // SAFETY: a live builder; the output is this frame's own.
        made(unsafe { hurray_descriptor_builder_finish(self.0, &raw mut out) }, out)
    }
}
