//! Descriptors: what a tensor is, without its memory.

use std::fmt;
use std::ops::Deref;

use crate::error::{Result, Status, check};
use crate::fields::{FieldId, Fields};
use crate::handle::{borrowed, handle};
use crate::layout::Layout;
use crate::quantization::Quantization;
use crate::sections::{BufferEntry, ExtensionType, Shard, Statistics};
use crate::tag::{ElementType, MemberRole};
use crate::{library, read, sys};

handle! {
    /// A descriptor of one's own: decoded, validated, immutable. It reads as a [`DescriptorRef`].
    Descriptor, HurrayDescriptor, hurray_descriptor_destroy
}

borrowed! {
    /// A descriptor that belongs to a tensor or a [`Descriptor`].
    DescriptorRef, HurrayDescriptor
}

impl Descriptor {
    /// Decodes and validates a descriptor, strictly. Bytes after its own length are left alone.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: pointer and length are those of a slice, and the out-parameter is a local.
        check(unsafe { sys::hurray_descriptor_decode(bytes.as_ptr(), bytes.len(), &mut raw) })?;
        Self::made(raw)
    }

    /// Decodes a descriptor and keeps what is not understood as opaque parts.
    pub fn decode_permissive(bytes: &[u8]) -> Result<Self> {
        let flags = sys::HURRAY_DECODE_PERMISSIVE;
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: pointer and length are those of a slice, and the out-parameter is a local.
        check(unsafe { sys::hurray_descriptor_decode_with(bytes.as_ptr(), bytes.len(), flags, &mut raw) })?;
        Self::made(raw)
    }

    /// Makes a descriptor from the words of [`Fields::words`], with full validation.
    pub fn from_fields(words: &[u64]) -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: pointer and length are those of a slice, and the out-parameter is a local.
        check(unsafe { sys::hurray_descriptor_from_fields(words.as_ptr(), words.len(), &mut raw) })?;
        Self::made(raw)
    }

    /// Takes over a handle.
    ///
    /// # Safety
    /// The handle is a live descriptor of this C ABI version, and the caller's to destroy.
    pub unsafe fn from_raw(raw: *mut sys::HurrayDescriptor) -> Result<Self> {
        library::ready()?;
        Self::made(raw)
    }
}

impl Deref for Descriptor {
    type Target = DescriptorRef;

    fn deref(&self) -> &DescriptorRef {
        // SAFETY: the handle is live for as long as `self` is.
        unsafe { DescriptorRef::from_raw(self.as_raw()) }
    }
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $name:ident -> $type:ty = $function:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&self) -> Result<$type> {
                let mut value = Default::default();
                // SAFETY: the handle is live, and the out-parameter is a local.
                check(unsafe { sys::$function(self.as_raw(), &mut value) })?;
                Ok(value)
            }
        )*
    };
}

macro_rules! field_scalars {
    ($($(#[$doc:meta])* $name:ident -> $type:ty = $function:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&self, id: FieldId, level: u32) -> Result<$type> {
                let mut value = Default::default();
                // SAFETY: the handle is live, and the out-parameter is a local.
                check(unsafe { sys::$function(self.as_raw(), id, level, &mut value) })?;
                Ok(value)
            }
        )*
    };
}

macro_rules! field_arrays {
    ($($(#[$doc:meta])* $name:ident -> $type:ty = $function:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&self, id: FieldId, level: u32) -> Result<Vec<$type>> {
                // SAFETY: the handle is live; `out` has room for `*len` items.
                read::array::<$type, 16>(|out, len| unsafe { sys::$function(self.as_raw(), id, level, out, len) })
            }
        )*
    };
}

/// Single values, each by one call. Fields that are not carried give `FIELD_NOT_PRESENT` or `FIELD_NOT_APPLICABLE`.
impl DescriptorRef {
    scalars! {
        /// The layout, a `HURRAY_LAYOUT_...` tag.
        layout_tag -> u8 = hurray_descriptor_layout_tag;
        /// The number of dimensions, 0 to 64.
        rank -> u32 = hurray_descriptor_rank;
        /// The number of entries in the buffer table.
        buffer_count -> u32 = hurray_descriptor_buffer_count;
        /// The section flags, as on the wire.
        flags -> u32 = hurray_descriptor_flags;
        /// Where in buffer 0 the element at index zero lies, in bytes.
        byte_offset -> u64 = hurray_descriptor_byte_offset;
    }

    field_scalars! {
        /// A whole number, tag or truth value.
        field_u64 -> u64 = hurray_descriptor_field_u64;
        /// A signed number.
        field_i64 -> i64 = hurray_descriptor_field_i64;
        /// A real number.
        field_f64 -> f64 = hurray_descriptor_field_f64;
    }

    field_arrays! {
        /// Whole numbers.
        field_u64_array -> u64 = hurray_descriptor_field_u64_array;
        /// Signed numbers.
        field_i64_array -> i64 = hurray_descriptor_field_i64_array;
        /// Opaque bytes.
        field_bytes -> u8 = hurray_descriptor_field_bytes;
    }

    /// The element type.
    pub fn element_type(&self) -> Result<ElementType> {
        let mut tag = ElementType(0);
        // SAFETY: the handle is live, and the out-parameter is a local.
        check(unsafe { sys::hurray_descriptor_element_type_tag(self.as_raw(), &mut tag.0) })?;
        Ok(tag)
    }

    /// The dimensions; `u64::MAX` is a dynamic one.
    pub fn shape(&self) -> Result<Vec<u64>> {
        // SAFETY: the handle is live; `out` has room for `*len` items.
        read::array::<u64, 16>(|out, len| unsafe { sys::hurray_descriptor_shape(self.as_raw(), out, len) })
    }

    /// The number of elements; nothing while a dimension is dynamic or the count passes 64 bits.
    pub fn element_count(&self) -> Result<Option<u64>> {
        match self.field_u64(sys::HURRAY_HEADER_FIELD_ELEMENT_COUNT, 0) {
            Ok(count) => Ok(Some(count)),
            Err(error) if error.status == Status::FIELD_NOT_PRESENT => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The role of a member of an overlay, if the descriptor is one.
    pub fn member_role(&self) -> Result<Option<MemberRole>> {
        match self.field_u64(sys::HURRAY_MEMBER_FIELD_ROLE, 0) {
            Ok(role) => Ok(u8::try_from(role).ok().map(MemberRole)),
            Err(error) if error.status == Status::FIELD_NOT_PRESENT => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The descriptor's bytes: those that were decoded, or those that the builder wrote.
    pub fn encode(&self) -> Result<Vec<u8>> {
        // SAFETY: the handle is live; `out` has room for `*len` items.
        read::array::<u8, 256>(|out, len| unsafe { sys::hurray_descriptor_encode(self.as_raw(), out, len) })
    }

    /// The descriptor's bytes as a table for people.
    pub fn annotate(&self) -> Result<String> {
        // SAFETY: the handle is live; `out` has room for `*len` bytes.
        read::text(|out, len| unsafe { sys::hurray_descriptor_annotate(self.as_raw(), out, len) })
    }

    /// One line that says element type, shape, layout, quantization, device and bytes.
    pub fn describe(&self) -> Result<String> {
        // SAFETY: the handle is live; `out` has room for `*len` bytes.
        read::text(|out, len| unsafe { sys::hurray_descriptor_describe(self.as_raw(), out, len) })
    }
}

/// Typed parts, each out of one reading of all fields; [`DescriptorRef::fields`] has them all for one.
impl DescriptorRef {
    /// Everything that the descriptor carries, by one call, or two if it carries very much.
    pub fn fields(&self) -> Result<Fields> {
        // SAFETY: the handle is live; `out` has room for `*len` words.
        read::array::<u64, 512>(|out, len| unsafe { sys::hurray_descriptor_fields(self.as_raw(), out, len) })
            .map(Fields::of)
    }

    /// The layout with its fields.
    pub fn layout(&self) -> Result<Layout> {
        self.fields()?.layout()
    }

    /// The quantization, if there is any.
    pub fn quantization(&self) -> Result<Option<Quantization>> {
        self.fields()?.quantization()
    }

    /// The buffer table; empty also behind a layout that was not understood.
    pub fn buffers(&self) -> Result<Vec<BufferEntry>> {
        self.fields()?.buffers()
    }

    /// The place in a larger tensor, if it is a part of one.
    pub fn shard(&self) -> Result<Option<Shard>> {
        self.fields()?.shard()
    }

    /// The statistics, if there are any.
    pub fn statistics(&self) -> Result<Option<Statistics>> {
        Ok(self.fields()?.statistics())
    }

    /// What the private element type is made of, if it is private.
    pub fn extension_type(&self) -> Result<Option<ExtensionType>> {
        self.fields()?.extension_type()
    }
}

impl Fields {
    /// The layout with its fields.
    pub fn layout(&self) -> Result<Layout> {
        Layout::read(self)
    }

    /// The quantization, if there is any.
    pub fn quantization(&self) -> Result<Option<Quantization>> {
        Quantization::read(self)
    }

    /// The buffer table; empty also behind a layout that was not understood.
    pub fn buffers(&self) -> Result<Vec<BufferEntry>> {
        BufferEntry::read_all(self)
    }

    /// The place in a larger tensor, if it is a part of one.
    pub fn shard(&self) -> Result<Option<Shard>> {
        Shard::read(self)
    }

    /// The statistics, if there are any.
    pub fn statistics(&self) -> Option<Statistics> {
        Statistics::read(self)
    }

    /// What the private element type is made of, if it is private.
    pub fn extension_type(&self) -> Result<Option<ExtensionType>> {
        ExtensionType::read(self)
    }
}

impl fmt::Display for DescriptorRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.describe() {
            Ok(line) => f.write_str(&line),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl fmt::Debug for DescriptorRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
