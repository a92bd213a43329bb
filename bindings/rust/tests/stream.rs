//! Streams through the safe client: windows, feeding, gather lists and file descriptors.

#![allow(clippy::unwrap_used, clippy::panic)] // a test; its helpers too

use hurray_client::{
    Arrival, Buffer, Content, Item, Options, Status, StreamReader, StreamWriter, Tensor, sys,
};

/// uint8 `[4]`: a descriptor of 53 bytes and 4 bytes of data.
fn sample() -> Item {
    Item::of(&Tensor::from_vec(&[4], vec![1u8, 2, 3, 4]).unwrap()).unwrap()
}

fn is_sample(item: &Item) -> bool {
    let tensor = item.tensor().unwrap();
    let view = tensor.array_view().unwrap();
    // SAFETY: four elements of one byte, row-major.
    view.shape() == [4] && unsafe { std::slice::from_raw_parts(view.data().cast::<u8>(), 4) } == [1, 2, 3, 4]
}

/// What waits in a writer, a piece of a chunk at a time.
fn drain(writer: &mut StreamWriter) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let Some(count) = writer.chunks(2).unwrap().first().map(|chunk| {
            let count = chunk.len().min(5);
            out.extend_from_slice(&chunk[..count]);
            count
        }) else {
            return out;
        };
        writer.advance(count).unwrap();
    }
}

#[test]
fn bytes_go_through_windows() {
    let mut writer = StreamWriter::bare(None).unwrap();
    writer.put(&sample()).unwrap();
    let bytes = drain(&mut writer);
    assert_eq!(bytes.len(), 53 + 4);
    let mut reader = StreamReader::new(None).unwrap();
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let window = reader.window().unwrap();
        let count = window.len();
        window.copy_from_slice(&rest[..count]);
        rest = &rest[count..];
        reader.advance(count).unwrap();
    }
    let Arrival::Item(item) = reader.next_item().unwrap() else { panic!("no item") };
    assert!(is_sample(&item));
    assert_eq!((reader.stream_id().unwrap(), reader.unread().unwrap()), (0, &[][..]));
    assert!(matches!(reader.next_item().unwrap(), Arrival::NeedMore));
    reader.finish().unwrap();
    assert!(matches!(reader.next_item().unwrap(), Arrival::End));
    assert!(reader.window().unwrap().is_empty());
}

#[test]
fn bytes_are_fed_into_memory_of_the_callers() {
    let mut writer = StreamWriter::framed(3, 0, None).unwrap();
    writer.put(&sample()).unwrap();
    let bytes = drain(&mut writer);
    let mut reader = StreamReader::new(None).unwrap();
    assert!(reader.pending().unwrap().is_none());
    assert_eq!(reader.feed(&bytes[..90]).unwrap(), 90);
    assert!(reader.pending().unwrap().is_some());
    let given = Buffer::copy_of(&[0u8; 4]).unwrap();
    // SAFETY: nobody looks at the memory before the tensor is there.
    unsafe { reader.provide_buffer(0, &given) }.unwrap();
    assert_eq!(reader.feed(&bytes[90..]).unwrap(), bytes.len() - 90);
    let Arrival::Item(item) = reader.next_item().unwrap() else { panic!("no item") };
    assert!(is_sample(&item));
    assert_eq!((reader.stream_id().unwrap(), reader.reply().unwrap()), (3, Vec::new()));
}

#[test]
fn items_go_through_a_pipe() {
    let (from, to) = std::io::pipe().unwrap();
    let mut options = Options::new().unwrap();
    options.set(sys::HURRAY_OPTION_READ_AHEAD, 4096).unwrap();
    let mut reader = StreamReader::new(Some(&options)).unwrap();
    let mut writer = StreamWriter::bare(None).unwrap();
    for _ in 0..10 {
        writer.put(&sample()).unwrap();
    }
    assert!(writer.write_fd(&to).unwrap());
    drop(to);
    for _ in 0..10 {
        assert!(matches!(reader.read_fd(&from).unwrap(), Arrival::Item(item) if is_sample(&item)));
    }
    assert!(matches!(reader.read_fd(&from).unwrap(), Arrival::End));
}

#[test]
fn errors_stay() {
    let mut reader = StreamReader::new(None).unwrap();
    assert_eq!(reader.feed(b"HRR!").unwrap_err().status, Status::INVALID_MAGIC);
    assert_eq!(reader.next_item().unwrap_err().status, Status::INVALID_MAGIC);
    assert_eq!(StreamWriter::framed(0, 0, None).unwrap_err().status, Status::INVALID_ARGUMENT);
}

/// Byte 15 of a descriptor is its layout.
fn of_unknown_layout(mut writer: StreamWriter, start: usize) -> Vec<u8> {
    writer.put(&sample()).unwrap();
    let mut bytes = drain(&mut writer);
    bytes[start + 15] = 0x30;
    bytes
}

#[test]
fn a_descriptor_may_come_alone() {
    let mut options = Options::new().unwrap();
    options.set(sys::HURRAY_OPTION_PERMISSIVE, 1).unwrap();
    // In a framed stream with its bytes.
    let bytes = of_unknown_layout(StreamWriter::framed(3, 0, None).unwrap(), 12);
    let mut reader = StreamReader::new(Some(&options)).unwrap();
    reader.feed(&bytes).unwrap();
    let Arrival::Item(item) = reader.next_item().unwrap() else { panic!("no item") };
    let Content::Descriptor(descriptor) = item.content().unwrap() else { panic!("not a descriptor") };
    assert_eq!(descriptor.layout_tag().unwrap(), 0x30);
    let data = item.data().unwrap().unwrap();
    // SAFETY: nobody writes.
    assert_eq!(unsafe { data.buffer(0).unwrap().as_bytes() }.unwrap(), [1, 2, 3, 4]);
    assert_eq!(item.tensor().unwrap_err().status, Status::INVALID_ARGUMENT);
    assert_eq!(format!("{:?}", &*item), descriptor.to_string());
    // In a bare one without, and nothing comes after it.
    let bytes = of_unknown_layout(StreamWriter::bare(None).unwrap(), 0);
    let mut reader = StreamReader::new(Some(&options)).unwrap();
    reader.feed(&bytes).unwrap();
    let Arrival::Item(item) = reader.next_item().unwrap() else { panic!("no item") };
    assert!(item.data().unwrap().is_none());
    assert_eq!(reader.next_item().unwrap_err().status, Status::UNSUPPORTED);
    assert_eq!(sample().data().unwrap_err().status, Status::INVALID_ARGUMENT);
}
