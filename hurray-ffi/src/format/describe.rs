//! One line for printing.

use super::extent::DYNAMIC;
use super::tag::{space, tag_name};
use super::{Descriptor, Layout, Scheme, Tiled};
use std::fmt::{self, Display, Write};

/// Writes element type, shape, layout, quantization, device and total bytes, as in
/// `float32 [2, 3, 5] strided (-20, 6, 1) cpu 80 bytes`. `lead` bytes of the buffers are not the tensor's.
pub fn describe(descriptor: &Descriptor, lead: u64, out: &mut dyn Write) -> fmt::Result {
    write!(out, "{} [", Tag(space::ELEMENT_TYPE, descriptor.element_type))?;
    for (k, &n) in descriptor.shape.iter().enumerate() {
        let comma = if k == 0 { "" } else { ", " };
        match n {
            DYNAMIC => write!(out, "{comma}?")?,
            _ => write!(out, "{comma}{n}")?,
        }
    }
    out.write_str("] ")?;
    layout(&descriptor.layout, out)?;
    if let Some(quantization) = &descriptor.quantization {
        out.write_char(' ')?;
        scheme(&quantization.scheme, out)?;
    }
    let Some(first) = descriptor.buffers.first() else { return Ok(()) };
    write!(out, " {}", Tag(space::DEVICE, first.device_tag))?;
    if first.memory_class != 0 {
        write!(out, " {}", Tag(space::MEMORY_CLASS, first.memory_class))?;
    }
    let bytes: u128 = descriptor.buffers.iter().map(|entry| u128::from(entry.byte_size)).sum();
    write!(out, " {} bytes", bytes.saturating_sub(lead.into()))
}

fn layout(layout: &Layout, out: &mut dyn Write) -> fmt::Result {
    write!(out, "{}", Tag(space::LAYOUT, layout.tag()))?;
    match layout {
        Layout::RowMajor | Layout::ColumnMajor | Layout::Unknown { .. } => Ok(()),
        Layout::Strided(strides) => write!(out, " {}", List(strides)),
        Layout::Tiled(tiled) => tile(tiled, out),
        Layout::Morton(bits) => write!(out, " {}", List(bits)),
        Layout::Coo { nnz, is_sorted } => {
            write!(out, " nnz {nnz}{}", if *is_sorted == 0 { "" } else { " sorted" })
        }
        Layout::Csr { nnz } | Layout::Csc { nnz } => write!(out, " nnz {nnz}"),
        Layout::Csf { nnz, mode_order } => write!(out, " nnz {nnz} order {}", List(mode_order)),
        Layout::BlockPaged(paged) => {
            let role = Tag(space::KV_ROLE, paged.kv_role);
            write!(
                out,
                " {role} {} pages of {}, {} sequences",
                paged.num_pages, paged.page_size, paged.num_seqs
            )
        }
        Layout::Composite { rule, op, member_count } => {
            write!(out, " {}", Tag(space::COMPOSITION_RULE, *rule))?;
            if *op != 0 {
                write!(out, " {}", Tag(space::COMBINE_OP, *op))?;
            }
            write!(out, " of {member_count}")
        }
        Layout::Hilbert { order, .. } => write!(out, " order {order}"),
        Layout::Private { id, .. } => write!(out, " id {id:#x}"),
    }
}

/// Tile extents, then the order of the tiles and that inside a tile.
fn tile(tiled: &Tiled, out: &mut dyn Write) -> fmt::Result {
    write!(out, " {} {}", List(&tiled.tile_shape), Tag(space::LAYOUT, tiled.outer_layout))?;
    if let Some(strides) = &tiled.outer_strides {
        write!(out, " {}", List(strides))?;
    }
    write!(out, "/{}", Tag(space::LAYOUT, tiled.inner_layout))?;
    if let Some(strides) = &tiled.inner_strides {
        write!(out, " {}", List(strides))?;
    }
    match &tiled.nested {
        Some(nested) => tile(nested, out),
        None => Ok(()),
    }
}

fn scheme(scheme: &Scheme, out: &mut dyn Write) -> fmt::Result {
    write!(out, "{}", Tag(space::SCHEME, scheme.tag()))?;
    match scheme {
        Scheme::PerTensor { scale, zero_point } => write!(out, " scale {scale} zero_point {zero_point}"),
        Scheme::PerChannel { axis, .. } => write!(out, " axis {axis}"),
        Scheme::PerBlock { axis, block_size, .. }
        | Scheme::Nf4 { axis, block_size, .. }
        | Scheme::Mxfp { axis, block_size, .. } => write!(out, " axis {axis} block {block_size}"),
        Scheme::Unknown { .. } => Ok(()),
    }
}

/// A tag by name, or by number where it has none.
struct Tag(u32, u8);

impl Display for Tag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match tag_name(self.0, u32::from(self.1)).and_then(|name| name.to_str().ok()) {
            Some(name) => out.write_str(name),
            None => {
                let space = match self.0 {
                    space::ELEMENT_TYPE => "type",
                    space::LAYOUT => "layout",
                    space::SCHEME => "scheme",
                    space::DEVICE => "device",
                    _ => "class",
                };
                write!(out, "{space} {:#04x}", self.1)
            }
        }
    }
}

/// Numbers in parentheses.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, value) in self.0.iter().enumerate() {
            write!(out, "{}{value}", if k == 0 { "(" } else { ", " })?;
        }
        out.write_str(if self.0.is_empty() { "()" } else { ")" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::samples;

    #[test]
    fn lines() {
        for (bytes, line) in [
            (samples::strided(), "bfloat16 [2, 3, 5] strided (-20, 6, 1) cpu 80 bytes"),
            (samples::csr(), "float64 [3, 6] csr nnz 4 cuda unified 96 bytes"),
            (samples::per_channel(), "int8 [4, 8] row_major per_channel_affine axis 1 cpu 96 bytes"),
            (samples::scalar().bytes(), "float32 [] row_major cpu 4 bytes"),
            (samples::dynamic().bytes(), "float32 [?, 3] row_major cpu 0 bytes"),
            (
                samples::tiled().bytes(),
                "float32 [8, 4] tiled (4, 4) row_major/tiled (2, 2) column_major/row_major cpu 128 bytes",
            ),
            (
                samples::tiled_strides().bytes(),
                "float32 [8, 8] tiled (4, 4) strided (1, 2)/tiled (2, 2) row_major/strided (1, 2) cpu 256 bytes",
            ),
            (samples::morton().bytes(), "int8 [5, 3, 6] morton (3, 3, 3) cpu 512 bytes"),
            (samples::hilbert().bytes(), "uint8 [4, 4] hilbert order 2 cpu 16 bytes"),
            (samples::coo().bytes(), "int4 [3, 2, 4] coo nnz 3 sorted cpu 74 bytes"),
            (samples::csf().bytes(), "float32 [3, 4, 5] csf nnz 9 order (2, 0, 1) cpu 332 bytes"),
            (
                samples::paged().bytes(),
                "float16 [11, 2, 2] block_paged value 5 pages of 3, 2 sequences cpu 184 bytes",
            ),
            (samples::overlay().bytes(), "float32 [4, 4] composite overlay add of 3"),
            (
                samples::per_tensor().bytes(),
                "int8 [4] row_major per_tensor_affine scale 0.25 zero_point -3 cpu 4 bytes",
            ),
            (samples::mxfp().bytes(), "float4_e2m1 [1, 32] row_major mxfp axis 1 block 16 cpu 18 bytes"),
            (samples::private_type().bytes(), "type 0xf2 [3] row_major cpu 6 bytes"),
            (
                samples::private_layout().bytes(),
                "int8 [2, 2] layout 0xf1 id 0x123456789abcdef per_tensor_affine scale 0.5 zero_point 0 cpu 9 bytes",
            ),
            (samples::unknown_layout().bytes(), "int8 [2] layout 0x0c"),
            (samples::unknown_scheme().bytes(), "int8 [2] row_major scheme 0x06 cpu 2 bytes"),
        ] {
            let mut text = String::new();
            describe(&Descriptor::decode(&bytes, true).unwrap(), 0, &mut text).unwrap();
            assert_eq!(text, line);
        }
    }

    #[test]
    fn lead_bytes_are_left_out() {
        let mut text = String::new();
        describe(&Descriptor::decode(&samples::strided(), true).unwrap(), 16, &mut text).unwrap();
        assert_eq!(text, "bfloat16 [2, 3, 5] strided (-20, 6, 1) cpu 64 bytes");
    }
}
