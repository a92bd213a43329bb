//! Rust's own arrays as tensors, and tensors as slices.

use hurray_client::{Array, Element, ElementType, Owner, Tensor};
use serde_json::{Value, json};

use crate::form::{Answer, bytes, hex, numbers};
use crate::{make, show};

/// Elements of a Rust type from their bytes.
fn elements<T: Element, const N: usize>(data: &[u8], of: fn([u8; N]) -> T) -> Vec<T> {
    data.as_chunks::<N>().0.iter().map(|bytes| of(*bytes)).collect()
}

/// A tensor over a vector, and the same elements seen as a slice.
fn typed<T: Element, const N: usize>(
    shape: &[u64],
    data: &[u8],
    of: fn([u8; N]) -> T,
    to: fn(T) -> [u8; N],
) -> Answer {
    let vector = elements(data, of);
    let address = vector.as_ptr();
    let tensor = Tensor::from_vec(shape, vector)?;
    let view = tensor.array_view()?;
    // SAFETY: nobody writes to the vector's memory.
    let slice: &[T] = unsafe { view.as_slice()? };
    let values: Vec<u8> = slice.iter().flat_map(|&element| to(element)).collect();
    let shared = slice.is_empty() || std::ptr::eq(slice.as_ptr(), address);
    Ok(json!({"item": show::tensor(&tensor)?, "values": hex(&values), "shared": shared}))
}

/// A tensor over bytes, for types that Rust lacks.
fn untyped(element_type: ElementType, shape: &[u64], data: Vec<u8>) -> Answer {
    // A vector of bytes need not be aligned for wider elements, and a copy would be made.
    let words: Vec<u128> = data.chunks(16).map(word).collect();
    let address = words.as_ptr().cast_mut().cast();
    let size = usize::try_from(element_type.bytes(shape.iter().product())?).map_err(|_| "too large")?;
    // SAFETY: the words hold all elements, and live as long as the tensor.
    let tensor = unsafe {
        Tensor::from_array(&Array::row_major(element_type, shape, address), None, Owner::of(words))?
    };
    let view = tensor.array_view()?;
    let shared = size == 0 || std::ptr::eq(view.data(), address);
    // SAFETY: a row-major view of so many elements, which nobody writes to.
    let values = unsafe { std::slice::from_raw_parts(view.data().cast::<u8>(), size) };
    Ok(json!({"item": show::tensor(&tensor)?, "values": hex(values), "shared": shared}))
}

fn word(bytes: &[u8]) -> u128 {
    let mut word = [0; 16];
    word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    u128::from_ne_bytes(word)
}

/// The request `array`.
pub fn array(request: &Value) -> Answer {
    let element_type = make::element_type(&request["dtype"])?;
    let shape: Vec<u64> = numbers(&request["shape"])?;
    let data = bytes(&request["data"])?;
    macro_rules! typed {
        ($type:ty) => {
            typed(&shape, &data, <$type>::from_le_bytes, <$type>::to_le_bytes)
        };
    }
    match element_type {
        ElementType::FLOAT32 => typed!(f32),
        ElementType::FLOAT64 => typed!(f64),
        ElementType::INT8 => typed!(i8),
        ElementType::UINT8 => typed!(u8),
        ElementType::INT16 => typed!(i16),
        ElementType::UINT16 => typed!(u16),
        ElementType::INT32 => typed!(i32),
        ElementType::UINT32 => typed!(u32),
        ElementType::INT64 => typed!(i64),
        ElementType::UINT64 => typed!(u64),
        other => untyped(other, &shape, data),
    }
}
