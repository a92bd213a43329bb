//! Items: what a stream or a file yields and a writer accepts: one tensor, or a composite of items.

use super::descriptor::DescriptorHandle;
use super::foreign_tensor::bring_in_item;
use super::guard::{clear, out_of_memory, put, slice, wanted};
use super::handles::{HurrayDescriptor, HurrayItem, HurrayStatus, HurrayTensor};
use super::live::{born, destroy};
use super::prefix::{Head, Route, mark, null, route, state};
use super::shared::{Shared, try_box};
use super::tensor::{Core, Tensor, hand_out};
use super::version::HURRAY_C_ABI_VERSION;
use crate::format::composite::{Composite, MAX_DEPTH};
use crate::format::{Descriptor, Fault, Layout, Status};

/// The item is one tensor.
pub const HURRAY_ITEM_TENSOR: u32 = 1;
/// The item is a composite: a head, and members that are items themselves.
pub const HURRAY_ITEM_COMPOSITE: u32 = 2;
/// The item is a descriptor without a tensor: one whose layout is unknown, or a composite's head given alone.
pub const HURRAY_ITEM_DESCRIPTOR: u32 = 3;

/// Deepest nesting that any reader may allow: items end by recursion.
pub(crate) const MOST_LEVELS: u32 = 64;

/// What a `HurrayItem` points at.
#[repr(C)]
pub(crate) struct Item {
    head: Head,
    core: Shared<ItemCore>,
}

/// What all shares of one item hold on to.
pub(crate) enum ItemCore {
    /// A tensor, and the ABI version it reports.
    Tensor(Shared<Core>, u32),
    /// A composite.
    Composite(Group),
    /// A descriptor without a tensor.
    Alone(Alone),
}

/// A descriptor, as a borrowed handle, and the bytes that came with it, where they could be told from what follows.
pub(crate) struct Alone {
    descriptor: DescriptorHandle,
    data: Option<Shared<Core>>,
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.descriptor.head.bury();
    }
}

/// A composite's head and members, as borrowed handles.
pub(crate) struct Group {
    head: DescriptorHandle,
    members: Vec<Item>,
    depth: u32,
}

impl Group {
    /// The head.
    pub(crate) fn head(&self) -> &Descriptor {
        &self.head.inner
    }

    /// The members, in order.
    pub(crate) fn members(&self) -> impl Iterator<Item = &ItemCore> {
        self.members.iter().map(|member| &*member.core)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.head.head.bury();
        for member in &self.members {
            member.head.bury();
        }
    }
}

impl ItemCore {
    /// Levels of composites: 0 for a tensor.
    fn depth(&self) -> u32 {
        match self {
            ItemCore::Tensor(..) | ItemCore::Alone(_) => 0,
            ItemCore::Composite(group) => group.depth,
        }
    }

    /// The descriptor that a composite holds its member by: a tensor's own, or a nested head.
    pub(crate) fn descriptor(&self) -> &Descriptor {
        match self {
            ItemCore::Tensor(core, _) => core.descriptor(),
            ItemCore::Composite(group) => &group.head.inner,
            ItemCore::Alone(alone) => &alone.descriptor.inner,
        }
    }
}

impl Item {
    fn new(core: Shared<ItemCore>, state: u32) -> Item {
        Item { head: Head::new(mark::ITEM, state), core }
    }

    /// # Safety
    /// `item` is a live handle of this copy.
    unsafe fn of<'a>(item: *const HurrayItem) -> &'a Item {
        // SAFETY: as this function's own.
        unsafe { &*item.cast::<Item>() }
    }

    /// # Safety
    /// As [`Item::of`].
    pub(crate) unsafe fn core<'a>(item: *const HurrayItem) -> &'a Shared<ItemCore> {
        // SAFETY: as this function's own.
        &unsafe { Item::of(item) }.core
    }

    /// # Safety
    /// As [`Item::of`].
    unsafe fn group<'a>(item: *const HurrayItem) -> Result<&'a Group, Fault> {
        // SAFETY: as this function's own.
        match &**unsafe { Item::core(item) } {
            ItemCore::Composite(group) => Ok(group),
            ItemCore::Tensor(..) => Err(wrong_kind("the item is a tensor, not a composite")),
            ItemCore::Alone(_) => Err(lonely()),
        }
    }
}

fn wrong_kind(what: &'static str) -> Fault {
    Fault::new(Status::INVALID_ARGUMENT, "", what).field("item")
}

/// Refuses a descriptor without a tensor where one or a composite is wanted.
#[cold]
pub(crate) fn lonely() -> Fault {
    wrong_kind("the item is a descriptor alone, not a tensor or composite")
}

/// A descriptor without a tensor, and the bytes that came with it.
pub(crate) fn alone(
    descriptor: Shared<Descriptor>,
    data: Option<Shared<Core>>,
) -> Result<Shared<ItemCore>, Fault> {
    let descriptor = DescriptorHandle::new(descriptor, state::BORROWED);
    core_of(ItemCore::Alone(Alone { descriptor, data }))
}

/// A core for a new item.
pub(crate) fn core_of(core: ItemCore) -> Result<Shared<ItemCore>, Fault> {
    Shared::try_new(core).map_err(|(_, fault)| fault)
}

/// Hands an item out as an owned handle.
///
/// # Safety
/// `out` is a writable pointer.
pub(crate) unsafe fn publish(core: Shared<ItemCore>, out: *mut *mut HurrayItem) -> Result<(), Fault> {
    let item = try_box(Item::new(core, state::OWNED)).map_err(|(_, fault)| fault)?;
    born();
    // SAFETY: as this function's own.
    unsafe { put(out, Box::into_raw(item).cast(), "out_item") }
}

/// Joins a head and its members, by the rules of the whole composite.
pub(crate) fn compose(
    head: Shared<Descriptor>,
    members: impl ExactSizeIterator<Item = Result<Shared<ItemCore>, Fault>>,
    max_depth: u32,
) -> Result<Shared<ItemCore>, Fault> {
    let mut rules = Composite::new(&head)?;
    let mut kept = Vec::new();
    let room = members.len().saturating_mul(size_of::<usize>()) as u64;
    kept.try_reserve_exact(members.len()).map_err(|_| out_of_memory(room))?;
    let mut depth = 1;
    for member in members {
        let member = member?;
        if let ItemCore::Alone(_) = *member {
            return Err(lonely().index(kept.len()));
        }
        rules.member(member.descriptor())?;
        depth = depth.max(1 + member.depth());
        kept.push(member);
    }
    rules.close()?;
    if depth > max_depth {
        return Err(Fault::new(Status::LIMIT_EXCEEDED, "V-168", "composites are nested too deep")
            .field("depth")
            .value(depth)
            .limit(max_depth));
    }
    assemble(head, kept)
}

/// Joins a head and members that were held to the rules as they arrived.
pub(crate) fn assemble(
    head: Shared<Descriptor>,
    members: Vec<Shared<ItemCore>>,
) -> Result<Shared<ItemCore>, Fault> {
    let mut kept = Vec::new();
    let room = members.len().saturating_mul(size_of::<Item>()) as u64;
    kept.try_reserve_exact(members.len()).map_err(|_| out_of_memory(room))?;
    let depth = 1 + members.iter().map(|member| member.depth()).max().unwrap_or(0);
    kept.extend(members.into_iter().map(|member| Item::new(member, state::BORROWED)));
    let head = DescriptorHandle::new(head, state::BORROWED);
    core_of(ItemCore::Composite(Group { head, members: kept, depth }))
}

/// Makes an item of one tensor.
///
/// *Ownership:* the item is the caller's and keeps a share of the tensor; the tensor stays the caller's.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (the tensor's descriptor is a composite's head), `HURRAY_ERR_INVALID_HANDLE`,
/// `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_from_tensor(
    tensor: *const HurrayTensor,
    out_item: *mut *mut HurrayItem,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_item) };
    dispatch!(TENSOR, tensor, item_from_tensor(tensor, out_item))
}

pub(crate) unsafe fn from_tensor(
    tensor: *const HurrayTensor,
    out_item: *mut *mut HurrayItem,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_item, "out_item")?;
        let core = Tensor::core(tensor).clone();
        if matches!(core.descriptor().layout, Layout::Composite { .. }) {
            return Err(wrong_kind("a composite's head is no tensor; make a composite of it"));
        }
        publish(core_of(ItemCore::Tensor(core, Tensor::reported_abi(tensor)))?, out_item)
    }
}

/// Makes a composite of a head and its members, in order, by all rules of the whole composite. Members are tensors or
/// composites; the outermost head is level 1 of at most 8.
///
/// *Ownership:* the item is the caller's and keeps shares of the members; head and members stay the caller's.
/// *Errors:* `HURRAY_ERR_INVALID_LAYOUT` (a rule of the composite: the text names it and the member),
/// `HURRAY_ERR_LIMIT_EXCEEDED` (nesting), `HURRAY_ERR_OVERFLOW` (a volume beyond 128 bits),
/// `HURRAY_ERR_INVALID_ARGUMENT` (the descriptor is no head), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_composite_new(
    head: *const HurrayDescriptor,
    members: *const *const HurrayItem,
    count: usize,
    out_item: *mut *mut HurrayItem,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_item) };
    dispatch!(DESCRIPTOR, head, item_composite_new(head, members, count, out_item))
}

pub(crate) unsafe fn composite_new(
    head: *const HurrayDescriptor,
    members: *const *const HurrayItem,
    count: usize,
    out_item: *mut *mut HurrayItem,
) -> Result<(), Fault> {
    // SAFETY: routed here; arrays and outputs are the caller's by contract.
    unsafe {
        wanted(out_item, "out_item")?;
        let members = slice(members, count, "members")?;
        let head = (*head.cast::<DescriptorHandle>()).inner.clone();
        let members = members.iter().enumerate().map(|(index, &member)| {
            if member.is_null() {
                return Err(null("members").index(index));
            }
            home(member)
        });
        publish(compose(head, members, MAX_DEPTH)?, out_item)
    }
}

/// The core of an item, brought in if another copy made it.
///
/// # Safety
/// `item` is NULL or a handle.
pub(crate) unsafe fn home(item: *const HurrayItem) -> Result<Shared<ItemCore>, Fault> {
    // SAFETY: as this function's own.
    match unsafe { route(item.cast(), mark::ITEM)? } {
        // SAFETY: routed here.
        Route::Home => Ok(unsafe { Item::core(item) }.clone()),
        // SAFETY: a usable handle of that table, of this build version.
        Route::Away(table) => unsafe { bring_in_item(item, table) },
    }
}

/// Another handle on the same item.
///
/// *Ownership:* the share is the caller's; what the item holds goes with the last share.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_share(
    item: *const HurrayItem,
    out_item: *mut *mut HurrayItem,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_item) };
    dispatch!(ITEM, item, item_share(item, out_item))
}

pub(crate) unsafe fn share(item: *const HurrayItem, out_item: *mut *mut HurrayItem) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_item, "out_item")?;
        publish(Item::core(item).clone(), out_item)
    }
}

/// What the item is: `HURRAY_ITEM_TENSOR` or `HURRAY_ITEM_COMPOSITE`; from a stream reader with `PERMISSIVE` or `FLAT` also
/// `HURRAY_ITEM_DESCRIPTOR`.
///
/// *Ownership:* none.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_kind(item: *const HurrayItem, out_kind: *mut u32) -> HurrayStatus {
    dispatch!(ITEM, item, item_kind(item, out_kind))
}

pub(crate) unsafe fn kind(item: *const HurrayItem, out_kind: *mut u32) -> Result<(), Fault> {
    // SAFETY: routed here.
    let kind = match &**unsafe { Item::core(item) } {
        ItemCore::Tensor(..) => HURRAY_ITEM_TENSOR,
        ItemCore::Composite(_) => HURRAY_ITEM_COMPOSITE,
        ItemCore::Alone(_) => HURRAY_ITEM_DESCRIPTOR,
    };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_kind, kind, "out_kind") }
}

/// The tensor of an item of kind `HURRAY_ITEM_TENSOR`.
///
/// *Ownership:* the tensor is a share and the caller's; it outlives the item.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_tensor(
    item: *const HurrayItem,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(ITEM, item, item_tensor(item, out_tensor))
}

pub(crate) unsafe fn tensor(
    item: *const HurrayItem,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        match &**Item::core(item) {
            ItemCore::Tensor(core, reported_abi) => hand_out(core.clone(), *reported_abi, out_tensor),
            ItemCore::Composite(_) => Err(wrong_kind("the item is a composite, not a tensor")),
            ItemCore::Alone(_) => Err(lonely()),
        }
    }
}

/// The head of an item of kind `HURRAY_ITEM_COMPOSITE`, or the descriptor that an item of kind `HURRAY_ITEM_DESCRIPTOR` is.
///
/// *Ownership:* borrowed; lives as long as the item handle, and is never destroyed on its own.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (a tensor), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_head(
    item: *const HurrayItem,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_descriptor) };
    dispatch!(ITEM, item, item_head(item, out_descriptor))
}

pub(crate) unsafe fn head(
    item: *const HurrayItem,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        let head = match &**Item::core(item) {
            ItemCore::Alone(alone) => &raw const alone.descriptor,
            _ => &raw const Item::group(item)?.head,
        };
        put(out_descriptor, head.cast_mut().cast(), "out_descriptor")
    }
}

/// The bytes that came with the descriptor of an item of kind `HURRAY_ITEM_DESCRIPTOR`, as a dense uint8 tensor of one
/// dimension: the buffers of a tensor whose layout is unknown, in the order of its table, without padding.
///
/// *Ownership:* the tensor is a share and the caller's; it outlives the item.
/// *Errors:* `HURRAY_ERR_FIELD_NOT_APPLICABLE` (no bytes came with it: a head, or a bare stream),
/// `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_data(
    item: *const HurrayItem,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(ITEM, item, item_data(item, out_tensor))
}

pub(crate) unsafe fn data(item: *const HurrayItem, out_tensor: *mut *mut HurrayTensor) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let ItemCore::Alone(alone) = &**Item::core(item) else {
            return Err(wrong_kind("the item is no descriptor alone: its tensors have the bytes"));
        };
        let Some(core) = &alone.data else {
            let what = "no bytes came with the descriptor";
            return Err(Fault::new(Status::FIELD_NOT_APPLICABLE, "", what).field("item"));
        };
        hand_out(core.clone(), HURRAY_C_ABI_VERSION, out_tensor)
    }
}

/// The number of members of an item of kind `HURRAY_ITEM_COMPOSITE`.
///
/// *Ownership:* none.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_member_count(
    item: *const HurrayItem,
    out_count: *mut u64,
) -> HurrayStatus {
    dispatch!(ITEM, item, item_member_count(item, out_count))
}

pub(crate) unsafe fn member_count(item: *const HurrayItem, out_count: *mut u64) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe { put(out_count, Item::group(item)?.members.len() as u64, "out_count") }
}

/// The member at `index` of an item of kind `HURRAY_ITEM_COMPOSITE`, in order.
///
/// *Ownership:* borrowed; lives as long as the item handle. `hurray_item_share` makes one that outlives it.
/// *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (another kind), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`,
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_member(
    item: *const HurrayItem,
    index: u64,
    out_borrowed: *mut *mut HurrayItem,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_borrowed) };
    dispatch!(ITEM, item, item_member(item, index, out_borrowed))
}

pub(crate) unsafe fn member(
    item: *const HurrayItem,
    index: u64,
    out_borrowed: *mut *mut HurrayItem,
) -> Result<(), Fault> {
    // SAFETY: routed here.
    let group = unsafe { Item::group(item)? };
    let Some(member) = usize::try_from(index).ok().and_then(|index| group.members.get(index)) else {
        return Err(Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "the composite has no such member")
            .field("index")
            .value(index)
            .limit(group.members.len() as u64));
    };
    // SAFETY: the output is the caller's by contract.
    unsafe { put(out_borrowed, (&raw const *member).cast_mut().cast(), "out_borrowed") }
}

/// Ends an item handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing.
///
/// *Ownership:* ends the handle; the last share releases the members. *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed:
/// the pointer stays as it was). *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_destroy(item: *mut *mut HurrayItem) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(item, mark::ITEM) }
}
