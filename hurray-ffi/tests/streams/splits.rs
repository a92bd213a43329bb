//! However the bytes are cut on their way, items and errors are the same.

use crate::Numbers;
use crate::compose::*;
use crate::read::*;

fn streams() -> Vec<Vec<u8>> {
    let all = mixture();
    let mut torn = bare(&all);
    torn.truncate(torn.len() * 2 / 3);
    let mut bad = framed(&all, 3);
    let at = bad.len() * 3 / 4;
    bad[at] ^= 0x40;
    vec![bare(&all), framed(&all, 3), torn, bad]
}

#[test]
fn b74_random_cuts_change_nothing() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for bytes in streams() {
        let whole = read(&bytes, &[], &Way::Fed(Vec::new()));
        for _ in 0..25 {
            let most = [2, 10, 100, 400][numbers.below(4)];
            let sizes = (0..bytes.len()).map(|_| 1 + numbers.below(most)).collect();
            let ahead = [0, 1, 7, 64, 300, 65536][numbers.below(6)];
            let values = [(READ_AHEAD, ahead)];
            assert_eq!(read(&bytes, &values, &Way::Fed(sizes)), whole);
            assert_eq!(read(&bytes, &values, &Way::Windows(1 + numbers.below(most))), whole);
        }
    }
}

#[test]
fn a_stream_may_begin_at_any_address() {
    // Pitfall B76: a frame in a buffer at each offset 0 to 15.
    for bytes in streams() {
        let whole = read(&bytes, &[], &Way::Fed(Vec::new()));
        for offset in 0..16 {
            let shifted = [vec![0xEE; offset], bytes.clone()].concat();
            assert_eq!(read(&shifted[offset..], &[], &Way::Fed(vec![])), whole);
        }
    }
}
