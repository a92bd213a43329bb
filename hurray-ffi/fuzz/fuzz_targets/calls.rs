//! A sequence of C calls: handles of every noun are made, joined, shared and ended as the bytes say. At the end no handle
//! lives, and every owner was released once.
#![no_main]

use hurray_fuzz::calls::run;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| run(input));
