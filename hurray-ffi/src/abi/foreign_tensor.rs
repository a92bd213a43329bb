//! Tensors and items of another copy of the library, made this copy's own without copying their bytes.

use super::foreign::{Foreign, call};
use super::guard::out_of_memory;
use super::handles::{HurrayBufferList, HurrayDescriptor, HurrayItem, HurrayTensor};
use super::item::{
    HURRAY_ITEM_COMPOSITE, HURRAY_ITEM_TENSOR, ItemCore, MOST_LEVELS, compose, core_of, lonely,
};
use super::list::List;
use super::prefix::Prefix;
use super::shared::Shared;
use super::table::Table;
use super::tensor::{Core, Owner, join};
use super::version::HURRAY_C_ABI_VERSION;
use crate::format::{Descriptor, Fault};
use std::ffi::c_void;
use std::ptr::null_mut;

/// The table that a handle's prefix names.
///
/// # Safety
/// `handle` is a live handle of this build version.
unsafe fn maker(handle: *const c_void) -> *const Table {
    // SAFETY: as this function's own.
    unsafe { (&raw const (*handle.cast::<Prefix>()).table).read() }
}

/// Encoded there, decoded here. Strictly, unless it was read permissively there.
///
/// # Safety
/// `descriptor` is a live handle of this build version.
pub(crate) unsafe fn bring_in_descriptor(
    descriptor: *const HurrayDescriptor,
) -> Result<Shared<Descriptor>, Fault> {
    // SAFETY: as this function's own.
    let table = unsafe { maker(descriptor.cast()) };
    let mut len = 0;
    let measured = call!(table, descriptor_encode(descriptor, null_mut(), &raw mut len));
    if len == 0 {
        measured?;
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| out_of_memory(len as u64))?;
    bytes.resize(len, 0);
    call!(table, descriptor_encode(descriptor, bytes.as_mut_ptr(), &raw mut len))?;
    let decoded = Descriptor::decode(&bytes, false).or_else(|_| Descriptor::decode(&bytes, true))?;
    Shared::try_new(decoded).map_err(|(_, fault)| fault)
}

/// A core of this copy over a share of another copy's tensor.
///
/// # Safety
/// `tensor` is usable and belongs to `table`, a table of this build version.
pub(crate) unsafe fn bring_in_tensor(
    tensor: *const HurrayTensor,
    table: *const Table,
) -> Result<Shared<Core>, Fault> {
    let mut share: *mut HurrayTensor = null_mut();
    call!(table, tensor_share(tensor, &raw mut share))?;
    // SAFETY: a fresh, owned handle of that copy, which nobody else ends.
    let foreign = unsafe { Foreign::take(share.cast(), table) }.inspect_err(|_| {
        // SAFETY: as above; `destroy` is at a fixed place in every table.
        unsafe { ((*table).destroy)((&raw mut share).cast()) };
    })?;
    foreign.commit();
    let mut descriptor: *mut HurrayDescriptor = null_mut();
    call!(table, tensor_descriptor(share, &raw mut descriptor))?;
    let mut list: *mut HurrayBufferList = null_mut();
    call!(table, tensor_buffers(share, &raw mut list))?;
    // SAFETY: borrowed handles of a share that `foreign` keeps.
    let (descriptor, list) =
        unsafe { (bring_in_descriptor(descriptor)?, List::bring_in(list, maker(list.cast()), &foreign)?) };
    let ready = join(descriptor, list, Owner::NONE, HURRAY_C_ABI_VERSION).map_err(|(_, fault)| fault)?;
    Ok(ready.into_core())
}

/// A core of this copy over another copy's item, member by member.
///
/// # Safety
/// `item` is usable and belongs to `table`, a table of this build version.
pub(crate) unsafe fn bring_in_item(
    item: *const HurrayItem,
    table: *const Table,
) -> Result<Shared<ItemCore>, Fault> {
    let mut kind = 0;
    call!(table, item_kind(item, &raw mut kind))?;
    if kind == HURRAY_ITEM_TENSOR {
        let mut tensor: *mut HurrayTensor = null_mut();
        call!(table, item_tensor(item, &raw mut tensor))?;
        // SAFETY: a fresh, owned handle of this build version.
        let (core, reported) = unsafe {
            let core = bring_in_tensor(tensor, maker(tensor.cast()));
            let reported = (&raw const (*tensor.cast::<Prefix>()).reported_abi).read();
            ((*maker(tensor.cast())).destroy)((&raw mut tensor).cast());
            (core?, reported)
        };
        return core_of(ItemCore::Tensor(core, reported));
    }
    if kind != HURRAY_ITEM_COMPOSITE {
        return Err(lonely());
    }
    let mut head: *mut HurrayDescriptor = null_mut();
    call!(table, item_head(item, &raw mut head))?;
    let mut count = 0;
    call!(table, item_member_count(item, &raw mut count))?;
    // SAFETY: a borrowed handle of this build version.
    let head = unsafe { bring_in_descriptor(head)? };
    let count = usize::try_from(count).map_err(|_| out_of_memory(count))?;
    compose(
        head,
        (0..count).map(|index| {
            let mut member: *mut HurrayItem = null_mut();
            call!(table, item_member(item, index as u64, &raw mut member))?;
            // SAFETY: a borrowed handle of this build version; composites nest at most `MOST_LEVELS` deep in every copy.
            unsafe { bring_in_item(member, maker(member.cast())) }
        }),
        MOST_LEVELS,
    )
}
