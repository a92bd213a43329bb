//! The fixed header: its constants and the rules of its fields.

use super::element::{TagClass, tag_class};
use super::{Fault, MAX_RANK, Place, Status};

/// First bytes of a descriptor.
pub const MAGIC: [u8; 4] = *b"HRRY";
/// The one major version there is.
pub const MAJOR: u8 = 1;
/// Bytes of the fixed header.
pub const HEADER_LEN: usize = 20;

/// Flag of the quantization section.
pub const HAS_QUANTIZATION: u32 = 1;
/// Flag of the shard section.
pub const HAS_SHARD: u32 = 2;
/// Flag of the extension type section.
pub const HAS_EXTENSION_TYPE: u32 = 4;
/// Flag of the statistics section.
pub const HAS_STATISTICS: u32 = 8;
/// Flag of the composite member section.
pub const HAS_MEMBER: u32 = 16;
/// All flags there are.
pub const ALL_FLAGS: u32 = 31;

/// V-012.
pub(super) fn check_flags(flags: u32) -> Result<(), Fault> {
    if flags & !ALL_FLAGS == 0 {
        return Ok(());
    }
    Err(Fault::new(Status::INVALID_DESCRIPTOR, "V-012", "reserved flag bits are set")
        .field("flags")
        .value(flags))
}

/// V-013 to V-017.
pub(super) fn check_type(tag: u8, flags: u32, permissive: bool) -> Result<(), Fault> {
    let class = tag_class(tag);
    let known = match class {
        TagClass::Assigned | TagClass::Private => true,
        TagClass::Reserved => permissive,
        TagClass::Invalid => false,
    };
    let described = flags & HAS_EXTENSION_TYPE != 0;
    if known && described == (class == TagClass::Private) { Ok(()) } else { Err(bad_type(tag, class, known)) }
}

#[cold]
fn bad_type(tag: u8, class: TagClass, known: bool) -> Fault {
    let (rule, what) = match class {
        TagClass::Invalid => ("V-013", "element type tag is never valid"),
        TagClass::Private => ("V-016", "private element type without an extension type section"),
        _ if known => ("V-017", "extension type section on an element type that is not private"),
        _ if tag == 0x47 || tag >= 0x80 => ("V-014", "element type tag is reserved"),
        _ => ("V-015", "element type tag is not assigned"),
    };
    Fault::new(Status::INVALID_TYPE, rule, what).field("type_tag").value(tag).at(Place::TypeTag)
}

/// V-021.
pub(super) fn check_rank(rank: u64) -> Result<(), Fault> {
    if rank <= MAX_RANK as u64 {
        return Ok(());
    }
    let fault = Fault::new(Status::LIMIT_EXCEEDED, "V-021", "rank is above 64");
    Err(fault.field("rank").value(rank).limit(MAX_RANK as u64).at(Place::Rank))
}

/// V-018 to V-020.
pub(super) fn check_layout_tag(tag: u8, permissive: bool) -> Result<(), Fault> {
    match tag {
        0x01..=0x0B | 0x40 => Ok(()),
        0x01..=0xFE if permissive => Ok(()),
        _ => Err(bad_layout_tag(tag)),
    }
}

#[cold]
fn bad_layout_tag(tag: u8) -> Fault {
    let (status, rule, what) = match tag {
        0x00 | 0xFF => (Status::INVALID_LAYOUT, "V-018", "layout tag is never valid"),
        0xF0..=0xFE => (Status::UNSUPPORTED, "V-020", "private layout, which needs permissive reading"),
        _ => (Status::INVALID_LAYOUT, "V-019", "layout tag is not assigned"),
    };
    Fault::new(status, rule, what).field("layout_tag").value(tag).at(Place::LayoutTag)
}
