//! Any bytes as a stream: all ways of reading agree, and what was read is written byte for byte.
#![no_main]

use hurray_fuzz::stream::run;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| run(input));
