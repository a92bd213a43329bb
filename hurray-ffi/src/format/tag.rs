//! Names of the tags, for printing: no caller needs a table of its own.

use std::ffi::CStr;

/// Tag spaces, as numbered for `tag_name`.
pub mod space {
    /// Element types.
    pub const ELEMENT_TYPE: u32 = 1;
    /// Layouts.
    pub const LAYOUT: u32 = 2;
    /// Quantization schemes.
    pub const SCHEME: u32 = 3;
    /// Devices.
    pub const DEVICE: u32 = 4;
    /// Memory classes.
    pub const MEMORY_CLASS: u32 = 5;
    /// Synchronisation modes.
    pub const SYNC_MODE: u32 = 6;
    /// Composition rules.
    pub const COMPOSITION_RULE: u32 = 7;
    /// Combine operations.
    pub const COMBINE_OP: u32 = 8;
    /// Roles of overlay members.
    pub const MEMBER_ROLE: u32 = 9;
    /// Types of key-value metadata.
    pub const KV_TYPE: u32 = 10;
    /// Key-value cache roles.
    pub const KV_ROLE: u32 = 11;
    /// Roles of buffers and of parts.
    pub const BUFFER_ROLE: u32 = 12;
}

/// The name of an assigned tag, lowercase; `None` for unassigned, reserved and private tags.
pub fn tag_name(space: u32, tag: u32) -> Option<&'static CStr> {
    let tag = u8::try_from(tag).ok()?;
    match space {
        space::ELEMENT_TYPE => element_type(tag),
        space::LAYOUT => layout(tag),
        space::SCHEME => from_one(
            tag,
            &[c"per_tensor_affine", c"per_channel_affine", c"per_block_affine", c"nf4", c"mxfp"],
        ),
        space::DEVICE => from_zero(
            tag,
            &[c"cpu", c"cuda", c"rocm", c"metal", c"vulkan", c"webgpu", c"hexagon", c"level_zero", c"opencl"],
        ),
        space::MEMORY_CLASS => from_zero(tag, &[c"standard", c"host_pinned", c"unified", c"peer"]),
        space::SYNC_MODE => from_zero(tag, &[c"producer_synced", c"event", c"consumer_stream"]),
        space::COMPOSITION_RULE => from_one(tag, &[c"partition", c"overlay", c"group"]),
        space::COMBINE_OP => from_zero(tag, &[c"none", c"replace", c"add"]),
        space::MEMBER_ROLE => from_zero(tag, &[c"correction", c"base"]),
        space::KV_TYPE => {
            from_one(tag, &[c"string", c"int64", c"uint64", c"float64", c"bool", c"bytes", c"array"])
        }
        space::KV_ROLE => from_zero(tag, &[c"key", c"value", c"fused"]),
        space::BUFFER_ROLE => from_one(
            tag,
            &[
                c"values",
                c"indices",
                c"pointers",
                c"csf_pos",
                c"csf_crd",
                c"block_table",
                c"seq_ptr",
                c"scales",
                c"zero_points",
            ],
        ),
        _ => None,
    }
}

fn from_zero(tag: u8, names: &[&'static CStr]) -> Option<&'static CStr> {
    names.get(usize::from(tag)).copied()
}

fn from_one(tag: u8, names: &[&'static CStr]) -> Option<&'static CStr> {
    from_zero(tag.checked_sub(1)?, names)
}

fn layout(tag: u8) -> Option<&'static CStr> {
    match tag {
        0x40 => Some(c"hilbert"),
        _ => from_one(
            tag,
            &[
                c"row_major",
                c"column_major",
                c"strided",
                c"tiled",
                c"morton",
                c"coo",
                c"csr",
                c"csc",
                c"csf",
                c"block_paged",
                c"composite",
            ],
        ),
    }
}

fn element_type(tag: u8) -> Option<&'static CStr> {
    Some(match tag {
        0x01 => c"float16",
        0x02 => c"bfloat16",
        0x03 => c"float32",
        0x04 => c"float64",
        0x10 => c"int8",
        0x11 => c"uint8",
        0x12 => c"int16",
        0x13 => c"uint16",
        0x14 => c"int32",
        0x15 => c"uint32",
        0x16 => c"int64",
        0x17 => c"uint64",
        0x20 => c"bool",
        0x40 => c"float8_e4m3",
        0x41 => c"float8_e5m2",
        0x42 => c"float8_e8m0",
        0x43 => c"float4_e2m1",
        0x44 => c"float6_e2m3",
        0x45 => c"float6_e3m2",
        0x46 => c"float128",
        0x48 => c"int4",
        0x49 => c"uint4",
        0x4A => c"int2",
        0x4B => c"uint2",
        0x50 => c"complex64",
        0x51 => c"complex128",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::tag_name;

    /// All names of one space, as `tag name` pairs.
    fn names(space: u32) -> Vec<(u32, &'static str)> {
        (0..=300).filter_map(|tag| Some((tag, tag_name(space, tag)?.to_str().unwrap()))).collect()
    }

    #[test]
    fn names_of_the_small_spaces() {
        let device = "cpu cuda rocm metal vulkan webgpu hexagon level_zero opencl";
        let role = "values indices pointers csf_pos csf_crd block_table seq_ptr scales zero_points";
        for (space, first, expected) in [
            (3, 1, "per_tensor_affine per_channel_affine per_block_affine nf4 mxfp"),
            (4, 0, device),
            (5, 0, "standard host_pinned unified peer"),
            (6, 0, "producer_synced event consumer_stream"),
            (7, 1, "partition overlay group"),
            (8, 0, "none replace add"),
            (9, 0, "correction base"),
            (10, 1, "string int64 uint64 float64 bool bytes array"),
            (11, 0, "key value fused"),
            (12, 1, role),
        ] {
            let expected: Vec<_> = (first..).zip(expected.split(' ')).collect();
            assert_eq!(names(space), expected, "space {space}");
        }
    }

    #[test]
    fn names_of_element_types_and_layouts() {
        let types = names(1);
        assert_eq!(types.len(), 26);
        for pair in
            [(0x02, "bfloat16"), (0x20, "bool"), (0x46, "float128"), (0x48, "int4"), (0x51, "complex128")]
        {
            assert!(types.contains(&pair), "{pair:?}");
        }
        let layouts = names(2);
        assert_eq!(layouts.len(), 12);
        for pair in [
            (1, "row_major"),
            (4, "tiled"),
            (9, "csf"),
            (10, "block_paged"),
            (11, "composite"),
            (64, "hilbert"),
        ] {
            assert!(layouts.contains(&pair), "{pair:?}");
        }
    }

    #[test]
    fn unassigned_tags_have_no_name() {
        for (space, tag) in
            [(1, 0), (1, 0x47), (1, 0xF0), (1, 0x101), (2, 0xFF), (3, 6), (9, 2), (0, 1), (13, 1)]
        {
            assert_eq!(tag_name(space, tag), None, "space {space}, tag {tag}");
        }
    }
}
