//! A stream writer as safe Rust, and items made of composed descriptors.

use crate::compose::{Desc, Entry};
use crate::read::{Item, Refusal, options, outcome};
use hurray::abi::*;
use std::ptr::null_mut;

/// An owned writer.
pub struct Writer(pub *mut HurrayStreamWriter);

// SAFETY: handles may move between threads.
unsafe impl Send for Writer {}

impl Drop for Writer {
    fn drop(&mut self) {
        // SAFETY: owned or NULL, and ended once.
        assert_eq!(unsafe { hurray_stream_writer_destroy(&raw mut self.0) }, 0);
    }
}

impl Writer {
    pub fn try_new(form: u32, id: u32, most: u64, values: &[(u32, u64)]) -> Result<Writer, Refusal> {
        let options = options(values);
        let mut out = std::ptr::dangling_mut();
        // SAFETY: live options, an output of this frame.
        let got = unsafe { hurray_stream_writer_new(form, id, most, options.0, &raw mut out) };
        assert_eq!(got != 0, out.is_null());
        outcome(got)?;
        Ok(Writer(out))
    }

    pub fn bare() -> Writer {
        Writer::try_new(HURRAY_STREAM_BARE, 0, 0, &[]).expect("a writer")
    }

    pub fn framed(id: u32, most: u64) -> Writer {
        Writer::try_new(HURRAY_STREAM_FRAMED, id, most, &[]).expect("a writer")
    }

    pub fn put(&self, item: &Item) -> Result<i32, Refusal> {
        // SAFETY: live handles.
        outcome(unsafe { hurray_stream_writer_put(self.0, item.0) })
    }

    /// The gather list, as far as there is room for it, and its true length.
    pub fn chunks(&self, room: usize) -> Result<(Vec<Vec<u8>>, usize), Refusal> {
        let mut slices = Vec::new();
        slices.resize_with(room, || HurraySlice { data: std::ptr::null(), len: 0 });
        let mut count = room;
        // SAFETY: a live handle; `count` is the room of `slices`.
        outcome(unsafe { hurray_stream_writer_chunks(self.0, slices.as_mut_ptr(), &raw mut count) })?;
        slices.truncate(count);
        // SAFETY: the writer's bytes, until the next put or advance.
        let bytes =
            |slice: &HurraySlice| unsafe { std::slice::from_raw_parts(slice.data, slice.len) }.to_vec();
        Ok((slices.iter().map(bytes).collect(), count))
    }

    pub fn advance(&self, n: usize) -> Result<i32, Refusal> {
        // SAFETY: a live handle.
        outcome(unsafe { hurray_stream_writer_advance(self.0, n) })
    }

    /// Everything that waits, taken out in pieces of at most `most` bytes.
    pub fn drain(&self, most: usize) -> Vec<u8> {
        let mut out = Vec::new();
        loop {
            let (chunks, count) = self.chunks(3).expect("chunks");
            if count == 0 {
                return out;
            }
            assert!(chunks.iter().all(|chunk| !chunk.is_empty()), "no empty pieces");
            let mut bytes = chunks.concat();
            bytes.truncate(most);
            self.advance(bytes.len()).expect("advance");
            out.extend(bytes);
        }
    }
}

/// An owned descriptor.
struct Descriptor(*mut HurrayDescriptor);

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_descriptor_destroy(&raw mut self.0) }, 0);
    }
}

/// Bytes on a boundary of 4096, which buffers point into for as long as the tests run.
pub fn aligned(bytes: &[u8]) -> *mut u8 {
    let layout = std::alloc::Layout::from_size_align(bytes.len().max(1), 4096).expect("a layout");
    // SAFETY: the layout is not empty; the memory is this long.
    unsafe {
        let data = std::alloc::alloc(layout);
        data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        data
    }
}

/// The item of the first tensor, or of the first head and what it binds.
pub fn item(rest: &mut &[Desc]) -> Item {
    let (first, more) = rest.split_first().expect("a descriptor");
    *rest = more;
    let bytes = first.bytes();
    if first.layout != 0x0B {
        return tensor(first, &first.data(), &[]);
    }
    let count = u32::from_le_bytes(first.payload[4..8].try_into().expect("four bytes"));
    let members: Vec<Item> = (0..count).map(|_| item(rest)).collect();
    let (mut head, mut out) = (null_mut(), null_mut());
    // SAFETY: slices and live handles, outputs of this frame.
    unsafe {
        assert_eq!(hurray_descriptor_decode(bytes.as_ptr(), bytes.len(), &raw mut head), 0);
        let head = Descriptor(head);
        let pointers: Vec<*const HurrayItem> = members.iter().map(|item| item.0.cast_const()).collect();
        assert_eq!(hurray_item_composite_new(head.0, pointers.as_ptr(), pointers.len(), &raw mut out), 0);
    }
    Item(out)
}

/// An item of one tensor over these bytes; buffers get these flags and leads, if there are any.
pub fn tensor(desc: &Desc, data: &[u8], leads: &[u32]) -> Item {
    let bytes = desc.bytes();
    let (mut list, mut out, mut of) = (null_mut(), null_mut(), null_mut());
    let mut at = 0;
    // SAFETY: slices and live handles, outputs of this frame; the memory is never freed.
    unsafe {
        assert_eq!(hurray_buffer_list_new(4, &raw mut list), 0);
        for (index, &Entry(size, alignment, [device, sync, class])) in desc.buffers.iter().enumerate() {
            let mut buffer = null_mut();
            let end = at + size as usize;
            let memory = aligned(&data[at..end]);
            at = end;
            let release = Some(crate::count_release as unsafe extern "C" fn(_, _));
            let got = hurray_buffer_from_ptr(
                memory.cast(),
                size,
                alignment,
                device,
                sync,
                class,
                release,
                null_mut(),
                &raw mut buffer,
            );
            assert_eq!(got, 0);
            if device != 0 {
                assert_eq!(hurray_buffer_set_flags(buffer, HURRAY_BUFFER_HOST_POINTER), 0);
            }
            if let Some(&lead) = leads.get(index) {
                assert_eq!(hurray_buffer_set_lead(buffer, lead), 0);
            }
            assert_eq!(hurray_buffer_list_push(list, buffer), 0);
        }
        let len = bytes.len() as u64;
        assert_eq!(hurray_tensor_new(10, bytes.as_ptr(), len, list, null_mut(), None, &raw mut of), 0);
        assert_eq!(hurray_item_from_tensor(of, &raw mut out), 0);
        assert_eq!(hurray_tensor_destroy(&raw mut of), 0);
    }
    Item(out)
}

/// All items of these descriptors.
pub fn items(all: &[Desc]) -> Vec<Item> {
    let mut rest = all;
    let mut out = Vec::new();
    while !rest.is_empty() {
        out.push(item(&mut rest));
    }
    out
}
