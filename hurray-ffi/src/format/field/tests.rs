use super::*;
use crate::format::samples::{self, all, permissive};
use crate::format::{Descriptor, Status};

fn decode(bytes: &[u8]) -> Descriptor {
    Descriptor::decode(bytes, true).unwrap()
}

fn status(descriptor: &Descriptor, id: u32, level: u32, want: Kind) -> Status {
    get(descriptor, id, level, want).unwrap_err().status
}

#[test]
fn fields_of_the_strided_example() {
    let d = decode(&samples::strided());
    for (id, value) in [
        (0x0001_0300, Value::Is(&[-20, 6, 1])),
        (0x0008_0000, Value::U(1)),
        (0x0008_0001, Value::U(0)),
        (0x0008_0002, Value::U(0)),
        (0x0008_0003, Value::U(2)),
        (0x0008_0004, Value::U(3)),
        (0x0008_0005, Value::U(3)),
        (0x0008_0006, Value::Us(&[2, 3, 5])),
        (0x0008_0007, Value::U(40)),
        (0x0008_0008, Value::U(1)),
        (0x0008_0080, Value::U(93)),
        (0x0008_0081, Value::U(30)),
        (0x0007_0000, Value::U(80)),
        (0x0007_0001, Value::U(64)),
        (0x0007_0080, Value::U(1)),
    ] {
        assert_eq!(get(&d, id, 0, value.kind()).unwrap(), value, "{id:#010x}");
    }
}

#[test]
fn fields_of_the_quantized_example() {
    let d = decode(&samples::per_channel());
    for (id, value) in [
        (0x0002_0000, Value::U(2)),
        (0x0002_0001, Value::U(1)),
        (0x0002_0002, Value::U(0)),
        (0x0002_0200, Value::U(1)),
        (0x0002_0201, Value::U(1)),
        (0x0002_0202, Value::U(2)),
        (0x0002_0203, Value::U(3)),
        (0x0003_0000, Value::Us(&[16, 8])),
        (0x0003_0001, Value::Us(&[12, 0])),
        (0x0004_0000, Value::U(0x2F)),
        (0x0004_0001, Value::U(29)),
        (0x0004_0002, Value::F(0.09375)),
        (0x0004_0003, Value::F(-6.5)),
        (0x0004_0004, Value::F(12.0)),
        (0x0004_0005, Value::F(12.0)),
        (0x0004_0006, Value::F(0.5)),
        (0x0004_0007, Value::F(2.25)),
        (0x0004_000A, Value::U(0)),
        (0x0004_000B, Value::U(0)),
    ] {
        assert_eq!(get(&d, id, 0, value.kind()).unwrap(), value, "{id:#010x}");
    }
    // The N:M group is not computed.
    assert_eq!(status(&d, 0x0004_0008, 0, Kind::U), Status::FIELD_NOT_PRESENT);
    let roles: Vec<_> = (0..3).map(|level| get(&d, 0x0007_0080, level, Kind::U).unwrap()).collect();
    assert_eq!(roles, [Value::U(1), Value::U(8), Value::U(9)]);
}

#[test]
fn fields_of_the_other_layouts() {
    type Case<'a> = (Vec<u8>, &'a [(u32, u32, Value<'a>)]);
    let cases: [Case<'_>; 9] = [
        (
            samples::tiled().bytes(),
            &[
                (0x0001_0400, 0, Value::Us(&[4, 4])),
                (0x0001_0400, 1, Value::Us(&[2, 2])),
                (0x0001_0401, 1, Value::U(2)),
                (0x0001_0402, 0, Value::U(4)),
                (0x0001_0405, 0, Value::U(2)),
            ],
        ),
        (
            samples::tiled_strides().bytes(),
            &[(0x0001_0403, 0, Value::Is(&[1, 2])), (0x0001_0404, 1, Value::Is(&[1, 2]))],
        ),
        (samples::morton().bytes(), &[(0x0001_0500, 0, Value::Us32(&[3, 3, 3]))]),
        (samples::coo().bytes(), &[(0x0001_0600, 0, Value::U(3)), (0x0001_0601, 0, Value::U(1))]),
        (samples::csc().bytes(), &[(0x0001_0800, 0, Value::U(8))]),
        (
            samples::csf().bytes(),
            &[
                (0x0001_0900, 0, Value::U(9)),
                (0x0001_0901, 0, Value::Us32(&[2, 0, 1])),
                (0x0007_0080, 0, Value::U(1)),
                (0x0007_0080, 3, Value::U(4)),
                (0x0007_0081, 3, Value::U(1)),
                (0x0007_0080, 6, Value::U(5)),
                (0x0007_0081, 6, Value::U(2)),
            ],
        ),
        (
            samples::paged().bytes(),
            &[
                (0x0001_0A00, 0, Value::U(3)),
                (0x0001_0A01, 0, Value::U(5)),
                (0x0001_0A02, 0, Value::U(0)),
                (0x0001_0A03, 0, Value::U(2)),
                (0x0001_0A04, 0, Value::U(1)),
                (0x0001_0A05, 0, Value::U(7)),
                (0x0001_0A06, 0, Value::U(1)),
                (0x0007_0080, 1, Value::U(6)),
                (0x0007_0080, 2, Value::U(7)),
            ],
        ),
        (
            samples::overlay().bytes(),
            &[(0x0001_0B00, 0, Value::U(2)), (0x0001_0B01, 0, Value::U(2)), (0x0001_0B02, 0, Value::U(3))],
        ),
        (samples::hilbert().bytes(), &[(0x0001_4000, 0, Value::U(2)), (0x0001_4001, 0, Value::U(2))]),
    ];
    for (bytes, fields) in cases {
        let d = decode(&bytes);
        for &(id, level, value) in fields {
            assert_eq!(get(&d, id, level, value.kind()).unwrap(), value, "{id:#010x} level {level}");
        }
    }
}

#[test]
fn fields_of_schemes_and_sections() {
    type Case<'a> = (Vec<u8>, &'a [(u32, Value<'a>)]);
    let cases: [Case<'_>; 6] = [
        (samples::per_tensor().bytes(), &[(0x0002_0100, Value::F(0.25)), (0x0002_0101, Value::I(-3))]),
        (
            samples::per_block().bytes(),
            &[
                (0x0002_0300, Value::U(1)),
                (0x0002_0301, Value::U(4)),
                (0x0002_0302, Value::U(1)),
                (0x0002_0303, Value::U(1)),
                (0x0002_0304, Value::U(1)),
            ],
        ),
        (
            samples::nf4().bytes(),
            &[(0x0002_0400, Value::U(0)), (0x0002_0401, Value::U(8)), (0x0002_0402, Value::U(1))],
        ),
        (
            samples::mxfp().bytes(),
            &[(0x0002_0500, Value::U(1)), (0x0002_0501, Value::U(16)), (0x0002_0502, Value::U(1))],
        ),
        (
            samples::private_type().bytes(),
            &[
                (0x0005_0000, Value::U(16)),
                (0x0005_0001, Value::U(1)),
                (0x0005_0002, Value::U(0)),
                (0x0005_0003, Value::U(1)),
                (0x0005_0009, Value::U(0)),
            ],
        ),
        (samples::base().bytes(), &[(0x0006_0000, Value::U(1))]),
    ];
    for (bytes, fields) in cases {
        let d = decode(&bytes);
        for &(id, value) in fields {
            assert_eq!(get(&d, id, 0, value.kind()).unwrap(), value, "{id:#010x}");
        }
    }
    // Scales and zero points in one buffer count as scales.
    assert_eq!(get(&decode(&samples::per_block().bytes()), 0x0007_0080, 1, Kind::U).unwrap(), Value::U(8));
}

#[test]
fn opaque_parts() {
    let private = decode(&samples::private_layout().bytes());
    for tag in [0x0001_F000, 0x0001_F100, 0x0001_FE00] {
        assert_eq!(get(&private, tag, 0, Kind::U).unwrap(), Value::U(0x0123_4567_89AB_CDEF), "{tag:#010x}");
    }
    assert_eq!(get(&private, 0x0001_F001, 0, Kind::Bytes).unwrap(), Value::Bytes(&[1, 2, 3]));
    assert_eq!(get(&private, 0x0007_0080, 0, Kind::U).unwrap(), Value::U(0));
    let unknown = decode(&samples::unknown_layout().bytes());
    let data = Value::Bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(get(&unknown, 0x0001_0000, 0, Kind::Bytes).unwrap(), data);
    assert_eq!(get(&unknown, 0x0008_0007, 0, Kind::U).unwrap(), Value::U(16));
    let scheme = decode(&samples::unknown_scheme().bytes());
    assert_eq!(get(&scheme, 0x0002_0003, 0, Kind::Bytes).unwrap(), Value::Bytes(&[0xA1, 0xA2, 0xA3]));
    assert_eq!(get(&scheme, 0x0002_0000, 0, Kind::U).unwrap(), Value::U(6));
}

#[test]
fn the_first_condition_decides() {
    use Status as S;
    let tiled = samples::tiled().bytes();
    let per_channel = samples::per_channel();
    let unknown = samples::unknown_layout().bytes();
    let cases: &[(&[u8], u32, u32, Kind, S)] = &[
        // No such sub-object comes before all else.
        (&tiled, 0, 0, Kind::U, S::INVALID_ARGUMENT),
        (&tiled, 0x0009_0000, 9, Kind::U, S::INVALID_ARGUMENT),
        (&tiled, 0x0011_0400, 0, Kind::Us, S::INVALID_ARGUMENT),
        // An absent section comes before its tags, names, kinds and levels.
        (&tiled, 0x0002_0100, 0, Kind::F, S::FIELD_NOT_PRESENT),
        (&tiled, 0x0002_01FF, 7, Kind::Bytes, S::FIELD_NOT_PRESENT),
        (&unknown, 0x0003_0000, 0, Kind::Us, S::FIELD_NOT_PRESENT),
        // A hidden one as well.
        (&unknown, 0x0002_0000, 0, Kind::U, S::UNSUPPORTED),
        (&unknown, 0x0002_7F00, 1, Kind::Is, S::UNSUPPORTED),
        (&unknown, 0x0004_00FF, 0, Kind::U, S::UNSUPPORTED),
        (&unknown, 0x0007_0000, 0, Kind::U, S::UNSUPPORTED),
        (&unknown, 0x0008_0008, 0, Kind::U, S::UNSUPPORTED),
        // Another tag, whatever the rest of the identifier is.
        (&tiled, 0x0001_0300, 0, Kind::Is, S::FIELD_NOT_APPLICABLE),
        (&tiled, 0x0001_03FF, 9, Kind::U, S::FIELD_NOT_APPLICABLE),
        (&tiled, 0x0001_F000, 0, Kind::U, S::FIELD_NOT_APPLICABLE),
        (&tiled, 0x0001_0000, 0, Kind::Bytes, S::FIELD_NOT_APPLICABLE),
        (&per_channel, 0x0002_0003, 0, Kind::Bytes, S::FIELD_NOT_APPLICABLE),
        (&per_channel, 0x0002_0300, 0, Kind::U, S::FIELD_NOT_APPLICABLE),
        (&per_channel, 0x0003_0100, 0, Kind::Us, S::FIELD_NOT_APPLICABLE),
        // No such field, or another kind, comes before the level.
        (&tiled, 0x0001_0406, 9, Kind::U, S::INVALID_ARGUMENT),
        (&tiled, 0x0001_0001, 0, Kind::U, S::INVALID_ARGUMENT),
        (&tiled, 0x0001_0400, 9, Kind::U, S::INVALID_ARGUMENT),
        (&tiled, 0x0001_0405, 1, Kind::Us, S::INVALID_ARGUMENT),
        (&per_channel, 0x0002_0204, 0, Kind::U, S::INVALID_ARGUMENT),
        (&per_channel, 0x0004_0008, 0, Kind::F, S::INVALID_ARGUMENT),
        (&per_channel, 0x0004_000C, 0, Kind::U, S::INVALID_ARGUMENT),
        (&per_channel, 0x0007_0005, 9, Kind::U, S::INVALID_ARGUMENT),
        (&per_channel, 0x0007_0000, 9, Kind::Us, S::INVALID_ARGUMENT),
        (&per_channel, 0x0008_0009, 0, Kind::U, S::INVALID_ARGUMENT),
        // No such level comes before the absence of an optional field.
        (&tiled, 0x0001_0400, 2, Kind::Us, S::INDEX_OUT_OF_BOUNDS),
        (&tiled, 0x0001_0403, 2, Kind::Is, S::INDEX_OUT_OF_BOUNDS),
        (&tiled, 0x0001_0405, 1, Kind::U, S::INDEX_OUT_OF_BOUNDS),
        (&per_channel, 0x0007_0000, 3, Kind::U, S::INDEX_OUT_OF_BOUNDS),
        (&per_channel, 0x0004_0008, 1, Kind::U, S::INDEX_OUT_OF_BOUNDS),
        (&per_channel, 0x0008_0006, 1, Kind::Us, S::INDEX_OUT_OF_BOUNDS),
        // Optional fields that are not carried.
        (&tiled, 0x0001_0403, 0, Kind::Is, S::FIELD_NOT_PRESENT),
        (&tiled, 0x0001_0404, 1, Kind::Is, S::FIELD_NOT_PRESENT),
        (&per_channel, 0x0004_0009, 0, Kind::U, S::FIELD_NOT_PRESENT),
    ];
    for &(bytes, id, level, want, expected) in cases {
        assert_eq!(status(&decode(bytes), id, level, want), expected, "{id:#010x} level {level} {want:?}");
    }
    let paged = decode(&samples::paged_per_block().bytes());
    assert_eq!(status(&paged, 0x0001_0A05, 0, Kind::U), S::FIELD_NOT_PRESENT);
    assert_eq!(status(&paged, 0x0002_0303, 0, Kind::U), S::FIELD_NOT_PRESENT);
    let dynamic = decode(&samples::dynamic().bytes());
    assert_eq!(status(&dynamic, 0x0008_0081, 0, Kind::U), S::FIELD_NOT_PRESENT);
}

#[test]
fn faults_name_the_field() {
    let d = decode(&samples::tiled().bytes());
    let fault = get(&d, 0x0001_0400, 5, Kind::Us).unwrap_err();
    assert_eq!(fault.to_string(), "no such level: LAYOUT_FIELD_TILED_TILE_SHAPE = 5");
    let fault = get(&d, 0x0001_0405, 0, Kind::F).unwrap_err();
    assert_eq!(fault.to_string(), "field is of another kind: LAYOUT_FIELD_TILED_DEPTH");
}

#[test]
fn identifiers_ascend_and_have_names() {
    assert!(FIELDS.is_sorted_by(|a, b| a.id < b.id));
    assert_eq!(field(0x0004_000B).unwrap().name, "STATS_FIELD_HAS_INF");
    assert_eq!(field(0x0001_F501).unwrap().id, LAYOUT_FIELD_PRIVATE_DATA);
    assert!(field(0x0001_0100).is_none());
}

#[test]
fn words_of_the_strided_example() {
    let d = decode(&samples::strided());
    let mut words = Vec::new();
    write_words(&d, |word| words.push(word));
    assert_eq!(words.len(), words_len(&d));
    let (u, us, is) = (1 << 48, 4 << 48, 5 << 48);
    let minus_20 = 0xFFFF_FFFF_FFFF_FFEC;
    #[rustfmt::skip]
    let expected: &[u64] = &[
        is | 0x0001_0300, 3, minus_20, 6, 1,
        u | 0x0007_0000, 1, 80,
        u | 0x0007_0001, 1, 64,
        u | 0x0007_0002, 1, 0,
        u | 0x0007_0003, 1, 0,
        u | 0x0007_0004, 1, 0,
        u | 0x0007_0080, 1, 1,
        u | 0x0007_0081, 1, 0,
        u | 0x0008_0000, 1, 1,
        u | 0x0008_0001, 1, 0,
        u | 0x0008_0002, 1, 0,
        u | 0x0008_0003, 1, 2,
        u | 0x0008_0004, 1, 3,
        u | 0x0008_0005, 1, 3,
        us | 0x0008_0006, 3, 2, 3, 5,
        u | 0x0008_0007, 1, 40,
        u | 0x0008_0008, 1, 1,
        u | 0x0008_0080, 1, 93,
        u | 0x0008_0081, 1, 30,
    ];
    assert_eq!(words, expected);
}

#[test]
fn words_of_levels_and_bytes() {
    let find = |bytes: &[u8], head: u64, len: usize| {
        let d = decode(bytes);
        let mut words = Vec::new();
        write_words(&d, |word| words.push(word));
        let at = words.iter().position(|&word| word == head).unwrap();
        words[at + 1..at + 1 + len].to_vec()
    };
    assert_eq!(find(&samples::tiled().bytes(), 4 << 48 | 1 << 32 | 0x0001_0400, 3), [2, 2, 2]);
    assert_eq!(find(&samples::csf().bytes(), 1 << 48 | 6 << 32 | 0x0007_0000, 2), [1, 72]);
    let unknown = samples::unknown_layout().bytes();
    assert_eq!(find(&unknown, 6 << 48 | 0x0001_0000, 3), [10, 0x0807_0605_0403_0201, 0x0A09]);
    let scale = find(&samples::per_tensor().bytes(), 3 << 48 | 0x0002_0100, 2);
    assert_eq!(scale, [1, 0x3FD0_0000_0000_0000]);
    let zero_point = find(&samples::per_tensor().bytes(), 2 << 48 | 0x0002_0101, 2);
    assert_eq!(zero_point, [1, u64::MAX - 2]);
}

#[test]
fn bulk_form_ascends_and_agrees_with_reading() {
    for (name, bytes) in all().into_iter().chain(permissive()) {
        let d = decode(&bytes);
        let mut last = None;
        each(&d, &mut |id, level, value| {
            assert!(last < Some((id, level)), "{name}: {id:#010x} level {level}");
            last = Some((id, level));
            assert_eq!(get(&d, id, level, value.kind()).unwrap(), value, "{name}: {id:#010x}");
        });
        assert!(words_len(&d) <= 512, "{name}");
    }
}
