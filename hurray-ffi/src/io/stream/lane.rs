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
    /// Those that arrived whole, unless they are given one by one.
    members: Vec<M::Item>,
}

/// A tensor, or a composite's head, whose descriptor has arrived.
pub(super) struct Arriving<M: Maker> {
    pub(super) descriptor: M::Descriptor,
    /// All its bytes as one buffer, when the buffer table is hidden and the stream says how many they are.
    hidden: Option<BufferEntry>,
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

/// The field that a refused device is told by.
pub(super) const DEVICE_TAG: &str = "buffer device_tag";
/// Where a descriptor has the tag of its layout.
const LAYOUT_TAG: u64 = 15;

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
                    .field(DEVICE_TAG)
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

    /// Which member of the open composites is arriving. Of one that has all its members and is closed, the composite
    /// itself.
    pub(super) fn path(&self) -> Detail {
        let waits = self.tensor.is_none();
        let closes = waits && self.stack.last().is_some_and(|open| open.rules.missing() == 0);
        let levels = self.stack.len() - usize::from(closes);
        if levels == 0 {
            return Detail::None;
        }
        let next = if waits && !closes { levels - 1 } else { levels };
        let path = self.stack.iter().take(levels).enumerate().map(|(level, open)| {
            let arrived = open.rules.arrived();
            if level < next { arrived.saturating_sub(1) } else { arrived }
        });
        Detail::Member(path.collect())
    }

    /// Whether a descriptor can only be handed out: nobody knows where the bytes after it end, or by which rules it is
    /// a member of the composite around it.
    pub(super) fn is_stranded(&self, descriptor: &Descriptor, data: Option<u64>) -> bool {
        !descriptor.has_buffer_table() && (data.is_none() || !self.stack.is_empty())
    }

    /// Hands such a descriptor out, and says why nothing comes after it.
    pub(super) fn strand(
        context: &Context<'_, M>,
        rules: &Rules,
        descriptor: M::Descriptor,
    ) -> Result<(M::Item, Fault), Fault> {
        let what = "the buffer table is hidden behind a layout that was not understood";
        let fault = Fault::new(Status::UNSUPPORTED, rules.decode, what)
            .field("layout_tag")
            .value(descriptor.layout.tag())
            .at(Place::Byte(LAYOUT_TAG));
        Ok((context.maker.alone(descriptor, None)?, fault))
    }

    /// Takes a descriptor in, by the limits and by the rules of the composite around it. Of one whose buffer table is
    /// hidden, `data` is the number of bytes after it.
    pub(super) fn admit(
        &mut self,
        context: &Context<'_, M>,
        rules: &Rules,
        descriptor: M::Descriptor,
        data: Option<u64>,
    ) -> Result<(), Fault> {
        let limits = context.limits;
        let hidden = data.filter(|_| !descriptor.has_buffer_table()).map(BufferEntry::of_cpu);
        let over = |what, field, value: u64, limit: u64| {
            Fault::new(Status::LIMIT_EXCEEDED, rules.limit, what).field(field).value(value).limit(limit)
        };
        for (index, entry) in hidden.iter().chain(&descriptor.buffers).enumerate() {
            if entry.byte_size > limits.buffer_bytes {
                let fault = over("a buffer above the limit", "buffers", entry.byte_size, limits.buffer_bytes);
                return Err(fault.index(index));
            }
            // Nobody declared one for bytes whose table is hidden.
            if hidden.is_none() && entry.byte_size > 0 && u64::from(entry.alignment) > limits.alignment {
                let alignment = u64::from(entry.alignment);
                let fault = over("an alignment above the limit", "buffers", alignment, limits.alignment);
                return Err(fault.index(index));
            }
        }
        let own = hidden.map_or_else(|| total(&descriptor), |entry| Some(entry.byte_size));
        let declared = own.and_then(|own| self.declared.checked_add(own));
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
        let mut arriving = Arriving { descriptor, hidden, regions: SmallVec::from_buf([None]), at: 0 };
        arriving.settle();
        self.tensor = Some(arriving);
        Ok(())
    }

    /// The tensor's bytes are all there. Gives the item that is complete with it, if one is.
    pub(super) fn end(&mut self, context: &Context<'_, M>) -> Result<Option<M::Item>, Fault> {
        let Some(arriving) = self.tensor.take() else {
            return Err(Fault::new(Status::INTERNAL, "", "no tensor is arriving"));
        };
        if arriving.is_head() {
            self.stack.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
            let rules = Composite::new(&arriving.descriptor)?;
            let head = arriving.descriptor;
            let item = match context.limits.flat {
                true => Some(context.maker.alone(head.clone(), None)?),
                false => None,
            };
            self.stack.push(Open { rules, head, members: Vec::new() });
            return self.close(context, item);
        }
        if let Some(entry) = &arriving.hidden {
            let region = arriving.regions.into_iter().next().flatten();
            let region = region.map_or_else(|| context.maker.region(entry), Ok)?;
            self.declared = 0;
            return context.maker.alone(arriving.descriptor, Some(region)).map(Some);
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

    /// Puts a complete item into the composite around it, and closes every composite that is complete with it. Gives
    /// what stands alone: the outermost composite, or each part as it comes.
    fn close(
        &mut self,
        context: &Context<'_, M>,
        mut item: Option<M::Item>,
    ) -> Result<Option<M::Item>, Fault> {
        let flat = context.limits.flat;
        while let Some(top) = self.stack.last_mut() {
            if !flat && let Some(item) = item.take() {
                top.members.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                top.members.push(item);
            }
            if top.rules.missing() > 0 {
                return Ok(item);
            }
            top.rules.close()?;
            if let Some(open) = self.stack.pop()
                && !flat
            {
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
    /// The buffers whose bytes arrive, in order.
    fn entries(&self) -> &[BufferEntry] {
        self.hidden.as_ref().map_or(&self.descriptor.buffers, std::slice::from_ref)
    }

    /// Whether it is a composite's head.
    pub(super) fn is_head(&self) -> bool {
        matches!(self.descriptor.layout, Layout::Composite { .. })
    }

    fn entry(&self) -> Option<&BufferEntry> {
        self.entries().get(self.at)
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
        let Some(&entry) = self.entries().get(index) else {
            return Err(Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "the tensor has no such buffer")
                .field("index")
                .value(index as u64)
                .limit(self.entries().len() as u64));
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
