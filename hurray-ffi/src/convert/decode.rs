//! Codes to values: `scale * (code - zero)` or `scale * level[code]`, as float32.

use super::scheme::{Levels, Parameters};
use super::simd::twice;

/// A float32 as it lies in memory.
pub type Float = [u8; 4];

/// An integer code as it lies in memory.
trait Code {
    type Bytes: Copy;
    fn less(bytes: Self::Bytes, zero: i32) -> f32;
}

macro_rules! codes {
    ($($type:ty, $wide:ty: $width:literal)*) => {
        $(impl Code for $type {
            type Bytes = [u8; $width];
            #[inline(always)]
            fn less(bytes: [u8; $width], zero: i32) -> f32 {
                <$wide>::from(<$type>::from_le_bytes(bytes)).wrapping_sub(<$wide>::from(zero)) as f32
            }
        })*
    };
}

// A zero point is inside the range of its codes, so the difference of narrow ones fits 32 bits, and float32.
codes! { i8, i32: 1 u8, i32: 1 i16, i32: 2 u16, i32: 2 i32, i64: 4 u32, i64: 4 }

/// A stretch of elements with one scale and one zero point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    len: usize,
    scale: f32,
    zero: i32,
}

const BATCH: usize = 64;

twice! {
    fn affine_runs [C: Code] [C] (codes: &[C::Bytes], runs: &[Run], to: &mut [Float]) {
        let (mut codes, mut to) = (codes, to);
        for run in runs {
            let len = run.len.min(codes.len()).min(to.len());
            let (now, later) = codes.split_at(len);
            let (here, there) = to.split_at_mut(len);
            for (to, &code) in here.iter_mut().zip(now) {
                *to = (run.scale * C::less(code, run.zero)).to_le_bytes();
            }
            (codes, to) = (later, there);
        }
    }
}

twice! {
    fn affine_rows [C: Code] [C] (codes: &[C::Bytes], scales: &[f32], zeros: &[i32], to: &mut [Float]) {
        let each = to.iter_mut().zip(codes).zip(scales);
        if zeros.is_empty() {
            for ((to, &code), &scale) in each {
                *to = (scale * C::less(code, 0)).to_le_bytes();
            }
        } else {
            for (((to, &code), &scale), &zero) in each.zip(zeros) {
                *to = (scale * C::less(code, zero)).to_le_bytes();
            }
        }
    }
}

fn table_runs(table: &[f32; 256], codes: &[[u8; 1]], runs: &[Run], to: &mut [Float]) {
    let mut pairs = to.iter_mut().zip(codes);
    for run in runs {
        for (to, &[code]) in pairs.by_ref().take(run.len) {
            *to = (run.scale * table[usize::from(code)]).to_le_bytes();
        }
    }
}

fn table_rows(table: &[f32; 256], codes: &[[u8; 1]], scales: &[f32], to: &mut [Float]) {
    for ((to, &[code]), scale) in to.iter_mut().zip(codes).zip(scales) {
        *to = (scale * table[usize::from(code)]).to_le_bytes();
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Run;
    use std::arch::x86_64::*;

    /// [`super::table_runs`] for tables of 16 entries and codes below 16: two permutations of eight entries, and the
    /// code's bit 3 chooses.
    #[target_feature(enable = "avx2")]
    pub fn sixteen_runs(table: &[f32; 256], codes: &[[u8; 1]], runs: &[Run], to: &mut [[u8; 4]]) {
        // SAFETY: 16 entries are there to read; loads need no alignment.
        let (low, high) =
            unsafe { (_mm256_loadu_ps(table.as_ptr()), _mm256_loadu_ps(table.as_ptr().add(8))) };
        let (mut codes, mut to) = (codes, to);
        for run in runs {
            let len = run.len.min(codes.len()).min(to.len());
            let (now, later) = codes.split_at(len);
            let (here, there) = to.split_at_mut(len);
            let scale = _mm256_set1_ps(run.scale);
            let (packs, last) = now.as_chunks::<8>();
            let (slots, rest) = here.as_chunks_mut::<8>();
            for (slot, pack) in slots.iter_mut().zip(packs) {
                // SAFETY: 8 codes are there to read.
                let bytes = unsafe { _mm_loadl_epi64(pack.as_ptr().cast()) };
                let code = _mm256_cvtepu8_epi32(bytes);
                let bit_3 = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(code));
                let pick = |half| _mm256_permutevar8x32_ps(half, code);
                let level = _mm256_blendv_ps(pick(low), pick(high), bit_3);
                // SAFETY: 8 float32 are there to write; stores need no alignment.
                unsafe { _mm256_storeu_ps(slot.as_mut_ptr().cast(), _mm256_mul_ps(scale, level)) };
            }
            for (slot, &[code]) in rest.iter_mut().zip(last) {
                *slot = (run.scale * table[usize::from(code)]).to_le_bytes();
            }
            (codes, to) = (later, there);
        }
    }
}

fn sixteen_runs(table: &[f32; 256], codes: &[[u8; 1]], runs: &[Run], to: &mut [Float]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2::sixteen_runs(table, codes, runs, to) };
    }
    table_runs(table, codes, runs, to);
}

/// The values of a run of codes that begins at row-major position `start`. Codes of up to 8 bits take a byte each.
pub fn values(tag: u8, parameters: &Parameters, start: u64, codes: &[u8], to: &mut [Float]) {
    match (parameters.levels, tag) {
        (Levels::Affine, 0x10 | 0x48 | 0x4A) => affine::<i8, 1>(parameters, start, codes, to),
        (Levels::Affine, 0x12) => affine::<i16, 2>(parameters, start, codes, to),
        (Levels::Affine, 0x13) => affine::<u16, 2>(parameters, start, codes, to),
        (Levels::Affine, 0x14) => affine::<i32, 4>(parameters, start, codes, to),
        (Levels::Affine, 0x15) => affine::<u32, 4>(parameters, start, codes, to),
        (Levels::Affine, _) => affine::<u8, 1>(parameters, start, codes, to),
        (Levels::Table(table), _) => levels(parameters, start, codes, to, table, table_runs),
        (Levels::Sixteen(table), _) => levels(parameters, start, codes, to, table, sixteen_runs),
    }
}

fn affine<C: Code<Bytes = [u8; N]>, const N: usize>(
    parameters: &Parameters,
    start: u64,
    codes: &[u8],
    to: &mut [Float],
) {
    walk(parameters, start, codes.as_chunks().0, to, affine_runs::<C>, affine_rows::<C>);
}

fn levels(
    parameters: &Parameters,
    start: u64,
    codes: &[u8],
    to: &mut [Float],
    table: &[f32; 256],
    runs: impl Fn(&[f32; 256], &[[u8; 1]], &[Run], &mut [Float]),
) {
    let run = |codes: &[_], list: &[_], to: &mut [_]| runs(table, codes, list, to);
    let row = |codes: &[_], scales: &[f32], _: &[i32], to: &mut [_]| table_rows(table, codes, scales, to);
    walk(parameters, start, codes.as_chunks().0, to, run, row);
}

/// Passes rows on one by one, and neighbouring runs in batches.
fn walk<B>(
    parameters: &Parameters,
    start: u64,
    codes: &[B],
    to: &mut [Float],
    run: impl Fn(&[B], &[Run], &mut [Float]),
    row: impl Fn(&[B], &[f32], &[i32], &mut [Float]),
) {
    let Parameters { place, scales, zeros, .. } = parameters;
    let (mut batch, mut filled, mut first) = ([Run::default(); BATCH], 0, 0);
    for segment in place.segments(start, codes.len()) {
        let until = segment.range().end;
        if segment.each {
            let own = segment.parameter..segment.parameter + segment.len;
            if let (Some(codes), Some(to), Some(scales)) =
                (codes.get(segment.range()), to.get_mut(segment.range()), scales.get(own.clone()))
            {
                row(codes, scales, zeros.get(own).unwrap_or_default(), to);
            }
            continue;
        }
        let scale = scales.get(segment.parameter).copied().unwrap_or_default();
        let zero = zeros.get(segment.parameter).copied().unwrap_or_default();
        batch[filled] = Run { len: segment.len, scale, zero };
        filled += 1;
        if filled == BATCH || until == codes.len() {
            if let (Some(codes), Some(to)) = (codes.get(first..until), to.get_mut(first..until)) {
                run(codes, &batch[..filled], to);
            }
            (filled, first) = (0, until);
        }
    }
}
