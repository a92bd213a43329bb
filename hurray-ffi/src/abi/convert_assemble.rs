//! One tensor of a composite.

use super::convert_call::{Output, Source, finish, into_of, job, may_copy, row_major};
use super::convert_dequantize::make as dequantized;
use super::convert_sparse::all_bytes;
use super::guard::{clear, put, wanted};
use super::handles::{HurrayBuffer, HurrayItem, HurrayOptions, HurrayStatus, HurrayTensor};
use super::item::{Group, Item, ItemCore, lonely};
use super::options::{Options, copy_choice};
use super::tensor::hand_out;
use crate::convert::add::adder;
use crate::convert::boxes::{Combine, Whole};
use crate::convert::dequantize::{Packed, convert};
use crate::convert::job::Job;
use crate::convert::scheme::filled;
use crate::convert::sparse::{Sparse, is_sparse};
use crate::format::extent::count;
use crate::format::{Descriptor, Dims, Fault, Layout, MAX_RANK, Status, packed_bytes};

const PARTITION: u8 = 1;
const OVERLAY: u8 = 2;
const ADD: u8 = 2;

/// Makes one row-major tensor of a composite: a partition's members joined, an overlay's corrections applied to its base in
/// order, by its combine op (added in the head's type, rounded each time; integers wrap). A sparse correction covers what it
/// stores. An item that is a tensor comes back as a share of it.
///
/// *Ownership:* the result is the caller's; item and `into` stay so. `into` and `out_bytes` are as in
/// `hurray_tensor_to_layout`.
/// *Errors:* `HURRAY_ERR_UNSUPPORTED` (a group, whose members are independent tensors: the head has no values; a private
/// rule; a type, layout or scheme that is not understood; a sum of elements that have none; memory that the host may not
/// read or that is not ready), `HURRAY_ERR_INVALID_LAYOUT` (the entries of a sparse member, L-031 to L-034),
/// `HURRAY_ERR_INVALID_ARGUMENT` (`into`, a descriptor alone), `HURRAY_ERR_COPY_REQUIRED`, `HURRAY_ERR_BUFFER_TOO_SMALL`,
/// `HURRAY_ERR_OVERFLOW`, `HURRAY_ERR_CANCELLED`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`,
/// `HURRAY_ERR_VERSION_MISMATCH`, `HURRAY_ERR_OUT_OF_MEMORY`.
/// *Threads:* any, also at once on one handle; `into` is this call's alone. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_item_assemble(
    item: *const HurrayItem,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_tensor) };
    dispatch!(ITEM, item, item_assemble(item, into, options, out_bytes, out_tensor))
}

pub(crate) unsafe fn assemble(
    item: *const HurrayItem,
    into: *const HurrayBuffer,
    options: *const HurrayOptions,
    out_bytes: *mut u64,
    out_tensor: *mut *mut HurrayTensor,
) -> Result<(), Fault> {
    // SAFETY: routed here; the other handles and the outputs are the caller's by contract.
    unsafe {
        wanted(out_tensor, "out_tensor")?;
        let options = Options::own(options)?;
        let into = into_of(into)?;
        let group = match &**Item::core(item) {
            ItemCore::Composite(group) => group,
            ItemCore::Tensor(core, reported_abi) => {
                if into.is_some() || copy_choice(options) == 2 {
                    let what = "the item is a tensor, which is shared: hurray_tensor_to_layout copies";
                    return Err(Fault::new(Status::INVALID_ARGUMENT, "", what).field("item"));
                }
                hand_out(core.clone(), *reported_abi, out_tensor)?;
                return if out_bytes.is_null() { Ok(()) } else { put(out_bytes, 0, "out_bytes") };
            }
            ItemCore::Alone(_) => return Err(lonely()),
        };
        let head = group.head();
        check_rule(head)?;
        may_copy(options)?;
        let bits = head.bits().ok_or_else(|| {
            Fault::new(Status::UNSUPPORTED, "", "the element type is not understood")
                .field("type_tag")
                .value(head.element_type)
        })?;
        let len = count(&head.shape).and_then(|count| packed_bytes(bits, count)).ok_or_else(|| {
            Fault::new(Status::OVERFLOW, "L-010", "the elements of the head pass 64 bits").field("shape")
        })?;
        let sources = sources(group)?;
        let mut output = Output::within(into, len, &sources)?;
        if !output.is_zero() && bits < 8 {
            output.bytes().fill(0);
        }
        let job = job(options);
        job.begin(len);
        let lead = output.lead();
        let mut whole = Whole { shape: &head.shape, bits, bytes: output.bytes() };
        join(group, &[0; MAX_RANK], &mut whole, &job)?;
        let mut descriptor = head.in_layout(Layout::RowMajor, lead)?;
        descriptor.statistics = None;
        descriptor.flag_sections();
        put(out_tensor, finish(descriptor, [output.into_parts()])?.publish(), "out_tensor")?;
        if out_bytes.is_null() { Ok(()) } else { put(out_bytes, len, "out_bytes") }
    }
}

/// The combination rule and op of a head that has values.
fn check_rule(head: &Descriptor) -> Result<(u8, u8), Fault> {
    match head.layout {
        Layout::Composite { rule: rule @ (PARTITION | OVERLAY), op, .. } => Ok((rule, op)),
        Layout::Composite { rule, .. } => {
            let what = "the members of a group are independent tensors: its head has no values";
            Err(Fault::new(Status::UNSUPPORTED, "", what).field("composition_rule").value(rule))
        }
        _ => Err(Fault::new(Status::INTERNAL, "", "a composite without a head")),
    }
}

/// All tensors of a composite, readable.
fn sources(group: &Group) -> Result<Vec<Source<'_>>, Fault> {
    let mut found = Vec::new();
    let mut open: Vec<&Group> = Vec::new();
    let mut next = Some(group);
    while let Some(group) = next {
        for member in group.members() {
            match member {
                ItemCore::Tensor(core, _) => {
                    found.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                    found.push(Source::new(core)?);
                }
                ItemCore::Composite(nested) => {
                    check_rule(nested.head())?;
                    open.try_reserve(1).map_err(|_| Fault::out_of_memory())?;
                    open.push(nested);
                }
                ItemCore::Alone(_) => return Err(lonely()),
            }
        }
        next = open.pop();
    }
    Ok(found)
}

/// Puts all members of a composite in their places; composites nest at most as deep as a reader allows.
fn join(group: &Group, origin: &[u64], whole: &mut Whole<'_>, job: &Job<'_>) -> Result<(), Fault> {
    let (rule, op) = check_rule(group.head())?;
    for (number, member) in group.members().enumerate() {
        let descriptor = member.descriptor();
        let mut at = Dims::new();
        at.try_reserve(whole.shape.len()).map_err(|_| Fault::out_of_memory())?;
        let offset = descriptor.shard.as_ref().map_or(&[][..], |shard| &shard.offset);
        at.extend(origin.iter().zip(offset).map(|(&a, &b)| a.saturating_add(b)));
        let combine = if rule == OVERLAY && op == ADD && number > 0 {
            Combine::Add(adder(group.head().element_type)?)
        } else {
            Combine::Replace
        };
        match member {
            ItemCore::Composite(nested) => join(nested, &at, whole, job)?,
            ItemCore::Alone(_) => return Err(lonely()),
            ItemCore::Tensor(core, _) => {
                // A correction covers what it stores; a member of a partition, and a base, all of their box.
                let is_correction = rule == OVERLAY && number > 0;
                place(
                    &Source::new(core)?,
                    group.head().element_type,
                    &at,
                    is_correction,
                    combine,
                    whole,
                    job,
                )
                .map_err(|fault| {
                    if fault.field.is_empty() { fault.field("members").index(number) } else { fault }
                })?;
            }
        }
    }
    Ok(())
}

/// Puts one tensor in its place, as elements of the head's type.
fn place(
    source: &Source<'_>,
    element_type: u8,
    at: &[u64],
    is_correction: bool,
    combine: Combine,
    whole: &mut Whole<'_>,
    job: &Job<'_>,
) -> Result<(), Fault> {
    let of = source.descriptor();
    if of.quantization.is_some() {
        // Codes stand for float32 numbers, which a narrower head takes rounded once more.
        let tag = if matches!(element_type, 0x01..=0x04) { element_type } else { 0x03 };
        let core = dequantized(source, tag, None, job)?.0.into_core();
        return place(&Source::new(&core)?, element_type, at, is_correction, combine, whole, job);
    }
    if of.element_type != element_type {
        if is_sparse(&of.layout) {
            let what = "a sparse, quantized member of a head narrower than 16 bits";
            return Err(Fault::new(Status::UNSUPPORTED, "", what)
                .field("members.element_type")
                .value(element_type));
        }
        let (rows, count) = (source.bytes(0)?, count(&of.shape).unwrap_or(0));
        let len = packed_bytes(whole.bits, count).and_then(|len| usize::try_from(len).ok());
        let mut narrow = filled(0u8, len.ok_or_else(Fault::out_of_memory)?)?;
        convert(Packed { tag: of.element_type, bytes: rows }, count, element_type, &mut narrow, job)?;
        return whole.put_box(&narrow, &of.shape, at, combine, job);
    }
    if is_sparse(&of.layout) {
        let buffers = all_bytes(source)?;
        let from = Sparse { layout: &of.layout, shape: &of.shape, bits: whole.bits, buffers: &buffers };
        if !is_correction {
            whole.clear_box(&of.shape, at, job)?;
        }
        return whole.put_entries(&from, at, combine, job);
    }
    let mut room = Vec::new();
    whole.put_box(row_major(source, &mut room)?, &of.shape, at, combine, job)
}
