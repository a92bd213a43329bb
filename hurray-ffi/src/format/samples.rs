//! One descriptor of every kind, as bytes written by hand after descriptor.md, for the tests of this folder.

/// A descriptor's parts as they stand on the wire.
#[derive(Clone, Default)]
pub(super) struct Wire {
    pub flags: u32,
    pub tags: [u8; 2],
    pub shape: Vec<u64>,
    pub byte_offset: u64,
    pub payload: Vec<u8>,
    /// `None` leaves the table out.
    pub buffers: Option<Vec<(u64, u32, [u8; 3])>>,
    pub sections: Vec<u8>,
}

impl Wire {
    pub fn bytes(&self) -> Vec<u8> {
        let mut rest = (self.shape.len() as u32).to_le_bytes().to_vec();
        rest.extend(self.shape.iter().flat_map(|n| n.to_le_bytes()));
        rest.extend(self.byte_offset.to_le_bytes());
        rest.extend(&self.payload);
        if let Some(buffers) = &self.buffers {
            rest.push(buffers.len() as u8);
            for (size, alignment, tags) in buffers {
                rest.extend(size.to_le_bytes());
                rest.extend(alignment.to_le_bytes());
                rest.extend(tags);
                rest.push(0);
            }
        }
        rest.extend(&self.sections);
        let mut bytes = b"HRRY\x01\x00".to_vec();
        bytes.extend((16 + rest.len() as u32).to_le_bytes());
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.tags);
        bytes.extend(rest);
        bytes
    }
}

/// A descriptor without sections whose buffers are on the CPU.
pub(super) fn plain(element_type: u8, layout: u8, shape: &[u64], payload: &[u8], sizes: &[u64]) -> Wire {
    Wire {
        tags: [element_type, layout],
        shape: shape.to_vec(),
        payload: payload.to_vec(),
        buffers: Some(sizes.iter().map(|&size| (size, 64, [0; 3])).collect()),
        ..Wire::default()
    }
}

/// Bytes from hexadecimal text.
pub(super) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// A quantization section with its length.
fn quantized(wire: Wire, payload: &str) -> Wire {
    let payload = hex(payload);
    let mut sections = (payload.len() as u32).to_le_bytes().to_vec();
    sections.extend(payload);
    sections.extend(&wire.sections);
    Wire { flags: wire.flags | 1, sections, ..wire }
}

/// descriptor.md §8.1: bfloat16 `[2, 3, 5]`, strides -20, 6, 1.
pub(super) fn strided() -> Vec<u8> {
    hex("48525259 0100 5d000000 00000000 02 03 03000000 0200000000000000 0300000000000000 0500000000000000
         2800000000000000 ecffffffffffffff 0600000000000000 0100000000000000
         01 5000000000000000 40000000 00000000")
}

/// descriptor.md §8.2: float64 CSR `[3, 6]`, four entries, CUDA unified memory with events.
pub(super) fn csr() -> Vec<u8> {
    hex("48525259 0100 6d000000 00000000 04 07 02000000 0300000000000000 0600000000000000
         0000000000000000 0400000000000000 0000000000000000
         03 2000000000000000 00100000 01010200 2000000000000000 00100000 01010200
         2000000000000000 00100000 01010200")
}

/// descriptor.md §8.3: int8 `[4, 8]`, per channel with zero points, shard and statistics.
pub(super) fn per_channel() -> Vec<u8> {
    hex("48525259 0100 dd000000 0b000000 10 01 02000000 0400000000000000 0800000000000000 0000000000000000
         03 2000000000000000 80000000 00000000 2000000000000000 40000000 00000000
         2000000000000000 40000000 00000000
         14000000 02010000 01000000 01000000 02000000 03000000
         1000000000000000 0800000000000000 0c00000000000000 0000000000000000
         2f000000 00000000 1d00000000000000 000000000000b83f 0000000000001ac0 0000000000002840
         0000000000002840 000000000000e03f 0000000000000240 00000000 00000000")
}

/// layouts.md §6, two levels; float32.
pub(super) fn tiled() -> Wire {
    let payload =
        hex("0400000000000000 0400000000000000 01 04 0000 0200000000000000 0200000000000000 02 01 0000");
    plain(0x03, 0x04, &[8, 4], &payload, &[128])
}

/// Tiles of 2 by 2 in tiles of 4 by 4, strides for the outer tiles and inside the inner ones.
pub(super) fn tiled_strides() -> Wire {
    let payload = hex("0400000000000000 0400000000000000 03 04 0000 0100000000000000 0200000000000000
         0200000000000000 0200000000000000 01 03 0000 0100000000000000 0200000000000000");
    plain(0x03, 0x04, &[8, 8], &payload, &[256])
}

/// layouts.md §11; float32.
pub(super) fn csf() -> Wire {
    let payload = hex("0900000000000000 02000000 00000000 01000000 0000000000000000");
    plain(0x03, 0x09, &[3, 4, 5], &payload, &[36, 16, 40, 48, 56, 64, 72])
}

/// layouts.md §9.
pub(super) fn coo() -> Wire {
    plain(0x48, 0x06, &[3, 2, 4], &hex("0300000000000000 01 00000000000000"), &[2, 72])
}

/// layouts.md §10; int16.
pub(super) fn csc() -> Wire {
    plain(0x12, 0x08, &[4, 6], &hex("0800000000000000 0000000000000000"), &[16, 64, 56])
}

/// layouts.md §12: pages of 3, five of them, two sequences; float16, value pages of layer 7, 64-bit tables.
pub(super) fn paged() -> Wire {
    let payload = hex("03000000 0500000000000000 00000000 02000000 01 07000000 01 000000000000");
    plain(0x01, 0x0A, &[11, 2, 2], &payload, &[120, 40, 24])
}

/// A page pool of int8, pages of 4 tokens, with a scale per slot; 32-bit tables, no layer.
pub(super) fn paged_per_block() -> Wire {
    let payload = hex("04000000 0500000000000000 00000000 02000000 00 ffffffff 00 000000000000");
    let wire = plain(0x10, 0x0A, &[3, 2, 2], &payload, &[80, 20, 12, 40]);
    quantized(wire, "03010100 00000000 04000000 03000000 ffffffff 01000000")
}

/// quantization.md §10, 0x03 with zero points, both parameters in one buffer.
pub(super) fn per_block() -> Wire {
    let wire = plain(0x48, 0x01, &[2, 6], &[], &[8, 24]);
    quantized(wire, "03010000 01000000 04000000 01000000 01000000 01000000")
}

/// uint4 `[4, 6]` in blocks of 2 along the rows.
pub(super) fn per_block_rows() -> Wire {
    let wire = plain(0x49, 0x01, &[4, 6], &[], &[12, 48, 48]);
    quantized(wire, "03010000 00000000 02000000 01000000 02000000 03000000")
}

/// quantization.md §10, 0x01.
pub(super) fn per_tensor() -> Wire {
    quantized(plain(0x10, 0x01, &[4], &[], &[4]), "01010000 0000803e fdffffff 00000000")
}

/// quantization.md §10, 0x04.
pub(super) fn nf4() -> Wire {
    quantized(plain(0x49, 0x01, &[16], &[], &[8, 8]), "04010000 00000000 08000000 01000000")
}

/// quantization.md §10, 0x05.
pub(super) fn mxfp() -> Wire {
    quantized(plain(0x43, 0x01, &[1, 32], &[], &[16, 2]), "05010000 01000000 10000000 01000000")
}

/// An overlay by addition.
pub(super) fn overlay() -> Wire {
    plain(0x03, 0x0B, &[4, 4], &hex("02 02 0000 03000000"), &[])
}

/// The base of [`overlay`]: shard and member sections.
pub(super) fn base() -> Wire {
    let sections = hex("0400000000000000 0400000000000000 0000000000000000 0000000000000000
         01 000000000000000000000000000000");
    Wire { flags: 0x12, sections, ..plain(0x03, 0x02, &[4, 4], &[], &[64]) }
}

/// A private 16-bit integer type.
pub(super) fn private_type() -> Wire {
    let sections = hex("10000000 01 00 01 00 00 00 0000 00000000 00 00 0000");
    Wire { flags: 4, sections, ..plain(0xF2, 0x01, &[3], &[], &[6]) }
}

/// A private layout, `F1`, with a per-tensor scheme.
pub(super) fn private_layout() -> Wire {
    let wire = plain(0x10, 0xF1, &[2, 2], &hex("efcdab8967452301 03000000 010203"), &[9]);
    quantized(Wire { byte_offset: 5, ..wire }, "01010000 0000003f 00000000 00000000")
}

/// A layout that is not assigned, `0C`, with quantization and statistics somewhere behind it.
pub(super) fn unknown_layout() -> Wire {
    let payload = hex("01020304 05060708 090a");
    Wire { flags: 9, byte_offset: 16, buffers: None, ..plain(0x10, 0x0C, &[2], &payload, &[]) }
}

/// A scheme that is not assigned, `06`.
pub(super) fn unknown_scheme() -> Wire {
    quantized(plain(0x10, 0x01, &[2], &[], &[2]), "06010000 a1a2a3")
}

/// An element type that is not assigned, `30`.
pub(super) fn unknown_type() -> Wire {
    plain(0x30, 0x01, &[2], &[], &[64])
}

/// A scalar, float32.
pub(super) fn scalar() -> Wire {
    plain(0x03, 0x01, &[], &[], &[4])
}

/// Float32, row-major, the first dimension dynamic.
pub(super) fn dynamic() -> Wire {
    plain(0x03, 0x01, &[u64::MAX, 3], &[], &[0])
}

/// uint8 on a Hilbert curve of order 2.
pub(super) fn hilbert() -> Wire {
    plain(0x11, 0x40, &[4, 4], &hex("02000000 02000000"), &[16])
}

/// layouts.md §7; int8.
pub(super) fn morton() -> Wire {
    plain(0x10, 0x05, &[5, 3, 6], &hex("03000000 03000000 03000000"), &[512])
}

/// Statistics with the nnz group alone.
pub(super) fn counted() -> Wire {
    let mut sections = hex("01000000 00000000 0200000000000000");
    sections.resize(72, 0);
    Wire { flags: 8, sections, ..plain(0x20, 0x01, &[11], &[], &[2]) }
}

/// Every sample, with its name.
pub(super) fn all() -> Vec<(&'static str, Vec<u8>)> {
    let spelt = [("strided", strided()), ("csr", csr()), ("per_channel", per_channel())];
    let composed = [
        ("tiled", tiled()),
        ("tiled_strides", tiled_strides()),
        ("csf", csf()),
        ("coo", coo()),
        ("csc", csc()),
        ("paged", paged()),
        ("paged_per_block", paged_per_block()),
        ("per_block", per_block()),
        ("per_block_rows", per_block_rows()),
        ("per_tensor", per_tensor()),
        ("nf4", nf4()),
        ("mxfp", mxfp()),
        ("overlay", overlay()),
        ("base", base()),
        ("private_type", private_type()),
        ("scalar", scalar()),
        ("dynamic", dynamic()),
        ("hilbert", hilbert()),
        ("morton", morton()),
        ("counted", counted()),
    ];
    spelt.into_iter().chain(composed.map(|(name, wire)| (name, wire.bytes()))).collect()
}

/// Samples that only a permissive reader takes.
pub(super) fn permissive() -> Vec<(&'static str, Vec<u8>)> {
    [
        ("private_layout", private_layout()),
        ("unknown_layout", unknown_layout()),
        ("unknown_scheme", unknown_scheme()),
        ("unknown_type", unknown_type()),
    ]
    .map(|(name, wire)| (name, wire.bytes()))
    .into()
}
