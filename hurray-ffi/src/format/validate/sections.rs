//! Rules of the sections after the buffer table, but for quantization.

use super::payload::check_len;
use crate::format::extent::DYNAMIC;
use crate::format::{ExtensionType, Fault, Layout, Member, Place, Shard, Statistics, Status};

fn bad(rule: &'static str, what: &'static str) -> Fault {
    Fault::new(Status::INVALID_DESCRIPTOR, rule, what)
}

fn bad_type(rule: &'static str, what: &'static str) -> Fault {
    Fault::new(Status::INVALID_TYPE, rule, what)
}

/// V-061.
pub(crate) fn check_quantization_allowed(layout: &Layout) -> Result<(), Fault> {
    match layout {
        Layout::Composite { .. } => {
            Err(bad("V-061", "composite head with quantization").field("flags").at(Place::Quantization(0)))
        }
        _ => Ok(()),
    }
}

/// V-053, V-054.
pub(crate) fn check_shard_allowed(layout: &Layout) -> Result<(), Fault> {
    let rule = match layout {
        Layout::BlockPaged(_) => "V-053",
        Layout::Csf { .. } => "V-054",
        _ => return Ok(()),
    };
    let fault = Fault::new(Status::INVALID_LAYOUT, rule, "this layout has no shards");
    Err(fault.field("layout_tag").value(layout.tag()).at(Place::Shard(0)))
}

/// V-120, V-121; a dynamic marker is left to V-122.
pub(crate) fn check_shard(shard: &Shard, shape: &[u64]) -> Result<(), Fault> {
    check_len(shard.parent_shape.len(), shape.len(), "parent_shape")?;
    check_len(shard.offset.len(), shape.len(), "shard_offset")?;
    for (k, ((&n, &parent), &offset)) in shape.iter().zip(&shard.parent_shape).zip(&shard.offset).enumerate()
    {
        if n == DYNAMIC || parent == DYNAMIC {
            continue;
        }
        let place = Place::Shard(8 * (shape.len() + k) as u32);
        match offset.checked_add(n) {
            Some(end) if end <= parent => {}
            Some(end) => {
                let fault = bad("V-120", "shard leaves its parent").field("shard end").index(k);
                return Err(fault.value(end).limit(parent).at(place));
            }
            None => {
                let fault = Fault::new(Status::OVERFLOW, "V-121", "shard end passes 64 bits");
                return Err(fault.field("shard_offset").index(k).value(offset).at(place));
            }
        }
    }
    Ok(())
}

/// V-122.
pub(super) fn check_shard_static(shard: &Shard, shape: &[u64]) -> Result<(), Fault> {
    let fault = || bad("V-122", "shard of a dynamic dimension");
    if let Some(k) = shape.iter().position(|&n| n == DYNAMIC) {
        return Err(fault().field("shape").index(k).at(Place::Shape(k as u32)));
    }
    if let Some(k) = shard.parent_shape.iter().position(|&n| n == DYNAMIC) {
        return Err(fault().field("parent_shape").index(k).at(Place::Shard(8 * k as u32)));
    }
    Ok(())
}

/// V-130.
pub(crate) fn check_statistics_mask(statistics: &Statistics) -> Result<(), Fault> {
    if statistics.computed_mask <= 0x3F {
        return Ok(());
    }
    let fault = bad("V-130", "reserved statistics mask bits are set").field("computed_mask");
    Err(fault.value(statistics.computed_mask).at(Place::Statistics(0)))
}

/// V-133 to V-136.
pub(super) fn check_statistics(statistics: &Statistics) -> Result<(), Fault> {
    let computed = |bit: u32| statistics.computed_mask >> bit & 1 == 1;
    let [n, m] = statistics.nm;
    if computed(4) && n > m {
        let fault = bad("V-133", "N of N:M is above M").field("nm_n").value(n).limit(m);
        return Err(fault.at(Place::Statistics(64)));
    }
    if computed(5)
        && let Some(k) = statistics.has.iter().position(|&has| has > 1)
    {
        let field = if k == 0 { "has_nan" } else { "has_inf" };
        let fault = bad("V-134", "a boolean is not 0 or 1").field(field);
        return Err(fault.value(statistics.has[k]).at(Place::Statistics(66 + k as u32)));
    }
    let deviation = statistics.moments[1];
    if computed(3) && (deviation < 0.0 || deviation.is_nan()) {
        let fault = bad("V-135", "standard deviation is negative or NaN").field("value_stddev");
        return Err(fault.real(deviation).at(Place::Statistics(56)));
    }
    let sparsity = statistics.sparsity_ratio;
    if computed(1) && !(0.0..=1.0).contains(&sparsity) {
        let fault = bad("V-136", "sparsity lies outside 0 to 1").field("sparsity_ratio");
        return Err(fault.real(sparsity).at(Place::Statistics(16)));
    }
    Ok(())
}

/// V-140 to V-142.
pub(crate) fn check_packing(extension: &ExtensionType) -> Result<(), Fault> {
    let width = extension.bit_width;
    let packing = match width {
        0 => {
            let fault = bad_type("V-140", "width is 0").field("bit_width").value(0);
            return Err(fault.at(Place::ExtensionType(0)));
        }
        1 | 2 | 4 => 8 / width,
        3 | 5..=7 => {
            let fault = bad_type("V-142", "width below 8 is not 1, 2 or 4").field("bit_width");
            return Err(fault.value(width).at(Place::ExtensionType(0)));
        }
        _ => 1,
    };
    if u32::from(extension.packing_factor) != packing {
        let fault = bad_type("V-141", "packing factor does not go with the width").field("packing_factor");
        return Err(fault.value(extension.packing_factor).limit(packing).at(Place::ExtensionType(4)));
    }
    Ok(())
}

/// V-144 to V-148.
pub(super) fn check_number_format(extension: &ExtensionType) -> Result<(), Fault> {
    let booleans = [
        ("is_float", extension.is_float, 5),
        ("is_signed", extension.is_signed, 6),
        ("has_nan", extension.has_nan, 16),
        ("has_inf", extension.has_inf, 17),
    ];
    if let Some((field, value, at)) = booleans.into_iter().find(|b| b.1 > 1) {
        let fault = bad_type("V-144", "a boolean is not 0 or 1").field(field);
        return Err(fault.value(value).at(Place::ExtensionType(at)));
    }
    if extension.sign_bits > 1 {
        let fault = bad_type("V-145", "more than one sign bit").field("sign_bits").limit(1);
        return Err(fault.value(extension.sign_bits).at(Place::ExtensionType(7)));
    }
    if extension.is_float == 1 && extension.is_signed == 1 {
        let fault = bad_type("V-146", "a float says its sign in sign_bits").field("is_signed");
        return Err(fault.value(1).at(Place::ExtensionType(6)));
    }
    let of_float = [
        ("sign_bits", u32::from(extension.sign_bits), 7),
        ("exponent_bits", u32::from(extension.exponent_bits), 8),
        ("mantissa_bits", u32::from(extension.mantissa_bits), 9),
        ("exponent_bias", extension.exponent_bias, 12),
    ];
    if extension.is_float == 0
        && let Some((field, value, at)) = of_float.into_iter().find(|f| f.1 != 0)
    {
        let fault = bad_type("V-147", "an integer has a field of floats").field(field);
        return Err(fault.value(value).limit(0).at(Place::ExtensionType(at)));
    }
    if extension.bit_width > 8 && !extension.bit_width.is_multiple_of(8) {
        let fault = bad_type("V-148", "width is not whole bytes").field("bit_width");
        return Err(fault.value(extension.bit_width).at(Place::ExtensionType(0)));
    }
    Ok(())
}

/// V-062.
pub(crate) fn check_member_allowed(layout: &Layout) -> Result<(), Fault> {
    match layout {
        Layout::Composite { .. } => {
            Err(bad("V-062", "composite head with a member section").field("flags").at(Place::Member(0)))
        }
        _ => Ok(()),
    }
}

/// V-150.
pub(crate) fn check_member(member: Member) -> Result<(), Fault> {
    if member.role <= 1 {
        return Ok(());
    }
    let fault = bad("V-150", "member role does not exist").field("member_role");
    Err(fault.value(member.role).limit(1).at(Place::Member(0)))
}
