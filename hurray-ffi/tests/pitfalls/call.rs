//! The C functions that these tests go through.

use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

pub const OK: i32 = 0;
pub const NULL_POINTER: i32 = -6;
pub const INVALID_DESCRIPTOR: i32 = -14;
pub const OVERFLOW: i32 = -16;
pub const BUFFER_MISMATCH: i32 = -17;
pub const INVALID_ARGUMENT: i32 = -21;
pub const LIMIT_EXCEEDED: i32 = -22;
pub const COPY_REQUIRED: i32 = -29;

/// This thread's text for its last failing call.
pub fn text() -> String {
    let (mut text, mut len) = ([0u8; 512], 512);
    // SAFETY: `len` is the room of `text`.
    assert_eq!(unsafe { hurray_last_error_message(text.as_mut_ptr().cast(), &raw mut len) }, OK);
    String::from_utf8_lossy(&text[..len]).into_owned()
}

/// A tensor handle.
#[derive(Debug)]
pub struct Tensor(pub *mut HurrayTensor);

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_tensor_destroy(&raw mut self.0) }, OK);
    }
}

fn made(status: i32, out: *mut HurrayTensor) -> Result<Tensor, i32> {
    assert_eq!(status == OK, !out.is_null());
    if status == OK { Ok(Tensor(out)) } else { Err(status) }
}

/// Wraps an array whose memory outlives the test's tensors.
pub fn array(
    type_tag: u8,
    shape: &[u64],
    strides: Option<&[i64]>,
    data: *const c_void,
    options: *const HurrayOptions,
) -> Result<Tensor, i32> {
    let strides = strides.map_or(null(), <[i64]>::as_ptr);
    let mut out = std::ptr::dangling_mut();
    // SAFETY: shape and strides are slices of one length; the caller's memory holds every element.
    let status = unsafe {
        hurray_tensor_from_array(
            type_tag,
            shape.as_ptr(),
            shape.len(),
            strides,
            data.cast_mut(),
            0,
            0,
            0,
            0,
            options,
            null_mut(),
            None,
            &raw mut out,
        )
    };
    made(status, out)
}

/// What an array view says.
#[derive(Debug, PartialEq)]
pub struct View {
    pub data: usize,
    pub shape: Vec<u64>,
    pub strides: Vec<i64>,
    pub flags: u32,
}

impl Tensor {
    pub fn view(&self) -> Result<View, i32> {
        let (mut data, mut rank, mut flags) = (null_mut(), 64, 0);
        let (mut shape, mut strides) = (vec![0; 64], vec![0; 64]);
        // SAFETY: a live tensor; `rank` is the room of both arrays.
        let status = unsafe {
            hurray_tensor_array_view(
                self.0,
                &raw mut data,
                shape.as_mut_ptr(),
                strides.as_mut_ptr(),
                &raw mut rank,
                &raw mut flags,
            )
        };
        shape.truncate(rank);
        strides.truncate(rank);
        if status == OK { Ok(View { data: data.addr(), shape, strides, flags }) } else { Err(status) }
    }

    pub fn part(&self, role: u32) -> Result<Tensor, i32> {
        let mut out = std::ptr::dangling_mut();
        // SAFETY: a live tensor; the output is this frame's own.
        made(unsafe { hurray_tensor_part(self.0, role, 0, &raw mut out) }, out)
    }

    /// The flags of buffer 0.
    pub fn buffer_flags(&self) -> u32 {
        let (mut list, mut buffer, mut flags) = (null_mut(), null_mut(), 0);
        // SAFETY: a live tensor, which lends its list and buffer.
        unsafe {
            assert_eq!(hurray_tensor_buffers(self.0, &raw mut list), OK);
            assert_eq!(hurray_buffer_list_get(list, 0, &raw mut buffer), OK);
            assert_eq!(hurray_buffer_flags(buffer, &raw mut flags), OK);
        }
        flags
    }
}

/// A value for a builder.
pub enum Set<'a> {
    U(u32, u64),
    Us(u32, &'a [u64]),
}

/// Element type, layout and shape of a descriptor, and its fields.
pub struct Plan<'a>(pub u8, pub u8, pub &'a [u64], pub &'a [Set<'a>]);

/// A builder with fields, and the buffers given or, without any, those that the layout implies.
fn builder(plan: &Plan<'_>, sizes: Option<&[u64]>) -> (*mut HurrayDescriptorBuilder, i32) {
    let Plan(type_tag, layout_tag, shape, fields) = *plan;
    let mut builder = null_mut();
    // SAFETY: the shape is a slice; the builder is this function's own until it is given out.
    unsafe {
        let (data, rank) = (shape.as_ptr(), shape.len());
        assert_eq!(hurray_descriptor_builder_new(type_tag, layout_tag, data, rank, &raw mut builder), OK);
        for field in fields {
            let status = match field {
                Set::U(id, value) => hurray_descriptor_builder_set_u64(builder, *id, 0, *value),
                Set::Us(id, of) => {
                    hurray_descriptor_builder_set_u64_array(builder, *id, 0, of.as_ptr(), of.len())
                }
            };
            assert_eq!(status, OK, "{}", text());
        }
        let status = match sizes {
            None => hurray_descriptor_builder_push_default_buffers(builder),
            Some(sizes) => sizes
                .iter()
                .map(|&size| hurray_descriptor_builder_push_buffer(builder, size, 64, 0, 0, 0))
                .find(|&status| status != OK)
                .unwrap_or(OK),
        };
        (builder, status)
    }
}

/// The descriptor's buffer sizes, or the status that refuses it.
pub fn sizes(plan: &Plan<'_>, given: Option<&[u64]>) -> Result<Vec<u64>, i32> {
    with_descriptor(plan, given, |descriptor| {
        let (mut count, mut sizes) = (0, Vec::new());
        // SAFETY: a live descriptor; the outputs are this frame's own.
        unsafe {
            assert_eq!(hurray_descriptor_buffer_count(descriptor, &raw mut count), OK);
            for level in 0..count {
                let mut size = 0;
                assert_eq!(hurray_descriptor_field_u64(descriptor, 0x0007_0000, level, &raw mut size), OK);
                sizes.push(size);
            }
        }
        sizes
    })
}

/// Runs something on a planned descriptor.
pub fn with_descriptor<R>(
    plan: &Plan<'_>,
    given: Option<&[u64]>,
    body: impl FnOnce(*mut HurrayDescriptor) -> R,
) -> Result<R, i32> {
    let (mut builder, mut status) = builder(plan, given);
    let mut descriptor = null_mut();
    // SAFETY: live handles of this function's own, each ended once.
    unsafe {
        if status == OK {
            status = hurray_descriptor_builder_finish(builder, &raw mut descriptor);
        }
        assert_eq!(hurray_descriptor_builder_destroy(&raw mut builder), OK);
        let result = if status == OK { Ok(body(descriptor)) } else { Err(status) };
        assert_eq!(hurray_descriptor_destroy(&raw mut descriptor), OK);
        result
    }
}

/// An address aligned to anything, which nobody reads.
const NOWHERE: *mut c_void = std::ptr::without_provenance_mut(1 << 40);

/// A tensor of a planned descriptor, over buffers of its sizes that nobody reads.
pub fn tensor(plan: &Plan<'_>, given: Option<&[u64]>, release: HurrayReleaseCallback) -> Result<Tensor, i32> {
    let sizes = sizes(plan, given)?;
    with_descriptor(plan, given, |descriptor| {
        let (mut list, mut out) = (null_mut(), null_mut());
        // SAFETY: every handle is this frame's own, passed where the contract wants it.
        unsafe {
            assert_eq!(hurray_buffer_list_new(0, &raw mut list), OK);
            for (number, size) in sizes.into_iter().enumerate() {
                let (mut buffer, context) = (null_mut(), std::ptr::without_provenance_mut(number));
                let out = &raw mut buffer;
                assert_eq!(hurray_buffer_from_ptr(NOWHERE, size, 64, 0, 0, 0, release, context, out), OK);
                assert_eq!(hurray_buffer_list_push(list, buffer), OK);
            }
            let status = hurray_tensor_from_descriptor(descriptor, list, null_mut(), None, &raw mut out);
            if status != OK {
                assert_eq!(hurray_buffer_list_destroy(&raw mut list), OK);
            }
            made(status, out)
        }
    })?
}
