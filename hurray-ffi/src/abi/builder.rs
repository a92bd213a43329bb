//! The descriptor builder: it writes through the identifiers that the accessors read by.

use super::descriptor::{publish, shared};
use super::guard::{clear, guard, panicked, put, slice, wanted};
use super::handles::{HurrayDescriptor, HurrayDescriptorBuilder, HurrayDescriptorField, HurrayStatus};
use super::live::{born, destroy};
use super::prefix::{Head, mark, state};
use super::shared::try_box;
use crate::format::Draft;
use crate::format::field::Value;
use crate::format::{BufferEntry, Fault};

/// What a `HurrayDescriptorBuilder` points at.
#[repr(C)]
pub(crate) struct Builder {
    head: Head,
    /// Set while a call runs; a call that finds it set knows that an earlier one panicked.
    busy: bool,
    draft: Draft,
}

/// Runs one call on a builder.
///
/// # Safety
/// `builder` is a live handle of this copy, used by one thread at a time.
unsafe fn with<R>(
    builder: *mut HurrayDescriptorBuilder,
    body: impl FnOnce(&mut Draft) -> Result<R, Fault>,
) -> Result<R, Fault> {
    // SAFETY: as this function's own.
    let builder = unsafe { &mut *builder.cast::<Builder>() };
    builder.head.writable()?;
    if builder.busy {
        return Err(panicked());
    }
    builder.busy = true;
    let result = body(&mut builder.draft);
    builder.busy = false;
    result
}

/// Starts a descriptor of an element type, a layout and a shape (`rank` dimensions; `UINT64_MAX` is a dynamic one).
///
/// *Ownership:* the handle is the caller's; the shape is copied.
/// *Errors:* `HURRAY_ERR_LIMIT_EXCEEDED` (rank above 64), `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`; tags are
/// judged by `hurray_descriptor_builder_finish`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_new(
    element_type_tag: u8,
    layout_tag: u8,
    shape: *const u64,
    rank: usize,
    out_builder: *mut *mut HurrayDescriptorBuilder,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        let shape = unsafe {
            wanted(out_builder, "out_builder")?;
            clear(out_builder);
            slice(shape, rank, "shape")?
        };
        let draft = Draft::new(element_type_tag, layout_tag, shape)?;
        let builder = Builder { head: Head::new(mark::BUILDER, state::OWNED), busy: false, draft };
        let builder = try_box(builder).map_err(|(_, fault)| fault)?;
        born();
        // SAFETY: as above.
        unsafe { put(out_builder, Box::into_raw(builder).cast(), "out_builder") }
    })
}

/// Sets a whole number, tag or truth value. Setting a field opens its section.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
/// wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
/// unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_set_u64(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    value: u64,
) -> HurrayStatus {
    dispatch!(BUILDER, builder, descriptor_builder_set_u64(builder, field, level, value))
}

pub(crate) unsafe fn set_u64(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    value: u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time by contract.
    unsafe {
        with(builder, |draft| {
            #[cfg(feature = "panic-probe")]
            super::guard::probe(field);
            draft.set(field, level, Value::U(value))
        })
    }
}

/// Sets a signed number. Setting a field opens its section.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
/// wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
/// unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_set_i64(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    value: i64,
) -> HurrayStatus {
    dispatch!(BUILDER, builder, descriptor_builder_set_i64(builder, field, level, value))
}

pub(crate) unsafe fn set_i64(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    value: i64,
) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(builder, |draft| draft.set(field, level, Value::I(value))) }
}

/// Sets a real number; a float32 field takes only values that float32 holds. Setting a field opens its section.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
/// wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
/// unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_set_f64(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    value: f64,
) -> HurrayStatus {
    dispatch!(BUILDER, builder, descriptor_builder_set_f64(builder, field, level, value))
}

pub(crate) unsafe fn set_f64(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    value: f64,
) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(builder, |draft| draft.set(field, level, Value::F(value))) }
}

/// Sets whole numbers. Setting a field opens its section.
///
/// *Ownership:* none taken; the values are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
/// wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
/// unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_set_u64_array(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    values: *const u64,
    len: usize,
) -> HurrayStatus {
    dispatch!(BUILDER, builder, descriptor_builder_set_u64_array(builder, field, level, values, len))
}

pub(crate) unsafe fn set_u64_array(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    values: *const u64,
    len: usize,
) -> Result<(), Fault> {
    // SAFETY: the values are the caller's by contract.
    let values = unsafe { slice(values, len, "values")? };
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(builder, |draft| draft.set(field, level, Value::Us(values))) }
}

/// Sets signed numbers. Setting a field opens its section.
///
/// *Ownership:* none taken; the values are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
/// wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
/// unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_set_i64_array(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    values: *const i64,
    len: usize,
) -> HurrayStatus {
    dispatch!(BUILDER, builder, descriptor_builder_set_i64_array(builder, field, level, values, len))
}

pub(crate) unsafe fn set_i64_array(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    values: *const i64,
    len: usize,
) -> Result<(), Fault> {
    // SAFETY: the values are the caller's by contract.
    let values = unsafe { slice(values, len, "values")? };
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(builder, |draft| draft.set(field, level, Value::Is(values))) }
}

/// Sets opaque bytes. Setting a field opens its section.
///
/// *Ownership:* none taken; the values are copied. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (no such field, of another kind, or a value that its
/// wire field cannot hold), `HURRAY_ERR_FIELD_NOT_APPLICABLE` (of another layout or scheme),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` and `HURRAY_ERR_LIMIT_EXCEEDED` (level), `HURRAY_ERR_UNSUPPORTED` (a section behind an
/// unknown layout), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_set_bytes(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    values: *const u8,
    len: usize,
) -> HurrayStatus {
    dispatch!(BUILDER, builder, descriptor_builder_set_bytes(builder, field, level, values, len))
}

pub(crate) unsafe fn set_bytes(
    builder: *mut HurrayDescriptorBuilder,
    field: HurrayDescriptorField,
    level: u32,
    values: *const u8,
    len: usize,
) -> Result<(), Fault> {
    // SAFETY: the values are the caller's by contract.
    let values = unsafe { slice(values, len, "values")? };
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(builder, |draft| draft.set(field, level, Value::Bytes(values))) }
}

/// Appends an entry to the buffer table. Its values are judged by `hurray_descriptor_builder_finish`.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_LIMIT_EXCEEDED` (more than 255), `HURRAY_ERR_UNSUPPORTED` (a
/// layout that was not understood), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_push_buffer(
    builder: *mut HurrayDescriptorBuilder,
    byte_size: u64,
    alignment: u32,
    device_tag: u8,
    sync_mode: u8,
    memory_class: u8,
) -> HurrayStatus {
    dispatch!(
        BUILDER,
        builder,
        descriptor_builder_push_buffer(builder, byte_size, alignment, device_tag, sync_mode, memory_class)
    )
}

pub(crate) unsafe fn push_buffer(
    builder: *mut HurrayDescriptorBuilder,
    byte_size: u64,
    alignment: u32,
    device_tag: u8,
    sync_mode: u8,
    memory_class: u8,
) -> Result<(), Fault> {
    let entry = BufferEntry { byte_size, alignment, device_tag, sync_mode, memory_class };
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(builder, |draft| draft.push_buffer(entry)) }
}

/// Appends the buffers that the layout, the byte offset and the scheme imply, of the smallest sizes they imply: CPU,
/// producer-synced, aligned to 64. Call it when all other fields are set. Where the scheme's buffer indices are not set,
/// it sets them.
///
/// *Ownership:* none taken. *Errors:* `HURRAY_ERR_OVERFLOW` (a size beyond 64 bits), `HURRAY_ERR_INVALID_ARGUMENT`
/// (dynamic dimensions), `HURRAY_ERR_UNSUPPORTED` (a private layout), `HURRAY_ERR_INVALID_LAYOUT` and
/// `HURRAY_ERR_INVALID_DESCRIPTOR` (a field is missing), `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_push_default_buffers(
    builder: *mut HurrayDescriptorBuilder,
) -> HurrayStatus {
    dispatch!(BUILDER, builder, descriptor_builder_push_default_buffers(builder))
}

pub(crate) unsafe fn push_default_buffers(builder: *mut HurrayDescriptorBuilder) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time by contract.
    unsafe { with(builder, Draft::push_default_buffers) }
}

/// Validates what was set and makes the descriptor. The builder stays as it is and can be changed and finished again.
///
/// *Ownership:* the descriptor is the caller's; the builder stays the caller's.
/// *Errors:* as `hurray_descriptor_decode` for the same values (without an offset), `HURRAY_ERR_INVALID_DESCRIPTOR` or
/// `HURRAY_ERR_INVALID_LAYOUT` (a field is missing), `HURRAY_ERR_INVALID_ARGUMENT` (a derived field does not agree),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_finish(
    builder: *mut HurrayDescriptorBuilder,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_descriptor) };
    dispatch!(BUILDER, builder, descriptor_builder_finish(builder, out_descriptor))
}

pub(crate) unsafe fn finish(
    builder: *mut HurrayDescriptorBuilder,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> Result<(), Fault> {
    // SAFETY: routed here; one thread at a time and the output the caller's, by contract.
    unsafe {
        wanted(out_descriptor, "out_descriptor")?;
        let descriptor = with(builder, |draft| draft.finish())?;
        publish(shared(descriptor)?, out_descriptor)
    }
}

/// Ends a builder and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
///
/// *Ownership:* ends the handle. *Errors:* `HURRAY_ERR_INVALID_HANDLE`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_descriptor_builder_destroy(
    builder: *mut *mut HurrayDescriptorBuilder,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(builder, mark::BUILDER) }
}
