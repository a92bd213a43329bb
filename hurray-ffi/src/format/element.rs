//! Element types: widths, packing, and the classes of the tag space.

/// Kind bit: a real floating-point type.
pub const FLOAT: u32 = 1;
/// Kind bit: an integer type.
pub const INTEGER: u32 = 2;
/// Kind bit: holds negative values.
pub const SIGNED: u32 = 4;
/// Kind bit: a complex type.
pub const COMPLEX: u32 = 8;
/// Kind bit: the boolean type.
pub const BOOL: u32 = 16;
/// Kind bit: an element narrower than a byte, or not a whole number of bytes.
pub const SUB_BYTE: u32 = 32;
/// Kind bit: every reader knows it.
pub const TIER_1: u32 = 64;

/// What an assigned element type tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementInfo {
    /// Bits per element.
    pub bits: u32,
    /// Alignment of one element, in bytes; packed types give 1.
    pub alignment: u32,
    /// Kind bits.
    pub kind: u32,
}

/// The classes of the element type tag space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagClass {
    /// One of the 26 types.
    Assigned,
    /// `F0`-`FE`: described by the extension type section.
    Private,
    /// Held for later versions.
    Reserved,
    /// `00` and `FF`.
    Invalid,
}

const fn info(bits: u32, alignment: u32, kind: u32) -> Option<ElementInfo> {
    let narrow = if bits < 8 { SUB_BYTE } else { 0 };
    Some(ElementInfo { bits, alignment, kind: kind | narrow })
}

const fn look_up(tag: u8) -> Option<ElementInfo> {
    const REAL: u32 = FLOAT | SIGNED;
    const INT: u32 = INTEGER | SIGNED;
    match tag {
        0x01 | 0x02 => info(16, 2, REAL | TIER_1),
        0x03 => info(32, 4, REAL | TIER_1),
        0x04 => info(64, 8, REAL | TIER_1),
        0x10 => info(8, 1, INT | TIER_1),
        0x11 => info(8, 1, INTEGER | TIER_1),
        0x12 => info(16, 2, INT | TIER_1),
        0x13 => info(16, 2, INTEGER | TIER_1),
        0x14 => info(32, 4, INT | TIER_1),
        0x15 => info(32, 4, INTEGER | TIER_1),
        0x16 => info(64, 8, INT | TIER_1),
        0x17 => info(64, 8, INTEGER | TIER_1),
        0x20 => info(1, 1, BOOL | TIER_1),
        0x40 | 0x41 => info(8, 1, REAL),
        0x42 => info(8, 1, FLOAT), // e8m0 is a power of two: no sign bit
        0x43 => info(4, 1, REAL),
        0x44 | 0x45 => info(6, 1, REAL),
        0x46 => info(128, 16, REAL),
        0x48 => info(4, 1, INT),
        0x49 => info(4, 1, INTEGER),
        0x4A => info(2, 1, INT),
        0x4B => info(2, 1, INTEGER),
        0x50 => info(64, 4, COMPLEX | SIGNED),
        0x51 => info(128, 8, COMPLEX | SIGNED),
        _ => None,
    }
}

static INFO: [Option<ElementInfo>; 256] = {
    let mut table = [None; 256];
    let mut tag = 0;
    while tag < 256 {
        table[tag] = look_up(tag as u8);
        tag += 1;
    }
    table
};

/// Width, alignment and kind of an assigned tag; `None` for every other.
pub fn element_info(tag: u8) -> Option<ElementInfo> {
    INFO[usize::from(tag)]
}

/// The class of an element type tag.
pub fn tag_class(tag: u8) -> TagClass {
    match tag {
        0x00 | 0xFF => TagClass::Invalid,
        0xF0..=0xFE => TagClass::Private,
        _ if element_info(tag).is_some() => TagClass::Assigned,
        _ => TagClass::Reserved,
    }
}

/// Bytes that `count` packed elements of `bits` bits take; `None` beyond 64 bits.
///
/// `bits` is 1, 2, 4, 6 or a multiple of 8.
pub fn packed_bytes(bits: u32, count: u64) -> Option<u64> {
    packed_bytes_wide(bits, u128::from(count)).and_then(|bytes| u64::try_from(bytes).ok())
}

/// [`packed_bytes`] where the count may leave 64 bits.
pub(super) fn packed_bytes_wide(bits: u32, count: u128) -> Option<u128> {
    match bits {
        // Six-bit elements come in groups of four, three bytes each, the last one whole.
        6 => count.div_ceil(4).checked_mul(3),
        0..8 => Some(count.checked_mul(u128::from(bits))?.div_ceil(8)),
        _ => count.checked_mul(u128::from(bits / 8)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_six_tags_are_assigned() {
        let assigned = (0..=255).filter(|&tag| tag_class(tag) == TagClass::Assigned).count();
        assert_eq!(assigned, 26);
        let tier_1 = (0..=255).filter_map(element_info).filter(|i| i.kind & TIER_1 != 0).count();
        assert_eq!(tier_1, 13);
    }

    #[test]
    fn widths_and_alignments_follow_the_table() {
        // (tag, bits, alignment, kind), descriptor.md §2.1.
        let rows = [
            (0x01, 16, 2, FLOAT | SIGNED | TIER_1),
            (0x04, 64, 8, FLOAT | SIGNED | TIER_1),
            (0x11, 8, 1, INTEGER | TIER_1),
            (0x16, 64, 8, INTEGER | SIGNED | TIER_1),
            (0x20, 1, 1, BOOL | SUB_BYTE | TIER_1),
            (0x42, 8, 1, FLOAT),
            (0x43, 4, 1, FLOAT | SIGNED | SUB_BYTE),
            (0x45, 6, 1, FLOAT | SIGNED | SUB_BYTE),
            (0x46, 128, 16, FLOAT | SIGNED),
            (0x4B, 2, 1, INTEGER | SUB_BYTE),
            (0x50, 64, 4, COMPLEX | SIGNED),
            (0x51, 128, 8, COMPLEX | SIGNED),
        ];
        for (tag, bits, alignment, kind) in rows {
            assert_eq!(element_info(tag), Some(ElementInfo { bits, alignment, kind }), "{tag:02X}");
        }
    }

    #[test]
    fn classes_of_the_tag_space() {
        for tag in [0x00, 0xFF] {
            assert_eq!(tag_class(tag), TagClass::Invalid);
        }
        for tag in [0x05, 0x0F, 0x18, 0x1F, 0x21, 0x3F, 0x47, 0x4C, 0x4F, 0x52, 0x7F, 0x80, 0xEF] {
            assert_eq!(tag_class(tag), TagClass::Reserved, "{tag:02X}");
            assert_eq!(element_info(tag), None);
        }
        assert_eq!(tag_class(0xF0), TagClass::Private);
        assert_eq!(tag_class(0xFE), TagClass::Private);
    }

    #[test]
    fn packed_sizes() {
        // descriptor.md §2.3 and §2.4.
        assert_eq!(packed_bytes(1, 11), Some(2));
        assert_eq!(packed_bytes(4, 5), Some(3));
        assert_eq!(packed_bytes(2, 6), Some(2));
        assert_eq!(packed_bytes(6, 1), Some(3));
        assert_eq!(packed_bytes(6, 5), Some(6));
        assert_eq!(packed_bytes(6, 6), Some(6));
        assert_eq!(packed_bytes(64, 4), Some(32));
        assert_eq!(packed_bytes(24, 3), Some(9));
        assert_eq!(packed_bytes(128, 0), Some(0));
        assert_eq!(packed_bytes(1, u64::MAX), Some(1 << 61));
        assert_eq!(packed_bytes(8, u64::MAX), Some(u64::MAX));
        assert_eq!(packed_bytes(16, u64::MAX), None);
        assert_eq!(packed_bytes(64, 1 << 61), None);
        assert_eq!(packed_bytes(64, (1 << 61) - 1), Some(u64::MAX - 7));
        assert_eq!(packed_bytes(u32::MAX - 7, u64::MAX), None);
    }
}
