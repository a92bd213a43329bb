//! What each buffer of a tensor holds.

use super::{Descriptor, Layout, Scheme};

/// Role: element values, pages included.
pub const VALUES: u8 = 1;
/// Role: coordinates of COO, CSR and CSC entries.
pub const INDICES: u8 = 2;
/// Role: row or column pointers.
pub const POINTERS: u8 = 3;
/// Role: positions of a CSF level.
pub const CSF_POS: u8 = 4;
/// Role: coordinates of a CSF level.
pub const CSF_CRD: u8 = 5;
/// Role: page numbers.
pub const BLOCK_TABLE: u8 = 6;
/// Role: where each sequence's page numbers begin.
pub const SEQ_PTR: u8 = 7;
/// Role: scales, or scales and zero points in one buffer.
pub const SCALES: u8 = 8;
/// Role: zero points.
pub const ZERO_POINTS: u8 = 9;

/// What a buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// One of the constants, 0 where only an agreement knows.
    pub role: u8,
    /// CSF level, else 0.
    pub level: u32,
}

/// The role of the buffer at `index` of the table.
pub fn buffer_role(descriptor: &Descriptor, index: u32) -> Role {
    if let Some(role) = layout_role(&descriptor.layout, index) {
        return role;
    }
    let role = match parameter_buffers(descriptor) {
        Some((scales, _)) if scales == index => SCALES,
        Some((_, Some(zero_points))) if zero_points == index => ZERO_POINTS,
        _ => 0,
    };
    Role { role, level: 0 }
}

/// The buffer of scales, and that of zero points, of a scheme that has them.
pub(super) fn parameter_buffers(descriptor: &Descriptor) -> Option<(u32, Option<u32>)> {
    match descriptor.quantization.as_ref()?.scheme {
        Scheme::PerChannel { scale_buffer, zero_point_buffer, .. }
        | Scheme::PerBlock { scale_buffer, zero_point_buffer, .. } => {
            Some((scale_buffer, Some(zero_point_buffer).filter(|&index| index != u32::MAX)))
        }
        Scheme::Nf4 { scale_buffer, .. } | Scheme::Mxfp { scale_buffer, .. } => Some((scale_buffer, None)),
        Scheme::PerTensor { .. } | Scheme::Unknown { .. } => None,
    }
}

/// The role of one of the layout's own buffers.
fn layout_role(layout: &Layout, index: u32) -> Option<Role> {
    let plain = |roles: &[u8]| roles.get(index as usize).map(|&role| Role { role, level: 0 });
    match layout {
        Layout::RowMajor
        | Layout::ColumnMajor
        | Layout::Strided(_)
        | Layout::Tiled(_)
        | Layout::Morton(_)
        | Layout::Hilbert { .. } => plain(&[VALUES]),
        Layout::Coo { .. } => plain(&[VALUES, INDICES]),
        Layout::Csr { .. } | Layout::Csc { .. } => plain(&[VALUES, INDICES, POINTERS]),
        Layout::Csf { mode_order, .. } => match index {
            0 => plain(&[VALUES]),
            _ if index as usize > 2 * mode_order.len() => None,
            _ if index % 2 == 1 => Some(Role { role: CSF_POS, level: index / 2 }),
            _ => Some(Role { role: CSF_CRD, level: index / 2 - 1 }),
        },
        Layout::BlockPaged(_) => plain(&[VALUES, BLOCK_TABLE, SEQ_PTR]),
        Layout::Private { .. } => plain(&[0]),
        Layout::Composite { .. } | Layout::Unknown { .. } => None,
    }
}
