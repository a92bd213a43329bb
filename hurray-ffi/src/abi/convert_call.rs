//! What every conversion does around its kernel: reads its options, opens the source's memory, finds room for the
//! result, and joins the result.

use super::buffer::{Buffer, HURRAY_BUFFER_READ_ONLY, Keep, MIN_ALIGNMENT, allocate};
use super::buffer_attributes::not_host;
use super::descriptor::DescriptorHandle;
use super::foreign::{Attributes, Foreign, attributes, call};
use super::foreign_tensor::bring_in_descriptor;
use super::guard::out_of_memory;
use super::handles::{HurrayBuffer, HurrayDescriptor};
use super::list::List;
use super::options::{HURRAY_OPTION_THREADS, Options, Progress, copy_choice, value_of};
use super::prefix::{Route, mark, route, state};
use super::shared::{Shared, try_box};
use super::tensor::{Core, Owner, Ready, join};
use super::version::HURRAY_C_ABI_VERSION;
use crate::convert::dense::{Side, copy};
use crate::convert::job::{Job, Meter};
use crate::convert::offset::{Map, check_static};
use crate::convert::scheme::filled;
use crate::format::{BufferEntry, Descriptor, Fault, Layout, Status, packed_bytes};
use crate::io::os::Block;
use std::ptr::null_mut;

impl Meter for Progress {
    fn begin(&self, total: u64) {
        Progress::begin(self, total);
    }

    fn step(&self, bytes: u64) -> Result<(), Fault> {
        Progress::step(self, bytes)
    }

    fn end(&self) {
        Progress::end(self);
    }
}

/// The run of a call with these options.
pub(crate) fn job(options: Option<&Options>) -> Job<'_> {
    let meter = options.map(|options| &**options.progress() as &dyn Meter);
    Job::new(meter, usize::try_from(value_of(options, HURRAY_OPTION_THREADS)).unwrap_or(1))
}

/// For a conversion that has to copy: whether it may.
pub(crate) fn may_copy(options: Option<&Options>) -> Result<(), Fault> {
    match copy_choice(options) {
        1 => {
            Err(Fault::new(Status::COPY_REQUIRED, "", "the elements have to move, and copying is forbidden"))
        }
        _ => Ok(()),
    }
}

/// The descriptor behind a handle of any copy; none for NULL.
///
/// # Safety
/// `descriptor` is NULL or a handle.
pub(crate) unsafe fn target_of(
    descriptor: *const HurrayDescriptor,
) -> Result<Option<Shared<Descriptor>>, Fault> {
    if descriptor.is_null() {
        return Ok(None);
    }
    // SAFETY: as this function's own; routed before it is read.
    unsafe {
        match route(descriptor.cast(), mark::DESCRIPTOR)? {
            Route::Home => Ok(Some((*descriptor.cast::<DescriptorHandle>()).inner.clone())),
            Route::Away(_) => bring_in_descriptor(descriptor).map(Some),
        }
    }
}

/// A share of the caller's buffer of any copy; none for NULL.
///
/// # Safety
/// `into` is NULL or a handle.
pub(crate) unsafe fn into_of(into: *const HurrayBuffer) -> Result<Option<Buffer>, Fault> {
    if into.is_null() {
        return Ok(None);
    }
    // SAFETY: as this function's own.
    match unsafe { route(into.cast(), mark::BUFFER)? } {
        Route::Home => {
            // SAFETY: routed here.
            let buffer = unsafe { Buffer::of(into) };
            Ok(Some(Buffer::new(buffer.attributes(), state::BORROWED, buffer.keep_alive())))
        }
        Route::Away(table) => {
            let mut share: *mut HurrayBuffer = null_mut();
            call!(table, buffer_share(into, &raw mut share))?;
            // SAFETY: a fresh, owned handle of that copy, which nobody else ends.
            let foreign = unsafe { Foreign::take(share.cast(), table) }.inspect_err(|_| {
                // SAFETY: as above; `destroy` is at a fixed place in every table.
                unsafe { ((*table).destroy)((&raw mut share).cast()) };
            })?;
            foreign.commit();
            // SAFETY: a usable handle of that table, kept by `foreign`.
            let of = unsafe { attributes(share, table)? };
            Ok(Some(Buffer::new(of, state::BORROWED, Keep::Foreign(foreign))))
        }
    }
}

/// A tensor that a conversion reads.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    core: &'a Shared<Core>,
}

impl<'a> Source<'a> {
    /// A tensor whose elements are understood, of a shape that is known, in memory that the host may read now.
    pub(crate) fn new(core: &'a Shared<Core>) -> Result<Source<'a>, Fault> {
        let source = Source::anywhere(core)?;
        for (buffer, entry) in core.buffers().iter().zip(&core.descriptor().buffers) {
            if buffer.sync_mode != 0 {
                let what = "a buffer waits for an event or a stream, which this call cannot know to be over";
                return Err(Fault::new(Status::UNSUPPORTED, "", what)
                    .field("sync_mode")
                    .value(buffer.sync_mode));
            }
            if entry.byte_size > 0 && !buffer.is_host_readable() {
                return Err(not_host(buffer.device_tag));
            }
        }
        Ok(source)
    }

    /// A tensor whose elements are understood, of a shape that is known, in memory that may be anywhere: its bytes are
    /// not looked at.
    pub(crate) fn anywhere(core: &'a Shared<Core>) -> Result<Source<'a>, Fault> {
        let descriptor = core.descriptor();
        if !descriptor.is_understood() {
            let what = "element type, layout or quantization scheme is private or not understood";
            return Err(Fault::new(Status::UNSUPPORTED, "", what)
                .field("layout_tag")
                .value(descriptor.layout.tag()));
        }
        check_static(&descriptor.shape)?;
        Ok(Source { core })
    }

    pub(crate) fn core(&self) -> &'a Shared<Core> {
        self.core
    }

    pub(crate) fn descriptor(&self) -> &'a Descriptor {
        self.core.descriptor()
    }

    /// The declared bytes of a buffer. Others may write to them meanwhile.
    pub(crate) fn bytes(&self, index: usize) -> Result<&'a [u8], Fault> {
        let found = self.core.buffers().get(index).zip(self.descriptor().buffers.get(index));
        let Some((buffer, entry)) = found else {
            return Err(Fault::new(Status::INTERNAL, "", "a tensor lacks a buffer of its layout"));
        };
        if entry.byte_size == 0 {
            return Ok(&[]);
        }
        let len = usize::try_from(entry.byte_size).map_err(|_| Fault::out_of_memory())?;
        // SAFETY: held against its declared size when the tensor was made, readable by the host, and alive with
        // the core. Values that change meanwhile are only ever moved or checked after they were read.
        Ok(unsafe { std::slice::from_raw_parts(buffer.data.cast::<u8>(), len) })
    }

    /// A share of a buffer, for a result that has it too.
    pub(crate) fn share(&self, index: usize) -> Result<Buffer, Fault> {
        let Some(buffer) = self.core.buffers().get(index) else {
            return Err(Fault::new(Status::INTERNAL, "", "a tensor lacks a buffer of its layout"));
        };
        Ok(Buffer::new(buffer.attributes(), state::BORROWED, buffer.keep_alive()))
    }

    /// Whether memory of so many bytes has some with a buffer of the tensor in common.
    pub(crate) fn overlaps(&self, at: *const u8, len: u64) -> bool {
        self.is_elsewhere(usize::MAX, at, len)
    }

    /// [`Source::overlaps`], one buffer aside.
    pub(crate) fn is_elsewhere(&self, but: usize, at: *const u8, len: u64) -> bool {
        let (start, end) = (at as u64, at as u64 + len);
        let entries = &self.descriptor().buffers;
        self.core.buffers().iter().zip(entries).enumerate().any(|(index, (buffer, entry))| {
            let first = buffer.data as u64;
            index != but && entry.byte_size > 0 && start < first + entry.byte_size && first < end
        })
    }
}

/// The elements of a dense tensor in row-major order, where they are or copied to `room`.
pub(crate) fn row_major<'a>(source: &Source<'a>, room: &'a mut Vec<u8>) -> Result<&'a [u8], Fault> {
    let whole = source.descriptor();
    let (shape, width) = (&whole.shape[..], whole.bits().unwrap_or(8));
    let (Some(from), Some(rows)) = (Map::of(&whole.layout, shape)?, Map::of(&Layout::RowMajor, shape)?)
    else {
        return Err(Fault::new(Status::UNSUPPORTED, "", "the tensor is not dense: convert its layout first")
            .field("layout_tag")
            .value(whole.layout.tag()));
    };
    let bytes = source.bytes(0)?;
    if from.is_same(&rows, shape) {
        let start = usize::try_from(whole.byte_offset).unwrap_or(usize::MAX);
        return Ok(bytes.get(start..).unwrap_or_default());
    }
    let len = whole.element_count().and_then(|count| packed_bytes(width, count));
    let len = len.and_then(|len| usize::try_from(len).ok()).ok_or_else(Fault::out_of_memory)?;
    *room = filled(0, len)?;
    let read = Side { map: &from, byte_offset: whole.byte_offset };
    copy(shape, width, (bytes, read), (room, Side { map: &rows, byte_offset: 0 }), &Job::new(None, 1))?;
    Ok(room)
}

/// Memory of one buffer of a result: new, or the caller's.
pub(crate) struct Output {
    buffer: Buffer,
    len: u64,
    is_zero: bool,
}

impl Output {
    /// New memory, zeroed. Large results get the system's own zeroed pages: they are written once, not cleared before.
    pub(crate) fn new(len: u64) -> Result<Output, Fault> {
        Output::made(len, Block::zeroed)
    }

    /// New memory of no certain value, for results whose every byte is written: large ones may get what an earlier result
    /// left.
    pub(crate) fn any(len: u64) -> Result<Output, Fault> {
        Output::made(len, Block::any)
    }

    fn made(len: u64, block: impl FnOnce(usize) -> std::io::Result<Block>) -> Result<Output, Fault> {
        const LARGE: u64 = 4 << 20;
        if len < LARGE {
            return Ok(Output { buffer: allocate(len, MIN_ALIGNMENT, state::BORROWED)?, len, is_zero: true });
        }
        let size = usize::try_from(len).map_err(|_| Fault::out_of_memory())?;
        let block = block(size).map_err(|_| out_of_memory(len))?;
        let is_zero = block.is_zero();
        let of = Attributes {
            data: block.data().cast(),
            byte_size: len,
            alignment: MIN_ALIGNMENT,
            device_tag: 0,
            sync_mode: 0,
            memory_class: 0,
            flags: 0,
            device_id: 0,
            lead: 0,
        };
        Ok(Output { buffer: Buffer::new(of, state::BORROWED, Keep::Block(block)), len, is_zero })
    }

    /// The caller's memory where there is any, else new memory, zeroed.
    pub(crate) fn within(into: Option<Buffer>, len: u64, sources: &[Source<'_>]) -> Result<Output, Fault> {
        into.map_or_else(|| Output::new(len), |buffer| Output::of(buffer, len, sources))
    }

    /// The same of no certain value.
    pub(crate) fn any_within(
        into: Option<Buffer>,
        len: u64,
        sources: &[Source<'_>],
    ) -> Result<Output, Fault> {
        into.map_or_else(|| Output::any(len), |buffer| Output::of(buffer, len, sources))
    }

    /// The caller's memory. A lead stays untouched.
    fn of(buffer: Buffer, len: u64, sources: &[Source<'_>]) -> Result<Output, Fault> {
        let refused = |what| Fault::new(Status::INVALID_ARGUMENT, "", what).field("into");
        let of = buffer.attributes();
        if !buffer.is_host_readable() {
            return Err(not_host(of.device_tag));
        }
        if of.flags & HURRAY_BUFFER_READ_ONLY != 0 {
            return Err(refused("the buffer is read-only"));
        }
        if of.sync_mode != 0 {
            return Err(refused("the buffer waits for an event or a stream").value(of.sync_mode));
        }
        let room = of.byte_size.saturating_sub(u64::from(of.lead));
        if room < len {
            let what = "the buffer is smaller than the result";
            return Err(Fault::new(Status::BUFFER_TOO_SMALL, "", what)
                .field("into")
                .value(room)
                .limit(i128::from(len)));
        }
        let start = of.data.cast::<u8>().wrapping_add(of.lead as usize);
        if len > 0 && sources.iter().any(|source| source.overlaps(start, len)) {
            return Err(refused("the buffer overlaps the source"));
        }
        Ok(Output { buffer, len, is_zero: false })
    }

    /// The result's bytes.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: allocated with this length, or the caller's, of at least this length past its lead, for this call
        // alone by contract.
        unsafe {
            let start = self.buffer.data.cast::<u8>().add(self.buffer.attributes().lead as usize);
            std::slice::from_raw_parts_mut(start, self.len as usize)
        }
    }

    /// Whether the memory is zero where nothing was written.
    pub(crate) fn is_zero(&self) -> bool {
        self.is_zero
    }

    /// Makes new memory as short as a result that took less. A small rest stays, for the next result of that size.
    pub(crate) fn shorten(&mut self, len: u64) {
        if len < self.len {
            self.buffer.shorten(len, self.len - len > self.len / 4);
            self.len = len;
        }
    }

    /// Where the result's bytes begin in the buffer.
    pub(crate) fn lead(&self) -> u64 {
        u64::from(self.buffer.attributes().lead)
    }

    /// The buffer, and how many of its bytes the result declares.
    pub(crate) fn into_parts(self) -> (Buffer, u64) {
        let size = self.len + self.lead();
        (self.buffer, size)
    }
}

/// Joins the buffers of a result, each with the bytes that are declared of it, and its descriptor, whose buffer table
/// is made here.
pub(crate) fn finish(
    mut descriptor: Descriptor,
    buffers: impl IntoIterator<Item = (Buffer, u64)>,
) -> Result<Ready, Fault> {
    let mut list = try_box(List::new(state::BORROWED)).map_err(|(_, fault)| fault)?;
    descriptor.buffers.clear();
    for (buffer, byte_size) in buffers {
        descriptor.buffers.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
        descriptor.buffers.push(BufferEntry {
            byte_size,
            alignment: buffer.alignment,
            device_tag: buffer.device_tag,
            sync_mode: buffer.sync_mode,
            memory_class: buffer.memory_class,
        });
        list.push_inner(buffer).map_err(|(_, fault)| fault)?;
    }
    descriptor.validate()?;
    let descriptor = Shared::try_new(descriptor).map_err(|(_, fault)| fault)?;
    join(descriptor, list, Owner::NONE, HURRAY_C_ABI_VERSION).map_err(|(_, fault)| fault)
}

/// Whether two buffers may stand in one tensor.
pub(crate) fn is_together(a: &Buffer, b: &Buffer) -> bool {
    (a.device_tag, a.memory_class) == (b.device_tag, b.memory_class)
}
