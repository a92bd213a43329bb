//! Layouts, and the least sizes of their buffers (descriptor.md §5.5, layouts.md).

use super::packed;
use crate::model::{Layout, NONE, Order, Tile};
use crate::random::Random;

/// A layout over a static shape.
pub struct Laid {
    pub shape: Vec<u64>,
    pub layout: Layout,
}

impl Laid {
    fn new(shape: Vec<u64>, layout: Layout) -> Laid {
        Laid { shape, layout }
    }

    pub fn may_have_shard(&self) -> bool {
        !matches!(self.layout, Layout::Csf { .. } | Layout::Paged { .. })
    }

    pub fn elements(&self) -> Option<u128> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        self.shape.iter().try_fold(1u128, |count, &n| count.checked_mul(u128::from(n)))
    }

    /// Buffers without those of a scheme; the rest of a private layout's come behind them.
    pub fn base(&self) -> u32 {
        match self.layout {
            Layout::Coo { .. } => 2,
            Layout::Compressed { .. } | Layout::Paged { .. } => 3,
            Layout::Csf { .. } => 2 * self.shape.len() as u32 + 1,
            Layout::Head { .. } => 0,
            _ => 1,
        }
    }
}

fn dimension(random: &mut Random) -> u64 {
    if random.once_in(12) { 0 } else { random.within(1, 6) }
}

/// Mostly small; now and then of a high rank, with units, or large.
fn shape(random: &mut Random, least: u64, most: u64) -> Vec<u64> {
    if random.once_in(10) && most == 64 {
        let rank = random.within(least.max(9), 64);
        return (0..rank).map(|_| if random.once_in(8) { 2 } else { 1 }).collect();
    }
    let rank = random.within(least, most.min(5));
    let mut shape: Vec<u64> = (0..rank).map(|_| dimension(random)).collect();
    if rank > 0 && random.once_in(6) {
        let k = random.below(rank) as usize;
        shape[k] = 1 << random.within(10, 40);
    }
    shape
}

pub fn layout(random: &mut Random) -> Laid {
    match random.below(13) {
        0 => Laid::new(shape(random, 0, 64), Layout::Plain(1)),
        1 => Laid::new(shape(random, 1, 64), Layout::Plain(2)),
        2 | 3 => {
            let shape = shape(random, 1, 64);
            let strides = strides(random, &shape);
            Laid::new(shape, Layout::Strided(strides))
        }
        4 | 5 => {
            let shape = shape(random, 1, 64);
            let levels = if random.once_in(4) { random.within(4, 8) } else { random.within(1, 3) };
            let tile = tile(random, &shape, levels);
            Laid::new(shape, Layout::Tiled(tile))
        }
        6 => morton(random),
        7 => {
            let rank = random.within(2, 6);
            let order = random.within(1, 40 / rank) as u32;
            Laid::new(vec![1 << order; rank as usize], Layout::Hilbert { order })
        }
        8 => {
            let shape = sparse_shape(random, 1, 64);
            let nnz = nnz(random, &shape);
            Laid::new(shape, Layout::Coo { nnz, sorted: random.below(2) as u8 })
        }
        9 => {
            let shape = sparse_shape(random, 2, 2);
            let nnz = nnz(random, &shape);
            Laid::new(shape, Layout::Compressed { tag: random.pick(&[7, 8]), nnz })
        }
        10 => {
            let shape = sparse_shape(random, 3, 64);
            let (nnz, order) = (nnz(random, &shape), random.shuffled(shape.len()));
            Laid::new(shape, Layout::Csf { nnz, order })
        }
        11 => paged(random),
        _ => {
            let rule = random.within(1, 3) as u8;
            let op = if rule == 2 { random.within(1, 2) as u8 } else { 0 };
            let members = random.within(u64::from(rule == 2), 4) as u32;
            let members = if random.once_in(8) { NONE - 1 } else { members };
            Laid::new(sparse_shape(random, 0, 64), Layout::Head { rule, op, members })
        }
    }
}

/// Opaque; it may also be a scalar.
pub fn private(random: &mut Random) -> Laid {
    let len = random.below(40) as usize;
    let data = random.bytes(len);
    let layout = Layout::Private { tag: random.within(0xF0, 0xFE) as u8, id: random.word(), data };
    Laid::new(sparse_shape(random, 0, 64), layout)
}

/// Like [`shape`]; the element count may pass any range.
fn sparse_shape(random: &mut Random, least: u64, most: u64) -> Vec<u64> {
    let mut shape = shape(random, least, most);
    if random.once_in(6) {
        shape.iter_mut().for_each(|n| *n = 1 << random.within(30, 50));
    }
    shape
}

fn nnz(random: &mut Random, shape: &[u64]) -> u64 {
    let laid = Laid::new(shape.to_vec(), Layout::Plain(1));
    let most = laid.elements().map_or(1000, |count| count.min(1000) as u64);
    if random.once_in(5) { most } else { random.within(0, most) }
}

fn strides(random: &mut Random, shape: &[u64]) -> Vec<i64> {
    let large = shape.iter().any(|&n| n > 64);
    match random.below(3) {
        _ if large => shape.iter().map(|_| random.within(0, 6) as i64 - 3).collect(),
        0 => shape.iter().map(|_| random.within(0, 40) as i64 - 20).collect(),
        // A permutation of the dimensions, some of them backwards.
        _ => {
            let mut strides = vec![0; shape.len()];
            let mut step = 1i64;
            for k in random.shuffled(shape.len()) {
                strides[k as usize] = if random.once_in(3) { -step } else { step };
                step *= shape[k as usize].max(1) as i64;
            }
            strides
        }
    }
}

fn tile(random: &mut Random, shape: &[u64], levels: u64) -> Tile {
    let wide = shape.len() > 8;
    let tile_shape: Vec<u64> =
        shape.iter().map(|&n| if wide { random.within(1, n.max(1)) } else { random.within(1, 4) }).collect();
    let order = |random: &mut Random, shape: &[u64]| match random.below(4) {
        0 => Order::Strides(shape.iter().map(|_| random.within(0, 10) as i64 - 5).collect()),
        1 => Order::Plain(2),
        _ => Order::Plain(1),
    };
    let outer = order(random, shape);
    let inner = order(random, shape);
    let nested = (levels > 1).then(|| Box::new(tile(random, &tile_shape, levels - 1)));
    Tile { shape: tile_shape, outer, inner, nested }
}

fn morton(random: &mut Random) -> Laid {
    let rank = random.within(1, 8);
    let bits: Vec<u32> = (0..rank)
        // The highest bit of the code is (bits - 1) * r + k: below 40 here.
        .map(|k| random.within(1, ((39 - k) / rank + 1).min(6)) as u32)
        .collect();
    let shape = bits.iter().map(|&bits| random.within(0, 1 << bits)).collect();
    Laid::new(shape, Layout::Morton(bits))
}

fn paged(random: &mut Random) -> Laid {
    let shape = vec![random.below(40), dimension(random), dimension(random)];
    let page_size = if random.once_in(2) { 1 << random.below(8) } else { random.within(1, 40) } as u32;
    let layout = Layout::Paged {
        page_size,
        pages: random.below(20),
        seqs: random.below(5) as u32,
        role: random.below(3) as u8,
        layer: if random.once_in(2) { NONE } else { random.below(100) as u32 },
        wide: random.below(2) as u8,
    };
    Laid::new(shape, layout)
}

/// Lowest and highest element offset of strides (layouts.md §5).
fn strided(shape: &[u64], strides: &[i64]) -> (i128, i128) {
    let reach = |(&n, &stride): (&u64, &i64)| i128::from(stride) * (i128::from(n) - 1);
    let reaches: Vec<i128> = shape.iter().zip(strides).map(reach).collect();
    (reaches.iter().map(|&r| r.min(0)).sum(), reaches.iter().map(|&r| r.max(0)).sum())
}

/// The same of tiles (layouts.md §6).
fn tiles(tile: &Tile, shape: &[u64]) -> (i128, i128) {
    let grid: Vec<u64> = shape.iter().zip(&tile.shape).map(|(&n, &t)| n.div_ceil(t)).collect();
    let count = |shape: &[u64]| shape.iter().map(|&n| i128::from(n)).product::<i128>();
    let order = |order: &Order, shape: &[u64]| match order {
        Order::Strides(strides) => strided(shape, strides),
        Order::Plain(_) => (0, count(shape) - 1),
    };
    let outer = order(&tile.outer, &grid);
    let inner = match &tile.nested {
        Some(nested) => tiles(nested, &tile.shape),
        None => order(&tile.inner, &tile.shape),
    };
    let volume = count(&tile.shape);
    (outer.0 * volume + inner.0, outer.1 * volume + inner.1)
}

/// First byte of an element, and the byte behind it, from the byte of element 0 (layouts.md §2).
fn place(offset: i128, bits: u32) -> (i128, i128) {
    match bits {
        6 => (3 * offset.div_euclid(4), 3 * offset.div_euclid(4) + 3),
        1 | 2 | 4 => {
            let byte = (offset * i128::from(bits)).div_euclid(8);
            (byte, byte + 1)
        }
        _ => {
            let width = i128::from(bits / 8);
            (offset * width, offset * width + width)
        }
    }
}

fn slack(random: &mut Random) -> u64 {
    if random.once_in(4) { random.below(100) } else { 0 }
}

/// A byte offset and sizes of the layout's buffers.
pub fn sizes(random: &mut Random, laid: &Laid, bits: u32) -> (u64, Vec<u64>) {
    let Laid { shape, layout } = laid;
    let bytes = |count: u64| packed(u128::from(count), bits) as u64;
    let needed = match layout {
        Layout::Coo { nnz, .. } => vec![bytes(*nnz), nnz * shape.len() as u64 * 8],
        Layout::Compressed { tag, nnz } => {
            vec![bytes(*nnz), nnz * 8, (shape[if *tag == 7 { 0 } else { 1 }] + 1) * 8]
        }
        Layout::Csf { nnz, .. } => csf(random, bytes(*nnz), *nnz, shape.len()),
        Layout::Paged { page_size, pages, seqs, wide, .. } => {
            let width = if *wide == 0 { 4 } else { 8 };
            let page = u64::from(*page_size);
            let table = shape[0].div_ceil(page) * width;
            vec![bytes(pages * page * shape[1] * shape[2]), table, (u64::from(*seqs) + 1) * width]
        }
        Layout::Head { .. } => return (0, Vec::new()),
        Layout::Private { .. } => {
            let size = random.below(1000);
            return (random.within(0, size), vec![size]);
        }
        _ => return dense(random, laid, bits),
    };
    (0, needed.into_iter().map(|size| size + slack(random)).collect())
}

fn dense(random: &mut Random, laid: &Laid, bits: u32) -> (u64, Vec<u64>) {
    let Laid { shape, layout } = laid;
    let slack = slack(random);
    if shape.contains(&0) {
        let offset = random.pick(&[0, 0, 7]);
        return (offset, vec![offset + slack]);
    }
    let span = match layout {
        Layout::Strided(strides) => strided(shape, strides),
        Layout::Tiled(tile) => tiles(tile, shape),
        Layout::Morton(bits) => {
            let rank = bits.len();
            let code = bits.iter().enumerate().flat_map(|(k, &n)| (0..n as usize).map(move |b| b * rank + k));
            (0, code.map(|bit| 1i128 << bit).sum())
        }
        Layout::Hilbert { order } => (0, (1i128 << (*order as usize * shape.len())) - 1),
        _ => (0, shape.iter().map(|&n| i128::from(n)).product::<i128>() - 1),
    };
    let before = -place(span.0, bits).0;
    let offset = before as u64 + random.pick(&[0, 0, 1, 40]);
    (offset, vec![offset + place(span.1, bits).1 as u64 + slack])
}

/// A tree of `rank` levels that narrows towards the root.
fn csf(random: &mut Random, values: u64, nnz: u64, rank: usize) -> Vec<u64> {
    let mut sizes = vec![values, 16];
    let mut above = 0;
    for level in 0..rank {
        let nodes = if level + 1 == rank { nnz } else { random.within(above, nnz) };
        if level > 0 {
            sizes.push((above + 1) * 8);
        }
        sizes.push(nodes * 8);
        above = nodes;
    }
    sizes
}
