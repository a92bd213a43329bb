//! Decode and encode of one dense rank-3 descriptor, against the published crate, in one run.
//!
//! Rounds of the two alternate, so that whatever else the machine does falls on both; a row is the ratio of minima.
//! Rows go to standard output as tab-separated values, which `tools/bench.py` turns into the table.

#![allow(clippy::expect_used)] // a benchmark that cannot run says so

use hurray::format::Descriptor;
use hurray_core::descriptor::TensorDescriptor;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 31;
const CALLS: u32 = 50_000;

/// float32 `[64, 128, 256]`, row-major, one buffer of 8 MiB, by hand from the written format.
fn descriptor() -> Vec<u8> {
    let mut bytes = b"HRRY\x01\x00\x45\x00\x00\x00\x00\x00\x00\x00\x03\x01\x03\x00\x00\x00".to_vec();
    for dimension in [64u64, 128, 256] {
        bytes.extend(dimension.to_le_bytes());
    }
    bytes.extend(0u64.to_le_bytes());
    bytes.push(1);
    bytes.extend((64u64 * 128 * 256 * 4).to_le_bytes());
    bytes.extend(64u32.to_le_bytes());
    bytes.extend([0; 4]);
    bytes
}

fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn row(name: &str, bar: f64, mut ours: impl FnMut(), mut theirs: impl FnMut()) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        a.push(time(&mut ours));
        b.push(time(&mut theirs));
    }
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let (middle, unit) = (ROUNDS / 2, "ns");
    println!("{name}\t{bar}\t{}\t{}\t{}\t{}\t{unit}", a[0], b[0], a[middle], b[middle]);
}

fn main() {
    let bytes = descriptor();
    row(
        "decode, rank 3, dense (published crate)",
        0.75,
        || drop(black_box(Descriptor::decode(black_box(&bytes), false).expect("valid"))),
        || drop(black_box(TensorDescriptor::decode(black_box(&bytes)).expect("valid"))),
    );
    let ours = Descriptor::decode(&bytes, false).expect("valid");
    let theirs = TensorDescriptor::decode(&bytes).expect("valid");
    row(
        "encode of the same (published crate)",
        1.0,
        || drop(black_box(ours.encode().expect("valid"))),
        || drop(black_box(theirs.encode().expect("valid"))),
    );
}
