//! Memory follows the bytes that arrive, whatever a descriptor declares.

use crate::compose::*;
use crate::read::*;
use crate::status::*;

/// Resident and mapped memory of this process, in bytes.
fn memory() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/self/statm").expect("statm");
    let mut pages = text.split_whitespace().map(|field| field.parse::<u64>().expect("a number"));
    let mapped = pages.next().expect("mapped");
    (4096 * pages.next().expect("resident"), 4096 * mapped)
}

/// Memory that reading takes beyond what was there.
fn cost(bytes: &[u8], way: &Way, values: &[(u32, u64)]) -> (u64, u64, All) {
    let before = memory();
    let reader = Reader::new(values);
    match way {
        Way::Fed(_) => {
            assert_eq!(reader.feed(bytes), Ok(bytes.len()));
        }
        Way::Windows(_) => {
            let mut rest = bytes;
            while !rest.is_empty() {
                let window = reader.window().unwrap();
                assert!(window.len() <= 1 << 20, "a window of at most 1 MiB");
                let n = window.len().min(rest.len());
                window[..n].copy_from_slice(&rest[..n]);
                rest = &rest[n..];
                reader.advance(n).unwrap();
            }
            reader.window().unwrap();
        }
    }
    let after = memory();
    let ended = reader.finish().map(|_| ());
    (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1), (Vec::new(), ended))
}

#[test]
fn huge_declarations_cost_nothing() {
    // Pitfall B73: 1 GiB, 2^40, 2^62 and 2^63 bytes declared, ten sent.
    for size in [1 << 30, 1 << 40, 1 << 62, 1 << 63, u64::MAX - 1] {
        let desc = bytes_of(&[size]);
        for (bytes, rule) in [
            ([desc.bytes(), vec![9; 10]].concat(), "S-001"),
            ([desc.opening(1), data(1, 0, &[9; 10])].concat(), "S-120"),
        ] {
            for way in [Way::Fed(vec![]), Way::Windows(0)] {
                for ahead in [0, 65536] {
                    let (resident, mapped, (_, ended)) = cost(&bytes, &way, &[(READ_AHEAD, ahead)]);
                    assert!(resident < 10 << 20, "{size}: {resident} resident");
                    assert!(mapped < 80 << 20, "{size}: {mapped} mapped");
                    let said = ended.unwrap_err();
                    assert_eq!((said.status, said.rule()), (TRUNCATED, rule));
                }
            }
        }
    }
}

#[test]
fn many_buffers_members_and_streams_cost_what_arrived() {
    // 255 buffers of 2^54 bytes each; a million members; 64 streams. Ten bytes of data each at most.
    let mut wide =
        Desc { layout: 0xF1, payload: [7u64.to_le_bytes().to_vec(), vec![0; 4]].concat(), ..bytes_of(&[1]) };
    wide.buffers = vec![Entry(1 << 54, 64, [0; 3]); 255];
    let (resident, ..) = cost(&[wide.bytes(), vec![1; 10]].concat(), &Way::Fed(vec![]), &[(1, 1)]);
    assert!(resident < 10 << 20, "{resident}");
    let heads: Vec<u8> = (0..8).flat_map(|_| head(3, 0, 1 << 20, &[]).bytes()).collect();
    let (resident, ..) = cost(&heads, &Way::Fed(vec![]), &[]);
    assert!(resident < 10 << 20, "{resident}");
    let desc = bytes_of(&[1 << 40]);
    let streams: Vec<u8> =
        (1..=64).flat_map(|id| [desc.opening(id), data(id, 0, &[1; 10])].concat()).collect();
    let (resident, ..) = cost(&streams, &Way::Fed(vec![]), &[]);
    assert!(resident < 10 << 20, "{resident}");
    // Windows show no more of a buffer than the message brings.
    let desc = bytes_of(&[1 << 20]);
    let streams: Vec<u8> = (1..=64).flat_map(|id| [desc.opening(id), data(id, 0, &[1])].concat()).collect();
    let (resident, ..) = cost(&streams, &Way::Windows(usize::MAX), &[]);
    assert!(resident < 10 << 20, "{resident}");
    // A descriptor of 16 MiB of which 60 bytes come.
    let mut long = bytes_of(&[1]).bytes();
    long[6..10].copy_from_slice(&(16u32 << 20).to_le_bytes());
    let (resident, ..) = cost(&long, &Way::Fed(vec![]), &[]);
    assert!(resident < 10 << 20, "{resident}");
}

#[test]
fn large_buffers_grow_to_their_size() {
    for (size, alignment) in [((1 << 20) + 1, 64), ((3 << 20) + 77, 2 << 20)] {
        let desc = Desc { buffers: vec![Entry(size, alignment, [0; 3])], ..bytes_of(&[size]) };
        for (bytes, id) in [(desc.bare(), 0), (desc.framed(6), 6)] {
            let (items, ended) = read(&bytes, &[], &Way::Windows(300_000));
            assert_eq!(ended, Ok(()));
            assert_eq!(items, [(id, expected(std::slice::from_ref(&desc)).remove(0))]);
        }
    }
}

/// Pages of this process that were touched for the first time.
fn faults() -> i64 {
    // SAFETY: a struct of numbers, filled in by the call.
    unsafe {
        let mut usage = std::mem::zeroed();
        assert_eq!(libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage), 0);
        usage.ru_minflt
    }
}

#[test]
fn tensor_after_tensor_uses_the_memory_of_those_before() {
    // Two are alive at any time, as in a loop that still holds the last one.
    let (bytes, reader) = (bytes_of(&[1 << 20]).bare(), Reader::new(&[]));
    let mut held = None;
    let mut before = 0;
    for round in 0..40 {
        if round == 8 {
            before = faults();
        }
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            rest = &rest[reader.feed(rest).unwrap()..];
        }
        held = reader.next().unwrap();
        assert!(held.is_some());
    }
    drop(held);
    let pages = faults() - before;
    assert!(pages < 32 * 64, "{pages} new pages for 32 tensors of 256");
}
