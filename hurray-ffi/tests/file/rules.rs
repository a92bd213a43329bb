//! F-001 to F-070, each broken and just kept.

use crate::compose::*;
use crate::door::*;
use hurray::abi::*;

/// Every rule is tested by opening with `VERIFY`, which runs them all.
fn verify(bytes: &[u8], permissive: u64) -> Result<Reader, Failure> {
    Reader::bytes(bytes, &[(HURRAY_OPTION_VERIFY, 1), (HURRAY_OPTION_PERMISSIVE, permissive)])
}

/// Strict and permissive reading refuse it alike, by the rule.
fn breaks(rule: &str, status: i32, files: impl IntoIterator<Item = File>) {
    for file in files {
        for permissive in [0, 1] {
            let failure = verify(&file.bytes, permissive).err().expect(rule);
            assert!(failure.text.starts_with(&format!("{rule}: ")), "{rule}: {failure:?}");
            assert_eq!(failure.status, status, "{failure:?}");
        }
    }
}

/// Strict reading refuses it, permissive reading does not.
fn breaks_strictly(rule: &str, status: i32, files: impl IntoIterator<Item = File>) {
    for file in files {
        let failure = verify(&file.bytes, 0).err().expect(rule);
        assert!(failure.text.starts_with(&format!("{rule}: ")), "{rule}: {failure:?}");
        assert_eq!(failure.status, status, "{failure:?}");
        verify(&file.bytes, 1).expect(rule);
    }
}

fn keeps(files: impl IntoIterator<Item = File>) {
    for (k, file) in files.into_iter().enumerate() {
        verify(&file.bytes, 0).unwrap_or_else(|failure| panic!("file {k}: {failure:?}"));
    }
}

fn one() -> File {
    file(&[example("x")], None)
}

fn two() -> File {
    file(&[example("x"), example("y")], None)
}

fn keyed(entries: &[&[u8]]) -> File {
    file(&[example("x")], Some(&kv(entries)))
}

/// A file whose key-value section is these bytes.
fn section(bytes: &[u8]) -> File {
    file(&[example("x")], Some(bytes))
}

fn cut(mut file: File, size: usize) -> File {
    file.bytes.truncate(size);
    file
}

const CORRUPT: i32 = HURRAY_ERR_CORRUPT;
const TRUNCATED: i32 = HURRAY_ERR_TRUNCATED;

/// An unflagged minor version 1: reserved bytes and trailing bytes mean something to somebody else.
fn minor_1(file: File) -> File {
    file.set(9, [1])
}

macro_rules! rules {
    ($($name:ident: $how:ident($($arg:expr),* $(,)?);)*) => {
        $(#[test] fn $name() { $how($($arg),*); })*
    };
}

rules! {
    f_001_breaks: breaks("F-001", TRUNCATED, [0, 1, 7, 8, 64, 103].map(|size| cut(one(), size)));
    f_001_keeps: keeps([file(&[], None)]);
    f_002_breaks: breaks("F-002", HURRAY_ERR_INVALID_MAGIC,
        (0..8).map(|k| one().set(k, [b'?'])).chain([cut(one().set(7, [0]), 8)]));
    f_002_keeps: keeps([one()]);
    f_003_breaks: breaks("F-003", HURRAY_ERR_VERSION_MISMATCH, [0, 2, 255].map(|major| one().set(8, [major])));
    f_003_keeps: keeps([one(), minor_1(one()), one().set(9, [255])]);
    f_004_breaks: breaks_strictly("F-004", CORRUPT, [10, 11].map(|at| one().set(at, [1])));
    f_004_keeps: keeps([minor_1(one().set(10, [1, 2]))]);
    f_005_breaks: breaks("F-005", CORRUPT, (3..32).map(|bit| one().set(12, (4u32 | 1 << bit).to_le_bytes())));
    f_005_keeps: keeps([one().set(12, [6]), keyed(&[]).set(12, [7])]);
    f_006_breaks: breaks("F-006", CORRUPT, [0u32, 1, 2048, 4095, 4097, 6144, 4 << 20, 1 << 31, u32::MAX]
        .map(|alignment| one().set(16, alignment.to_le_bytes())));
    f_006_keeps: keeps([one(), file(&[], None).set(16, (2u32 << 20).to_le_bytes())]);
    f_007_breaks: breaks("F-007", CORRUPT, [0u64, 56, 63, 65, 68, u64::MAX]
        .map(|first| one().set(20, first.to_le_bytes())));
    f_007_keeps: keeps([one(), file(&[], None).set(20, 72u64.to_le_bytes())]);
    f_008_breaks: breaks_strictly("F-008", LENGTH, [file(&[moved_example()], None).set(20, 64u64.to_le_bytes())]
        .map(|file| shifted(file, 72)));
    f_008_keeps: keeps([shifted(one(), 72).set(20, 72u64.to_le_bytes())]);
    f_009_breaks: breaks_strictly("F-009", CORRUPT, [36, 50, 63].map(|at| one().set(at, [1])));
    f_009_keeps: keeps([minor_1(one().set(36, [1; 28])), one().set(28, 1u64.to_le_bytes())]);
    f_011_breaks: breaks("F-011", HURRAY_ERR_INVALID_MAGIC, (0..4).map(|k| one().set_trailer(36 + k, [0]))
        .chain([cut(one(), 4000), longer(one())]));
    f_011_keeps: keeps([one()]);
    f_012_breaks: breaks_strictly("F-012", CORRUPT, [32, 35].map(|at| one().set_trailer(at, [1])));
    f_012_keeps: keeps([minor_1(one().set_trailer(32, [1; 4]))]);
    f_013_breaks: breaks("F-013", CORRUPT, [
        one().set_trailer(0, u64::MAX.to_le_bytes()),
        one().set_trailer(0, (u64::MAX - 7).to_le_bytes()),
        one().set_trailer(8, u64::MAX.to_le_bytes()),
        one().set_trailer(8, ((one().trailer - one().index) as u64 + 1).to_le_bytes()),
    ]);
    f_013_keeps: keeps([one()]);
    f_014_breaks: breaks("F-014", CORRUPT, [0u64, 8, 56].map(|at| one().set_trailer(0, at.to_le_bytes())));
    f_014_keeps: keeps([file(&[], None)]);
    f_015_breaks: breaks("F-015", CORRUPT, [65u64, 100].map(|at| one().set_trailer(0, at.to_le_bytes())));
    f_015_keeps: keeps([one()]);
    f_016_breaks: breaks("F-016", TRUNCATED, [0u64, 7].map(|n| one().set_trailer(8, n.to_le_bytes())));
    f_016_keeps: keeps([file(&[], None)]);
    f_017_breaks: breaks("F-017", CORRUPT, [one().set_trailer(28, [0; 4]), {
        let file = one();
        let at = file.trailer - 1;
        file.set(at, [1])
    }]);
    f_017_keeps: keeps([one()]);
    f_018_breaks: breaks("F-018", CORRUPT, [one().set(12, [0])]);
    f_018_keeps: keeps([one().set(12, [0]).set_trailer(28, [0; 4])]);
    f_019_breaks: breaks("F-019", CORRUPT, [
        keyed(&[]).set_trailer(16, [0; 8]),
        keyed(&[]).set_trailer(24, [0; 4]),
        one().set_trailer(24, [4]),
    ]);
    f_019_keeps: keeps([one(), keyed(&[])]);
    f_020_breaks: breaks_strictly("F-020", CORRUPT, [one().set(12, [5])]);
    f_020_keeps: keeps([keyed(&[]), keyed(&[]).set(12, [4])]);
    f_021_breaks: breaks("F-021", CORRUPT, [keyed(&[]).set_trailer(16, (keyed(&[]).kv as u64 + 4).to_le_bytes())]);
    f_021_keeps: keeps([keyed(&[])]);
    f_022_breaks: breaks("F-022", CORRUPT, [
        keyed(&[]).set_trailer(16, 8u64.to_le_bytes()),
        keyed(&[]).set_trailer(16, (u64::MAX - 7).to_le_bytes()),
        keyed(&[]).set_trailer(24, u32::MAX.to_le_bytes()),
    ]);
    f_022_keeps: keeps([keyed(&[])]);
    f_023_breaks: breaks("F-023", CORRUPT, [
        keyed(&[]).set_trailer(16, (keyed(&[]).index as u64).to_le_bytes()),
        keyed(&[]).set_trailer(24, 9u32.to_le_bytes()),
    ]);
    f_023_keeps: keeps([section(&[&kv(&[&pair("k", 5, &[1])])[..]].concat())]);
    f_030_breaks: breaks("F-030", CORRUPT, [2u64, 1 << 32, 1 << 60, u64::MAX].map(|n| {
        let at = one().index;
        one().set(at, n.to_le_bytes()).sealed()
    }));
    f_030_keeps: keeps([file(&[], None), one()]);
    f_031_breaks: breaks("F-031", TRUNCATED, [{
        // A name that is longer than what is left.
        let file = one();
        let at = file.entries[0];
        file.set(at, 500u16.to_le_bytes()).sealed()
    }, {
        // Room for the least entry, not for this one.
        let file = file(&[example("xyz")], None);
        let index = file.bytes[file.index..file.trailer - 1].to_vec();
        file.with_index(&index)
    }]);
    f_031_keeps: keeps([one()]);
    f_032_breaks: breaks("F-032", CORRUPT, [{
        let file = one();
        let at = file.entries[0];
        file.set(at, [0, 0]).sealed()
    }]);
    f_032_keeps: keeps([one()]);
    f_033_breaks: breaks("F-033", CORRUPT, [&b"\xFF"[..], b"\xC0\x80", b"\xED\xA0\x80"].map(|name| {
        file(&[Part { name: name.to_vec(), ..example("") }], None)
    }));
    f_033_keeps: keeps([file(&["\0", "/", "e\u{301}", "\u{e9}", "\u{10FFFF}"].map(example), None)]);
    f_034_breaks: breaks("F-034", HURRAY_ERR_DUPLICATE, [
        file(&["w", "w"].map(example), None),
        file(&["w", "v", "w"].map(example), None),
        file(&["w", "w"].map(example), None).set(12, [6]),
    ]);
    f_034_keeps: keeps([file(&["w", "W"].map(example), None)]);
    f_035_breaks: breaks_strictly("F-035", CORRUPT, [one().set_entry(0, field::FLAGS, [0, 0, 0, 128])]);
    f_035_keeps: keeps([one()]);
    f_036_breaks: breaks_strictly("F-036", CORRUPT, [with_tail(one())]);
    f_036_keeps: keeps([minor_1(with_tail(one()))]);
    f_037_breaks: breaks_strictly("F-037", CORRUPT, [file(&["b", "a"].map(example), None).set(12, [6])]);
    f_037_keeps: keeps([
        file(&["Z", "a", "ab", "b", "\u{e9}"].map(example), None).set(12, [6]),
        file(&["b", "a"].map(example), None),
    ]);
    f_040_breaks: breaks("F-040", CORRUPT, [one().set_entry(0, field::DESCRIPTOR_OFFSET, 68u64.to_le_bytes())]);
    f_040_keeps: keeps([two()]);
    f_041_breaks: breaks("F-041", CORRUPT, [
        one().set_entry(0, field::DESCRIPTOR_OFFSET, 56u64.to_le_bytes()),
        one().set_entry(0, field::DESCRIPTOR_LENGTH, u32::MAX.to_le_bytes()),
        two().set_entry(1, field::DESCRIPTOR_OFFSET, (u64::MAX - 7).to_le_bytes()),
        two().set_entry(1, field::DESCRIPTOR_OFFSET, (two().index as u64 - 56).to_le_bytes()),
        // The key-value section comes before the index, and ends the tensors' part.
        keyed(&[]).set_entry(0, field::DESCRIPTOR_LENGTH, ((keyed(&[]).kv - 63) as u32).to_le_bytes()),
    ]);
    f_041_keeps: keeps([file(&[tensor("h", head(3, 3, &[1], 0), &[])], None)]);
    f_042_breaks: breaks("F-042", CORRUPT, [0u32, 19].map(|n| one().set_entry(0, field::DESCRIPTOR_LENGTH, n.to_le_bytes())));
    f_042_keeps: keeps([one()]);
    f_043_breaks: breaks("F-043", CORRUPT, [20u32, 60, 62].map(|n| one().set_entry(0, field::DESCRIPTOR_LENGTH, n.to_le_bytes())));
    f_043_keeps: keeps([one()]);
    f_044_breaks: breaks("V-003", HURRAY_ERR_VERSION_MISMATCH, [one().set(68, [2])]);
    f_044_breaks_magic: breaks("F-044", HURRAY_ERR_INVALID_MAGIC, [one().set(64, [b'?'])]);
    f_044_breaks_colocation: breaks("V-091", HURRAY_ERR_BUFFER_MISMATCH, [file(&[pair_of_devices()], None)]);
    f_044_keeps: keeps([one()]);
    f_045_breaks: breaks("F-045", CORRUPT, [one().set_entry(0, field::DATA_OFFSET, 2048u64.to_le_bytes())]);
    f_045_keeps: keeps([one(), file(&[tensor("h", head(3, 3, &[1], 0), &[])], None)]);
    f_046_breaks: breaks("F-046", CORRUPT, [
        one().set_entry(0, field::DATA_LENGTH, 1000u64.to_le_bytes()),
        one().set_entry(0, field::DATA_LENGTH, u64::MAX.to_le_bytes()),
        one().set_entry(0, field::DATA_OFFSET, (u64::MAX - 4095).to_le_bytes()),
        one().set_entry(0, field::DATA_OFFSET, (1u64 << 40).to_le_bytes()),
    ]);
    f_046_keeps: keeps([one()]);
    f_047_breaks: breaks("F-047", CORRUPT, [
        one().set_entry(0, field::DATA_LENGTH, 23u64.to_le_bytes()),
        one().set_entry(0, field::DATA_LENGTH, 0u64.to_le_bytes()),
        one().set(109, (1u64 << 63).to_le_bytes()),
    ]);
    f_047_keeps: keeps([one(), file(&[coo()], None)]);
    f_048_breaks: breaks("F-048", CORRUPT, [
        two().set_entry(1, field::DATA_OFFSET, 4096u64.to_le_bytes()),
        two().set_entry(1, field::DESCRIPTOR_OFFSET, 64u64.to_le_bytes()),
        // One tensor's data over the other's descriptor.
        two().set_entry(0, field::DATA_LENGTH, 40u64.to_le_bytes()),
    ]);
    f_048_keeps: keeps([two()]);
    f_049_breaks: breaks("F-049", CORRUPT, [one().set(125, [1]), one().set(4095, [1]), two().set(4120 + 61, [1])]);
    f_049_keeps: keeps([one()]);
    f_050_breaks: breaks("F-050", CORRUPT, [
        file(&[tensor("h", head(3, 3, &[1], 0), &[]), example("x")], None)
            .set_entry(0, field::DATA_OFFSET, 4128u64.to_le_bytes())
            .set_entry(0, field::DATA_LENGTH, 0u64.to_le_bytes()),
    ].map(|file| {
        let (descriptor, _) = file.tensors[1];
        let free = (descriptor + 61).next_multiple_of(8) as u64;
        file.set_entry(0, field::DATA_OFFSET, free.to_le_bytes()).set_entry(0, field::DATA_LENGTH, 8u64.to_le_bytes())
    }));
    f_050_keeps: keeps([file(&[tensor("h", head(3, 3, &[1], 0), &[])], None)
        .set_entry(0, field::DATA_OFFSET, u64::MAX.to_le_bytes())]);
    f_051_breaks: breaks("F-051", HURRAY_ERR_TORN, [
        file(&[tensor("h", head(3, 3, &[1], 2), &[]), example("x")], None),
        file(&[tensor("h", head(3, 3, &[1], 1), &[])], None),
    ]);
    f_051_keeps: keeps([file(&[tensor("h", head(3, 3, &[1], 1), &[]), example("x")], None)]);
    f_052_breaks: breaks("F-052", HURRAY_ERR_LIMIT_EXCEEDED, [nested(9)]);
    f_052_keeps: keeps([nested(8)]);
    f_053_breaks: breaks("V-166", HURRAY_ERR_INVALID_LAYOUT, [partition(&[(0, 3)])]);
    f_053_breaks_overlap: breaks("V-166", HURRAY_ERR_INVALID_LAYOUT, [partition(&[(0, 3), (2, 1)])]);
    f_053_keeps: keeps([partition(&[(0, 3), (3, 1)]), partition(&[(0, 4)])]);
    f_060_breaks: breaks("F-060", CORRUPT, [1u32, 1 << 20, u32::MAX].map(|n| section(&n.to_le_bytes())));
    f_060_keeps: keeps([keyed(&[]), keyed(&[&pair("k", 5, &[1])])]);
    f_061_breaks: breaks("F-061", TRUNCATED, [
        section(&[0, 0, 0]),
        section(&kv(&[&[9, 0, b'k', 5, 1]])),
        section(&kv(&[&pair("k", 2, &[0; 7])])),
        section(&kv(&[&pair("k", 1, &[9, 0, 0, 0, b'a'])])),
        section(&kv(&[&pair("k", 6, &u32::MAX.to_le_bytes())])),
    ]);
    f_061_keeps: keeps([section(&kv(&[&pair("k", 1, &[1, 0, 0, 0, b'a'])]))]);
    f_062_breaks: breaks("F-062", CORRUPT, [keyed(&[&pair("", 5, &[1, 0])])]);
    f_062_keeps: keeps([keyed(&[&pair("\0", 5, &[1])])]);
    f_063_breaks: breaks("F-063", CORRUPT, [keyed(&[&[1, 0, 0xFF, 5, 1]])]);
    f_063_keeps: keeps([keyed(&[&pair("\u{e9}", 5, &[1])])]);
    f_064_breaks: breaks("F-064", HURRAY_ERR_DUPLICATE, [keyed(&[&pair("k", 5, &[1]), &pair("k", 2, &[0; 8])])]);
    f_064_keeps: keeps([keyed(&[&pair("k", 5, &[1]), &pair("K", 5, &[1])])]);
    f_065_breaks: breaks("F-065", CORRUPT, [0, 8, 0xEF, 0xF0, 0xFE, 0xFF].map(|tag| keyed(&[&pair("k", tag, &[0; 9])])));
    f_065_keeps: keeps([keyed(&[
        &pair("a", 1, &[0; 4]), &pair("b", 2, &[1; 8]), &pair("c", 3, &[255; 8]), &pair("d", 4, &[255; 8]),
        &pair("e", 5, &[0]), &pair("f", 6, &[1, 0, 0, 0, 255]), &pair("g", 7, &[1, 0, 0, 0, 0]),
    ])]);
    f_066_breaks: breaks("F-066", CORRUPT, [keyed(&[&pair("k", 5, &[2])]), keyed(&[&pair("k", 7, &[5, 1, 0, 0, 0, 255])])]);
    f_066_keeps: keeps([keyed(&[&pair("k", 7, &[5, 2, 0, 0, 0, 0, 1])])]);
    f_067_breaks: breaks("F-067", CORRUPT, [keyed(&[&pair("k", 1, &[1, 0, 0, 0, 0xFF])])]);
    f_067_keeps: keeps([keyed(&[&pair("k", 6, &[1, 0, 0, 0, 0xFF])])]);
    f_068_breaks: breaks("F-068", CORRUPT, [0, 7, 8, 255].map(|tag| keyed(&[&pair("k", 7, &[tag, 0, 0, 0, 0])])));
    f_068_keeps: keeps((1..7).map(|tag| keyed(&[&pair("k", 7, &[tag, 0, 0, 0, 0])])));
    f_069_breaks: breaks("F-069", CORRUPT, (1..7).map(|tag| keyed(&[&pair("k", 7, &[tag, 255, 255, 255, 255, 0, 0, 0])]))
        .chain([keyed(&[&pair("k", 7, &[3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])])]));
    f_069_keeps: keeps([keyed(&[&pair("k", 7, &[3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])])]);
    f_070_breaks: breaks_strictly("F-070", CORRUPT, [section(&[&kv(&[&pair("k", 5, &[1])])[..], &[0]].concat())]);
    f_070_keeps: keeps([minor_1(section(&[&kv(&[&pair("k", 5, &[1])])[..], &[9]].concat()))]);
}

const LENGTH: i32 = HURRAY_ERR_CORRUPT;

fn moved_example() -> Part {
    example("x")
}

/// Moves the one descriptor of a file to another place before its data.
fn shifted(file: File, to: usize) -> File {
    let descriptor = file.bytes[64..125].to_vec();
    let file = file.set(64, vec![0; 61]).set(to, descriptor);
    file.set_entry(0, field::DESCRIPTOR_OFFSET, (to as u64).to_le_bytes())
}

fn longer(mut file: File) -> File {
    file.bytes.push(0);
    file
}

/// One byte more in the index than its entries take.
fn with_tail(file: File) -> File {
    let index = [&file.bytes[file.index..file.trailer], &[0]].concat();
    file.with_index(&index)
}

fn coo() -> Part {
    let mut payload = 2u64.to_le_bytes().to_vec();
    payload.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    let d = descriptor(3, 6, &[4, 5], &payload, &[8, 32]);
    let indices: Vec<u8> = [0u64, 1, 2, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
    tensor("coo", d, &[&f32s(&[1., 2.]), &indices])
}

/// A sparse tensor whose second buffer says that it is on another device.
fn pair_of_devices() -> Part {
    let mut part = coo();
    let at = part.descriptor.len() - 4;
    part.descriptor[at] = 1;
    part
}

/// Heads inside heads, with a tensor in the innermost.
fn nested(levels: usize) -> File {
    let mut parts: Vec<Part> =
        (0..levels).map(|k| tensor(&format!("h{k}"), head(3, 3, &[1], 1), &[])).collect();
    parts.push(example("x"));
    file(&parts, None)
}

/// A partition of a vector of four, its members given as offset and length.
fn partition(boxes: &[(u64, u64)]) -> File {
    let mut parts = vec![tensor("h", head(1, 3, &[4], boxes.len() as u32), &[])];
    for (k, &(offset, n)) in boxes.iter().enumerate() {
        let values = vec![0; 4 * n as usize];
        parts.push(tensor(&format!("h.{k}"), shard(&[n], &[4], &[offset], values.len()), &[&values]));
    }
    file(&parts, None)
}

#[test]
fn limits_are_refused_before_anything_is_read() {
    let limit = |option, value| {
        let failure = Reader::bytes(&keyed(&[]).bytes, &[(option, value), (HURRAY_OPTION_VERIFY, 1)]);
        assert_eq!(failure.err().unwrap().status, HURRAY_ERR_LIMIT_EXCEEDED, "option {option}");
    };
    limit(HURRAY_OPTION_MAX_INDEX_BYTES, 42);
    limit(HURRAY_OPTION_MAX_KV_BYTES, 3);
    limit(HURRAY_OPTION_MAX_DESCRIPTOR_BYTES, 60);
    limit(HURRAY_OPTION_MAX_BUFFER_BYTES, 23);
    limit(HURRAY_OPTION_MAX_TOTAL_BYTES, 23);
    let just = [
        (HURRAY_OPTION_MAX_INDEX_BYTES, 43),
        (HURRAY_OPTION_MAX_KV_BYTES, 4),
        (HURRAY_OPTION_MAX_DESCRIPTOR_BYTES, 61),
        (HURRAY_OPTION_MAX_BUFFER_BYTES, 24),
        (HURRAY_OPTION_MAX_TOTAL_BYTES, 24),
    ];
    Reader::bytes(&keyed(&[]).bytes, &just).unwrap().tensor(0).unwrap();
}

#[test]
fn the_total_of_an_item_counts_all_members() {
    // Two tensors of 8 bytes each.
    let bytes = partition(&[(0, 2), (2, 2)]).bytes;
    let item =
        |total| Reader::bytes(&bytes, &[(HURRAY_OPTION_MAX_TOTAL_BYTES, total)]).unwrap().item(0).map(|_| ());
    assert_eq!(item(15).unwrap_err().status, HURRAY_ERR_LIMIT_EXCEEDED);
    item(16).unwrap();
    Reader::bytes(&bytes, &[(HURRAY_OPTION_MAX_TOTAL_BYTES, 8)]).unwrap().tensor(1).unwrap();
}
