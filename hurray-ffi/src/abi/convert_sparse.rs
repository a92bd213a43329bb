//! To and from sparse layouts.

use super::buffer::Buffer;
use super::convert_call::{Output, Source, finish, is_together, job, row_major};
use super::options::{HURRAY_OPTION_DUPLICATES, Options, value_of};
use super::tensor::Ready;
use crate::convert::Duplicates;
use crate::convert::dense::{Side, copy};
use crate::convert::job::Job;
use crate::convert::offset::Map;
use crate::convert::sparse::{Sparse, is_sparse};
use crate::convert::sparse_compress::{Room, compress, is_for};
use crate::convert::sparse_dense;
use crate::convert::sparse_plan::{Plan, from_dense};
use crate::convert::target::check;
use crate::format::extent::{layout_buffer_count, min_sizes};
use crate::format::parameters::{NO_BUFFER, default_sizes};
use crate::format::{Boxed, Descriptor, Fault, Layout, Scheme, Statistics, Status, packed_bytes};
use smallvec::SmallVec;

/// Buffers of a result, each with the bytes that are declared of it.
pub(super) type Parts = SmallVec<[(Buffer, u64); 4]>;

/// The declared bytes of all buffers of a tensor.
pub(super) fn all_bytes<'a>(source: &Source<'a>) -> Result<SmallVec<[&'a [u8]; 4]>, Fault> {
    let mut all = SmallVec::new();
    let count = source.descriptor().buffers.len();
    all.try_reserve(count).map_err(|_| Fault::out_of_memory())?;
    for index in 0..count {
        all.push(source.bytes(index)?);
    }
    Ok(all)
}

/// What the caller wants of duplicates.
pub(super) fn duplicates(options: Option<&Options>) -> Duplicates {
    match value_of(options, HURRAY_OPTION_DUPLICATES) {
        0 => Duplicates::Refuse,
        1 => Duplicates::Keep,
        _ => Duplicates::Sum,
    }
}

/// Whether a sparse tensor has the layout already. What COO leaves open, order and duplicates, counts.
pub(super) fn is_met(source: &Layout, target: &Layout, options: Option<&Options>) -> bool {
    match (source, target) {
        (Layout::Coo { is_sorted: 1, .. }, Layout::Coo { .. }) => true,
        (Layout::Coo { .. }, Layout::Coo { is_sorted: 0, .. }) => duplicates(options) == Duplicates::Keep,
        (Layout::Csr { .. }, Layout::Csr { .. }) | (Layout::Csc { .. }, Layout::Csc { .. }) => true,
        (Layout::Csf { mode_order: a, .. }, Layout::Csf { mode_order: b, .. }) => a == b,
        _ => false,
    }
}

/// A copy in a layout, one of both being sparse, and its bytes.
pub(super) fn make(
    source: &Source<'_>,
    layout: &Layout,
    byte_offset: u64,
    into: Option<Buffer>,
    options: Option<&Options>,
) -> Result<(Ready, u64), Fault> {
    let whole = source.descriptor();
    if is_sparse(&whole.layout) != is_sparse(layout) {
        zero_is_zero(whole)?;
    }
    let job = job(options);
    if !is_sparse(layout) {
        return to_dense(source, layout, byte_offset, into, duplicates(options), &job);
    }
    if into.is_some() {
        let what = "a sparse result has several buffers, whose sizes are not known before";
        return Err(Fault::new(Status::INVALID_ARGUMENT, "", what).field("into"));
    }
    let bits = whole.bits().unwrap_or(8);
    if is_sparse(&whole.layout) {
        let duplicates = duplicates(options);
        if duplicates == Duplicates::Sum && whole.quantization.is_some() {
            return Err(Fault::new(Status::UNSUPPORTED, "", "codes of a quantized tensor have no sum"));
        }
        let buffers = all_bytes(source)?;
        let from = Sparse { layout: &whole.layout, shape: &whole.shape, bits, buffers: &buffers };
        if is_for(&from, layout, duplicates)
            && let Some(made) = compressed(source, &from, layout, duplicates, &job)?
        {
            return Ok(made);
        }
        // Which names the entry that is stored twice, too.
        let plan = Plan::from_sparse(&from, layout, whole.element_type, duplicates, &job)?;
        return write(source, &plan, &job);
    }
    let mut room = Vec::new();
    let rows = row_major(source, &mut room)?;
    write(source, &from_dense(rows, &whole.shape, bits, layout, &job)?, &job)
}

/// Compressed rows or columns of a COO matrix, each coordinate once; `None` where one is stored twice and may not be.
fn compressed(
    source: &Source<'_>,
    from: &Sparse<'_>,
    layout: &Layout,
    duplicates: Duplicates,
    job: &Job<'_>,
) -> Result<Option<(Ready, u64)>, Fault> {
    let whole = source.descriptor();
    let of = |nnz: u64| match layout {
        Layout::Csc { .. } => Layout::Csc { nnz },
        _ => Layout::Csr { nnz },
    };
    let most = min_sizes(&of(from.nnz()? as u64), from.shape, from.bits, 0)?;
    let [mut values, mut minors, mut pointers] = match most[..] {
        [values, minors, pointers] => [Output::any(values)?, Output::any(minors)?, Output::any(pointers)?],
        _ => return Ok(None),
    };
    job.begin(most.iter().fold(0, |sum: u64, &size| sum.saturating_add(size)));
    let mut out = Room { values: values.bytes(), minors: minors.bytes(), pointers: pointers.bytes() };
    let Some(nnz) = compress(from, layout, whole.element_type, duplicates, &mut out, job)? else {
        return Ok(None);
    };
    job.end();
    let layout = of(nnz);
    let sizes = min_sizes(&layout, from.shape, from.bits, 0)?;
    let mut written = 0u64;
    let mut parts = Parts::new();
    for (mut output, size) in [values, minors, pointers].into_iter().zip(sizes) {
        output.shorten(size);
        written = written.saturating_add(size);
        parts.push(output.into_parts());
    }
    let descriptor = in_layout(whole, &layout, 0)?;
    written = written.saturating_add(push_parameters(source, &mut parts)?);
    Ok(Some((finish(descriptor, parts)?, written)))
}

fn write(source: &Source<'_>, plan: &Plan<'_>, job: &Job<'_>) -> Result<(Ready, u64), Fault> {
    let mut outputs: SmallVec<[Output; 4]> = SmallVec::new();
    outputs.try_reserve(plan.sizes().len()).map_err(|_| Fault::out_of_memory())?;
    let is_whole = source.descriptor().bits().is_some_and(|bits| bits >= 8);
    for &size in plan.sizes() {
        outputs.push(if is_whole { Output::any(size)? } else { Output::new(size)? });
    }
    let mut written = plan.sizes().iter().fold(0, |sum: u64, &size| sum.saturating_add(size));
    job.begin(written);
    {
        let mut views: SmallVec<[&mut [u8]; 4]> = SmallVec::new();
        views.try_reserve(outputs.len()).map_err(|_| Fault::out_of_memory())?;
        views.extend(outputs.iter_mut().map(Output::bytes));
        plan.write(&mut views, job)?;
    }
    job.end();
    let whole = source.descriptor();
    let descriptor = in_layout(whole, plan.layout(), 0)?;
    let mut parts = Parts::new();
    parts.try_reserve(outputs.len()).map_err(|_| Fault::out_of_memory())?;
    parts.extend(outputs.into_iter().map(Output::into_parts));
    written = written.saturating_add(push_parameters(source, &mut parts)?);
    Ok((finish(descriptor, parts)?, written))
}

fn to_dense(
    source: &Source<'_>,
    layout: &Layout,
    byte_offset: u64,
    into: Option<Buffer>,
    duplicates: Duplicates,
    job: &Job<'_>,
) -> Result<(Ready, u64), Fault> {
    let whole = source.descriptor();
    let shape = &whole.shape;
    let Some(map) = Map::of(layout, shape)? else {
        return Err(Fault::new(Status::UNSUPPORTED, "", "no conversion between these layouts")
            .field("layout_tag")
            .value(layout.tag()));
    };
    check(layout, shape)?;
    let bits = whole.bits().unwrap_or(8);
    let mut descriptor = in_layout(whole, layout, byte_offset)?;
    let scheme = descriptor.quantization.as_ref().map(|quantization| &quantization.scheme);
    let len = default_sizes(layout, shape, bits, byte_offset, scheme)?.first().copied().unwrap_or(0);
    let mut output = Output::any_within(into, len, &[*source])?;
    descriptor.byte_offset = byte_offset.saturating_add(output.lead());
    let packed = packed_len(whole)?;
    let buffers = all_bytes(source)?;
    let from = Sparse { layout: &whole.layout, shape, bits, buffers: &buffers };
    job.begin(len);
    let row_major = Map::of(&Layout::RowMajor, shape)?;
    if row_major.is_some_and(|rows| rows.is_same(&map, shape)) && shape.iter().all(|&n| n > 0) {
        let mut zeroed = output.is_zero();
        // Bytes before the first element, behind the last one, and unused bits.
        if !zeroed && (len != packed || bits < 8) {
            output.bytes().fill(0);
            zeroed = true;
        }
        let start = usize::try_from(byte_offset).map_err(|_| Fault::out_of_memory())?;
        let end = start.saturating_add(usize::try_from(packed).unwrap_or(usize::MAX));
        let Some(out) = output.bytes().get_mut(start..end) else {
            return Err(Fault::new(Status::INTERNAL, "", "a dense result without room for its elements"));
        };
        sparse_dense::to_dense(&from, whole.element_type, duplicates, out, zeroed, job)?;
    } else {
        let mut rows = Output::new(packed)?;
        sparse_dense::to_dense(&from, whole.element_type, duplicates, rows.bytes(), true, job)?;
        if !output.is_zero() {
            output.bytes().fill(0);
        }
        if let Some(plain) = Map::of(&Layout::RowMajor, shape)? {
            let read = Side { map: &plain, byte_offset: 0 };
            let write = Side { map: &map, byte_offset };
            copy(shape, bits, (rows.bytes(), read), (output.bytes(), write), job)?;
        }
    }
    job.end();
    let mut parts = Parts::new();
    parts.push(output.into_parts());
    let more = push_parameters(source, &mut parts)?;
    Ok((finish(descriptor, parts)?, len.saturating_add(more)))
}

/// Bytes of all elements of a tensor, one after the other.
pub(super) fn packed_len(of: &Descriptor) -> Result<u64, Fault> {
    let packed = of.element_count().and_then(|count| packed_bytes(of.bits().unwrap_or(8), count));
    packed.ok_or_else(|| {
        Fault::new(Status::OVERFLOW, "L-010", "the elements of the shape pass 64 bits").field("shape")
    })
}

/// The descriptor of the same elements in another layout: parameters follow its buffers, and statistics count what
/// it stores.
pub(super) fn in_layout(of: &Descriptor, layout: &Layout, byte_offset: u64) -> Result<Descriptor, Fault> {
    let mut made = of.in_layout(layout.try_clone()?, byte_offset)?;
    let rank = of.shape.len();
    let count =
        |layout: &Layout| layout_buffer_count(layout, rank).and_then(|count| u32::try_from(count).ok());
    if let (Some(quantization), Some(old), Some(new)) =
        (&mut made.quantization, count(&of.layout), count(layout))
    {
        let shift = |index: &mut u32| {
            if *index != NO_BUFFER {
                *index = index.saturating_sub(old).saturating_add(new);
            }
        };
        match &mut quantization.scheme {
            Scheme::PerChannel { scale_buffer, zero_point_buffer, .. }
            | Scheme::PerBlock { scale_buffer, zero_point_buffer, .. } => {
                shift(scale_buffer);
                shift(zero_point_buffer);
            }
            Scheme::Nf4 { scale_buffer, .. } | Scheme::Mxfp { scale_buffer, .. } => shift(scale_buffer),
            Scheme::PerTensor { .. } | Scheme::Unknown { .. } => {}
        }
    }
    let stored = match layout {
        Layout::Coo { nnz, .. } | Layout::Csr { nnz } | Layout::Csc { nnz } | Layout::Csf { nnz, .. } => *nnz,
        _ => return Ok(made),
    };
    if let Some(statistics) = made.statistics.take() {
        let nnz = if statistics.computed_mask & 1 != 0 { stored } else { statistics.nnz };
        made.statistics = Some(Boxed::try_new(Statistics { nnz, ..Statistics::clone(&statistics) })?);
    }
    Ok(made)
}

/// Adds the parameter buffers of the source: shares, or copies where they may not stand beside the others. Gives the bytes
/// that were copied.
pub(super) fn push_parameters(source: &Source<'_>, parts: &mut Parts) -> Result<u64, Fault> {
    let whole = source.descriptor();
    let own = layout_buffer_count(&whole.layout, whole.shape.len()).unwrap_or(0);
    let mut written = 0u64;
    parts.try_reserve(whole.buffers.len().saturating_sub(own)).map_err(|_| Fault::out_of_memory())?;
    for (index, entry) in whole.buffers.iter().enumerate().skip(own) {
        let shared = source.share(index)?;
        if parts.first().is_some_and(|(data, _)| !is_together(data, &shared)) {
            let mut copied = Output::new(entry.byte_size)?;
            copied.bytes().copy_from_slice(source.bytes(index)?);
            written = written.saturating_add(entry.byte_size);
            parts.push(copied.into_parts());
        } else {
            parts.push((shared, entry.byte_size));
        }
    }
    Ok(written)
}

/// Whether what a sparse layout leaves out, 0.0, is what a code of 0 stands for.
fn zero_is_zero(of: &Descriptor) -> Result<(), Fault> {
    let Some(quantization) = &of.quantization else { return Ok(()) };
    let is_zero = match quantization.scheme {
        Scheme::PerTensor { zero_point, .. } => zero_point == 0,
        Scheme::PerChannel { zero_point_buffer, .. } | Scheme::PerBlock { zero_point_buffer, .. } => {
            zero_point_buffer == NO_BUFFER
        }
        Scheme::Mxfp { .. } => true,
        Scheme::Nf4 { .. } | Scheme::Unknown { .. } => false,
    };
    if is_zero {
        return Ok(());
    }
    let what = "a sparse layout leaves out 0.0, and under this scheme a code of 0 is another number";
    Err(Fault::new(Status::UNSUPPORTED, "", what).field("scheme_tag").value(quantization.scheme.tag()))
}
