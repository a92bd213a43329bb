//! The C functions that these tests go through.

#![allow(clippy::undocumented_unsafe_blocks)]

use crate::formula::{Dense, Level, Order};
use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// A descriptor handle.
pub struct Descriptor(pub *mut HurrayDescriptor);

impl Drop for Descriptor {
    fn drop(&mut self) {
        assert_eq!(unsafe { hurray_descriptor_destroy(&mut self.0) }, 0);
    }
}

/// A tensor handle.
pub struct Tensor(pub *mut HurrayTensor);

impl Drop for Tensor {
    fn drop(&mut self) {
        assert_eq!(unsafe { hurray_tensor_destroy(&mut self.0) }, 0);
    }
}

/// Options of a call.
pub struct Options(pub *mut HurrayOptions);

impl Options {
    pub fn new(values: &[(u32, u64)]) -> Options {
        let mut options = null_mut();
        unsafe {
            assert_eq!(hurray_options_new(&mut options), 0);
            for &(option, value) in values {
                assert_eq!(hurray_options_set_u64(options, option, value), 0);
            }
        }
        Options(options)
    }
}

impl Drop for Options {
    fn drop(&mut self) {
        assert_eq!(unsafe { hurray_options_destroy(&mut self.0) }, 0);
    }
}

pub fn last_text() -> String {
    let (mut text, mut len) = ([0u8; 512], 512);
    assert_eq!(unsafe { hurray_last_error_message(text.as_mut_ptr().cast(), &mut len) }, 0);
    String::from_utf8_lossy(&text[..len]).into_owned()
}

/// The descriptor of a dense layout, with the least buffer; the status where it is refused.
pub fn descriptor(
    element_type: u8,
    dense: &Dense,
    shape: &[u64],
    byte_offset: u64,
) -> Result<Descriptor, i32> {
    let tag = match dense {
        Dense::Plain(Order::Row) => HURRAY_LAYOUT_ROW_MAJOR,
        Dense::Plain(Order::Column) => HURRAY_LAYOUT_COLUMN_MAJOR,
        Dense::Plain(Order::Strides(_)) => HURRAY_LAYOUT_STRIDED,
        Dense::Tiled(_) => HURRAY_LAYOUT_TILED,
        Dense::Morton(_) => HURRAY_LAYOUT_MORTON,
        Dense::Hilbert(_) => HURRAY_LAYOUT_HILBERT,
    };
    let mut builder = null_mut();
    let mut out = null_mut();
    unsafe {
        let made =
            hurray_descriptor_builder_new(element_type, tag, shape.as_ptr(), shape.len(), &mut builder);
        assert_eq!(made, 0);
        let set = |field, level, value| {
            assert_eq!(hurray_descriptor_builder_set_u64(builder, field, level, value), 0, "{}", last_text());
        };
        let set_words = |field, level, values: &[u64]| {
            let (data, len) = (values.as_ptr(), values.len());
            assert_eq!(hurray_descriptor_builder_set_u64_array(builder, field, level, data, len), 0);
        };
        let set_steps = |field, level, values: &[i64]| {
            let (data, len) = (values.as_ptr(), values.len());
            assert_eq!(hurray_descriptor_builder_set_i64_array(builder, field, level, data, len), 0);
        };
        set(HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, byte_offset);
        match dense {
            Dense::Plain(Order::Strides(strides)) => {
                set_steps(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides);
            }
            Dense::Plain(_) => {}
            Dense::Tiled(levels) => {
                for (depth, Level { tile, outer, inner }) in (0u32..).zip(levels) {
                    let number = |order: &Order| match order {
                        Order::Row => 1,
                        Order::Column => 2,
                        Order::Strides(_) => 3,
                    };
                    set_words(HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, depth, tile);
                    set(HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, depth, number(outer));
                    set(HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, depth, inner.as_ref().map_or(4, number));
                    if let Order::Strides(strides) = outer {
                        set_steps(HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, depth, strides);
                    }
                    if let Some(Order::Strides(strides)) = inner {
                        set_steps(HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, depth, strides);
                    }
                }
            }
            Dense::Morton(bits) => set_words(HURRAY_LAYOUT_FIELD_MORTON_BITS, 0, bits),
            Dense::Hilbert(order) => {
                set(HURRAY_LAYOUT_FIELD_HILBERT_ORDER, 0, *order);
                set(HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0, shape.len() as u64);
            }
        }
        let mut status = hurray_descriptor_builder_push_default_buffers(builder);
        if status == 0 {
            status = hurray_descriptor_builder_finish(builder, &mut out);
        }
        assert_eq!(hurray_descriptor_builder_destroy(&mut builder), 0);
        if status == 0 { Ok(Descriptor(out)) } else { Err(status) }
    }
}

/// The size that a descriptor declares of its first buffer.
pub fn declared(descriptor: *const HurrayDescriptor) -> u64 {
    let mut size = 0;
    let field = HURRAY_BUFFER_FIELD_BYTE_SIZE;
    assert_eq!(unsafe { hurray_descriptor_field_u64(descriptor, field, 0, &mut size) }, 0);
    size
}

/// A buffer of zeros, and its bytes.
pub fn room(byte_size: u64) -> (*mut HurrayBuffer, &'static mut [u8]) {
    let (mut buffer, mut data) = (null_mut(), null_mut::<c_void>());
    unsafe {
        assert_eq!(hurray_buffer_alloc(byte_size, 64, &mut buffer), 0);
        assert_eq!(hurray_buffer_data_ptr(buffer, &mut data), 0);
        if byte_size == 0 {
            return (buffer, &mut []);
        }
        (buffer, std::slice::from_raw_parts_mut(data.cast(), byte_size as usize))
    }
}

/// A tensor over a copy of bytes.
pub fn tensor(descriptor: &Descriptor, bytes: &[u8]) -> Tensor {
    let (buffer, data) = room(bytes.len() as u64);
    data.copy_from_slice(bytes);
    let (mut list, mut tensor) = (null_mut(), null_mut());
    unsafe {
        assert_eq!(hurray_buffer_list_new(1, &mut list), 0);
        assert_eq!(hurray_buffer_list_push(list, buffer), 0);
        let made = hurray_tensor_from_descriptor(descriptor.0, list, null_mut(), None, &mut tensor);
        assert_eq!(made, 0, "{}", last_text());
    }
    Tensor(tensor)
}

/// The declared bytes of a tensor's first buffer.
pub fn bytes(tensor: &Tensor) -> &[u8] {
    let (mut list, mut buffer, mut descriptor) = (null_mut(), null_mut(), null_mut());
    let mut data = null_mut::<c_void>();
    unsafe {
        assert_eq!(hurray_tensor_descriptor(tensor.0, &mut descriptor), 0);
        assert_eq!(hurray_tensor_buffers(tensor.0, &mut list), 0);
        assert_eq!(hurray_buffer_list_get(list, 0, &mut buffer), 0);
        assert_eq!(hurray_buffer_data_ptr(buffer, &mut data), 0);
        match declared(descriptor) as usize {
            0 => &[],
            len => std::slice::from_raw_parts(data.cast(), len),
        }
    }
}

/// A tensor in another layout, and the bytes written for it.
pub fn to_layout(
    tensor: &Tensor,
    target: Option<&Descriptor>,
    into: *const HurrayBuffer,
    options: Option<&Options>,
) -> Result<(Tensor, u64), i32> {
    let target = target.map_or(null(), |target| target.0.cast_const());
    let options = options.map_or(null(), |options| options.0.cast_const());
    let (mut written, mut out) = (u64::MAX, null_mut());
    let status = unsafe { hurray_tensor_to_layout(tensor.0, target, into, options, &mut written, &mut out) };
    assert_eq!(status == 0, !out.is_null());
    if status == 0 { Ok((Tensor(out), written)) } else { Err(status) }
}

/// Part of a tensor, and the bytes written for it.
pub fn slice(
    tensor: &Tensor,
    [start, stop, step]: [&[i64]; 3],
    options: Option<&Options>,
) -> Result<(Tensor, u64), i32> {
    let options = options.map_or(null(), |options| options.0.cast_const());
    let (mut written, mut out) = (u64::MAX, null_mut());
    let (a, b, c) = (start.as_ptr(), stop.as_ptr(), step.as_ptr());
    let status =
        unsafe { hurray_tensor_slice(tensor.0, a, b, c, start.len(), options, &mut written, &mut out) };
    assert_eq!(status == 0, !out.is_null());
    if status == 0 { Ok((Tensor(out), written)) } else { Err(status) }
}

pub fn element_offset(descriptor: &Descriptor, index: &[u64]) -> Result<i64, i32> {
    let mut offset = 0;
    let status =
        unsafe { hurray_descriptor_element_offset(descriptor.0, index.as_ptr(), index.len(), &mut offset) };
    if status == 0 { Ok(offset as i64) } else { Err(status) }
}
