//! DLPack's structs, and how its types and devices correspond to the format's.
//!
//! The structs follow the published header, version 1.3: what a consumer of any 1.x reads is the same.

use super::buffer::HURRAY_BUFFER_HOST_POINTER;
use crate::format::{Fault, Status};
use std::ffi::c_void;

pub(crate) const MAJOR: u32 = 1;
pub(crate) const MINOR: u32 = 3;

pub(crate) const FLAG_READ_ONLY: u64 = 1;
pub(crate) const FLAG_IS_COPIED: u64 = 2;
pub(crate) const FLAG_IS_SUBBYTE_TYPE_PADDED: u64 = 4;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Version {
    pub(crate) major: u32,
    pub(crate) minor: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Device {
    pub(crate) kind: i32,
    pub(crate) id: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataType {
    pub(crate) code: u8,
    pub(crate) bits: u8,
    pub(crate) lanes: u16,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct DlTensor {
    pub(crate) data: *mut c_void,
    pub(crate) device: Device,
    pub(crate) ndim: i32,
    pub(crate) dtype: DataType,
    pub(crate) shape: *mut i64,
    pub(crate) strides: *mut i64,
    pub(crate) byte_offset: u64,
}

/// `DLManagedTensorVersioned`
#[repr(C)]
pub(crate) struct Versioned {
    pub(crate) version: Version,
    pub(crate) manager_ctx: *mut c_void,
    pub(crate) deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    pub(crate) flags: u64,
    pub(crate) tensor: DlTensor,
}

/// `DLManagedTensor`
#[repr(C)]
pub(crate) struct Unversioned {
    pub(crate) tensor: DlTensor,
    pub(crate) manager_ctx: *mut c_void,
    pub(crate) deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

/// Element types, with their code and bits there. `bool` is absent: its bits are packed here and bytes there.
const TYPES: &[(u8, u8, u8)] = &[
    (0x01, 2, 16),
    (0x02, 4, 16),
    (0x03, 2, 32),
    (0x04, 2, 64),
    (0x10, 0, 8),
    (0x11, 1, 8),
    (0x12, 0, 16),
    (0x13, 1, 16),
    (0x14, 0, 32),
    (0x15, 1, 32),
    (0x16, 0, 64),
    (0x17, 1, 64),
    (0x40, 10, 8),
    (0x41, 12, 8),
    (0x42, 14, 8),
    (0x43, 17, 4),
    (0x44, 15, 6),
    (0x45, 16, 6),
    (0x46, 2, 128),
    (0x48, 0, 4),
    (0x49, 1, 4),
    (0x4A, 0, 2),
    (0x4B, 1, 2),
    (0x50, 5, 64),
    (0x51, 5, 128),
];

/// The format's `bool`.
pub(crate) const BOOL: u8 = 0x20;
/// `kDLBool`, one byte an element.
pub(crate) const DL_BOOL: DataType = DataType { code: 6, bits: 8, lanes: 1 };

/// The type there, for all but `bool`.
pub(crate) fn data_type(element_type: u8) -> Result<DataType, Fault> {
    let found = TYPES.iter().find(|row| row.0 == element_type);
    found.map(|&(_, code, bits)| DataType { code, bits, lanes: 1 }).ok_or_else(|| {
        Fault::new(Status::UNSUPPORTED, "", "DLPack has no such element type")
            .field("element_type")
            .value(element_type)
    })
}

/// The type here, for all but `kDLBool`. Lanes other than one are no elements of the format.
pub(crate) fn element_type(dtype: DataType) -> Result<u8, Fault> {
    let found =
        TYPES.iter().find(|row| (row.1, row.2) == (dtype.code, dtype.bits)).filter(|_| dtype.lanes == 1);
    found.map(|row| row.0).ok_or_else(|| {
        let packed = u32::from(dtype.code) << 24 | u32::from(dtype.bits) << 16 | u32::from(dtype.lanes);
        Fault::new(Status::UNSUPPORTED, "", "a DLPack type (code, bits, lanes) that the format lacks")
            .field("dtype")
            .value(packed)
    })
}

const CPU: i32 = 1;

/// The device there, from tag, class and whether the host may follow the pointer.
pub(crate) fn device_kind(device_tag: u8, memory_class: u8, host_pointer: bool) -> Result<i32, Fault> {
    let kind = match (device_tag, memory_class) {
        (0, _) => CPU,
        (1, 1) => 3,
        (2, 1) => 11,
        // Memory that the host may read never crosses as its device's own.
        _ if host_pointer => CPU,
        (1, 0) => 2,
        (1, 2) => 13,
        (2, 0) => 10,
        (3, _) => 8,
        (4, 0..=2) => 7,
        (5, 0) => 15,
        (6, _) => 16,
        (7, 0..=2) => 14,
        (8, _) => 4,
        _ => {
            return Err(Fault::new(Status::UNSUPPORTED, "", "DLPack has no such device and memory class")
                .field("device_tag")
                .value(device_tag));
        }
    };
    Ok(kind)
}

/// Tag, class and buffer flags here.
pub(crate) fn device_here(kind: i32) -> Result<(u8, u8, u32), Fault> {
    Ok(match kind {
        CPU => (0, 0, 0),
        2 => (1, 0, 0),
        3 => (1, 1, HURRAY_BUFFER_HOST_POINTER),
        13 => (1, 2, HURRAY_BUFFER_HOST_POINTER),
        10 => (2, 0, 0),
        11 => (2, 1, HURRAY_BUFFER_HOST_POINTER),
        8 => (3, 0, 0),
        7 => (4, 0, 0),
        15 => (5, 0, 0),
        16 => (6, 0, 0),
        14 => (7, 0, 0),
        4 => (8, 0, 0),
        _ => {
            return Err(Fault::new(Status::UNSUPPORTED, "", "a DLPack device that the format lacks")
                .field("device_type")
                .value(kind));
        }
    })
}

/// Whether the data pointer of a device is an address that an offset may be added to.
pub(crate) fn is_address(kind: i32) -> bool {
    !matches!(kind, 4 | 7 | 8 | 15)
}
