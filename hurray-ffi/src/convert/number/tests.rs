//! Every code against numpy and ml_dtypes; rounding at every border between two codes.

use super::float::{Float, decode_e8m0, encode_e8m0, float, values};
use super::{Rounding, is_narrow, read_f32, read_f64, write_f32, write_f64};
use crate::format::{Status, element_info};

/// Tag, code, float32 bits: written by tools/golden_numbers.py.
const GOLDEN: &str = include_str!("../../../tests/golden/numbers.txt");
const NARROW: [u8; 5] = [0x40, 0x41, 0x43, 0x44, 0x45];

fn golden() -> Vec<(u8, u8, u32)> {
    let hex = |word: &str| u32::from_str_radix(word, 16).unwrap();
    let line = |line: &'static str| {
        let words: Vec<_> = line.split(' ').collect();
        (words[1] != "all").then(|| (hex(words[0]) as u8, hex(words[1]) as u8, hex(words[2])))
    };
    GOLDEN.lines().filter_map(line).collect()
}

/// The plain form of a NaN, as in the golden file.
fn plain(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() { bits & 0xFFC0_0000 } else { bits }
}

#[test]
fn every_narrow_code_has_its_value() {
    assert_eq!(golden().len(), 256 + 256 + 255 + 16 + 64 + 64);
    for (tag, code, bits) in golden() {
        let found = match float(tag) {
            Some(format) => format.decode(code.into()),
            None => decode_e8m0(code),
        };
        assert_eq!(plain(found), bits, "{tag:02X} {code:02X}");
        assert_eq!(values(tag).unwrap()[usize::from(code)].to_bits(), found);
    }
}

#[test]
fn every_16_bit_code_has_its_value() {
    let mut lines = 0;
    for line in GOLDEN.lines().filter(|line| line.contains(" all ")) {
        let words: Vec<_> = line.split(' ').collect();
        let format = float(u8::from_str_radix(words[0], 16).unwrap()).unwrap();
        let bytes = (0..=u16::MAX).flat_map(|code| plain(format.decode(code)).to_le_bytes());
        let hash = bytes.fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        assert_eq!(format!("{hash:016X}"), words[2], "{line}");
        lines += 1;
    }
    assert_eq!(lines, 2);
}

/// The codes of the numbers of a format that are not negative, in ascending order, from the golden file.
fn ascending(tag: u8) -> Vec<(u8, f64)> {
    let half = 1u8 << (element_info(tag).unwrap().bits - 1);
    let value = |bits| f64::from(f32::from_bits(bits));
    let rows = golden().into_iter().filter(|&(t, code, _)| t == tag && code < half);
    rows.map(|(_, code, bits)| (code, value(bits))).filter(|(_, value)| value.is_finite()).collect()
}

fn encoded(format: Float, value: f64) -> [Option<u16>; 2] {
    [format.encode(value), format.encode(-value)]
}

#[test]
fn rounding_is_to_nearest_ties_to_even() {
    for tag in NARROW {
        let format = float(tag).unwrap();
        let sign = 1u16 << (element_info(tag).unwrap().bits - 1);
        let both = |code: u8| [Some(u16::from(code)), Some(u16::from(code) | sign)];
        let numbers = ascending(tag);
        for pair in numbers.windows(2) {
            let ((low, a), (high, b)) = (pair[0], pair[1]);
            let middle = (a + b) / 2.0;
            assert_eq!(encoded(format, a), both(low));
            assert_eq!(
                encoded(format, middle),
                both(if low % 2 == 0 { low } else { high }),
                "{tag:02X} {middle}"
            );
            assert_eq!(encoded(format, middle.next_down()), both(low), "{tag:02X} {middle}");
            assert_eq!(encoded(format, middle.next_up()), both(high), "{tag:02X} {middle}");
        }
        let &(largest, value) = numbers.last().unwrap();
        for past in [value, value * 1.03, value * 1e9, f64::MAX, f64::INFINITY] {
            assert_eq!(encoded(format, past), both(largest), "{tag:02X} saturates at {past}");
        }
        assert_eq!(encoded(format, f64::from_bits(1)), both(0));
    }
}

#[test]
fn many_at_a_time_are_as_one_by_one() {
    // Powers of two from far below to far above, with fractions on, beside and between the borders; and infinities.
    let fractions = [0.0, 0.03, 0.0625, 0.1875, 0.25, 0.375, 0.5, 0.6250001, 0.75, 0.875, 0.9375, 0.99999999];
    let powers = (-40..40).chain([-1070, -1022, 1000, 1023]);
    let mut numbers: Vec<f64> = powers
        .flat_map(|power| fractions.map(|f| (1.0 + f) * 2f64.powi(power)))
        .chain([0.0, f64::INFINITY])
        .collect();
    numbers.extend(numbers.clone().iter().map(|number| -number));
    for tag in NARROW {
        let format = float(tag).unwrap();
        for scale in [1.0, 0.25, -3.0] {
            let mut found = numbers.clone();
            format.encode_all(&mut found, scale).unwrap();
            for (found, number) in found.iter().zip(&numbers) {
                assert_eq!(
                    found.to_bits(),
                    format.encode(number / scale).unwrap().into(),
                    "{tag:02X} {number}"
                );
            }
        }
        let mut with_nan = [1.0, f64::NAN, -2.0];
        match tag {
            0x40 | 0x41 => {
                format.encode_all(&mut with_nan, 1.0).unwrap();
                assert_eq!(with_nan[1].to_bits(), format.encode(f64::NAN).unwrap().into());
                assert_eq!(with_nan[2].to_bits(), format.encode(-2.0).unwrap().into());
            }
            _ => assert_eq!(format.encode_all(&mut with_nan, 1.0), Err(1)),
        }
    }
}

#[test]
fn sixteen_bits_round_to_infinity() {
    let (half, brain) = (float(0x01).unwrap(), float(0x02).unwrap());
    assert_eq!(encoded(half, 65519.999), [Some(0x7BFF), Some(0xFBFF)]);
    assert_eq!(encoded(half, 65520.0), [Some(0x7C00), Some(0xFC00)]);
    assert_eq!(encoded(half, f64::INFINITY), [Some(0x7C00), Some(0xFC00)]);
    assert_eq!(encoded(half, 2f64.powi(-25)), [Some(0), Some(0x8000)]);
    assert_eq!(encoded(half, 2f64.powi(-25).next_up()), [Some(1), Some(0x8001)]);
    assert_eq!(encoded(brain, f64::MAX), [Some(0x7F80), Some(0xFF80)]);
    assert_eq!(encoded(brain, 1.0 + 2f64.powi(-8)), [Some(0x3F80), Some(0xBF80)]);
    assert_eq!(encoded(brain, 1.0 + 3.0 * 2f64.powi(-8)), [Some(0x3F82), Some(0xBF82)]);
}

#[test]
fn scales_of_e8m0() {
    for code in 1..=254u8 {
        let value = f64::from(f32::from_bits(decode_e8m0(code)));
        assert_eq!(encode_e8m0(value), Some(code));
        assert_eq!(
            encode_e8m0(value * 1.5),
            Some(if code % 2 == 0 || code == 254 { code } else { code + 1 })
        );
        assert_eq!(encode_e8m0(value * 1.5f64.next_down()), Some(code));
    }
    assert_eq!([f64::INFINITY, f64::from_bits(1)].map(encode_e8m0), [Some(254), Some(1)]);
    assert_eq!([0.0, -0.0, -1.0, f64::NAN, f64::NEG_INFINITY].map(encode_e8m0), [None; 5]);
}

#[test]
fn what_is_left_of_a_nan() {
    // Sign, leading payload bits, and quiet: from narrow to wide and back, and cut to fewer bits.
    let (half, brain, e5m2, e4m3) = (float(0x01), float(0x02), float(0x41), float(0x40));
    let (half, brain, e5m2, e4m3) = (half.unwrap(), brain.unwrap(), e5m2.unwrap(), e4m3.unwrap());
    assert_eq!(half.decode(0x7C01), 0x7FC0_2000);
    assert_eq!(half.decode(0xFE03), 0xFFC0_6000);
    assert_eq!(brain.decode(0x7F81), 0x7FC1_0000);
    assert_eq!([0x7D, 0x7E, 0xFF].map(|code| e5m2.decode(code)), [0x7FE0_0000, 0x7FC0_0000, 0xFFE0_0000]);
    assert_eq!([0x7F, 0xFF].map(|code| e4m3.decode(code)), [0x7FC0_0000, 0xFFC0_0000]);
    let nan = f64::from_bits(0xFFF4_0000_0000_0001); // signalling, payload 01 then a last bit
    assert_eq!(half.encode(nan), Some(0xFF00));
    assert_eq!(brain.encode(nan), Some(0xFFE0));
    assert_eq!(e5m2.encode(nan), Some(0xFF));
    assert_eq!(e4m3.encode(nan), Some(0xFF));
    assert_eq!(float(0x43).unwrap().encode(nan), None);
    let mut found = [0; 8];
    write_f32(0x04, &[f32::from_bits(0xFF81_0000)], &mut found).unwrap();
    assert_eq!(u64::from_le_bytes(found), 0xFFF8_2000_0000_0000);
    write_f64(0x03, &[nan], &mut found).unwrap();
    assert_eq!(found[..4], 0xFFE0_0000u32.to_le_bytes());
}

#[test]
fn whole_numbers_and_packed_types_by_type() {
    let mut found = [0.0; 5];
    read_f32(0x48, &[0x7D, 0x28, 0x0F], &mut found).unwrap();
    assert_eq!(found, [-3.0, 7.0, -8.0, 2.0, -1.0]);
    read_f32(0x49, &[0x7D, 0x28, 0x0F], &mut found).unwrap();
    assert_eq!(found, [13.0, 7.0, 8.0, 2.0, 15.0]);
    read_f32(0x20, &[0b0001_0110], &mut found).unwrap();
    assert_eq!(found, [0.0, 1.0, 1.0, 0.0, 1.0]);
    read_f32(0x44, &[0x6A, 0xF5, 0x07, 0x20, 0x03, 0x00], &mut found).unwrap();
    assert_eq!(found, [-1.25, 3.25, -7.5, 0.125, -0.0]); // codes 2A 15 3F 01 20 of e2m3
    read_f32(0x12, &[0x00, 0x80, 0xFF, 0xFF], &mut found[..2]).unwrap();
    assert_eq!(found[..2], [-32768.0, -1.0]);
    let mut wide = [0.0; 1];
    for (tag, bytes, value) in [
        (0x14, &[0xFF, 0xFF, 0xFF, 0x7F][..], 2_147_483_647.0),
        (0x15, &[0xFF; 4], 4_294_967_295.0),
        (0x16, &[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], -2.0),
        (0x17, &[0xFF; 8], 18_446_744_073_709_551_616.0),
        (0x40, &[0x7E], 448.0),
        (0x10, &[0x80], -128.0),
    ] {
        read_f64(tag, Rounding::Nearest, bytes, &mut wide).unwrap();
        assert_eq!(wide, [value], "{tag:02X}");
    }
    for tag in [0x50, 0x51, 0xF0] {
        assert_eq!(
            read_f64(tag, Rounding::Odd, &[0; 16], &mut wide).unwrap_err().status,
            Status::INVALID_TYPE
        );
    }
    for tag in [0x10, 0x46, 0x50] {
        assert_eq!(write_f64(tag, &wide, &mut [0; 16]).unwrap_err().status, Status::INVALID_TYPE);
    }
    assert_eq!((0..=255).filter(|&tag| is_narrow(tag)).count(), 3 + 4 + 1 + 6 + 4);
}

#[test]
fn long_runs_of_packed_types_are_seamless() {
    let packed: Vec<u8> = (0..9000u32).map(|k| (k * 151 + 43) as u8).collect();
    for (tag, bits) in [(0x20u8, 1usize), (0x4A, 2), (0x43, 4), (0x45, 6), (0x41, 8)] {
        let count = 9001;
        let mut all = vec![0.0; count];
        read_f64(tag, Rounding::Nearest, &packed, &mut all[..9000]).unwrap();
        for start in (0..8996).step_by(4) {
            let mut few = [0.0; 4];
            let skip = (start * bits) / 8 * 8 / bits; // the element that begins the byte
            if skip == start {
                read_f32(tag, &packed[start * bits / 8..], &mut few).unwrap();
                assert_eq!(
                    few.map(|value| value.to_bits()),
                    [0, 1, 2, 3].map(|k| (all[start + k] as f32).to_bits())
                );
            }
        }
    }
    for tag in [0x43, 0x44, 0x40] {
        let bits = element_info(tag).unwrap().bits as usize;
        let codes = bits * 9000 / 8;
        let finite: Vec<u8> = packed[..codes].iter().map(|byte| byte & 0x7E).collect();
        let mut all = vec![0.0; 9000];
        read_f64(tag, Rounding::Nearest, &finite, &mut all).unwrap();
        let mut again = vec![0xAA; codes];
        write_f64(tag, &all, &mut again).unwrap();
        assert_eq!(again, finite, "{tag:02X}");
    }
    let mut numbers = vec![1.0; 5000];
    numbers[4097] = f64::NAN;
    let fault = write_f64(0x43, &numbers, &mut vec![0; 2500]).unwrap_err();
    assert_eq!((fault.status, fault.index), (Status::INVALID_ARGUMENT, Some(4097)));
}
