//! Every field of a descriptor, by its identifier: one at a time, or all at once.

use super::descriptor::{DescriptorHandle, publish, shared};
use super::guard::{Filler, clear, guard, put, put_array, slice, wanted};
use super::handles::{HurrayDescriptor, HurrayDescriptorField, HurrayStatus};
use super::prefix::{is_home, mark};
use crate::format::Draft;
use crate::format::field::{self, Kind, Value};
use crate::format::{Fault, Status};

/// The accessor and the kind agree by then.
#[cold]
fn other_kind() -> Fault {
    Fault::new(Status::INTERNAL, "", "a field has a value of another kind than its identifier says")
}

/// A field that is there, read without more ado.
macro_rules! quick {
    ($name:ident, $type:ty, $kind:ident) => {
        #[inline(always)]
        pub(crate) unsafe fn $name(
            descriptor: *const HurrayDescriptor,
            field: HurrayDescriptorField,
            level: u32,
            out_value: *mut $type,
        ) -> bool {
            // SAFETY: routed here.
            match field::find(unsafe { DescriptorHandle::of(descriptor) }, field, level) {
                Some(Value::$kind(value)) if !out_value.is_null() => {
                    // SAFETY: the output is the caller's by contract.
                    unsafe { out_value.write_unaligned(value) };
                    true
                }
                _ => false,
            }
        }
    };
}

quick!(quick_u64, u64, U);
quick!(quick_i64, i64, I);
quick!(quick_f64, f64, F);

/// A whole number, tag or truth value of kind u. `level` is 0, but for tiled levels and buffers.
///
/// *Ownership:* none.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
/// or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_field_u64(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_value: *mut u64,
) -> HurrayStatus {
    #[inline(never)]
    fn otherwise(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_value: *mut u64,
    ) -> HurrayStatus {
        dispatch!(DESCRIPTOR, descriptor, descriptor_field_u64(descriptor, field, level, out_value))
    }
    // SAFETY: the descriptor is NULL or a handle, and the output the caller's, by contract.
    if unsafe {
        is_home(descriptor.cast(), mark::DESCRIPTOR) && quick_u64(descriptor, field, level, out_value)
    } {
        return 0;
    }
    otherwise(descriptor, field, level, out_value)
}

pub(crate) unsafe fn field_u64(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_value: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_value, "out_value")?;
        match field::get(DescriptorHandle::of(descriptor), field, level, Kind::U)? {
            Value::U(value) => put(out_value, value, "out_value"),
            _ => Err(other_kind()),
        }
    }
}

/// A signed number of kind i. `level` is 0, but for tiled levels and buffers.
///
/// *Ownership:* none.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
/// or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_field_i64(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_value: *mut i64,
) -> HurrayStatus {
    #[inline(never)]
    fn otherwise(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_value: *mut i64,
    ) -> HurrayStatus {
        dispatch!(DESCRIPTOR, descriptor, descriptor_field_i64(descriptor, field, level, out_value))
    }
    // SAFETY: the descriptor is NULL or a handle, and the output the caller's, by contract.
    if unsafe {
        is_home(descriptor.cast(), mark::DESCRIPTOR) && quick_i64(descriptor, field, level, out_value)
    } {
        return 0;
    }
    otherwise(descriptor, field, level, out_value)
}

pub(crate) unsafe fn field_i64(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_value: *mut i64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_value, "out_value")?;
        match field::get(DescriptorHandle::of(descriptor), field, level, Kind::I)? {
            Value::I(value) => put(out_value, value, "out_value"),
            _ => Err(other_kind()),
        }
    }
}

/// A real number of kind f; float32 fields are widened. `level` is 0, but for tiled levels and buffers.
///
/// *Ownership:* none.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
/// or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_field_f64(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_value: *mut f64,
) -> HurrayStatus {
    #[inline(never)]
    fn otherwise(
        descriptor: *const HurrayDescriptor,
        field: HurrayDescriptorField,
        level: u32,
        out_value: *mut f64,
    ) -> HurrayStatus {
        dispatch!(DESCRIPTOR, descriptor, descriptor_field_f64(descriptor, field, level, out_value))
    }
    // SAFETY: the descriptor is NULL or a handle, and the output the caller's, by contract.
    if unsafe {
        is_home(descriptor.cast(), mark::DESCRIPTOR) && quick_f64(descriptor, field, level, out_value)
    } {
        return 0;
    }
    otherwise(descriptor, field, level, out_value)
}

pub(crate) unsafe fn field_f64(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_value: *mut f64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_value, "out_value")?;
        match field::get(DescriptorHandle::of(descriptor), field, level, Kind::F)? {
            Value::F(value) => put(out_value, value, "out_value"),
            _ => Err(other_kind()),
        }
    }
}

/// Whole numbers of kind u[]. `level` is 0, but for tiled levels and buffers.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
/// or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
/// `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_field_u64_array(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_values: *mut u64,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(
        DESCRIPTOR,
        descriptor,
        descriptor_field_u64_array(descriptor, field, level, out_values, out_len)
    )
}

pub(crate) unsafe fn field_u64_array(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_values: *mut u64,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_len, "out_len")?;
        match field::get(DescriptorHandle::of(descriptor), field, level, Kind::Us)? {
            Value::Us(values) => {
                put_array(out_values, out_len, values.len(), |to| to.extend(values.iter().copied()))
            }
            Value::Us32(values) => put_array(out_values, out_len, values.len(), |to| {
                to.extend(values.iter().map(|&value| u64::from(value)))
            }),
            _ => Err(other_kind()),
        }
    }
}

/// Signed numbers of kind i[]. `level` is 0, but for tiled levels and buffers.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
/// or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
/// `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_field_i64_array(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_values: *mut i64,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(
        DESCRIPTOR,
        descriptor,
        descriptor_field_i64_array(descriptor, field, level, out_values, out_len)
    )
}

pub(crate) unsafe fn field_i64_array(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_values: *mut i64,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_len, "out_len")?;
        match field::get(DescriptorHandle::of(descriptor), field, level, Kind::Is)? {
            Value::Is(values) => {
                put_array(out_values, out_len, values.len(), |to| to.extend(values.iter().copied()))
            }
            _ => Err(other_kind()),
        }
    }
}

/// Opaque bytes of kind bytes. `level` is 0, but for tiled levels and buffers.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, or of another kind), `HURRAY_ERR_FIELD_NOT_PRESENT` (the section
/// or the optional field is not carried), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_UNSUPPORTED` (hidden behind a layout that was not understood), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
/// `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_field_bytes(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_bytes: *mut u8,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_field_bytes(descriptor, field, level, out_bytes, out_len))
}

pub(crate) unsafe fn field_bytes(
    descriptor: *const HurrayDescriptor,
    field: HurrayDescriptorField,
    level: u32,
    out_bytes: *mut u8,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_len, "out_len")?;
        match field::get(DescriptorHandle::of(descriptor), field, level, Kind::Bytes)? {
            Value::Bytes(bytes) => {
                put_array(out_bytes, out_len, bytes.len(), |to| to.extend(bytes.iter().copied()))
            }
            _ => Err(other_kind()),
        }
    }
}

/// Everything the descriptor carries, derived fields too, in ascending order of identifier, then level: word 0 is
/// `id | level << 32 | kind << 48` (kinds 1 u, 2 i, 3 f, 4 u[], 5 i[], 6 bytes), word 1 the count (scalars 1; bytes: the
/// number of bytes), then that many words (f as its IEEE bits; bytes eight to a word, lowest first, zero-filled). Skip
/// identifiers that you do not know. 512 words of room do for nearly every descriptor.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in words.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_fields(
    descriptor: *const HurrayDescriptor,
    out_words: *mut u64,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(DESCRIPTOR, descriptor, descriptor_fields(descriptor, out_words, out_len))
}

pub(crate) unsafe fn fields(
    descriptor: *const HurrayDescriptor,
    out_words: *mut u64,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let descriptor = unsafe { DescriptorHandle::of(descriptor) };
    let fill = |to: &mut Filler<u64>| field::write_words(descriptor, |word| to.push(word));
    // SAFETY: the outputs are the caller's by contract.
    unsafe { put_array(out_words, out_len, field::words_len(descriptor), fill) }
}

/// Makes a descriptor from the words of `hurray_descriptor_fields`, in any order, with full validation. Each
/// identifier and level stands once; derived fields may be left out, and must agree where they are given.
///
/// *Ownership:* the handle is the caller's. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (a word that names no field, twice, of
/// another kind, or without effect), the statuses of `hurray_descriptor_builder_finish`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_from_fields(
    words: *const u64,
    len: usize,
    out: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe {
            wanted(out, "out")?;
            clear(out);
            publish(shared(Draft::from_words(slice(words, len, "words")?)?)?, out)
        }
    })
}
