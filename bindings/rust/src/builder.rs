//! Writing a descriptor, field by field.

use crate::descriptor::Descriptor;
use crate::error::{Result, check};
use crate::fields::FieldId;
use crate::handle::handle;
use crate::layout::Layout;
use crate::quantization::Quantization;
use crate::sections::{BufferEntry, ExtensionType, Shard, Statistics};
use crate::tag::{ElementType, MemberRole};
use crate::{library, sys};

handle! {
    /// A descriptor being written. Setting a field opens its section; [`DescriptorBuilder::finish`] judges the whole.
    DescriptorBuilder, HurrayDescriptorBuilder, hurray_descriptor_builder_destroy
}

macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($type:ty) = $function:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, id: FieldId, level: u32, value: $type) -> Result<&mut Self> {
                // SAFETY: the handle is live, and nobody else uses it.
                check(unsafe { sys::$function(self.as_raw(), id, level, value) })?;
                Ok(self)
            }
        )*
    };
}

macro_rules! array_setters {
    ($($(#[$doc:meta])* $name:ident($type:ty) = $function:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, id: FieldId, level: u32, values: &[$type]) -> Result<&mut Self> {
                // SAFETY: the handle is live, and nobody else uses it; pointer and length are those of a slice.
                check(unsafe { sys::$function(self.as_raw(), id, level, values.as_ptr(), values.len()) })?;
                Ok(self)
            }
        )*
    };
}

impl DescriptorBuilder {
    /// Starts a descriptor. A dimension of `u64::MAX` is a dynamic one.
    pub fn new(element_type: ElementType, layout: &Layout, shape: &[u64]) -> Result<Self> {
        let mut builder = Self::with_tags(element_type.0, layout.tag(), shape)?;
        layout.write(&mut builder)?;
        Ok(builder)
    }

    /// Starts a descriptor whose layout's fields are set by identifier.
    pub fn with_tags(element_type: u8, layout: u8, shape: &[u64]) -> Result<Self> {
        library::ready()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: pointer and length are those of a slice, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_descriptor_builder_new(element_type, layout, shape.as_ptr(), shape.len(), &mut raw)
        })?;
        Self::made(raw)
    }

    setters! {
        /// Sets a whole number, tag or truth value.
        set_u64(u64) = hurray_descriptor_builder_set_u64;
        /// Sets a signed number.
        set_i64(i64) = hurray_descriptor_builder_set_i64;
        /// Sets a real number.
        set_f64(f64) = hurray_descriptor_builder_set_f64;
    }

    array_setters! {
        /// Sets whole numbers.
        set_u64_array(u64) = hurray_descriptor_builder_set_u64_array;
        /// Sets signed numbers.
        set_i64_array(i64) = hurray_descriptor_builder_set_i64_array;
        /// Sets opaque bytes.
        set_bytes(u8) = hurray_descriptor_builder_set_bytes;
    }

    /// Says where in buffer 0 the element at index zero lies, in bytes.
    pub fn byte_offset(&mut self, bytes: u64) -> Result<&mut Self> {
        self.set_u64(sys::HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, bytes)
    }

    /// Sets the quantization.
    pub fn quantization(&mut self, quantization: &Quantization) -> Result<&mut Self> {
        quantization.write(self)?;
        Ok(self)
    }

    /// Sets the place in a larger tensor.
    pub fn shard(&mut self, shard: &Shard) -> Result<&mut Self> {
        shard.write(self)?;
        Ok(self)
    }

    /// Sets the statistics.
    pub fn statistics(&mut self, statistics: &Statistics) -> Result<&mut Self> {
        statistics.write(self)?;
        Ok(self)
    }

    /// Says what the private element type is made of.
    pub fn extension_type(&mut self, extension_type: &ExtensionType) -> Result<&mut Self> {
        extension_type.write(self)?;
        Ok(self)
    }

    /// Makes the descriptor that of a member of an overlay.
    pub fn member_role(&mut self, role: MemberRole) -> Result<&mut Self> {
        self.set_u64(sys::HURRAY_MEMBER_FIELD_ROLE, 0, role.0.into())
    }

    /// Appends an entry to the buffer table.
    pub fn push_buffer(&mut self, entry: &BufferEntry) -> Result<&mut Self> {
        let placement = entry.placement;
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe {
            sys::hurray_descriptor_builder_push_buffer(
                self.as_raw(),
                entry.byte_size,
                entry.alignment,
                placement.device.0,
                placement.sync_mode.0,
                placement.memory_class.0,
            )
        })?;
        Ok(self)
    }

    /// Appends the buffers that what is set so far implies, of the smallest sizes, in ordinary memory of the host. Sets
    /// the scheme's buffer indices where they are not set.
    pub fn push_default_buffers(&mut self) -> Result<&mut Self> {
        // SAFETY: the handle is live, and nobody else uses it.
        check(unsafe { sys::hurray_descriptor_builder_push_default_buffers(self.as_raw()) })?;
        Ok(self)
    }

    /// Validates what was set and makes the descriptor. The builder can be changed and finished again.
    pub fn finish(&mut self) -> Result<Descriptor> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is live, nobody else uses it, and the out-parameter is a local.
        check(unsafe { sys::hurray_descriptor_builder_finish(self.as_raw(), &mut raw) })?;
        Descriptor::made(raw)
    }
}
