//! Tensors out, as DLPack's managed structs.

use super::buffer::{Buffer, HURRAY_BUFFER_HOST_POINTER, HURRAY_BUFFER_READ_ONLY};
use super::buffer_attributes::not_host;
use super::dlpack::{
    BOOL, DL_BOOL, Device, DlTensor, FLAG_IS_COPIED, FLAG_READ_ONLY, MAJOR, MINOR, Unversioned, Version,
    Versioned, data_type, device_kind, is_address,
};
use super::dlpack_copy::copy_out;
use super::guard::{clear, out_of_memory, put, wanted};
use super::handles::{DLManagedTensor, DLManagedTensorVersioned, HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::{Options, copy_choice};
use super::shared::{Shared, try_box};
use super::tensor::{Core, Tensor};
use crate::format::strides::{column_major_stride, row_major_stride};
use crate::format::{Fault, Layout, Status};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::ptr::null_mut;

/// A struct that the consumer sees, and what keeps it true until its deleter runs.
#[repr(C)]
struct Export<M> {
    managed: M,
    /// Shape, then strides, in elements.
    dims: SmallVec<[i64; 16]>,
    _keep: Held,
}

/// What the exported memory belongs to: the tensor, or a copy made for the consumer.
enum Held {
    Tensor(#[expect(dead_code, reason = "held, never read")] Shared<Core>),
    Copy(#[expect(dead_code, reason = "held, never read")] Buffer),
}

/// What both structs say.
struct Parts {
    tensor: DlTensor,
    flags: u64,
    dims: SmallVec<[i64; 16]>,
    held: Held,
}

fn unsupported(what: &'static str) -> Fault {
    Fault::new(Status::UNSUPPORTED, "", what)
}

fn parts(core: &Shared<Core>, options: Option<&Options>) -> Result<Parts, Fault> {
    let descriptor = core.descriptor();
    if descriptor.quantization.is_some() {
        return Err(unsupported("DLPack carries no quantization: dequantize the tensor first"));
    }
    if descriptor.shape.contains(&u64::MAX) {
        return Err(unsupported("DLPack carries no dynamic dimension"));
    }
    let stride = |k: usize| match &descriptor.layout {
        Layout::RowMajor => Ok(row_major_stride(&descriptor.shape, k)),
        Layout::ColumnMajor => Ok(column_major_stride(&descriptor.shape, k)),
        Layout::Strided(strides) => Ok(strides.get(k).copied().unwrap_or(0)),
        other => Err(unsupported(
            "DLPack carries arrays at fixed strides only: convert the tensor to row-major first",
        )
        .field("layout_tag")
        .value(other.tag())),
    };
    let rank = descriptor.shape.len();
    let mut dims: SmallVec<[i64; 16]> = SmallVec::new();
    dims.try_reserve(2 * rank).map_err(|_| out_of_memory(16 * rank as u64))?;
    for (k, &n) in descriptor.shape.iter().enumerate() {
        dims.push(
            i64::try_from(n)
                .map_err(|_| unsupported("a dimension beyond DLPack's").field("shape").index(k))?,
        );
    }
    for k in 0..rank {
        dims.push(stride(k)?);
    }
    let Some(buffer) = core.buffers().first() else {
        return Err(unsupported("the tensor has no data of its own"));
    };
    if buffer.sync_mode != 0 {
        return Err(unsupported("the buffer waits for an event or a stream, which DLPack does not carry")
            .field("sync_mode")
            .value(buffer.sync_mode));
    }
    let flags = buffer.flags();
    let attributes = buffer.attributes();
    let host_pointer = flags & HURRAY_BUFFER_HOST_POINTER != 0;
    let kind = device_kind(buffer.device_tag, buffer.memory_class, host_pointer)?;
    let is_bool = descriptor.element_type == BOOL;
    let dtype = if is_bool { DL_BOOL } else { data_type(descriptor.element_type)? };
    let mut tensor = DlTensor {
        data: buffer.data,
        device: Device { kind, id: attributes.device_id },
        ndim: rank as i32,
        dtype,
        shape: null_mut(),
        strides: null_mut(),
        byte_offset: 0,
    };
    let copy = copy_choice(options);
    if is_bool && copy != 2 {
        return Err(Fault::new(
            Status::COPY_REQUIRED,
            "",
            "DLPack's bool is a byte and the format's a bit: ask for a copy, or unpack the tensor",
        )
        .field("element_type")
        .value(BOOL));
    }
    if copy == 2 {
        if !buffer.is_host_readable() {
            return Err(not_host(buffer.device_tag));
        }
        let (copied, row_major) =
            copy_out(descriptor, buffer, dims.get(rank..).unwrap_or_default(), options)?;
        tensor.data = copied.data;
        tensor.device = Device { kind: 1, id: 0 };
        for k in (0..rank).filter(|_| row_major) {
            if let Some(slot) = dims.get_mut(rank + k) {
                *slot = row_major_stride(&descriptor.shape, k);
            }
        }
        return Ok(Parts { tensor, flags: FLAG_IS_COPIED, dims, held: Held::Copy(copied) });
    }
    if descriptor.shape.contains(&0) {
        tensor.data = null_mut();
    } else if is_address(kind) {
        tensor.data = buffer.data.wrapping_byte_add(descriptor.byte_offset as usize);
    } else {
        tensor.byte_offset = descriptor.byte_offset;
    }
    let read_only = if flags & HURRAY_BUFFER_READ_ONLY != 0 { FLAG_READ_ONLY } else { 0 };
    Ok(Parts { tensor, flags: read_only, dims, held: Held::Tensor(core.clone()) })
}

/// Puts a struct on the heap beside its arrays, and gives its address.
fn settle<M>(
    parts: Parts,
    managed: M,
    of: impl Fn(&mut M) -> (&mut DlTensor, &mut *mut c_void),
) -> Result<*mut M, Fault> {
    let rank = parts.dims.len() / 2;
    let export = Export { managed, dims: parts.dims, _keep: parts.held };
    let mut export = try_box(export).map_err(|(_, fault)| fault)?;
    let export_address: *mut Export<M> = &raw mut *export;
    let dims = export.dims.as_mut_ptr();
    let (tensor, context) = of(&mut export.managed);
    *tensor = parts.tensor;
    if rank > 0 {
        tensor.shape = dims;
        // SAFETY: the array holds twice the rank.
        tensor.strides = unsafe { dims.add(rank) };
    }
    *context = export_address.cast();
    // The managed struct comes first.
    Ok(Box::into_raw(export).cast())
}

unsafe extern "C" fn delete_versioned(managed: *mut Versioned) {
    if !managed.is_null() {
        // SAFETY: made by `settle`, and the consumer calls the deleter once.
        drop(unsafe { Box::from_raw((*managed).manager_ctx.cast::<Export<Versioned>>()) });
    }
}

unsafe extern "C" fn delete_unversioned(managed: *mut Unversioned) {
    if !managed.is_null() {
        // SAFETY: made by `settle`, and the consumer calls the deleter once.
        drop(unsafe { Box::from_raw((*managed).manager_ctx.cast::<Export<Unversioned>>()) });
    }
}

/// Gives a tensor as DLPack's versioned struct (version 1.3), for any consumer of DLPack 1.x. Row-major, column-major
/// and strided tensors without quantization cross, on the devices and of the types that DLPack has; strides are always
/// written, sub-byte types stay packed, read-only memory is flagged so.
///
/// `HURRAY_OPTION_COPY` is the standard's `copy`: 2 makes a row-major copy in host memory for the consumer alone.
/// `bool`, whose elements are bits here and bytes there, crosses by such a copy only.
///
/// *Ownership:* the struct is the caller's, who calls its `deleter` once, on any thread, or hands it on; it keeps a
/// share of the tensor. *Errors:* `HURRAY_ERR_UNSUPPORTED` (DLPack cannot carry it: the text says why),
/// `HURRAY_ERR_COPY_REQUIRED` (bool), `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE` (options of another copy of the
/// library included), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_to_dlpack(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
    out_managed: *mut *mut DLManagedTensorVersioned,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_managed) };
    dispatch!(TENSOR, tensor, tensor_to_dlpack(tensor, options, out_managed))
}

pub(crate) unsafe fn to_dlpack(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
    out_managed: *mut *mut DLManagedTensorVersioned,
) -> Result<(), Fault> {
    // SAFETY: routed here; options and output are the caller's by contract.
    let parts = unsafe {
        wanted(out_managed, "out_managed")?;
        parts(Tensor::core(tensor), Options::own(options)?)?
    };
    let managed = Versioned {
        version: Version { major: MAJOR, minor: MINOR },
        manager_ctx: null_mut(),
        deleter: Some(delete_versioned),
        flags: parts.flags,
        tensor: parts.tensor,
    };
    let managed = settle(parts, managed, |managed| (&mut managed.tensor, &mut managed.manager_ctx))?;
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_managed, managed.cast(), "out_managed") }
}

/// Gives a tensor as DLPack's unversioned struct, for consumers older than DLPack 1.0. As `hurray_tensor_to_dlpack`,
/// but that read-only memory, which this struct cannot say, needs a copy.
///
/// *Ownership:* the struct is the caller's, who calls its `deleter` once, on any thread, or hands it on; it keeps a
/// share of the tensor. *Errors:* as `hurray_tensor_to_dlpack`; `HURRAY_ERR_UNSUPPORTED` also for read-only memory.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_to_dlpack_unversioned(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
    out_managed: *mut *mut DLManagedTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_managed) };
    dispatch!(TENSOR, tensor, tensor_to_dlpack_unversioned(tensor, options, out_managed))
}

pub(crate) unsafe fn to_dlpack_unversioned(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
    out_managed: *mut *mut DLManagedTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; options and output are the caller's by contract.
    let parts = unsafe {
        wanted(out_managed, "out_managed")?;
        parts(Tensor::core(tensor), Options::own(options)?)?
    };
    if parts.flags & FLAG_READ_ONLY != 0 {
        return Err(unsupported(
            "the unversioned struct cannot say that memory is read-only: ask for a copy",
        ));
    }
    let managed =
        Unversioned { tensor: parts.tensor, manager_ctx: null_mut(), deleter: Some(delete_unversioned) };
    let managed = settle(parts, managed, |managed| (&mut managed.tensor, &mut managed.manager_ctx))?;
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_managed, managed.cast(), "out_managed") }
}

/// The DLPack device (type and id) that an export of the tensor would carry, without exporting it.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_UNSUPPORTED` (DLPack has no such device, or the tensor has no buffer),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_dlpack_device(
    tensor: *const HurrayTensor,
    out_device_type: *mut i32,
    out_device_id: *mut i32,
) -> HurrayStatus {
    dispatch!(TENSOR, tensor, tensor_dlpack_device(tensor, out_device_type, out_device_id))
}

pub(crate) unsafe fn dlpack_device(
    tensor: *const HurrayTensor,
    out_device_type: *mut i32,
    out_device_id: *mut i32,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_device_type, "out_device_type")?;
        wanted(out_device_id, "out_device_id")?;
        let Some(buffer) = Tensor::core(tensor).buffers().first() else {
            return Err(unsupported("the tensor has no data of its own"));
        };
        let of = buffer.attributes();
        let kind = device_kind(of.device_tag, of.memory_class, of.flags & HURRAY_BUFFER_HOST_POINTER != 0)?;
        put(out_device_type, kind, "out_device_type")?;
        put(out_device_id, of.device_id, "out_device_id")
    }
}
