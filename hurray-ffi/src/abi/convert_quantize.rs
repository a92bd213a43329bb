//! Numbers to codes, under parameters that are given or computed.

use super::buffer::HURRAY_BUFFER_HOST_POINTER;
use super::buffer_attributes::not_host;
use super::convert_call::{Output, Source, finish, into_of, job, may_copy, row_major, target_of};
use super::convert_dequantize::too_many;
use super::foreign::{Attributes, list_attributes, list_len};
use super::guard::{clear, put, wanted};
use super::handles::{
    HurrayBuffer, HurrayBufferList, HurrayDescriptor, HurrayOptions, HurrayStatus, HurrayTensor,
};
use super::list::List;
use super::options::Options;
use super::prefix::{Route, mark, null, route};
use super::tensor::Tensor;
use crate::convert::calibrate::Ranges;
use crate::convert::dense::{Side, copy};
use crate::convert::dequantize::{Packed, convert};
use crate::convert::job::Job;
use crate::convert::offset::Map;
use crate::convert::quantize::quantize as numbers_to_codes;
use crate::convert::scheme::{Arrays, Parameters, Place, filled};
use crate::convert::target::check;
use crate::format::parameters::{default_sizes, parameters};
use crate::format::{Descriptor, Fault, Layout, Quantization, Scheme, Status, device, packed_bytes};
use smallvec::SmallVec;

type Outputs = SmallVec<[Output; 2]>;

/// Codes of the scheme and storage type of `target`, in its layout, for a dense tensor of real numbers without a scheme and
/// of the target's shape. A target without a scheme, of a floating-point type, takes the numbers themselves.
///
/// A number is divided by its scale in float64 and becomes the nearest code, ties to even: affine schemes round, add the
/// zero point and stop at the ends of the storage type's range, NF4 takes the nearest level, MXFP the nearest element
/// value. Infinities become the outermost codes, and so do numbers past the largest in `float8_*`, `float6_*` and
/// `float4_e2m1`; in `float16` and wider types they become infinity. `float8_e8m0` takes numbers above 0 alone.
///
/// `parameters` holds the target's parameter buffers, in the order of its buffer table; they are copied. An empty list
/// means that a per-tensor scheme's scale and zero point are those of the target. With NULL they are computed from the
/// finite numbers of the tensor, each channel or block: affine scales are the largest magnitude by the greatest code
/// (symmetric; per-tensor schemes of signed types too), or the range with 0 in it by the number of steps, rounded up; then
/// an error is at most half a scale. NF4 scales are the largest magnitude: at most 0.16 scales. MXFP scales are
/// 2^(floor(log2(largest magnitude)) - exponent of the largest element value): half a last place, and what is past the
/// largest element value saturates. Where all numbers are 0, the scale is 1 (NF4: 0). float32's own rounding adds to
/// each bound when codes are read back.
///
/// The data buffer holds whole blocks, those past the shape zero. `into` takes the codes; it and the options are those of
/// `hurray_tensor_to_layout`. `out_bytes` counts codes and parameters.
///
/// *Ownership:* the result is the caller's; tensor, target, parameters and `into` stay so. After a failure the bytes of
/// `into` are undefined.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (a NaN, or a number, that the type has no code for, with its row-major
/// position; another shape; a tensor that has a scheme; a number of parameter buffers; `into`),
/// `HURRAY_ERR_INVALID_DESCRIPTOR` (a given parameter that may not occur, such as a scale of 0: ),
/// `HURRAY_ERR_BUFFER_MISMATCH` (Q-025: the size of a parameter buffer), `HURRAY_ERR_INVALID_TYPE` (a complex or private
/// type; a target without a scheme that is no floating-point type, or `float128`), `HURRAY_ERR_UNSUPPORTED` (a layout that
/// is not dense; memory), `HURRAY_ERR_OVERFLOW` (also a scale past its type), `HURRAY_ERR_COPY_REQUIRED`,
/// `HURRAY_ERR_BUFFER_TOO_SMALL` (`into`), `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_quantize(
    tensor: *const HurrayTensor,
    target: *const HurrayDescriptor,
    parameters: *const HurrayBufferList,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(
        TENSOR,
        tensor,
        tensor_quantize(tensor, target, parameters, into, options, out_bytes, out_tensor)
    )
}

pub(crate) unsafe fn quantize(
    tensor: *const HurrayTensor,
    target: *const HurrayDescriptor,
    parameters: *const HurrayBufferList,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the other handles and the outputs are the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let options = Options::own(options)?;
        let target = target_of(target)?.ok_or_else(|| null("target"))?;
        let given = match parameters.is_null() {
            true => None,
            false => Some(attributes_of(parameters)?),
        };
        let source = Source::new(Tensor::core(tensor))?;
        fits(source.descriptor(), &target)?;
        may_copy(options)?;
        let count = source.descriptor().element_count().ok_or_else(too_many)?;
        let scheme = target.quantization.as_ref().map(|quantization| &quantization.scheme);
        let bits = target.bits().unwrap_or(8);
        let sizes = default_sizes(&target.layout, &target.shape, bits, target.byte_offset, scheme)?;
        let len = sizes.first().copied().unwrap_or(0);
        let mut output = Output::within(into_of(into)?, len, &[source])?;
        let job = job(options);
        let mut room = Vec::new();
        let from = Packed { tag: source.descriptor().element_type, bytes: row_major(&source, &mut room)? };
        let mut maker = Maker { target: &target, from, count, job: &job };
        let looked_at = if scheme.is_some() && given.is_none() { from.bytes.len() as u64 } else { 0 };
        job.begin(len.saturating_add(looked_at));
        let mut descriptor =
            target.in_layout(target.layout.try_clone()?, target.byte_offset.saturating_add(output.lead()))?;
        let mut arrays = Outputs::new();
        if let Some(quantization) = &mut descriptor.quantization {
            arrays = maker.parameters(quantization, sizes.get(1..).unwrap_or_default(), given.as_deref())?;
        } else if given.is_some_and(|given| !given.is_empty()) {
            return Err(wrong_count(0));
        }
        let scheme = descriptor.quantization.as_ref().map(|quantization| &quantization.scheme);
        if !output.is_zero() {
            output.bytes().fill(0);
        }
        maker.write(scheme, &mut arrays, output.bytes())?;
        let parts = std::iter::once(output).chain(arrays).map(Output::into_parts);
        let ready = finish(descriptor, parts)?;
        put(out_tensor, ready.publish(), "out_tensor")?;
        if !out_bytes.is_null() {
            put(out_bytes, sizes.iter().fold(0u64, |sum, &size| sum.saturating_add(size)), "out_bytes")?;
        }
        Ok(())
    }
}

fn fits(source: &Descriptor, target: &Descriptor) -> Result<(), Fault> {
    let refused = |what, field| Fault::new(Status::INVALID_ARGUMENT, "", what).field(field);
    if source.quantization.is_some() {
        return Err(refused("the tensor holds codes already: dequantize it first", "scheme_tag"));
    }
    if source.shape != target.shape {
        return Err(refused("the target has another shape than the tensor", "shape"));
    }
    if !target.is_understood() {
        return Err(Fault::new(
            Status::UNSUPPORTED,
            "",
            "type, layout or scheme of the target is not understood",
        ));
    }
    check(&target.layout, &target.shape)
}

/// The buffers of a list of any copy.
///
/// # Safety
/// `list` is a handle.
unsafe fn attributes_of(list: *const HurrayBufferList) -> Result<SmallVec<[Attributes; 2]>, Fault> {
    let mut found = SmallVec::new();
    // SAFETY: as this function's own; routed before it is read.
    unsafe {
        match route(list.cast(), mark::LIST)? {
            Route::Home => {
                for buffer in List::of(list).buffers() {
                    found.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                    found.push(buffer.attributes());
                }
            }
            Route::Away(table) => {
                for index in 0..list_len(list, table)? {
                    found.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                    found.push(list_attributes(list, index, table)?);
                }
            }
        }
    }
    Ok(found)
}

#[cold]
fn wrong_count(count: usize) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", "the list does not hold the target's parameter buffers")
        .field("parameters")
        .limit(count as u64)
}

/// Copies a caller's parameter buffer.
///
/// # Safety
/// Its memory is readable, by the list's contract.
unsafe fn taken(of: &Attributes, index: usize, size: u64) -> Result<Output, Fault> {
    let len = of.byte_size.saturating_sub(of.lead.into());
    if len != size {
        let what = "a parameter buffer has another size than the scheme needs";
        return Err(Fault::new(Status::BUFFER_MISMATCH, "Q-025", what)
            .field("parameters")
            .index(index)
            .value(len)
            .limit(i128::from(size)));
    }
    if of.device_tag != device::CPU && of.flags & HURRAY_BUFFER_HOST_POINTER == 0 {
        return Err(not_host(of.device_tag));
    }
    if of.sync_mode != 0 {
        let what = "a buffer waits for an event or a stream, which this call cannot know to be over";
        return Err(Fault::new(Status::UNSUPPORTED, "", what).field("sync_mode").value(of.sync_mode));
    }
    let mut output = Output::new(size)?;
    if size > 0 {
        // SAFETY: as this function's own; the lead is inside the buffer, whose size was held against it above.
        unsafe {
            let start = of.data.cast::<u8>().add(of.lead as usize);
            std::ptr::copy_nonoverlapping(start, output.bytes().as_mut_ptr(), size as usize);
        }
    }
    Ok(output)
}

/// One call's numbers and target.
struct Maker<'a> {
    target: &'a Descriptor,
    from: Packed<'a>,
    count: u64,
    job: &'a Job<'a>,
}

impl Maker<'_> {
    /// The parameter buffers, copied or computed; a per-tensor scheme's go into the scheme.
    ///
    /// # Safety
    /// The memory of `given` is readable.
    unsafe fn parameters(
        &mut self,
        quantization: &mut Quantization,
        sizes: &[u64],
        given: Option<&[Attributes]>,
    ) -> Result<Outputs, Fault> {
        let mut outputs = Outputs::new();
        outputs.try_reserve(sizes.len()).map_err(|_| Fault::out_of_memory())?;
        let (tag, shape) = (self.target.element_type, &self.target.shape);
        if let Some(given) = given {
            if given.len() != sizes.len() {
                return Err(wrong_count(sizes.len()));
            }
            for (index, (of, &size)) in given.iter().zip(sizes).enumerate() {
                // SAFETY: as this function's own.
                outputs.push(unsafe { taken(of, index, size)? });
            }
            return Ok(outputs);
        }
        for &size in sizes {
            outputs.push(Output::new(size)?);
        }
        let scheme = &quantization.scheme;
        let places = parameters(scheme, &self.target.layout, shape)?;
        let groups = match places.scales {
            Some(scales) => {
                scales.count.and_then(|count| usize::try_from(count).ok()).ok_or_else(too_many)?
            }
            None => 1,
        };
        let ranges = Ranges::of(self.from, Place::new(scheme, shape), groups, self.count, self.job)?;
        if let Scheme::PerTensor { .. } = scheme {
            let (scale, zero_point) = ranges.one(tag)?;
            quantization.scheme = Scheme::PerTensor { scale, zero_point };
            return Ok(outputs);
        }
        let [scales, zeros] = self.split(scheme, &mut outputs)?;
        let (Some(found), Some(scales)) = (places.scales, scales) else { return Ok(outputs) };
        ranges.write(tag, scheme, found.element_type, scales, zeros)?;
        Ok(outputs)
    }

    /// The arrays of scales and zero points in the parameter buffers.
    fn split<'b>(
        &self,
        scheme: &Scheme,
        outputs: &'b mut Outputs,
    ) -> Result<[Option<&'b mut [u8]>; 2], Fault> {
        let places = parameters(scheme, &self.target.layout, &self.target.shape)?;
        let (Some(scales), zeros) = (places.scales, places.zero_points) else { return Ok([None, None]) };
        let mut found = [None, None];
        for (index, output) in outputs.iter_mut().enumerate() {
            // The layouts are dense: entry 0 is the data, then come the parameters.
            let index = index as u32 + 1;
            let bytes = output.bytes();
            let [of_scales, of_zeros] = &mut found;
            match zeros {
                Some(zeros) if zeros.buffer == index && scales.buffer == index => {
                    let middle = usize::try_from(zeros.offset).unwrap_or(usize::MAX).min(bytes.len());
                    let (first, second) = bytes.split_at_mut(middle);
                    (*of_scales, *of_zeros) = (Some(first), Some(second));
                }
                Some(zeros) if zeros.buffer == index => *of_zeros = Some(bytes),
                _ => *of_scales = Some(bytes),
            }
        }
        Ok(found)
    }

    /// Writes the codes in the target's layout.
    fn write(&self, scheme: Option<&Scheme>, outputs: &mut Outputs, out: &mut [u8]) -> Result<(), Fault> {
        let shape = &self.target.shape;
        let (width, layout) = (self.target.bits().unwrap_or(8), &self.target.layout);
        let len = packed_bytes(width, self.count).and_then(|len| usize::try_from(len).ok());
        let len = len.ok_or_else(Fault::out_of_memory)?;
        let (Some(rows), Some(map)) = (Map::of(&Layout::RowMajor, shape)?, Map::of(layout, shape)?) else {
            return Err(Fault::new(Status::UNSUPPORTED, "", "codes are written in dense layouts")
                .field("layout_tag")
                .value(layout.tag()));
        };
        if rows.is_same(&map, shape) {
            let start = usize::try_from(self.target.byte_offset).unwrap_or(usize::MAX);
            let out = out.get_mut(start..).and_then(|out| out.get_mut(..len));
            return self.codes(scheme, outputs, out.unwrap_or_default());
        }
        let mut room = filled(0u8, len)?;
        self.codes(scheme, outputs, &mut room)?;
        let (from, to) =
            (Side { map: &rows, byte_offset: 0 }, Side { map: &map, byte_offset: self.target.byte_offset });
        copy(shape, width, (&room, from), (out, to), &Job::new(None, 1))
    }

    fn codes(&self, scheme: Option<&Scheme>, outputs: &mut Outputs, out: &mut [u8]) -> Result<(), Fault> {
        let (tag, shape) = (self.target.element_type, &self.target.shape);
        let Some(scheme) = scheme else {
            if !matches!(tag, 0x01..=0x04 | 0x40..=0x45) {
                let what = "without a scheme, numbers become a floating-point type other than float128";
                return Err(Fault::new(Status::INVALID_TYPE, "", what).field("element_type").value(tag));
            }
            return convert(self.from, self.count, tag, out, self.job);
        };
        let places = parameters(scheme, &self.target.layout, shape)?;
        let [scales, zeros] = self.split(scheme, outputs)?;
        let arrays = match (places.scales, scales) {
            (Some(found), Some(scales)) => Some(Arrays {
                scales,
                scale_type: found.element_type,
                zeros: zeros.map(|bytes| &*bytes),
                count: found.count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0),
            }),
            _ => None,
        };
        let found = Parameters::read(tag, scheme, Place::new(scheme, shape), arrays)?;
        numbers_to_codes(self.from, &found, scheme, tag, self.count, out, self.job)
    }
}
