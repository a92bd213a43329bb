//! Arrays as tensors and tensors as arrays, each in one call.

use std::ffi::c_void;
use std::ptr;

use hurray_client::{Array, BufferFlags, Device, ElementType, MemoryClass, Status, Tensor, ViewFlags};
use napi::bindgen_prelude::JsValue;
use napi::{Env, sys};

use crate::buffer::{READ_ONLY, copying};
use crate::callback::Numbers;
use crate::error::{OrThrow, refuse};
use crate::handle::{Made, NativeTensor};
use crate::memory::array_buffer;
use crate::owner::keeping;

/// Most dimensions of a tensor.
const RANK: usize = 64;

/// Of the numbers that cross, a shape is the first ones, as 64-bit words, and strides come so many later. `wrap` reads what
/// follows, and `view` writes it, but for the element type: a rank below 0 stands for one dimension of all elements, and a
/// number of strides below 0 for row-major order.
const TYPE: usize = 2 * RANK;
const RANK_OF_SHAPE: usize = TYPE + 1;
const STRIDE_COUNT: usize = TYPE + 2;
/// Where the element at index zero is, in elements or items.
const OFFSET: usize = TYPE + 3;
/// 0 (if needed), 1 (never) or 2 (always), and afterwards whether it was done.
const COPY: usize = TYPE + 4;
const FLAGS: usize = TYPE + 5;
pub const COUNT: usize = TYPE + 6;

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

fn number(numbers: &Numbers, at: usize) -> f64 {
    f64::from_bits(numbers[at].get())
}

/// An array that JavaScript described.
struct Given {
    element_type: ElementType,
    shape: [u64; RANK],
    rank: usize,
    /// In bytes.
    strides: [i64; RANK],
    stride_count: Option<usize>,
    /// In bytes.
    origin: f64,
}

impl Given {
    /// Reads the numbers; `room` is how many bytes the array has. Nothing if a stride leaves 64 bits.
    fn of(numbers: &Numbers, room: usize) -> napi::Result<Option<Self>> {
        let element_type = ElementType(number(numbers, TYPE) as u8);
        let bits = element_type.info().or_throw()?.bits;
        let unit = (bits / 8).max(1);
        let [rank, strides] = [RANK_OF_SHAPE, STRIDE_COUNT].map(|at| number(numbers, at));
        if rank.max(strides) > RANK as f64 {
            return refuse(Status::LIMIT_EXCEEDED, format!("a tensor has at most {RANK} dimensions"));
        }
        let mut given = Self {
            element_type,
            shape: [0; RANK],
            rank: rank as usize,
            strides: [0; RANK],
            stride_count: (strides >= 0.0).then_some(strides as usize),
            origin: number(numbers, OFFSET) * f64::from(unit),
        };
        if rank < 0.0 {
            given.rank = 1;
            given.shape[0] = room as u64 * 8 / u64::from(bits.max(1));
        } else {
            for (extent, number) in given.shape.iter_mut().zip(numbers).take(given.rank) {
                *extent = number.get();
            }
        }
        let count = given.stride_count.unwrap_or_default();
        for (stride, number) in given.strides.iter_mut().zip(&numbers[RANK..]).take(count) {
            match number.get().cast_signed().checked_mul(unit.into()) {
                Some(bytes) => *stride = bytes,
                None => return Ok(None),
            }
        }
        Ok(Some(given))
    }

    fn shape(&self) -> &[u64] {
        self.shape.get(..self.rank).unwrap_or_default()
    }

    fn strides(&self) -> Option<&[i64]> {
        self.strides.get(..self.stride_count?)
    }

    /// Where in so many bytes the element at index zero lies; nothing if the elements reach outside.
    fn place(&self, room: usize) -> napi::Result<Option<usize>> {
        let Some((below, all)) = extent(self.element_type, self.shape(), self.strides())? else {
            return Ok(None);
        };
        if self.origin < 0.0 || self.origin.fract() != 0.0 {
            return Ok(None);
        }
        let from = self.origin as u64;
        let fits = from >= below && (from - below).checked_add(all).is_some_and(|end| end <= room as u64);
        Ok((fits || all == 0).then_some(from as usize))
    }
}

/// A tensor of an array's memory, as the numbers describe it. `spare` is a handle that was closed, to be used again.
pub fn wrap(
    env: &Env,
    array: sys::napi_value,
    numbers: &Numbers,
    spare: sys::napi_value,
) -> napi::Result<sys::napi_value> {
    let Some((data, room)) = memory(env.raw(), array) else {
        return refuse(Status::INVALID_ARGUMENT, "the value is no typed array and no DataView");
    };
    let Some(given) = Given::of(numbers, room)? else {
        return refuse(Status::OVERFLOW, "a stride leaves 64 bits");
    };
    let Some(origin) = given.place(room)? else {
        let text = format!(
            "{room} bytes do not hold {} elements of shape {:?} from element {} on",
            given.element_type,
            given.shape(),
            number(numbers, OFFSET)
        );
        return refuse(Status::BUFFER_TOO_SMALL, text);
    };
    let described = Array {
        element_type: given.element_type,
        shape: given.shape(),
        byte_strides: given.strides(),
        data: data.wrapping_byte_add(origin),
        device: Device::CPU,
        memory_class: MemoryClass::STANDARD,
        device_id: 0,
        flags: BufferFlags(number(numbers, FLAGS) as u32),
    };
    let copy = number(numbers, COPY) as u32;
    let options = if copy == 0 { None } else { Some(copying(copy)?) };
    let owner = keeping(env.raw(), array)?;
    // SAFETY: what type, shape and strides reach lies in the memory, as was tested; the array has it while it is kept.
    let tensor = unsafe { Tensor::from_array(&described, options.as_ref(), owner) }.or_throw()?;
    Made::from(tensor).into_value(env.raw(), spare)
}

/// A tensor's elements where they lie.
struct Seen {
    element_type: ElementType,
    data: *mut c_void,
    shape: [u64; RANK],
    strides: [i64; RANK],
    rank: usize,
    flags: ViewFlags,
}

impl Seen {
    fn of(tensor: &Tensor) -> hurray_client::Result<Self> {
        let element_type = tensor.descriptor()?.element_type()?;
        let (mut shape, mut strides) = ([0; RANK], [0; RANK]);
        let (data, rank, flags) = tensor.array_view_into(&mut shape, &mut strides)?;
        Ok(Self { element_type, data, shape, strides, rank, flags })
    }

    fn shape(&self) -> &[u64] {
        self.shape.get(..self.rank).unwrap_or_default()
    }

    /// One stride a dimension, in bytes; nothing if elements are packed below a byte.
    fn strides(&self) -> Option<&[i64]> {
        if self.flags.contains(ViewFlags::PACKED) { None } else { self.strides.get(..self.rank) }
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
        let Some((below, all)) = extent(self.element_type, self.shape(), self.strides())? else {
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
pub fn data(env: &Env, tensor: &NativeTensor, copy: bool) -> napi::Result<sys::napi_value> {
    let seen = Seen::of(&tensor.tensor).or_throw()?;
    if seen.strides().is_some() && !seen.flags.contains(ViewFlags::ROW_MAJOR) {
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
    numbers: &Numbers,
) -> napi::Result<sys::napi_value> {
    let seen = Seen::of(&tensor.tensor).or_throw()?;
    let (shape, strides, item) = (seen.shape(), seen.strides().unwrap_or_default(), seen.kind().1);
    for (dimension, (number, &extent)) in numbers.iter().zip(shape).enumerate() {
        number.set(exact(extent.into(), "dimension", dimension)?.to_bits());
    }
    for (dimension, (number, &stride)) in numbers[RANK..].iter().zip(strides).enumerate() {
        let items = i128::from(stride) / item as i128;
        number.set(exact(items, "the stride of dimension", dimension)?.to_bits());
    }
    let (value, below, copied) = seen.typed(env, &tensor.tensor, copy)?;
    numbers[RANK_OF_SHAPE].set(f64::to_bits(shape.len() as f64));
    numbers[STRIDE_COUNT].set(f64::to_bits(strides.len() as f64));
    numbers[OFFSET].set(f64::to_bits((below / item as u64) as f64));
    numbers[COPY].set(f64::to_bits(f64::from(u8::from(copied))));
    Ok(value)
}
