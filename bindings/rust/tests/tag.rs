//! Tags have the library's names, and types what the library knows of them.

use hurray_client::{BufferRole, Device, ElementInfo, ElementType, Status, sys, tag_name};

#[test]
fn names_go_both_ways() {
    assert_eq!(ElementType::FLOAT8_E4M3.name(), Some("float8_e4m3"));
    assert_eq!(ElementType::from_name("float8_e4m3"), Some(ElementType::FLOAT8_E4M3));
    assert_eq!(ElementType::from_name("float33"), None);
    assert_eq!(Device::from_name("level_zero"), Some(Device::LEVEL_ZERO));
    assert_eq!(BufferRole::ZERO_POINTS.name(), Some("zero_points"));
    assert_eq!(tag_name(sys::HURRAY_SPACE_LAYOUT, sys::HURRAY_LAYOUT_CSR.into()).unwrap(), "csr");
    assert_eq!(tag_name(99, 0).unwrap_err().status, Status::INVALID_ARGUMENT);
}

#[test]
fn tags_print_as_names_or_numbers() {
    assert_eq!(ElementType::INT4.to_string(), "int4");
    assert_eq!(format!("{:?}", ElementType(0xF3)), "0xf3");
}

#[test]
fn widths_alignments_and_kinds() {
    let kind = sys::HURRAY_KIND_COMPLEX | sys::HURRAY_KIND_FLOAT | sys::HURRAY_KIND_SIGNED;
    let info = ElementType::COMPLEX64.info().unwrap();
    assert_eq!(
        (info.bits, info.alignment, info.kind & sys::HURRAY_KIND_COMPLEX),
        (64, 4, sys::HURRAY_KIND_COMPLEX)
    );
    assert_eq!(info.kind & !kind, 0);
    let info = ElementType::UINT4.info().unwrap();
    let kind = sys::HURRAY_KIND_INTEGER | sys::HURRAY_KIND_SUB_BYTE;
    assert_eq!(info, ElementInfo { bits: 4, alignment: 1, kind });
    assert_eq!(ElementType(0x47).info().unwrap_err().status, Status::INVALID_TYPE);
}

#[test]
fn bytes_are_those_of_the_packing() {
    assert_eq!(ElementType::FLOAT6_E2M3.bytes(5).unwrap(), 6);
    assert_eq!(ElementType::BOOL.bytes(11).unwrap(), 2);
    assert_eq!(ElementType::FLOAT64.bytes(1 << 62).unwrap_err().status, Status::OVERFLOW);
}
