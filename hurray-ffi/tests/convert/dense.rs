//! Every dense layout to every other, on random shapes and element types.

use crate::door::{
    Descriptor, Options, bytes, declared, descriptor, element_offset, room, slice, tensor, to_layout,
};
use crate::formula::{Dense, Level, Order, first_bit, indices, move_bits};
use crate::random::Random;
use hurray::abi::*;
use std::ptr::null;

/// Element types, one of each width; tag and bits.
const TYPES: [(u8, u32); 9] = [
    (HURRAY_TYPE_BOOL, 1),
    (HURRAY_TYPE_INT2, 2),
    (HURRAY_TYPE_INT4, 4),
    (HURRAY_TYPE_FLOAT6_E3M2, 6),
    (HURRAY_TYPE_UINT8, 8),
    (HURRAY_TYPE_BFLOAT16, 16),
    (HURRAY_TYPE_FLOAT32, 32),
    (HURRAY_TYPE_INT64, 64),
    (HURRAY_TYPE_COMPLEX128, 128),
];

/// Strides that keep elements apart: dimensions in a random order, with gaps, some walked backwards.
fn strides(random: &mut Random, shape: &[u64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..shape.len()).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, random.below(k as u64 + 1) as usize);
    }
    let (mut strides, mut reach) = (vec![0; shape.len()], random.within(1, 2) as i64);
    for k in order {
        strides[k] = if random.once_in(3) { -reach } else { reach };
        reach *= shape[k].max(1) as i64 + if random.once_in(3) { random.below(3) as i64 } else { 0 };
    }
    strides
}

fn order(random: &mut Random, shape: &[u64]) -> Order {
    match random.below(3) {
        0 => Order::Row,
        1 => Order::Column,
        _ => Order::Strides(strides(random, shape)),
    }
}

/// Orders inside a tile stay inside it.
fn inner(random: &mut Random, tile: &[u64]) -> Order {
    if random.once_in(2) {
        return if random.once_in(2) { Order::Row } else { Order::Column };
    }
    let mut steps = vec![0i64; tile.len()];
    let mut reach = 1;
    for k in (0..tile.len()).rev() {
        steps[k] = reach;
        reach *= tile[k] as i64;
    }
    Order::Strides(steps)
}

fn tiles(random: &mut Random, shape: &[u64]) -> Dense {
    let depth = random.within(1, 3);
    let mut levels = Vec::new();
    let mut grid_of = shape.to_vec();
    for level in 0..depth {
        let tile: Vec<u64> = grid_of
            .iter()
            .map(|&n| match level {
                0 => random.within(1, n.clamp(1, 9)) * if random.once_in(4) { 2 } else { 1 },
                // A nested tile divides the one around it.
                _ => {
                    let fits: Vec<u64> = (1..=n).filter(|t| n.is_multiple_of(*t)).collect();
                    random.pick(&fits)
                }
            })
            .collect();
        let grid: Vec<u64> = grid_of.iter().zip(&tile).map(|(n, t)| n.div_ceil(*t)).collect();
        let outer = if level == 0 { order(random, &grid) } else { inner(random, &grid) };
        let inside = (level + 1 == depth).then(|| inner(random, &tile));
        levels.push(Level { tile: tile.clone(), outer, inner: inside });
        grid_of = tile;
    }
    Dense::Tiled(levels)
}

/// A random layout that the shape can have.
fn layout(random: &mut Random, shape: &[u64]) -> Dense {
    let rank = shape.len() as u64;
    let cube = shape.iter().all(|&n| n == shape[0] && n.is_power_of_two() && n > 1);
    loop {
        return match random.below(if shape.is_empty() { 1 } else { 6 }) {
            0 => Dense::Plain(Order::Row),
            1 => Dense::Plain(Order::Column),
            2 => Dense::Plain(Order::Strides(strides(random, shape))),
            3 => tiles(random, shape),
            4 => {
                let least: Vec<u64> =
                    shape.iter().map(|&n| u64::from(n.max(2).next_power_of_two().trailing_zeros())).collect();
                let top = least.iter().zip(0..).map(|(bits, d)| (bits - 1) * rank + d).max();
                // Codes spread over memory: keep the buffer small.
                if top.unwrap_or(0) > 18 {
                    continue;
                }
                Dense::Morton(least)
            }
            _ if cube && rank >= 2 => Dense::Hilbert(u64::from(shape[0].trailing_zeros())),
            _ => continue,
        };
    }
}

/// The lowest byte offset at which a layout fits, and a few bytes more.
fn byte_offset(random: &mut Random, dense: &Dense, shape: &[u64], bits: u32) -> u64 {
    let lowest = match dense {
        _ if shape.contains(&0) => 0,
        Dense::Plain(Order::Strides(strides)) => lowest(strides, shape),
        Dense::Tiled(levels) => match &levels[0].outer {
            Order::Strides(strides) => {
                let grid: Vec<u64> = shape.iter().zip(&levels[0].tile).map(|(n, t)| n.div_ceil(*t)).collect();
                lowest(strides, &grid) * levels[0].tile.iter().product::<u64>() as i128
            }
            _ => 0,
        },
        _ => 0,
    };
    let below = match bits {
        6 => -lowest.div_euclid(4) * 3,
        _ => -(lowest * i128::from(bits)).div_euclid(8),
    };
    below as u64 + if random.once_in(3) { random.below(5) } else { 0 }
}

fn lowest(strides: &[i64], shape: &[u64]) -> i128 {
    strides.iter().zip(shape).map(|(&s, &n)| i128::from(s.min(0)) * i128::from(n - 1)).sum()
}

/// One side: layout, byte offset, descriptor.
struct Side {
    dense: Dense,
    byte_offset: u64,
    descriptor: Descriptor,
}

fn side(random: &mut Random, element: (u8, u32), shape: &[u64], dense: Dense) -> Side {
    let byte_offset = byte_offset(random, &dense, shape, element.1);
    let descriptor = descriptor(element.0, &dense, shape, byte_offset);
    let descriptor = descriptor.unwrap_or_else(|status| panic!("{status} for {dense:?} over {shape:?}"));
    Side { dense, byte_offset, descriptor }
}

/// What the target's bytes become, by the formulas: elements moved one by one, everything else as it was.
fn expected(shape: &[u64], bits: u32, source: &[u8], from: &Side, to: &Side, fill: u8) -> Vec<u8> {
    let mut out = vec![fill; declared(to.descriptor.0) as usize];
    if bits < 8 && !matches!(to.dense, Dense::Plain(Order::Strides(_))) {
        let tail = out.len().saturating_sub(3);
        out[tail..].fill(0);
    }
    for index in indices(shape) {
        let read = first_bit(from.byte_offset, from.dense.offset(&index, shape), bits);
        let write = first_bit(to.byte_offset, to.dense.offset(&index, shape), bits);
        move_bits(source, read, &mut out, write, bits);
    }
    out
}

fn check(random: &mut Random, element: (u8, u32), shape: &[u64], from: Dense, to: Dense, options: &Options) {
    let from = side(random, element, shape, from);
    let to = side(random, element, shape, to);
    let source = random.bytes(declared(from.descriptor.0) as usize);
    let tensor = tensor(&from.descriptor, &source);
    let want = expected(shape, element.1, &source, &from, &to, 0);
    let case = || format!("{element:?} {shape:?} {:?} -> {:?}", from.dense, to.dense);
    let (made, written) = to_layout(&tensor, Some(&to.descriptor), null(), Some(options)).expect("made");
    assert_eq!(written, want.len() as u64, "{}", case());
    assert!(bytes(&made) == want, "{}", case());
    // Into memory that holds something else.
    let (mut buffer, data) = room(want.len() as u64 + 3);
    data.fill(0xA5);
    to_layout(&tensor, Some(&to.descriptor), buffer, Some(options)).expect("made");
    let want = expected(shape, element.1, &source, &from, &to, 0xA5);
    assert!(data.starts_with(&want) && data.ends_with(&[0xA5; 3]), "{}", case());
    // SAFETY: owned, and ended once.
    assert_eq!(unsafe { hurray_buffer_destroy(&mut buffer) }, 0);
    if let Some(index) = indices(shape).last() {
        let offset = element_offset(&to.descriptor, index).expect("an offset");
        assert_eq!(i128::from(offset), to.dense.offset(index, shape), "{}", case());
    }
}

fn always() -> Options {
    Options::new(&[(HURRAY_OPTION_COPY, 2), (HURRAY_OPTION_THREADS, 3)])
}

#[test]
fn random_shapes_of_every_width() {
    let mut random = Random::new(6);
    let options = always();
    for _ in 0..300 {
        let rank = random.below(5);
        let shape: Vec<u64> = match random.below(4) {
            0 => vec![1 << random.within(1, 3); rank as usize],
            _ => (0..rank).map(|_| random.pick(&[1, 2, 3, 5, 6, 8, 11, 13])).collect(),
        };
        let element = random.pick(&TYPES);
        let (from, to) = (layout(&mut random, &shape), layout(&mut random, &shape));
        check(&mut random, element, &shape, from, to, &options);
    }
}

#[test]
fn every_element_type_moves() {
    let mut random = Random::new(26);
    let options = always();
    for tag in 1..=0x51u8 {
        let (mut bits, mut alignment, mut kind) = (0, 0, 0);
        // SAFETY: the outputs are locals.
        if unsafe { hurray_element_type_info(tag, &mut bits, &mut alignment, &mut kind) } != 0 {
            continue;
        }
        for to in [Dense::Plain(Order::Column), Dense::Morton(vec![3, 3])] {
            check(&mut random, (tag, bits), &[7, 5], Dense::Plain(Order::Row), to, &options);
        }
    }
}

#[test]
fn unit_dimensions_and_rank_64() {
    let mut random = Random::new(64);
    let options = always();
    for element in TYPES {
        let mut shape = vec![1; 64];
        for n in [2, 3, 5] {
            shape[random.below(64) as usize] = n;
        }
        for _ in 0..4 {
            let from = Dense::Plain(Order::Strides(strides(&mut random, &shape)));
            let to = random.pick(&[Order::Row, Order::Column].each_ref()).clone();
            check(&mut random, element, &shape, from, Dense::Plain(to), &options);
        }
        check(&mut random, element, &[], Dense::Plain(Order::Row), Dense::Plain(Order::Row), &options);
    }
}

#[test]
fn shapes_without_elements() {
    let mut random = Random::new(0);
    let options = always();
    for shape in [&[0][..], &[3, 0, 2], &[0, 1 << 40]] {
        for to in [Order::Row, Order::Column, Order::Strides(vec![7; shape.len()])] {
            let from = Dense::Plain(Order::Row);
            check(&mut random, TYPES[6], shape, from, Dense::Plain(to), &options);
        }
    }
}

/// More than one table a dimension, more than one chunk a plane.
#[test]
fn long_dimensions() {
    let mut random = Random::new(4096);
    let options = always();
    let tile = |tile: &[u64]| {
        let level = Level { tile: tile.to_vec(), outer: Order::Row, inner: Some(Order::Row) };
        Dense::Tiled(vec![level])
    };
    let plain = |order| Dense::Plain(order);
    for (shape, from, to) in [
        (vec![4601], plain(Order::Strides(vec![-3])), plain(Order::Row)),
        (vec![4601], tile(&[100]), plain(Order::Strides(vec![2]))),
        (vec![3, 4200], plain(Order::Column), plain(Order::Row)),
        (vec![4200, 3], plain(Order::Row), plain(Order::Column)),
        (vec![4200, 4], tile(&[64, 3]), plain(Order::Column)),
        (vec![4, 4200], tile(&[3, 33]), tile(&[2, 50])),
        (vec![4100, 3], Dense::Morton(vec![13, 2]), plain(Order::Row)),
        (vec![2, 40, 130], plain(Order::Strides(vec![1, 260, 2])), plain(Order::Row)),
    ] {
        check(&mut random, TYPES[6], &shape, from.clone(), to.clone(), &options);
        check(&mut random, TYPES[5], &shape, to, from, &options);
    }
}

/// Large enough for threads, with a target that can be cut and one that cannot.
#[test]
fn threads_give_the_same_bytes() {
    let mut random = Random::new(2);
    let shape = [1030, 1030];
    let tile = || {
        let level = Level { tile: vec![32, 32], outer: Order::Row, inner: Some(Order::Row) };
        Dense::Tiled(vec![level])
    };
    let from = side(&mut random, TYPES[6], &shape, Dense::Plain(Order::Row));
    let source = random.bytes(declared(from.descriptor.0) as usize);
    let tensor = tensor(&from.descriptor, &source);
    let many = Options::new(&[(HURRAY_OPTION_THREADS, 4), (HURRAY_OPTION_COPY, 2)]);
    for to in [Dense::Plain(Order::Row), Dense::Plain(Order::Column), tile(), Dense::Morton(vec![11, 11])] {
        let to = side(&mut random, TYPES[6], &shape, to);
        let (one, _) = to_layout(&tensor, Some(&to.descriptor), null(), Some(&many)).expect("made");
        let out = bytes(&one);
        for _ in 0..10_000 {
            let index = [random.below(shape[0]), random.below(shape[1])];
            let read = first_bit(from.byte_offset, from.dense.offset(&index, &shape), 32) / 8;
            let write = first_bit(to.byte_offset, to.dense.offset(&index, &shape), 32) / 8;
            assert_eq!(out[write..write + 4], source[read..read + 4], "{index:?} {:?}", to.dense);
        }
    }
}

/// A large result may get the memory that an earlier one left: what a layout leaves open is zero all the same.
#[test]
fn gaps_of_large_results_are_zero() {
    let shape = [1030, 1030];
    let made = |dense| descriptor(HURRAY_TYPE_FLOAT32, &dense, &shape, 0).expect("valid");
    let plain = |order| made(Dense::Plain(order));
    let level = Level { tile: vec![32, 32], outer: Order::Row, inner: Some(Order::Row) };
    let rows = plain(Order::Row);
    let tensor = tensor(&rows, &vec![0xFF; declared(rows.0) as usize]);
    let targets = [
        plain(Order::Column),
        plain(Order::Strides(vec![1101, 1])),
        made(Dense::Tiled(vec![level])),
        made(Dense::Morton(vec![11, 11])),
        descriptor(HURRAY_TYPE_FLOAT32, &Dense::Plain(Order::Row), &shape, 4096).expect("valid"),
    ];
    let options = always();
    for target in targets.iter().chain(&targets) {
        let (found, written) = to_layout(&tensor, Some(target), null(), Some(&options)).expect("made");
        assert_eq!(written, declared(target.0));
        let found = bytes(&found);
        assert_eq!(found.iter().filter(|&&byte| byte == 0xFF).count(), 4 * 1030 * 1030);
        assert!(found.iter().all(|&byte| byte == 0xFF || byte == 0));
    }
}

#[test]
fn shapes_whose_product_overflows_are_refused() {
    let plain = |order| Dense::Plain(order);
    for (dense, shape) in [
        (plain(Order::Row), &[1 << 33, 1 << 33][..]),
        (plain(Order::Column), &[1 << 33, 1 << 33]),
        (plain(Order::Strides(vec![i64::MAX, 1])), &[3, 2]),
        (Dense::Morton(vec![40, 40]), &[1 << 40, 1 << 40]),
    ] {
        let refused = descriptor(HURRAY_TYPE_UINT8, &dense, shape, 0).err();
        assert_eq!(refused, Some(HURRAY_ERR_OVERFLOW), "{dense:?}");
    }
}

/// Bounds as Python's slices have them, after `slice.indices`.
fn bounds(random: &mut Random, n: u64) -> [i64; 3] {
    let n = n as i64;
    let step = random.pick(&[1, 1, 2, 3, -1, -2]);
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let mut within = || low + random.below((high - low + 1) as u64) as i64;
    [within(), within(), step]
}

#[test]
fn slices_of_every_layout() {
    let mut random = Random::new(14);
    let copying = always();
    for round in 0..200 {
        let rank = random.below(4);
        let shape: Vec<u64> = match random.below(4) {
            0 => vec![1 << random.within(1, 3); rank as usize],
            _ => (0..rank).map(|_| random.pick(&[1, 2, 3, 5, 6, 8, 11])).collect(),
        };
        let element = random.pick(&TYPES);
        let dense = layout(&mut random, &shape);
        let from = side(&mut random, element, &shape, dense);
        let source = random.bytes(declared(from.descriptor.0) as usize);
        let tensor = tensor(&from.descriptor, &source);
        let cuts: Vec<[i64; 3]> = shape.iter().map(|&n| bounds(&mut random, n)).collect();
        let [start, stop, step] = [0, 1, 2].map(|k| cuts.iter().map(|cut| cut[k]).collect::<Vec<i64>>());
        let part_shape: Vec<u64> = cuts
            .iter()
            .map(|&[start, stop, step]| {
                // Counted, not computed.
                let mut at = start;
                let mut count = 0;
                while if step > 0 { at < stop } else { at > stop } {
                    (at, count) = (at + step, count + 1);
                }
                count
            })
            .collect();
        let options = (round % 2 == 0).then_some(&copying);
        let (part, _) = slice(&tensor, [&start, &stop, &step], options).expect("a slice");
        let (rows, _) = to_layout(&part, None, null(), Some(&copying)).expect("row-major");
        let out = bytes(&rows);
        let mut want = vec![0; out.len()];
        for (at, index) in indices(&part_shape).iter().enumerate() {
            let whole: Vec<u64> =
                index.iter().zip(&cuts).map(|(&i, cut)| (cut[0] + i as i64 * cut[2]) as u64).collect();
            let read = first_bit(from.byte_offset, from.dense.offset(&whole, &shape), element.1);
            move_bits(&source, read, &mut want, first_bit(0, at as i128, element.1), element.1);
        }
        assert!(out == want, "{element:?} {shape:?} {:?} {cuts:?}", from.dense);
    }
}

/// The example of two levels in layouts.md section 6, and the composite's members of section 13.
#[test]
fn worked_examples() {
    let level = |tile: &[u64], outer, inner| Level { tile: tile.to_vec(), outer, inner };
    let two = vec![level(&[4, 4], Order::Row, None), level(&[2, 2], Order::Column, Some(Order::Row))];
    let offset = |dense: &Dense, shape: &[u64], index: &[u64]| {
        let made = descriptor(HURRAY_TYPE_UINT8, dense, shape, 0).expect("a descriptor");
        element_offset(&made, index).expect("an offset")
    };
    assert_eq!(offset(&Dense::Tiled(two), &[8, 4], &[5, 2]), 26);
    assert_eq!(offset(&Dense::Hilbert(2), &[4, 4], &[2, 3]), 9);
    let tiles = Dense::Tiled(vec![level(&[2, 2], Order::Row, Some(Order::Row))]);
    assert_eq!(offset(&tiles, &[4, 2], &[3, 1]), 7);
    assert_eq!(offset(&Dense::Morton(vec![1, 2]), &[2, 4], &[1, 1]), 3);
}

/// The examples of layouts.md section 2: the byte and bit of an element, found by moving it.
#[test]
fn worked_examples_of_bits() {
    let row = || Dense::Plain(Order::Row);
    for (element, dense, shape, byte_offset, at, len) in [
        ((HURRAY_TYPE_INT4, 4), row(), &[2, 3, 5][..], 0, 14 * 8, 15),
        ((HURRAY_TYPE_BOOL, 1), row(), &[2, 3, 2, 3], 3, 6 * 8 + 7, 8),
        ((HURRAY_TYPE_FLOAT6_E3M2, 6), row(), &[3, 5], 0, 4 * 8 + 4, 12),
        ((HURRAY_TYPE_INT4, 4), Dense::Plain(Order::Strides(vec![-3, 1])), &[4, 3], 5, 4, 7),
    ] {
        let index: &[u64] = match element.0 {
            HURRAY_TYPE_INT4 if byte_offset == 0 => &[1, 2, 3],
            HURRAY_TYPE_BOOL => &[1, 2, 0, 1],
            HURRAY_TYPE_FLOAT6_E3M2 => &[1, 1],
            _ => &[3, 0],
        };
        let from = descriptor(element.0, &dense, shape, byte_offset).expect("a descriptor");
        let mut source = vec![0; len.max(declared(from.0) as usize)];
        // Its lowest bit alone is set.
        source[at / 8] = 1 << (at % 8);
        let rows = to_layout(&tensor(&from, &source), None, null(), Some(&always())).expect("made").0;
        let mut want = vec![0; bytes(&rows).len()];
        let place = Order::Row.offset(index, shape);
        want[first_bit(0, place, element.1) / 8] = 1 << (first_bit(0, place, element.1) % 8);
        assert_eq!(bytes(&rows), want, "{shape:?}");
    }
}
