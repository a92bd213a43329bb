//! A stream of any bytes, read in two ways that must agree, and written again.

use hurray::abi::*;
use std::ptr::{null, null_mut};

/// What rules that bind writers alone may answer, for an item that was read: L-023, L-035, Q-034, Q-036, S-109.
const WRITERS_ONLY: [i32; 4] = [
    HURRAY_ERR_UNSUPPORTED,
    HURRAY_ERR_INVALID_LAYOUT,
    HURRAY_ERR_INVALID_DESCRIPTOR,
    HURRAY_ERR_INVALID_SYNC_MODE,
];

/// How a stream was read: its items written anew in one form, and the status and offset at its end.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    pub bytes: Vec<u8>,
    pub items: usize,
    /// Items that may be read and not written.
    pub withheld: usize,
    pub status: i32,
    pub offset: u64,
}

struct Reader(*mut HurrayStreamReader);

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_stream_reader_destroy(&raw mut self.0) }, HURRAY_OK);
    }
}

struct Writer(*mut HurrayStreamWriter);

impl Drop for Writer {
    fn drop(&mut self) {
        // SAFETY: owned, and ended once.
        assert_eq!(unsafe { hurray_stream_writer_destroy(&raw mut self.0) }, HURRAY_OK);
    }
}

/// A descriptor that came alone: it has at most bytes, and no writer takes it.
fn is_alone(item: *const HurrayItem) -> bool {
    let (mut kind, mut head, mut data) = (0, null_mut(), null_mut());
    // SAFETY: a live item, outputs of this frame, then an owned handle or NULL.
    unsafe {
        assert_eq!(hurray_item_kind(item, &raw mut kind), HURRAY_OK);
        if kind != HURRAY_ITEM_DESCRIPTOR {
            return false;
        }
        assert_eq!(hurray_item_head(item, &raw mut head), HURRAY_OK);
        let got = hurray_item_data(item, &raw mut data);
        assert_eq!(got == HURRAY_ERR_FIELD_NOT_APPLICABLE, data.is_null());
        assert_eq!(hurray_tensor_destroy(&raw mut data), HURRAY_OK);
    }
    true
}

/// Writes one item to a stream of its own, in pieces of at most `most` bytes; false if it may not be written.
fn write(item: *const HurrayItem, form: u32, most: usize, out: &mut Vec<u8>) -> bool {
    let mut writer = Writer(null_mut());
    // SAFETY: a live item, outputs of this frame, then a live handle; a piece is the writer's until it moves on.
    unsafe {
        assert_eq!(hurray_stream_writer_new(form, 1, 0, null(), &raw mut writer.0), HURRAY_OK);
        let put = hurray_stream_writer_put(writer.0, item);
        if is_alone(item) {
            assert_eq!(put, HURRAY_ERR_INVALID_ARGUMENT);
            return false;
        }
        if put != HURRAY_OK {
            assert!(WRITERS_ONLY.contains(&put), "{put} for an item that was read");
            return false;
        }
        loop {
            let (mut slice, mut count) = (HurraySlice { data: null(), len: 0 }, 1);
            assert_eq!(hurray_stream_writer_chunks(writer.0, &raw mut slice, &raw mut count), HURRAY_OK);
            if count == 0 {
                return true;
            }
            let bytes = std::slice::from_raw_parts(slice.data, slice.len.min(most));
            out.extend_from_slice(bytes);
            assert_eq!(hurray_stream_writer_advance(writer.0, bytes.len()), HURRAY_OK);
        }
    }
}

fn options(permissive: bool, flat: bool, read_ahead: u64) -> *mut HurrayOptions {
    let mut out = null_mut();
    let values = [
        (HURRAY_OPTION_PERMISSIVE, u64::from(permissive)),
        (HURRAY_OPTION_FLAT, u64::from(flat)),
        (HURRAY_OPTION_READ_AHEAD, read_ahead),
        // What a fuzzer may take.
        (HURRAY_OPTION_MAX_BUFFER_BYTES, 1 << 24),
    ];
    // SAFETY: an output of this frame, then a live handle.
    unsafe {
        assert_eq!(hurray_options_new(&raw mut out), HURRAY_OK);
        for (option, value) in values {
            assert_eq!(hurray_options_set_u64(out, option, value), HURRAY_OK);
        }
    }
    out
}

/// How a stream is read.
#[derive(Clone, Copy)]
pub struct Way {
    /// Most bytes at a time.
    pub most: usize,
    /// Bytes are fed, not put into windows.
    pub fed: bool,
    pub permissive: bool,
    /// Composites are given part by part.
    pub flat: bool,
    pub read_ahead: u64,
    /// The form that the items are written in.
    pub form: u32,
}

/// Reads `bytes`, and writes what they hold.
pub fn read(bytes: &[u8], way: Way) -> Outcome {
    let Way { most, fed, permissive, flat, read_ahead, form } = way;
    let mut options = options(permissive, flat, read_ahead);
    let mut reader = null_mut();
    // SAFETY: live options, and outputs of this frame.
    unsafe {
        assert_eq!(hurray_stream_reader_new(options, &raw mut reader), HURRAY_OK);
        assert_eq!(hurray_options_destroy(&raw mut options), HURRAY_OK);
    }
    let reader = Reader(reader);
    let mut outcome = Outcome { bytes: Vec::new(), items: 0, withheld: 0, status: HURRAY_OK, offset: 0 };
    let mut rest = bytes;
    // What ended the reader comes again with every call; a peer's ERROR ends its stream id alone.
    let mut usable = true;
    while !rest.is_empty() && usable {
        let piece = &rest[..rest.len().min(most)];
        let mut taken = piece.len();
        // SAFETY: a live handle, slices, outputs of this frame; a window is the reader's until the next call.
        outcome.status = unsafe {
            if fed {
                hurray_stream_reader_feed(reader.0, piece.as_ptr(), piece.len(), &raw mut taken)
            } else {
                let (mut start, mut size) = (null_mut(), 0);
                let status = hurray_stream_reader_window(reader.0, &raw mut start, &raw mut size);
                if status < 0 {
                    status
                } else {
                    assert!(size > 0, "a window while bytes are wanted");
                    taken = taken.min(size);
                    start.copy_from_nonoverlapping(piece.as_ptr(), taken);
                    hurray_stream_reader_advance(reader.0, taken)
                }
            }
        };
        usable = outcome.status >= 0;
        if usable {
            rest = &rest[taken..];
            take(&reader, form, &mut outcome);
        }
    }
    if usable {
        // SAFETY: a live handle.
        outcome.status = unsafe { hurray_stream_reader_finish(reader.0) };
    }
    if outcome.status >= 0 {
        take(&reader, form, &mut outcome);
        assert!(outcome.status != HURRAY_NEED_MORE);
    }
    if outcome.status < 0 {
        // SAFETY: an output of this frame.
        unsafe { hurray_last_error_info(null_mut(), null_mut(), &raw mut outcome.offset) };
    }
    outcome
}

/// Takes complete items, and writes them again.
fn take(reader: &Reader, form: u32, outcome: &mut Outcome) {
    loop {
        let mut item = null_mut();
        // SAFETY: live handles, and an output of this frame.
        unsafe {
            outcome.status = hurray_stream_reader_next(reader.0, &raw mut item);
            if outcome.status != HURRAY_OK {
                return;
            }
            outcome.items += 1;
            outcome.withheld += usize::from(!write(item, form, outcome.items, &mut outcome.bytes));
            assert_eq!(hurray_item_destroy(&raw mut item), HURRAY_OK);
        }
    }
}

/// Everything that must hold for any bytes.
pub fn run(input: &[u8]) {
    let Some((&[most, way], bytes)) = input.split_first_chunk::<2>() else { return };
    let permissive = way & 1 != 0;
    let flat = way & 8 != 0;
    let bare = Way { most: usize::MAX, fed: true, permissive, flat, read_ahead: 0, form: HURRAY_STREAM_BARE };
    let whole = read(bytes, bare);
    let read_ahead = if way & 2 != 0 { u64::from(way) } else { 0 };
    assert_eq!(
        read(bytes, Way { most: usize::from(most) + 1, fed: way & 4 != 0, read_ahead, ..bare }),
        whole
    );
    // Of a torn composite a permissive reader gives the members alone.
    let torn = permissive && whole.status == HURRAY_ERR_TORN;
    if bytes.first() == Some(&b'H') && whole.withheld == 0 && !torn {
        assert!(bytes.starts_with(&whole.bytes), "items come back byte for byte");
    }
    let windows = Way { most: 1000, fed: false, read_ahead: 4096, ..bare };
    let again = read(&whole.bytes, windows);
    assert_eq!((&again.bytes, again.status, again.withheld), (&whole.bytes, HURRAY_END, 0));
    // What crosses a network carries no event: the framed form may withhold an item that the bare one has.
    let framed = read(&whole.bytes, Way { form: HURRAY_STREAM_FRAMED, ..windows });
    let back = read(&framed.bytes, windows);
    assert_eq!((back.status, back.items), (HURRAY_END, framed.items - framed.withheld));
    if framed.withheld == 0 {
        assert_eq!(back.bytes, whole.bytes, "both forms carry the same items");
    }
}
