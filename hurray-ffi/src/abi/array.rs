//! A language's own array, in and out: one pointer, a shape and byte strides.

use super::buffer::{
    Buffer, HURRAY_BUFFER_COPIED_ALIGNMENT, HURRAY_BUFFER_COPIED_ON_REQUEST, HURRAY_BUFFER_READ_ONLY, Keep,
    MIN_ALIGNMENT, allocate,
};
use super::buffer_attributes::{check_device_id, check_flags, not_host};
use super::constants::{
    HURRAY_VIEW_COLUMN_MAJOR, HURRAY_VIEW_MISALIGNED, HURRAY_VIEW_PACKED, HURRAY_VIEW_READ_ONLY,
    HURRAY_VIEW_ROW_MAJOR,
};
use super::foreign::Attributes;
use super::guard::{clear, put, slice, wanted};
use super::handles::{HurrayOptions, HurrayOwnerReleaseFn, HurrayStatus, HurrayTensor};
use super::list::List;
use super::options::{Options, copy_choice};
use super::prefix::{null, state};
use super::shared::{Shared, try_box};
use super::tensor::{Owner, Ready, Tensor, join};
use super::version::HURRAY_C_ABI_VERSION;
use crate::format::strides::{self, column_major_stride, is_exactly, order, row_major_stride};
use crate::format::{
    BufferEntry, Descriptor, ExtensionType, Fault, Layout, MAX_RANK, Status, Strides, device, element,
};
use std::ffi::c_void;

/// An array as it came in.
pub(super) struct Array<'a> {
    pub(super) element_type: u8,
    pub(super) bits: u32,
    pub(super) shape: &'a [u64],
    /// In bytes; none for row-major order.
    pub(super) byte_strides: Option<&'a [i64]>,
    pub(super) data: *mut c_void,
    /// Bytes to the element at index zero, where `data` is a device's handle and not the address of that element.
    pub(super) behind_handle: Option<u64>,
    pub(super) device_tag: u8,
    pub(super) memory_class: u8,
    pub(super) device_id: i32,
    pub(super) flags: u32,
}

/// Where an array lies: layout, and the buffer around it.
struct Place {
    layout: Layout,
    base: u64,
    byte_offset: u64,
    byte_size: u64,
    lead: u32,
}

fn refused(status: Status, what: &'static str) -> Fault {
    Fault::new(status, "", what)
}

impl Array<'_> {
    pub(super) fn count(&self) -> Result<u64, Fault> {
        if let Some(k) = self.shape.iter().position(|&n| n == u64::MAX) {
            return Err(refused(Status::INVALID_ARGUMENT, "an array has no dynamic dimension")
                .field("shape")
                .index(k));
        }
        if self.shape.contains(&0) {
            return Ok(0);
        }
        let count = self.shape.iter().try_fold(1u64, |count, &n| count.checked_mul(n));
        count.ok_or_else(|| refused(Status::OVERFLOW, "more elements than 64 bits count").field("shape"))
    }

    /// Strides in elements, or none when some stride is not whole elements.
    fn element_strides(&self, byte_strides: &[i64]) -> Result<Option<Strides>, Fault> {
        let width = i64::from(self.bits / 8);
        let whole = self.shape.iter().zip(byte_strides).all(|(&n, stride)| n <= 1 || stride % width == 0);
        if !whole {
            return Ok(None);
        }
        strides::collect(byte_strides.len(), byte_strides.iter().map(|stride| stride / width)).map(Some)
    }

    /// The place of the array in its memory, or none when only a copy can be described.
    fn place(&self, count: u64) -> Result<Option<Place>, Fault> {
        if count == 0 {
            let layout = Layout::RowMajor;
            return Ok(Some(Place { layout, base: self.data as u64, byte_offset: 0, byte_size: 0, lead: 0 }));
        }
        if self.data.is_null() {
            return Err(null("data"));
        }
        let bytes = element::packed_bytes(self.bits, count)
            .ok_or_else(|| refused(Status::OVERFLOW, "more bytes than 64 bits count").field("shape"))?;
        let Some(byte_strides) = self.byte_strides else {
            return self.span(0, i128::from(bytes), Layout::RowMajor).map(Some);
        };
        let Some(found) = self.element_strides(byte_strides)? else {
            return Ok(None);
        };
        let width = i128::from(self.bits / 8);
        let (low, high) = strides::reach(self.shape, &found).unwrap_or((0, 0));
        let plain = order(self.shape, &found);
        let layout = if is_exactly(self.shape, &found, row_major_stride) {
            Layout::RowMajor
        } else if plain.column_major
            && (is_exactly(self.shape, &found, column_major_stride) || !plain.row_major)
        {
            Layout::ColumnMajor
        } else if plain.row_major {
            Layout::RowMajor
        } else {
            Layout::Strided(found)
        };
        self.span(low * width, (high + 1) * width, layout).map(Some)
    }

    /// The buffer that bytes `low` to `high`, counted from the element at index zero, lie in.
    fn span(&self, low: i128, high: i128, layout: Layout) -> Result<Place, Fault> {
        match self.behind_handle {
            None => around(self.data as u64, low, high, layout),
            Some(offset) => behind(self.data as u64, offset, low, high, layout),
        }
    }

    pub(super) fn is_host_readable(&self) -> bool {
        self.device_tag == device::CPU || self.flags & super::buffer::HURRAY_BUFFER_HOST_POINTER != 0
    }

    pub(super) fn dense(&self, layout: Layout, byte_offset: u64) -> Dense<'_> {
        Dense {
            element_type: self.element_type,
            extension_type: None,
            shape: self.shape,
            layout,
            byte_offset,
        }
    }

    fn attributes(&self, place: &Place) -> Attributes {
        Attributes {
            data: std::ptr::with_exposed_provenance_mut(place.base as usize),
            byte_size: place.byte_size,
            alignment: MIN_ALIGNMENT,
            device_tag: self.device_tag,
            sync_mode: 0,
            memory_class: self.memory_class,
            flags: self.flags,
            device_id: self.device_id,
            lead: place.lead,
        }
    }
}

/// The buffer that begins at or up to 63 bytes before the lowest byte, never on another page.
fn around(data: u64, low: i128, high: i128, layout: Layout) -> Result<Place, Fault> {
    let first = i128::from(data) + low;
    let end = i128::from(data) + high;
    let (Ok(first), Ok(end)) = (u64::try_from(first), u64::try_from(end)) else {
        return Err(
            refused(Status::OVERFLOW, "the array would leave the address space").field("byte_strides")
        );
    };
    let base = first - first % u64::from(MIN_ALIGNMENT);
    Ok(Place { layout, base, byte_offset: data - base, byte_size: end - base, lead: (first - base) as u32 })
}

/// The buffer that a handle stands for: nothing can be added to it or taken from it.
fn behind(handle: u64, offset: u64, low: i128, high: i128, layout: Layout) -> Result<Place, Fault> {
    if !handle.is_multiple_of(MIN_ALIGNMENT.into()) {
        let what = "a device's handle that is not a multiple of 64 cannot stand for a buffer";
        return Err(refused(Status::UNSUPPORTED, what).field("data").value(handle));
    }
    let (first, end) = (i128::from(offset) + low, i128::from(offset) + high);
    match u64::try_from(end) {
        Ok(byte_size) if first >= 0 => {
            Ok(Place { layout, base: handle, byte_offset: offset, byte_size, lead: 0 })
        }
        _ => Err(refused(Status::OVERFLOW, "the array would leave its buffer").field("byte_strides")),
    }
}

/// Copies the elements, in row-major order, into memory of the library's own.
pub(super) fn gather(
    array: &Array<'_>,
    count: u64,
    options: Option<&Options>,
    reason: u32,
) -> Result<Buffer, Fault> {
    if count > 0 && !array.is_host_readable() {
        return Err(not_host(array.device_tag));
    }
    let bytes = element::packed_bytes(array.bits, count)
        .ok_or_else(|| refused(Status::OVERFLOW, "more bytes than 64 bits count").field("shape"))?;
    let buffer = allocate(bytes, MIN_ALIGNMENT, state::BORROWED)?;
    let kept = array.flags & !(HURRAY_BUFFER_READ_ONLY | super::buffer::HURRAY_BUFFER_HOST_POINTER);
    buffer.flags.store(kept | reason, std::sync::atomic::Ordering::Relaxed);
    if let Some(options) = options {
        options.begin(bytes);
    }
    if count == 0 {
        return Ok(buffer);
    }
    let Some((byte_strides, (&inner, outer))) = array.byte_strides.zip(array.shape.split_last()) else {
        // SAFETY: the caller's array has these bytes, and the new buffer as well.
        unsafe { std::ptr::copy_nonoverlapping(array.data.cast::<u8>(), buffer.data.cast(), bytes as usize) };
        return step(options, bytes).map(|()| buffer);
    };
    let width = (array.bits / 8) as usize;
    let row_stride = byte_strides.last().copied().unwrap_or(0) as isize;
    let mut index = [0u64; MAX_RANK];
    let mut to = buffer.data.cast::<u8>();
    let mut from = array.data.cast::<u8>().cast_const();
    loop {
        if row_stride == width as isize {
            // SAFETY: a contiguous row of the caller's array; the new buffer has room for every row.
            unsafe { std::ptr::copy_nonoverlapping(from, to, inner as usize * width) };
        } else {
            for k in 0..inner as usize {
                // SAFETY: one element of the caller's array, at the strides the caller gave; room as above.
                unsafe {
                    let element = from.wrapping_offset(row_stride.wrapping_mul(k as isize));
                    std::ptr::copy_nonoverlapping(element, to.add(k * width), width);
                }
            }
        }
        // SAFETY: stays inside the new buffer, or one past its end after the last row.
        to = unsafe { to.add(inner as usize * width) };
        step(options, inner * width as u64)?;
        let mut next = None;
        for ((&n, &stride), at) in outer.iter().zip(byte_strides).zip(&mut index).rev() {
            *at += 1;
            from = from.wrapping_offset(stride as isize);
            if *at < n {
                next = Some(());
                break;
            }
            from = from.wrapping_offset((stride as isize).wrapping_mul(n as isize).wrapping_neg());
            *at = 0;
        }
        if next.is_none() {
            return Ok(buffer);
        }
    }
}

fn step(options: Option<&Options>, bytes: u64) -> Result<(), Fault> {
    options.map_or(Ok(()), |options| options.step(bytes))
}

/// A dense array over one buffer, as a descriptor says it.
pub(crate) struct Dense<'a> {
    pub(crate) element_type: u8,
    /// Of a private element type.
    pub(crate) extension_type: Option<ExtensionType>,
    pub(crate) shape: &'a [u64],
    pub(crate) layout: Layout,
    pub(crate) byte_offset: u64,
}

/// Joins one buffer that was never handed out with its dense descriptor.
pub(crate) fn single(dense: Dense<'_>, buffer: Buffer, owner: Owner) -> Result<Ready, Fault> {
    let entry = BufferEntry {
        byte_size: buffer.byte_size,
        alignment: buffer.alignment,
        device_tag: buffer.device_tag,
        sync_mode: buffer.sync_mode,
        memory_class: buffer.memory_class,
    };
    let Dense { element_type, extension_type, shape, layout, byte_offset } = dense;
    let shape = strides::dims(shape)?;
    let descriptor = Descriptor::dense(element_type, shape, layout, byte_offset, entry, extension_type);
    descriptor.validate()?;
    let descriptor = Shared::try_new(descriptor).map_err(|(_, fault)| fault)?;
    let mut list = try_box(List::new(state::BORROWED)).map_err(|(_, fault)| fault)?;
    list.push_inner(buffer).map_err(|(_, fault)| fault)?;
    join(descriptor, list, owner, HURRAY_C_ABI_VERSION).map_err(|(_, fault)| fault)
}

/// Makes a dense tensor of a language's own array, in place wherever the format can describe it.
///
/// `data` is the element at index zero; `byte_strides` has one stride a dimension, in bytes, and NULL is row-major.
/// The library chooses layout, lowest address, lead and byte offset; memory of any alignment is wrapped, not copied.
/// Strides of dimensions of one element mean nothing. A stride that is not whole elements needs a copy
/// (`HURRAY_BUFFER_COPIED_ALIGNMENT`), which `HURRAY_OPTION_COPY` forbids or demands. Types narrower than a byte are
/// packed and take no strides. Without elements the pointer is never looked at.
///
/// *Ownership:* the tensor is the caller's. `owner_release(owner)` runs once, when the memory is not needed any more:
/// before this call returns if it copied. On failure nothing was called. Shape and strides are copied.
/// *Errors:* `HURRAY_ERR_INVALID_TYPE` (element type, device or class value), `HURRAY_ERR_INVALID_DESCRIPTOR` (device and
/// class do not go together), `HURRAY_ERR_LIMIT_EXCEEDED` (rank), `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_INVALID_ARGUMENT`
/// (dynamic dimension, strides of a packed type, flag, device id), `HURRAY_ERR_COPY_REQUIRED`,
/// `HURRAY_ERR_UNSUPPORTED` (a copy of memory that the host may not read), `HURRAY_ERR_CANCELLED`,
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any; the release runs on whatever thread drops the last share. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_from_array(
    element_type_tag: u8,
    shape: *const u64,
    rank: usize,
    byte_strides: *const i64,
    data: *mut c_void,
    device_tag: u8,
    memory_class: u8,
    device_id: i32,
    buffer_flags: u32,
    options: *const HurrayOptions,
    owner: *mut c_void,
    owner_release: HurrayOwnerReleaseFn,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    if options.is_null() {
        // SAFETY: no subject; runs here.
        return unsafe {
            super::table::shim::tensor_from_array(
                element_type_tag,
                shape,
                rank,
                byte_strides,
                data,
                device_tag,
                memory_class,
                device_id,
                buffer_flags,
                options,
                owner,
                owner_release,
                out_tensor,
            )
        };
    }
    dispatch!(
        OPTIONS,
        options,
        tensor_from_array(
            element_type_tag,
            shape,
            rank,
            byte_strides,
            data,
            device_tag,
            memory_class,
            device_id,
            buffer_flags,
            options,
            owner,
            owner_release,
            out_tensor,
        )
    )
}

pub(crate) unsafe fn from_array(
    element_type_tag: u8,
    shape: *const u64,
    rank: usize,
    byte_strides: *const i64,
    data: *mut c_void,
    device_tag: u8,
    memory_class: u8,
    device_id: i32,
    buffer_flags: u32,
    options: *const HurrayOptions,
    owner: *mut c_void,
    release: HurrayOwnerReleaseFn,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract; options are NULL or this copy's own.
    let (shape, byte_strides, options) = unsafe {
        wanted(out_tensor, "out_tensor")?;
        if rank > MAX_RANK {
            return Err(refused(Status::LIMIT_EXCEEDED, "rank is above 64")
                .field("rank")
                .value(rank as u64)
                .limit(64));
        }
        let strides =
            if byte_strides.is_null() { None } else { Some(slice(byte_strides, rank, "byte_strides")?) };
        (slice(shape, rank, "shape")?, strides, Options::of(options))
    };
    device::check_device_class_sync(device_tag, memory_class, 0)?;
    check_flags(buffer_flags)?;
    check_device_id(device_id)?;
    let bits = element::element_info(element_type_tag)
        .ok_or_else(|| {
            refused(Status::INVALID_TYPE, "not an assigned element type")
                .field("element_type")
                .value(element_type_tag)
        })?
        .bits;
    if bits < 8 && byte_strides.is_some() {
        return Err(refused(Status::INVALID_ARGUMENT, "a type narrower than a byte takes no strides")
            .field("byte_strides"));
    }
    let flags = buffer_flags;
    let array = Array {
        element_type: element_type_tag,
        bits,
        shape,
        byte_strides,
        data,
        behind_handle: None,
        device_tag,
        memory_class,
        device_id,
        flags,
    };
    let ready = wrap(&array, options, Owner { owner, release })?;
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_tensor, ready.publish(), "out_tensor") }
}

/// A tensor over an array's memory, or over a copy of it where the format cannot describe it in place or a copy was asked
/// for. The owner is released once the memory is not needed any more; on failure it is not.
pub(super) fn wrap(array: &Array<'_>, options: Option<&Options>, owner: Owner) -> Result<Ready, Fault> {
    let count = array.count()?;
    let reason = match (array.place(count)?, copy_choice(options)) {
        (Some(place), 0 | 1) => {
            let keep = Keep::Callback(None, std::ptr::null_mut());
            let buffer = Buffer::new(array.attributes(&place), state::BORROWED, keep);
            return single(array.dense(place.layout, place.byte_offset), buffer, owner);
        }
        (None, 1) => {
            let what = "a stride is not whole elements, and copying was forbidden";
            return Err(refused(Status::COPY_REQUIRED, what).field("byte_strides"));
        }
        (None, _) => HURRAY_BUFFER_COPIED_ALIGNMENT,
        (Some(_), _) => HURRAY_BUFFER_COPIED_ON_REQUEST,
    };
    let buffer = gather(array, count, options, reason)?;
    let ready = single(array.dense(Layout::RowMajor, 0), buffer, Owner::NONE)?;
    owner.release();
    Ok(ready)
}

/// Gives a tensor as a language's own array: the address of the element at index zero, shape, and strides in bytes.
/// For row-major, column-major and strided tensors whose memory the host may read; a quantized tensor gives its codes.
///
/// *Ownership:* the memory stays the tensor's: keep a share of it for as long as the view is used.
/// `out_shape` and `out_byte_strides` are the caller's arrays; `*out_rank` is their room, then the rank. Types narrower
/// than a byte (`HURRAY_VIEW_PACKED`) leave `out_byte_strides` alone, and it may be NULL.
/// *Errors:* `HURRAY_ERR_UNSUPPORTED` (another layout, dynamic dimensions, an unknown type, packed and strided, or memory
/// that the host may not read), `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_array_view(
    tensor: *const HurrayTensor,
    out_data: *mut *mut c_void,
    out_shape: *mut u64,
    out_byte_strides: *mut i64,
    out_rank: *mut usize,
    out_view_flags: *mut u32,
) -> HurrayStatus {
    dispatch!(
        TENSOR,
        tensor,
        tensor_array_view(tensor, out_data, out_shape, out_byte_strides, out_rank, out_view_flags)
    )
}

pub(crate) unsafe fn array_view(
    tensor: *const HurrayTensor,
    out_data: *mut *mut c_void,
    out_shape: *mut u64,
    out_byte_strides: *mut i64,
    out_rank: *mut usize,
    out_view_flags: *mut u32,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    let core = unsafe {
        wanted(out_data, "out_data")?;
        wanted(out_rank, "out_rank")?;
        wanted(out_view_flags, "out_view_flags")?;
        Tensor::core(tensor)
    };
    let descriptor = core.descriptor();
    let unsupported = |what| Err(refused(Status::UNSUPPORTED, what));
    let (shape, rank) = (&descriptor.shape, descriptor.shape.len());
    let bits = match descriptor.bits() {
        Some(bits) if bits < 8 || bits % 8 == 0 => bits,
        _ => return unsupported("the element type is not understood"),
    };
    let Some(buffer) = core.buffers().first() else {
        return unsupported("the tensor has no data of its own");
    };
    if !buffer.is_host_readable() {
        return Err(not_host(buffer.device_tag));
    }
    if shape.contains(&u64::MAX) {
        return unsupported("a dimension is dynamic");
    }
    let packed = bits < 8;
    let stride = |k: usize| match &descriptor.layout {
        Layout::ColumnMajor => column_major_stride(shape, k),
        Layout::Strided(strides) => strides.get(k).copied().unwrap_or(0),
        _ => row_major_stride(shape, k),
    };
    let mut flags = match &descriptor.layout {
        Layout::RowMajor => HURRAY_VIEW_ROW_MAJOR,
        Layout::ColumnMajor => HURRAY_VIEW_COLUMN_MAJOR,
        Layout::Strided(_) if !packed => 0,
        Layout::Strided(_) => return unsupported("packed elements at strides have no array form"),
        _ => return unsupported("only row-major, column-major and strided tensors have an array form"),
    };
    // SAFETY: the room is the caller's to say.
    let room = unsafe { out_rank.read_unaligned() };
    // SAFETY: as above.
    unsafe { out_rank.write_unaligned(rank) };
    if rank > 0 && (room < rank || out_shape.is_null() || (out_byte_strides.is_null() && !packed)) {
        return Err(Fault::answer(Status::BUFFER_TOO_SMALL));
    }
    let plain = order_of(shape, stride);
    flags |= if plain.row_major { HURRAY_VIEW_ROW_MAJOR } else { 0 };
    flags |= if plain.column_major { HURRAY_VIEW_COLUMN_MAJOR } else { 0 };
    let width = i64::from(bits / 8);
    for (k, &n) in shape.iter().enumerate() {
        // SAFETY: the arrays have room for the rank.
        unsafe {
            out_shape.add(k).write_unaligned(n);
            if !packed {
                out_byte_strides.add(k).write_unaligned(stride(k).wrapping_mul(width));
            }
        }
    }
    let data = buffer.data.wrapping_byte_add(descriptor.byte_offset as usize);
    let alignment = element::element_info(descriptor.element_type).map_or(1, |info| info.alignment);
    if !shape.contains(&0) && !(data as usize).is_multiple_of(alignment as usize) {
        flags |= HURRAY_VIEW_MISALIGNED;
    }
    if buffer.flags() & HURRAY_BUFFER_READ_ONLY != 0 {
        flags |= HURRAY_VIEW_READ_ONLY;
    }
    if packed {
        flags |= HURRAY_VIEW_PACKED;
    }
    // SAFETY: the outputs are the caller's by contract.
    unsafe {
        put(out_data, data, "out_data")?;
        put(out_view_flags, flags, "out_view_flags")
    }
}

fn order_of(shape: &[u64], stride: impl Fn(usize) -> i64) -> strides::Order {
    let mut found = [0i64; MAX_RANK];
    for (k, slot) in found.iter_mut().enumerate().take(shape.len()) {
        *slot = stride(k);
    }
    order(shape, found.get(..shape.len()).unwrap_or_default())
}
