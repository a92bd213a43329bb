//! Files and the published crate hurray-io 0.1.0, as a black box: read in both directions, and the same bytes in the
//! mode that is kept for it.

use crate::compose::*;
use crate::door::*;
use crate::ready::ready;
use hurray::abi::*;
use hurray_core::descriptor::TensorDescriptor;
use hurray_io::file::{FileCompositeNode, FileItem, FileReader, FileWriter, FileWriterOptions, KvValue};
use std::io::Cursor;

fn theirs(descriptor: &[u8]) -> TensorDescriptor {
    TensorDescriptor::decode(descriptor).expect("a descriptor that they take")
}

/// A pair of each type, and arrays of each; what the published writer takes.
fn pairs() -> Vec<(String, KvValue)> {
    let array = |values: &[KvValue]| KvValue::Array(values.to_vec());
    let text = |text: &str| KvValue::String(text.into());
    [
        ("text", text("h\u{e9}")),
        ("i", KvValue::Int64(i64::MIN)),
        ("u", KvValue::Uint64(u64::MAX)),
        ("f", KvValue::Float64(-0.0)),
        ("b", KvValue::Bool(true)),
        ("raw", KvValue::Bytes(vec![0, 255])),
        ("texts", array(&[text("a"), text(""), text("c")])),
        ("is", array(&[KvValue::Int64(-1), KvValue::Int64(1 << 53)])),
        ("us", array(&[KvValue::Uint64((1 << 53) + 1)])),
        ("fs", array(&[KvValue::Float64(f64::INFINITY), KvValue::Float64(0.1)])),
        ("bs", array(&[KvValue::Bool(false), KvValue::Bool(true)])),
        ("raws", array(&[KvValue::Bytes(vec![]), KvValue::Bytes(vec![7])])),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_string(), value))
    .collect()
}

fn set(writer: &Writer, key: &str, value: &KvValue) {
    let (is_array, values) = match value {
        KvValue::Array(values) => (1, values.as_slice()),
        one => (0, std::slice::from_ref(one)),
    };
    let (mut words, mut signed, mut reals) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bytes, mut ends, mut tag) = (Vec::new(), Vec::new(), 0);
    for value in values {
        match value {
            KvValue::Bool(value) => (tag, words) = (5, [words, vec![u64::from(*value)]].concat()),
            KvValue::Uint64(value) => (tag, words) = (3, [words, vec![*value]].concat()),
            KvValue::Int64(value) => (tag, signed) = (2, [signed, vec![*value]].concat()),
            KvValue::Float64(value) => (tag, reals) = (4, [reals, vec![*value]].concat()),
            KvValue::String(value) => (tag, bytes) = (1, [bytes, value.clone().into_bytes()].concat()),
            KvValue::Bytes(value) => (tag, bytes) = (6, [bytes, value.clone()].concat()),
            other => panic!("{other:?} in an array"),
        }
        ends.push(bytes.len() as u64);
    }
    let (w, k, len, count) = (writer.0, key.as_ptr().cast(), key.len(), values.len());
    done(unsafe {
        match tag {
            3 | 5 => hurray_file_writer_kv_set_u64(w, k, len, tag, is_array, words.as_ptr(), count),
            2 => hurray_file_writer_kv_set_i64(w, k, len, tag, is_array, signed.as_ptr(), count),
            4 => hurray_file_writer_kv_set_f64(w, k, len, tag, is_array, reals.as_ptr(), count),
            _ => {
                let (bytes, room) = (bytes.as_ptr(), bytes.len());
                hurray_file_writer_kv_set_packed(w, k, len, tag, is_array, bytes, room, ends.as_ptr(), count)
            }
        }
    })
    .unwrap();
}

/// The pairs of a file as our reader has them.
fn get(reader: &Reader) -> Vec<(String, KvValue)> {
    let mut count = 0;
    done(unsafe { hurray_file_reader_kv_count(reader.0, &mut count) }).unwrap();
    let pair = |i| {
        let (mut key, mut len) = (vec![0u8; 100], 100);
        let (mut tag, mut is_array, mut count) = (0, 9, 0);
        unsafe {
            done(hurray_file_reader_kv_key(reader.0, i, key.as_mut_ptr().cast(), &mut len)).unwrap();
            done(hurray_file_reader_kv_type(reader.0, i, &mut tag, &mut is_array, &mut count)).unwrap();
        }
        key.truncate(len);
        let mut room = count as usize;
        let (mut words, mut signed, mut reals) = (vec![0; room], vec![0; room], vec![0.0; room]);
        let values: Vec<KvValue> = unsafe {
            match tag {
                3 | 5 => {
                    done(hurray_file_reader_kv_u64(reader.0, i, words.as_mut_ptr(), &mut room)).unwrap();
                    let value = |&w: &u64| if tag == 3 { KvValue::Uint64(w) } else { KvValue::Bool(w == 1) };
                    words.iter().map(value).collect()
                }
                2 => {
                    done(hurray_file_reader_kv_i64(reader.0, i, signed.as_mut_ptr(), &mut room)).unwrap();
                    signed.into_iter().map(KvValue::Int64).collect()
                }
                4 => {
                    done(hurray_file_reader_kv_f64(reader.0, i, reals.as_mut_ptr(), &mut room)).unwrap();
                    reals.into_iter().map(KvValue::Float64).collect()
                }
                _ => {
                    let text = |bytes: Vec<u8>| KvValue::String(String::from_utf8(bytes).unwrap());
                    packed(|b, l, e, c| hurray_file_reader_kv_packed(reader.0, i, b, l, e, c))
                        .unwrap()
                        .into_iter()
                        .map(|bytes| if tag == 1 { text(bytes) } else { KvValue::Bytes(bytes) })
                        .collect()
                }
            }
        };
        let value = if is_array == 1 { KvValue::Array(values) } else { values[0].clone() };
        (String::from_utf8(key).unwrap(), value)
    };
    (0..count).map(pair).collect()
}

/// Descriptor and buffers of tensors: dense, empty, a scalar, three buffers.
fn tensors() -> Vec<Part> {
    let csr = [&3u64.to_le_bytes()[..], &[0; 8]].concat();
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    vec![
        example("x"),
        tensor("empty", descriptor(3, 1, &[0, 4], &[], &[0]), &[&[]]),
        tensor("scalar", descriptor(0x11, 1, &[], &[], &[1]), &[&[42]]),
        tensor(
            "csr",
            descriptor(3, 7, &[2, 3], &csr, &[12, 24, 24]),
            &[&f32s(&[1., 2., 3.]), &words(&[0, 1, 2]), &words(&[0, 1, 3])],
        ),
        tensor("na\u{ef}ve/\u{0}", descriptor(0x11, 1, &[5000], &[], &[5000]), &[&[7; 5000]]),
    ]
}

fn item(part: &Part) -> Item {
    let buffers: Vec<&[u8]> = part.buffers.iter().map(Vec::as_slice).collect();
    Tensor::new(&part.descriptor, &buffers).item()
}

fn name(part: &Part) -> &str {
    std::str::from_utf8(&part.name).unwrap()
}

fn written_by_us(parts: &[Part], kv: &[(String, KvValue)], with: &[(u32, u64)]) -> Vec<u8> {
    let writer = Writer::memory(with);
    kv.iter().for_each(|(key, value)| set(&writer, key, value));
    parts.iter().for_each(|part| writer.put(name(part), &item(part)).unwrap());
    writer.finish().unwrap();
    writer.take()
}

fn written_by_them(
    parts: &[Part],
    kv: Vec<(String, KvValue)>,
    sorted_index: bool,
    alignment: u32,
) -> Vec<u8> {
    let options = FileWriterOptions { data_buffer_alignment: alignment, sorted_index };
    let mut writer = ready(FileWriter::with_options(Vec::new(), options)).unwrap();
    for part in parts {
        let buffers: Vec<&[u8]> = part.buffers.iter().map(Vec::as_slice).collect();
        ready(writer.write_tensor(name(part), &theirs(&part.descriptor), &buffers)).unwrap();
    }
    ready(writer.finish(kv)).unwrap()
}

#[test]
fn in_their_mode_the_bytes_are_the_same() {
    let few = &tensors()[..1];
    for (parts, kv) in [(&[][..], vec![]), (few, vec![]), (few, pairs()), (&tensors(), pairs())] {
        for (sorted, alignment) in [(0, 4096), (1, 4096), (1, 65536)] {
            let with = [
                (HURRAY_OPTION_KV_MODE, 3),
                (HURRAY_OPTION_SORTED_INDEX, sorted),
                (HURRAY_OPTION_DATA_ALIGNMENT, alignment),
            ];
            let ours = written_by_us(parts, &kv, &with);
            assert_eq!(ours, written_by_them(parts, kv.clone(), sorted == 1, alignment as u32));
        }
    }
}

#[test]
fn they_read_what_we_write() {
    for sorted in [0, 1] {
        let bytes = written_by_us(&tensors(), &pairs(), &[(HURRAY_OPTION_SORTED_INDEX, sorted)]);
        let mut reader = ready(FileReader::open(Cursor::new(&bytes))).unwrap();
        assert_eq!(reader.kv(), pairs());
        let mut names: Vec<String> = tensors().iter().map(|part| name(part).to_string()).collect();
        if sorted == 1 {
            names.sort();
        }
        assert_eq!(reader.tensor_names().collect::<Vec<_>>(), names);
        for part in tensors() {
            let found = ready(reader.read_tensor(name(&part))).unwrap();
            assert_eq!(found.descriptor.encode().unwrap(), part.descriptor);
            assert_eq!(found.buffers, part.buffers);
        }
    }
}

#[test]
fn we_read_what_they_write() {
    for sorted in [false, true] {
        // Every file of theirs says in its header that it has no metadata.
        let bytes = written_by_them(&tensors(), pairs(), sorted, 4096);
        let reader = Reader::bytes(&bytes, &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
        assert_eq!(get(&reader), pairs());
        for part in tensors() {
            let index = reader.find(name(&part)).unwrap();
            let found = reader.tensor(index).unwrap();
            assert_eq!(found.descriptor(), part.descriptor);
            let buffers: Vec<Vec<u8>> = found.buffers().iter().map(|view| view.bytes().to_vec()).collect();
            assert_eq!(buffers, part.buffers);
        }
    }
}

#[test]
fn they_read_empty_arrays_that_they_do_not_write() {
    let writer = Writer::memory(&[(HURRAY_OPTION_KV_MODE, 1)]);
    writer.set_u64("none", HURRAY_KV_BOOL, 1, &[]).unwrap();
    writer.finish().unwrap();
    let bytes = writer.take();
    let reader = ready(FileReader::open(Cursor::new(&bytes))).unwrap();
    assert_eq!(reader.kv(), [("none".to_string(), KvValue::Array(vec![]))]);
}

/// A group of a partition of two vectors and a vector: heads and members in the order of the file, with names.
struct Nested {
    outer: Vec<u8>,
    inner: Vec<u8>,
    halves: [Part; 2],
    last: Part,
}

fn nested() -> Nested {
    let half =
        |name: &str, at: u64, values: &[f32]| tensor(name, shard(&[2], &[4], &[at], 8), &[&f32s(values)]);
    Nested {
        outer: head(3, 3, &[4], 2),
        inner: head(1, 3, &[4], 2),
        halves: [half("c.0.0", 0, &[1., 2.]), half("c.0.1", 2, &[3., 4.])],
        last: example("c.1"),
    }
}

#[test]
fn composites_are_read_in_both_directions() {
    let Nested { outer, inner, halves, last } = nested();
    let members = [Item::composite(&inner, &halves.each_ref().map(item)).unwrap(), item(&last)];
    let writer = Writer::memory(&[(HURRAY_OPTION_SORTED_INDEX, 1)]);
    writer.put("before", &item(&example("before"))).unwrap();
    writer.put("c", &Item::composite(&outer, &members).unwrap()).unwrap();
    writer.finish().unwrap();
    let ours = writer.take();
    let mut reader = ready(FileReader::open(Cursor::new(&ours))).unwrap();
    let found = ready(reader.read_composite("c")).unwrap();
    assert_eq!(found.head.encode().unwrap(), outer);
    let [FileItem::Composite(found_inner), FileItem::Tensor(found_last)] = &found.members[..] else {
        panic!("{:?}", found.members)
    };
    assert_eq!((found_inner.name.as_str(), found_inner.head.encode().unwrap()), ("c.0", inner.clone()));
    for (member, half) in found_inner.members.iter().zip(&halves) {
        let FileItem::Tensor(member) = member else { panic!("{member:?}") };
        assert_eq!((member.name.as_bytes(), &member.buffers[0][..]), (&half.name[..], &half.buffers[0][..]));
    }
    assert_eq!(
        (found_last.name.as_bytes(), &found_last.buffers[0][..]),
        (&last.name[..], &last.buffers[0][..])
    );

    let mut writer = ready(FileWriter::new(Vec::new())).unwrap();
    let bytes = halves.each_ref().map(|half| [half.buffers[0].as_slice()]);
    let descriptors = halves.each_ref().map(|half| theirs(&half.descriptor));
    let parts = [0, 1].map(|k| FileCompositeNode::Tensor {
        name: name(&halves[k]),
        descriptor: &descriptors[k],
        buffers: &bytes[k],
    });
    let (last_descriptor, last_bytes) = (theirs(&last.descriptor), [last.buffers[0].as_slice()]);
    let inner_head = theirs(&inner);
    let nodes = [
        FileCompositeNode::Composite { name: "c.0", head: &inner_head, members: &parts },
        FileCompositeNode::Tensor { name: "c.1", descriptor: &last_descriptor, buffers: &last_bytes },
    ];
    ready(writer.write_composite("c", &theirs(&outer), &nodes)).unwrap();
    let bytes = ready(writer.finish(vec![])).unwrap();
    let reader = Reader::bytes(&bytes, &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
    assert_eq!(reader.names(), ["c", "c.0", "c.0.0", "c.0.1", "c.1"]);
    assert_eq!(reader.items().unwrap(), [0]);
    let members = reader.item(0).unwrap().members();
    let values = |item: &Item| item.tensor().unwrap().buffers()[0].bytes().to_vec();
    assert_eq!(values(&members[1]), last.buffers[0]);
    let found: Vec<Vec<u8>> = members[0].members().iter().map(values).collect();
    assert_eq!(found, [halves[0].buffers[0].clone(), halves[1].buffers[0].clone()]);
}
