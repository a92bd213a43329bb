//! Any bytes, strictly and permissively: what is taken comes back byte for byte, and can be read and described.
#![no_main]

use hurray_fuzz::decode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let strict = decode(input, false);
    let permissive = decode(input, true);
    assert!(permissive.is_some() || strict.is_none(), "a permissive reader takes what a strict one does");
    for descriptor in [strict, permissive].into_iter().flatten() {
        let bytes = descriptor.encode();
        assert_eq!(Some(&bytes[..]), input.get(..bytes.len()));
        assert!(!descriptor.words().is_empty());
        assert!(!descriptor.line().is_empty());
        // What was taken is taken again, and a strict reader's takings mean the same to a permissive one.
        assert_eq!(decode(&bytes, true).expect("its own bytes").words(), descriptor.words());
    }
});
