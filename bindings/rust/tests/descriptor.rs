//! Descriptors: the worked examples of the format, each scheme and section both ways, and all fields at once.

#![allow(clippy::unwrap_used)] // tests

mod wire;

use hurray_client::{
    BufferEntry, BufferRole, Descriptor, DescriptorBuilder, Device, ElementType, ExtensionType, Kind, Layout,
    MemberRole, MemoryClass, Placement, Quantization, Shard, Statistics, Status, SyncMode, sys,
};
use wire::Wire;

/// The parts as bytes, and a builder that has their shape, layout and buffers but not their sections.
fn row_major(flags: u32, element_type: u8, shape: &[u64], buffers: &[u64], sections: Vec<u8>) -> Wire {
    let (shape, buffers) = (shape.to_vec(), buffers.to_vec());
    Wire { flags, element_type, layout: 0x01, shape, buffers, sections, ..Wire::default() }
}

fn builder(wire: &Wire) -> DescriptorBuilder {
    let mut builder =
        DescriptorBuilder::new(ElementType(wire.element_type), &Layout::RowMajor, &wire.shape).unwrap();
    for size in &wire.buffers {
        builder.push_buffer(&BufferEntry::host(*size)).unwrap();
    }
    builder
}

fn quantized(quantization: Quantization, element_type: u8, shape: &[u64], buffers: &[u64], payload: Vec<u8>) {
    let mut section = (payload.len() as u32).to_le_bytes().to_vec();
    section.extend(payload);
    let wire = row_major(1, element_type, shape, buffers, section);
    let read = Descriptor::decode(&wire.bytes()).unwrap();
    assert_eq!(read.quantization().unwrap().as_ref(), Some(&quantization));
    assert_eq!(read.field_u64(sys::HURRAY_QUANT_FIELD_SCHEME, 0).unwrap(), quantization.tag().into());
    let made = builder(&wire).quantization(&quantization).unwrap().finish().unwrap();
    assert_eq!(made.encode().unwrap(), wire.bytes());
}

#[test]
fn per_tensor() {
    let payload = bytes![1u8, 1u8, 0u16, 0.1f32, -3i32, 0u32];
    quantized(Quantization::PerTensorAffine { scale: 0.1, zero_point: -3 }, 0x10, &[4], &[4], payload);
}

#[test]
fn per_channel() {
    let (axis, scale_buffer, scale_type) = (1, 1, ElementType::FLOAT32);
    let symmetric =
        Quantization::PerChannelAffine { axis, scale_buffer, zero_point_buffer: None, scale_type };
    let payload = bytes![2u8, 1u8, 1u16, 1u32, 1u32, u32::MAX, 3u8, 0u16, 0u8];
    quantized(symmetric, 0x10, &[4, 8], &[32, 32], payload);
    let zero_point_buffer = Some(2);
    let asymmetric = Quantization::PerChannelAffine { axis, scale_buffer, zero_point_buffer, scale_type };
    let payload = bytes![2u8, 1u8, 0u16, 1u32, 1u32, 2u32, 3u8, 0u16, 0u8];
    quantized(asymmetric, 0x10, &[4, 8], &[32, 32, 32], payload);
}

#[test]
fn per_block() {
    let quantization = Quantization::PerBlockAffine {
        axis: 1,
        block_size: 4,
        scale_buffer: 1,
        zero_point_buffer: Some(2),
        scale_type: ElementType::FLOAT16,
    };
    let payload = bytes![3u8, 1u8, 0u16, 1u32, 4u32, 1u32, 2u32, 1u8, 0u16, 0u8];
    quantized(quantization, 0x48, &[2, 8], &[8, 8, 16], payload);
}

#[test]
fn nf4() {
    let payload = bytes![4u8, 1u8, 0u16, 0u32, 8u32, 1u32];
    quantized(Quantization::Nf4 { axis: 0, block_size: 8, scale_buffer: 1 }, 0x49, &[16], &[8, 8], payload);
}

#[test]
fn mxfp() {
    let payload = bytes![5u8, 1u8, 0u16, 0u32, 32u32, 1u32];
    quantized(
        Quantization::Mxfp { axis: 0, block_size: 32, scale_buffer: 1 },
        0x43,
        &[64],
        &[32, 2],
        payload,
    );
}

#[test]
fn unknown_scheme_is_kept_when_reading_permissively() {
    let wire = row_major(1, 0x10, &[4], &[4], bytes![6u32, 0xF3u8, 2u8, 5u16, 0xAAu8, 0xBBu8]);
    let read = Descriptor::decode_permissive(&wire.bytes()).unwrap();
    let kept = Quantization::Unknown { tag: 0xF3, version: 2, flags: 5, data: vec![0xAA, 0xBB] };
    assert_eq!(read.quantization().unwrap(), Some(kept));
}

#[test]
fn shard() {
    let wire = row_major(2, 0x10, &[4, 8], &[32], bytes![16u64, 8u64, 12u64, 0u64]);
    let shard = Shard { parent_shape: vec![16, 8], offset: vec![12, 0] };
    assert_eq!(Descriptor::decode(&wire.bytes()).unwrap().shard().unwrap().as_ref(), Some(&shard));
    assert_eq!(builder(&wire).shard(&shard).unwrap().finish().unwrap().encode().unwrap(), wire.bytes());
}

#[test]
fn statistics() {
    let section = bytes![
        0b11_0101u32,
        0u32,
        29u64,
        0.0f64,
        -6.5f64,
        12.0f64,
        12.0f64,
        0.0f64,
        0.0f64,
        2u8,
        4u8,
        0u8,
        1u8,
        0u32
    ];
    let wire = row_major(8, 0x10, &[4], &[4], section);
    let statistics = Statistics {
        nnz: Some(29),
        min: Some(-6.5),
        max: Some(12.0),
        abs_max: Some(12.0),
        nm_n: Some(2),
        nm_m: Some(4),
        has_nan: Some(false),
        has_inf: Some(true),
        ..Statistics::default()
    };
    assert_eq!(Descriptor::decode(&wire.bytes()).unwrap().statistics().unwrap(), Some(statistics));
    let made = builder(&wire).statistics(&statistics).unwrap().finish().unwrap();
    assert_eq!(made.encode().unwrap(), wire.bytes());
}

#[test]
fn extension_type() {
    let section = bytes![16u32, 1u8, 1u8, 0u8, 1u8, 6u8, 9u8, 0u16, 31u32, 1u8, 0u8, 0u16];
    let wire = row_major(4, 0xF0, &[3], &[6], section);
    let made_of = ExtensionType {
        bit_width: 16,
        packing_factor: 1,
        is_float: true,
        sign_bits: 1,
        exponent_bits: 6,
        mantissa_bits: 9,
        exponent_bias: 31,
        has_nan: true,
        ..ExtensionType::default()
    };
    assert_eq!(Descriptor::decode(&wire.bytes()).unwrap().extension_type().unwrap(), Some(made_of));
    let made = builder(&wire).extension_type(&made_of).unwrap().finish().unwrap();
    assert_eq!(made.encode().unwrap(), wire.bytes());
}

#[test]
fn member_role() {
    let wire = row_major(2 | 16, 0x10, &[4], &[4], bytes![4u64, 0u64, 1u8, 0u64, 0u32, 0u16, 0u8]);
    assert_eq!(Descriptor::decode(&wire.bytes()).unwrap().member_role().unwrap(), Some(MemberRole::BASE));
    let mut builder = builder(&wire);
    builder.shard(&Shard { parent_shape: vec![4], offset: vec![0] }).unwrap();
    let made = builder.member_role(MemberRole::BASE).unwrap().finish().unwrap();
    assert_eq!(made.encode().unwrap(), wire.bytes());
}

#[test]
fn sections_that_are_not_there() {
    let read = Descriptor::decode(&row_major(0, 0x10, &[4], &[4], vec![]).bytes()).unwrap();
    assert_eq!(read.quantization().unwrap(), None);
    assert_eq!(read.shard().unwrap(), None);
    assert_eq!(read.statistics().unwrap(), None);
    assert_eq!(read.extension_type().unwrap(), None);
    assert_eq!(read.member_role().unwrap(), None);
}

/// The first worked example: bfloat16 `[2, 3, 5]`, strides -20, 6, 1.
#[test]
fn a_strided_example() {
    let mut bytes = b"HRRY\x01\x00\x5d\x00\x00\x00\x00\x00\x00\x00\x02\x03".to_vec();
    bytes.extend(bytes![3u32, 2u64, 3u64, 5u64, 40u64, -20i64, 6i64, 1i64, 1u8, 80u64, 64u32, 0u32]);
    let read = Descriptor::decode(&bytes).unwrap();
    assert_eq!(read.element_type().unwrap(), ElementType::BFLOAT16);
    assert_eq!(read.layout_tag().unwrap(), sys::HURRAY_LAYOUT_STRIDED);
    assert_eq!(read.rank().unwrap(), 3);
    assert_eq!(read.shape().unwrap(), [2, 3, 5]);
    assert_eq!(read.byte_offset().unwrap(), 40);
    assert_eq!(read.flags().unwrap(), 0);
    assert_eq!(read.buffer_count().unwrap(), 1);
    assert_eq!(read.element_count().unwrap(), Some(30));
    assert_eq!(read.field_i64_array(sys::HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0).unwrap(), [-20, 6, 1]);
    assert_eq!(read.encode().unwrap(), bytes);
}

/// The second worked example: float64 CSR `[3, 6]` in CUDA unified memory, ordered by events.
#[test]
fn a_sparse_example_on_a_device() {
    let mut bytes = b"HRRY\x01\x00\x6d\x00\x00\x00\x00\x00\x00\x00\x04\x07".to_vec();
    bytes.extend(bytes![2u32, 3u64, 6u64, 0u64, 4u64, 0u64, 3u8]);
    for _ in 0..3 {
        bytes.extend(bytes![32u64, 4096u32, 1u8, 1u8, 2u8, 0u8]);
    }
    let read = Descriptor::decode(&bytes).unwrap();
    assert_eq!(read.layout().unwrap(), Layout::Csr { nnz: 4 });
    let placement =
        Placement { device: Device::CUDA, sync_mode: SyncMode::EVENT, memory_class: MemoryClass::UNIFIED };
    let entry = |role| BufferEntry { byte_size: 32, alignment: 4096, placement, role, role_level: 0 };
    let roles = [BufferRole::VALUES, BufferRole::INDICES, BufferRole::POINTERS];
    assert_eq!(read.buffers().unwrap(), roles.map(entry));
}

#[test]
fn all_fields_rebuild_the_descriptor() {
    let section = bytes![16u32, 1u8, 1u8, 0u16, 0.5f32, 7i32, 0u32, 8u64, 4u64, 0u64, 0u64];
    let wire = row_major(1 | 2, 0x10, &[4, 2], &[8], section);
    let read = Descriptor::decode(&wire.bytes()).unwrap();
    let fields = read.fields().unwrap();
    let scale = fields.get(sys::HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0).unwrap();
    assert_eq!((scale.kind, scale.count, scale.f64()), (Kind::F64, 1, 0.5));
    let parent = fields.get(sys::HURRAY_SHARD_FIELD_PARENT_SHAPE, 0).unwrap();
    assert_eq!((parent.kind, parent.u64s()), (Kind::U64Array, &[8, 4][..]));
    assert!(fields.iter().map(|field| (field.id, field.level)).is_sorted());
    drop(read);
    assert_eq!(Descriptor::from_fields(fields.words()).unwrap().encode().unwrap(), wire.bytes());
}

/// More words than the first reading has room for.
#[test]
fn many_buffers() {
    let wire = Wire {
        element_type: 0x03,
        layout: 0xF1,
        shape: vec![2],
        payload: bytes![1u64, 0u32],
        buffers: (1..=255).collect(),
        ..Wire::default()
    };
    let read = Descriptor::decode_permissive(&wire.bytes()).unwrap();
    assert!(read.fields().unwrap().words().len() > 512);
    let sizes: Vec<_> = read.buffers().unwrap().iter().map(|entry| entry.byte_size).collect();
    assert_eq!(sizes, wire.buffers);
    assert_eq!(read.encode().unwrap(), wire.bytes());
}

#[test]
fn a_dynamic_dimension_leaves_the_count_open() {
    let wire = row_major(0, 0x03, &[u64::MAX, 4], &[64], vec![]);
    let read = Descriptor::decode(&wire.bytes()).unwrap();
    assert_eq!(read.shape().unwrap(), [u64::MAX, 4]);
    assert_eq!(read.element_count().unwrap(), None);
}

#[test]
fn a_raw_descriptor_goes_out_and_comes_back() {
    let wire = row_major(0, 0x03, &[2], &[8], vec![]);
    let raw = Descriptor::decode(&wire.bytes()).unwrap().into_raw();
    // SAFETY: the handle is live, and nobody else has it.
    let read = unsafe { Descriptor::from_raw(raw) }.unwrap();
    assert_eq!(read.encode().unwrap(), wire.bytes());
    assert_eq!(read.to_string(), read.describe().unwrap());
    assert!(read.to_string().contains("float32"));
}

#[test]
fn truncated_bytes_are_refused() {
    let bytes = row_major(0, 0x03, &[2], &[8], vec![]).bytes();
    for len in 0..bytes.len() {
        assert_eq!(Descriptor::decode(&bytes[..len]).unwrap_err().status, Status::TRUNCATED);
    }
}
