//! One sequence of items: a bare stream, or one stream id of a framed one. It holds the tensor now arriving and the
//! composites that are open around it.

use super::maker::{Maker, Region, Regions};
use super::{Detail, Limits};
use crate::format::composite::Composite;
use crate::format::{BufferEntry, Descriptor, Fault, Layout, Place, Status, device};
use smallvec::SmallVec;

/// The rules that both forms have, under their own numbers.
pub(super) struct Rules {
    pub(super) cut: &'static str,
    pub(super) decode: &'static str,
    pub(super) sync: &'static str,
    pub(super) limit: &'static str,
    pub(super) depth: &'static str,
    pub(super) torn: &'static str,
}

/// What every step of a reader needs.
pub(super) struct Context<'a, M> {
    pub(super) maker: &'a M,
    pub(super) limits: &'a Limits,
}

/// A composite whose members are arriving.
struct Open<M: Maker> {
    rules: Composite,
    head: M::Descriptor,
    members: Vec<M::Item>,
}

/// A tensor, or a composite's head, whose descriptor has arrived.
pub(super) struct Arriving<M: Maker> {
    pub(super) descriptor: M::Descriptor,
    regions: SmallVec<[Option<M::Region>; 1]>,
    /// The buffer that the next byte belongs to.
    at: usize,
}

/// One sequence of items.
pub(super) struct Lane<M: Maker> {
    stack: Vec<Open<M>>,
    pub(super) tensor: Option<Arriving<M>>,
    /// Bytes declared inside the outermost open composite.
    declared: u64,
}

/// Sum of a tensor's buffers; `None` beyond 64 bits.
pub(super) fn total(descriptor: &Descriptor) -> Option<u64> {
    descriptor.buffers.iter().try_fold(0u64, |sum, entry| sum.checked_add(entry.byte_size))
}

/// Decodes a descriptor and checks what must hold before its sizes matter.
pub(super) fn read<M: Maker>(
    context: &Context<'_, M>,
    rules: &Rules,
    bytes: &[u8],
    strict_sync: bool,
) -> Result<M::Descriptor, Fault> {
    let descriptor = context.maker.descriptor(Descriptor::decode(bytes, context.limits.permissive)?)?;
    if !descriptor.has_buffer_table() {
        return Err(Fault::new(
            Status::UNSUPPORTED,
            rules.decode,
            "the buffer table is hidden behind a layout that was not understood",
        )
        .field("layout_tag")
        .value(descriptor.layout.tag()));
    }
    for (index, entry) in descriptor.buffers.iter().enumerate() {
        let place = |byte| Place::Buffer(u32::try_from(index).unwrap_or(u32::MAX), byte);
        if strict_sync && entry.sync_mode != 0 {
            return Err(located(
                &descriptor,
                Fault::new(Status::INVALID_SYNC_MODE, rules.sync, "a sync mode that may not cross machines")
                    .field("buffer sync_mode")
                    .index(index)
                    .value(entry.sync_mode)
                    .at(place(13)),
            ));
        }
        if context.limits.refuse_device_bytes && entry.device_tag != device::CPU {
            return Err(located(
                &descriptor,
                Fault::new(Status::UNSUPPORTED, "", "bytes of a device other than the CPU are refused")
                    .field("buffer device_tag")
                    .index(index)
                    .value(entry.device_tag)
                    .at(place(12)),
            ));
        }
    }
    Ok(descriptor)
}

fn located(descriptor: &Descriptor, fault: Fault) -> Fault {
    let at = descriptor.offset_of(fault.place);
    fault.at(Place::Byte(at))
}

impl<M: Maker> Lane<M> {
    pub(super) fn new() -> Lane<M> {
        Lane { stack: Vec::new(), tensor: None, declared: 0 }
    }

    /// Whether it is between items.
    pub(super) fn is_idle(&self) -> bool {
        self.tensor.is_none() && self.stack.is_empty()
    }

    /// Which member of the open composites is arriving.
    pub(super) fn path(&self) -> Detail {
        if self.stack.is_empty() {
            return Detail::None;
        }
        Detail::Member(self.stack.iter().map(|open| open.members.len() as u32).collect())
    }

    /// Takes a descriptor in, by the limits and by the rules of the composite around it.
    pub(super) fn admit(
        &mut self,
        context: &Context<'_, M>,
        rules: &Rules,
        descriptor: M::Descriptor,
    ) -> Result<(), Fault> {
        let limits = context.limits;
        let over = |what, field, value: u64, limit: u64| {
            Fault::new(Status::LIMIT_EXCEEDED, rules.limit, what).field(field).value(value).limit(limit)
        };
        for (index, entry) in descriptor.buffers.iter().enumerate() {
            if entry.byte_size > limits.buffer_bytes {
                let fault = over("a buffer above the limit", "buffers", entry.byte_size, limits.buffer_bytes);
                return Err(fault.index(index));
            }
            if entry.byte_size > 0 && u64::from(entry.alignment) > limits.alignment {
                let alignment = u64::from(entry.alignment);
                let fault = over("an alignment above the limit", "buffers", alignment, limits.alignment);
                return Err(fault.index(index));
            }
        }
        let declared = total(&descriptor).and_then(|total| self.declared.checked_add(total));
        let declared = match declared {
            Some(declared) if declared <= limits.total_bytes => declared,
            _ => {
                let known = declared.unwrap_or(u64::MAX);
                return Err(over(
                    "more bytes in one item than the limit",
                    "total",
                    known,
                    limits.total_bytes,
                ));
            }
        };
        if let Layout::Composite { member_count, .. } = descriptor.layout {
            let level = self.stack.len() as u64 + 1;
            if level > u64::from(limits.depth) {
                let fault = over("composites are nested too deep", "depth", level, u64::from(limits.depth));
                return Err(Fault { rule: rules.depth, ..fault });
            }
            if u64::from(member_count) > limits.members {
                let count = u64::from(member_count);
                return Err(over("more members than the limit", "member_count", count, limits.members));
            }
        }
        if let Some(top) = self.stack.last_mut() {
            top.rules.member(&descriptor)?;
        }
        self.declared = declared;
        // The first place exists at once: a compiler may load it before it tests the count, which valgrind reports.
        let mut arriving = Arriving { descriptor, regions: SmallVec::from_buf([None]), at: 0 };
        arriving.settle();
        self.tensor = Some(arriving);
        Ok(())
    }

    /// The tensor's bytes are all there. Gives the item that is complete with it, if one is.
    pub(super) fn end(&mut self, context: &Context<'_, M>) -> Result<Option<M::Item>, Fault> {
        let Some(arriving) = self.tensor.take() else {
            return Err(Fault::new(Status::INTERNAL, "", "no tensor is arriving"));
        };
        if matches!(arriving.descriptor.layout, Layout::Composite { .. }) {
            self.stack.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
            let rules = Composite::new(&arriving.descriptor)?;
            self.stack.push(Open { rules, head: arriving.descriptor, members: Vec::new() });
            return self.close(context, None);
        }
        let mut regions = Regions::new();
        regions.try_reserve(arriving.descriptor.buffers.len()).map_err(|_| Fault::out_of_memory())?;
        let mut arrived = arriving.regions.into_iter();
        for entry in &arriving.descriptor.buffers {
            let region = arrived.next().flatten();
            regions.push(region.map_or_else(|| context.maker.region(entry), Ok)?);
        }
        let item = context.maker.tensor(arriving.descriptor, regions)?;
        self.close(context, Some(item))
    }

    /// Puts a complete item into the composite around it, and closes every composite that is complete with it.
    fn close(
        &mut self,
        context: &Context<'_, M>,
        mut item: Option<M::Item>,
    ) -> Result<Option<M::Item>, Fault> {
        while let Some(top) = self.stack.last_mut() {
            if let Some(item) = item.take() {
                top.members.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                top.members.push(item);
            }
            if top.rules.missing() > 0 {
                return Ok(None);
            }
            top.rules.close()?;
            if let Some(open) = self.stack.pop() {
                item = Some(context.maker.composite(open.head, open.members)?);
            }
        }
        self.declared = 0;
        Ok(item)
    }

    /// What the end of the input breaks here.
    pub(super) fn cut(&self, rules: &Rules) -> Option<Fault> {
        if self.tensor.is_some() {
            return Some(Fault::new(Status::TRUNCATED, rules.cut, "the input ends inside a tensor"));
        }
        self.stack.last().map(|open| Fault { rule: rules.torn, ..open.rules.torn() })
    }

    /// The complete members of what is open, outermost first; the composites themselves are lost.
    pub(super) fn salvage(&mut self, mut give: impl FnMut(M::Item)) {
        for open in self.stack.drain(..) {
            open.members.into_iter().for_each(&mut give);
        }
    }
}

impl<M: Maker> Arriving<M> {
    fn entry(&self) -> Option<&BufferEntry> {
        self.descriptor.buffers.get(self.at)
    }

    /// Bytes missing in the current buffer; 0 when the tensor is complete.
    pub(super) fn left(&self) -> u64 {
        let arrived = self.regions.get(self.at).and_then(Option::as_ref).map_or(0, Region::arrived);
        self.entry().map_or(0, |entry| entry.byte_size - arrived)
    }

    /// Passes by buffers that miss nothing.
    fn settle(&mut self) {
        while self.entry().is_some() && self.left() == 0 {
            self.at += 1;
        }
    }

    fn slot(&mut self, index: usize) -> Result<&mut Option<M::Region>, Fault> {
        if self.regions.len() <= index {
            let more = index + 1 - self.regions.len();
            self.regions.try_reserve(more).map_err(|_| Fault::out_of_memory())?;
            self.regions.resize_with(index + 1, || None);
        }
        let missing = || Fault::new(Status::INTERNAL, "", "a buffer without its place");
        self.regions.get_mut(index).ok_or_else(missing)
    }

    /// The memory of the current buffer.
    pub(super) fn region(&mut self, context: &Context<'_, M>) -> Result<&mut M::Region, Fault> {
        let Some(&entry) = self.entry() else {
            return Err(Fault::new(Status::INTERNAL, "", "no buffer is arriving"));
        };
        let slot = self.slot(self.at)?;
        match slot {
            Some(region) => Ok(region),
            None => Ok(slot.insert(context.maker.region(&entry)?)),
        }
    }

    /// Takes bytes of the current buffer in; never more than it misses.
    pub(super) fn append(&mut self, context: &Context<'_, M>, bytes: &[u8]) -> Result<(), Fault> {
        self.region(context)?.append(bytes)?;
        self.settle();
        Ok(())
    }

    /// Counts bytes that arrived straight in the current buffer's memory.
    pub(super) fn advance(&mut self, context: &Context<'_, M>, count: usize) -> Result<(), Fault> {
        self.region(context)?.advance(count);
        self.settle();
        Ok(())
    }

    /// Takes the caller's memory for a buffer that has no byte yet.
    pub(super) fn provide(
        &mut self,
        index: u64,
        make: impl FnOnce(&BufferEntry) -> Result<M::Region, Fault>,
    ) -> Result<(), Fault> {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let Some(&entry) = self.descriptor.buffers.get(index) else {
            return Err(Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "the tensor has no such buffer")
                .field("index")
                .value(index as u64)
                .limit(self.descriptor.buffers.len() as u64));
        };
        let region = make(&entry)?;
        let slot = self.slot(index)?;
        if slot.as_ref().is_some_and(|region| region.arrived() > 0) {
            return Err(Fault::new(
                Status::INVALID_ARGUMENT,
                "",
                "bytes of this buffer have arrived already",
            )
            .field("index")
            .value(index as u64));
        }
        *slot = Some(region);
        Ok(())
    }
}
