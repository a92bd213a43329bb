use super::*;
use crate::format::samples::{self, all, permissive};
use crate::format::{Layout, Number, Scheme};

const U: u64 = 1 << 48;
const US: u64 = 4 << 48;

fn words_of(bytes: &[u8]) -> Vec<u64> {
    let descriptor = Descriptor::decode(bytes, true).unwrap();
    let mut words = Vec::new();
    write_words(&descriptor, |word| words.push(word));
    words
}

fn bytes_of(descriptor: &Descriptor) -> Vec<u8> {
    let mut bytes = vec![0; descriptor.encoded_len()];
    descriptor.encode_into(&mut bytes);
    bytes
}

/// A draft with the fields that take one number.
fn draft(element_type: u8, layout: u8, shape: &[u64], fields: &[(u32, u64)]) -> Draft {
    let mut draft = Draft::new(element_type, layout, shape).unwrap();
    for &(id, value) in fields {
        draft.set(id, 0, Value::U(value)).unwrap();
    }
    draft
}

/// A row-major float32 tensor of `[2, 3]` with its one buffer.
fn dense() -> Draft {
    let mut draft = Draft::new(0x03, 0x01, &[2, 3]).unwrap();
    draft.push_buffer(BufferEntry { byte_size: 24, ..EMPTY }).unwrap();
    draft
}

fn refusal_of(result: Result<impl Sized, Fault>) -> (Status, &'static str) {
    let fault = result.err().unwrap();
    assert_eq!(fault.place, Place::None);
    (fault.status, fault.field)
}

#[test]
fn words_rebuild_to_the_same_bytes() {
    for (name, bytes) in all().into_iter().chain(permissive()) {
        let descriptor =
            Draft::from_words(&words_of(&bytes)).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(bytes_of(&descriptor), bytes, "{name}");
    }
}

#[test]
fn words_come_in_any_order() {
    for (name, bytes) in all().into_iter().chain(permissive()) {
        let words = words_of(&bytes);
        let mut fields: Vec<&[u64]> = Vec::new();
        let mut rest = &words[..];
        while let [head, count, ..] = *rest {
            let len = 2 + if head >> 48 == 6 { count.div_ceil(8) } else { count } as usize;
            fields.push(&rest[..len]);
            rest = &rest[len..];
        }
        fields.reverse();
        let descriptor =
            Draft::from_words(&fields.concat()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(bytes_of(&descriptor), bytes, "{name}");
    }
}

#[test]
fn fields_rebuild_one_by_one_to_the_same_bytes() {
    for (name, bytes) in all().into_iter().chain(permissive()) {
        let source = Descriptor::decode(&bytes, true).unwrap();
        let mut draft = Draft::new(source.element_type, source.layout.tag(), &source.shape).unwrap();
        each(&source, &mut |id, level, value| {
            draft.set(id, level, value).unwrap_or_else(|fault| panic!("{name}: {id:#010x}: {fault}"));
        });
        let descriptor = draft.finish().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(bytes_of(&descriptor), bytes, "{name}");
        // The draft stays usable.
        assert_eq!(bytes_of(&draft.finish().unwrap()), bytes, "{name}");
    }
}

#[test]
fn builds_the_strided_example() {
    let mut draft = Draft::new(0x02, 0x03, &[2, 3, 5]).unwrap();
    draft.set(LAYOUT_FIELD_STRIDED_STRIDES, 0, Value::Is(&[-20, 6, 1])).unwrap();
    draft.set(HEADER_FIELD_BYTE_OFFSET, 0, Value::U(40)).unwrap();
    draft.push_buffer(BufferEntry { byte_size: 80, ..EMPTY }).unwrap();
    assert_eq!(bytes_of(&draft.finish().unwrap()), samples::strided());
    assert!(!draft.finish().unwrap().permissive);
}

#[test]
fn builds_the_quantized_example() {
    let mut draft = Draft::new(0x10, 0x01, &[4, 8]).unwrap();
    draft.push_buffer(BufferEntry { byte_size: 32, alignment: 128, ..EMPTY }).unwrap();
    draft.push_buffer(BufferEntry { byte_size: 32, ..EMPTY }).unwrap();
    draft.push_buffer(BufferEntry { byte_size: 32, ..EMPTY }).unwrap();
    for (id, value) in [
        (QUANT_FIELD_SCHEME, Value::U(2)),
        (QUANT_FIELD_PER_CHANNEL_AXIS, Value::U(1)),
        (QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, Value::U(1)),
        (QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, Value::U(2)),
        (QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, Value::U(3)),
        (SHARD_FIELD_PARENT_SHAPE, Value::Us(&[16, 8])),
        (SHARD_FIELD_OFFSET, Value::Us(&[12, 0])),
        (STATS_FIELD_NNZ, Value::U(29)),
        (STATS_FIELD_SPARSITY_RATIO, Value::F(0.09375)),
        (STATS_FIELD_MIN, Value::F(-6.5)),
        (STATS_FIELD_MAX, Value::F(12.0)),
        (STATS_FIELD_ABS_MAX, Value::F(12.0)),
        (STATS_FIELD_MEAN, Value::F(0.5)),
        (STATS_FIELD_STDDEV, Value::F(2.25)),
        (STATS_FIELD_HAS_NAN, Value::U(0)),
        (STATS_FIELD_HAS_INF, Value::U(0)),
    ] {
        draft.set(id, 0, value).unwrap();
    }
    assert_eq!(bytes_of(&draft.finish().unwrap()), samples::per_channel());
}

#[test]
fn default_buffers_are_the_least_that_layout_and_scheme_imply() {
    let sizes = |draft: &Draft| draft.buffers.iter().map(|entry| entry.byte_size).collect::<Vec<_>>();
    let filled = |mut draft: Draft| {
        draft.push_default_buffers().unwrap();
        assert!(draft.buffers.iter().all(|entry| entry.alignment == 64), "{draft:?}");
        draft.finish().unwrap();
        sizes(&draft)
    };
    // A dense tensor behind a byte offset.
    assert_eq!(filled(draft(0x03, 0x01, &[2, 3], &[(HEADER_FIELD_BYTE_OFFSET, 16)])), [40]);
    // COO of three int4 values; CSR of four rows and no column.
    assert_eq!(
        filled(draft(0x48, 0x06, &[3, 2, 4], &[(LAYOUT_FIELD_COO_NNZ, 3), (LAYOUT_FIELD_COO_IS_SORTED, 1)])),
        [2, 72]
    );
    assert_eq!(filled(draft(0x03, 0x07, &[4, 0], &[(LAYOUT_FIELD_CSR_NNZ, 0)])), [0, 0, 40]);
    let channels = |flags: &[(u32, u64)]| {
        let fields = [
            (QUANT_FIELD_SCHEME, 2),
            (QUANT_FIELD_PER_CHANNEL_AXIS, 1),
            (QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, 3),
        ];
        draft(0x10, 0x01, &[4, 8], &[&fields, flags].concat())
    };
    assert_eq!(filled(channels(&[])), [32, 32]);
    assert_eq!(filled(channels(&[(QUANT_FIELD_FLAGS, 0)])), [32, 32, 32]);
    // A partial last block is stored whole: 2 rows of 8 int4 codes.
    let blocks = [
        (QUANT_FIELD_SCHEME, 3),
        (QUANT_FIELD_PER_BLOCK_AXIS, 1),
        (QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, 4),
        (QUANT_FIELD_PER_BLOCK_SCALE_TYPE, 1),
    ];
    assert_eq!(filled(draft(0x48, 0x01, &[2, 6], &blocks)), [8, 8]);
    // Entries that are there stay, and say where the others are.
    let mut partly = channels(&[]);
    partly.push_buffer(BufferEntry { byte_size: 100, device_tag: 1, memory_class: 2, ..EMPTY }).unwrap();
    partly.push_default_buffers().unwrap();
    assert_eq!(sizes(&partly), [100, 32]);
    assert_eq!((partly.buffers[1].device_tag, partly.buffers[1].memory_class), (1, 2));
    partly.finish().unwrap();
    // A head has no buffers.
    let head = [
        (LAYOUT_FIELD_COMPOSITE_RULE, 3),
        (LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0),
        (LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 2),
    ];
    assert_eq!(filled(draft(0x03, 0x0B, &[u64::MAX], &head)), []);
}

#[test]
fn default_buffers_that_are_not_known() {
    let refused = |mut draft: Draft| {
        let found = refusal_of(draft.push_default_buffers());
        assert!(draft.buffers.is_empty());
        found
    };
    assert_eq!(refused(draft(0x03, 0x01, &[3, u64::MAX], &[])), (Status::INVALID_ARGUMENT, "shape"));
    assert_eq!(refused(draft(0x03, 0xF1, &[3], &[])).0, Status::UNSUPPORTED);
    assert_eq!(refused(draft(0x03, 0x0C, &[3], &[])).0, Status::UNSUPPORTED);
    assert_eq!(refused(draft(0x30, 0x01, &[3], &[])), (Status::INVALID_TYPE, "type_tag"));
    let csr = draft(0x03, 0x07, &[3, 3], &[]);
    assert_eq!(refused(csr), (Status::INVALID_LAYOUT, "LAYOUT_FIELD_CSR_NNZ"));
    assert_eq!(refused(draft(0x04, 0x01, &[1 << 62], &[])).0, Status::OVERFLOW);
    // A failure leaves the scheme's buffers unset.
    let mut quantized = draft(0x10, 0x01, &[4], &[(QUANT_FIELD_SCHEME, 4), (QUANT_FIELD_NF4_AXIS, 0)]);
    assert_eq!(
        refusal_of(quantized.push_default_buffers()),
        (Status::INVALID_DESCRIPTOR, "QUANT_FIELD_NF4_BLOCK_SIZE")
    );
    assert!(quantized.fields.get(QUANT_FIELD_NF4_SCALE_BUFFER, 0).is_none());
}

#[test]
fn setting_is_refused_in_the_order_of_the_conditions() {
    use Status as S;
    let [zero, many] = [Value::U(0), Value::U(1 << 40)];
    let mut unknown = Draft::new(0x10, 0x0C, &[2]).unwrap();
    for (id, level, value, expected) in [
        (0x0009_0000, 0, zero, S::INVALID_ARGUMENT),
        (0x0002_0000, 0, zero, S::UNSUPPORTED),
        (0x0007_00FF, 0, zero, S::UNSUPPORTED),
        (0x0008_0008, 0, zero, S::UNSUPPORTED),
        (0x0001_0300, 0, zero, S::FIELD_NOT_APPLICABLE),
        (0x0001_0C00, 0, zero, S::INVALID_ARGUMENT),
    ] {
        assert_eq!(refusal_of(unknown.set(id, level, value)).0, expected, "{id:#010x}");
    }
    assert_eq!(refusal_of(unknown.push_buffer(EMPTY)).0, S::UNSUPPORTED);
    let mut tiled = Draft::new(0x03, 0x04, &[2, 2]).unwrap();
    for (id, level, value, expected) in [
        (LAYOUT_FIELD_UNKNOWN_DATA, 0, Value::Bytes(&[]), S::FIELD_NOT_APPLICABLE),
        (LAYOUT_FIELD_STRIDED_STRIDES, 9, zero, S::FIELD_NOT_APPLICABLE),
        (0x0001_03FF, 0, zero, S::FIELD_NOT_APPLICABLE),
        // A scheme's field before the scheme.
        (QUANT_FIELD_PER_TENSOR_SCALE, 0, Value::F(1.0), S::FIELD_NOT_APPLICABLE),
        (0x0003_0100, 0, zero, S::FIELD_NOT_APPLICABLE),
        (0x0001_0406, 9, zero, S::INVALID_ARGUMENT),
        (LAYOUT_FIELD_TILED_TILE_SHAPE, 9, zero, S::INVALID_ARGUMENT),
        (LAYOUT_FIELD_TILED_OUTER_LAYOUT, 8, many, S::LIMIT_EXCEEDED),
        (LAYOUT_FIELD_TILED_DEPTH, 1, many, S::INDEX_OUT_OF_BOUNDS),
        (BUFFER_FIELD_BYTE_SIZE, 1, zero, S::INDEX_OUT_OF_BOUNDS),
        (BUFFER_FIELD_ALIGNMENT, 0, many, S::INDEX_OUT_OF_BOUNDS),
        (LAYOUT_FIELD_TILED_OUTER_LAYOUT, 0, Value::U(256), S::INVALID_ARGUMENT),
        (LAYOUT_FIELD_TILED_TILE_SHAPE, 0, Value::Us(&[2]), S::INVALID_ARGUMENT),
        (SHARD_FIELD_OFFSET, 0, Value::Us(&[0, 0, 0]), S::INVALID_ARGUMENT),
        (HEADER_FIELD_LAYOUT, 0, Value::U(1), S::INVALID_ARGUMENT),
        (HEADER_FIELD_SHAPE, 0, Value::Us(&[4]), S::INVALID_ARGUMENT),
        (HEADER_FIELD_ELEMENT_TYPE, 0, Value::U(0x103), S::INVALID_ARGUMENT),
    ] {
        assert_eq!(refusal_of(tiled.set(id, level, value)).0, expected, "{id:#010x} level {level}");
    }
    assert_eq!(Draft::new(3, 1, &[1; 65]).unwrap_err().status, S::LIMIT_EXCEEDED);
}

#[test]
fn values_that_the_wire_does_not_hold() {
    let mut draft = draft(0x10, 0x05, &[2, 2], &[(QUANT_FIELD_SCHEME, 1)]);
    for (id, value, text) in [
        (
            QUANT_FIELD_PER_TENSOR_SCALE,
            Value::F(0.1),
            "scale is not a float32: QUANT_FIELD_PER_TENSOR_SCALE = 0.1",
        ),
        (
            QUANT_FIELD_PER_TENSOR_ZERO_POINT,
            Value::I(1 << 31),
            "value too wide for its wire field: QUANT_FIELD_PER_TENSOR_ZERO_POINT = 2147483648",
        ),
        (
            LAYOUT_FIELD_MORTON_BITS,
            Value::Us(&[1, 1 << 32]),
            "value too wide for its wire field: LAYOUT_FIELD_MORTON_BITS[1] = 4294967296 (limit 4294967295)",
        ),
        (
            QUANT_FIELD_SCHEME,
            Value::U(256),
            "value too wide for its wire field: QUANT_FIELD_SCHEME = 256 (limit 255)",
        ),
        (
            LAYOUT_FIELD_MORTON_BITS,
            Value::Us(&[1, 1, 1]),
            "array length is not the rank: LAYOUT_FIELD_MORTON_BITS = 3 (limit 2)",
        ),
    ] {
        let fault = draft.set(id, 0, value).unwrap_err();
        assert_eq!((fault.status, fault.to_string().as_str()), (Status::INVALID_ARGUMENT, text));
    }
    for scale in [0.25, -1.5e-45_f32 as f64, f64::from(f32::MAX), f64::INFINITY, f64::NAN] {
        draft.set(QUANT_FIELD_PER_TENSOR_SCALE, 0, Value::F(scale)).unwrap();
    }
}

#[test]
fn missing_fields_are_named() {
    let mut tiled = Draft::new(0x03, 0x04, &[2, 2]).unwrap();
    tiled.set(LAYOUT_FIELD_TILED_TILE_SHAPE, 0, Value::Us(&[2, 2])).unwrap();
    tiled.set(LAYOUT_FIELD_TILED_OUTER_LAYOUT, 0, Value::U(1)).unwrap();
    assert_eq!(refusal_of(tiled.finish()), (Status::INVALID_LAYOUT, "LAYOUT_FIELD_TILED_INNER_LAYOUT"));
    tiled.set(LAYOUT_FIELD_TILED_INNER_LAYOUT, 0, Value::U(4)).unwrap();
    let fault = tiled.finish().unwrap_err();
    assert_eq!((fault.field, fault.index), ("LAYOUT_FIELD_TILED_TILE_SHAPE", Some(1)));
    tiled.set(LAYOUT_FIELD_TILED_INNER_LAYOUT, 0, Value::U(3)).unwrap();
    assert_eq!(refusal_of(tiled.finish()), (Status::INVALID_LAYOUT, "LAYOUT_FIELD_TILED_INNER_STRIDES"));

    let finish = |id, value| {
        let mut draft = dense();
        draft.set(id, 0, value).unwrap();
        refusal_of(draft.finish())
    };
    let invalid = |field| (Status::INVALID_DESCRIPTOR, field);
    assert_eq!(finish(SHARD_FIELD_OFFSET, Value::Us(&[0, 0])), invalid("SHARD_FIELD_PARENT_SHAPE"));
    assert_eq!(finish(QUANT_FIELD_FLAGS, Value::U(0)), invalid("QUANT_FIELD_SCHEME"));
    assert_eq!(finish(QUANT_FIELD_SCHEME, Value::U(1)), invalid("QUANT_FIELD_PER_TENSOR_SCALE"));
    assert_eq!(finish(EXT_TYPE_FIELD_HAS_INF, Value::U(0)), invalid("EXT_TYPE_FIELD_BIT_WIDTH"));
    // A group of statistics is set whole or not at all.
    assert_eq!(finish(STATS_FIELD_MAX, Value::F(1.0)), invalid("STATS_FIELD_MIN"));
    assert_eq!(finish(STATS_FIELD_NM_N, Value::U(1)), invalid("STATS_FIELD_NM_M"));
    assert_eq!(finish(STATS_FIELD_COMPUTED_MASK, Value::U(1)), invalid("STATS_FIELD_COMPUTED_MASK"));
}

#[test]
fn nine_levels_of_tiles() {
    let levels = |count: u32| {
        let mut draft = Draft::new(0x03, 0x04, &[4]).unwrap();
        for level in 0..count {
            draft.set(LAYOUT_FIELD_TILED_TILE_SHAPE, level, Value::Us(&[4])).unwrap();
            draft.set(LAYOUT_FIELD_TILED_OUTER_LAYOUT, level, Value::U(1)).unwrap();
            draft.set(LAYOUT_FIELD_TILED_INNER_LAYOUT, level, Value::U(4)).unwrap();
        }
        draft
    };
    let mut eight = levels(8);
    assert_eq!(eight.finish().unwrap_err().rule, "V-035");
    eight.set(LAYOUT_FIELD_TILED_INNER_LAYOUT, 7, Value::U(1)).unwrap();
    eight.push_default_buffers().unwrap();
    eight.set(LAYOUT_FIELD_TILED_DEPTH, 0, Value::U(8)).unwrap();
    eight.finish().unwrap();
}

#[test]
fn fields_without_effect_and_derived_ones_that_disagree() {
    let mut tiled = Draft::new(0x03, 0x04, &[2, 2]).unwrap();
    tiled.set(LAYOUT_FIELD_TILED_TILE_SHAPE, 0, Value::Us(&[2, 2])).unwrap();
    tiled.set(LAYOUT_FIELD_TILED_OUTER_LAYOUT, 0, Value::U(1)).unwrap();
    tiled.set(LAYOUT_FIELD_TILED_INNER_LAYOUT, 0, Value::U(1)).unwrap();
    tiled.push_default_buffers().unwrap();
    tiled.finish().unwrap();
    tiled.set(LAYOUT_FIELD_TILED_OUTER_STRIDES, 0, Value::Is(&[1, 1])).unwrap();
    let fault = tiled.finish().unwrap_err();
    assert_eq!(fault.status, Status::INVALID_ARGUMENT);
    assert_eq!(fault.to_string(), "field has no effect: LAYOUT_FIELD_TILED_OUTER_STRIDES[0]");

    for (id, level, agrees, disagrees) in [
        (HEADER_FIELD_VERSION_MAJOR, 0, 1, 2),
        (HEADER_FIELD_VERSION_MINOR, 0, 0, 1),
        (HEADER_FIELD_FLAGS, 0, 0, 1),
        (HEADER_FIELD_RANK, 0, 2, 3),
        (HEADER_FIELD_BUFFER_COUNT, 0, 1, 2),
        (HEADER_FIELD_ENCODED_LENGTH, 0, 61, 60),
        (HEADER_FIELD_ELEMENT_COUNT, 0, 6, 7),
        (BUFFER_FIELD_ROLE, 0, 1, 0),
        (BUFFER_FIELD_ROLE_LEVEL, 0, 0, 1),
    ] {
        let mut draft = dense();
        draft.set(id, level, Value::U(agrees)).unwrap();
        draft.finish().unwrap();
        draft.set(id, level, Value::U(disagrees)).unwrap();
        let fault = draft.finish().unwrap_err();
        assert_eq!((fault.status, fault.what), (Status::INVALID_ARGUMENT, "field disagrees with the others"));
        assert_eq!(fault.value, Number::Int(disagrees.into()));
    }
    let mut draft = dense();
    draft.set(BUFFER_FIELD_ROLE, 1, Value::U(8)).unwrap();
    assert_eq!(draft.finish().unwrap_err().what, "field has no effect");
}

#[test]
fn faults_of_the_whole_carry_no_offset() {
    let mut draft = dense();
    draft.set(BUFFER_FIELD_BYTE_SIZE, 0, Value::U(23)).unwrap();
    let fault = draft.finish().unwrap_err();
    assert_eq!((fault.status, fault.place), (Status::BUFFER_MISMATCH, Place::None));
    let mut draft = dense();
    draft.set(BUFFER_FIELD_ALIGNMENT, 0, Value::U(48)).unwrap();
    assert_eq!(refusal_of(draft.finish()).0, Status::INVALID_DESCRIPTOR);
}

#[test]
fn symmetry_follows_the_zero_points() {
    let fields = [
        (QUANT_FIELD_SCHEME, 3),
        (QUANT_FIELD_PER_BLOCK_AXIS, 0),
        (QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, 2),
        (QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, 1),
        (QUANT_FIELD_PER_BLOCK_SCALE_TYPE, 3),
        (QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, 1),
    ];
    let mut draft = draft(0x10, 0x01, &[4], &fields);
    draft.push_buffer(BufferEntry { byte_size: 4, ..EMPTY }).unwrap();
    draft.push_buffer(BufferEntry { byte_size: 16, ..EMPTY }).unwrap();
    assert_eq!(draft.finish().unwrap().quantization.unwrap().flags, 0);
    // The wire's value for none unsets the field.
    draft.set(QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, 0, Value::U(0xFFFF_FFFF)).unwrap();
    draft.set(BUFFER_FIELD_BYTE_SIZE, 1, Value::U(8)).unwrap();
    assert_eq!(draft.finish().unwrap().quantization.unwrap().flags, 1);
    draft.set(QUANT_FIELD_FLAGS, 0, Value::U(0)).unwrap();
    assert_eq!(draft.finish().unwrap_err().status, Status::INVALID_DESCRIPTOR);
}

#[test]
fn another_scheme_drops_the_fields_of_the_one_before() {
    let mut draft = draft(0x10, 0x01, &[4], &[(QUANT_FIELD_SCHEME, 2), (QUANT_FIELD_PER_CHANNEL_AXIS, 0)]);
    draft.set(QUANT_FIELD_SCHEME, 0, Value::U(1)).unwrap();
    draft.set(QUANT_FIELD_PER_TENSOR_SCALE, 0, Value::F(0.25)).unwrap();
    draft.set(QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, Value::I(-3)).unwrap();
    draft.push_default_buffers().unwrap();
    assert_eq!(bytes_of(&draft.finish().unwrap()), samples::per_tensor().bytes());
}

#[test]
fn the_element_type_and_the_extents_may_change() {
    let mut draft = Draft::new(0x03, 0x01, &[u64::MAX, 3]).unwrap();
    draft.set(HEADER_FIELD_SHAPE, 0, Value::Us(&[5, 3])).unwrap();
    draft.set(HEADER_FIELD_ELEMENT_TYPE, 0, Value::U(0x04)).unwrap();
    draft.push_default_buffers().unwrap();
    let descriptor = draft.finish().unwrap();
    assert_eq!(descriptor.element_count(), Some(15));
    assert_eq!(descriptor.buffers[0].byte_size, 120);
}

#[test]
fn opaque_parts_need_their_agreement() {
    let push = |mut draft: Draft| {
        draft.push_buffer(BufferEntry { byte_size: 8, ..EMPTY }).unwrap();
        draft
    };
    // Private layout.
    let mut private = push(Draft::new(0x10, 0xF1, &[2]).unwrap());
    assert_eq!(private.finish().unwrap_err().rule, "V-020");
    private.set(0x0001_F100, 0, Value::U(7)).unwrap();
    assert_eq!(refusal_of(private.finish()), (Status::INVALID_LAYOUT, "LAYOUT_FIELD_PRIVATE_DATA"));
    private.set(LAYOUT_FIELD_PRIVATE_DATA, 0, Value::Bytes(&[])).unwrap();
    let built = private.finish().unwrap();
    assert!(built.permissive);
    assert_eq!(built.layout, Layout::Private { tag: 0xF1, id: 7, data: vec![] });
    // One agreement does not cover another part.
    private.set(HEADER_FIELD_ELEMENT_TYPE, 0, Value::U(0x30)).unwrap();
    assert_eq!(private.finish().unwrap_err().status, Status::INVALID_TYPE);
    // Unknown layout.
    let mut unknown = Draft::new(0x10, 0x0C, &[2]).unwrap();
    assert_eq!(unknown.finish().unwrap_err().status, Status::INVALID_LAYOUT);
    unknown.set(LAYOUT_FIELD_UNKNOWN_DATA, 0, Value::Bytes(&[1])).unwrap();
    unknown.finish().unwrap();
    // Unknown scheme.
    let mut scheme = push(draft(0x10, 0x01, &[8], &[(QUANT_FIELD_SCHEME, 6)]));
    assert_eq!(scheme.finish().unwrap_err().status, Status::UNSUPPORTED);
    scheme.set(QUANT_FIELD_UNKNOWN_DATA, 0, Value::Bytes(&[1])).unwrap();
    let built = scheme.finish().unwrap().quantization.unwrap();
    assert!(matches!(built.scheme, Scheme::Unknown { tag: 6, data } if data == [1]));
    // Unknown element type.
    let mut kind = push(Draft::new(0x30, 0x01, &[2]).unwrap());
    assert_eq!(kind.finish().unwrap_err().status, Status::INVALID_TYPE);
    kind.set(HEADER_FIELD_ENCODED_LENGTH, 0, Value::U(53)).unwrap();
    kind.finish().unwrap();
    // Tags that are never valid are not, whatever is agreed to.
    let mut never = Draft::new(0x10, 0xFF, &[2]).unwrap();
    never.set(LAYOUT_FIELD_UNKNOWN_DATA, 0, Value::Bytes(&[])).unwrap();
    assert_eq!(never.finish().unwrap_err().status, Status::INVALID_LAYOUT);
}

#[test]
fn the_buffer_table_has_an_end() {
    let mut draft = Draft::new(0x10, 0xF1, &[2]).unwrap();
    for _ in 0..255 {
        draft.push_buffer(EMPTY).unwrap();
    }
    assert_eq!(draft.push_buffer(EMPTY).unwrap_err().status, Status::LIMIT_EXCEEDED);
    let id = BUFFER_FIELD_BYTE_SIZE;
    assert_eq!(draft.set(id, 255, Value::U(0)).unwrap_err().status, Status::LIMIT_EXCEEDED);
    assert_eq!(draft.set(id, 256, Value::U(0)).unwrap_err().status, Status::INDEX_OUT_OF_BOUNDS);
}

#[test]
fn words_that_are_refused() {
    let id = u64::from;
    let [kind, layout, shape] = [HEADER_FIELD_ELEMENT_TYPE, HEADER_FIELD_LAYOUT, HEADER_FIELD_SHAPE].map(id);
    let size = id(BUFFER_FIELD_BYTE_SIZE);
    let good = [U | kind, 1, 3, U | layout, 1, 1, US | shape, 1, 2, U | size, 1, 8];
    Draft::from_words(&good).unwrap();
    let refused = |words: &[u64]| {
        let fault = Draft::from_words(words).unwrap_err();
        (fault.status, fault.what)
    };
    let with = |more: &[u64]| refused(&[&good, more].concat());
    let invalid = |what| (Status::INVALID_ARGUMENT, what);
    assert_eq!(refused(&[]), (Status::INVALID_DESCRIPTOR, "field is missing"));
    assert_eq!(refused(&good[3..]), (Status::INVALID_DESCRIPTOR, "field is missing"));
    assert_eq!(refused(&good[..11]), invalid("words end inside a field"));
    assert_eq!(refused(&good[..10]), invalid("words end inside a field"));
    assert_eq!(with(&[US | shape, u64::MAX]), invalid("words end inside a field"));
    assert_eq!(with(&[6 << 48 | 0x0001_F001, u64::MAX, 0]), invalid("words end inside a field"));
    assert_eq!(with(&[7 << 48 | size, 1, 0]), invalid("word names no kind"));
    assert_eq!(with(&[1 << 63 | U | size, 1, 0]), invalid("word names no kind"));
    assert_eq!(with(&[U | size, 2, 0, 0]), invalid("count of a scalar is not 1"));
    assert_eq!(with(&[U | size, 1, 8]), invalid("field comes twice"));
    assert_eq!(with(&[U | 0x0001_F100, 1, 8, U | 0x0001_F000, 1, 8]), invalid("field comes twice"));
    assert_eq!(with(&[U | 0x0008_0009, 1, 0]), invalid("identifier names no field"));
    assert_eq!(with(&[U | 0x0009_0000, 1, 0]), invalid("identifier of no sub-object"));
    assert_eq!(with(&[U | 0x0001_0700, 1, 0]), invalid("field has no effect"));
    assert_eq!(with(&[U | 2 << 32 | size, 1, 0]), (Status::INDEX_OUT_OF_BOUNDS, "no such level"));
    assert_eq!(with(&[US | 0x0008_0005, 1, 1]), invalid("field is of another kind"));
    let wide = [U | kind, 1, 0x103];
    assert_eq!(refused(&[&wide, &good[3..]].concat()), invalid("value too wide for its wire field"));
    let private =
        [U | kind, 1, 0x10, U | layout, 1, 0xF1, US | shape, 1, 2, U | size, 1, 8, U | 0x0001_F000, 1, 7];
    let filled = [&private[..], &[6 << 48 | 0x0001_F001, 2, 0x0201]].concat();
    Draft::from_words(&filled).unwrap();
    let unfilled = [&private[..], &[6 << 48 | 0x0001_F001, 2, 0x03_0201]].concat();
    assert_eq!(refused(&unfilled), invalid("bytes are not filled up with zeros"));
    // More dimensions than there are: the words back them, the format does not.
    let deep = [&good[..6], &[US | shape, 65], &[1; 65]].concat();
    assert_eq!(refused(&deep).0, Status::LIMIT_EXCEEDED);
}

#[test]
fn damaged_words_are_refused_or_taken_whole() {
    for (_, bytes) in all().into_iter().chain(permissive()) {
        let words = words_of(&bytes);
        for at in 0..words.len() {
            for value in
                [0, 1, 5, 64, 0xFFFF_FFFF, 1 << 48, 1 << 63, u64::MAX, words[at] ^ 1, words[at] ^ 1 << 32]
            {
                let mut damaged = words.clone();
                damaged[at] = value;
                if let Ok(descriptor) = Draft::from_words(&damaged) {
                    let taken = bytes_of(&descriptor);
                    let read = Descriptor::decode(&taken, descriptor.permissive).unwrap();
                    assert_eq!(bytes_of(&read), taken);
                }
            }
            let _ = Draft::from_words(&words[..at]).map(|descriptor| bytes_of(&descriptor));
        }
    }
}
