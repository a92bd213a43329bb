//! The example of the written format (file.md section 9), read and written.

use crate::compose::*;
use crate::door::*;
use hurray::abi::*;

/// The bytes as they stand there.
fn written() -> Vec<u8> {
    let mut b = vec![0; 4219];
    let mut set = |at: usize, hex: &str| {
        for (k, byte) in hex.split_whitespace().enumerate() {
            b[at + k] = u8::from_str_radix(byte, 16).unwrap();
        }
    };
    set(0x0000, "48 52 52 59 46 49 4C 45 01 00 00 00 04 00 00 00");
    set(0x0010, "00 10 00 00 40 00 00 00 00 00 00 00 FF FF FF FF FF FF FF FF");
    set(0x0040, "48 52 52 59 01 00 3D 00 00 00 00 00 00 00 03 01 02 00 00 00");
    set(0x0054, "02 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00");
    set(0x006C, "01 18 00 00 00 00 00 00 00 40 00 00 00");
    set(0x1000, "00 00 80 3F 00 00 00 40 00 00 40 40 00 00 80 40 00 00 A0 40 00 00 C0 40");
    set(0x1018, "01 00 00 00 01 00 6B 05 01");
    set(0x1028, "01 00 00 00 00 00 00 00 01 00 78");
    set(0x1033, "40 00 00 00 00 00 00 00 3D 00 00 00 00 10 00 00 00 00 00 00 18");
    set(0x1053, "28 10 00 00 00 00 00 00 2B 00 00 00 00 00 00 00 18 10 00 00 00 00 00 00");
    set(0x106B, "09 00 00 00 41 E5 29 8A 00 00 00 00 48 52 52 59");
    b
}

#[test]
fn composed_by_hand_it_is_the_same() {
    let composed = file(&[example("x")], Some(&kv(&[&pair("k", 5, &[1])]))).set(12, [4]);
    assert_eq!(composed.bytes, written());
}

#[test]
fn it_reads() {
    let reader = Reader::bytes(&written(), &[(HURRAY_OPTION_VERIFY, 1)]).unwrap();
    assert_eq!(reader.names(), ["x"]);
    assert_eq!((reader.find("x"), reader.find("y")), (Some(0), None));
    assert_eq!(reader.range(0), (0x1000, 24));
    assert_eq!(reader.descriptor(0).unwrap(), written()[0x40..0x7D]);
    let tensor = reader.tensor(0).unwrap();
    assert_eq!(tensor.buffers()[0].bytes(), f32s(&[1., 2., 3., 4., 5., 6.]));
    assert_eq!(reader.items().unwrap(), [0]);
    let (mut tag, mut is_array, mut count, mut value, mut len) = (0, 9, 0, 9, 1);
    unsafe {
        done(hurray_file_reader_kv_type(reader.0, 0, &mut tag, &mut is_array, &mut count)).unwrap();
        done(hurray_file_reader_kv_u64(reader.0, 0, &mut value, &mut len)).unwrap();
    }
    assert_eq!((tag, is_array, count, value, len), (HURRAY_KV_BOOL, 0, 1, 1, 1));
}

#[test]
fn it_is_written() {
    let writer = Writer::memory(&[(HURRAY_OPTION_KV_MODE, 3)]);
    writer.set_u64("k", HURRAY_KV_BOOL, 0, &[1]).unwrap();
    let x = Tensor::new(&written()[0x40..0x7D], &[&f32s(&[1., 2., 3., 4., 5., 6.])]);
    writer.put("x", &x.item()).unwrap();
    writer.finish().unwrap();
    assert_eq!(writer.take(), written());
}
