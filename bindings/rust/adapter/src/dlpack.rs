//! DLPack structs, out and in.

use std::ffi::c_void;

use hurray_client::{Buffer, Tensor, sys};
use serde_json::{Value, json};

use crate::form::{Answer, Failure, Read, bytes, given, hex, list, narrow, number, numbers, wide, wides};
use crate::{make, show};

/// `DLTensor` of dlpack.h.
#[repr(C)]
struct DLTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Unversioned {
    tensor: DLTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

#[repr(C)]
struct Versioned {
    version: [u32; 2],
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: DLTensor,
}

/// # Safety
/// The arrays of the struct are as long as it says.
unsafe fn dims<'a>(pointer: *const i64, count: i32) -> &'a [i64] {
    if pointer.is_null() {
        return &[];
    }
    // SAFETY: the caller's by contract.
    unsafe { std::slice::from_raw_parts(pointer, usize::try_from(count).unwrap_or_default()) }
}

/// The elements in row-major order.
///
/// # Safety
/// The struct is that of a tensor in host memory.
unsafe fn values(tensor: &DLTensor) -> Vec<u8> {
    // SAFETY: as above.
    let (shape, strides) = unsafe { (dims(tensor.shape, tensor.ndim), dims(tensor.strides, tensor.ndim)) };
    let width = (usize::from(tensor.bits) * usize::from(tensor.lanes)).div_ceil(8);
    let mut offsets = vec![0i64];
    let mut implied: Vec<i64> = Vec::new();
    if strides.is_empty() {
        implied = (1..=shape.len()).map(|k| shape.iter().skip(k).product()).collect();
    }
    for (size, stride) in shape.iter().zip(if strides.is_empty() { &implied } else { strides }) {
        offsets = offsets.iter().flat_map(|&at| (0..*size).map(move |k| at + k * stride)).collect();
    }
    let mut out = Vec::new();
    for offset in offsets {
        let start =
            tensor.data.cast::<u8>().wrapping_add(usize::try_from(tensor.byte_offset).unwrap_or_default());
        let at = start.wrapping_offset(offset as isize * width as isize);
        // SAFETY: an element of the tensor.
        out.extend_from_slice(unsafe { std::slice::from_raw_parts(at, width) });
    }
    out
}

/// # Safety
/// The struct is live.
unsafe fn shown(tensor: &DLTensor) -> Value {
    // SAFETY: as above.
    let (shape, strides) = unsafe { (dims(tensor.shape, tensor.ndim), dims(tensor.strides, tensor.ndim)) };
    json!({
        "device_type": tensor.device_type, "device_id": tensor.device_id,
        "code": tensor.code, "bits": tensor.bits, "lanes": tensor.lanes,
        "shape": wides(shape), "strides": (!tensor.strides.is_null()).then(|| wides(strides)),
        "byte_offset": wide(tensor.byte_offset),
    })
}

/// The request `dlpack_export`.
pub fn export(request: &Value) -> Answer {
    let before = hurray_client::live_handles()?;
    let tensor = make::tensor(&request["item"])?;
    let (found, values) = if request["versioned"] == true {
        let raw = tensor.to_dlpack(None)?.cast::<Versioned>();
        drop(tensor);
        // SAFETY: the struct is live until its deleter runs, which is the last that is done with it.
        unsafe {
            let mut found = shown(&(*raw).tensor);
            found["version"] = json!((*raw).version);
            found["flags"] = wide((*raw).flags);
            let values = values(&(*raw).tensor);
            if let Some(deleter) = (*raw).deleter {
                deleter(raw);
            }
            (found, values)
        }
    } else {
        let raw = tensor.to_dlpack_unversioned(None)?.cast::<Unversioned>();
        drop(tensor);
        // SAFETY: as above.
        unsafe {
            let (found, values) = (shown(&(*raw).tensor), values(&(*raw).tensor));
            if let Some(deleter) = (*raw).deleter {
                deleter(raw);
            }
            (found, values)
        }
    };
    let live = i128::from(hurray_client::live_handles()?) - i128::from(before);
    Ok(json!({"struct": found, "values": hex(&values), "live": live as i64}))
}

/// What an imported struct owns, and how often it was deleted.
struct Memory {
    shape: Vec<i64>,
    strides: Option<Vec<i64>>,
    data: Buffer,
    deleted: u32,
}

/// # Safety
/// `context` is a `Memory` that outlives the struct.
unsafe fn count(context: *mut c_void) {
    // SAFETY: as above.
    unsafe { (*context.cast::<Memory>()).deleted += 1 };
}

unsafe extern "C" fn delete_versioned(raw: *mut Versioned) {
    // SAFETY: the struct is live, and made by `import`.
    unsafe { count((*raw).context) };
}

unsafe extern "C" fn delete_unversioned(raw: *mut Unversioned) {
    // SAFETY: as above.
    unsafe { count((*raw).context) };
}

fn memory(request: &Value) -> Read<Memory> {
    let given_struct = &request["struct"];
    let data = bytes(&request["data"])?;
    let memory = Buffer::copy_of(&data)?;
    let strides = given(&given_struct["strides"]).map(numbers).transpose()?;
    Ok(Memory { shape: numbers(&given_struct["shape"])?, strides, data: memory, deleted: 0 })
}

fn tensor_of(found: &Value, memory: &mut Memory) -> Read<DLTensor> {
    Ok(DLTensor {
        data: memory.data.data_ptr()?,
        device_type: narrow::<u32>(&found["device_type"])?.cast_signed(),
        device_id: narrow::<u32>(&found["device_id"])?.cast_signed(),
        ndim: i32::try_from(memory.shape.len()).map_err(|error| error.to_string())?,
        code: narrow(&found["code"])?,
        bits: narrow(&found["bits"])?,
        lanes: narrow(&found["lanes"])?,
        shape: memory.shape.as_mut_ptr(),
        strides: memory.strides.as_mut().map_or(std::ptr::null_mut(), Vec::as_mut_ptr),
        byte_offset: number(&found["byte_offset"])?,
    })
}

/// The request `dlpack_import`.
pub fn import(request: &Value) -> Answer {
    let found = &request["struct"];
    let mut memory = Box::new(memory(request)?);
    let tensor = tensor_of(found, &mut memory)?;
    let context: *mut Memory = &mut *memory;
    let outcome = if request["versioned"] == true {
        let mut version = [0; 2];
        for (to, from) in version.iter_mut().zip(list(&found["version"])?) {
            *to = narrow(from)?;
        }
        let flags = number(&found["flags"])?;
        let mut made =
            Versioned { version, context: context.cast(), deleter: Some(delete_versioned), flags, tensor };
        let mut raw: *mut sys::DLManagedTensorVersioned = (&raw mut made).cast();
        // SAFETY: the struct is live until its deleter has run.
        let outcome = unsafe { Tensor::from_dlpack(&mut raw, None) }.map_err(Failure::from);
        outcome.and_then(|tensor| show::tensor(&tensor))
    } else {
        let mut made = Unversioned { tensor, context: context.cast(), deleter: Some(delete_unversioned) };
        let mut raw: *mut sys::DLManagedTensor = (&raw mut made).cast();
        // SAFETY: as above.
        let outcome = unsafe { Tensor::from_dlpack_unversioned(&mut raw, None) }.map_err(Failure::from);
        outcome.and_then(|tensor| show::tensor(&tensor))
    };
    // SAFETY: the tensor is gone, so nobody else uses the memory.
    let deleted = json!(unsafe { (*context).deleted });
    match outcome {
        Ok(item) => Ok(json!({"item": item, "deleted": deleted})),
        Err(failure) => Err(failure.with(json!({"deleted": deleted}))),
    }
}
