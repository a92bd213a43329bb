//! Tensors: a descriptor, its buffers and an owner in one core; every share is a small handle on it.

use super::buffer::Buffer;
use super::descriptor::DescriptorHandle;
use super::foreign::Foreign;
use super::guard::{clear, guard, put, slice, wanted};
use super::handles::{HurrayBufferList, HurrayDescriptor, HurrayOwnerReleaseFn, HurrayStatus, HurrayTensor};
use super::list::List;
use super::live::{born, destroy, gone};
use super::prefix::{Head, Route, any_version, borrowed, mark, null, route, state};
use super::shared::{Shared, try_box};
use super::text::put_text;
use super::version::HURRAY_C_ABI_VERSION;
use crate::format::describe as line;
use crate::format::{BufferEntry, Descriptor, Fault, Status};
use std::ffi::{c_char, c_void};
use std::sync::atomic::Ordering;

/// The host's object behind a tensor.
pub(crate) struct Owner {
    pub(crate) owner: *mut c_void,
    pub(crate) release: HurrayOwnerReleaseFn,
}

impl Owner {
    pub(crate) const NONE: Owner = Owner { owner: std::ptr::null_mut(), release: None };

    /// Calls the release function, once.
    pub(crate) fn release(self) {
        if let Some(release) = self.release {
            // SAFETY: the producer's function with the producer's argument.
            unsafe { release(self.owner) };
        }
    }
}

/// What all shares of one tensor hold on to, released by the last of them: descriptor, buffers in order, owner.
pub(crate) struct Core {
    descriptor: DescriptorHandle,
    list: Option<Box<List>>,
    owner: Owner,
}

// SAFETY: immutable once made; what the pointers mean is the producer's, who allows any thread.
unsafe impl Send for Core {}
// SAFETY: as above.
unsafe impl Sync for Core {}

impl Drop for Core {
    fn drop(&mut self) {
        self.descriptor.head.bury();
        self.list = None;
        std::mem::replace(&mut self.owner, Owner::NONE).release();
    }
}

impl Core {
    pub(crate) fn descriptor(&self) -> &Descriptor {
        &self.descriptor.inner
    }

    /// Whether something is released with the last share, besides the buffers.
    pub(crate) fn has_owner(&self) -> bool {
        self.owner.release.is_some()
    }

    pub(crate) fn buffers(&self) -> &[Shared<Buffer>] {
        self.list.as_deref().map_or(&[], List::buffers)
    }
}

/// What a `HurrayTensor` points at.
#[repr(C)]
pub(crate) struct Tensor {
    head: Head,
    core: Shared<Core>,
}

impl Tensor {
    /// # Safety
    /// `tensor` is a live handle of this copy.
    pub(crate) unsafe fn core<'a>(tensor: *const HurrayTensor) -> &'a Shared<Core> {
        // SAFETY: as this function's own.
        &unsafe { &*tensor.cast::<Tensor>() }.core
    }

    /// # Safety
    /// As [`Tensor::core`].
    pub(crate) unsafe fn reported_abi(tensor: *const HurrayTensor) -> u32 {
        // SAFETY: as this function's own.
        unsafe { &*tensor.cast::<Tensor>() }.head.reported_abi()
    }
}

/// A tensor that was not handed out yet: what it needs is allocated, so that handing it out cannot fail.
pub(crate) struct Ready(Box<Tensor>);

impl Ready {
    /// The core alone, for a tensor that becomes part of another object.
    pub(crate) fn into_core(self) -> Shared<Core> {
        self.0.core.clone()
    }

    /// Hands the tensor out as an owned handle.
    pub(crate) fn publish(self) -> *mut HurrayTensor {
        born();
        Box::into_raw(self.0).cast()
    }
}

/// The core of a tensor that becomes part of another object.
pub(crate) fn join_core(descriptor: Shared<Descriptor>, list: Box<List>) -> Result<Shared<Core>, Fault> {
    matches(&descriptor, list.buffers())?;
    let descriptor = DescriptorHandle::new(descriptor, state::BORROWED);
    let core = Core { descriptor, list: Some(list), owner: Owner::NONE };
    let core = Shared::try_new(core).map_err(|(_, fault)| fault)?;
    for buffer in core.buffers() {
        buffer.core.store(Shared::as_ptr(&core), Ordering::Release);
    }
    Ok(core)
}

/// Joins a descriptor, a list of this copy's own and an owner. On failure list and owner come back untouched.
pub(crate) fn join(
    descriptor: Shared<Descriptor>,
    list: Box<List>,
    owner: Owner,
    reported_abi: u32,
) -> Result<Ready, (Option<Box<List>>, Fault)> {
    if let Err(fault) = matches(&descriptor, list.buffers()) {
        return Err((Some(list), fault));
    }
    let core =
        Core { descriptor: DescriptorHandle::new(descriptor, state::BORROWED), list: Some(list), owner };
    let core = Shared::try_new(core).map_err(|(mut core, fault)| (disarm(&mut core), fault))?;
    let address = Shared::as_ptr(&core);
    let tensor = Tensor { head: Head::reporting(mark::TENSOR, state::OWNED, reported_abi), core };
    let tensor = try_box(tensor).map_err(|(_tensor, fault)| {
        // SAFETY: nobody else has seen the core, which `_tensor` keeps until this closure ends.
        (disarm(unsafe { &mut *address }), fault)
    })?;
    for buffer in tensor.core.buffers() {
        buffer.core.store(address, Ordering::Release);
    }
    Ok(Ready(tensor))
}

/// Takes out what a failed call must give back.
fn disarm(core: &mut Core) -> Option<Box<List>> {
    core.owner = Owner::NONE;
    core.list.take()
}

/// Holds the buffers against the descriptor's table.
fn matches(descriptor: &Descriptor, buffers: &[Shared<Buffer>]) -> Result<(), Fault> {
    if !descriptor.has_buffer_table() {
        return Err(Fault::new(
            Status::UNSUPPORTED,
            "",
            "the buffer table is hidden behind a layout that was not understood",
        ));
    }
    if buffers.len() != descriptor.buffers.len() {
        return Err(mismatch(
            "B-013",
            "the list does not hold as many buffers as the descriptor declares",
            "buffers",
        )
        .value(buffers.len() as u64)
        .limit(descriptor.buffers.len() as u64));
    }
    for (index, (entry, buffer)) in descriptor.buffers.iter().zip(buffers).enumerate() {
        fits(entry, buffer).map_err(|fault| fault.index(index))?;
    }
    Ok(())
}

#[inline]
fn fits(entry: &BufferEntry, buffer: &Buffer) -> Result<(), Fault> {
    if buffer.byte_size < entry.byte_size {
        return Err(mismatch("L-012", "a buffer is smaller than declared", "buffers.byte_size")
            .value(buffer.byte_size)
            .limit(entry.byte_size));
    }
    if entry.byte_size > 0 && !(buffer.data as u64).is_multiple_of(u64::from(entry.alignment)) {
        return Err(mismatch("B-011", "a buffer's pointer is not aligned as declared", "buffers.alignment")
            .value(buffer.data as u64)
            .limit(entry.alignment));
    }
    if (buffer.device_tag, buffer.memory_class) != (entry.device_tag, entry.memory_class) {
        let (field, value, limit) = if buffer.device_tag == entry.device_tag {
            ("buffers.memory_class", buffer.memory_class, entry.memory_class)
        } else {
            ("buffers.device_tag", buffer.device_tag, entry.device_tag)
        };
        return Err(mismatch("B-009", "a buffer is elsewhere than declared", field)
            .value(value)
            .limit(limit));
    }
    if buffer.sync_mode != entry.sync_mode {
        return Err(Fault::new(
            Status::SYNC_MODE_MISMATCH,
            "B-012",
            "a buffer has another sync mode than declared",
        )
        .field("buffers.sync_mode")
        .value(buffer.sync_mode)
        .limit(entry.sync_mode));
    }
    Ok(())
}

fn mismatch(rule: &'static str, what: &'static str, field: &'static str) -> Fault {
    Fault::new(Status::BUFFER_MISMATCH, rule, what).field(field)
}

/// Joins a descriptor and a caller's list of any copy; the list is consumed on success only.
///
/// # Safety
/// `list` is NULL or a handle; `out_tensor` is writable.
unsafe fn consume(
    descriptor: Shared<Descriptor>,
    list: *mut HurrayBufferList,
    owner: Owner,
    reported_abi: u32,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: as this function's own.
    let ready = match unsafe { route(list.cast(), mark::LIST)? } {
        Route::Home => {
            let own = list.cast::<List>();
            // SAFETY: routed here.
            if !unsafe { &*own }.head.leave(state::OWNED, state::BORROWED) {
                return Err(borrowed());
            }
            // SAFETY: owned until a moment ago, so nobody else ends it; on failure it is given back below.
            let own = unsafe { Box::from_raw(own) };
            let ready = join(descriptor, own, owner, reported_abi).map_err(|(list, fault)| {
                if let Some(list) = list {
                    list.head.leave(state::BORROWED, state::OWNED);
                    std::mem::forget(list);
                }
                fault
            })?;
            gone();
            ready
        }
        Route::Away(table) => {
            // SAFETY: a usable handle of that table, of this build version.
            let foreign = unsafe { Foreign::take(list.cast(), table)? };
            // SAFETY: as above.
            let own = unsafe { List::bring_in(list, table, &foreign)? };
            let ready = join(descriptor, own, owner, reported_abi).map_err(|(_, fault)| fault)?;
            foreign.commit();
            ready
        }
    };
    // SAFETY: as this function's own.
    unsafe { put(out_tensor, ready.publish(), "out_tensor") }
}

/// Makes a tensor from descriptor bytes and a list of buffers. The bytes are decoded and validated, and only the
/// decoded form is kept.
///
/// `abi_version` is the producer's `HURRAY_C_ABI_VERSION`; it is not checked here, and is what
/// `hurray_tensor_abi_version` reports. The list holds exactly the descriptor's buffers, in order: each at least its
/// declared size, aligned as declared, on the declared device, of the declared class and sync mode.
///
/// *Ownership:* on success the list is consumed (the caller's pointer is dead), and `owner_release(owner)` runs once,
/// after the descriptor and the buffers, when the last share of the tensor goes; a NULL `owner_release` releases
/// nothing. On failure list and owner stay the caller's and nothing was called.
/// *Errors:* those of `hurray_descriptor_decode`; `HURRAY_ERR_BUFFER_MISMATCH`, `HURRAY_ERR_SYNC_MODE_MISMATCH`,
/// `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER` (also for descriptor bytes of length 0),
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any; releases run on whatever thread drops the last share. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_new(
    abi_version: u32,
    descriptor_bytes: *const u8,
    descriptor_len: u64,
    buffers: *mut HurrayBufferList,
    owner: *mut c_void,
    owner_release: HurrayOwnerReleaseFn,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(
        LIST,
        buffers,
        tensor_new(abi_version, descriptor_bytes, descriptor_len, buffers, owner, owner_release, out_tensor)
    )
}

pub(crate) unsafe fn new(
    abi_version: u32,
    descriptor_bytes: *const u8,
    descriptor_len: u64,
    buffers: *mut HurrayBufferList,
    owner: *mut c_void,
    release: HurrayOwnerReleaseFn,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: the caller's by contract.
    let bytes = unsafe {
        wanted(out_tensor, "out_tensor")?;
        let Ok(len) = usize::try_from(descriptor_len) else {
            return Err(Fault::new(Status::LIMIT_EXCEEDED, "", "more bytes than a pointer can reach")
                .field("descriptor_len")
                .value(descriptor_len));
        };
        slice(descriptor_bytes, len, "descriptor_bytes")?
    };
    if bytes.is_empty() {
        return Err(null("descriptor_bytes"));
    }
    let descriptor = Shared::try_build(Descriptor::blank(), |descriptor| descriptor.read(bytes, false))?;
    // SAFETY: the caller's by contract.
    unsafe { consume(descriptor, buffers, Owner { owner, release }, abi_version, out_tensor) }
}

/// Makes a tensor from a descriptor and a list of buffers, as `hurray_tensor_new`. The tensor reports
/// `HURRAY_C_ABI_VERSION`.
///
/// *Ownership:* the descriptor stays the caller's; list and owner as in `hurray_tensor_new`.
/// *Errors:* `HURRAY_ERR_BUFFER_MISMATCH`, `HURRAY_ERR_SYNC_MODE_MISMATCH`, `HURRAY_ERR_UNSUPPORTED` (the buffer table is
/// not known), `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_VERSION_MISMATCH`,
/// `HURRAY_ERR_OUT_OF_MEMORY`. *Threads:* any; releases run on whatever thread drops the last share. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_from_descriptor(
    descriptor: *const HurrayDescriptor,
    buffers: *mut HurrayBufferList,
    owner: *mut c_void,
    owner_release: HurrayOwnerReleaseFn,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(
        DESCRIPTOR,
        descriptor,
        tensor_from_descriptor(descriptor, buffers, owner, owner_release, out_tensor)
    )
}

pub(crate) unsafe fn from_descriptor(
    descriptor: *const HurrayDescriptor,
    buffers: *mut HurrayBufferList,
    owner: *mut c_void,
    release: HurrayOwnerReleaseFn,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the rest is the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let descriptor = (*descriptor.cast::<DescriptorHandle>()).inner.clone();
        consume(descriptor, buffers, Owner { owner, release }, HURRAY_C_ABI_VERSION, out_tensor)
    }
}

/// Another handle on the same tensor: same core, one count more.
///
/// *Ownership:* the share is the caller's; descriptor, buffers and owner go with the last share.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_share(
    tensor: *const HurrayTensor,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(TENSOR, tensor, tensor_share(tensor, out_tensor))
}

pub(crate) unsafe fn share(
    tensor: *const HurrayTensor,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        hand_out(Tensor::core(tensor).clone(), Tensor::reported_abi(tensor), out_tensor)
    }
}

/// Hands out another handle on a core.
///
/// # Safety
/// `out_tensor` is a writable pointer.
pub(crate) unsafe fn hand_out(
    core: Shared<Core>,
    reported_abi: u32,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    let head = Head::reporting(mark::TENSOR, state::OWNED, reported_abi);
    let share = try_box(Tensor { head, core }).map_err(|(_, fault)| fault)?;
    // SAFETY: as this function's own.
    unsafe { put(out_tensor, Ready(share).publish(), "out_tensor") }
}

/// The C ABI version of the tensor's producer. Always the first call on a tensor that came from elsewhere; refuse any
/// value but your own `HURRAY_C_ABI_VERSION`, and refusing leaves the tensor with whoever owns it.
///
/// Works on a tensor of any version, past or future. It reads 16 bytes of the handle and nothing more.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10; the signature is frozen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_abi_version(
    tensor: *const HurrayTensor,
    out: *mut u32,
) -> HurrayStatus {
    guard(|| {
        // SAFETY: a handle of any version, and the caller's output, by contract.
        unsafe {
            let prefix = any_version(tensor.cast(), mark::TENSOR)?;
            put(out, (&raw const (*prefix).reported_abi).read(), "out")
        }
    })
}

/// The tensor's descriptor.
///
/// *Ownership:* borrowed; lives as long as the tensor handle, and is never destroyed on its own.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_descriptor(
    tensor: *const HurrayTensor,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_descriptor) };
    dispatch!(TENSOR, tensor, tensor_descriptor(tensor, out_descriptor))
}

pub(crate) unsafe fn descriptor(
    tensor: *const HurrayTensor,
    out_descriptor: *mut *mut HurrayDescriptor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        let descriptor = &raw const Tensor::core(tensor).descriptor;
        put(out_descriptor, descriptor.cast_mut().cast(), "out_descriptor")
    }
}

/// The tensor's buffers, in descriptor order.
///
/// *Ownership:* borrowed; lives as long as the tensor handle. Pushing to it or destroying it is
/// `HURRAY_ERR_INVALID_HANDLE`.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`. *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_buffers(
    tensor: *const HurrayTensor,
    out_buffers: *mut *mut HurrayBufferList,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_buffers) };
    dispatch!(TENSOR, tensor, tensor_buffers(tensor, out_buffers))
}

pub(crate) unsafe fn buffers(
    tensor: *const HurrayTensor,
    out_buffers: *mut *mut HurrayBufferList,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        let Some(list) = &Tensor::core(tensor).list else {
            return Err(Fault::new(Status::INTERNAL, "", "a live tensor without its buffers"));
        };
        put(out_buffers, (&raw const **list).cast_mut().cast(), "out_buffers")
    }
}

/// One line that says element type, shape, layout, quantization, device and bytes. UTF-8, for people.
///
/// *Ownership:* written into the caller's array; `*out_len` is its room, then the true length, in bytes.
/// *Errors:* `HURRAY_ERR_BUFFER_TOO_SMALL`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_describe(
    tensor: *const HurrayTensor,
    out: *mut c_char,
    out_len: *mut usize,
) -> HurrayStatus {
    dispatch!(TENSOR, tensor, tensor_describe(tensor, out, out_len))
}

pub(crate) unsafe fn describe(
    tensor: *const HurrayTensor,
    out: *mut c_char,
    out_len: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: routed here; the outputs are the caller's by contract.
    unsafe {
        let core = Tensor::core(tensor);
        let lead = core.buffers().iter().map(|buffer| u64::from(buffer.attributes().lead)).sum();
        put_text(out, out_len, |to| line(core.descriptor(), lead, to))
    }
}

/// Ends a tensor handle and writes NULL through the pointer. NULL, or a pointer to NULL, does nothing. Works on a
/// tensor of any version.
///
/// *Ownership:* ends the handle; the last share releases the descriptor, the buffers in order, then the owner.
/// *Errors:* `HURRAY_ERR_INVALID_HANDLE` (borrowed or taken: the pointer stays as it was). *Threads:* any. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_tensor_destroy(tensor: *mut *mut HurrayTensor) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { destroy(tensor, mark::TENSOR) }
}
