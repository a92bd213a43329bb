//! Conversions: the same elements in another layout, and numbers and codes. Where a call takes `into`, the result is
//! written into that buffer, which it shares; without one it has a new buffer.

use crate::buffer::Buffer;
use crate::descriptor::{Descriptor, DescriptorRef};
use crate::error::{Error, Result, Status, check};
use crate::item::ItemRef;
use crate::list::BufferList;
use crate::options::{self, Options};
use crate::sys;
use crate::tag::ElementType;
use crate::tensor::Tensor;

/// A result, and how many bytes were written for it: none where it shares the tensor's memory.
pub type Converted = (Tensor, u64);

impl Tensor {
    /// The same elements in the layout of `target`, whose element type and shape are the tensor's; without one, row-major.
    pub fn to_layout(
        &self,
        target: Option<&DescriptorRef>,
        into: Option<&Buffer>,
        options: Option<&Options>,
    ) -> Result<Converted> {
        let target = target.map_or(std::ptr::null_mut(), DescriptorRef::as_raw);
        converted(into, options, |into, options, bytes, raw| {
            // SAFETY: the handles are live, and the outputs are locals of `converted`.
            unsafe { sys::hurray_tensor_to_layout(self.as_raw(), target, into, options, bytes, raw) }
        })
    }

    /// The numbers that the elements stand for, as `float16`, `bfloat16`, `float32` or `float64`: codes of a scheme
    /// dequantized, elements without one converted.
    pub fn dequantize(
        &self,
        element_type: ElementType,
        into: Option<&Buffer>,
        options: Option<&Options>,
    ) -> Result<Converted> {
        converted(into, options, |into, options, bytes, raw| {
            // SAFETY: as in `to_layout`.
            unsafe { sys::hurray_tensor_dequantize(self.as_raw(), element_type.0, into, options, bytes, raw) }
        })
    }

    /// Codes of the scheme and storage type of `target`, under the given parameter buffers or computed ones; or numbers of
    /// the target's type where it has no scheme.
    pub fn quantize(
        &self,
        target: &DescriptorRef,
        parameters: Option<&BufferList>,
        into: Option<&Buffer>,
        options: Option<&Options>,
    ) -> Result<Converted> {
        let parameters = parameters.map_or(std::ptr::null(), |list| list.as_raw().cast_const());
        converted(into, options, |into, options, bytes, raw| {
            // SAFETY: as in `to_layout`.
            unsafe {
                let target = target.as_raw();
                sys::hurray_tensor_quantize(self.as_raw(), target, parameters, into, options, bytes, raw)
            }
        })
    }

    /// The codes of a packed type, one a byte.
    pub fn unpack(&self, into: Option<&Buffer>, options: Option<&Options>) -> Result<Converted> {
        converted(into, options, |into, options, bytes, raw| {
            // SAFETY: as in `to_layout`.
            unsafe { sys::hurray_tensor_unpack(self.as_raw(), into, options, bytes, raw) }
        })
    }

    /// Codes of one a byte, `int8` or `uint8`, as a packed type.
    pub fn pack(
        &self,
        element_type: ElementType,
        into: Option<&Buffer>,
        options: Option<&Options>,
    ) -> Result<Converted> {
        converted(into, options, |into, options, bytes, raw| {
            // SAFETY: as in `to_layout`.
            unsafe { sys::hurray_tensor_pack(self.as_raw(), element_type.0, into, options, bytes, raw) }
        })
    }

    /// Part of a dense tensor: from `start` on, before `stop`, in steps that may be negative; empty, they are steps of one.
    pub fn slice(
        &self,
        start: &[i64],
        stop: &[i64],
        step: &[i64],
        options: Option<&Options>,
    ) -> Result<Converted> {
        let rank = start.len();
        if stop.len() != rank || !(step.is_empty() || step.len() == rank) {
            return Err(Error::new(Status::INVALID_ARGUMENT, "start, stop and step differ in length"));
        }
        let step = if step.is_empty() { std::ptr::null() } else { step.as_ptr() };
        let (start, stop) = (start.as_ptr(), stop.as_ptr());
        converted(None, options, |_, options, bytes, raw| {
            // SAFETY: the handles are live, the arrays are as long as said, and the outputs are locals of `converted`.
            unsafe { sys::hurray_tensor_slice(self.as_raw(), start, stop, step, rank, options, bytes, raw) }
        })
    }

    /// The tensor's descriptor with its statistics section filled, in one pass over the elements.
    pub fn statistics(&self, options: Option<&Options>) -> Result<Descriptor> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handles are live, and the out-parameter is a local.
        check(unsafe { sys::hurray_tensor_statistics(self.as_raw(), options::pointer(options), &mut raw) })?;
        Descriptor::made(raw)
    }

    /// All tokens of a block-paged tensor, row-major; without lengths where one sequence, or full pages, tell them.
    pub fn gather(
        &self,
        sequence_lengths: Option<&[u64]>,
        into: Option<&Buffer>,
        options: Option<&Options>,
    ) -> Result<Converted> {
        let (lengths, len) = lengths(sequence_lengths);
        converted(into, options, |into, options, bytes, raw| {
            // SAFETY: the handles and the lengths are live, and the outputs are locals of `converted`.
            unsafe { sys::hurray_tensor_gather(self.as_raw(), lengths, len, into, options, bytes, raw) }
        })
    }

    /// Writes the tokens of this tensor into the page pool of a block-paged one; gives the bytes that were written.
    ///
    /// # Safety
    /// Nobody else reads or writes the pool meanwhile.
    pub unsafe fn scatter(
        &self,
        paged: &Tensor,
        sequence_lengths: Option<&[u64]>,
        options: Option<&Options>,
    ) -> Result<u64> {
        let ((lengths, len), mut bytes) = (lengths(sequence_lengths), 0);
        let options = options::pointer(options);
        // SAFETY: the handles and the lengths are live, the pool is the caller's alone, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_tensor_scatter(self.as_raw(), paged.as_raw(), lengths, len, options, &mut bytes)
        })?;
        Ok(bytes)
    }

    /// Holds what the buffers hold to the format: indices, pointers, pages, parameters, unused bits.
    pub fn check_data(&self, options: Option<&Options>) -> Result<()> {
        // SAFETY: the handles are live.
        check(unsafe { sys::hurray_tensor_check_data(self.as_raw(), options::pointer(options)) })
    }

    /// The offset of an element, in elements from the one at index zero; below it as two's complement.
    pub fn element_offset(&self, index: &[u64]) -> Result<u64> {
        let mut offset = 0;
        // SAFETY: the handle and the index are live, and the out-parameter is a local.
        check(unsafe {
            sys::hurray_tensor_element_offset(self.as_raw(), index.as_ptr(), index.len(), &mut offset)
        })?;
        Ok(offset)
    }
}

impl DescriptorRef {
    /// The offset of an element of a dense layout, as [`Tensor::element_offset`].
    pub fn element_offset(&self, index: &[u64]) -> Result<u64> {
        let mut offset = 0;
        // SAFETY: as above.
        check(unsafe {
            sys::hurray_descriptor_element_offset(self.as_raw(), index.as_ptr(), index.len(), &mut offset)
        })?;
        Ok(offset)
    }
}

impl ItemRef {
    /// One row-major tensor of a composite: a partition joined, an overlay applied.
    pub fn assemble(&self, into: Option<&Buffer>, options: Option<&Options>) -> Result<Converted> {
        converted(into, options, |into, options, bytes, raw| {
            // SAFETY: the handles are live, and the outputs are locals of `converted`.
            unsafe { sys::hurray_item_assemble(self.as_raw(), into, options, bytes, raw) }
        })
    }
}

/// Lengths as the library takes them: NULL and 0 for none.
fn lengths(of: Option<&[u64]>) -> (*const u64, usize) {
    of.map_or((std::ptr::null(), 0), |of| (of.as_ptr(), of.len()))
}

/// The result of a conversion that takes a buffer and options.
fn converted(
    into: Option<&Buffer>,
    options: Option<&Options>,
    call: impl FnOnce(
        *const sys::HurrayBuffer,
        *const sys::HurrayOptions,
        *mut u64,
        *mut *mut sys::HurrayTensor,
    ) -> sys::HurrayStatus,
) -> Result<Converted> {
    let into = into.map_or(std::ptr::null(), |buffer| buffer.as_raw().cast_const());
    let (mut bytes, mut raw) = (0, std::ptr::null_mut());
    check(call(into, options::pointer(options), &mut bytes, &mut raw))?;
    Ok((Tensor::made(raw)?, bytes))
}
