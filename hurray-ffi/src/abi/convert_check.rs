//! A deep look at what a tensor's buffers hold.

use super::convert_call::{Source, job};
use super::convert_sparse::all_bytes;
use super::handles::{HurrayOptions, HurrayStatus, HurrayTensor};
use super::options::Options;
use super::shared::Shared;
use super::tensor::{Core, Tensor};
use crate::convert::check::check;
use crate::convert::job::Job;
use crate::format::Fault;

/// Holds the contents of a tensor's buffers to the format: coordinates inside the shape and in order, pointers that
/// rise to the number of entries, no coordinate twice, pages that exist, scales and zero points that their scheme allows,
/// unused bits that are 0. The text names the rule, the part and the position in it. A descriptor alone tells none of this, and
/// no other call needs it: conversions check each index as they use it.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_LAYOUT` (L-031 to L-034, L-039), `HURRAY_ERR_BUFFER_MISMATCH` (L-030),
/// `HURRAY_ERR_INVALID_DESCRIPTOR`, `HURRAY_ERR_CORRUPT` (unused bits, which readers ignore),
/// `HURRAY_ERR_UNSUPPORTED` (a type, layout or scheme that is not understood, Q-036, memory that the host may not read or that is
/// not ready), `HURRAY_ERR_INVALID_ARGUMENT` (a dynamic dimension), `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_check_data(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
) -> HurrayStatus {
    dispatch!(TENSOR, tensor, tensor_check_data(tensor, options))
}

pub(crate) unsafe fn check_data(
    tensor: *const HurrayTensor,
    options: *const HurrayOptions,
) -> Result<(), Fault> {
    // SAFETY: routed here; the options are the caller's by contract.
    let (core, options) = unsafe { (Tensor::core(tensor), Options::own(options)?) };
    let job = job(options);
    let bytes = core.descriptor().buffers.iter().fold(0u64, |sum, entry| sum.saturating_add(entry.byte_size));
    job.begin(bytes);
    check_core(core, &job)?;
    job.end();
    Ok(())
}

/// Checks the contents of a tensor.
pub(crate) fn check_core(core: &Shared<Core>, job: &Job<'_>) -> Result<(), Fault> {
    let source = Source::new(core)?;
    check(source.descriptor(), &all_bytes(&source)?, job)
}
