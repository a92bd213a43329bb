//! Descriptors from hand-written bytes: the worked examples of the written format, and one of every layout and
//! section, cut short at every length and changed in every byte.

use crate::format::{Descriptor, Fault, Layout, Scheme, Status, Strides};

/// Bytes of a hex text; spaces and line ends are ignored.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// A descriptor from its parts, with the length filled in.
struct Parts {
    minor: u8,
    flags: u32,
    type_tag: u8,
    layout_tag: u8,
    shape: Vec<u64>,
    byte_offset: u64,
    payload: Vec<u8>,
    buffers: Vec<u64>,
    sections: Vec<u8>,
}

impl Parts {
    fn new(type_tag: u8, layout_tag: u8, shape: &[u64], buffers: &[u64]) -> Parts {
        Parts {
            minor: 0,
            flags: 0,
            type_tag,
            layout_tag,
            shape: shape.to_vec(),
            byte_offset: 0,
            payload: Vec::new(),
            buffers: buffers.to_vec(),
            sections: Vec::new(),
        }
    }

    fn payload(mut self, text: &str) -> Parts {
        self.payload = hex(text);
        self
    }

    fn section(mut self, flag: u32, text: &str) -> Parts {
        self.flags |= flag;
        self.sections.extend(hex(text));
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = hex("48 52 52 59 01");
        out.push(self.minor);
        out.extend([0; 4]);
        out.extend(self.flags.to_le_bytes());
        out.extend([self.type_tag, self.layout_tag]);
        out.extend((self.shape.len() as u32).to_le_bytes());
        self.shape.iter().for_each(|n| out.extend(n.to_le_bytes()));
        out.extend(self.byte_offset.to_le_bytes());
        out.extend(&self.payload);
        out.push(self.buffers.len() as u8);
        for size in &self.buffers {
            out.extend(size.to_le_bytes());
            out.extend(hex("40 00 00 00 00 00 00 00"));
        }
        out.extend(&self.sections);
        let length = out.len() as u32;
        out[6..10].copy_from_slice(&length.to_le_bytes());
        out
    }
}

fn words(values: &[u64]) -> String {
    values.iter().flat_map(|n| n.to_le_bytes()).map(|b| format!("{b:02x}")).collect()
}

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

/// Statistics with every group valid: nnz 3, 0.25, -1 to 2 (2), mean 0.5, deviation 1, 2:4, no NaN, one Inf.
const STATISTICS: &str = "
    3f000000 00000000 0300000000000000 000000000000d03f 000000000000f0bf 0000000000000040 0000000000000040
    000000000000e03f 000000000000f03f 02 04 00 01 00000000";

/// One descriptor of every layout, scheme and section.
fn samples() -> Vec<Vec<u8>> {
    let nnz = words(&[3]);
    let zeros = words(&[0]);
    let mut samples = vec![
        hex(STRIDED),
        hex(CSR),
        hex(QUANTIZED),
        Parts::new(0x03, 0x01, &[], &[4]).bytes(),
        Parts::new(0x20, 0x02, &[3, 7], &[3]).bytes(),
        Parts::new(0x03, 0x01, &[u64::MAX, 0, 5], &[0]).bytes(),
        Parts::new(0x03, 0x01, &[1, 2, 1, 1, 3, 1, 1, 2, 1, 1], &[48]).bytes(),
        // Tiled: [5,6] in [2,4], row-major twice; then three levels with outer and inner strides.
        Parts::new(0x11, 0x04, &[5, 6], &[48]).payload(&(words(&[2, 4]) + "01 01 00 00")).bytes(),
        Parts::new(0x11, 0x04, &[8, 4], &[32])
            .payload(
                &(words(&[4, 4])
                    + "03 04 00 00"
                    + &words(&[1, 1])
                    + &words(&[2, 2])
                    + "02 04 00 00"
                    + &words(&[2, 1])
                    + "01 03 00 00"
                    + &words(&[1, 2])),
            )
            .bytes(),
        Parts::new(0x01, 0x05, &[2, 8], &[88]).payload("01000000 03000000").bytes(),
        Parts::new(0x48, 0x06, &[3, 2, 4], &[2, 72]).payload(&(nnz.clone() + "01 00000000000000")).bytes(),
        Parts::new(0x03, 0x08, &[4, 6], &[12, 24, 56]).payload(&(nnz.clone() + &zeros)).bytes(),
        Parts::new(0x03, 0x09, &[3, 4, 5], &[12, 16, 8, 16, 16, 24, 24])
            .payload(&(nnz + "02000000 00000000 01000000" + &zeros))
            .bytes(),
        Parts::new(0x01, 0x0A, &[11, 2, 2], &[120, 20, 12])
            .payload("03000000 0500000000000000 00000000 02000000 01 ffffffff 00 000000000000")
            .bytes(),
        Parts::new(0x03, 0x0B, &[6, 6], &[]).payload("02 01 0000 03000000").bytes(),
        Parts::new(0x03, 0x0B, &[], &[]).payload("03 00 0000 00000000").bytes(),
        Parts::new(0x03, 0x40, &[4, 4], &[64]).payload("02000000 02000000").bytes(),
        // Every scheme.
        Parts::new(0x10, 0x01, &[4], &[4])
            .section(1, "10000000 01 01 0000 0000803e fdffffff 00000000")
            .bytes(),
        Parts::new(0x48, 0x01, &[2, 6], &[6, 8])
            .section(1, "18000000 03 01 0100 01000000 04000000 01000000 ffffffff 01 000000")
            .bytes(),
        Parts::new(0x48, 0x01, &[2, 6], &[6, 24])
            .section(1, "18000000 03 01 0000 01000000 04000000 01000000 01000000 02 000000")
            .bytes(),
        Parts::new(0x49, 0x01, &[16], &[8, 8])
            .section(1, "10000000 04 01 0000 00000000 08000000 01000000")
            .bytes(),
        Parts::new(0x43, 0x01, &[1, 32], &[16, 2])
            .section(1, "12000000 05 01 0000 01000000 10000000 01000000 ab cd")
            .bytes(),
        // Private type, statistics, member.
        Parts::new(0xF1, 0x01, &[4], &[12])
            .section(8, STATISTICS)
            .section(4, "18000000 01 01 00 01 08 0f 0000 7f000000 01 01 0000")
            .section(16, &("01".to_owned() + &"00".repeat(15)))
            .bytes(),
    ];
    // A later minor version: what follows the known fields is kept.
    let mut later = Parts::new(0x03, 0x01, &[2], &[8]).section(0, "0badcafe");
    later.minor = 7;
    samples.push(later.bytes());
    samples
}

/// Samples that only permissive reading takes.
fn permissive_samples() -> Vec<Vec<u8>> {
    vec![
        Parts::new(0x47, 0x01, &[4], &[1]).bytes(),
        Parts::new(0x03, 0x4F, &[4], &[16]).payload("0102").section(2, "aa").bytes(),
        Parts::new(0x03, 0xF7, &[4], &[16])
            .payload("efcdab8967452301 03000000 616263")
            .section(2, &words(&[8, 2]))
            .bytes(),
        Parts::new(0x10, 0x01, &[4], &[4, 9]).section(1, "07000000 60 02 0080 010203").bytes(),
    ]
}

fn refusal(bytes: &[u8]) -> Fault {
    Descriptor::decode(bytes, false).unwrap_err()
}

/// What decoding took must pass `validate` and encode to the bytes it came from.
fn check_law(bytes: &[u8], permissive: bool) -> Result<(), Fault> {
    let decoded = Descriptor::decode(bytes, permissive).inspect_err(|fault| {
        assert!(fault.offset().is_some_and(|at| at <= bytes.len() as u64), "{fault:?}");
        assert!(!fault.rule.is_empty(), "{fault:?}");
    })?;
    decoded.validate().unwrap();
    let mut out = vec![0xA5; decoded.encoded_len()];
    decoded.encode_into(&mut out);
    assert_eq!(out, bytes[..out.len()]);
    assert_eq!(out[6..10], (out.len() as u32).to_le_bytes());
    Ok(())
}

#[test]
fn worked_example_strided() {
    let d = Descriptor::decode(&hex(STRIDED), false).unwrap();
    assert_eq!((d.element_type, &d.shape[..], d.byte_offset), (0x02, &[2, 3, 5][..], 40));
    assert_eq!(d.layout, Layout::Strided(Strides::from_slice(&[-20, 6, 1])));
    assert_eq!((d.buffers[0].byte_size, d.buffers[0].alignment), (80, 64));
    assert_eq!((d.element_count(), d.bits(), d.is_understood()), (Some(30), Some(16), true));
}

#[test]
fn worked_example_csr() {
    let d = Descriptor::decode(&hex(CSR), false).unwrap();
    assert_eq!(d.layout, Layout::Csr { nnz: 4 });
    assert_eq!((d.element_type, &d.shape[..]), (0x04, &[3, 6][..]));
    for entry in &d.buffers {
        assert_eq!((entry.byte_size, entry.alignment), (32, 4096));
        assert_eq!((entry.device_tag, entry.sync_mode, entry.memory_class), (1, 1, 2));
    }
    assert_eq!(d.buffers.len(), 3);
}

#[test]
fn worked_example_quantized() {
    let d = Descriptor::decode(&hex(QUANTIZED), false).unwrap();
    let scheme = d.quantization.unwrap().scheme;
    let Scheme::PerChannel { axis, scale_buffer, zero_point_buffer, scale_type } = scheme else { panic!() };
    assert_eq!((axis, scale_buffer, zero_point_buffer, scale_type), (1, 1, 2, 3));
    let shard = d.shard.unwrap();
    assert_eq!((&shard.parent_shape[..], &shard.offset[..]), (&[16, 8][..], &[12, 0][..]));
    let statistics = d.statistics.unwrap();
    assert_eq!((statistics.computed_mask, statistics.nnz), (0x2F, 29));
    assert_eq!(statistics.sparsity_ratio, 0.09375);
    assert_eq!((statistics.range, statistics.moments), ([-6.5, 12.0, 12.0], [0.5, 2.25]));
}

#[test]
fn every_sample_comes_back_byte_for_byte() {
    for sample in samples() {
        check_law(&sample, false).unwrap();
        check_law(&sample, true).unwrap();
        let mut longer = sample.clone();
        longer.extend(b"what follows");
        check_law(&longer, false).unwrap();
    }
    for sample in permissive_samples() {
        refusal(&sample);
        check_law(&sample, true).unwrap();
        assert!(!Descriptor::decode(&sample, true).unwrap().is_understood());
    }
}

#[test]
fn every_cut_is_truncated() {
    for sample in samples() {
        for len in 0..sample.len() {
            assert_eq!(refusal(&sample[..len]).status, Status::TRUNCATED, "{len}");
            // The same cut with a length field that agrees.
            let mut cut = sample[..len].to_vec();
            if len >= 20 {
                cut[6..10].copy_from_slice(&(len as u32).to_le_bytes());
                let later = sample[5] != 0;
                assert!(
                    check_law(&cut, false).is_err_and(|f| f.status == Status::TRUNCATED) || later,
                    "{len}"
                );
            }
        }
    }
}

#[test]
fn no_change_of_a_byte_breaks_the_law() {
    for sample in samples().into_iter().chain(permissive_samples()) {
        for at in 0..sample.len() {
            let mut changed = sample.clone();
            for value in 0..=255 {
                changed[at] = value;
                let _ = check_law(&changed, false);
                let _ = check_law(&changed, true);
            }
        }
    }
}

#[test]
fn no_change_of_several_bytes_breaks_the_law() {
    // Values near the edges of fields reach further into the arithmetic than random bytes do.
    let edges: [&[u8]; 6] =
        [&[0xFF; 8], &[0xFF; 4], &[0; 8], &[0, 0, 0, 0, 0, 0, 0, 0x80], &[0, 0, 0, 0x80], &[1, 0, 0, 0]];
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for sample in samples().into_iter().chain(permissive_samples()) {
        for _ in 0..2000 {
            let mut changed = sample.clone();
            for _ in 0..1 + random(3) {
                let at = 10 + random(changed.len() - 10);
                let edge = edges[random(edges.len())];
                changed.iter_mut().skip(at).zip(edge).for_each(|(byte, &value)| *byte = value);
            }
            let _ = check_law(&changed, false);
            let _ = check_law(&changed, true);
        }
    }
}

#[test]
fn lengths_and_leftovers() {
    let mut bytes = Parts::new(0x03, 0x01, &[2], &[8]).section(0, "00").bytes();
    let fault = refusal(&bytes);
    assert_eq!((fault.rule, fault.status, fault.offset()), ("V-009", Status::INVALID_DESCRIPTOR, Some(53)));
    bytes[5] = 1;
    assert_eq!(Descriptor::decode(&bytes, false).unwrap().tail, [0]);
}

#[test]
fn faults_name_rule_field_and_offset() {
    let mut bytes = hex(QUANTIZED);
    bytes[0x69] = 0;
    let fault = refusal(&bytes);
    assert_eq!((fault.rule, fault.field, fault.offset()), ("V-116", "scale_buffer_index", Some(0x69)));
    bytes[0x69] = 1;
    bytes[0x85] = 13;
    let fault = refusal(&bytes);
    assert_eq!((fault.rule, fault.index, fault.offset()), ("V-120", Some(0), Some(0x85)));
    bytes[0x85] = 12;
    bytes[0x4D] = 31;
    let fault = refusal(&bytes);
    assert_eq!((fault.rule, fault.index, fault.offset()), ("V-117", Some(2), Some(0x4D)));
    assert_eq!(fault.to_string().split(':').next(), Some("V-117"));
}

#[test]
fn a_quantization_fault_waits_for_the_lengths() {
    // Scheme version 2 alone is V-103; with bytes left over at the end, the length comes first.
    let mut bytes = hex(QUANTIZED);
    bytes[0x62] = 2;
    let fault = refusal(&bytes);
    assert_eq!((fault.rule, fault.status, fault.offset()), ("V-103", Status::VERSION_MISMATCH, Some(0x62)));
    bytes.push(0);
    bytes[6] += 1;
    assert_eq!(refusal(&bytes).rule, "V-009");
}

#[test]
fn nan_bits_and_masked_values_are_kept() {
    let mut bytes = hex(QUANTIZED);
    bytes[0x95] = 0;
    for (k, byte) in bytes[0x9D..0xD9].iter_mut().enumerate() {
        *byte = if k % 8 < 6 { k as u8 } else { 0xFF }; // NaNs with payloads, booleans of 0xFF
    }
    check_law(&bytes, false).unwrap();
}

#[test]
fn a_short_buffer_takes_nothing() {
    let d = Descriptor::decode(&hex(STRIDED), false).unwrap();
    let mut out = [0u8; 10];
    d.encode_into(&mut out);
    assert_eq!(out, [0; 10]);
}
