//! The arrays inside a tensor: values, indices, pointers, parameters.

use super::extent::DYNAMIC;
use super::parameters::{ParameterArray, parameters};
use super::role::*;
use super::strides::{collect, dims};
use super::{Descriptor, Dims, Fault, Layout, Status, Strides, TagClass, tag_class};

const UINT32: u8 = 0x15;
const UINT64: u8 = 0x17;

/// One array inside a tensor, dense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index of its buffer in the table.
    pub buffer: u32,
    /// Byte position of its first element there.
    pub byte_offset: u64,
    /// Element type tag.
    pub element_type: u8,
    /// Shape.
    pub shape: Dims,
    /// Strides in elements, where the order in memory is not row-major: block parameters whose axis is not
    /// the last one.
    pub strides: Option<Strides>,
}

/// The array with this role (the constants of `role`) and, for CSF positions and coordinates, at this level.
///
/// Shapes: values `[nnz]` or, paged, `[num_pages, page_size, H, D]`; COO indices `[nnz, rank]`, others `[nnz]`;
/// pointers one more than rows or columns; scales and zero points `[S]` per channel, else the shape with the
/// axis counted in blocks, paged `[num_pages, page_size]`. CSF levels between the first and the last, and
/// block tables, are as long as their buffers.
///
/// # Errors
/// `INVALID_ARGUMENT` for no such role, `FIELD_NOT_APPLICABLE` for a part that this tensor has not,
/// `INDEX_OUT_OF_BOUNDS` for a level, `UNSUPPORTED` for a layout or an element type that is not understood, while a
/// dimension is dynamic, and for parameters whose count the format does not define, `OVERFLOW`.
pub fn part(descriptor: &Descriptor, role: u32, level: u32) -> Result<Part, Fault> {
    let role = match u8::try_from(role) {
        Ok(role @ VALUES..=ZERO_POINTS) => role,
        _ => return Err(Fault::new(Status::INVALID_ARGUMENT, "", "no such role").field("role").value(role)),
    };
    if let Layout::Unknown { .. } = descriptor.layout {
        return Err(unsupported("layout is not understood"));
    }
    let part = match role {
        SCALES | ZERO_POINTS => parameter(descriptor, role),
        _ => array(descriptor, role, level),
    }?;
    if level != 0 && !matches!(role, CSF_POS | CSF_CRD) {
        return Err(no_level(level));
    }
    Ok(part)
}

/// One of the layout's own arrays.
fn array(descriptor: &Descriptor, role: u8, level: u32) -> Result<Part, Fault> {
    let with_role = |&(_, index): &(&_, u32)| buffer_role(descriptor, index).role == role;
    // The levels of CSF stand in the table in their order.
    let nth = if matches!(role, CSF_POS | CSF_CRD) { level as usize } else { 0 };
    let mut table = descriptor.buffers.iter().zip(0..).filter(with_role).peekable();
    if table.peek().is_none() {
        return Err(Fault::answer(Status::FIELD_NOT_APPLICABLE));
    }
    let (entry, buffer) = table.nth(nth).ok_or_else(|| no_level(level))?;
    let (shape, element_type) = match role {
        VALUES => (values_shape(descriptor)?, values_type(descriptor)?),
        _ => {
            (index_shape(descriptor, Role { role, level }, entry.byte_size)?, index_type(&descriptor.layout))
        }
    };
    Ok(Part { buffer, byte_offset: 0, element_type, shape, strides: None })
}

fn values_type(descriptor: &Descriptor) -> Result<u8, Fault> {
    match tag_class(descriptor.element_type) {
        TagClass::Assigned | TagClass::Private => Ok(descriptor.element_type),
        _ => Err(unsupported("element type is not understood")),
    }
}

fn values_shape(descriptor: &Descriptor) -> Result<Dims, Fault> {
    match &descriptor.layout {
        Layout::Coo { nnz, .. } | Layout::Csr { nnz } | Layout::Csc { nnz } | Layout::Csf { nnz, .. } => {
            Ok(Dims::from_slice(&[*nnz]))
        }
        Layout::BlockPaged(paged) => {
            let mut shape = Dims::from_slice(&[paged.num_pages, u64::from(paged.page_size)]);
            for axis in 1..descriptor.shape.len() {
                shape.push(known(descriptor, axis)?);
            }
            Ok(shape)
        }
        _ => Err(Fault::answer(Status::FIELD_NOT_APPLICABLE)),
    }
}

fn index_type(layout: &Layout) -> u8 {
    match layout {
        Layout::BlockPaged(paged) if paged.block_table_index_type == 0 => UINT32,
        _ => UINT64,
    }
}

/// The shape of an index array in a buffer of `byte_size` bytes: one dimension but for COO.
fn index_shape(descriptor: &Descriptor, Role { role, level }: Role, byte_size: u64) -> Result<Dims, Fault> {
    let count = match (&descriptor.layout, role) {
        (Layout::Coo { nnz, .. }, _) => return Ok(Dims::from_slice(&[*nnz, descriptor.shape.len() as u64])),
        (Layout::Csr { nnz } | Layout::Csc { nnz }, INDICES) => *nnz,
        (Layout::Csr { .. }, _) => known(descriptor, 0)?.saturating_add(1),
        (Layout::Csc { .. }, _) => known(descriptor, 1)?.saturating_add(1),
        (Layout::Csf { .. }, CSF_POS) if level == 0 => 2,
        (Layout::Csf { nnz, mode_order }, CSF_CRD) if level as usize + 1 == mode_order.len() => *nnz,
        (Layout::BlockPaged(paged), SEQ_PTR) => u64::from(paged.num_seqs) + 1,
        (Layout::BlockPaged(paged), _) => byte_size / u64::from(paged.index_width()),
        _ => byte_size / 8,
    };
    Ok(Dims::from_slice(&[count]))
}

/// Scales or zero points.
fn parameter(descriptor: &Descriptor, role: u8) -> Result<Part, Fault> {
    let none = || Fault::answer(Status::FIELD_NOT_APPLICABLE);
    let Descriptor { layout, shape, .. } = descriptor;
    let scheme = &descriptor.quantization.as_ref().ok_or_else(none)?.scheme;
    let arrays = parameters(scheme, layout, shape)?;
    let array = if role == SCALES { arrays.scales } else { arrays.zero_points };
    let ParameterArray { buffer, element_type, offset, .. } = array.ok_or_else(none)?;
    let part = |shape, strides| Part { buffer, byte_offset: offset, element_type, shape, strides };
    let Some(blocks) = scheme.blocks() else { return Err(none()) };
    let axis = blocks.axis as usize;
    let Some(block_size) = blocks.block_size else {
        return Ok(part(Dims::from_slice(&[known(descriptor, axis)?]), None));
    };
    if let Layout::BlockPaged(paged) = layout {
        return match array.and_then(|array| array.count) {
            Some(_) => Ok(part(Dims::from_slice(&[paged.num_pages, u64::from(paged.page_size)]), None)),
            None => Err(unsupported("parameters of this scheme have no defined count on a paged tensor")),
        };
    }
    let mut grid = dims(shape)?;
    for (k, n) in grid.iter_mut().enumerate() {
        *n = known(descriptor, k)?;
        if k == axis {
            *n = n.div_ceil(u64::from(block_size.max(1)));
        }
    }
    let strides = strides_of(&grid, axis)?;
    Ok(part(grid, strides))
}

/// Strides of a block grid, in which blocks along the axis are neighbours; `None` where that is row-major.
fn strides_of(grid: &[u64], axis: usize) -> Result<Option<Strides>, Fault> {
    if axis + 1 == grid.len() || grid.contains(&0) {
        return Ok(None);
    }
    let mut strides = collect(grid.len(), std::iter::repeat_n(1, grid.len()))?;
    let mut step = 1i64;
    for k in std::iter::once(axis).chain((0..grid.len()).rev().filter(|&k| k != axis)) {
        if let (Some(stride), Some(&n)) = (strides.get_mut(k), grid.get(k)) {
            *stride = step;
            step = i64::try_from(n).ok().and_then(|n| step.checked_mul(n)).ok_or_else(too_many)?;
        }
    }
    Ok(Some(strides))
}

#[cold]
fn too_many() -> Fault {
    Fault::new(Status::OVERFLOW, "Q-028", "count of a parameter array passes 63 bits")
}

/// A dimension that is not dynamic.
fn known(descriptor: &Descriptor, axis: usize) -> Result<u64, Fault> {
    match descriptor.shape.get(axis).copied() {
        Some(DYNAMIC) | None => Err(dynamic(axis)),
        Some(n) => Ok(n),
    }
}

#[cold]
fn dynamic(axis: usize) -> Fault {
    unsupported("dimension is dynamic").field("shape").index(axis)
}

#[cold]
fn no_level(level: u32) -> Fault {
    Fault::new(Status::INDEX_OUT_OF_BOUNDS, "", "no such level").field("level").value(level)
}

#[cold]
fn unsupported(what: &'static str) -> Fault {
    Fault::new(Status::UNSUPPORTED, "", what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::samples::{self, Wire, hex, plain};

    fn found(bytes: &[u8], role: u8, level: u32) -> (u32, u64, u8, Vec<u64>) {
        let Part { buffer, byte_offset, element_type, shape, strides } =
            part(&Descriptor::decode(bytes, true).unwrap(), role.into(), level).unwrap();
        assert_eq!(strides, None);
        (buffer, byte_offset, element_type, shape.to_vec())
    }

    fn refused(bytes: &[u8], role: u32, level: u32) -> Status {
        part(&Descriptor::decode(bytes, true).unwrap(), role, level).unwrap_err().status
    }

    /// A section of quantization behind a plain tensor.
    fn quantized(wire: Wire, payload: &str) -> Wire {
        let payload = hex(payload);
        let sections = [&(payload.len() as u32).to_le_bytes()[..], &payload].concat();
        Wire { flags: 1, sections, ..wire }
    }

    #[test]
    fn parts_of_sparse_tensors() {
        let csr = samples::csr();
        assert_eq!(found(&csr, VALUES, 0), (0, 0, 0x04, vec![4]));
        assert_eq!(found(&csr, INDICES, 0), (1, 0, 0x17, vec![4]));
        assert_eq!(found(&csr, POINTERS, 0), (2, 0, 0x17, vec![4]));
        let csc = samples::csc().bytes();
        assert_eq!(found(&csc, VALUES, 0), (0, 0, 0x12, vec![8]));
        assert_eq!(found(&csc, INDICES, 0), (1, 0, 0x17, vec![8]));
        assert_eq!(found(&csc, POINTERS, 0), (2, 0, 0x17, vec![7]));
        let coo = samples::coo().bytes();
        assert_eq!(found(&coo, VALUES, 0), (0, 0, 0x48, vec![3]));
        assert_eq!(found(&coo, INDICES, 0), (1, 0, 0x17, vec![3, 3]));
        let csf = samples::csf().bytes();
        assert_eq!(found(&csf, VALUES, 0), (0, 0, 0x03, vec![9]));
        for (level, pos, crd) in [(0, 2, 5), (1, 6, 7), (2, 8, 9)] {
            assert_eq!(found(&csf, CSF_POS, level), (2 * level + 1, 0, 0x17, vec![pos]));
            assert_eq!(found(&csf, CSF_CRD, level), (2 * level + 2, 0, 0x17, vec![crd]));
        }
    }

    #[test]
    fn parts_of_page_pools() {
        let paged = samples::paged().bytes();
        assert_eq!(found(&paged, VALUES, 0), (0, 0, 0x01, vec![5, 3, 2, 2]));
        assert_eq!(found(&paged, BLOCK_TABLE, 0), (1, 0, 0x17, vec![5]));
        assert_eq!(found(&paged, SEQ_PTR, 0), (2, 0, 0x17, vec![3]));
        let narrow = samples::paged_per_block().bytes();
        assert_eq!(found(&narrow, BLOCK_TABLE, 0), (1, 0, 0x15, vec![5]));
        assert_eq!(found(&narrow, SEQ_PTR, 0), (2, 0, 0x15, vec![3]));
        assert_eq!(found(&narrow, SCALES, 0), (3, 0, 0x01, vec![5, 4]));
    }

    #[test]
    fn parameters_are_shaped_by_the_blocks() {
        let per_channel = samples::per_channel();
        assert_eq!(found(&per_channel, SCALES, 0), (1, 0, 0x03, vec![8]));
        assert_eq!(found(&per_channel, ZERO_POINTS, 0), (2, 0, 0x14, vec![8]));
        // Both in one buffer: four float16 scales, then the zero points.
        let per_block = samples::per_block().bytes();
        assert_eq!(found(&per_block, SCALES, 0), (1, 0, 0x01, vec![2, 2]));
        assert_eq!(found(&per_block, ZERO_POINTS, 0), (1, 8, 0x14, vec![2, 2]));
        assert_eq!(found(&samples::nf4().bytes(), SCALES, 0), (1, 0, 0x03, vec![2]));
        assert_eq!(found(&samples::mxfp().bytes(), SCALES, 0), (1, 0, 0x42, vec![1, 2]));
    }

    #[test]
    fn blocks_along_the_axis_are_neighbours() {
        // block(i) = outer(i) * nb + i[axis] / K, quantization.md §6.
        let rows = Descriptor::decode(&samples::per_block_rows().bytes(), false).unwrap();
        let scales = part(&rows, 8, 0).unwrap();
        assert_eq!((&scales.shape[..], scales.strides.as_deref()), (&[2, 6][..], Some(&[1, 2][..])));
        assert_eq!((scales.buffer, scales.element_type), (1, 0x03));
        let zero_points = part(&rows, 9, 0).unwrap();
        assert_eq!((zero_points.buffer, zero_points.byte_offset), (2, 0));
        let wire = quantized(
            plain(0x49, 0x01, &[2, 4, 3], &[], &[12, 48]),
            "03010100 01000000 02000000 01000000 ffffffff 03000000",
        );
        let scales = part(&Descriptor::decode(&wire.bytes(), false).unwrap(), 8, 0).unwrap();
        assert_eq!((&scales.shape[..], scales.strides.as_deref()), (&[2, 2, 3][..], Some(&[6, 1, 2][..])));
    }

    #[test]
    fn no_such_part() {
        use Status as S;
        let csr = samples::csr();
        let cases: &[(&[u8], u32, u32, S)] = &[
            (&samples::strided(), 1, 0, S::FIELD_NOT_APPLICABLE),
            (&samples::strided(), 8, 0, S::FIELD_NOT_APPLICABLE),
            (&samples::private_layout().bytes(), 1, 0, S::FIELD_NOT_APPLICABLE),
            (&samples::overlay().bytes(), 1, 0, S::FIELD_NOT_APPLICABLE),
            (&csr, 0, 0, S::INVALID_ARGUMENT),
            (&csr, 4, 0, S::FIELD_NOT_APPLICABLE),
            (&csr, 4, 7, S::FIELD_NOT_APPLICABLE),
            (&csr, 10, 0, S::INVALID_ARGUMENT),
            (&csr, 257, 0, S::INVALID_ARGUMENT),
            (&csr, 1, 1, S::INDEX_OUT_OF_BOUNDS),
            (&samples::csf().bytes(), 4, 3, S::INDEX_OUT_OF_BOUNDS),
            (&samples::csf().bytes(), 5, 3, S::INDEX_OUT_OF_BOUNDS),
            (&samples::per_tensor().bytes(), 8, 0, S::FIELD_NOT_APPLICABLE),
            (&samples::per_channel(), 8, 1, S::INDEX_OUT_OF_BOUNDS),
            (&samples::mxfp().bytes(), 9, 0, S::FIELD_NOT_APPLICABLE),
            (&samples::unknown_layout().bytes(), 1, 0, S::UNSUPPORTED),
        ];
        for &(bytes, role, level, expected) in cases {
            assert_eq!(refused(bytes, role, level), expected, "role {role} level {level}");
        }
    }

    #[test]
    fn parts_that_cannot_be_sized() {
        let csr = |kind, rows| {
            plain(kind, 0x07, &[rows, 6], &hex("0000000000000000 0000000000000000"), &[0, 0, 32]).bytes()
        };
        assert_eq!(refused(&csr(0x03, u64::MAX), 3, 0), Status::UNSUPPORTED);
        assert_eq!(found(&csr(0x03, u64::MAX), VALUES, 0).3, [0]);
        assert_eq!(refused(&csr(0x30, 3), 1, 0), Status::UNSUPPORTED);
        assert_eq!(found(&csr(0x30, 3), POINTERS, 0).3, [4]);
        // quantization.md §11: NF4 on a page pool has no defined count.
        let payload = hex("04000000 0500000000000000 00000000 02000000 00 ffffffff 00 000000000000");
        let pool = plain(0x49, 0x0A, &[8, 2, 2], &payload, &[40, 20, 12, 7]);
        let nf4 = quantized(pool, "04010000 00000000 08000000 03000000").bytes();
        assert_eq!(refused(&nf4, 8, 0), Status::UNSUPPORTED);
    }
}
