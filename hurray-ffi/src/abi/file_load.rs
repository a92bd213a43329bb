//! From a place in a file to a tensor: views of memory that is there, or memory that is filled.

use super::buffer::{
    Buffer, HURRAY_BUFFER_COPIED_ALIGNMENT, HURRAY_BUFFER_COPIED_ON_REQUEST, HURRAY_BUFFER_HOST_POINTER,
    HURRAY_BUFFER_READ_ONLY, Keep, MIN_ALIGNMENT, allocate,
};
use super::convert_call::job;
use super::convert_check::check_core;
use super::file_reader::OpenFile;
use super::file_source::Origin;
use super::foreign::Attributes;
use super::guard::out_of_memory;
use super::item::{ItemCore, compose, core_of};
use super::list::List;
use super::options::{Options, Progress};
use super::prefix::state;
use super::shared::{Shared, try_box};
use super::tensor::{Owner, Ready, join};
use super::version::HURRAY_C_ABI_VERSION;
use crate::format::extent::DYNAMIC;
use crate::format::{BufferEntry, Descriptor, Fault, Place, Status};
use crate::io::file::{Fetch, Located, Member};
use crate::io::os::{self, Pages};

/// Bytes between two looks at whether the call was cancelled.
const STEP: usize = 16 << 20;
/// From here on memory comes from the system as pages, which arrive zeroed.
const LARGE: usize = 256 << 10;

/// Memory that was filled from a file.
enum Block {
    Pages(Shared<Pages>),
    Heap(Shared<Buffer>),
}

impl Block {
    fn data(&self) -> *mut u8 {
        match self {
            Block::Pages(pages) => pages.data(),
            Block::Heap(buffer) => buffer.data.cast(),
        }
    }

    fn keep(&self) -> Keep {
        match self {
            Block::Pages(pages) => Keep::Pages(pages.clone()),
            Block::Heap(buffer) => Keep::Buffer(buffer.clone()),
        }
    }

    /// New memory with a range of the file in it.
    fn read(
        fetch: &mut Fetch<'_>,
        range: (u64, u64),
        until: u64,
        alignment: u32,
        progress: Option<&Progress>,
    ) -> Result<Block, Fault> {
        let (offset, length) = range;
        let len = usize::try_from(length).map_err(|_| out_of_memory(length))?;
        if len >= LARGE && alignment as usize <= os::page_size() {
            let mut pages = Pages::anonymous(len).map_err(|_| out_of_memory(length))?;
            fill(fetch, offset, pages.bytes_mut(), until, progress)?;
            return Ok(Block::Pages(Shared::try_new(pages).map_err(|(_, fault)| fault)?));
        }
        let buffer = allocate(length, alignment, state::BORROWED)?;
        if len > 0 {
            // SAFETY: freshly allocated with this length, and reached by nobody else.
            let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.data.cast::<u8>(), len) };
            fill(fetch, offset, bytes, until, progress)?;
        }
        Ok(Block::Heap(Shared::try_new(buffer).map_err(|(_, fault)| fault)?))
    }
}

fn fill(
    fetch: &mut Fetch<'_>,
    mut offset: u64,
    bytes: &mut [u8],
    until: u64,
    progress: Option<&Progress>,
) -> Result<(), Fault> {
    for part in bytes.chunks_mut(STEP) {
        fetch.fill(offset, part, until)?;
        offset += part.len() as u64;
        progress.map_or(Ok(()), |progress| progress.step(part.len() as u64))?;
    }
    Ok(())
}

impl OpenFile {
    /// A tensor of what was located. Bytes of the file up to `until` will be asked for soon.
    pub(super) fn tensor(&self, fetch: &mut Fetch<'_>, located: Located, until: u64) -> Result<Ready, Fault> {
        let Located { descriptor, placement } = located;
        if descriptor.buffers.is_empty() && descriptor.has_buffer_table() {
            return Err(Fault::new(
                Status::INVALID_ARGUMENT,
                "",
                "the entry is a composite's head, not a tensor",
            ));
        }
        let mut list = try_box(List::new(state::BORROWED)).map_err(|(_, fault)| fault)?;
        let entries = || descriptor.buffers.iter().zip(placement.buffers.iter().copied());
        let joint = self.read_at_once(fetch, &descriptor.buffers, &placement, until)?;
        for (entry, range) in entries() {
            let buffer = match (&joint, range.1) {
                (_, 0) => {
                    self.buffer(entry, std::ptr::null_mut(), Keep::Callback(None, std::ptr::null_mut()), 0)
                }
                (Some(block), _) => {
                    let skip = (range.0 - placement.data_offset) as usize;
                    self.buffer(entry, block.data().wrapping_add(skip), block.keep(), 0)
                }
                (None, _) => self.view_or_copy(fetch, entry, range, until)?,
            };
            list.push_inner(buffer).map_err(|(_, fault)| fault)?;
        }
        let descriptor = Shared::try_new(descriptor).map_err(|(_, fault)| fault)?;
        join(descriptor, list, Owner::NONE, HURRAY_C_ABI_VERSION).map_err(|(_, fault)| fault)
    }

    /// All buffers by one ranged read, where that keeps their alignment.
    fn read_at_once(
        &self,
        fetch: &mut Fetch<'_>,
        entries: &[BufferEntry],
        placement: &crate::io::file::Placement,
        until: u64,
    ) -> Result<Option<Block>, Fault> {
        let alignment = entries.iter().map(|entry| entry.alignment).max().unwrap_or(0);
        let most = self.mode.max_alignment.min(self.container.alignment().into());
        if !matches!(self.origin, Origin::Callback(_)) || u64::from(alignment) > most {
            return Ok(None);
        }
        let range = (placement.data_offset, placement.data_length);
        let progress = self.begin(placement.data_length);
        Block::read(fetch, range, until, alignment.max(MIN_ALIGNMENT), progress).map(Some)
    }

    /// Tells whoever watches how many more bytes are going to be copied.
    fn begin(&self, bytes: u64) -> Option<&Progress> {
        self.progress.as_deref().inspect(|progress| progress.expect(bytes))
    }

    fn view_or_copy(
        &self,
        fetch: &mut Fetch<'_>,
        entry: &BufferEntry,
        range: (u64, u64),
        until: u64,
    ) -> Result<Buffer, Fault> {
        let mut reason = HURRAY_BUFFER_COPIED_ON_REQUEST;
        if let Some((base, keep)) = self.origin.memory().filter(|_| !self.mode.always_copy) {
            // The range lies inside the file, and the file in memory.
            let data = base.wrapping_add(range.0 as usize);
            if (data as usize).is_multiple_of(entry.alignment as usize) {
                return Ok(self.buffer(entry, data, keep, 0));
            }
            reason = HURRAY_BUFFER_COPIED_ALIGNMENT;
        }
        if self.origin.memory().is_some() && self.mode.never_copy {
            return Err(Fault::new(
                Status::COPY_REQUIRED,
                "",
                "the data is not where its alignment wants it",
            )
            .field("buffers.alignment")
            .value(entry.alignment));
        }
        if u64::from(entry.alignment) > self.mode.max_alignment {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "the alignment is above the limit")
                .field("buffers.alignment")
                .value(entry.alignment)
                .limit(self.mode.max_alignment));
        }
        if self.origin.memory().is_none() && !self.mode.always_copy {
            // There is nothing that it is a copy of.
            reason = 0;
        }
        let progress = self.begin(range.1);
        let block = Block::read(fetch, range, until, entry.alignment, progress)?;
        Ok(self.buffer(entry, block.data(), block.keep(), reason))
    }

    fn buffer(&self, entry: &BufferEntry, data: *mut u8, keep: Keep, reason: u32) -> Buffer {
        let mut flags = reason;
        if self.mode.read_only {
            flags |= HURRAY_BUFFER_READ_ONLY;
        }
        // Bytes of a file are in host memory, wherever they were before.
        if entry.device_tag != 0 {
            flags |= HURRAY_BUFFER_HOST_POINTER;
        }
        let of = Attributes {
            data: data.cast(),
            byte_size: entry.byte_size,
            alignment: entry.alignment,
            device_tag: entry.device_tag,
            sync_mode: entry.sync_mode,
            memory_class: entry.memory_class,
            flags,
            device_id: 0,
            lead: 0,
        };
        Buffer::new(of, state::BORROWED, keep)
    }

    /// Holds the contents of every tensor that is understood to the format. A fault is at the start of its data.
    pub(super) fn check_contents(&self, options: Option<&Options>) -> Result<(), Fault> {
        let mut fetch = Fetch::new(&self.origin);
        for position in 0..self.container.index().len() {
            let located = self.container.locate(&mut fetch, position, 0)?;
            let descriptor = &located.descriptor;
            let is_known = descriptor.is_understood() && located.members().is_none();
            if !is_known || descriptor.shape.contains(&DYNAMIC) || descriptor.buffers.is_empty() {
                continue;
            }
            let start = located.placement.data_offset;
            let core = match self.tensor(&mut fetch, located, 0) {
                Ok(ready) => ready.into_core(),
                // What would need a copy that the options forbid, or memory of another kind, is not looked at.
                Err(fault) if fault.status == Status::COPY_REQUIRED => continue,
                Err(fault) => return Err(fault),
            };
            match check_core(&core, &job(options)) {
                // Parameters that the format does not define; tensors that wait for an event of a process that is gone.
                Err(fault) if fault.status == Status::UNSUPPORTED => {}
                Err(fault) => return Err(fault.at(Place::Byte(start))),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// The item of an entry: a tensor, or a composite with everything it binds.
    pub(super) fn item(&self, position: u32) -> Result<Shared<ItemCore>, Fault> {
        let mut fetch = Fetch::new(&self.origin);
        let (_, entry) = self.container.entry(position.into())?;
        let until = entry.end();
        let located = self.container.locate(&mut fetch, position, until)?;
        if located.members().is_none() {
            let core = self.tensor(&mut fetch, located, until)?.into_core();
            return core_of(ItemCore::Tensor(core, HURRAY_C_ABI_VERSION));
        }
        let parts = self.container.composite(&mut fetch, position)?;
        self.assemble(&mut fetch, parts)
    }

    /// Builds a composite from the last of its parts to the first: members are there when their head comes.
    fn assemble(&self, fetch: &mut Fetch<'_>, parts: Vec<Member>) -> Result<Shared<ItemCore>, Fault> {
        let room = || out_of_memory(size_of::<Shared<ItemCore>>() as u64);
        // Data is read in the order of the file.
        let last = parts.iter().map(|part| part.located.end()).max().unwrap_or(0);
        let mut built = Vec::new();
        built.try_reserve_exact(parts.len()).map_err(|_| room())?;
        for part in parts {
            built.push(match part.located.members() {
                None => {
                    let core = self.tensor(fetch, part.located, last)?.into_core();
                    Built::Done(core_of(ItemCore::Tensor(core, HURRAY_C_ABI_VERSION))?)
                }
                Some(count) => {
                    let head = Shared::try_new(part.located.descriptor).map_err(|(_, fault)| fault)?;
                    Built::Head(head, count)
                }
            });
        }
        let mut done: Vec<Shared<ItemCore>> = Vec::new();
        while let Some(part) = built.pop() {
            let item = match part {
                Built::Done(item) => item,
                Built::Head(head, count) => {
                    let start = done.len().saturating_sub(count as usize);
                    // The last part is on the bottom, so members come off in reverse.
                    compose(head, done.drain(start..).rev().map(Ok), super::item::MOST_LEVELS)?
                }
            };
            done.try_reserve(1).map_err(|_| room())?;
            done.push(item);
        }
        done.pop().ok_or_else(|| Fault::new(Status::INTERNAL, "", "a composite without a head"))
    }

    /// Part of one buffer, into the caller's memory.
    pub(super) fn read(&self, position: u32, index: u64, offset: u64, out: &mut [u8]) -> Result<(), Fault> {
        let mut fetch = Fetch::new(&self.origin);
        let located = self.container.locate(&mut fetch, position, 0)?;
        let placement = &located.placement;
        let whole = (placement.data_offset, placement.data_length);
        let range = if located.descriptor.has_buffer_table() {
            usize::try_from(index).ok().and_then(|index| placement.buffers.get(index).copied())
        } else {
            // Behind a layout that is not understood, all data is one range of bytes.
            (index == 0).then_some(whole)
        };
        let beyond = |field, value: u64, limit: u64| {
            Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "beyond what the entry holds")
                .field(field)
                .value(value)
                .limit(limit)
        };
        let Some((start, length)) = range else {
            return Err(beyond("buffer_index", index, placement.buffers.len() as u64));
        };
        let len = out.len() as u64;
        if offset > length || len > length - offset {
            return Err(beyond("offset + len", offset.saturating_add(len), length));
        }
        let progress = self.begin(len);
        fill(&mut fetch, start + offset, out, 0, progress)
    }
}

enum Built {
    Done(Shared<ItemCore>),
    Head(Shared<Descriptor>, u32),
}
