//! Buffers: pieces of memory, and what keeps them alive.

use std::ffi::c_void;
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::error::{Error, Result, Status, check};
use crate::handle::{borrowed, handle};
use crate::owner::Owner;
use crate::tag::{Device, MemoryClass, SyncMode};
use crate::{library, sys};

handle! {
    /// A buffer of one's own. It reads as a [`BufferRef`].
    Buffer, HurrayBuffer, hurray_buffer_destroy
}

borrowed! {
    /// A buffer that belongs to a tensor, a list or a [`Buffer`].
    BufferRef, HurrayBuffer
}

/// Where memory is, and how its writes are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The device.
    pub device: Device,
    /// How the producer ordered its writes.
    pub sync_mode: SyncMode,
    /// The kind of the device's memory.
    pub memory_class: MemoryClass,
}

impl Placement {
    /// Ordinary memory of the host.
    pub const HOST: Placement = Placement {
        device: Device::CPU,
        sync_mode: SyncMode::PRODUCER_SYNCED,
        memory_class: MemoryClass::STANDARD,
    };
}

/// What is known of a buffer's memory beside the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct BufferFlags(pub u32);

impl BufferFlags {
    /// The memory must not be written to.
    pub const READ_ONLY: BufferFlags = BufferFlags(sys::HURRAY_BUFFER_READ_ONLY);
    /// The host may read through the pointer, whatever the device is.
    pub const HOST_POINTER: BufferFlags = BufferFlags(sys::HURRAY_BUFFER_HOST_POINTER);
    /// Copied, because of alignment.
    pub const COPIED_ALIGNMENT: BufferFlags = BufferFlags(sys::HURRAY_BUFFER_COPIED_ALIGNMENT);
    /// Copied, because of the width or base of indices.
    pub const COPIED_WIDTH: BufferFlags = BufferFlags(sys::HURRAY_BUFFER_COPIED_WIDTH);
    /// Copied, because of the packing of elements.
    pub const COPIED_PACKING: BufferFlags = BufferFlags(sys::HURRAY_BUFFER_COPIED_PACKING);
    /// Copied, because the caller asked for it.
    pub const COPIED_ON_REQUEST: BufferFlags = BufferFlags(sys::HURRAY_BUFFER_COPIED_ON_REQUEST);

    /// Whether all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the memory is a copy of what the producer had, for whatever reason.
    pub const fn copied(self) -> bool {
        let reasons = Self::COPIED_ALIGNMENT.0
            | Self::COPIED_WIDTH.0
            | Self::COPIED_PACKING.0
            | Self::COPIED_ON_REQUEST.0;
        self.0 & reasons != 0
    }
}

impl std::ops::BitOr for BufferFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Buffer {
    /// Wraps memory without copying it. `alignment` is a power of two that the pointer keeps, at least 64 unless
    /// `byte_size` is 0. The owner is dropped when the last share of the memory goes, or if the call fails.
    ///
    /// # Safety
    /// The memory stays valid until the owner is dropped, for everything that the placement and the flags allow.
    pub unsafe fn from_ptr(
        data: *mut c_void,
        byte_size: u64,
        alignment: u32,
        placement: Placement,
        owner: Owner,
    ) -> Result<Self> {
        library::ready()?;
        let (context, release) = owner.buffer_parts();
        let mut raw = std::ptr::null_mut();
        // SAFETY: the memory is the caller's promise; the context belongs to the release function.
        check(unsafe {
            sys::hurray_buffer_from_ptr(
                data,
                byte_size,
                alignment,
                placement.device.0,
                placement.sync_mode.0,
                placement.memory_class.0,
                release,
                context,
                &mut raw,
            )
        })?;
        owner.taken();
        Self::made(raw)
    }

    /// Zeroed memory of the library's own, aligned to `alignment` bytes or 64, whichever is more.
    pub fn alloc(byte_size: u64, alignment: u32) -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_alloc(byte_size, alignment, &mut raw) })?;
        Self::made(raw)
    }

    /// A copy of bytes, in memory of the library's own.
    pub fn copy_of(bytes: &[u8]) -> Result<Self> {
        let buffer = Self::alloc(bytes.len() as u64, 64)?;
        if !bytes.is_empty() {
            let data = buffer.host_ptr()?;
            // SAFETY: the memory was just made, has this size, and nobody else has it.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len()) };
        }
        Ok(buffer)
    }

    /// Takes over a handle.
    ///
    /// # Safety
    /// The handle is a live buffer of this C ABI version, and the caller's to destroy.
    pub unsafe fn from_raw(raw: *mut sys::HurrayBuffer) -> Result<Self> {
        library::ready()?;
        Self::made(raw)
    }

    /// Sets the flags. Read-only stays read-only.
    pub fn set_flags(&mut self, flags: BufferFlags) -> Result<()> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_buffer_set_flags(self.as_raw(), flags.0) })
    }

    /// Says which of several devices of its kind holds the memory.
    pub fn set_device_id(&mut self, device_id: i32) -> Result<()> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_buffer_set_device_id(self.as_raw(), device_id) })
    }

    /// Says how many bytes at the start are not the owner's: below 64.
    pub fn set_lead(&mut self, lead: u32) -> Result<()> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_buffer_set_lead(self.as_raw(), lead) })
    }
}

impl Deref for Buffer {
    type Target = BufferRef;

    fn deref(&self) -> &BufferRef {
        // SAFETY: the handle is live for as long as `self` is.
        unsafe { BufferRef::from_raw(self.as_raw()) }
    }
}

macro_rules! attributes {
    ($($(#[$doc:meta])* $name:ident -> $type:ty = $function:ident;)*) => {
        impl BufferRef {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> Result<$type> {
                    let mut value = Default::default();
                    // SAFETY: the handle is live, and the out-parameter is a local.
                    check(unsafe { sys::$function(self.as_raw(), &mut value) })?;
                    Ok(value)
                }
            )*
        }
    };
}

attributes! {
    /// The size in bytes.
    byte_size -> u64 = hurray_buffer_byte_size;
    /// The alignment that the pointer keeps, in bytes.
    alignment -> u32 = hurray_buffer_alignment;
    /// Which of several devices of its kind holds the memory.
    device_id -> i32 = hurray_buffer_device_id;
    /// How many bytes at the start are not the owner's.
    lead -> u32 = hurray_buffer_lead;
}

impl BufferRef {
    /// The pointer, as it was given: also one that only a device may follow. NULL if the buffer is empty.
    pub fn data_ptr(&self) -> Result<*mut c_void> {
        let mut data = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_data_ptr(self.as_raw(), &mut data) })?;
        Ok(data)
    }

    /// The pointer, if the host may read through it; else `UNSUPPORTED`.
    pub fn host_ptr(&self) -> Result<*mut c_void> {
        let mut data = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_host_ptr(self.as_raw(), &mut data) })?;
        Ok(data)
    }

    /// The bytes, lead included.
    ///
    /// # Safety
    /// Nobody writes to the memory while the slice lives.
    pub unsafe fn as_bytes(&self) -> Result<&[u8]> {
        let data = self.host_ptr()?;
        let len = self.byte_size()?;
        if len == 0 {
            return Ok(&[]);
        }
        let len = usize::try_from(len).map_err(|_| {
            Error::new(Status::LIMIT_EXCEEDED, format!("{len} bytes are more than a pointer can reach"))
        })?;
        // SAFETY: the host may read this memory, it has this size and lives as long as the buffer; that nobody writes to
        // it is the caller's promise.
        Ok(unsafe { std::slice::from_raw_parts(data.cast_const().cast(), len) })
    }

    /// Where the memory is, and how its writes are ordered.
    pub fn placement(&self) -> Result<Placement> {
        let mut placement = Placement::HOST;
        // SAFETY: the handle is live, and the out-parameters are locals.
        unsafe {
            check(sys::hurray_buffer_device_tag(self.as_raw(), &mut placement.device.0))?;
            check(sys::hurray_buffer_sync_mode(self.as_raw(), &mut placement.sync_mode.0))?;
            check(sys::hurray_buffer_memory_class(self.as_raw(), &mut placement.memory_class.0))?;
        }
        Ok(placement)
    }

    /// What is known of the memory beside the format.
    pub fn flags(&self) -> Result<BufferFlags> {
        let mut flags = BufferFlags::default();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_flags(self.as_raw(), &mut flags.0) })?;
        Ok(flags)
    }

    /// Another handle on the same memory, which keeps alive what keeps it alive.
    pub fn share(&self) -> Result<Buffer> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_buffer_share(self.as_raw(), &mut raw) })?;
        Buffer::made(raw)
    }

    /// Checks a hand-off of memory whose producer has waited for its own work.
    pub fn check_producer_synced(&self) -> Result<()> {
        let nothing = std::ptr::null();
        // SAFETY: the handle is live; the payload is stored nowhere.
        check(unsafe { sys::hurray_buffer_handoff_producer_synced(self.as_raw(), nothing, nothing) })
    }

    /// Checks a hand-off by an event of a device. Neither pointer is followed.
    pub fn check_event(
        &self,
        event: Option<NonNull<c_void>>,
        device: Device,
        release: sys::HurrayEventReleaseFn,
    ) -> Result<()> {
        let event = event.map_or(std::ptr::null(), |event| event.as_ptr().cast_const());
        // SAFETY: the handle is live; the payload is stored nowhere, and the function is not called.
        check(unsafe { sys::hurray_buffer_handoff_event(self.as_raw(), event, device.0, release) })
    }

    /// Checks a hand-off on a stream that the consumer named. The pointer is not followed.
    pub fn check_consumer_stream(&self, stream: Option<NonNull<c_void>>, device: Device) -> Result<()> {
        let stream = stream.map_or(std::ptr::null(), |stream| stream.as_ptr().cast_const());
        // SAFETY: the handle is live; the payload is stored nowhere.
        check(unsafe { sys::hurray_buffer_handoff_consumer_stream(self.as_raw(), stream, device.0) })
    }
}

impl fmt::Debug for BufferRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (data, byte_size) = (self.data_ptr(), self.byte_size());
        f.debug_struct("Buffer").field("data", &data.ok()).field("byte_size", &byte_size.ok()).finish()
    }
}
