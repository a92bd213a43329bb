//! The numbers that stand for types, devices, rules and roles, and their names.

use std::ffi::CStr;
use std::fmt;

use crate::error::{Result, check};
use crate::{library, sys};

/// The name of a tag of one of the `HURRAY_SPACE_...` spaces, in lower case. `NOT_FOUND` if it is not assigned.
pub fn tag_name(space: u32, tag: u32) -> Result<&'static str> {
    library::ready()?;
    let mut name = std::ptr::null();
    // SAFETY: the out-parameter is a local.
    check(unsafe { sys::hurray_tag_name(space, tag, &mut name) })?;
    // SAFETY: a successful call wrote a NUL-terminated static string.
    Ok(unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default())
}

macro_rules! tag {
    ($(#[$doc:meta])* $name:ident($repr:ty) in $space:ident { $($constant:ident = $value:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub $repr);

        #[allow(missing_docs)] // the header says what each one means
        impl $name {
            $(pub const $constant: $name = $name(sys::$value);)*
        }

        impl $name {
            /// The name that the library gives it; nothing if the tag is not assigned.
            pub fn name(self) -> Option<&'static str> {
                tag_name(sys::$space, self.0.into()).ok()
            }

            /// The tag of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                (0..=<$repr>::from(u8::MAX)).map(Self).find(|tag| tag.name() == Some(name))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "{:#x}", self.0),
                }
            }
        }
    };
}

tag! {
    /// An element type. Private ones are `0xF0` to `0xFE`.
    ElementType(u8) in HURRAY_SPACE_ELEMENT_TYPE {
        FLOAT16 = HURRAY_TYPE_FLOAT16,
        BFLOAT16 = HURRAY_TYPE_BFLOAT16,
        FLOAT32 = HURRAY_TYPE_FLOAT32,
        FLOAT64 = HURRAY_TYPE_FLOAT64,
        INT8 = HURRAY_TYPE_INT8,
        UINT8 = HURRAY_TYPE_UINT8,
        INT16 = HURRAY_TYPE_INT16,
        UINT16 = HURRAY_TYPE_UINT16,
        INT32 = HURRAY_TYPE_INT32,
        UINT32 = HURRAY_TYPE_UINT32,
        INT64 = HURRAY_TYPE_INT64,
        UINT64 = HURRAY_TYPE_UINT64,
        BOOL = HURRAY_TYPE_BOOL,
        FLOAT8_E4M3 = HURRAY_TYPE_FLOAT8_E4M3,
        FLOAT8_E5M2 = HURRAY_TYPE_FLOAT8_E5M2,
        FLOAT8_E8M0 = HURRAY_TYPE_FLOAT8_E8M0,
        FLOAT4_E2M1 = HURRAY_TYPE_FLOAT4_E2M1,
        FLOAT6_E2M3 = HURRAY_TYPE_FLOAT6_E2M3,
        FLOAT6_E3M2 = HURRAY_TYPE_FLOAT6_E3M2,
        FLOAT128 = HURRAY_TYPE_FLOAT128,
        INT4 = HURRAY_TYPE_INT4,
        UINT4 = HURRAY_TYPE_UINT4,
        INT2 = HURRAY_TYPE_INT2,
        UINT2 = HURRAY_TYPE_UINT2,
        COMPLEX64 = HURRAY_TYPE_COMPLEX64,
        COMPLEX128 = HURRAY_TYPE_COMPLEX128,
    }
}

tag! {
    /// A device.
    Device(u8) in HURRAY_SPACE_DEVICE {
        CPU = HURRAY_DEVICE_CPU,
        CUDA = HURRAY_DEVICE_CUDA,
        ROCM = HURRAY_DEVICE_ROCM,
        METAL = HURRAY_DEVICE_METAL,
        VULKAN = HURRAY_DEVICE_VULKAN,
        WEBGPU = HURRAY_DEVICE_WEBGPU,
        HEXAGON = HURRAY_DEVICE_HEXAGON,
        LEVEL_ZERO = HURRAY_DEVICE_LEVEL_ZERO,
        OPENCL = HURRAY_DEVICE_OPENCL,
    }
}

tag! {
    /// A kind of a device's memory.
    MemoryClass(u8) in HURRAY_SPACE_MEMORY_CLASS {
        STANDARD = HURRAY_MEMORY_STANDARD,
        HOST_PINNED = HURRAY_MEMORY_HOST_PINNED,
        UNIFIED = HURRAY_MEMORY_UNIFIED,
        PEER = HURRAY_MEMORY_PEER,
    }
}

tag! {
    /// How a producer ordered its writes.
    SyncMode(u8) in HURRAY_SPACE_SYNC_MODE {
        PRODUCER_SYNCED = HURRAY_SYNC_PRODUCER_SYNCED,
        EVENT = HURRAY_SYNC_EVENT,
        CONSUMER_STREAM = HURRAY_SYNC_CONSUMER_STREAM,
    }
}

tag! {
    /// How the members of a composite make its head.
    CompositionRule(u8) in HURRAY_SPACE_COMPOSITION_RULE {
        PARTITION = HURRAY_RULE_PARTITION,
        OVERLAY = HURRAY_RULE_OVERLAY,
        GROUP = HURRAY_RULE_GROUP,
    }
}

tag! {
    /// What a correction of an overlay does to what it covers.
    CombineOp(u8) in HURRAY_SPACE_COMBINE_OP {
        NONE = HURRAY_OP_NONE,
        REPLACE = HURRAY_OP_REPLACE,
        ADD = HURRAY_OP_ADD,
    }
}

tag! {
    /// What a member of an overlay is.
    MemberRole(u8) in HURRAY_SPACE_MEMBER_ROLE {
        CORRECTION = HURRAY_MEMBER_CORRECTION,
        BASE = HURRAY_MEMBER_BASE,
    }
}

tag! {
    /// What the pages of a key-value cache hold.
    KvRole(u8) in HURRAY_SPACE_KV_ROLE {
        KEY = HURRAY_KV_ROLE_KEY,
        VALUE = HURRAY_KV_ROLE_VALUE,
        FUSED = HURRAY_KV_ROLE_FUSED,
    }
}

tag! {
    /// What a buffer of a tensor holds.
    BufferRole(u32) in HURRAY_SPACE_BUFFER_ROLE {
        UNKNOWN = HURRAY_ROLE_UNKNOWN,
        VALUES = HURRAY_ROLE_VALUES,
        INDICES = HURRAY_ROLE_INDICES,
        POINTERS = HURRAY_ROLE_POINTERS,
        CSF_POS = HURRAY_ROLE_CSF_POS,
        CSF_CRD = HURRAY_ROLE_CSF_CRD,
        BLOCK_TABLE = HURRAY_ROLE_BLOCK_TABLE,
        SEQ_PTR = HURRAY_ROLE_SEQ_PTR,
        SCALES = HURRAY_ROLE_SCALES,
        ZERO_POINTS = HURRAY_ROLE_ZERO_POINTS,
    }
}

/// What the library knows of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementInfo {
    /// Width of one element, in bits.
    pub bits: u32,
    /// Alignment of one element, in bytes.
    pub alignment: u32,
    /// `HURRAY_KIND_...` bits.
    pub kind: u32,
}

impl ElementType {
    /// Width, alignment and kind. `INVALID_TYPE` for types that are not assigned, private ones included.
    pub fn info(self) -> Result<ElementInfo> {
        library::ready()?;
        let mut info = ElementInfo { bits: 0, alignment: 0, kind: 0 };
        let (bits, alignment, kind) = (&mut info.bits, &mut info.alignment, &mut info.kind);
        // SAFETY: the out-parameters are locals.
        check(unsafe { sys::hurray_element_type_info(self.0, bits, alignment, kind) })?;
        Ok(info)
    }

    /// The bytes of `count` contiguous elements, packed as the format packs them.
    pub fn bytes(self, count: u64) -> Result<u64> {
        library::ready()?;
        let mut bytes = 0;
        // SAFETY: the out-parameter is a local.
        check(unsafe { sys::hurray_element_type_bytes(self.0, count, &mut bytes) })?;
        Ok(bytes)
    }
}
