//! The contents of quantization parameters: scales and zero points.

use super::job::Job;
use crate::format::parameters::{ParameterArray, parameters};
use crate::format::{Descriptor, Fault, Layout, Place, Scheme, Status, storage_range};

/// How many parameters pass between two looks at the job.
const STEP: usize = 1 << 16;

/// Holds all parameters to the rules of their scheme. Parameters of a per-tensor scheme are the descriptor's own.
pub(super) fn check(descriptor: &Descriptor, buffers: &[&[u8]], job: &Job<'_>) -> Result<(), Fault> {
    let Some(quantization) = &descriptor.quantization else { return Ok(()) };
    let scheme = &quantization.scheme;
    let is_paged = matches!(descriptor.layout, Layout::BlockPaged(_));
    if is_paged && matches!(scheme, Scheme::Nf4 { .. } | Scheme::Mxfp { .. }) {
        let what = "parameters of this scheme are not defined for a block-paged tensor";
        return Err(Fault::new(Status::UNSUPPORTED, "Q-036", what).field("scheme_tag").value(scheme.tag()));
    }
    let arrays = parameters(scheme, &descriptor.layout, &descriptor.shape)?;
    if let Some(scales) = &arrays.scales {
        let nf4 = matches!(scheme, Scheme::Nf4 { .. });
        let array = Array::of(scales, "scales", buffers)?;
        match scales.element_type {
            0x42 => array.each::<1>(job, exponent)?,
            0x01 => array.each::<2>(job, |b| scale(half(u16::from_le_bytes(b)), false))?,
            0x02 => array.each::<2>(job, |b| scale(brain(u16::from_le_bytes(b)), false))?,
            _ => array.each::<4>(job, |b| scale(f32::from_le_bytes(b), nf4))?,
        }
    }
    if let Some(points) = &arrays.zero_points {
        let Some((least, most)) = storage_range(descriptor.element_type) else { return Ok(()) };
        Array::of(points, "zero_points", buffers)?.each::<4>(job, |b| {
            let found = i64::from(i32::from_le_bytes(b));
            if (least..=most).contains(&found) {
                return Ok(());
            }
            let what = "a zero point is outside the range of the storage type";
            Err(Fault::new(Status::INVALID_DESCRIPTOR, "Q-030", what).value(found).limit(if found < least {
                least
            } else {
                most
            }))
        })?;
    }
    Ok(())
}

struct Array<'a> {
    bytes: &'a [u8],
    field: &'static str,
    start: u64,
}

impl<'a> Array<'a> {
    fn of(array: &ParameterArray, field: &'static str, buffers: &[&'a [u8]]) -> Result<Array<'a>, Fault> {
        let buffer = buffers.get(array.buffer as usize).copied().unwrap_or_default();
        let start = usize::try_from(array.offset).unwrap_or(usize::MAX);
        let len = array.bytes().and_then(|len| usize::try_from(len).ok());
        let end = len.and_then(|len| start.checked_add(len));
        match end.and_then(|end| buffer.get(start..end)) {
            Some(bytes) => Ok(Array { bytes, field, start: array.offset }),
            None => Err(Fault::new(Status::BUFFER_MISMATCH, "Q-033", "a parameter buffer is too small")
                .field(field)
                .value(buffer.len() as u64)),
        }
    }

    /// Holds each value of `N` bytes to a rule; a fault gets the name, the index and the byte of what broke it.
    fn each<const N: usize>(
        &self,
        job: &Job<'_>,
        rule: impl Fn([u8; N]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for (k, value) in self.bytes.as_chunks::<N>().0.iter().enumerate() {
            rule(*value).map_err(|fault| {
                fault.field(self.field).index(k).at(Place::Byte(self.start + (k * N) as u64))
            })?;
            if (k + 1).is_multiple_of(STEP) {
                job.step((STEP * N) as u64)?;
            }
        }
        Ok(())
    }
}

fn scale(found: f32, is_magnitude: bool) -> Result<(), Fault> {
    let (rule, what, good) = if is_magnitude {
        ("Q-031", "a block's magnitude is negative, infinite or not a number", found >= 0.0)
    } else {
        ("Q-029", "a scale is 0, infinite or not a number", found != 0.0)
    };
    if good && found.is_finite() {
        return Ok(());
    }
    Err(Fault::new(Status::INVALID_DESCRIPTOR, rule, what).real(f64::from(found)))
}

fn exponent([byte]: [u8; 1]) -> Result<(), Fault> {
    match byte {
        0x00 | 0xFF => {
            let what = "a scale's exponent may not occur";
            Err(Fault::new(Status::INVALID_DESCRIPTOR, "Q-032", what).value(byte))
        }
        _ => Ok(()),
    }
}

fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f32::from(bits & 0x3FF));
    let magnitude = match exponent {
        0x1F if bits & 0x3FF == 0 => f32::INFINITY,
        0x1F => f32::NAN,
        0 => fraction * (-24f32).exp2(),
        _ => (1024.0 + fraction) * (exponent as f32 - 25.0).exp2(),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

fn brain(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}
