//! Buffers: memory, what keeps it alive, and what a descriptor says of it.

use super::foreign::{Attributes, Foreign};
use super::guard::{clear, guard, out_of_memory, put, wanted};
use super::handles::{HurrayBuffer, HurrayReleaseCallback, HurrayStatus};
use super::live::{born, destroy};
use super::memory::Memory;
use super::prefix::{Head, mark, null, state};
use super::shared::Shared;
use super::tensor::Core;
use crate::format::{Fault, Status, device};
use crate::io::os::{Block, Growing, Pages};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering};

/// The memory must not be written to. It stays so through every share, capsule and view; it cannot be cleared.
pub const HURRAY_BUFFER_READ_ONLY: u32 = 1;
/// The host may read through the pointer, whatever the device tag says.
pub const HURRAY_BUFFER_HOST_POINTER: u32 = 2;
/// Copied, because the source was not aligned, or not in whole elements.
pub const HURRAY_BUFFER_COPIED_ALIGNMENT: u32 = 4;
/// Copied, because the source's index width or base differs.
pub const HURRAY_BUFFER_COPIED_WIDTH: u32 = 8;
/// Copied, because the source packs its elements another way.
pub const HURRAY_BUFFER_COPIED_PACKING: u32 = 16;
/// Copied, because the caller asked for a copy.
pub const HURRAY_BUFFER_COPIED_ON_REQUEST: u32 = 32;

/// The alignment of memory that the library allocates, and the least that a non-empty buffer declares.
pub(crate) const MIN_ALIGNMENT: u32 = 64;

/// What keeps the memory alive.
pub(crate) enum Keep {
    /// The producer's callback.
    Callback(HurrayReleaseCallback, *mut c_void),
    /// The library's own allocation.
    Allocation(Memory),
    /// Memory of the system: a mapped file, or pages of the library's own.
    Pages(Shared<Pages>),
    /// The library's own pages, which grew as bytes arrived.
    Growing(Growing),
    /// The library's own memory of a large result.
    Block(Block),
    /// Another buffer.
    Buffer(Shared<Buffer>),
    /// The tensor whose buffer this shares, owner and all.
    Tensor(Shared<Core>),
    /// A handle of another copy of the library.
    Foreign(Shared<Foreign>),
}

impl Keep {
    /// Another reference to the same thing, where there can be more than one.
    fn again(&self) -> Option<Keep> {
        match self {
            Keep::Callback(..) | Keep::Allocation(_) | Keep::Growing(_) | Keep::Block(_) => None,
            Keep::Pages(pages) => Some(Keep::Pages(pages.clone())),
            Keep::Buffer(buffer) => Some(Keep::Buffer(buffer.clone())),
            Keep::Tensor(core) => Some(Keep::Tensor(core.clone())),
            Keep::Foreign(handle) => Some(Keep::Foreign(handle.clone())),
        }
    }

    /// Whether both are references to the same thing.
    fn is_same(&self, other: &Keep) -> bool {
        match (self, other) {
            (Keep::Pages(one), Keep::Pages(other)) => Shared::as_ptr(one) == Shared::as_ptr(other),
            (Keep::Buffer(one), Keep::Buffer(other)) => Shared::as_ptr(one) == Shared::as_ptr(other),
            (Keep::Tensor(one), Keep::Tensor(other)) => Shared::as_ptr(one) == Shared::as_ptr(other),
            (Keep::Foreign(one), Keep::Foreign(other)) => Shared::as_ptr(one) == Shared::as_ptr(other),
            _ => false,
        }
    }
}

/// What a `HurrayBuffer` points at.
#[repr(C)]
pub(crate) struct Buffer {
    pub(crate) head: Head,
    pub(crate) alignment: u32,
    pub(crate) data: *mut c_void,
    pub(crate) byte_size: u64,
    pub(crate) device_tag: u8,
    pub(crate) sync_mode: u8,
    pub(crate) memory_class: u8,
    pub(super) flags: AtomicU32,
    pub(super) device_id: AtomicI32,
    pub(super) lead: AtomicU32,
    /// The tensor it is part of; NULL outside one.
    pub(crate) core: AtomicPtr<Core>,
    keep: Keep,
}

// SAFETY: the pointers are the producer's, who allows any thread; everything that changes is atomic.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Drop for Buffer {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.keep, Keep::Callback(None, null_mut())) {
            Keep::Callback(Some(release), context) => {
                // SAFETY: the producer's callback with the producer's arguments, once.
                unsafe { release(self.data, context) }
            }
            Keep::Callback(None, _) => {}
            Keep::Allocation(memory) => drop(memory),
            Keep::Pages(pages) => drop(pages),
            Keep::Growing(pages) => drop(pages),
            Keep::Block(block) => drop(block),
            Keep::Buffer(buffer) => drop(buffer),
            Keep::Tensor(core) => drop(core),
            Keep::Foreign(handle) => drop(handle),
        }
    }
}

impl Buffer {
    pub(crate) fn new(of: Attributes, state: u32, keep: Keep) -> Buffer {
        Buffer {
            head: Head::new(mark::BUFFER, state),
            alignment: of.alignment,
            data: of.data,
            byte_size: of.byte_size,
            device_tag: of.device_tag,
            sync_mode: of.sync_mode,
            memory_class: of.memory_class,
            flags: AtomicU32::new(of.flags),
            device_id: AtomicI32::new(of.device_id),
            lead: AtomicU32::new(of.lead),
            core: AtomicPtr::new(null_mut()),
            keep,
        }
    }

    /// # Safety
    /// `buffer` is a live handle of this copy.
    pub(crate) unsafe fn of<'a>(buffer: *const HurrayBuffer) -> &'a Buffer {
        // SAFETY: as this function's own.
        unsafe { &*buffer.cast::<Buffer>() }
    }

    /// The pages of a buffer that may still grow: nobody has its address yet.
    pub(crate) fn pages_mut(&mut self) -> Option<(&mut Growing, &mut *mut c_void)> {
        match &mut self.keep {
            Keep::Growing(pages) => Some((pages, &mut self.data)),
            _ => None,
        }
    }

    /// Makes the library's own memory shorter, before anybody has its address; `is_returned` says whether the rest goes
    /// back to the system.
    pub(crate) fn shorten(&mut self, len: u64, is_returned: bool) {
        self.byte_size = self.byte_size.min(len);
        if let (true, Keep::Block(block), Ok(len)) = (is_returned, &mut self.keep, usize::try_from(len)) {
            block.shorten(len);
        }
    }

    pub(crate) fn flags(&self) -> u32 {
        self.flags.load(Ordering::Relaxed)
    }

    pub(crate) fn attributes(&self) -> Attributes {
        Attributes {
            data: self.data,
            byte_size: self.byte_size,
            alignment: self.alignment,
            device_tag: self.device_tag,
            sync_mode: self.sync_mode,
            memory_class: self.memory_class,
            flags: self.flags(),
            device_id: self.device_id.load(Ordering::Relaxed),
            lead: self.lead.load(Ordering::Relaxed),
        }
    }

    /// Whether the host may read through the pointer (buffers.md section 3).
    pub(crate) fn is_host_readable(&self) -> bool {
        self.device_tag == device::CPU || self.flags() & HURRAY_BUFFER_HOST_POINTER != 0
    }

    /// What a share of this buffer holds on to. Where this one is itself a share, and its tensor holds nothing else, that
    /// is what this one holds on to: a view of a view of a view is no chain, which would end by recursion.
    pub(crate) fn keep_alive(&self) -> Keep {
        let core = self.core.load(Ordering::Acquire);
        // SAFETY: NULL, or set while the tensor is live, and then this buffer is reached through it.
        let tensor = unsafe { core.as_ref() };
        let holds_no_more = |tensor: &Core| {
            !tensor.has_owner() && tensor.buffers().iter().all(|buffer| buffer.keep.is_same(&self.keep))
        };
        if tensor.is_none_or(holds_no_more)
            && let Some(keep) = self.keep.again()
        {
            return keep;
        }
        if core.is_null() {
            // SAFETY: every buffer sits in a counted block, and this one is live.
            Keep::Buffer(unsafe { Shared::again(self) })
        } else {
            // SAFETY: the pointer is set while the tensor is live, and this buffer is reached through it.
            Keep::Tensor(unsafe { Shared::again(core) })
        }
    }
}

/// Hands a buffer out as an owned handle.
pub(crate) fn publish(buffer: Buffer) -> Result<*mut HurrayBuffer, (Buffer, Fault)> {
    let shared = Shared::try_new(buffer)?;
    born();
    let pointer = Shared::as_ptr(&shared);
    std::mem::forget(shared);
    Ok(pointer.cast())
}

/// Drops a buffer that was never handed out, without its release callback: it stays the caller's.
pub(crate) fn unpublish(mut buffer: Buffer) {
    buffer.keep = Keep::Callback(None, null_mut());
}

fn check(alignment: u32, byte_size: u64, data: *const c_void) -> Result<(), Fault> {
    device::check_alignment(byte_size, alignment)
        .map_err(|fault| Fault { status: Status::INVALID_ARGUMENT, ..fault })?;
    if byte_size == 0 {
        return Ok(());
    }
    if data.is_null() {
        return Err(null("data"));
    }
    if !(data as usize).is_multiple_of(alignment as usize) {
        return Err(Fault::new(
            Status::BUFFER_MISMATCH,
            "B-011",
            "the pointer is not a multiple of the alignment",
        )
        .field("data")
        .value(data as usize as i128)
        .limit(alignment));
    }
    if (data as u64).checked_add(byte_size).is_none() {
        return Err(Fault::new(Status::OVERFLOW, "", "the buffer would end beyond the address space")
            .field("byte_size")
            .value(byte_size));
    }
    Ok(())
}

/// Wraps memory that exists, without copying it.
///
/// `data` is a multiple of `alignment` bytes; `alignment` is a power of two, at least 64 unless `byte_size` is 0, in
/// which case the pointer is never looked at. `device_tag`, `sync_mode` and `memory_class` are `HURRAY_DEVICE_...`,
/// `HURRAY_SYNC_...` and `HURRAY_MEMORY_...` values in one of the pairs that the format allows.
///
/// *Ownership:* the handle is the caller's. `release(data, release_context)` runs exactly once, when the last share of
/// the memory goes; NULL means that the memory outlives the handle by other means. On failure nothing is kept and
/// `release` is not called.
/// *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_INVALID_ARGUMENT` (alignment), `HURRAY_ERR_BUFFER_MISMATCH` (pointer
/// not aligned), `HURRAY_ERR_INVALID_TYPE` (device or class value), `HURRAY_ERR_INVALID_DESCRIPTOR` (device and class do
/// not go together), `HURRAY_ERR_INVALID_SYNC_MODE`, `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any; `release` runs on whatever thread drops the last share. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_from_ptr(
    data: *mut c_void,
    byte_size: u64,
    alignment: u32,
    device_tag: u8,
    sync_mode: u8,
    memory_class: u8,
    release: HurrayReleaseCallback,
    release_context: *mut c_void,
    out_buffer: *mut *mut HurrayBuffer,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe { wanted(out_buffer, "out_buffer")? };
        // SAFETY: as above.
        unsafe { clear(out_buffer) };
        device::check_device_class_sync(device_tag, memory_class, sync_mode)?;
        check(alignment, byte_size, data)?;
        let of = Attributes {
            data,
            byte_size,
            alignment,
            device_tag,
            sync_mode,
            memory_class,
            flags: 0,
            device_id: 0,
            lead: 0,
        };
        let buffer = Buffer::new(of, state::OWNED, Keep::Callback(release, release_context));
        let pointer = publish(buffer).map_err(|(buffer, fault)| {
            unpublish(buffer);
            fault
        })?;
        // SAFETY: as above.
        unsafe { put(out_buffer, pointer, "out_buffer") }
    })
}

/// Zeroed memory of the library's own: CPU, producer-synced, aligned to `alignment` bytes or 64, whichever is more.
///
/// *Ownership:* the handle is the caller's; the memory goes with its last share. An empty buffer has a NULL pointer.
/// *Errors:* `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_INVALID_ARGUMENT` (alignment), `HURRAY_ERR_LIMIT_EXCEEDED` (alignment
/// above 2 MiB, or more bytes than a pointer can reach), `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_alloc(
    byte_size: u64,
    alignment: u32,
    out_buffer: *mut *mut HurrayBuffer,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: the caller's by contract.
        unsafe { wanted(out_buffer, "out_buffer")? };
        // SAFETY: as above.
        unsafe { clear(out_buffer) };
        let buffer = allocate(byte_size, alignment, state::OWNED)?;
        let pointer = publish(buffer).map_err(|(_, fault)| fault)?;
        // SAFETY: as above.
        unsafe { put(out_buffer, pointer, "out_buffer") }
    })
}

/// A buffer over new, zeroed host memory.
pub(crate) fn allocate(byte_size: u64, alignment: u32, state: u32) -> Result<Buffer, Fault> {
    const MOST: u32 = 2 << 20;
    if !alignment.is_power_of_two() {
        return Err(Fault::new(Status::INVALID_ARGUMENT, "B-001", "an alignment must be a power of two")
            .field("alignment")
            .value(alignment));
    }
    if alignment > MOST {
        return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "the alignment is above the limit")
            .field("alignment")
            .value(alignment)
            .limit(MOST));
    }
    let alignment = alignment.max(MIN_ALIGNMENT);
    let size = usize::try_from(byte_size).ok();
    let most = isize::MAX as usize - (alignment as usize - 1);
    let Some(size) = size.filter(|&size| size <= most) else {
        return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "more bytes than a pointer can reach")
            .field("byte_size")
            .value(byte_size));
    };
    let (data, keep) = if size == 0 {
        (null_mut(), Keep::Callback(None, null_mut()))
    } else {
        let (memory, data) =
            Memory::new(size, alignment as usize, true).ok_or_else(|| out_of_memory(byte_size))?;
        (data.cast(), Keep::Allocation(memory))
    };
    let of = Attributes {
        data,
        byte_size,
        alignment,
        device_tag: 0,
        sync_mode: 0,
        memory_class: 0,
        flags: 0,
        device_id: 0,
        lead: 0,
    };
    Ok(Buffer::new(of, state, keep))
}

/// Another handle on the same memory, with the same flags, lead and device id.
///
/// *Ownership:* the share is the caller's. It keeps alive what keeps the memory alive; a share of a tensor's buffer
/// keeps the tensor's owner too.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_share(
    buffer: *const HurrayBuffer,
    out_buffer: *mut *mut HurrayBuffer,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_buffer) };
    dispatch!(BUFFER, buffer, buffer_share(buffer, out_buffer))
}

pub(crate) unsafe fn share(
    buffer: *const HurrayBuffer,
    out_buffer: *mut *mut HurrayBuffer,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_buffer, "out_buffer")?;
        let buffer = Buffer::of(buffer);
        let share = Buffer::new(buffer.attributes(), state::OWNED, buffer.keep_alive());
        put(out_buffer, publish(share).map_err(|(_, fault)| fault)?, "out_buffer")
    }
}

/// Ends a buffer handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
///
/// *Ownership:* ends the handle; the release callback runs if this was the last share of the memory.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed: the pointer stays as it was). *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_buffer_destroy(buffer: *mut *mut HurrayBuffer) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(buffer, mark::BUFFER) }
}
