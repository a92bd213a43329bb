//! One small valid descriptor of each kind, composed by hand. Tests start from these and break one thing.

use super::bytes::{Bytes, Wire, hex};

/// The marker of a dynamic dimension.
pub const DYN: u64 = u64::MAX;

/// float32 `[2,3]`, row-major: 24 bytes.
pub fn plain() -> Bytes {
    Bytes::new(0x03, 0x01, &[2, 3], &[24])
}

/// A float32 scalar.
pub fn scalar() -> Bytes {
    Bytes::new(0x03, 0x01, &[], &[4])
}

/// uint8, row-major, with a buffer of this size.
pub fn bytes_of(shape: &[u64], size: u64) -> Bytes {
    Bytes::new(0x11, 0x01, shape, &[size])
}

pub fn strided(type_tag: u8, shape: &[u64], strides: &[i64], offset: u64, size: u64) -> Bytes {
    Bytes::new(type_tag, 0x03, shape, &[size]).payload(&strides.wire()).offset(offset)
}

/// One level of tiles: shape, outer order, inner order, and what comes behind them.
pub fn tile(tile_shape: &[u64], outer: u8, inner: u8, behind: &[u8]) -> Vec<u8> {
    [tile_shape.wire(), vec![outer, inner, 0, 0], behind.to_vec()].concat()
}

/// uint8, row-major tiles in row-major order.
pub fn tiled(shape: &[u64], tile_shape: &[u64], size: u64) -> Bytes {
    Bytes::new(0x11, 0x04, shape, &[size]).payload(&tile(tile_shape, 1, 1, &[]))
}

/// Tiles of one element, one inside the other, in rank 1; 12 bytes a level.
pub fn nested(levels: usize) -> Bytes {
    let payload = (1..levels).fold(tile(&[1], 1, 1, &[]), |inner, _| tile(&[1], 1, 4, &inner));
    Bytes::new(0x11, 0x04, &[1], &[1]).payload(&payload)
}

pub fn morton(type_tag: u8, shape: &[u64], bits: &[u32], size: u64) -> Bytes {
    Bytes::new(type_tag, 0x05, shape, &[size]).payload(&bits.wire())
}

/// The COO example of layouts.md §9: int4 `[3,2,4]`, sorted, 3 entries.
pub fn coo() -> Bytes {
    Bytes::new(0x48, 0x06, &[3, 2, 4], &[2, 72]).payload(&hex("0300000000000000 01 00000000000000"))
}

/// float32 `[4,6]` with 8 entries, the CSR example of layouts.md §10: `row_ptr` has 5 words.
pub fn csr() -> Bytes {
    Bytes::new(0x03, 0x07, &[4, 6], &[32, 64, 40]).payload(&[8u64, 0].wire())
}

/// The same as CSC: `col_ptr` has 7 words.
pub fn csc() -> Bytes {
    Bytes::new(0x03, 0x08, &[4, 6], &[32, 64, 56]).payload(&[8u64, 0].wire())
}

/// The CSF example of layouts.md §11: uint8 `[3,4,5]`, mode order 2, 0, 1, 9 entries.
pub fn csf() -> Bytes {
    let payload = [9u64.wire(), [2u32, 0, 1].wire(), vec![0; 8]].concat();
    Bytes::new(0x11, 0x09, &[3, 4, 5], &[9, 16, 40, 48, 56, 64, 72]).payload(&payload)
}

/// The fields of a block-paged payload, all but the reserved bytes.
pub struct Paged {
    pub page_size: u32,
    pub num_pages: u64,
    pub axis: u32,
    pub num_seqs: u32,
    pub role: u8,
    pub index_type: u8,
}

/// The fields of the example of layouts.md §12: 5 pages of 3 tokens, 2 sequences, u32 tables.
pub const PAGES: Paged = Paged { page_size: 3, num_pages: 5, axis: 0, num_seqs: 2, role: 1, index_type: 0 };

/// uint8 pages.
pub fn paged_of(of: Paged, shape: &[u64], buffers: &[u64]) -> Bytes {
    let payload = [
        of.page_size.wire(),
        of.num_pages.wire(),
        of.axis.wire(),
        of.num_seqs.wire(),
        vec![of.role],
        u32::MAX.wire(),
        vec![of.index_type],
        vec![0; 6],
    ];
    Bytes::new(0x11, 0x0A, shape, buffers).payload(&payload.concat())
}

/// That example: `[11,2,2]`, a table of 5 pages, 3 sequence pointers.
pub fn paged() -> Bytes {
    paged_of(PAGES, &[11, 2, 2], &[60, 20, 12])
}

/// A float32 head.
pub fn head(rule: u8, op: u8, members: u32, shape: &[u64]) -> Bytes {
    Bytes::new(0x03, 0x0B, shape, &[]).payload(&[vec![rule, op, 0, 0], members.wire()].concat())
}

pub fn hilbert(order: u32, rank: u32, shape: &[u64], size: u64) -> Bytes {
    Bytes::new(0x11, 0x40, shape, &[size]).payload(&[order, rank].wire())
}

/// uint8 `[4]` in a private layout with three bytes of its own; only a permissive reader takes it.
pub fn private() -> Bytes {
    Bytes::new(0x11, 0xF7, &[4], &[16]).payload(&hex("efcdab8967452301 03000000 616263"))
}

/// int8 `[4]`, the payload of quantization.md §10: scale 0.25, zero point -3.
pub fn per_tensor() -> Bytes {
    let payload = hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00");
    Bytes::new(0x10, 0x01, &[4], &[4]).quant(&payload)
}

/// uint8 `[2,3]` on axis 1, likewise; scales and zero points of 3 x 4 bytes.
pub fn per_channel() -> Bytes {
    let payload = hex("02 01 00 00 01 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00");
    Bytes::new(0x11, 0x01, &[2, 3], &[6, 12, 12]).quant(&payload)
}

/// int4 `[2,6]` in blocks of 4 on axis 1, symmetric, likewise: 4 float16 scales.
pub fn per_block() -> Bytes {
    let payload = hex("03 01 01 00 01 00 00 00 04 00 00 00 01 00 00 00 FF FF FF FF 01 00 00 00");
    Bytes::new(0x48, 0x01, &[2, 6], &[6, 8]).quant(&payload)
}

/// The same with zero points in a buffer of their own: 4 x 4 bytes.
pub fn per_block_asymmetric() -> Bytes {
    let payload = hex("03 01 00 00 01 00 00 00 04 00 00 00 01 00 00 00 02 00 00 00 01 00 00 00");
    Bytes::new(0x48, 0x01, &[2, 6], &[6, 8, 16]).quant(&payload)
}

/// uint4 `[16]` in blocks of 8, likewise: 2 float32 scales.
pub fn nf4() -> Bytes {
    let payload = hex("04 01 00 00 00 00 00 00 08 00 00 00 01 00 00 00");
    Bytes::new(0x49, 0x01, &[16], &[8, 8]).quant(&payload)
}

/// float4_e2m1 `[1,32]` in blocks of 16 on axis 1, likewise: 2 scales of a byte.
pub fn mxfp() -> Bytes {
    let payload = hex("05 01 00 00 01 00 00 00 10 00 00 00 01 00 00 00");
    Bytes::new(0x43, 0x01, &[1, 32], &[16, 2]).quant(&payload)
}

/// Four pages of 4 tokens of `[2,2]` int8, quantized per slot: 16 float32 scales, symmetric.
pub fn paged_per_block() -> Bytes {
    let payload = hex("03 01 01 00 00 00 00 00 04 00 00 00 03 00 00 00 FF FF FF FF 03 00 00 00");
    let pages = Paged { page_size: 4, num_pages: 4, num_seqs: 1, ..PAGES };
    paged_of(pages, &[9, 2, 2], &[64, 12, 8, 64]).type_tag(0x10).quant(&payload)
}

/// The same quantized per channel on axis 1: 2 scales and 2 zero points.
pub fn paged_per_channel() -> Bytes {
    let payload = hex("02 01 00 00 01 00 00 00 03 00 00 00 04 00 00 00 03 00 00 00");
    paged().type_tag(0x10).buffers(&[60, 20, 12, 8, 8]).quant(&payload)
}

/// The lower right quarter of a float32 `[4,6]`.
pub fn shard() -> Bytes {
    plain().shard(&[4, 6], &[2, 3])
}

/// All groups of statistics.
pub fn stats() -> Bytes {
    plain().stats(0x3F)
}

/// A private 24-bit float: sign, 7 exponent and 16 mantissa bits, bias 63, NaN and infinity.
pub fn private_float() -> Bytes {
    Bytes::new(0xF1, 0x01, &[4], &[12]).ext(&hex("18000000 01 01 00 01 07 10 0000 3f000000 01 01 0000"))
}

/// A private signed integer of this width, 8 elements.
pub fn private_integer(width: u32, packing: u8, size: u64) -> Bytes {
    let section = [width.wire(), vec![packing, 0, 1], vec![0; 13]].concat();
    Bytes::new(0xFE, 0x01, &[8], &[size]).ext(&section)
}

/// The base of an overlay.
pub fn member() -> Bytes {
    plain().shard(&[2, 3], &[0, 0]).member(1)
}

/// Every section a tensor of a public type can have.
pub fn all_sections() -> Bytes {
    per_channel().shard(&[2, 6], &[0, 3]).stats(0x3F).member(0)
}

/// Every section a tensor of a private type can have.
pub fn private_sections() -> Bytes {
    private_float().shard(&[8], &[4]).stats(0x3F).member(0)
}

/// One of every kind that a strict reader takes.
pub fn all() -> Vec<Bytes> {
    vec![
        plain(),
        scalar(),
        plain().layout_tag(0x02),
        bytes_of(&[DYN, 4], 0),
        strided(0x03, &[2, 3], &[-3, 1], 12, 24),
        tiled(&[5, 6], &[2, 4], 48),
        nested(8),
        morton(0x11, &[5, 3, 6], &[3, 3, 3], 512),
        coo(),
        csr(),
        csc(),
        csf(),
        paged(),
        head(1, 0, 4, &[6, 6]),
        head(2, 2, 3, &[4, 4]),
        head(3, 0, 0, &[]),
        hilbert(2, 2, &[4, 4], 16),
        per_tensor(),
        per_channel(),
        per_block(),
        per_block_asymmetric(),
        nf4(),
        mxfp(),
        paged_per_block(),
        paged_per_channel(),
        shard(),
        stats(),
        private_float(),
        private_integer(4, 2, 4),
        member(),
        all_sections(),
        private_sections(),
    ]
}
