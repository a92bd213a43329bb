//! One array inside a tensor, as a dense tensor that shares it.

use super::array::{Dense, single};
use super::buffer::{Buffer, MIN_ALIGNMENT};
use super::foreign::Attributes;
use super::guard::{clear, put, wanted};
use super::handles::{HurrayStatus, HurrayTensor};
use super::prefix::state;
use super::tensor::{Owner, Tensor};
use crate::format::part as find;
use crate::format::{Fault, Layout, Status, element_info, packed_bytes};

/// One array inside a tensor as a dense tensor that shares it: row-major, or strided for block parameters whose axis is
/// not the last one. `role` is a `HURRAY_ROLE_...` value: `VALUES`
/// `[nnz]` or pages `[num_pages, page_size, H, D]`, `INDICES` (COO `[nnz, rank]`, CSR, CSC), `POINTERS`, `CSF_POS` and
/// `CSF_CRD` (with `level`), `BLOCK_TABLE`, `SEQ_PTR`, `SCALES` and `ZERO_POINTS` (shaped by the blocks, also when both sit
/// in one buffer). `level` is 0 for every other role.
///
/// *Ownership:* the part is the caller's; it keeps the whole tensor alive, owner and all.
/// *Errors:* `HURRAY_ERR_FIELD_NOT_APPLICABLE` (the tensor has no such part), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS` (level),
/// `HURRAY_ERR_INVALID_ARGUMENT` (no such role), `HURRAY_ERR_UNSUPPORTED` (its shape cannot be told),
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_part(
    tensor: *const HurrayTensor,
    role: u32,
    level: u32,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(TENSOR, tensor, tensor_part(tensor, role, level, out_tensor))
}

pub(crate) unsafe fn part(
    tensor: *const HurrayTensor,
    role: u32,
    level: u32,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    let core = unsafe {
        wanted(out_tensor, "out_tensor")?;
        Tensor::core(tensor)
    };
    let part = find(core.descriptor(), role, level)?;
    let Some(buffer) = core.buffers().get(part.buffer as usize) else {
        return Err(Fault::new(Status::INTERNAL, "", "a part names a buffer that is not there"));
    };
    let whole = core.descriptor();
    // Values of a private type are as wide as the whole tensor's section says.
    let is_whole = part.element_type == whole.element_type;
    let bits = if is_whole { whole.bits() } else { element_info(part.element_type).map(|info| info.bits) };
    let bytes = part
        .shape
        .iter()
        .try_fold(1u64, |count, &n| count.checked_mul(n))
        .zip(bits)
        .and_then(|(count, bits)| packed_bytes(bits, count))
        .filter(|bytes| part.byte_offset.checked_add(*bytes).is_some_and(|end| end <= buffer.byte_size))
        .ok_or_else(|| Fault::new(Status::BUFFER_MISMATCH, "", "the part does not lie inside its buffer"))?;
    let from = buffer.data.wrapping_byte_add(part.byte_offset as usize);
    // Only zero points that follow scales begin off the grid.
    let lead = if bytes == 0 { 0 } else { (from as u64 % u64::from(MIN_ALIGNMENT)) as u32 };
    let attributes = Attributes {
        data: from.wrapping_byte_sub(lead as usize),
        byte_size: bytes + u64::from(lead),
        alignment: MIN_ALIGNMENT,
        lead,
        ..buffer.attributes()
    };
    let share = Buffer::new(attributes, state::BORROWED, buffer.keep_alive());
    // Blocks along their axis are neighbours: not row-major unless it is the last one.
    let layout = part.strides.map_or(Layout::RowMajor, Layout::Strided);
    let dense = Dense {
        element_type: part.element_type,
        extension_type: if is_whole { whole.extension_type.clone() } else { None },
        shape: &part.shape,
        layout,
        byte_offset: u64::from(lead),
    };
    let ready = single(dense, share, Owner::NONE)?;
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_tensor, ready.publish(), "out_tensor") }
}
