//! The sections after the buffer table.

use super::reader::{Reader, array, bytes_of};
use crate::format::encode::{EXTENSION_TYPE_LEN, MEMBER_LEN, STATISTICS_LEN, scheme_len};
use crate::format::header::{HAS_EXTENSION_TYPE, HAS_MEMBER, HAS_QUANTIZATION, HAS_SHARD, HAS_STATISTICS};
use crate::format::validate::quantization::{check_tag, check_version_and_flags};
use crate::format::validate::sections::{
    check_member, check_member_allowed, check_packing, check_quantization_allowed, check_shard,
    check_shard_allowed, check_statistics_mask,
};
use crate::format::{
    Boxed, Descriptor, ExtensionType, Fault, Layout, Member, Place, Quantization, Scheme, Shard, Statistics,
    Status,
};

/// Reads the sections that the flags announce. A quantization payload that cannot be read is a fault of a
/// later rule than the lengths and ranges found here: it is handed back, not raised.
pub(super) fn read(reader: &mut Reader<'_>, d: &mut Descriptor) -> Result<Option<Fault>, Fault> {
    if matches!(d.layout, Layout::Unknown { .. }) {
        return Ok(None);
    }
    let has = |flag: u32| d.flags & flag != 0;
    let mut unread = None;
    let start = reader.at();
    if has(HAS_QUANTIZATION) {
        check_quantization_allowed(&d.layout).map_err(|f| from(start, f))?;
        let len = u32::from_le_bytes(reader.take_array("quantization_length")?);
        let start = reader.at();
        let Some(payload) = reader.rest().get(..len as usize) else {
            return Err(reader.truncated("V-100", u64::from(len), "quantization payload"));
        };
        reader.take(payload.len(), "quantization payload")?;
        match read_quantization(payload, d.permissive) {
            Ok(quantization) => d.quantization = Some(quantization),
            Err(fault) => unread = Some(from(start, fault)),
        }
    }
    let start = reader.at();
    if has(HAS_SHARD) {
        check_shard_allowed(&d.layout).map_err(|f| from(start, f))?;
        let parent_shape = array(reader.take(8 * d.shape.len(), "parent_shape")?, u64::from_le_bytes)?;
        let offset = array(reader.take(8 * d.shape.len(), "shard_offset")?, u64::from_le_bytes)?;
        let shard = Shard { parent_shape, offset };
        check_shard(&shard, &d.shape).map_err(|f| from(start, f))?;
        d.shard = Some(Boxed::try_new(shard)?);
    }
    let start = reader.at();
    if has(HAS_STATISTICS) {
        let bytes = reader.take_array::<STATISTICS_LEN>("statistics")?;
        d.statistics = Some(Boxed::try_new(read_statistics(&bytes).map_err(|f| from(start, f))?)?);
    }
    let start = reader.at();
    if has(HAS_EXTENSION_TYPE) {
        let bytes = reader.take_array::<EXTENSION_TYPE_LEN>("extension type")?;
        d.extension_type = Some(read_extension_type(&bytes).map_err(|f| from(start, f))?);
    }
    let start = reader.at();
    if has(HAS_MEMBER) {
        check_member_allowed(&d.layout).map_err(|f| from(start, f))?;
        let [role, reserved @ ..] = reader.take_array::<MEMBER_LEN>("composite member")?;
        let member = Member { role };
        check_member(member)
            .and(check_zero(&reserved, "V-151", Place::Member, 1))
            .map_err(|f| from(start, f))?;
        d.member = Some(member);
    }
    Ok(unread)
}

/// Gives a fault in a section that starts at `start` its byte offset.
#[cold]
fn from(start: u64, fault: Fault) -> Fault {
    match fault.place {
        Place::Quantization(byte)
        | Place::Shard(byte)
        | Place::Statistics(byte)
        | Place::ExtensionType(byte)
        | Place::Member(byte) => fault.at(Place::Byte(start + u64::from(byte))),
        _ => fault,
    }
}

fn check_zero(bytes: &[u8], rule: &'static str, place: fn(u32) -> Place, at: u32) -> Result<(), Fault> {
    let Some((k, &value)) = (0u32..).zip(bytes).find(|&(_, &byte)| byte != 0) else { return Ok(()) };
    let fault = Fault::new(Status::INVALID_DESCRIPTOR, rule, "reserved byte of a section is not 0");
    Err(fault.field("reserved").value(value).at(place(at + k)))
}

fn read_quantization(payload: &[u8], permissive: bool) -> Result<Quantization, Fault> {
    let short = |limit: usize| {
        Fault::new(Status::TRUNCATED, "V-105", "quantization payload is shorter than its scheme")
            .field("quantization_length")
            .value(payload.len() as u64)
            .limit(limit as u64)
            .at(Place::Quantization(0))
    };
    let Some((&[tag, version, f0, f1], rest)) = payload.split_first_chunk::<4>() else {
        return Err(short(4));
    };
    let flags = u16::from_le_bytes([f0, f1]);
    check_tag(tag, permissive)?;
    let Some(len) = scheme_len(tag) else {
        let scheme = Scheme::Unknown { tag, data: bytes_of(rest)? };
        return Ok(Quantization { scheme, version, flags, padding: Vec::new() });
    };
    check_version_and_flags(tag, version, flags)?;
    let Some((fields, padding)) = rest.split_at_checked(len - 4) else { return Err(short(len)) };
    let (words, _) = fields.as_chunks::<4>();
    let word = |k: usize| words.get(k).copied().unwrap_or_default();
    let index = |k: usize| u32::from_le_bytes(word(k));
    let reserved = |bytes: &[u8], at: u32| check_zero(bytes, "V-106", Place::Quantization, at);
    let scheme = match tag {
        0x01 => {
            reserved(&word(2), 12)?;
            Scheme::PerTensor { scale: f32::from_le_bytes(word(0)), zero_point: i32::from_le_bytes(word(1)) }
        }
        0x02 => {
            let [scale_type, tail @ ..] = word(3);
            reserved(&tail, 17)?;
            Scheme::PerChannel {
                axis: index(0),
                scale_buffer: index(1),
                zero_point_buffer: index(2),
                scale_type,
            }
        }
        0x03 => {
            let [scale_type, tail @ ..] = word(4);
            reserved(&tail, 21)?;
            Scheme::PerBlock {
                axis: index(0),
                block_size: index(1),
                scale_buffer: index(2),
                zero_point_buffer: index(3),
                scale_type,
            }
        }
        0x04 => Scheme::Nf4 { axis: index(0), block_size: index(1), scale_buffer: index(2) },
        _ => Scheme::Mxfp { axis: index(0), block_size: index(1), scale_buffer: index(2) },
    };
    Ok(Quantization { scheme, version, flags, padding: bytes_of(padding)? })
}

fn read_statistics(bytes: &[u8; STATISTICS_LEN]) -> Result<Statistics, Fault> {
    let (words, _) = bytes.as_chunks::<8>();
    let word = |k: usize| words.get(k).copied().unwrap_or_default();
    let real = |k: usize| f64::from_le_bytes(word(k));
    let [m0, m1, m2, m3, reserved @ ..] = word(0);
    let [n, m, nan, infinity, tail @ ..] = word(8);
    let statistics = Statistics {
        computed_mask: u32::from_le_bytes([m0, m1, m2, m3]),
        nnz: u64::from_le_bytes(word(1)),
        sparsity_ratio: real(2),
        range: [real(3), real(4), real(5)],
        moments: [real(6), real(7)],
        nm: [n, m],
        has: [nan, infinity],
    };
    check_statistics_mask(&statistics)?;
    check_zero(&reserved, "V-131", Place::Statistics, 4)?;
    check_zero(&tail, "V-131", Place::Statistics, 68)?;
    Ok(statistics)
}

fn read_extension_type(bytes: &[u8; EXTENSION_TYPE_LEN]) -> Result<ExtensionType, Fault> {
    let [
        w0,
        w1,
        w2,
        w3,
        packing_factor,
        is_float,
        is_signed,
        sign_bits,
        exponent_bits,
        mantissa_bits,
        r0,
        r1,
        b0,
        b1,
        b2,
        b3,
        has_nan,
        has_inf,
        r2,
        r3,
    ] = *bytes;
    let extension = ExtensionType {
        bit_width: u32::from_le_bytes([w0, w1, w2, w3]),
        packing_factor,
        is_float,
        is_signed,
        sign_bits,
        exponent_bits,
        mantissa_bits,
        exponent_bias: u32::from_le_bytes([b0, b1, b2, b3]),
        has_nan,
        has_inf,
    };
    check_packing(&extension)?;
    check_zero(&[r0, r1], "V-143", Place::ExtensionType, 10)?;
    check_zero(&[r2, r3], "V-143", Place::ExtensionType, 18)?;
    Ok(extension)
}
