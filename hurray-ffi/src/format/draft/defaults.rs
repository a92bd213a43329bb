//! The buffer table that layout and scheme imply.

use super::{Draft, EMPTY, nowhere};
use crate::format::extent::{DYNAMIC, layout_buffer_count};
use crate::format::field::*;
use crate::format::parameters::default_sizes;
use crate::format::{BufferEntry, Fault, Layout, Status, TagClass, element_info, tag_class};

impl Draft {
    /// Adds the entries that are not there yet, with the least sizes that layout, byte offset and scheme
    /// imply: alignment 64, sync mode 0, on the device and of the class of the first entry (CPU and standard
    /// without one). Indices of the scheme's buffers that are not set become the entries after the layout's
    /// own; zero points get one only where `QUANT_FIELD_FLAGS` was set without the symmetric bit.
    ///
    /// # Errors
    /// As `finish` for fields that are missing, `INVALID_ARGUMENT` for a dynamic dimension, `UNSUPPORTED` for
    /// a private layout or one that is not understood, `INVALID_TYPE` for an element type of no known width,
    /// `INVALID_DESCRIPTOR` for parameters placed elsewhere, `OVERFLOW`, `OUT_OF_MEMORY`. Nothing changes then.
    pub fn push_default_buffers(&mut self) -> Result<(), Fault> {
        let layout = self.layout()?;
        let first = match layout_buffer_count(&layout, self.shape.len()) {
            Some(0) => return Ok(()),
            Some(count) => count,
            None => {
                return Err(Fault::new(Status::UNSUPPORTED, "", "buffers of this layout are by agreement"));
            }
        };
        if let Some(axis) = self.shape.iter().position(|&n| n == DYNAMIC) {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "dimension is dynamic")
                .field("shape")
                .index(axis));
        }
        let fields = self.parameter_fields();
        let unset = fields.map(|id| id.filter(|&id| self.fields.get(id, 0).is_none()));
        for (id, index) in unset.into_iter().zip(first as u64..) {
            if let Some(id) = id {
                self.fields.set(id, 0, Value::U(index))?;
            }
        }
        self.push_sizes(&layout).inspect_err(|_| {
            for id in unset.into_iter().flatten() {
                self.fields.unset(id, 0);
            }
        })
    }

    fn push_sizes(&mut self, layout: &Layout) -> Result<(), Fault> {
        let quantization = self.section(2, Self::quantization)?;
        let scheme = quantization.as_ref().map(|quantization| &quantization.scheme);
        let sizes =
            default_sizes(layout, &self.shape, self.bits()?, self.byte_offset, scheme).map_err(nowhere)?;
        self.buffers.try_reserve(sizes.len()).map_err(|_| Fault::out_of_memory())?;
        let BufferEntry { device_tag, memory_class, .. } = self.buffers.first().copied().unwrap_or(EMPTY);
        for &byte_size in sizes.iter().skip(self.buffers.len()) {
            self.buffers.push(BufferEntry { byte_size, device_tag, memory_class, ..EMPTY });
        }
        Ok(())
    }

    /// Bits per element.
    fn bits(&self) -> Result<u32, Fault> {
        let bits = match tag_class(self.element_type) {
            TagClass::Private => self.fields.number(EXT_TYPE_FIELD_BIT_WIDTH, 0),
            _ => element_info(self.element_type).map(|info| info.bits),
        };
        bits.ok_or_else(|| {
            let fault = Fault::new(Status::INVALID_TYPE, "", "element type of no known width");
            fault.field("type_tag").value(self.element_type)
        })
    }

    /// The fields that name the scheme's buffers of scales and zero points, as far as it wants such.
    fn parameter_fields(&self) -> [Option<u32>; 2] {
        let flags: Option<u16> = self.fields.number(QUANT_FIELD_FLAGS, 0);
        let asymmetric = flags.is_some_and(|flags| flags & 1 == 0);
        let (scales, zero_points) = match self.scheme() {
            Some(2) => (QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER),
            Some(3) => (QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER),
            Some(4) => return [Some(QUANT_FIELD_NF4_SCALE_BUFFER), None],
            Some(5) => return [Some(QUANT_FIELD_MXFP_SCALE_BUFFER), None],
            _ => return [None, None],
        };
        [Some(scales), asymmetric.then_some(zero_points)]
    }
}
