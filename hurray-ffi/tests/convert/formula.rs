//! Where the written format puts an element (layouts.md sections 2 to 8), written down as slowly as it stands there.

/// One level of a tiled layout.
#[derive(Clone, Debug)]
pub struct Level {
    pub tile: Vec<u64>,
    pub outer: Order,
    /// None where the next level is inside.
    pub inner: Option<Order>,
}

/// An order with fixed steps.
#[derive(Clone, Debug)]
pub enum Order {
    Row,
    Column,
    Strides(Vec<i64>),
}

/// A dense layout.
#[derive(Clone, Debug)]
pub enum Dense {
    Plain(Order),
    Tiled(Vec<Level>),
    Morton(Vec<u64>),
    Hilbert(u64),
}

impl Order {
    pub fn offset(&self, index: &[u64], shape: &[u64]) -> i128 {
        let mut e = 0i128;
        match self {
            Order::Row => {
                for k in 0..shape.len() {
                    e = e * i128::from(shape[k]) + i128::from(index[k]);
                }
            }
            Order::Column => {
                for k in (0..shape.len()).rev() {
                    e = e * i128::from(shape[k]) + i128::from(index[k]);
                }
            }
            Order::Strides(strides) => {
                for k in 0..shape.len() {
                    e += i128::from(index[k]) * i128::from(strides[k]);
                }
            }
        }
        e
    }
}

impl Dense {
    /// The element offset of an index.
    pub fn offset(&self, index: &[u64], shape: &[u64]) -> i128 {
        match self {
            Dense::Plain(order) => order.offset(index, shape),
            Dense::Tiled(levels) => tiled(levels, index, shape),
            Dense::Morton(bits) => {
                let (mut e, r) = (0i128, shape.len());
                for d in 0..r {
                    for b in 0..bits[d] as usize {
                        e |= i128::from(index[d] >> b & 1) << (b * r + d);
                    }
                }
                e
            }
            Dense::Hilbert(order) => skilling(*order as u32, index),
        }
    }
}

fn tiled(levels: &[Level], index: &[u64], shape: &[u64]) -> i128 {
    let (level, rest) = levels.split_first().expect("a level");
    let t = &level.tile;
    let volume: u64 = t.iter().product();
    let g: Vec<u64> = shape.iter().zip(t).map(|(n, t)| n.div_ceil(*t)).collect();
    let a: Vec<u64> = index.iter().zip(t).map(|(i, t)| i / t).collect();
    let b: Vec<u64> = index.iter().zip(t).map(|(i, t)| i % t).collect();
    let inner = match &level.inner {
        Some(order) => order.offset(&b, t),
        None => tiled(rest, &b, t),
    };
    level.outer.offset(&a, &g) * i128::from(volume) + inner
}

/// Skilling's own in-place form, which section 8 describes in words.
fn skilling(order: u32, index: &[u64]) -> i128 {
    let mut x = index.to_vec();
    let r = x.len();
    let mut q = 1u64 << (order - 1);
    while q > 1 {
        let lower = q - 1;
        for a in 0..r {
            if x[a] & q != 0 {
                x[0] ^= lower;
            } else {
                let t = (x[0] ^ x[a]) & lower;
                x[0] ^= t;
                x[a] ^= t;
            }
        }
        q >>= 1;
    }
    for a in 1..r {
        x[a] ^= x[a - 1];
    }
    let mut t = 0;
    let mut q = 1u64 << (order - 1);
    while q > 1 {
        if x[r - 1] & q != 0 {
            t ^= q - 1;
        }
        q >>= 1;
    }
    let mut h = 0i128;
    for (d, word) in x.iter().enumerate() {
        for b in 0..order as usize {
            h |= i128::from((word ^ t) >> b & 1) << (b * r + (r - 1 - d));
        }
    }
    h
}

/// Every index of a shape, in row-major order.
pub fn indices(shape: &[u64]) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for &n in shape {
        all = all.iter().flat_map(|head| (0..n).map(move |i| [&head[..], &[i]].concat())).collect();
    }
    all
}

/// The first bit of an element of `bits` bits at an offset (section 2).
pub fn first_bit(byte_offset: u64, e: i128, bits: u32) -> usize {
    let base = i128::from(byte_offset) * 8;
    let bit = match bits {
        6 => base + 24 * e.div_euclid(4) + 6 * e.rem_euclid(4),
        _ => base + e * i128::from(bits),
    };
    usize::try_from(bit).expect("inside the buffer")
}

/// Moves `bits` bits between bit positions.
pub fn move_bits(from: &[u8], from_bit: usize, to: &mut [u8], to_bit: usize, bits: u32) {
    for k in 0..bits as usize {
        let (f, t) = (from_bit + k, to_bit + k);
        let bit = from[f / 8] >> (f % 8) & 1;
        to[t / 8] = to[t / 8] & !(1 << (t % 8)) | bit << (t % 8);
    }
}
