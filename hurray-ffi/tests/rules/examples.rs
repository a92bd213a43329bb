//! The worked examples of descriptor.md §8 and quantization.md §10, byte for byte.

use crate::support::bytes::{Bytes, Wire, hex};
use crate::support::call::{decode, decode_permissive};
use crate::support::samples;
use crate::support::status::*;
use hurray::abi::*;

const STRIDED: &str = "
    48 52 52 59 01 00 5d 00 00 00 00 00 00 00 02 03
    03 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00
    00 00 00 00 05 00 00 00 00 00 00 00 28 00 00 00
    00 00 00 00 ec ff ff ff ff ff ff ff 06 00 00 00
    00 00 00 00 01 00 00 00 00 00 00 00 01 50 00 00
    00 00 00 00 00 40 00 00 00 00 00 00 00";
const CSR: &str = "
    48 52 52 59 01 00 6d 00 00 00 00 00 00 00 04 07
    02 00 00 00 03 00 00 00 00 00 00 00 06 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 03 20 00 00
    00 00 00 00 00 00 10 00 00 01 01 02 00 20 00 00
    00 00 00 00 00 00 10 00 00 01 01 02 00 20 00 00
    00 00 00 00 00 00 10 00 00 01 01 02 00";
const QUANTIZED: &str = "
    48 52 52 59 01 00 dd 00 00 00 0b 00 00 00 10 01
    02 00 00 00 04 00 00 00 00 00 00 00 08 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 03 20 00 00
    00 00 00 00 00 80 00 00 00 00 00 00 00 20 00 00
    00 00 00 00 00 40 00 00 00 00 00 00 00 20 00 00
    00 00 00 00 00 40 00 00 00 00 00 00 00 14 00 00
    00 02 01 00 00 01 00 00 00 01 00 00 00 02 00 00
    00 03 00 00 00 10 00 00 00 00 00 00 00 08 00 00
    00 00 00 00 00 0c 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 2f 00 00 00 00 00 00 00 1d 00 00
    00 00 00 00 00 00 00 00 00 00 00 b8 3f 00 00 00
    00 00 00 1a c0 00 00 00 00 00 00 28 40 00 00 00
    00 00 00 28 40 00 00 00 00 00 00 e0 3f 00 00 00
    00 00 00 02 40 00 00 00 00 00 00 00 00";

/// Decodes, encodes to the same bytes, and is what the composer of these tests writes for the same fields.
fn same_bytes(text: &str, composed: &Bytes, length: usize) {
    let bytes = hex(text);
    assert_eq!(bytes.len(), length);
    assert_eq!(composed.own(), bytes, "the composer reads the format otherwise");
    assert_eq!(decode(&bytes).unwrap().encode(), bytes);
    assert_eq!(decode_permissive(&bytes).unwrap().encode(), bytes);
    assert_eq!(decode(&bytes).unwrap().rebuilt().unwrap().encode(), bytes);
}

#[test]
fn example_1_strided_bfloat16() {
    same_bytes(STRIDED, &samples::strided(0x02, &[2, 3, 5], &[-20, 6, 1], 40, 80), 93);
    let d = decode(&hex(STRIDED)).unwrap();
    assert_eq!(d.shape(), [2, 3, 5]);
    assert_eq!(d.i64s(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES), Ok(vec![-20, 6, 1]));
    assert_eq!(d.u64(HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0), Ok(0x02));
    assert_eq!(d.u64(HURRAY_HEADER_FIELD_LAYOUT, 0), Ok(0x03));
    assert_eq!(d.u64(HURRAY_HEADER_FIELD_BYTE_OFFSET, 0), Ok(40));
    assert_eq!(d.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 0), Ok(80));
    assert_eq!(d.u64(HURRAY_BUFFER_FIELD_ALIGNMENT, 0), Ok(64));
    assert_eq!(d.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 1), Err(INDEX_OUT_OF_BOUNDS));
}

#[test]
fn example_2_csr_float64_on_cuda() {
    let kind = [1, 1, 2];
    let composed = Bytes::new(0x04, 0x07, &[3, 6], &[]).payload(&[4u64, 0].wire());
    let composed = composed.buffer(32, 4096, kind).buffer(32, 4096, kind).buffer(32, 4096, kind);
    same_bytes(CSR, &composed, 109);
    let d = decode(&hex(CSR)).unwrap();
    assert_eq!(d.shape(), [3, 6]);
    assert_eq!(d.u64(HURRAY_LAYOUT_FIELD_CSR_NNZ, 0), Ok(4));
    for level in 0..3 {
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, level), Ok(32));
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_ALIGNMENT, level), Ok(4096));
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_DEVICE_TAG, level), Ok(1));
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_SYNC_MODE, level), Ok(1));
        assert_eq!(d.u64(HURRAY_BUFFER_FIELD_MEMORY_CLASS, level), Ok(2));
    }
}

#[test]
fn example_3_per_channel_int8_with_shard_and_statistics() {
    let statistics =
        [[0x2Fu32, 0].wire(), 29u64.wire(), [0.09375, -6.5, 12.0, 12.0, 0.5, 2.25f64].wire(), vec![0; 8]];
    let composed = Bytes::new(0x10, 0x01, &[4, 8], &[])
        .buffer(32, 128, [0, 0, 0])
        .buffer(32, 64, [0, 0, 0])
        .buffer(32, 64, [0, 0, 0])
        .quant(&hex("02 01 00 00 01 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00"))
        .shard(&[16, 8], &[12, 0])
        .stats(0x2F)
        .put(crate::support::bytes::At::Stats(0), &statistics.concat()[..]);
    same_bytes(QUANTIZED, &composed, 221);
    let d = decode(&hex(QUANTIZED)).unwrap();
    assert_eq!(d.u64(HURRAY_HEADER_FIELD_FLAGS, 0), Ok(0x0B));
    assert_eq!(d.u64(HURRAY_QUANT_FIELD_SCHEME, 0), Ok(2));
    assert_eq!(d.u64(HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0), Ok(1));
    assert_eq!(d.u64(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, 0), Ok(1));
    assert_eq!(d.u64(HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, 0), Ok(2));
    assert_eq!(d.u64(HURRAY_STATS_FIELD_COMPUTED_MASK, 0), Ok(0x2F));
    assert_eq!(d.u64(HURRAY_STATS_FIELD_NNZ, 0), Ok(29));
    assert_eq!(d.f64(HURRAY_STATS_FIELD_SPARSITY_RATIO), Ok(3.0 / 32.0));
    assert_eq!(d.f64(HURRAY_STATS_FIELD_MIN), Ok(-6.5));
    assert_eq!(d.f64(HURRAY_STATS_FIELD_MAX), Ok(12.0));
    assert_eq!(d.f64(HURRAY_STATS_FIELD_ABS_MAX), Ok(12.0));
    assert_eq!(d.f64(HURRAY_STATS_FIELD_MEAN), Ok(0.5));
    assert_eq!(d.f64(HURRAY_STATS_FIELD_STDDEV), Ok(2.25));
    assert_eq!(d.u64(HURRAY_STATS_FIELD_NM_N, 0), Err(FIELD_NOT_PRESENT));
    assert_eq!(d.u64(HURRAY_STATS_FIELD_HAS_NAN, 0), Ok(0));
    assert_eq!(d.u64(HURRAY_STATS_FIELD_HAS_INF, 0), Ok(0));
}

/// The payloads of quantization.md §10 stand in the samples as they are printed there.
#[test]
fn payloads_of_each_scheme() {
    let schemes = [
        samples::per_tensor(),
        samples::per_channel(),
        samples::per_block(),
        samples::nf4(),
        samples::mxfp(),
    ];
    for (scheme, composed) in (1..).zip(schemes) {
        let d = decode(&composed.input()).unwrap();
        assert_eq!(d.u64(HURRAY_QUANT_FIELD_SCHEME, 0), Ok(scheme));
        assert_eq!(d.u64(HURRAY_QUANT_FIELD_SCHEME_VERSION, 0), Ok(1));
    }
    let d = decode(&samples::per_tensor().input()).unwrap();
    assert_eq!(d.f64(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE), Ok(0.25));
    let d = decode(&samples::per_block().input()).unwrap();
    assert_eq!(d.u64(HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, 0), Ok(4));
    assert_eq!(d.u64(HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, 0), Err(FIELD_NOT_PRESENT));
    assert_eq!(d.u64(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, 0), Ok(1));
}

/// An input that ends too soon is V-001 or V-007; one whose length agrees with the end is V-006 or a field cut short.
#[test]
fn every_truncation_of_examples_and_samples() {
    let examples = [STRIDED, CSR, QUANTIZED].map(hex);
    for whole in examples.into_iter().chain(samples::all().iter().map(Bytes::own)) {
        for len in 0..whole.len() {
            for decode in [decode, decode_permissive] {
                let mut cut = whole[..len].to_vec();
                let said = decode(&cut).unwrap_err();
                assert_eq!(said.status, TRUNCATED, "{len}");
                assert_eq!(said.rule(), if len < 10 { "V-001" } else { "V-007" }, "{len}");
                if len < 10 {
                    continue;
                }
                cut[6..10].copy_from_slice(&(len as u32).to_le_bytes());
                let said = decode(&cut).unwrap_err();
                let wanted = if len < 20 { INVALID_DESCRIPTOR } else { TRUNCATED };
                assert_eq!(said.status, wanted, "{len} {said:?}");
                let rules: &[&str] = if len < 20 { &["V-006"] } else { &["V-008", "V-100"] };
                assert!(rules.contains(&said.rule()), "{len} {said:?}");
                // The same of a later minor version: the known fields are wanted there too.
                cut[5] = 3;
                assert_eq!(decode(&cut).unwrap_err().status, wanted, "{len}");
            }
        }
    }
}
