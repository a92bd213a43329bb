//! Many tensors, many members, many threads, large offsets.

use crate::compose::*;
use crate::door::*;
use crate::save::{folder, vector};
use hurray::abi::*;
use std::io::{Seek, SeekFrom, Write};

#[test]
fn a_hundred_thousand_small_tensors() {
    let item = vector(&[1.]).item();
    let path = folder("hundred").join("a.hrry");
    for sorted in [0, 1] {
        let with = [(HURRAY_OPTION_DURABLE, 0), (HURRAY_OPTION_SORTED_INDEX, sorted)];
        let writer = Writer::path(&path, &with).unwrap();
        let name = |k: u32| format!("layer.{}.weight", k * 7919 % 100_003);
        for k in 0..100_000 {
            writer.put(&name(k), &item).unwrap();
        }
        writer.finish().unwrap();
        let reader = Reader::path(&path, &[]).unwrap();
        assert_eq!(reader.count(), 100_000);
        for k in [0, 1, 50_000, 99_999] {
            let index = reader.find(&name(k)).unwrap();
            assert_eq!(reader.tensor(index).unwrap().buffers()[0].bytes(), f32s(&[1.]));
        }
        assert_eq!(reader.find("layer.weight"), None);
        assert_eq!(reader.items().unwrap().len(), 100_000);
    }
}

#[test]
fn twenty_thousand_members() {
    let members: Vec<Item> = (0..20_000u64)
        .map(|k| Tensor::new(&shard(&[1], &[20_000], &[k], 4), &[&(k as u32).to_le_bytes()]).item())
        .collect();
    let whole = Item::composite(&head(1, 3, &[20_000], 20_000), &members).unwrap();
    let writer = Writer::memory(&[]);
    writer.put("x", &whole).unwrap();
    writer.finish().unwrap();
    let reader = Reader::bytes(&writer.take(), &[]).unwrap();
    assert_eq!((reader.count(), reader.items().unwrap()), (20_001, vec![0]));
    let back = reader.item(0).unwrap().members();
    assert_eq!(back.len(), 20_000);
    let last = back[19_999].tensor().unwrap();
    assert_eq!(last.buffers()[0].bytes(), 19_999u32.to_le_bytes());
}

#[test]
fn b107_offsets_beyond_four_gigabytes() {
    const GAP: u64 = 5 << 30;
    let path = folder("large").join("a.hrry");
    // A tensor of 5 GiB, all holes, and a small one behind it.
    let small = example("small");
    let d = descriptor(0x11, 1, &[GAP], &[], &[GAP as usize]);
    let at = |x: u64, to: u64| x.next_multiple_of(to);
    let behind = at(4096 + GAP, 8);
    let data = at(behind + small.descriptor.len() as u64, 4096);
    let index_at = at(data + 24, 8);
    let mut index = 2u64.to_le_bytes().to_vec();
    for (name, descriptor_at, length, data_at, data_length) in
        [("large", 64, d.len(), 4096, GAP), ("small", behind, small.descriptor.len(), data, 24)]
    {
        index.extend((name.len() as u16).to_le_bytes());
        index.extend(name.as_bytes());
        index.extend(u64::to_le_bytes(descriptor_at));
        index.extend((length as u32).to_le_bytes());
        index.extend(u64::to_le_bytes(data_at));
        index.extend(u64::to_le_bytes(data_length));
        index.extend([0; 4]);
    }
    let front = file(&[], None).bytes[..64].to_vec();
    let mut trailer = index_at.to_le_bytes().to_vec();
    trailer.extend((index.len() as u64).to_le_bytes());
    trailer.extend([0; 12]);
    trailer.extend(crc32c(&index).to_le_bytes());
    trailer.extend(b"\0\0\0\0HRRY");
    let mut out = std::fs::File::create(&path).unwrap();
    let mut put = |place: u64, bytes: &[u8]| {
        out.seek(SeekFrom::Start(place)).unwrap();
        out.write_all(bytes).unwrap();
    };
    put(0, &front);
    put(64, &d);
    put(4096 + GAP - 1, &[7]);
    put(behind, &small.descriptor);
    put(data, &small.buffers[0]);
    put(index_at, &index);
    put(index_at + index.len() as u64, &trailer);
    let reader = Reader::path(&path, &[]).unwrap();
    assert_eq!(reader.range(0), (4096, GAP));
    assert_eq!(reader.read(0, 0, GAP - 2, 2).unwrap(), [0, 7]);
    let large = reader.tensor(0).unwrap();
    assert_eq!(large.buffers()[0].bytes()[GAP as usize - 1], 7);
    let behind = reader.tensor(reader.find("small").unwrap()).unwrap();
    assert_eq!(behind.buffers()[0].bytes(), small.buffers[0]);
    let copying = Reader::path(&path, &[(HURRAY_OPTION_MAP, 2)]).unwrap();
    assert_eq!(copying.tensor(1).unwrap().buffers()[0].bytes(), small.buffers[0]);
}

#[test]
fn eight_threads_on_one_reader() {
    let path = folder("threads").join("a.hrry");
    let writer = Writer::path(&path, &[(HURRAY_OPTION_DURABLE, 0)]).unwrap();
    for k in 0..64 {
        writer.put(&format!("t{k}"), &vector(&[k as f32; 5]).item()).unwrap();
    }
    writer.finish().unwrap();
    for map in [0, 2] {
        let reader = Reader::path(&path, &[(HURRAY_OPTION_MAP, map)]).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let reader = &reader;
                scope.spawn(move || {
                    for round in 0..200 {
                        let k = (thread * 31 + round * 7) % 64;
                        let index = reader.find(&format!("t{k}")).unwrap();
                        assert_eq!(reader.tensor(index).unwrap().buffers()[0].bytes(), f32s(&[k as f32; 5]));
                        reader.descriptor(index).unwrap();
                        assert_eq!(reader.items().unwrap().len(), 64);
                        reader.item(index).unwrap();
                    }
                });
            }
        });
    }
}

#[test]
fn b43_reader_and_writer_share_their_limits() {
    let writer = Writer::memory(&[(HURRAY_OPTION_MAX_INDEX_BYTES, 100)]);
    let item = vector(&[1.]).item();
    writer.put("a", &item).unwrap();
    writer.put("b", &item).unwrap();
    assert_eq!(writer.put("c", &item).unwrap_err().status, HURRAY_ERR_LIMIT_EXCEEDED);
    let writer = Writer::memory(&[(HURRAY_OPTION_MAX_KV_BYTES, 20)]);
    writer.set_u64("a", HURRAY_KV_UINT64, 0, &[1]).unwrap();
    assert_eq!(writer.set_u64("b", HURRAY_KV_UINT64, 0, &[1]).unwrap_err().status, HURRAY_ERR_LIMIT_EXCEEDED);
    let writer = Writer::memory(&[(HURRAY_OPTION_MAX_DESCRIPTOR_BYTES, 50)]);
    assert_eq!(writer.put("a", &item).unwrap_err().status, HURRAY_ERR_LIMIT_EXCEEDED);
}

#[test]
fn b54_names_come_back_or_are_refused() {
    let item = vector(&[1.]).item();
    let longest = "x".repeat(65535);
    let good = ["\0", "/", "..", "__metadata__", "e\u{301}", "\u{e9}", &longest];
    let writer = Writer::memory(&[]);
    good.iter().for_each(|name| writer.put(name, &item).unwrap());
    writer.finish().unwrap();
    let reader = Reader::bytes(&writer.take(), &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
    assert_eq!(reader.names(), good);
    let too_long = "x".repeat(65536);
    let bad: [(&[u8], i32); 4] = [
        (b"", HURRAY_ERR_INVALID_ARGUMENT),
        (b"\xED\xA0\x80", HURRAY_ERR_INVALID_ARGUMENT),
        (b"\xFF", HURRAY_ERR_INVALID_ARGUMENT),
        (too_long.as_bytes(), HURRAY_ERR_LIMIT_EXCEEDED),
    ];
    for (name, status) in bad {
        let writer = Writer::memory(&[]);
        assert_eq!(writer.put_bytes(name, &item).unwrap_err().status, status);
    }
    // A member takes a name too.
    let whole = Item::composite(&head(3, 3, &[1], 1), &[vector(&[2.]).item()]).unwrap();
    let writer = Writer::memory(&[]);
    writer.put("x.0", &item).unwrap();
    assert_eq!(writer.put("x", &whole).unwrap_err().status, HURRAY_ERR_DUPLICATE);
}

#[test]
fn b49_b50_every_payload_is_aligned() {
    for length in 0..64 {
        let writer = Writer::memory(&[]);
        let bytes = vec![7u8; length];
        let odd = Tensor::new(&descriptor(0x11, 1, &[length as u64], &[], &[length]), &[&bytes]);
        writer.put(&"n".repeat(length + 1), &odd.item()).unwrap();
        writer.put("f", &vector(&[1., 2.]).item()).unwrap();
        writer.finish().unwrap();
        let reader = Reader::bytes(&writer.take(), &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
        assert_eq!((reader.range(0).0 % 4096, reader.range(1).0 % 4096), (0, 0));
        let tensor = reader.tensor(1).unwrap();
        let view = tensor.buffers()[0];
        assert_eq!((view.data as usize % 64, view.flags()), (0, HURRAY_BUFFER_READ_ONLY));
    }
}
