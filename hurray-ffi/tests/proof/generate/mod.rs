//! Random valid descriptors, after descriptor.md, layouts.md and quantization.md.

mod layout;
mod scheme;
mod sections;

use super::model::{DYNAMIC, Entry, Layout, Model, Scheme};
use super::random::Random;
use layout::Laid;

/// Tag and bits of every public element type (descriptor.md §2.1).
pub const TYPES: [(u8, u32); 26] = [
    (0x01, 16),
    (0x02, 16),
    (0x03, 32),
    (0x04, 64),
    (0x10, 8),
    (0x11, 8),
    (0x12, 16),
    (0x13, 16),
    (0x14, 32),
    (0x15, 32),
    (0x16, 64),
    (0x17, 64),
    (0x20, 1),
    (0x40, 8),
    (0x41, 8),
    (0x42, 8),
    (0x43, 4),
    (0x44, 6),
    (0x45, 6),
    (0x46, 128),
    (0x48, 4),
    (0x49, 4),
    (0x4A, 2),
    (0x4B, 2),
    (0x50, 64),
    (0x51, 128),
];

/// Bytes of `count` packed elements (descriptor.md §2.4).
pub fn packed(count: u128, bits: u32) -> u128 {
    match bits {
        6 => count.div_ceil(4) * 3,
        1 | 2 | 4 => (count * u128::from(bits)).div_ceil(8),
        _ => count * u128::from(bits / 8),
    }
}

/// A descriptor that a strict reader takes.
pub fn strict(random: &mut Random) -> Model {
    model(random, false)
}

/// A descriptor with a part that only a permissive reader takes.
pub fn permissive(random: &mut Random) -> Model {
    model(random, true)
}

/// What only a permissive reader takes.
#[derive(Clone, Copy, PartialEq)]
enum Opaque {
    Nothing,
    Type,
    Layout,
    PrivateLayout,
    Scheme,
}

fn model(random: &mut Random, permissive: bool) -> Model {
    let opaque = match permissive {
        true => random.pick(&[Opaque::Type, Opaque::Layout, Opaque::PrivateLayout, Opaque::Scheme]),
        false => Opaque::Nothing,
    };
    let is_private = random.once_in(8) && opaque != Opaque::Type;
    let extension = is_private.then(|| sections::extension(random));
    let (type_tag, bits) = match &extension {
        Some(extension) => (random.within(0xF0, 0xFE) as u8, extension.bits),
        // Of an unknown width: nothing is sized by it.
        None if opaque == Opaque::Type => (random.pick(&[0x05, 0x1F, 0x21, 0x47, 0x4C, 0x7F, 0x80, 0xEF]), 8),
        None => random.pick(&TYPES),
    };
    let laid = match opaque {
        Opaque::Layout => return sections::hidden(random, type_tag, extension),
        Opaque::PrivateLayout => layout::private(random),
        _ => layout::layout(random),
    };
    let scheme = match opaque {
        Opaque::Scheme if !matches!(laid.layout, Layout::Head { .. }) => Some(scheme::unknown(random)),
        Opaque::Scheme => return model(random, permissive),
        Opaque::Type => None,
        _ if random.once_in(2) => None,
        // Schemes have storage types of their own.
        _ => return quantized(random, laid, permissive),
    };
    finish(random, laid, Parts { type_tag, bits, extension, scheme, permissive })
}

fn quantized(random: &mut Random, mut laid: Laid, permissive: bool) -> Model {
    match scheme::scheme(random, &mut laid) {
        Some((scheme, type_tag, bits)) => {
            finish(random, laid, Parts { type_tag, bits, extension: None, scheme: Some(scheme), permissive })
        }
        None => model(random, permissive),
    }
}

/// What a layout is completed by.
struct Parts {
    type_tag: u8,
    bits: u32,
    extension: Option<super::model::Extension>,
    scheme: Option<Scheme>,
    permissive: bool,
}

fn finish(random: &mut Random, mut laid: Laid, parts: Parts) -> Model {
    let Parts { type_tag, bits, extension, scheme, permissive } = parts;
    let (byte_offset, mut sizes) = layout::sizes(random, &laid, bits);
    if let Some(scheme) = &scheme {
        sizes.extend(scheme::sizes(random, scheme, &laid));
    }
    if let Layout::Private { .. } = laid.layout {
        let more = random.below(3);
        sizes.extend((0..more).map(|_| random.below(100)));
    }
    let shard = laid.may_have_shard().then(|| sections::shard(random, &laid.shape)).flatten();
    if shard.is_none() {
        make_dynamic(random, &mut laid, scheme.as_ref());
    }
    Model {
        type_tag,
        byte_offset,
        buffers: entries(random, &sizes),
        scheme,
        shard,
        statistics: random.once_in(3).then(|| sections::statistics(random)),
        extension,
        role: (random.once_in(5) && !matches!(laid.layout, Layout::Head { .. }))
            .then(|| random.below(2) as u8),
        hidden_flags: 0,
        permissive,
        shape: laid.shape,
        layout: laid.layout,
    }
}

/// Now and then a dimension is not known yet. The buffers stay as they are: they fit one way it may be resolved.
fn make_dynamic(random: &mut Random, laid: &mut Laid, scheme: Option<&Scheme>) {
    let rank = laid.shape.len();
    let fixed_head = matches!(laid.layout, Layout::Head { rule: 1 | 2, .. });
    if rank == 0 || fixed_head || !random.once_in(6) {
        return;
    }
    let axis = match scheme {
        Some(
            Scheme::PerChannel { axis, .. } | Scheme::PerBlock { axis, .. } | Scheme::Blocks { axis, .. },
        ) => Some(*axis as usize),
        _ => None,
    };
    let k = random.below(rank as u64) as usize;
    if Some(k) != axis {
        laid.shape[k] = DYNAMIC;
    }
}

/// The classes that a device has (descriptor.md §5.3), and its sync modes.
fn placement(random: &mut Random) -> (u8, u8, u64) {
    let device = if random.once_in(2) { 0 } else { random.pick(&[1, 2, 3, 4, 5, 6, 7, 8, 0xF0, 0xFE]) };
    let class = match device {
        0 | 3 | 6 | 8 => random.below(3) as u8,
        5 => 0,
        0xF0.. => random.pick(&[0, 0xF0, 0xF7, 0xFE]),
        _ => random.below(4) as u8,
    };
    (device, class, if device == 0 { 1 } else { 3 })
}

fn entries(random: &mut Random, sizes: &[u64]) -> Vec<Entry> {
    let (device, class, syncs) = placement(random);
    let entry = |&byte_size: &u64| Entry {
        byte_size,
        alignment: 1 << random.within(if byte_size == 0 { 0 } else { 6 }, 31),
        device,
        sync: random.below(syncs) as u8,
        class,
    };
    sizes.iter().map(entry).collect()
}
