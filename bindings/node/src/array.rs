//! Arrays as tensors and tensors as arrays, each in one call.

use std::ffi::c_void;
use std::ptr;

use hurray_client::{Array, BufferFlags, Device, ElementType, MemoryClass, Status, Tensor, ViewFlags};
use napi::bindgen_prelude::JsValue;
use napi::{Env, sys};

use crate::buffer::{READ_ONLY, copying};
use crate::error::{OrThrow, refuse};
use crate::handle::{Made, NativeTensor};
use crate::memory::array_buffer;
use crate::owner::keeping;

/// Most dimensions of a tensor.
const RANK: usize = 64;

/// What crosses beside arguments, in memory that the package sees as an array of words and of numbers. `wrap` reads it, and
/// `view` writes it: there, all are numbers.
#[repr(C)]
pub struct Numbers {
    shape: [u64; RANK],
    strides: [i64; RANK],
    element_type: f64,
    /// Below 0: one dimension of all elements.
    rank: f64,
    /// Below 0: row-major order.
    stride_count: f64,
    /// Where the element at index zero is, in elements or items.
    offset: f64,
    /// 0 (if needed), 1 (never) or 2 (always), and afterwards whether it was done.
    copy: f64,
    flags: f64,
}

/// How far elements reach: bytes below the one at index zero, and bytes in all.
fn reach(shape: &[u64], strides: &[i64], width: u64) -> Option<(u64, u64)> {
    if shape.contains(&0) {
        return Some((0, 0));
    }
    let (mut low, mut high) = (0i128, i128::from(width));
    for (&extent, &stride) in shape.iter().zip(strides) {
        let last = i128::from(extent - 1).checked_mul(stride.into())?;
        low = low.checked_add(last.min(0))?;
        high = high.checked_add(last.max(0))?;
    }
    Some((u64::try_from(-low).ok()?, u64::try_from(high.checked_sub(low)?).ok()?))
}

/// Bytes below the element at index zero, and bytes in all, of elements at strides, in row-major order without any, or packed
/// below a byte.
fn extent(
    element_type: ElementType,
    shape: &[u64],
    strides: Option<&[i64]>,
) -> napi::Result<Option<(u64, u64)>> {
    let bits = u64::from(element_type.info().or_throw()?.bits);
    if let Some(strides) = strides.filter(|_| bits >= 8) {
        return Ok(reach(shape, strides, bits / 8));
    }
    let count = shape.iter().try_fold(1u64, |count, &extent| count.checked_mul(extent));
    let bytes = match count {
        Some(count) => Some(element_type.bytes(count).or_throw()?),
        None if shape.contains(&0) => Some(0),
        None => None,
    };
    Ok(bytes.map(|bytes| (0, bytes)))
}

/// The memory of a typed array or a DataView.
fn memory(env: sys::napi_env, value: sys::napi_value) -> Option<(*mut c_void, usize)> {
    let (mut kind, mut count, mut data) = (0, 0, ptr::null_mut());
    let nothing = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: a value of this environment; the out-parameters are locals, or not wanted.
    let status = unsafe {
        sys::napi_get_typedarray_info(env, value, &mut kind, &mut count, &mut data, nothing.0, nothing.1)
    };
    if status == sys::Status::napi_ok {
        return Some((data, count.checked_mul(ITEM.get(usize::try_from(kind).ok()?).copied()?)?));
    }
    // SAFETY: as above.
    let status =
        unsafe { sys::napi_get_dataview_info(env, value, &mut count, &mut data, nothing.0, nothing.1) };
    (status == sys::Status::napi_ok).then_some((data, count))
}

/// Bytes of an item of each kind of typed array, as Node-API numbers them.
const ITEM: [usize; 12] = [1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 2];

/// The kind of typed array that shows elements of a type: 16-bit floats as their bits, complex numbers as pairs, and what is
/// narrower than a byte, wider than 8 or unknown to JavaScript as bytes.
fn shown(element_type: ElementType) -> sys::napi_typedarray_type {
    match element_type {
        ElementType::INT8 => sys::TypedarrayType::int8_array,
        ElementType::INT16 => sys::TypedarrayType::int16_array,
        ElementType::UINT16 | ElementType::FLOAT16 | ElementType::BFLOAT16 => {
            sys::TypedarrayType::uint16_array
        }
        ElementType::INT32 => sys::TypedarrayType::int32_array,
        ElementType::UINT32 => sys::TypedarrayType::uint32_array,
        ElementType::INT64 => sys::TypedarrayType::bigint64_array,
        ElementType::UINT64 => sys::TypedarrayType::biguint64_array,
        ElementType::FLOAT32 | ElementType::COMPLEX64 => sys::TypedarrayType::float32_array,
        ElementType::FLOAT64 | ElementType::COMPLEX128 => sys::TypedarrayType::float64_array,
        _ => sys::TypedarrayType::uint8_array,
    }
}

/// Where in `room` bytes the element at index zero lies, at so many bytes; nothing if some element lies outside.
fn place(
    element_type: ElementType,
    shape: &[u64],
    strides: Option<&[i64]>,
    origin: f64,
    room: usize,
) -> napi::Result<Option<usize>> {
    let Some((below, all)) = extent(element_type, shape, strides)? else { return Ok(None) };
    if origin < 0.0 || origin.fract() != 0.0 {
        return Ok(None);
    }
    let from = origin as u64;
    let fits = from >= below && (from - below).checked_add(all).is_some_and(|end| end <= room as u64);
    Ok((fits || all == 0).then_some(from as usize))
}

/// A tensor of an array's memory, as the numbers describe it. `spare` is a handle that was closed, to be used again.
pub fn wrap(
    env: &Env,
    array: sys::napi_value,
    numbers: &mut Numbers,
    spare: sys::napi_value,
) -> napi::Result<sys::napi_value> {
    let Some((data, room)) = memory(env.raw(), array) else {
        return refuse(Status::INVALID_ARGUMENT, "the value is no typed array and no DataView");
    };
    let Numbers { shape, strides, rank, stride_count, .. } = numbers;
    let element_type = ElementType(numbers.element_type as u8);
    let bits = element_type.info().or_throw()?.bits;
    let unit = (bits / 8).max(1);
    if *rank < 0.0 {
        (*rank, shape[0]) = (1.0, room as u64 * 8 / u64::from(bits.max(1)));
    }
    let strides =
        if *stride_count < 0.0 { Some(None) } else { strides.get_mut(..*stride_count as usize).map(Some) };
    let (Some(shape), Some(strides)) = (shape.get(..*rank as usize), strides) else {
        return refuse(Status::LIMIT_EXCEEDED, format!("a tensor has at most {RANK} dimensions"));
    };
    let byte_strides = match strides {
        Some(strides) => {
            for stride in strides.iter_mut() {
                let Some(bytes) = stride.checked_mul(unit.into()) else {
                    return refuse(Status::OVERFLOW, "a stride leaves 64 bits");
                };
                *stride = bytes;
            }
            Some(&*strides)
        }
        None => None,
    };
    let origin = numbers.offset * f64::from(unit);
    let Some(origin) = place(element_type, shape, byte_strides, origin, room)? else {
        let offset = numbers.offset;
        let text = format!(
            "{room} bytes do not hold {element_type} elements of shape {shape:?} from element {offset} on"
        );
        return refuse(Status::BUFFER_TOO_SMALL, text);
    };
    let given = Array {
        element_type,
        shape,
        byte_strides,
        data: data.wrapping_byte_add(origin),
        device: Device::CPU,
        memory_class: MemoryClass::STANDARD,
        device_id: 0,
        flags: BufferFlags(numbers.flags as u32),
    };
    let copy = numbers.copy as u32;
    let options = if copy == 0 { None } else { Some(copying(copy)?) };
    let owner = keeping(env.raw(), array)?;
    // SAFETY: what type, shape and strides reach lies in the memory, as was tested; the array has it while it is kept.
    let tensor = unsafe { Tensor::from_array(&given, options.as_ref(), owner) }.or_throw()?;
    Made::from(tensor).into_value(env.raw(), spare)
}

/// A tensor's elements where they lie.
struct Seen<'a> {
    element_type: ElementType,
    data: *mut c_void,
    shape: &'a [u64],
    /// One a dimension, in bytes; nothing if elements are packed below a byte.
    strides: Option<&'a [i64]>,
    flags: ViewFlags,
}

impl<'a> Seen<'a> {
    fn of(tensor: &Tensor, numbers: &'a mut Numbers) -> hurray_client::Result<Self> {
        let element_type = tensor.descriptor()?.element_type()?;
        let (data, rank, flags) = tensor.array_view_into(&mut numbers.shape, &mut numbers.strides)?;
        let strides = if flags.contains(ViewFlags::PACKED) { None } else { numbers.strides.get(..rank) };
        let shape = numbers.shape.get(..rank).unwrap_or_default();
        Ok(Self { element_type, data, shape, strides, flags })
    }

    /// The kind of typed array that shows the elements, and the bytes of its items.
    fn kind(&self) -> (sys::napi_typedarray_type, usize) {
        let kind = shown(self.element_type);
        (kind, usize::try_from(kind).ok().and_then(|kind| ITEM.get(kind)).copied().unwrap_or(1))
    }

    fn refuse_in_place(&self) -> napi::Result<()> {
        if self.flags.contains(ViewFlags::READ_ONLY) {
            return refuse(Status::COPY_REQUIRED, READ_ONLY);
        }
        if self.flags.contains(ViewFlags::MISALIGNED) {
            let text = format!(
                "the data at {:p} is not aligned for {}, and a typed array must be: `{{ copy: true }}` gives a copy",
                self.data, self.element_type
            );
            return refuse(Status::COPY_REQUIRED, text);
        }
        Ok(())
    }

    /// The typed array, the bytes in it below the element at index zero, and whether it is a copy.
    fn typed(&self, env: &Env, tensor: &Tensor, copy: bool) -> napi::Result<(sys::napi_value, u64, bool)> {
        if !copy {
            self.refuse_in_place()?;
        }
        let Some((below, all)) = extent(self.element_type, self.shape, self.strides)? else {
            return refuse(Status::OVERFLOW, "the elements reach over more bytes than 64 bits count");
        };
        let first = self.data.cast::<u8>().wrapping_sub(below as usize);
        let (keep, (kind, item)) = (tensor.share().or_throw()?, self.kind());
        // SAFETY: the library vouches for the memory that its view reaches, for as long as a share of the tensor lives.
        let (buffer, copied) = unsafe { array_buffer(env, first, all as usize, item, copy, keep)? };
        let mut value = ptr::null_mut();
        // SAFETY: the buffer is a value of this environment; the out-parameter is a local.
        let made = unsafe {
            sys::napi_create_typedarray(env.raw(), kind, all as usize / item, buffer.raw(), 0, &mut value)
        };
        if made != sys::Status::napi_ok {
            return refuse(Status::INTERNAL, "the runtime makes no typed array");
        }
        Ok((value, below, copied))
    }
}

/// The elements of a tensor in row-major order, in place, as a typed array.
pub fn data(
    env: &Env,
    tensor: &NativeTensor,
    copy: bool,
    numbers: &mut Numbers,
) -> napi::Result<sys::napi_value> {
    let seen = Seen::of(&tensor.tensor, numbers).or_throw()?;
    if seen.strides.is_some() && !seen.flags.contains(ViewFlags::ROW_MAJOR) {
        let text = "the elements are not in row-major order: `view` shows them with their strides";
        return refuse(Status::COPY_REQUIRED, text);
    }
    Ok(seen.typed(env, &tensor.tensor, copy)?.0)
}

/// A number that a JavaScript number is too, exactly.
fn exact(value: i128, what: &str, dimension: usize) -> napi::Result<f64> {
    if value.unsigned_abs() < 1 << 53 {
        return Ok(value as f64);
    }
    refuse(Status::OVERFLOW, format!("{what} {dimension} is {value}, beyond 2^53 - 1"))
}

/// The elements in place, as a typed array, which the numbers describe: strides and offset in its items.
pub fn view(
    env: &Env,
    tensor: &NativeTensor,
    copy: bool,
    numbers: &mut Numbers,
) -> napi::Result<sys::napi_value> {
    let seen = Seen::of(&tensor.tensor, numbers).or_throw()?;
    let (value, below, copied) = seen.typed(env, &tensor.tensor, copy)?;
    let (rank, strides, item) = (seen.shape.len(), seen.strides.map_or(0, <[i64]>::len), seen.kind().1);
    for (dimension, extent) in numbers.shape.iter_mut().take(rank).enumerate() {
        *extent = exact((*extent).into(), "dimension", dimension)?.to_bits();
    }
    for (dimension, stride) in numbers.strides.iter_mut().take(strides).enumerate() {
        let items = i128::from(*stride) / item as i128;
        *stride = exact(items, "the stride of dimension", dimension)?.to_bits().cast_signed();
    }
    (numbers.rank, numbers.stride_count) = (rank as f64, strides as f64);
    (numbers.offset, numbers.copy) = ((below / item as u64) as f64, f64::from(u8::from(copied)));
    Ok(value)
}
