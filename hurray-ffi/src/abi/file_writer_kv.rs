//! Keys and values of a file being written.

use super::constants::*;
use super::file_writer::with;
use super::guard::slice;
use super::handles::{HurrayFileWriter, HurrayStatus};
use crate::format::{Fault, Status};
use crate::io::file::KvKind;
use std::ffi::c_char;

fn bad(what: &'static str, field: &'static str) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", what).field(field)
}

/// The kind that the caller names, if its function writes such values.
fn kind(tag: u8, types: &[u8], is_array: u8, count: usize) -> Result<KvKind, Fault> {
    if !types.contains(&tag) {
        return Err(bad("this function writes no values of this type", "type").value(tag));
    }
    if is_array > 1 || (is_array == 0 && count != 1) {
        return Err(bad("a scalar has one value, and `is_array` is 0 or 1", "count").value(count as u64));
    }
    let Ok(count) = u32::try_from(count) else {
        return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "more elements than an array holds")
            .field("count")
            .value(count as u64)
            .limit(u32::MAX));
    };
    Ok(KvKind { tag, is_array: is_array == 1, count })
}

/// Sets a key to values of type `HURRAY_KV_UINT64` or `HURRAY_KV_BOOL` (0 or 1). `is_array` 0 is a scalar, with `count` 1;
/// 1 is an array, which may be empty. Keys are set before the first put, unless `KV_MODE` says otherwise.
///
/// *Ownership:* key (UTF-8, 1 to 65535 bytes) and values are copied.
/// *Errors:* `HURRAY_ERR_DUPLICATE` (key), `HURRAY_ERR_INVALID_ARGUMENT` (key, type, count, value; or the file was started
/// without a key-value section), `HURRAY_ERR_LIMIT_EXCEEDED` (key, section), `HURRAY_ERR_UNSUPPORTED` (another process),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. A writer that failed fails alike ever
/// after. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_kv_set_u64(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    values: *const u64,
    count: usize,
) -> HurrayStatus {
    dispatch!(
        FILE_WRITER,
        writer,
        file_writer_kv_set_u64(writer, key, key_len, value_type, is_array, values, count)
    )
}

pub(crate) unsafe fn kv_set_u64(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    values: *const u64,
    count: usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        with(writer, |file| {
            let key = slice(key.cast::<u8>(), key_len, "key")?;
            let values = slice(values, count, "values")?;
            let kind = kind(value_type, &[HURRAY_KV_UINT64, HURRAY_KV_BOOL], is_array, count)?;
            if value_type == HURRAY_KV_UINT64 {
                return words(file, key, kind, values.iter().map(|value| value.to_le_bytes()));
            }
            let mut bytes = room(count)?;
            for (index, &value) in values.iter().enumerate() {
                let byte = u8::try_from(value).ok().filter(|&byte| byte <= 1);
                bytes.push(byte.ok_or_else(|| {
                    bad("a truth value is neither 0 nor 1", "values").index(index).value(value)
                })?);
            }
            file.writer.set(key, kind, std::iter::once(&bytes[..]))
        })
    }
}

/// Sets a key to values of type `HURRAY_KV_INT64`.
///
/// *Ownership:* as `hurray_file_writer_kv_set_u64`. *Errors:* as there. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_kv_set_i64(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    values: *const i64,
    count: usize,
) -> HurrayStatus {
    dispatch!(
        FILE_WRITER,
        writer,
        file_writer_kv_set_i64(writer, key, key_len, value_type, is_array, values, count)
    )
}

pub(crate) unsafe fn kv_set_i64(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    values: *const i64,
    count: usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        with(writer, |file| {
            let key = slice(key.cast::<u8>(), key_len, "key")?;
            let values = slice(values, count, "values")?;
            let kind = kind(value_type, &[HURRAY_KV_INT64], is_array, count)?;
            words(file, key, kind, values.iter().map(|value| value.to_le_bytes()))
        })
    }
}

/// Sets a key to values of type `HURRAY_KV_FLOAT64`, bit for bit.
///
/// *Ownership:* as `hurray_file_writer_kv_set_u64`. *Errors:* as there. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_kv_set_f64(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    values: *const f64,
    count: usize,
) -> HurrayStatus {
    dispatch!(
        FILE_WRITER,
        writer,
        file_writer_kv_set_f64(writer, key, key_len, value_type, is_array, values, count)
    )
}

pub(crate) unsafe fn kv_set_f64(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    values: *const f64,
    count: usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        with(writer, |file| {
            let key = slice(key.cast::<u8>(), key_len, "key")?;
            let values = slice(values, count, "values")?;
            let kind = kind(value_type, &[HURRAY_KV_FLOAT64], is_array, count)?;
            words(file, key, kind, values.iter().map(|value| value.to_le_bytes()))
        })
    }
}

/// Sets a key to values of type `HURRAY_KV_STRING` (UTF-8) or `HURRAY_KV_BYTES`: the bytes of one after the other, and for
/// each the position behind its last byte.
///
/// *Ownership:* as `hurray_file_writer_kv_set_u64`. *Errors:* as there; `HURRAY_ERR_INVALID_ARGUMENT` also for ends that
/// descend or do not end at `bytes_len`, and for a string that is not UTF-8. *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_writer_kv_set_packed(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    bytes: *const u8,
    bytes_len: usize,
    ends: *const u64,
    count: usize,
) -> HurrayStatus {
    dispatch!(
        FILE_WRITER,
        writer,
        file_writer_kv_set_packed(writer, key, key_len, value_type, is_array, bytes, bytes_len, ends, count)
    )
}

pub(crate) unsafe fn kv_set_packed(
    writer: *mut HurrayFileWriter,
    key: *const c_char,
    key_len: usize,
    value_type: u8,
    is_array: u8,
    bytes: *const u8,
    bytes_len: usize,
    ends: *const u64,
    count: usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        with(writer, |file| {
            let key = slice(key.cast::<u8>(), key_len, "key")?;
            let bytes = slice(bytes, bytes_len, "bytes")?;
            let ends = slice(ends, count, "ends")?;
            let kind = kind(value_type, &[HURRAY_KV_STRING, HURRAY_KV_BYTES], is_array, count)?;
            let descends = ends.windows(2).position(|pair| matches!(pair, [a, b] if a > b));
            if descends.is_some() || ends.last().copied().unwrap_or(0) != bytes_len as u64 {
                return Err(
                    bad("the ends do not ascend to the number of bytes", "ends").value(bytes_len as u64)
                );
            }
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let pieces = starts.zip(ends).map(|(start, &end)| {
                // In order and inside, as tested above.
                bytes.get(start as usize..end as usize).unwrap_or_default()
            });
            let longest = pieces.clone().map(<[u8]>::len).max().unwrap_or(0);
            if longest as u64 > u64::from(u32::MAX) {
                return Err(Fault::new(
                    Status::LIMIT_EXCEEDED,
                    "",
                    "a value is longer than 4294967295 bytes",
                )
                .field("ends")
                .value(longest as u64)
                .limit(u32::MAX));
            }
            file.writer.set(key, kind, pieces)
        })
    }
}

fn words(
    file: &mut super::file_writer::Draft,
    key: &[u8],
    kind: KvKind,
    values: impl ExactSizeIterator<Item = [u8; 8]>,
) -> Result<(), Fault> {
    let mut bytes = room(values.len().saturating_mul(8))?;
    bytes.extend(values.flatten());
    file.writer.set(key, kind, std::iter::once(&bytes[..]))
}

fn room(bytes: usize) -> Result<Vec<u8>, Fault> {
    let mut room = Vec::new();
    room.try_reserve_exact(bytes).map_err(|_| super::guard::out_of_memory(bytes as u64))?;
    Ok(room)
}
