//! The contents of a tensor's buffers: index buffers, quantization parameters, unused bits.

use super::job::Job;
use super::paged::Paged;
use super::sparse::{Sparse, broken};
use super::sparse_keys::{Duplicates, room};
use super::sparse_plan::{entries, keep};
use super::{bits, check_parameters};
use crate::format::extent::dense_span;
use crate::format::{Descriptor, Fault, Layout, Status};

/// Holds the contents of a tensor's buffers to the rules of the written format. The shape is static and everything is
/// understood; `buffers` are those of the descriptor's table.
///
/// # Errors
/// `INVALID_LAYOUT` (L-030 to L-034, L-039), `BUFFER_MISMATCH` (L-030), `INVALID_DESCRIPTOR`,
/// `UNSUPPORTED`, `CORRUPT` (unused bits that are not 0), `OUT_OF_MEMORY`, `CANCELLED`. Each names the part and
/// the position in it.
pub fn check(descriptor: &Descriptor, buffers: &[&[u8]], job: &Job<'_>) -> Result<(), Fault> {
    let width = descriptor.bits().unwrap_or(8);
    let Descriptor { layout, shape, .. } = descriptor;
    match layout {
        Layout::Coo { .. } | Layout::Csr { .. } | Layout::Csc { .. } | Layout::Csf { .. } => {
            check_sparse(&Sparse { layout, shape, bits: width, buffers }, job)?;
        }
        Layout::BlockPaged(paged) => Paged::new(paged, shape, width, buffers).check(job)?,
        _ => {}
    }
    check_parameters::check(descriptor, buffers, job)?;
    unused_bits(descriptor, width, buffers.first().copied().unwrap_or_default())
}

/// L-030 to L-034.
pub(super) fn check_sparse(source: &Sparse<'_>, job: &Job<'_>) -> Result<(), Fault> {
    let Layout::Coo { is_sorted, .. } = source.layout else { return source.walk(job, |_, _| Ok(())) };
    if *is_sorted != 0 {
        let mut last = [0; crate::format::MAX_RANK];
        return source.walk(job, |at, p| {
            let last = last.get_mut(..at.len()).unwrap_or_default();
            if p > 0 && last == at {
                return Err(twice(p));
            }
            last.copy_from_slice(at);
            Ok(())
        });
    }
    match entries(source, source.layout, job) {
        Ok(found) => keep(&found, Duplicates::Refuse, &mut []).map(|_| ()),
        Err(fault) if fault.status == Status::OVERFLOW => check_tuples(source, job),
        Err(fault) => Err(fault),
    }
}

fn twice(p: usize) -> Fault {
    broken("L-034", "a coordinate is stored twice", "entries", p)
}

/// Duplicates among coordinates that are too wide to pack: a sort of the tuples themselves, from memory of our own.
fn check_tuples(source: &Sparse<'_>, job: &Job<'_>) -> Result<(), Fault> {
    let (nnz, rank) = (source.nnz()?, source.shape.len());
    let mut tuples = room::<u64>(nnz.checked_mul(rank).ok_or_else(Fault::out_of_memory)?)?;
    let mut order = room::<usize>(nnz)?;
    source.walk(job, |at, p| {
        tuples.extend_from_slice(at);
        order.push(p);
        Ok(())
    })?;
    let tuple = |p: usize| tuples.get(p * rank..(p + 1) * rank).unwrap_or_default();
    order.sort_unstable_by(|&a, &b| tuple(a).cmp(tuple(b)).then(a.cmp(&b)));
    for pair in order.windows(2) {
        if let [a, b] = *pair
            && tuple(a) == tuple(b)
        {
            return Err(twice(b));
        }
    }
    Ok(())
}

/// The bits behind the last element, up to the end of its byte (6-bit elements: of its group), are 0. Bits between the
/// elements of a strided tensor may be another tensor's.
fn unused_bits(descriptor: &Descriptor, width: u32, data: &[u8]) -> Result<(), Fault> {
    let group = match width {
        1 | 2 | 4 => u64::from(8 / width),
        6 => 4,
        _ => return Ok(()),
    };
    let elements = match &descriptor.layout {
        Layout::Strided(_) => return Ok(()),
        Layout::Coo { nnz, .. } | Layout::Csr { nnz } | Layout::Csc { nnz } | Layout::Csf { nnz, .. } => *nnz,
        Layout::BlockPaged(paged) => {
            let heads = descriptor.shape.iter().skip(1).copied();
            let extents = heads.chain([u64::from(paged.page_size), paged.num_pages]);
            extents.fold(1u64, u64::saturating_mul)
        }
        layout => match dense_span(layout, &descriptor.shape)? {
            Some(span) if span.lowest == 0 => u64::try_from(span.highest + 1).unwrap_or(0),
            _ => return Ok(()),
        },
    };
    for p in elements..elements.next_multiple_of(group) {
        let bit = descriptor.byte_offset * 8 + p * u64::from(width);
        if bits::get(data, bit, width).is_some_and(|unused| unused != 0) {
            return Err(Fault::new(Status::CORRUPT, "", "unused bits behind the last element are not 0")
                .field("values")
                .index(usize::try_from(bit / 8).unwrap_or(usize::MAX)));
        }
    }
    Ok(())
}
