//! A descriptor with the statistics of its tensor.

use super::convert_call::{Source, job, row_major};
use super::convert_dequantize::{read, stored, too_many};
use super::descriptor::{publish, shared};
use super::guard::{clear, wanted};
use super::handles::{HurrayDescriptor, HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::Options;
use super::tensor::Tensor;
use crate::convert::dequantize::Packed;
use crate::convert::statistics::statistics;
use crate::format::extent::{Volume, volume};
use crate::format::{Boxed, Descriptor, Fault, Layout, Status};

/// The tensor's descriptor with its statistics section filled, in one pass over the elements: how many are not zero, the
/// share of zeros, minimum, maximum and largest magnitude, mean and population standard deviation, and whether there is
/// a NaN or an infinity; not the N:M pattern.
///
/// Numbers are those that quantized codes stand for. Everything but positive zero counts as not zero; what a sparse
/// layout does not store is zero, and the count is the layout's. A NaN is left out of minimum and maximum; with a NaN or
/// an infinity there are no moments, and complex numbers have neither. What is not there has its mask bit clear.
///
/// *Ownership:* the descriptor is the caller's. *Errors:* `HURRAY_ERR_UNSUPPORTED` (block-paged, private types and layouts,
/// memory that the host may not read or that is not ready), `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension, parameters
/// that are no numbers), `HURRAY_ERR_BUFFER_MISMATCH`, `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`,
/// `HURRAY_ERR_INVALID_HANDLE` (options of another copy of the library included), `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_statistics(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_descriptor) };
    dispatch!(TENSOR, tensor, tensor_statistics(tensor, options, out_descriptor))
}

pub(crate) unsafe fn tensor_statistics(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> Result<(), Fault> {
    // SAFETY: routed here; options and output are the caller's by contract.
    unsafe {
        wanted(out_descriptor, "out_descriptor")?;
        let options = Options::own(options)?;
        let source = Source::new(Tensor::core(tensor))?;
        publish(shared(with_statistics(&source, options)?)?, out_descriptor)
    }
}

fn with_statistics(source: &Source<'_>, options: Option<&Options>) -> Result<Descriptor, Fault> {
    let whole = source.descriptor();
    if let Layout::BlockPaged(_) = whole.layout {
        let what = "which slots of its pages a block-paged tensor uses is not stored: gather it first";
        return Err(Fault::new(Status::UNSUPPORTED, "", what).field("layout_tag").value(whole.layout.tag()));
    }
    let stored = stored(whole).transpose()?;
    let mut room = Vec::new();
    let (count, bytes) = match stored {
        Some(count) => (count, source.bytes(0)?),
        None => (whole.element_count().ok_or_else(too_many)?, row_major(source, &mut room)?),
    };
    let zeros = match volume(&whole.shape) {
        _ if stored.is_none() => 0.0,
        Volume::Exact(all) => all.saturating_sub(u128::from(count)) as f64,
        Volume::Dynamic | Volume::Huge => return Err(too_many()),
    };
    let parameters = match &whole.quantization {
        Some(quantization) => Some(read(source, quantization, stored.is_some())?),
        None => None,
    };
    let job = job(options);
    job.begin(bytes.len() as u64);
    let elements = Packed { tag: whole.element_type, bytes };
    let mut found = statistics(elements, parameters.as_ref(), count, zeros, &job)?;
    if let Some(nnz) = stored {
        // Stored zeros are entries too.
        found.nnz = nnz;
        found.sparsity_ratio = if zeros > 0.0 { zeros / (zeros + nnz as f64) } else { 0.0 };
    }
    let mut descriptor = whole.in_layout(whole.layout.try_clone()?, whole.byte_offset)?;
    descriptor.buffers.try_reserve(whole.buffers.len()).map_err(|_| Fault::out_of_memory())?;
    descriptor.buffers.extend_from_slice(&whole.buffers);
    descriptor.statistics = Some(Boxed::try_new(found)?);
    descriptor.flag_sections();
    descriptor.validate()?;
    Ok(descriptor)
}
