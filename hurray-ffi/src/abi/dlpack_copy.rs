//! Copies that DLPack asks for: contiguous ones, bits to bytes, and bytes to packed elements.

use super::array::{Array, gather, single};
use super::buffer::{Buffer, HURRAY_BUFFER_COPIED_ON_REQUEST, MIN_ALIGNMENT, allocate};
use super::buffer_attributes::not_host;
use super::dlpack::BOOL;
use super::options::Options;
use super::prefix::state;
use super::tensor::{Owner, Ready};
use crate::format::strides::row_major_stride;
use crate::format::{Descriptor, Fault, Layout, MAX_RANK, Status, Strides, extent, packed_bytes};
use std::sync::atomic::Ordering;

/// Calls `body` with the offset of each element, in row-major order of the index. Every dimension has elements.
fn each_offset(
    shape: &[u64],
    strides: &[i64],
    mut body: impl FnMut(i64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut index = [0u64; MAX_RANK];
    let mut offset = 0i64;
    loop {
        body(offset)?;
        let mut more = false;
        for ((&n, &stride), at) in shape.iter().zip(strides).zip(&mut index).rev() {
            *at += 1;
            offset = offset.wrapping_add(stride);
            if *at < n {
                more = true;
                break;
            }
            offset = offset.wrapping_sub(stride.wrapping_mul(n as i64));
            *at = 0;
        }
        if !more {
            return Ok(());
        }
    }
}

/// How many elements pass between two looks at the options.
const STEP: u64 = 1 << 16;

fn step(options: Option<&Options>, done: u64) -> Result<(), Fault> {
    match options {
        Some(options) if done.is_multiple_of(STEP) => options.step(STEP),
        _ => Ok(()),
    }
}

/// A copy for a consumer of its own, and whether it is row-major now; else it keeps the strides it had.
pub(super) fn copy_out(
    descriptor: &Descriptor,
    buffer: &Buffer,
    strides: &[i64],
    options: Option<&Options>,
) -> Result<(Buffer, bool), Fault> {
    let bits = descriptor.bits().unwrap_or(8);
    let shape = &descriptor.shape;
    let data = buffer.data.wrapping_byte_add(descriptor.byte_offset as usize);
    if descriptor.element_type == BOOL {
        return unpack_bits(shape, strides, data.cast(), options).map(|copy| (copy, true));
    }
    let mut byte_strides = Strides::new();
    if bits >= 8 {
        byte_strides.try_reserve(strides.len()).map_err(|_| Fault::out_of_memory())?;
        byte_strides.extend(strides.iter().map(|stride| stride.wrapping_mul(i64::from(bits / 8))));
    } else if matches!(descriptor.layout, Layout::Strided(_)) {
        let what = "packed elements at strides: convert the tensor to row-major first";
        return Err(Fault::new(Status::UNSUPPORTED, "", what).field("strides"));
    }
    let of = buffer.attributes();
    let array = Array {
        element_type: descriptor.element_type,
        bits,
        shape,
        byte_strides: (bits >= 8).then_some(&byte_strides),
        data,
        behind_handle: None,
        device_tag: of.device_tag,
        memory_class: of.memory_class,
        device_id: 0,
        flags: of.flags,
    };
    let copy = gather(&array, array.count()?, options, HURRAY_BUFFER_COPIED_ON_REQUEST)?;
    Ok((copy, bits >= 8))
}

fn unpack_bits(
    shape: &[u64],
    strides: &[i64],
    data: *const u8,
    options: Option<&Options>,
) -> Result<Buffer, Fault> {
    let Some(count) = extent::count(shape) else {
        return Err(Fault::new(Status::OVERFLOW, "", "more elements than 64 bits count").field("shape"));
    };
    let copy = allocate(count, MIN_ALIGNMENT, state::BORROWED)?;
    if let Some(options) = options {
        options.begin(count);
    }
    let (to, mut done) = (copy.data.cast::<u8>(), 0u64);
    if count > 0 {
        each_offset(shape, strides, |offset| {
            let byte = data.wrapping_offset(offset.div_euclid(8) as isize);
            // SAFETY: the descriptor was held against its buffer, and the copy has a byte for each element.
            unsafe { to.add(done as usize).write(byte.read() >> offset.rem_euclid(8) & 1) };
            done += 1;
            step(options, done)
        })?;
    }
    Ok(copy)
}

/// A row-major tensor of packed elements, from elements that take a byte each. A boolean is any byte but 0.
pub(super) fn pack_in(
    array: &Array<'_>,
    strides: Option<&[i64]>,
    reason: u32,
    options: Option<&Options>,
) -> Result<Ready, Fault> {
    let count = array.count()?;
    if count > 0 && !array.is_host_readable() {
        return Err(not_host(array.device_tag));
    }
    let bytes = packed_bytes(array.bits, count)
        .ok_or_else(|| Fault::new(Status::OVERFLOW, "", "more bytes than 64 bits count").field("shape"))?;
    let copy = allocate(bytes, MIN_ALIGNMENT, state::BORROWED)?;
    copy.flags.store(reason, Ordering::Relaxed);
    if let Some(options) = options {
        options.begin(count);
    }
    let mut plain = [0i64; MAX_RANK];
    for (k, slot) in plain.iter_mut().enumerate().take(array.shape.len()) {
        *slot = row_major_stride(array.shape, k);
    }
    let strides = strides.unwrap_or(&plain);
    let (from, to) = (array.data.cast::<u8>().cast_const(), copy.data.cast::<u8>());
    let bits = u64::from(array.bits);
    let mut done = 0u64;
    if count > 0 {
        each_offset(array.shape, strides, |offset| {
            // SAFETY: one element of the producer's array, at the strides the producer gave.
            let byte = unsafe { from.wrapping_offset(offset as isize).read() };
            let code =
                if array.element_type == BOOL { u8::from(byte != 0) } else { byte & ((1 << bits) - 1) };
            let wide = u16::from(code) << (done * bits % 8);
            for (k, part) in wide.to_le_bytes().into_iter().enumerate().filter(|&(_, part)| part != 0) {
                // SAFETY: the packed form holds all bits of all elements; it was zeroed.
                unsafe {
                    let slot = to.add((done * bits / 8) as usize + k);
                    slot.write(slot.read() | part);
                }
            }
            done += 1;
            step(options, done)
        })?;
    }
    single(array.dense(Layout::RowMajor, 0), copy, Owner::NONE)
}
