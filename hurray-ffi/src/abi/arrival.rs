//! Memory that a stream's bytes arrive in, and what becomes of it: buffers, tensors, items.

use super::buffer::{Buffer, HURRAY_BUFFER_HOST_POINTER, HURRAY_BUFFER_READ_ONLY, Keep, MIN_ALIGNMENT};
use super::foreign::Attributes;
use super::item::{ItemCore, alone, assemble, core_of};
use super::list::List;
use super::memory::Memory;
use super::prefix::state;
use super::shared::{Shared, try_box};
use super::tensor::join_core;
use super::version::HURRAY_C_ABI_VERSION;
use crate::format::{BufferEntry, Descriptor, Fault, Status, device};
use crate::io::os::Growing;
use crate::io::stream::{Maker, Region, Regions, STEP};
use std::ffi::c_void;
use std::io;
use std::ptr::null_mut;

/// Makes memory and items for a stream reader.
pub(crate) struct Door;

/// One buffer that fills from its start.
pub(crate) struct Arrival {
    buffer: Buffer,
    /// Bytes of memory there are.
    capacity: usize,
    arrived: usize,
    /// Up to here the memory has been written to.
    fresh: usize,
}

fn attributes(entry: &BufferEntry, data: *mut c_void, flags: u32) -> Attributes {
    // The bytes travelled through host memory; the tag only says where the sender had them.
    let host = if entry.device_tag == device::CPU { 0 } else { HURRAY_BUFFER_HOST_POINTER };
    Attributes {
        data,
        byte_size: entry.byte_size,
        alignment: entry.alignment.max(MIN_ALIGNMENT),
        device_tag: entry.device_tag,
        sync_mode: entry.sync_mode,
        memory_class: entry.memory_class,
        flags: flags | host,
        device_id: 0,
        lead: 0,
    }
}

#[cold]
fn no_memory(error: &io::Error) -> Fault {
    Fault { os_error: error.raw_os_error().unwrap_or(0), ..Fault::out_of_memory() }
}

impl Arrival {
    /// Memory of the library's own. A buffer up to one step is allocated whole, a larger one grows.
    fn new(entry: &BufferEntry) -> Result<Arrival, Fault> {
        let alignment = entry.alignment.max(MIN_ALIGNMENT) as usize;
        let size = usize::try_from(entry.byte_size).unwrap_or(usize::MAX);
        let (data, keep, capacity) = if size == 0 {
            (null_mut(), Keep::Callback(None, null_mut()), 0)
        } else if size <= STEP {
            let (memory, data) = Memory::new(size, alignment, false).ok_or_else(Fault::out_of_memory)?;
            (data.cast(), Keep::Allocation(memory), size)
        } else {
            let pages = Growing::new(STEP, alignment).map_err(|error| no_memory(&error))?;
            (pages.data().cast(), Keep::Growing(pages), STEP)
        };
        let buffer = Buffer::new(attributes(entry, data, 0), state::BORROWED, keep);
        Ok(Arrival { buffer, capacity, arrived: 0, fresh: 0 })
    }

    /// The caller's memory, kept alive by a share of it.
    pub(crate) fn given(entry: &BufferEntry, given: &Buffer) -> Result<Arrival, Fault> {
        let of = given.attributes();
        // What comes before the end of the lead is not the giver's to have written to.
        let lead = u64::from(of.lead).min(of.byte_size);
        let data = of.data.wrapping_byte_add(lead as usize);
        let refuse = |what| Err(Fault::new(Status::BUFFER_MISMATCH, "B-011", what).field("buffer"));
        if !given.is_host_readable() || of.flags & HURRAY_BUFFER_READ_ONLY != 0 {
            return refuse("memory that the host may not write to");
        }
        if of.byte_size - lead < entry.byte_size {
            return refuse("less memory than the buffer declares");
        }
        if entry.byte_size > 0 && !(data as u64).is_multiple_of(u64::from(entry.alignment)) {
            return refuse("memory that is not aligned as the buffer declares");
        }
        let buffer = Buffer::new(attributes(entry, data, of.flags), state::BORROWED, given.keep_alive());
        let size = usize::try_from(entry.byte_size).map_err(|_| Fault::out_of_memory())?;
        Ok(Arrival { buffer, capacity: size, arrived: 0, fresh: size })
    }

    /// Room for `most` bytes to come, at most a step beyond what has arrived.
    pub(crate) fn room(&mut self, most: usize, zeroed: bool) -> Result<(*mut u8, usize), Fault> {
        let size = usize::try_from(self.buffer.byte_size).unwrap_or(usize::MAX);
        let end = size.min(self.arrived.saturating_add(STEP.min(most)));
        if end > self.capacity {
            // Address space runs ahead, in proportion to what arrived; memory follows the bytes.
            let capacity = size.min(self.capacity.saturating_mul(2).max(end));
            let Some((pages, data)) = self.buffer.pages_mut() else {
                return Err(Fault::new(Status::INTERNAL, "", "memory that cannot grow"));
            };
            pages.grow(capacity).map_err(|error| no_memory(&error))?;
            *data = pages.data().cast();
            self.capacity = capacity;
        }
        // SAFETY: `arrived` and `end` lie inside the memory, which nobody else has the address of.
        unsafe {
            let start = self.buffer.data.cast::<u8>().add(self.arrived);
            let from = self.fresh.max(self.arrived);
            // Pages come zeroed.
            if zeroed && from < end && self.buffer.pages_mut().is_none() {
                self.buffer.data.cast::<u8>().add(from).write_bytes(0, end - from);
                self.fresh = end;
            }
            Ok((start, end - self.arrived))
        }
    }
}

impl Region for Arrival {
    fn arrived(&self) -> u64 {
        self.arrived as u64
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (data, room) = self.room(STEP, false)?;
            let count = room.min(rest.len());
            if count == 0 {
                return Err(Fault::new(Status::INTERNAL, "", "more bytes than the buffer has room for"));
            }
            // SAFETY: the room is writable and this long, and apart from the caller's bytes.
            unsafe { data.copy_from_nonoverlapping(rest.as_ptr(), count) };
            self.arrived += count;
            rest = rest.get(count..).unwrap_or_default();
        }
        Ok(())
    }

    fn advance(&mut self, count: usize) {
        self.arrived = self.capacity.min(self.arrived.saturating_add(count));
    }
}

impl Maker for Door {
    type Descriptor = Shared<Descriptor>;
    type Region = Arrival;
    type Item = Shared<ItemCore>;

    fn descriptor(&self, decoded: Descriptor) -> Result<Shared<Descriptor>, Fault> {
        Shared::try_new(decoded).map_err(|(_, fault)| fault)
    }

    fn region(&self, entry: &BufferEntry) -> Result<Arrival, Fault> {
        Arrival::new(entry)
    }

    fn tensor(
        &self,
        descriptor: Shared<Descriptor>,
        regions: Regions<Arrival>,
    ) -> Result<Shared<ItemCore>, Fault> {
        let mut list = try_box(List::new(state::BORROWED)).map_err(|(_, fault)| fault)?;
        for region in regions {
            list.push_inner(region.buffer).map_err(|(_, fault)| fault)?;
        }
        core_of(ItemCore::Tensor(join_core(descriptor, list)?, HURRAY_C_ABI_VERSION))
    }

    fn alone(
        &self,
        descriptor: Shared<Descriptor>,
        data: Option<Arrival>,
    ) -> Result<Shared<ItemCore>, Fault> {
        let Some(region) = data else { return alone(descriptor, None) };
        let mut list = try_box(List::new(state::BORROWED)).map_err(|(_, fault)| fault)?;
        let bytes = self.descriptor(Descriptor::bytes(region.buffer.byte_size)?)?;
        list.push_inner(region.buffer).map_err(|(_, fault)| fault)?;
        alone(descriptor, Some(join_core(bytes, list)?))
    }

    fn composite(
        &self,
        head: Shared<Descriptor>,
        members: Vec<Shared<ItemCore>>,
    ) -> Result<Shared<ItemCore>, Fault> {
        assemble(head, members)
    }
}
