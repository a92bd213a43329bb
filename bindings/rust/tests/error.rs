//! Errors carry the library's status, text and offset, and only those of the call that failed.

mod wire;

use hurray_client::{
    Buffer, Descriptor, DescriptorBuilder, ElementType, Error, Layout, Status, sys, tag_name,
};
use wire::Wire;

fn float32(flags: u32) -> Vec<u8> {
    let wire =
        Wire { flags, element_type: 0x03, layout: 0x01, shape: vec![2], buffers: vec![8], ..Wire::default() };
    wire.bytes()
}

#[test]
fn text_names_the_rule_and_the_offset() {
    let error = Descriptor::decode(&float32(1 << 7)).unwrap_err(); // a reserved flag bit, at byte 10
    assert_eq!(error.status, Status::INVALID_DESCRIPTOR);
    assert!(error.message.starts_with("V-012"), "{error}");
    assert_eq!(error.offset, Some(10));
    assert_eq!(error.os_error, None);
    assert_eq!(error.to_string(), error.message);
}

#[test]
fn answers_have_no_text() {
    let failed = Descriptor::decode(&[]).unwrap_err(); // leaves text on this thread
    assert!(!failed.message.is_empty());
    let descriptor = Descriptor::decode(&float32(0)).unwrap();
    let error = descriptor.field_u64(sys::HURRAY_STATS_FIELD_NNZ, 0).unwrap_err();
    assert_eq!((error.status, error.message.as_str()), (Status::FIELD_NOT_PRESENT, ""));
    assert_eq!(error.to_string(), "HURRAY_ERR_FIELD_NOT_PRESENT");
    let error = descriptor.field_u64(sys::HURRAY_LAYOUT_FIELD_CSR_NNZ, 0).unwrap_err();
    assert_eq!((error.status, error.message.as_str()), (Status::FIELD_NOT_APPLICABLE, ""));
    assert_eq!(tag_name(sys::HURRAY_SPACE_DEVICE, 200).unwrap_err().status, Status::NOT_FOUND);
}

#[test]
fn each_thread_has_its_own() {
    let here = Descriptor::decode(&float32(1 << 7)).unwrap_err();
    let there = std::thread::spawn(|| Buffer::alloc(1, 3).unwrap_err()).join().unwrap();
    assert_eq!((here.status, there.status), (Status::INVALID_DESCRIPTOR, Status::INVALID_ARGUMENT));
    assert_eq!(Descriptor::decode(&float32(1 << 7)).unwrap_err(), here);
}

#[test]
fn unknown_numbers_are_carried() {
    let status = Status::from_code(-4242);
    assert_eq!((status.code(), status.name()), (-4242, "HURRAY_ERR_UNKNOWN"));
    assert_eq!(format!("{:?}", Status::IO), "HURRAY_ERR_IO (-18)");
}

#[test]
fn errors_of_the_host_have_its_text() {
    let error: Box<dyn std::error::Error + Send + Sync> =
        Box::new(Error::new(Status::IO, "the disk is full"));
    assert_eq!(error.to_string(), "the disk is full");
}

#[test]
fn a_builder_survives_a_failed_finish() {
    let mut builder = DescriptorBuilder::new(ElementType::FLOAT32, &Layout::RowMajor, &[2]).unwrap();
    assert_eq!(builder.finish().unwrap_err().status, Status::INVALID_DESCRIPTOR); // no buffer
    builder.push_default_buffers().unwrap();
    assert_eq!(builder.finish().unwrap().encode().unwrap(), float32(0));
}
