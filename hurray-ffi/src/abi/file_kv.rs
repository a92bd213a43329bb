//! The key-value section of an open file.

use super::constants::*;
use super::file_entry::put_packed;
use super::file_reader::{OpenFile, with};
use super::guard::{Filler, put, put_array, slice, wanted};
use super::handles::{HurrayFileReader, HurrayStatus};
use crate::format::{Fault, Status};
use crate::io::file::KvEntry;
use std::ffi::c_char;

/// The number of keys.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_count(
    reader: *const HurrayFileReader,
    out_count: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_count(reader, out_count))
}

pub(crate) unsafe fn kv_count(reader: *const HurrayFileReader, out_count: *mut u64) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe { with(reader, |file| put(out_count, file.container.kv().entries().len() as u64, "out_count")) }
}

fn entry(file: &OpenFile, i: u64) -> Result<&KvEntry, Fault> {
    let entries = file.container.kv().entries();
    usize::try_from(i).ok().and_then(|i| entries.get(i)).ok_or_else(|| {
        Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "the file has no such key")
            .field("i")
            .value(i)
            .limit(entries.len() as u64)
    })
}

/// An entry whose values are of one of these types.
fn entry_of<'a>(file: &'a OpenFile, i: u64, types: &[u8]) -> Result<&'a KvEntry, Fault> {
    let entry = entry(file, i)?;
    if types.contains(&entry.kind.tag) {
        return Ok(entry);
    }
    Err(Fault::new(Status::INVALID_ARGUMENT, "", "the value is of another type than this function reads")
        .field("type")
        .value(entry.kind.tag))
}

/// The key of the `i`-th pair, in the order of the file. UTF-8.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_key(
    reader: *const HurrayFileReader,
    i: u64,
    out: *mut c_char,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_key(reader, i, out, out_len))
}

pub(crate) unsafe fn kv_key(
    reader: *const HurrayFileReader,
    i: u64,
    out: *mut c_char,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        with(reader, |file| {
            let key = file.container.kv().key(entry(file, i)?);
            let fill = |to: &mut Filler<c_char>| to.extend(key.iter().map(|&byte| byte as c_char));
            put_array(out, out_len, key.len(), fill)
        })
    }
}

/// Finds a key, byte for byte.
///
/// *Ownership:* none; the key (UTF-8, `key_len` bytes) is not kept.
/// *Errors:* `HURRAY_ERR_NOT_FOUND` (an answer), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_find(
    reader: *const HurrayFileReader,
    key: *const c_char,
    key_len: usize,
    out_i: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_find(reader, key, key_len, out_i))
}

pub(crate) unsafe fn kv_find(
    reader: *const HurrayFileReader,
    key: *const c_char,
    key_len: usize,
    out_i: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        wanted(out_i, "out_i")?;
        let key = slice(key.cast::<u8>(), key_len, "key")?;
        with(reader, |file| {
            let found = file.container.kv().find(key).ok_or_else(|| Fault::answer(Status::NOT_FOUND))?;
            put(out_i, found.into(), "out_i")
        })
    }
}

/// What the value of the `i`-th pair is: a `HURRAY_KV_...` type (of the elements, for an array), whether it is an array
/// (1 or 0), and how many elements it has (a scalar has 1).
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_type(
    reader: *const HurrayFileReader,
    i: u64,
    out_type: *mut u8,
    out_is_array: *mut u8,
    out_count: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_type(reader, i, out_type, out_is_array, out_count))
}

pub(crate) unsafe fn kv_kind(
    reader: *const HurrayFileReader,
    i: u64,
    out_type: *mut u8,
    out_is_array: *mut u8,
    out_count: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_type, "out_type")?;
        wanted(out_is_array, "out_is_array")?;
        wanted(out_count, "out_count")?;
        with(reader, |file| {
            let kind = entry(file, i)?.kind;
            put(out_type, kind.tag, "out_type")?;
            put(out_is_array, kind.is_array.into(), "out_is_array")?;
            put(out_count, kind.count.into(), "out_count")
        })
    }
}

/// The eight-byte values of an entry, as they are in the file.
fn words(file: &OpenFile, entry: &KvEntry) -> impl Iterator<Item = [u8; 8]> {
    let (words, _) = file.container.kv().payload(entry).as_chunks::<8>();
    words.iter().copied()
}

/// The values of the `i`-th pair, of type `HURRAY_KV_UINT64` or `HURRAY_KV_BOOL` (0 or 1). A scalar is an array of one.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in values.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_ARGUMENT` (of another type),
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_u64(
    reader: *const HurrayFileReader,
    i: u64,
    out_values: *mut u64,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_u64(reader, i, out_values, out_len))
}

pub(crate) unsafe fn kv_u64(
    reader: *const HurrayFileReader,
    i: u64,
    out_values: *mut u64,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        with(reader, |file| {
            let entry = entry_of(file, i, &[HURRAY_KV_UINT64, HURRAY_KV_BOOL])?;
            put_array(out_values, out_len, entry.kind.count as usize, |to| {
                if entry.kind.tag == HURRAY_KV_BOOL {
                    to.extend(file.container.kv().payload(entry).iter().map(|&byte| byte.into()));
                } else {
                    to.extend(words(file, entry).map(u64::from_le_bytes));
                }
            })
        })
    }
}

/// The values of the `i`-th pair, of type `HURRAY_KV_INT64`. A scalar is an array of one.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in values.
/// *Errors:* as `hurray_file_reader_kv_u64`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_i64(
    reader: *const HurrayFileReader,
    i: u64,
    out_values: *mut i64,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_i64(reader, i, out_values, out_len))
}

pub(crate) unsafe fn kv_i64(
    reader: *const HurrayFileReader,
    i: u64,
    out_values: *mut i64,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        with(reader, |file| {
            let entry = entry_of(file, i, &[HURRAY_KV_INT64])?;
            put_array(out_values, out_len, entry.kind.count as usize, |to| {
                to.extend(words(file, entry).map(i64::from_le_bytes));
            })
        })
    }
}

/// The values of the `i`-th pair, of type `HURRAY_KV_FLOAT64`, bit for bit. A scalar is an array of one.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in values.
/// *Errors:* as `hurray_file_reader_kv_u64`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_f64(
    reader: *const HurrayFileReader,
    i: u64,
    out_values: *mut f64,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_f64(reader, i, out_values, out_len))
}

pub(crate) unsafe fn kv_f64(
    reader: *const HurrayFileReader,
    i: u64,
    out_values: *mut f64,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        with(reader, |file| {
            let entry = entry_of(file, i, &[HURRAY_KV_FLOAT64])?;
            put_array(out_values, out_len, entry.kind.count as usize, |to| {
                to.extend(words(file, entry).map(f64::from_le_bytes));
            })
        })
    }
}

/// The values of the `i`-th pair, of type `HURRAY_KV_STRING` (UTF-8) or `HURRAY_KV_BYTES`: the bytes of one after the
/// other, and for each the position behind its last byte. A scalar is an array of one.
///
/// *Ownership:* written into the caller's arrays; `*out_len` is the room for bytes and `*out_count` that for ends, then
/// the true lengths. *Errors:* as `hurray_file_reader_kv_u64`; for `HURRAY_ERR_BUFFER_TOO_SMALL` (either array) both true
/// lengths are written. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_kv_packed(
    reader: *const HurrayFileReader,
    i: u64,
    out_bytes: *mut u8,
    out_len: *mut usize,
    out_ends: *mut u64,
    out_count: *mut usize,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_kv_packed(reader, i, out_bytes, out_len, out_ends, out_count))
}

pub(crate) unsafe fn kv_packed(
    reader: *const HurrayFileReader,
    i: u64,
    out_bytes: *mut u8,
    out_len: *mut usize,
    out_ends: *mut u64,
    out_count: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        with(reader, |file| {
            let entry = entry_of(file, i, &[HURRAY_KV_STRING, HURRAY_KV_BYTES])?;
            put_packed(out_bytes, out_len, out_ends, out_count, file.container.kv().texts(entry))
        })
    }
}
