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

/// Items and errors in their order; reading goes on after a peer's ERROR, which is noted once.
fn events(bytes: &[u8], sizes: &[usize]) -> Vec<Result<(u32, Got), Refusal>> {
    let reader = Reader::new(&[]);
    let mut events: Vec<Result<(u32, Got), Refusal>> = Vec::new();
    let mut sizes = sizes.iter().cycle();
    let (mut rest, mut piece) = (bytes, &bytes[..0]);
    loop {
        match reader.next_status() {
            Ok(Ok(item)) => {
                events.push(Ok((reader.stream_id(), item.got())));
                continue;
            }
            Ok(Err(_)) => {}
            Err(said) if events.contains(&Err(said.clone())) => {}
            Err(said) => {
                events.push(Err(said));
                continue;
            }
        }
        if piece.is_empty() {
            if rest.is_empty() {
                return events;
            }
            (piece, rest) = rest.split_at(sizes.next().map_or(rest.len(), |&n| n.min(rest.len())));
        }
        match reader.feed(piece) {
            Ok(taken) => piece = &piece[taken..],
            Err(said) => {
                events.push(Err(said));
                return events;
            }
        }
    }
}

#[test]
fn what_follows_an_error_of_the_peer_does_not_hang_on_the_cuts() {
    let all = mixture();
    let bytes = [framed(&all, 3), error(5, 6, b"no"), framed(&all, 4), error(3, 1, b""), end(5)].concat();
    let whole = events(&bytes, &[bytes.len()]);
    let errors: Vec<usize> = (0..whole.len()).filter(|&k| whole[k].is_err()).collect();
    let items = expected(&all).len();
    assert_eq!(errors, [items, 2 * items + 1, 2 * items + 2], "each where the peer sent it, then S-118");
    let Some(Err(last)) = whole.last() else { panic!("{whole:?}") };
    assert_eq!(last.rule(), "S-118");
    for sizes in [vec![1], vec![2], vec![7], vec![100], vec![1, 300, 12, 5]] {
        assert_eq!(events(&bytes, &sizes), whole, "{sizes:?}");
    }
}
