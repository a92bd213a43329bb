//! Any bytes as a file: opened in all ways, everything in it read, and what keeps every rule written again.
#![no_main]

use hurray_fuzz::file::run;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| run(input));
