//! DLPack's managed structs in, as tensors.

use super::array::{Array, wrap};
use super::buffer::{HURRAY_BUFFER_COPIED_ON_REQUEST, HURRAY_BUFFER_COPIED_PACKING, HURRAY_BUFFER_READ_ONLY};
use super::buffer_attributes::check_device_id;
use super::dlpack::{
    BOOL, DL_BOOL, DlTensor, FLAG_IS_COPIED, FLAG_IS_SUBBYTE_TYPE_PADDED, FLAG_READ_ONLY, MAJOR, Unversioned,
    Versioned, device_here, element_type, is_address,
};
use super::dlpack_copy::pack_in;
use super::guard::{clear, guard, put, slice, wanted};
use super::handles::{DLManagedTensor, DLManagedTensorVersioned, HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::{Options, copy_choice};
use super::prefix::null;
use super::tensor::{Owner, Ready};
use crate::format::strides::{self, order};
use crate::format::{Dims, Fault, MAX_RANK, Status, Strides, element_info, packed_bytes};
use std::ffi::c_void;

fn refused(status: Status, what: &'static str, field: &'static str) -> Fault {
    Fault::new(status, "", what).field(field)
}

/// Shape, and strides in elements where they are given.
///
/// # Safety
/// The struct's arrays hold `ndim` values.
unsafe fn extents(tensor: &DlTensor) -> Result<(Dims, Option<Strides>), Fault> {
    let Ok(rank) = usize::try_from(tensor.ndim) else {
        return Err(refused(Status::INVALID_ARGUMENT, "ndim is negative", "ndim").value(tensor.ndim));
    };
    if rank > MAX_RANK {
        return Err(refused(Status::LIMIT_EXCEEDED, "rank is above 64", "ndim").value(tensor.ndim).limit(64));
    }
    // SAFETY: as this function's own.
    let sizes = unsafe { slice(tensor.shape.cast_const(), rank, "shape")? };
    if let Some(k) = sizes.iter().position(|&n| n < 0) {
        return Err(refused(Status::INVALID_ARGUMENT, "a dimension is negative", "shape").index(k));
    }
    let mut shape = Dims::new();
    shape.try_reserve(rank).map_err(|_| Fault::out_of_memory())?;
    shape.extend(sizes.iter().map(|&n| n as u64));
    if rank == 0 || tensor.strides.is_null() {
        return Ok((shape, None));
    }
    // SAFETY: as this function's own.
    let steps = unsafe { slice(tensor.strides.cast_const(), rank, "strides")? };
    Ok((shape, Some(strides::collect(rank, steps.iter().copied())?)))
}

/// The tensor of either struct. On failure the owner comes back unreleased.
///
/// # Safety
/// The struct is as DLPack describes it, and its memory readable where its device says so.
unsafe fn import(
    tensor: &DlTensor,
    flags: u64,
    options: Option<&Options>,
    owner: Owner,
) -> Result<Ready, Fault> {
    // SAFETY: as this function's own.
    let (shape, steps) = unsafe { extents(tensor)? };
    let is_bool = tensor.dtype == DL_BOOL;
    let element_type = if is_bool { BOOL } else { element_type(tensor.dtype)? };
    let bits = element_info(element_type).map_or(8, |info| info.bits);
    let (device_tag, memory_class, host_flag) = device_here(tensor.device.kind)?;
    check_device_id(tensor.device.id)?;
    let empty = shape.contains(&0);
    if tensor.data.is_null() && !empty {
        return Err(null("data"));
    }
    let Ok(offset) = usize::try_from(tensor.byte_offset) else {
        return Err(refused(Status::OVERFLOW, "the offset leaves the address space", "byte_offset"));
    };
    let is_address = is_address(tensor.device.kind);
    let read_only = if flags & FLAG_READ_ONLY != 0 { HURRAY_BUFFER_READ_ONLY } else { 0 };
    let copied = if flags & FLAG_IS_COPIED != 0 { HURRAY_BUFFER_COPIED_ON_REQUEST } else { 0 };
    let mut array = Array {
        element_type,
        bits,
        shape: &shape,
        byte_strides: None,
        data: if empty || !is_address { tensor.data } else { tensor.data.wrapping_byte_add(offset) },
        behind_handle: (!is_address).then_some(tensor.byte_offset),
        device_tag,
        memory_class,
        device_id: tensor.device.id,
        flags: host_flag | read_only | copied,
    };
    let padded = bits < 8 && (is_bool || flags & FLAG_IS_SUBBYTE_TYPE_PADDED != 0);
    if bits >= 8 {
        let width = i64::from(bits / 8);
        let mut byte_strides = Strides::new();
        if let Some(steps) = steps {
            byte_strides.try_reserve(steps.len()).map_err(|_| Fault::out_of_memory())?;
            for (k, (&step, &n)) in steps.iter().zip(&shape).enumerate() {
                let overflow =
                    || refused(Status::OVERFLOW, "a stride leaves the address space", "strides").index(k);
                // Strides of dimensions of one element mean nothing.
                let bytes = step.checked_mul(width).or(if n <= 1 { Some(0) } else { None });
                byte_strides.push(bytes.ok_or_else(overflow)?);
            }
            array.byte_strides = Some(&byte_strides);
        }
        return wrap(&array, options, owner);
    }
    if padded {
        let explicit = copy_choice(options) == 2;
        if copy_choice(options) == 1 || (is_bool && !explicit) {
            let what = "elements take a byte each there and are packed here: ask for a copy";
            return Err(refused(Status::COPY_REQUIRED, what, "dtype").value(tensor.dtype.code));
        }
        let reason =
            HURRAY_BUFFER_COPIED_PACKING | if explicit { HURRAY_BUFFER_COPIED_ON_REQUEST } else { 0 };
        let ready = pack_in(&array, steps.as_deref(), reason, options)?;
        owner.release();
        return Ok(ready);
    }
    let row_major = steps.as_deref().is_none_or(|steps| order(&shape, steps).row_major);
    if !row_major {
        let what = "packed elements at strides have no form here: make them contiguous";
        return Err(refused(Status::UNSUPPORTED, what, "strides"));
    }
    // Six-bit elements come in whole groups of three bytes here; the producer's memory may end inside the last.
    let count = array.count()?;
    let there = u128::from(count) * u128::from(bits);
    if packed_bytes(bits, count).is_some_and(|here| u128::from(here) > there.div_ceil(8)) {
        let what = "six-bit elements that do not fill their last group have no form here: pad them";
        return Err(refused(Status::UNSUPPORTED, what, "shape"));
    }
    wrap(&array, options, owner)
}

unsafe extern "C" fn release_versioned(owner: *mut c_void) {
    let managed = owner.cast::<Versioned>();
    // SAFETY: the struct was given to the tensor, which releases it once.
    unsafe {
        if let Some(delete) = (*managed).deleter {
            delete(managed);
        }
    }
}

unsafe extern "C" fn release_unversioned(owner: *mut c_void) {
    let managed = owner.cast::<Unversioned>();
    // SAFETY: the struct was given to the tensor, which releases it once.
    unsafe {
        if let Some(delete) = (*managed).deleter {
            delete(managed);
        }
    }
}

/// Makes a tensor of DLPack's versioned struct, of any version 1.x, without copying where the format can describe the
/// memory. NULL strides are row-major; strides of dimensions of one element mean nothing; a tensor without elements may
/// have any pointer. The read-only flag stays with the buffer. Booleans, a byte there and a bit here, are packed into a
/// copy, which `HURRAY_OPTION_COPY` must ask for (2); padded sub-byte elements are packed unless it forbids that (1).
///
/// *Ownership:* on success the struct is the tensor's, `*managed` is NULL, and its deleter runs once, when the last
/// share goes (before this call returns if it copied). On failure the struct stays the caller's; but one of an unknown
/// major version is released at once, as DLPack demands, and `*managed` is NULL then too.
/// *Errors:* `HURRAY_ERR_VERSION_MISMATCH` (major), `HURRAY_ERR_UNSUPPORTED` (type, lanes, device, packed strides),
/// `HURRAY_ERR_INVALID_ARGUMENT` (negative ndim, dimension or device id), `HURRAY_ERR_LIMIT_EXCEEDED` (rank),
/// `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any; the deleter runs on whatever thread drops the last share. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_from_dlpack(
    managed: *mut *mut DLManagedTensorVersioned,
    options: *const HurrayOptions,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    if options.is_null() {
        // SAFETY: as above; no subject, so it runs here.
        return guard(|| unsafe { from_dlpack(managed, options, out_tensor) });
    }
    dispatch!(OPTIONS, options, tensor_from_dlpack(managed, options, out_tensor))
}

pub(crate) unsafe fn from_dlpack(
    managed: *mut *mut DLManagedTensorVersioned,
    options: *const HurrayOptions,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: pointers are the caller's by contract; options are NULL or this copy's own.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        wanted(managed, "managed")?;
        let taken = (*managed).cast::<Versioned>();
        if taken.is_null() {
            return Err(null("managed"));
        }
        let version = (*taken).version;
        if version.major != MAJOR {
            *managed = std::ptr::null_mut();
            release_versioned(taken.cast());
            return Err(refused(
                Status::VERSION_MISMATCH,
                "an unknown major version of DLPack",
                "version.major",
            )
            .value(version.major)
            .limit(MAJOR));
        }
        let owner = Owner { owner: taken.cast(), release: Some(release_versioned) };
        let ready = import(&(*taken).tensor, (*taken).flags, Options::of(options), owner)?;
        *managed = std::ptr::null_mut();
        put(out_tensor, ready.publish(), "out_tensor")
    }
}

/// Makes a tensor of DLPack's unversioned struct. As `hurray_tensor_from_dlpack`; the struct cannot say whether its
/// memory may be written to, so the tensor is read-only.
///
/// *Ownership:* as `hurray_tensor_from_dlpack`. *Errors:* as `hurray_tensor_from_dlpack`, but for the version.
/// *Threads:* any; the deleter runs on whatever thread drops the last share. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_from_dlpack_unversioned(
    managed: *mut *mut DLManagedTensor,
    options: *const HurrayOptions,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    if options.is_null() {
        // SAFETY: as above; no subject, so it runs here.
        return guard(|| unsafe { from_dlpack_unversioned(managed, options, out_tensor) });
    }
    dispatch!(OPTIONS, options, tensor_from_dlpack_unversioned(managed, options, out_tensor))
}

pub(crate) unsafe fn from_dlpack_unversioned(
    managed: *mut *mut DLManagedTensor,
    options: *const HurrayOptions,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: pointers are the caller's by contract; options are NULL or this copy's own.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        wanted(managed, "managed")?;
        let taken = (*managed).cast::<Unversioned>();
        if taken.is_null() {
            return Err(null("managed"));
        }
        let owner = Owner { owner: taken.cast(), release: Some(release_unversioned) };
        let ready = import(&(*taken).tensor, FLAG_READ_ONLY, Options::of(options), owner)?;
        *managed = std::ptr::null_mut();
        put(out_tensor, ready.publish(), "out_tensor")
    }
}
