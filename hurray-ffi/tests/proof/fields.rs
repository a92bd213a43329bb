//! The fields of a model: what a builder is told, and what the accessors must answer. Identifiers are the contract's
//! numbers, not the library's constants.

use super::model::{Layout, Model, NONE, Order, Scheme, Tile};

#[derive(Clone, Debug)]
pub enum Value {
    U(u64),
    I(i64),
    F(f64),
    Us(Vec<u64>),
    Is(Vec<i64>),
    Bytes(Vec<u8>),
}

/// A field: identifier, level, value.
pub type Field = (u32, u32, Value);

fn u(id: u32, value: impl Into<u64>) -> Field {
    (id, 0, Value::U(value.into()))
}

fn wide(values: &[u32]) -> Value {
    Value::Us(values.iter().copied().map(u64::from).collect())
}

fn tile(fields: &mut Vec<Field>, tile: &Tile, level: u32) {
    let tag = |order: &Order| match order {
        Order::Plain(tag) => u64::from(*tag),
        Order::Strides(_) => 3,
    };
    let inner = if tile.nested.is_some() { 4 } else { tag(&tile.inner) };
    fields.push((0x0001_0400, level, Value::Us(tile.shape.clone())));
    fields.push((0x0001_0401, level, Value::U(tag(&tile.outer))));
    fields.push((0x0001_0402, level, Value::U(inner)));
    if let Order::Strides(strides) = &tile.outer {
        fields.push((0x0001_0403, level, Value::Is(strides.clone())));
    }
    match (&tile.nested, &tile.inner) {
        (Some(nested), _) => self::tile(fields, nested, level + 1),
        (None, Order::Strides(strides)) => fields.push((0x0001_0404, level, Value::Is(strides.clone()))),
        (None, Order::Plain(_)) => {}
    }
}

fn layout(fields: &mut Vec<Field>, model: &Model) {
    match &model.layout {
        Layout::Plain(_) => {}
        Layout::Strided(strides) => fields.push((0x0001_0300, 0, Value::Is(strides.clone()))),
        Layout::Tiled(outermost) => tile(fields, outermost, 0),
        Layout::Morton(bits) => fields.push((0x0001_0500, 0, wide(bits))),
        Layout::Coo { nnz, sorted } => fields.extend([u(0x0001_0600, *nnz), u(0x0001_0601, *sorted)]),
        Layout::Compressed { tag, nnz } => fields.push(u(0x0001_0000 | u32::from(*tag) << 8, *nnz)),
        Layout::Csf { nnz, order } => {
            fields.extend([u(0x0001_0900, *nnz), (0x0001_0901, 0, wide(order))]);
        }
        Layout::Paged { page_size, pages, seqs, role, layer, wide } => {
            fields.extend([u(0x0001_0A00, *page_size), u(0x0001_0A01, *pages), u(0x0001_0A02, 0u8)]);
            fields.extend([u(0x0001_0A03, *seqs), u(0x0001_0A04, *role), u(0x0001_0A06, *wide)]);
            if *layer != NONE {
                fields.push(u(0x0001_0A05, *layer));
            }
        }
        Layout::Head { rule, op, members } => {
            fields.extend([u(0x0001_0B00, *rule), u(0x0001_0B01, *op), u(0x0001_0B02, *members)]);
        }
        Layout::Hilbert { order } => {
            fields.extend([u(0x0001_4000, *order), u(0x0001_4001, model.shape.len() as u64)]);
        }
        Layout::Private { id, data, .. } => {
            fields.extend([u(0x0001_F000, *id), (0x0001_F001, 0, Value::Bytes(data.clone()))]);
        }
        Layout::Unknown { data, .. } => fields.push((0x0001_0000, 0, Value::Bytes(data.clone()))),
    }
}

fn scheme(fields: &mut Vec<Field>, scheme: &Scheme) {
    match scheme {
        Scheme::PerTensor { scale, zero_point } => {
            fields.push(u(0x0002_0000, 1u8));
            fields.push((0x0002_0100, 0, Value::F(f64::from(*scale))));
            fields.push((0x0002_0101, 0, Value::I(i64::from(*zero_point))));
        }
        Scheme::PerChannel { axis, scales, zero_points } => {
            fields.extend([u(0x0002_0000, 2u8), u(0x0002_0200, *axis), u(0x0002_0201, *scales)]);
            fields.push(u(0x0002_0203, 3u8));
            if *zero_points != NONE {
                fields.push(u(0x0002_0202, *zero_points));
            }
        }
        Scheme::PerBlock { axis, block, scales, zero_points, scale_type } => {
            fields.extend([u(0x0002_0000, 3u8), u(0x0002_0300, *axis), u(0x0002_0301, *block)]);
            fields.extend([u(0x0002_0302, *scales), u(0x0002_0304, *scale_type)]);
            if *zero_points != NONE {
                fields.push(u(0x0002_0303, *zero_points));
            }
        }
        Scheme::Blocks { tag, axis, block, scales } => {
            let first = 0x0002_0000 | u32::from(*tag) << 8;
            fields.extend([
                u(0x0002_0000, *tag),
                u(first, *axis),
                u(first + 1, *block),
                u(first + 2, *scales),
            ]);
        }
        Scheme::Unknown { tag, version, flags, data } => {
            fields.extend([u(0x0002_0000, *tag), u(0x0002_0001, *version), u(0x0002_0002, *flags)]);
            fields.push((0x0002_0003, 0, Value::Bytes(data.clone())));
        }
    }
}

/// Every field that is not derived, but for element type, layout, shape and the buffer table, in the order of the
/// sub-objects; a scheme comes before its fields.
pub fn fields(model: &Model) -> Vec<Field> {
    let mut fields = vec![u(0x0008_0007, model.byte_offset)];
    layout(&mut fields, model);
    if let Layout::Unknown { .. } = model.layout {
        return fields;
    }
    if let Some(found) = &model.scheme {
        scheme(&mut fields, found);
    }
    if let Some((parent, offset)) = &model.shard {
        fields.push((0x0003_0000, 0, Value::Us(parent.clone())));
        fields.push((0x0003_0001, 0, Value::Us(offset.clone())));
    }
    if let Some(found) = &model.statistics {
        let has = |bit: u32| found.mask >> bit & 1 == 1;
        fields.push(u(0x0004_0000, found.mask));
        if has(0) {
            fields.push(u(0x0004_0001, found.nnz));
        }
        for (k, bit) in [1, 2, 2, 2, 3, 3].into_iter().enumerate() {
            if has(bit) {
                fields.push((0x0004_0002 + k as u32, 0, Value::F(found.reals[k])));
            }
        }
        for (k, bit) in [4, 4, 5, 5].into_iter().enumerate() {
            if has(bit) {
                fields.push(u(0x0004_0008 + k as u32, found.small[k]));
            }
        }
    }
    if let Some(found) = &model.extension {
        fields.extend([u(0x0005_0000, found.bits), u(0x0005_0001, found.packing)]);
        fields.extend((0x0005_0002..).zip(found.parts).map(|(id, part)| u(id, part)));
        fields.extend([
            u(0x0005_0007, found.bias),
            u(0x0005_0008, found.has[0]),
            u(0x0005_0009, found.has[1]),
        ]);
    }
    fields.extend(model.role.map(|role| u(0x0006_0000, role)));
    fields
}
