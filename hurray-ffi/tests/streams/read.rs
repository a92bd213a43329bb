//! A stream reader as safe Rust, and what comes out of it as plain values.

use crate::status;
use hurray::abi::*;
use std::ptr::null_mut;

/// An item as plain values.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    /// Descriptor bytes, bytes of each buffer.
    Tensor(Vec<u8>, Vec<Vec<u8>>),
    /// Descriptor bytes of the head, members.
    Composite(Vec<u8>, Vec<Got>),
    /// Descriptor bytes, and what came with them.
    Alone(Vec<u8>, Option<Vec<u8>>),
}

/// What a failing call said.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    pub status: i32,
    pub text: String,
    pub offset: u64,
}

impl Refusal {
    pub fn rule(&self) -> &str {
        self.text.split_once(": ").map_or("", |(rule, _)| rule)
    }
}

/// A negative status with its text; anything else as it is.
pub fn outcome(got: i32) -> Result<i32, Refusal> {
    if got >= 0 {
        return Ok(got);
    }
    let (mut of, mut offset, mut len) = (0, 0, 512);
    let mut text = vec![0u8; len];
    // SAFETY: the outputs are this frame's own, and `len` is the room of `text`.
    unsafe {
        assert_eq!(hurray_last_error_info(&raw mut of, null_mut(), &raw mut offset), 0);
        assert_eq!(hurray_last_error_message(text.as_mut_ptr().cast(), &raw mut len), 0);
    }
    text.truncate(len);
    if got == status::BUFFER_TOO_SMALL {
        text.clear();
    } else {
        assert_eq!(of, got, "the stored text belongs to another status");
    }
    Err(Refusal { status: got, text: String::from_utf8(text).unwrap(), offset })
}

/// The system's number of the last failing call.
pub fn os_error() -> i32 {
    let mut number = 0;
    // SAFETY: the output is this frame's own.
    unsafe { hurray_last_error_info(null_mut(), &raw mut number, null_mut()) };
    number
}

/// Options, by number.
pub struct Options(pub *mut HurrayOptions);

impl Drop for Options {
    fn drop(&mut self) {
        // SAFETY: owned or NULL, and ended once.
        assert_eq!(unsafe { hurray_options_destroy(&raw mut self.0) }, 0);
    }
}

pub fn options(values: &[(u32, u64)]) -> Options {
    let mut out = null_mut();
    // SAFETY: the output is this frame's own; then a live handle.
    unsafe {
        assert_eq!(hurray_options_new(&raw mut out), 0);
        for &(option, value) in values {
            assert_eq!(hurray_options_set_u64(out, option, value), 0, "option {option} = {value}");
        }
    }
    Options(out)
}

pub const READ_AHEAD: u32 = 23;

/// An owned item.
pub struct Item(pub *mut HurrayItem);

impl Drop for Item {
    fn drop(&mut self) {
        // SAFETY: owned or NULL, and ended once.
        assert_eq!(unsafe { hurray_item_destroy(&raw mut self.0) }, 0);
    }
}

impl Item {
    pub fn got(&self) -> Got {
        got(self.0)
    }
}

fn encoded(descriptor: *const HurrayDescriptor) -> Vec<u8> {
    let (mut bytes, mut len) = (vec![0; 1 << 18], 1 << 18);
    // SAFETY: a live handle; `len` is the room of `bytes`.
    assert_eq!(unsafe { hurray_descriptor_encode(descriptor, bytes.as_mut_ptr(), &raw mut len) }, 0);
    bytes.truncate(len);
    bytes
}

fn got(item: *const HurrayItem) -> Got {
    let mut kind = 0;
    let mut descriptor = null_mut();
    let mut tensor = null_mut();
    // SAFETY: live handles, and outputs of this frame, throughout.
    unsafe {
        assert_eq!(hurray_item_kind(item, &raw mut kind), 0);
        if kind == HURRAY_ITEM_COMPOSITE {
            assert_eq!(hurray_item_head(item, &raw mut descriptor), 0);
            let mut count = 0;
            assert_eq!(hurray_item_member_count(item, &raw mut count), 0);
            let member = |index| {
                let mut member = null_mut();
                assert_eq!(hurray_item_member(item, index, &raw mut member), 0);
                got(member)
            };
            return Got::Composite(encoded(descriptor), (0..count).map(member).collect());
        }
        if kind == HURRAY_ITEM_DESCRIPTOR {
            assert_eq!(hurray_item_head(item, &raw mut descriptor), 0);
            let bytes = encoded(descriptor);
            let got = hurray_item_data(item, &raw mut tensor);
            if got != 0 {
                assert_eq!((got, tensor.is_null()), (status::FIELD_NOT_APPLICABLE, true));
                return Got::Alone(bytes, None);
            }
            let mut buffers = buffers(tensor);
            assert_eq!((hurray_tensor_destroy(&raw mut tensor), buffers.len()), (0, 1));
            return Got::Alone(bytes, buffers.pop());
        }
        assert_eq!(hurray_item_tensor(item, &raw mut tensor), 0);
        assert_eq!(hurray_tensor_descriptor(tensor, &raw mut descriptor), 0);
        let out = Got::Tensor(encoded(descriptor), buffers(tensor));
        assert_eq!(hurray_tensor_destroy(&raw mut tensor), 0);
        out
    }
}

/// The bytes of each buffer.
fn buffers(tensor: *const HurrayTensor) -> Vec<Vec<u8>> {
    let mut list = null_mut();
    // SAFETY: live handles, and outputs of this frame, throughout.
    unsafe {
        assert_eq!(hurray_tensor_buffers(tensor, &raw mut list), 0);
        let mut count = 0;
        assert_eq!(hurray_buffer_list_len(list, &raw mut count), 0);
        let buffer = |index| {
            let (mut buffer, mut data, mut size, mut alignment) = (null_mut(), null_mut(), 0, 0);
            assert_eq!(hurray_buffer_list_get(list, index, &raw mut buffer), 0);
            assert_eq!(hurray_buffer_host_ptr(buffer, &raw mut data), 0);
            assert_eq!(hurray_buffer_byte_size(buffer, &raw mut size), 0);
            assert_eq!(hurray_buffer_alignment(buffer, &raw mut alignment), 0);
            if size == 0 {
                return Vec::new();
            }
            assert!((data as usize).is_multiple_of(alignment as usize) && alignment >= 64);
            std::slice::from_raw_parts(data.cast::<u8>(), size as usize).to_vec()
        };
        (0..count).map(buffer).collect()
    }
}

/// An owned reader.
pub struct Reader(pub *mut HurrayStreamReader);

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: owned or NULL, and ended once.
        assert_eq!(unsafe { hurray_stream_reader_destroy(&raw mut self.0) }, 0);
    }
}

impl Reader {
    pub fn new(values: &[(u32, u64)]) -> Reader {
        let options = options(values);
        let mut out = std::ptr::dangling_mut();
        // SAFETY: live options, an output of this frame.
        let got = unsafe { hurray_stream_reader_new(options.0, &raw mut out) };
        assert_eq!(got, 0);
        Reader(out)
    }

    /// Where the next bytes belong.
    #[expect(clippy::mut_from_ref, reason = "the memory is not the wrapper's")]
    pub fn window(&self) -> Result<&mut [u8], Refusal> {
        let (mut start, mut size) = (null_mut(), 0);
        // SAFETY: a live handle, outputs of this frame.
        outcome(unsafe { hurray_stream_reader_window(self.0, &raw mut start, &raw mut size) })?;
        assert_eq!(size == 0, start.is_null());
        if size == 0 {
            return Ok(&mut []);
        }
        // SAFETY: the reader's memory, initialised, until the next call.
        let window = unsafe { std::slice::from_raw_parts_mut(start, size) };
        assert!(window.iter().all(|&byte| byte == 0), "a window is zeroed");
        Ok(window)
    }

    pub fn advance(&self, n: usize) -> Result<i32, Refusal> {
        // SAFETY: a live handle.
        outcome(unsafe { hurray_stream_reader_advance(self.0, n) })
    }

    pub fn feed(&self, bytes: &[u8]) -> Result<usize, Refusal> {
        let mut consumed = usize::MAX;
        // SAFETY: a live handle, a slice, an output of this frame.
        let got =
            unsafe { hurray_stream_reader_feed(self.0, bytes.as_ptr(), bytes.len(), &raw mut consumed) };
        outcome(got).map(|_| consumed)
    }

    pub fn next(&self) -> Result<Option<Item>, Refusal> {
        match self.next_status()? {
            Ok(item) => Ok(Some(item)),
            Err(_) => Ok(None),
        }
    }

    /// An item, or the progress code.
    pub fn next_status(&self) -> Result<Result<Item, i32>, Refusal> {
        let mut item = std::ptr::dangling_mut();
        // SAFETY: a live handle, an output of this frame.
        let got = unsafe { hurray_stream_reader_next(self.0, &raw mut item) };
        assert_eq!(got != 0, item.is_null(), "an out-handle is NULL exactly when there is none");
        Ok(if outcome(got)? == 0 { Ok(Item(item)) } else { Err(got) })
    }

    pub fn finish(&self) -> Result<i32, Refusal> {
        // SAFETY: a live handle.
        outcome(unsafe { hurray_stream_reader_finish(self.0) })
    }

    pub fn stream_id(&self) -> u32 {
        let mut id = u32::MAX;
        // SAFETY: a live handle, an output of this frame.
        assert_eq!(unsafe { hurray_stream_reader_stream_id(self.0, &raw mut id) }, 0);
        id
    }

    pub fn unread(&self) -> Vec<u8> {
        let (mut start, mut size) = (std::ptr::null(), 0);
        // SAFETY: a live handle, outputs of this frame; then the reader's bytes until the next call.
        unsafe {
            assert_eq!(hurray_stream_reader_unread(self.0, &raw mut start, &raw mut size), 0);
            if size == 0 { Vec::new() } else { std::slice::from_raw_parts(start, size).to_vec() }
        }
    }

    pub fn reply(&self) -> Vec<u8> {
        let (mut bytes, mut len) = (vec![0; 1 << 17], 1 << 17);
        // SAFETY: a live handle; `len` is the room of `bytes`.
        assert_eq!(unsafe { hurray_stream_reader_reply(self.0, bytes.as_mut_ptr(), &raw mut len) }, 0);
        bytes.truncate(len);
        bytes
    }
}

/// How bytes reach a reader.
#[derive(Clone, Debug)]
pub enum Way {
    /// Fed, in pieces of these sizes, then the rest.
    Fed(Vec<usize>),
    /// Through windows, at most so many bytes at a time.
    Windows(usize),
}

/// Items with their stream ids, and how the stream ended.
pub type All = (Vec<(u32, Got)>, Result<(), Refusal>);

/// Reads a whole stream.
pub fn read(bytes: &[u8], values: &[(u32, u64)], way: &Way) -> All {
    let reader = Reader::new(values);
    let mut items = Vec::new();
    let ended = drive(&reader, bytes, way, &mut items);
    if let Err(refusal) = &ended {
        for _ in 0..2 {
            assert_eq!(reader.next().err().as_ref(), Some(refusal), "an error stays");
            assert_eq!(reader.window().err().as_ref(), Some(refusal));
            assert_eq!(reader.feed(b"x").err().as_ref(), Some(refusal));
            assert_eq!(reader.finish().err().as_ref(), Some(refusal));
        }
    }
    (items, ended)
}

fn collect(reader: &Reader, items: &mut Vec<(u32, Got)>) -> Result<i32, Refusal> {
    loop {
        match reader.next_status()? {
            Ok(item) => items.push((reader.stream_id(), item.got())),
            Err(code) => return Ok(code),
        }
    }
}

fn drive(reader: &Reader, bytes: &[u8], way: &Way, items: &mut Vec<(u32, Got)>) -> Result<(), Refusal> {
    match way {
        Way::Fed(sizes) => {
            let mut rest = bytes;
            let mut sizes = sizes.iter();
            while !rest.is_empty() {
                let (mut piece, more) =
                    rest.split_at(sizes.next().map_or(rest.len(), |&n| n.min(rest.len())));
                rest = more;
                while !piece.is_empty() {
                    let consumed = reader.feed(piece)?;
                    piece = &piece[consumed..];
                    assert_eq!(collect(reader, items)?, status::NEED_MORE);
                }
            }
        }
        Way::Windows(most) => {
            let mut rest = bytes;
            while !rest.is_empty() {
                let window = reader.window()?;
                assert!(!window.is_empty(), "a window while bytes are wanted");
                let n = window.len().min(*most).min(rest.len());
                window[..n].copy_from_slice(&rest[..n]);
                rest = &rest[n..];
                reader.advance(n)?;
                assert_eq!(collect(reader, items)?, status::NEED_MORE);
            }
        }
    }
    reader.finish()?;
    assert_eq!(collect(reader, items)?, status::END);
    assert_eq!(reader.next_status()?.err(), Some(status::END), "the end stays");
    Ok(())
}

/// Reads a stream in several ways, which must agree in every item, error, text and offset.
pub fn read_all_ways(bytes: &[u8], values: &[(u32, u64)]) -> All {
    let whole = read(bytes, values, &Way::Fed(Vec::new()));
    let ahead = [values, &[(READ_AHEAD, 65536)]].concat();
    let few = [values, &[(READ_AHEAD, 33)]].concat();
    let single = vec![1; bytes.len()];
    assert_eq!(read(bytes, values, &Way::Fed(single.clone())), whole, "fed byte by byte");
    assert_eq!(read(bytes, values, &Way::Windows(usize::MAX)), whole, "through windows");
    assert_eq!(read(bytes, values, &Way::Windows(1)), whole, "byte by byte through windows");
    assert_eq!(read(bytes, &ahead, &Way::Windows(usize::MAX)), whole, "read ahead");
    assert_eq!(read(bytes, &few, &Way::Windows(20)), whole, "read a little ahead");
    assert_eq!(read(bytes, &few, &Way::Fed(single)), whole, "read ahead, fed byte by byte");
    whole
}

/// What a stream of these tensors gives, in order, heads with what they bind.
pub fn expected(all: &[crate::compose::Desc]) -> Vec<Got> {
    let mut rest = all;
    let mut items = Vec::new();
    while !rest.is_empty() {
        items.push(expected_one(&mut rest));
    }
    items
}

fn expected_one(rest: &mut &[crate::compose::Desc]) -> Got {
    let (first, more) = rest.split_first().expect("another tensor");
    *rest = more;
    if first.layout == 0x0B {
        let count = u32::from_le_bytes(first.payload[4..8].try_into().unwrap());
        return Got::Composite(first.bytes(), (0..count).map(|_| expected_one(rest)).collect());
    }
    let mut data = first.data();
    let cut = |entry: &crate::compose::Entry| data.drain(..entry.0 as usize).collect();
    let buffers = first.buffers.iter().map(cut).collect();
    Got::Tensor(first.bytes(), buffers)
}
