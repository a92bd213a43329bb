//! What is in a file: entries, items, and their bytes.

use super::descriptor::DescriptorHandle;
use super::file_reader::{OpenFile, with};
use super::guard::{clear, out_of_memory, put, slice, wanted};
use super::handles::{HurrayDescriptor, HurrayFileReader, HurrayItem, HurrayStatus, HurrayTensor};
use super::item;
use super::prefix::{null, state};
use super::shared::{Shared, try_box};
use crate::format::{Fault, Status};
use crate::io::file::Fetch;
use std::ffi::c_char;
use std::sync::OnceLock;

/// Finds an entry by its name, byte for byte.
///
/// *Ownership:* none; the name (UTF-8, `name_len` bytes) is not kept.
/// *Errors:* `HURRAY_ERR_NOT_FOUND` (an answer), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_entry_find(
    reader: *const HurrayFileReader,
    name: *const c_char,
    name_len: usize,
    out_index: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_entry_find(reader, name, name_len, out_index))
}

pub(crate) unsafe fn entry_find(
    reader: *const HurrayFileReader,
    name: *const c_char,
    name_len: usize,
    out_index: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        wanted(out_index, "out_index")?;
        let name = slice(name.cast::<u8>(), name_len, "name")?;
        with(reader, |file| {
            let found = file.container.index().find(name).ok_or_else(|| Fault::answer(Status::NOT_FOUND))?;
            put(out_index, found.into(), "out_index")
        })
    }
}

/// All names at once, in the order of the index: the bytes of one after the other, and for each the position behind
/// its last byte.
///
/// *Ownership:* written into the caller's arrays; `*out_len` is the room for bytes and `*out_count` that for ends, then
/// the true lengths. *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL` (either array; both true lengths are written),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_entry_names(
    reader: *const HurrayFileReader,
    out_bytes: *mut u8,
    out_len: *mut usize,
    out_ends: *mut u64,
    out_count: *mut usize,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_entry_names(reader, out_bytes, out_len, out_ends, out_count))
}

pub(crate) unsafe fn entry_names(
    reader: *const HurrayFileReader,
    out_bytes: *mut u8,
    out_len: *mut usize,
    out_ends: *mut u64,
    out_count: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        with(reader, |file| {
            let index = file.container.index();
            let names = (0..index.len()).map(|position| index.name(position));
            put_packed(out_bytes, out_len, out_ends, out_count, names)
        })
    }
}

/// The capacity idiom over two arrays: bytes, and where each piece ends.
///
/// # Safety
/// As [`super::guard::put_array`], for both.
pub(super) unsafe fn put_packed<'a>(
    out_bytes: *mut u8,
    out_len: *mut usize,
    out_ends: *mut u64,
    out_count: *mut usize,
    pieces: impl Iterator<Item = &'a [u8]> + Clone,
) -> Result<(), Fault> {
    use super::guard::put_array;
    let (bytes, count) =
        pieces.clone().fold((0, 0), |(bytes, count), piece: &[u8]| (bytes + piece.len(), count + 1));
    // SAFETY: as this function's own.
    unsafe {
        wanted(out_len, "out_len")?;
        wanted(out_count, "out_count")?;
        let (byte_room, end_room) = (out_len.read_unaligned(), out_count.read_unaligned());
        out_len.write_unaligned(bytes);
        out_count.write_unaligned(count);
        let short = |out_is_null: bool, room: usize, len: usize| len > 0 && (out_is_null || room < len);
        if short(out_bytes.is_null(), byte_room, bytes) || short(out_ends.is_null(), end_room, count) {
            return Err(Fault::answer(Status::BUFFER_TOO_SMALL));
        }
        let all = pieces.clone();
        put_array(out_bytes, out_len, bytes, |to| all.for_each(|piece| to.extend(piece.iter().copied())))?;
        let mut end = 0;
        put_array(out_ends, out_count, count, |to| {
            to.extend(pieces.map(|piece| {
                end += piece.len() as u64;
                end
            }));
        })
    }
}

impl OpenFile {
    /// The lent descriptor of an entry.
    fn descriptor(&self, position: u64) -> Result<&DescriptorHandle, Fault> {
        let (position, entry) = self.container.entry(position)?;
        let count = self.container.index().len() as usize;
        let all = match self.descriptors.get() {
            Some(all) => all,
            None => {
                let mut all: Vec<OnceLock<Box<DescriptorHandle>>> = Vec::new();
                all.try_reserve_exact(count).map_err(|_| out_of_memory(count as u64 * 16))?;
                all.resize_with(count, OnceLock::new);
                self.descriptors.get_or_init(|| all)
            }
        };
        let slot = all
            .get(position as usize)
            .ok_or_else(|| Fault::new(Status::INTERNAL, "", "an entry outside its own table"))?;
        if let Some(descriptor) = slot.get() {
            return Ok(descriptor);
        }
        let mut fetch = Fetch::new(&self.origin);
        let located = self.container.locate(&mut fetch, position, entry.descriptor_end())?;
        let inner = Shared::try_new(located.descriptor).map_err(|(_, fault)| fault)?;
        let fresh = try_box(DescriptorHandle::new(inner, state::BORROWED)).map_err(|(_, fault)| fault)?;
        Ok(slot.get_or_init(|| fresh))
    }
}

/// The descriptor of an entry, read and checked when it is first asked for.
///
/// *Ownership:* borrowed; lives as long as the reader, and is never destroyed on its own.
/// *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`; the status of the first rule that the entry breaks: `HURRAY_ERR_CORRUPT`, or
/// those of `hurray_descriptor_decode`; `HURRAY_ERR_LIMIT_EXCEEDED`, `HURRAY_ERR_INVALID_SYNC_MODE` and
/// `HURRAY_ERR_UNSUPPORTED` (options), `HURRAY_ERR_IO`, `HURRAY_ERR_TRUNCATED` (the file was cut since it was opened),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_entry_descriptor(
    reader: *const HurrayFileReader,
    index: u64,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_descriptor) };
    dispatch!(FILE_READER, reader, file_reader_entry_descriptor(reader, index, out_descriptor))
}

pub(crate) unsafe fn entry_descriptor(
    reader: *const HurrayFileReader,
    index: u64,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_descriptor, "out_descriptor")?;
        with(reader, |file| {
            let lent = &raw const *file.descriptor(index)?;
            put(out_descriptor, lent.cast_mut().cast(), "out_descriptor")
        })
    }
}

/// The tensor of an entry, a member of a composite included. Its buffers are views of the mapping where their addresses
/// are aligned as declared; where they are not (the `HURRAY_BUFFER_COPIED_ALIGNMENT` flag), or the options ask for
/// copies, they are read into memory of their own. Buffers of other devices are host bytes
/// (`HURRAY_BUFFER_HOST_POINTER`).
///
/// *Ownership:* the tensor is the caller's; it keeps the mapping alive and outlives the reader.
/// *Errors:* as `hurray_file_reader_entry_descriptor`; `HURRAY_ERR_INVALID_ARGUMENT` (a composite's head),
/// `HURRAY_ERR_COPY_REQUIRED` (`COPY` 1), `HURRAY_ERR_UNSUPPORTED` (a layout that was not understood),
/// `HURRAY_ERR_CANCELLED`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_entry_tensor(
    reader: *const HurrayFileReader,
    index: u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(FILE_READER, reader, file_reader_entry_tensor(reader, index, out_tensor))
}

pub(crate) unsafe fn entry_tensor(
    reader: *const HurrayFileReader,
    index: u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        with(reader, |file| {
            let (position, entry) = file.container.entry(index)?;
            let mut fetch = Fetch::new(&file.origin);
            let located = file.container.locate(&mut fetch, position, entry.end())?;
            let ready = file.tensor(&mut fetch, located, entry.end())?;
            put(out_tensor, ready.publish(), "out_tensor")
        })
    }
}

/// Where the data of an entry is in the file: offset and length in bytes, gaps between its buffers included. A head has
/// length 0.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_entry_range(
    reader: *const HurrayFileReader,
    index: u64,
    out_offset: *mut u64,
    out_length: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_entry_range(reader, index, out_offset, out_length))
}

pub(crate) unsafe fn entry_range(
    reader: *const HurrayFileReader,
    index: u64,
    out_offset: *mut u64,
    out_length: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        wanted(out_offset, "out_offset")?;
        wanted(out_length, "out_length")?;
        with(reader, |file| {
            let (_, entry) = file.container.entry(index)?;
            put(out_offset, entry.data_offset, "out_offset")?;
            put(out_length, entry.data_length, "out_length")
        })
    }
}

/// Reads part of one buffer of an entry: `len` bytes from `offset` of the buffer. Nothing else of the entry but its
/// descriptor is read. Where the layout was not understood, buffer 0 stands for all of the entry's data.
///
/// *Ownership:* the bytes are written into the caller's `out`. *Errors:* as `hurray_file_reader_entry_descriptor`;
/// `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (no such buffer, or bytes beyond it), `HURRAY_ERR_CANCELLED`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_entry_read(
    reader: *const HurrayFileReader,
    index: u64,
    buffer_index: u64,
    offset: u64,
    out: *mut u8,
    len: usize,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_entry_read(reader, index, buffer_index, offset, out, len))
}

pub(crate) unsafe fn entry_read(
    reader: *const HurrayFileReader,
    index: u64,
    buffer_index: u64,
    offset: u64,
    out: *mut u8,
    len: usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; `out` has room for `len` bytes, the caller's for the time of the call, by contract.
    unsafe {
        let out = match len {
            0 => &mut [],
            _ if out.is_null() => return Err(null("out")),
            _ => std::slice::from_raw_parts_mut(out, len),
        };
        with(reader, |file| {
            let (position, _) = file.container.entry(index)?;
            file.read(position, buffer_index, offset, out)
        })
    }
}

/// The number of top-level items: tensors and composites that are no member of another. The first call of this and its
/// neighbours reads the descriptors of entries without data.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_IO`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_item_count(
    reader: *const HurrayFileReader,
    out_count: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_item_count(reader, out_count))
}

pub(crate) unsafe fn item_count(reader: *const HurrayFileReader, out_count: *mut u64) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_count, "out_count")?;
        with(reader, |file| {
            let items = file.container.items(&file.origin)?;
            put(out_count, items.len() as u64, "out_count")
        })
    }
}

/// The entry of the `i`-th top-level item, in the order in which the tensors lie in the file.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`, `HURRAY_ERR_IO`, `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_item_entry(
    reader: *const HurrayFileReader,
    i: u64,
    out_index: *mut u64,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_item_entry(reader, i, out_index))
}

pub(crate) unsafe fn item_entry(
    reader: *const HurrayFileReader,
    i: u64,
    out_index: *mut u64,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_index, "out_index")?;
        with(reader, |file| {
            let items = file.container.items(&file.origin)?;
            let found = usize::try_from(i).ok().and_then(|i| items.get(i));
            let Some(&entry) = found else {
                return Err(Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "the file has no such item")
                    .field("i")
                    .value(i)
                    .limit(items.len() as u64));
            };
            put(out_index, entry.into(), "out_index")
        })
    }
}

/// The item of an entry: its tensor, or the composite that it heads, with all members, by all rules of composites.
///
/// *Ownership:* the item is the caller's; it keeps the mapping alive and outlives the reader.
/// *Errors:* as `hurray_file_reader_entry_tensor`; `HURRAY_ERR_TORN` (the file ends between the members),
/// `HURRAY_ERR_LIMIT_EXCEEDED` (nesting, members), `HURRAY_ERR_INVALID_LAYOUT` (a rule of the composite).
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_item(
    reader: *const HurrayFileReader,
    index: u64,
    out_item: *mut *mut HurrayItem,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_item) };
    dispatch!(FILE_READER, reader, file_reader_item(reader, index, out_item))
}

pub(crate) unsafe fn entry_item(
    reader: *const HurrayFileReader,
    index: u64,
    out_item: *mut *mut HurrayItem,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_item, "out_item")?;
        with(reader, |file| {
            let (position, _) = file.container.entry(index)?;
            item::publish(file.item(position)?, out_item)
        })
    }
}
