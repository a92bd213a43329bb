//! The C functions that the rule tests go through, as safe Rust.

use super::status;
use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// What a failing call said.
#[derive(Debug, PartialEq)]
pub struct Refusal {
    pub status: i32,
    pub text: String,
    pub offset: Option<u64>,
}

impl Refusal {
    /// The rule that the text starts with, or nothing.
    pub fn rule(&self) -> &str {
        self.text.split_once(": ").map_or("", |(rule, _)| rule)
    }
}

/// The outcome of a call on this thread.
pub fn outcome(got: i32) -> Result<(), Refusal> {
    if got == status::OK {
        return Ok(());
    }
    let (mut of, mut offset, mut len) = (0, 0, 512);
    let mut text = vec![0u8; len];
    // SAFETY: the outputs are this frame's own, and `len` is the room of `text`.
    unsafe {
        assert_eq!(hurray_last_error_info(&raw mut of, null_mut(), &raw mut offset), status::OK);
        assert_eq!(hurray_last_error_message(text.as_mut_ptr().cast(), &raw mut len), status::OK);
    }
    text.truncate(len);
    assert_eq!(of, got, "the stored text belongs to another status");
    let text = String::from_utf8(text).expect("UTF-8");
    Err(Refusal { status: got, text, offset: (offset != u64::MAX).then_some(offset) })
}

/// An owned descriptor handle.
#[derive(Debug)]
pub struct Descriptor(pub(super) *mut HurrayDescriptor);

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_descriptor_destroy(&raw mut self.0) }, status::OK);
    }
}

/// Strict decoding.
pub fn decode(bytes: &[u8]) -> Result<Descriptor, Refusal> {
    let mut out = std::ptr::dangling_mut();
    // SAFETY: the bytes are a slice, the output is this frame's own.
    let got = unsafe { hurray_descriptor_decode(bytes.as_ptr(), bytes.len(), &raw mut out) };
    made(got, out)
}

/// Permissive decoding.
pub fn decode_permissive(bytes: &[u8]) -> Result<Descriptor, Refusal> {
    let mut out = std::ptr::dangling_mut();
    // SAFETY: as in `decode`; 1 is the flag of permissive reading.
    let got = unsafe { hurray_descriptor_decode_with(bytes.as_ptr(), bytes.len(), 1, &raw mut out) };
    made(got, out)
}

fn made(got: i32, out: *mut HurrayDescriptor) -> Result<Descriptor, Refusal> {
    let result = outcome(got);
    assert_eq!(result.is_err(), out.is_null(), "an out-handle is NULL exactly when the call fails");
    result.map(|()| Descriptor(out))
}

impl Descriptor {
    /// Where an element is.
    pub fn element_offset(&self, index: &[u64]) -> Result<u64, Refusal> {
        let mut offset = 0;
        // SAFETY: a live handle; the index is a slice, the output this frame's own.
        outcome(unsafe {
            hurray_descriptor_element_offset(self.0, index.as_ptr(), index.len(), &raw mut offset)
        })?;
        Ok(offset)
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut len = 0;
        // SAFETY: a live handle; a NULL array asks for the length.
        let got = unsafe { hurray_descriptor_encode(self.0, null_mut(), &raw mut len) };
        assert_eq!(got, status::BUFFER_TOO_SMALL);
        let mut bytes = vec![0xA5; len];
        // SAFETY: as above; `len` is the room of `bytes`.
        assert_eq!(unsafe { hurray_descriptor_encode(self.0, bytes.as_mut_ptr(), &raw mut len) }, status::OK);
        assert_eq!(len, bytes.len());
        bytes
    }

    pub fn shape(&self) -> Vec<u64> {
        let (mut shape, mut len) = ([0; 64], 64);
        // SAFETY: a live handle; `len` is the room of `shape`.
        assert_eq!(unsafe { hurray_descriptor_shape(self.0, shape.as_mut_ptr(), &raw mut len) }, status::OK);
        shape[..len].to_vec()
    }

    /// Status, and the value if there is one.
    pub fn u64(&self, field: u32, level: u32) -> Result<u64, i32> {
        let mut value = 0;
        // SAFETY: a live handle, the output is this frame's own.
        let got = unsafe { hurray_descriptor_field_u64(self.0, field, level, &raw mut value) };
        if got == status::OK { Ok(value) } else { Err(got) }
    }

    pub fn f64(&self, field: u32) -> Result<f64, i32> {
        let mut value = 0.0;
        // SAFETY: a live handle, the output is this frame's own.
        let got = unsafe { hurray_descriptor_field_f64(self.0, field, 0, &raw mut value) };
        if got == status::OK { Ok(value) } else { Err(got) }
    }

    pub fn i64s(&self, field: u32) -> Result<Vec<i64>, i32> {
        let (mut values, mut len) = (vec![0; 64], 64);
        // SAFETY: a live handle; `len` is the room of `values`.
        let got =
            unsafe { hurray_descriptor_field_i64_array(self.0, field, 0, values.as_mut_ptr(), &raw mut len) };
        values.truncate(len);
        if got == status::OK { Ok(values) } else { Err(got) }
    }

    pub fn bytes(&self, field: u32) -> Result<Vec<u8>, i32> {
        let (mut bytes, mut len) = (vec![0; 1024], 1024);
        // SAFETY: a live handle; `len` is the room of `bytes`.
        let got =
            unsafe { hurray_descriptor_field_bytes(self.0, field, 0, bytes.as_mut_ptr(), &raw mut len) };
        bytes.truncate(len);
        if got == status::OK { Ok(bytes) } else { Err(got) }
    }

    pub fn u64s(&self, field: u32) -> Result<Vec<u64>, i32> {
        let (mut values, mut len) = (vec![0; 64], 64);
        // SAFETY: a live handle; `len` is the room of `values`.
        let got =
            unsafe { hurray_descriptor_field_u64_array(self.0, field, 0, values.as_mut_ptr(), &raw mut len) };
        values.truncate(len);
        if got == status::OK { Ok(values) } else { Err(got) }
    }

    /// The descriptor made again of all its fields in bulk.
    pub fn rebuilt(&self) -> Result<Descriptor, Refusal> {
        from_words(&self.words())
    }

    /// The same with another value of one field. Derived fields are left out: they would not agree.
    pub fn rebuilt_with(&self, field: u32, level: u32, value: u64) -> Result<Descriptor, Refusal> {
        let words = self.words();
        let (mut changed, mut found, mut at) = (Vec::new(), false, 0);
        while let Some(&[head, count]) = words.get(at..at + 2) {
            let (id, its_level, kind) = (head as u32, (head >> 32) as u16, head >> 48);
            let len = if kind == 6 { count.div_ceil(8) } else { count } as usize;
            let part = &words[at..at + 2 + len];
            at += part.len();
            if id & 0xFF >= 0x80
                || matches!(id, 0x0008_0000..=0x0008_0002 | 0x0008_0005 | 0x0008_0008 | 0x0001_0405)
            {
                continue;
            }
            changed.extend(part);
            if (id, u32::from(its_level)) == (field, level) {
                found = true;
                *changed.last_mut().expect("a value") = value;
            }
        }
        assert!(found, "no field {field:08x}");
        from_words(&changed)
    }

    fn words(&self) -> Vec<u64> {
        let (mut words, mut len) = (vec![0; 1024], 1024);
        // SAFETY: a live handle; `len` is the room of `words`.
        assert_eq!(unsafe { hurray_descriptor_fields(self.0, words.as_mut_ptr(), &raw mut len) }, status::OK);
        words.truncate(len);
        words
    }
}

fn from_words(words: &[u64]) -> Result<Descriptor, Refusal> {
    let mut out = std::ptr::dangling_mut();
    // SAFETY: the words are a slice, the output is this frame's own.
    let got = unsafe { hurray_descriptor_from_fields(words.as_ptr(), words.len(), &raw mut out) };
    made(got, out)
}

/// A descriptor without a payload from the builder, with CPU buffers of 64-byte alignment.
pub fn build(type_tag: u8, layout_tag: u8, shape: &[u64], buffers: &[u64]) -> Result<Descriptor, Refusal> {
    let mut builder = std::ptr::dangling_mut();
    // SAFETY: the shape is a slice, the output is this frame's own.
    let got = unsafe {
        hurray_descriptor_builder_new(type_tag, layout_tag, shape.as_ptr(), shape.len(), &raw mut builder)
    };
    let result = outcome(got);
    assert_eq!(result.is_err(), builder.is_null());
    result?;
    for &size in buffers {
        // SAFETY: a live builder.
        assert_eq!(unsafe { hurray_descriptor_builder_push_buffer(builder, size, 64, 0, 0, 0) }, status::OK);
    }
    let mut out = std::ptr::dangling_mut();
    // SAFETY: a live builder; the output is this frame's own.
    let result = made(unsafe { hurray_descriptor_builder_finish(builder, &raw mut out) }, out);
    // SAFETY: owned, and ended once.
    assert_eq!(unsafe { hurray_descriptor_builder_destroy(&raw mut builder) }, status::OK);
    result
}

/// Memory a buffer may point into; aligned far beyond what the tests declare.
#[repr(align(4096))]
struct Page([u8; 8192]);
static PAGE: Page = Page([0; 8192]);

/// A buffer as a producer hands it over: `skew` bytes past a 4096-byte boundary.
#[derive(Clone, Copy)]
pub struct Memory {
    pub size: u64,
    pub alignment: u32,
    pub kind: [u8; 3],
    pub skew: usize,
}

/// CPU memory of 64-byte alignment, on a page boundary.
pub fn memory(size: u64) -> Memory {
    Memory { size, alignment: 64, kind: [0, 0, 0], skew: 0 }
}

/// An owned buffer handle.
#[derive(Debug)]
pub struct Buffer(*mut HurrayBuffer);

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: owned or NULL, and ended once.
        assert_eq!(unsafe { hurray_buffer_destroy(&raw mut self.0) }, status::OK);
    }
}

/// Wraps memory that is never written to or read from.
pub fn buffer(of: Memory) -> Result<Buffer, Refusal> {
    buffer_at((&raw const PAGE.0).cast::<u8>().wrapping_add(of.skew).cast(), of)
}

/// Wraps a given pointer, which a test never reads through.
pub fn buffer_at(data: *const c_void, of: Memory) -> Result<Buffer, Refusal> {
    let Memory { size, alignment, kind: [device, sync, class], .. } = of;
    let mut out = std::ptr::dangling_mut();
    // SAFETY: no accessor of this file reads the memory; the output is this frame's own.
    let got = unsafe {
        hurray_buffer_from_ptr(
            data.cast_mut(),
            size,
            alignment,
            device,
            sync,
            class,
            None,
            null_mut(),
            &raw mut out,
        )
    };
    let result = outcome(got);
    assert_eq!(result.is_err(), out.is_null());
    result.map(|()| Buffer(out))
}

/// An owned tensor handle.
#[derive(Debug)]
pub struct Tensor(pub *mut HurrayTensor);

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_tensor_destroy(&raw mut self.0) }, status::OK);
    }
}

/// Joins descriptor bytes and buffers. The list must come back when the call fails.
pub fn tensor(descriptor: &[u8], buffers: &[Memory]) -> Result<Tensor, Refusal> {
    let mut list = null_mut();
    // SAFETY: every handle is this function's own, passed where the contract wants it, and ended once.
    unsafe {
        assert_eq!(hurray_buffer_list_new(buffers.len() as u64, &raw mut list), status::OK);
        for &of in buffers {
            let mut handle = buffer(of).expect("a buffer");
            assert_eq!(hurray_buffer_list_push(list, handle.0), status::OK);
            handle.0 = null_mut();
        }
        let mut out = std::ptr::dangling_mut();
        let (data, len) = (descriptor.as_ptr(), descriptor.len() as u64);
        let got = hurray_tensor_new(10, data, len, list, null_mut(), None, &raw mut out);
        let result = outcome(got);
        assert_eq!(result.is_err(), out.is_null());
        if result.is_err() {
            let mut held = 0;
            assert_eq!(hurray_buffer_list_len(list, &raw mut held), status::OK);
            assert_eq!(held, buffers.len() as u64, "a failed call takes nothing");
            assert_eq!(hurray_buffer_list_destroy(&raw mut list), status::OK);
        }
        result.map(|()| Tensor(out))
    }
}

/// What travels beside a buffer at its hand-off. A handle is any address: nothing looks behind it.
#[derive(Clone, Copy)]
pub enum Payload {
    Synced { event: bool, stream: bool },
    Event { event: bool, device: u8, release: bool },
    Stream { stream: bool, device: u8 },
}

unsafe extern "C" fn never_called(_: *mut c_void, _: *mut c_void) {
    std::process::abort();
}

/// Checks a payload against a buffer.
pub fn hand_off(buffer: &Buffer, payload: Payload) -> Result<(), Refusal> {
    let handle = |given: bool| if given { std::ptr::dangling::<c_void>() } else { null() };
    // SAFETY: a live buffer; handles are compared with NULL only.
    outcome(unsafe {
        match payload {
            Payload::Synced { event, stream } => {
                hurray_buffer_handoff_producer_synced(buffer.0, handle(event), handle(stream))
            }
            Payload::Event { event, device, release } => hurray_buffer_handoff_event(
                buffer.0,
                handle(event),
                device,
                release.then_some(never_called as unsafe extern "C" fn(*mut c_void, *mut c_void)),
            ),
            Payload::Stream { stream, device } => {
                hurray_buffer_handoff_consumer_stream(buffer.0, handle(stream), device)
            }
        }
    })
}
