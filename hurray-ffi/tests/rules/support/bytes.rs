//! A descriptor put together byte by byte, in the order of the written format (descriptor.md §4.3). It knows no
//! rule: it writes what it is told, so that a test can break any of them.

/// A place in a descriptor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// A byte counted from the start.
    Byte(usize),
    Major,
    Length,
    Flags,
    Type,
    Layout,
    Rank,
    Shape(usize),
    Offset,
    /// A byte of the layout payload.
    Payload(usize),
    Count,
    /// A byte of an entry of the buffer table.
    Buffer(usize, usize),
    QuantLength,
    /// A byte of the quantization payload.
    Quant(usize),
    /// A byte of the shard section, and so on.
    Shard(usize),
    Stats(usize),
    Ext(usize),
    Member(usize),
    /// Where the known fields end.
    End,
    /// Some byte of the input; the format does not say which one a reader names.
    Somewhere,
}

/// A number as its little-endian bytes.
pub trait Wire {
    fn wire(&self) -> Vec<u8>;
}

macro_rules! wire {
    ($($t:ty)*) => { $(impl Wire for $t { fn wire(&self) -> Vec<u8> { self.to_le_bytes().to_vec() } })* };
}
wire!(u8 u16 u32 u64 i32 i64 f32 f64);

impl<T: Wire, const N: usize> Wire for [T; N] {
    fn wire(&self) -> Vec<u8> {
        self.iter().flat_map(Wire::wire).collect()
    }
}

impl<T: Wire> Wire for &[T] {
    fn wire(&self) -> Vec<u8> {
        self.iter().flat_map(Wire::wire).collect()
    }
}

/// Bytes of a hex text; anything that is not a digit is ignored.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    assert!(digits.len().is_multiple_of(2), "odd hex: {text}");
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// Least bytes a section needs before its part, in the order of the wire.
const QUANT: usize = 0;
const SHARD: usize = 1;
const STATS: usize = 2;
const EXT: usize = 3;
const MEMBER: usize = 4;
/// Flag bits in that order: statistics come before the extension type.
const FLAGS: [u32; 5] = [1, 2, 8, 4, 16];

/// A descriptor in parts.
#[derive(Clone, Debug)]
pub struct Bytes {
    minor: u8,
    type_tag: u8,
    layout_tag: u8,
    rank: u32,
    shape: Vec<u8>,
    byte_offset: u64,
    payload: Vec<u8>,
    buffers: Vec<[u8; 16]>,
    sections: [Option<Vec<u8>>; 5],
    tail: Vec<u8>,
    patches: Vec<(At, Vec<u8>)>,
    shorter: usize,
    length: Option<u32>,
    cut: Option<usize>,
    after: Vec<u8>,
}

impl Bytes {
    /// Version 1.0, `byte_offset` 0, one CPU buffer of 64-byte alignment for each size, no sections.
    pub fn new(type_tag: u8, layout_tag: u8, shape: &[u64], buffers: &[u64]) -> Bytes {
        let fresh = Bytes {
            minor: 0,
            type_tag,
            layout_tag,
            rank: shape.len() as u32,
            shape: shape.wire(),
            byte_offset: 0,
            payload: Vec::new(),
            buffers: Vec::new(),
            sections: Default::default(),
            tail: Vec::new(),
            patches: Vec::new(),
            shorter: 0,
            length: None,
            cut: None,
            after: Vec::new(),
        };
        fresh.buffers(buffers)
    }

    pub fn minor(self, minor: u8) -> Bytes {
        Bytes { minor, ..self }
    }

    pub fn type_tag(self, type_tag: u8) -> Bytes {
        Bytes { type_tag, ..self }
    }

    pub fn layout_tag(self, layout_tag: u8) -> Bytes {
        Bytes { layout_tag, ..self }
    }

    pub fn shape(self, shape: &[u64]) -> Bytes {
        Bytes { rank: shape.len() as u32, shape: shape.wire(), ..self }
    }

    pub fn offset(self, byte_offset: u64) -> Bytes {
        Bytes { byte_offset, ..self }
    }

    pub fn payload(self, payload: &[u8]) -> Bytes {
        Bytes { payload: payload.to_vec(), ..self }
    }

    /// Replaces the buffer table: CPU, producer-synced, standard memory, alignment 64.
    pub fn buffers(self, sizes: &[u64]) -> Bytes {
        let empty = Bytes { buffers: Vec::new(), ..self };
        sizes.iter().fold(empty, |b, &size| b.buffer(size, 64, [0, 0, 0]))
    }

    /// Adds an entry; `kind` is device, sync mode, memory class.
    pub fn buffer(mut self, size: u64, alignment: u32, kind: [u8; 3]) -> Bytes {
        let mut entry = [0; 16];
        entry[..8].copy_from_slice(&size.to_le_bytes());
        entry[8..12].copy_from_slice(&alignment.to_le_bytes());
        entry[12..15].copy_from_slice(&kind);
        self.buffers.push(entry);
        self
    }

    /// Sets device, sync mode and memory class of every entry.
    pub fn everywhere(mut self, kind: [u8; 3]) -> Bytes {
        self.buffers.iter_mut().for_each(|entry| entry[12..15].copy_from_slice(&kind));
        self
    }

    /// Declared size of each buffer.
    pub fn sizes(&self) -> Vec<u64> {
        let size =
            |entry: &[u8; 16]| entry[..8].iter().rev().fold(0, |size, &byte| size << 8 | u64::from(byte));
        self.buffers.iter().map(size).collect()
    }

    fn section(mut self, which: usize, bytes: Vec<u8>) -> Bytes {
        self.sections[which] = Some(bytes);
        self
    }

    /// The quantization payload; its length is written before it.
    pub fn quant(self, payload: &[u8]) -> Bytes {
        let mut section = (payload.len() as u32).wire();
        section.extend(payload);
        self.section(QUANT, section)
    }

    pub fn shard(self, parent: &[u64], offset: &[u64]) -> Bytes {
        let section = [parent.wire(), offset.wire()].concat();
        self.section(SHARD, section)
    }

    /// Statistics with every field set: nnz 3, sparsity 0.25, -3 to 2 (3), mean 0.5, deviation 1, 2:4, no NaN, one
    /// infinity.
    pub fn stats(self, mask: u32) -> Bytes {
        let mut section = [mask, 0].wire();
        section.extend(3u64.wire());
        section.extend([0.25, -3.0, 2.0, 3.0, 0.5, 1.0f64].wire());
        section.extend([2, 4, 0, 1, 0, 0, 0, 0]);
        self.section(STATS, section)
    }

    pub fn ext(self, section: &[u8]) -> Bytes {
        self.section(EXT, section.to_vec())
    }

    pub fn member(self, role: u8) -> Bytes {
        let mut section = vec![0; 16];
        section[0] = role;
        self.section(MEMBER, section)
    }

    /// Bytes after the known fields, inside the descriptor.
    pub fn tail(self, tail: &[u8]) -> Bytes {
        Bytes { tail: tail.to_vec(), ..self }
    }

    /// Writes over what stands at a place, when all parts are together.
    pub fn put(mut self, at: At, value: impl Wire) -> Bytes {
        self.patches.push((at, value.wire()));
        self
    }

    /// Leaves the last `count` bytes out; the length field says so.
    pub fn shorter(self, count: usize) -> Bytes {
        Bytes { shorter: count, ..self }
    }

    /// Sets the length field to something else than the length.
    pub fn length(self, length: u32) -> Bytes {
        Bytes { length: Some(length), ..self }
    }

    /// Ends the input after `count` bytes; the length field does not know.
    pub fn cut(self, count: usize) -> Bytes {
        Bytes { cut: Some(count), ..self }
    }

    /// Bytes behind the descriptor, which are not its own.
    pub fn after(self, after: &[u8]) -> Bytes {
        Bytes { after: after.to_vec(), ..self }
    }

    /// Where a place is, `None` for `Somewhere`.
    pub fn find(&self, at: At) -> Option<usize> {
        let shape = 20;
        let offset = shape + self.shape.len();
        let payload = offset + 8;
        let count = payload + self.payload.len();
        let table = count + 1;
        let mut starts = [0; 6];
        starts[0] = table + 16 * self.buffers.len();
        for which in 0..5 {
            starts[which + 1] = starts[which] + self.sections[which].as_ref().map_or(0, Vec::len);
        }
        Some(match at {
            At::Byte(byte) => byte,
            At::Major => 4,
            At::Length => 6,
            At::Flags => 10,
            At::Type => 14,
            At::Layout => 15,
            At::Rank => 16,
            At::Shape(k) => shape + 8 * k,
            At::Offset => offset,
            At::Payload(byte) => payload + byte,
            At::Count => count,
            At::Buffer(index, byte) => table + 16 * index + byte,
            At::QuantLength => starts[QUANT],
            At::Quant(byte) => starts[QUANT] + 4 + byte,
            At::Shard(byte) => starts[SHARD] + byte,
            At::Stats(byte) => starts[STATS] + byte,
            At::Ext(byte) => starts[EXT] + byte,
            At::Member(byte) => starts[MEMBER] + byte,
            At::End => starts[5],
            At::Somewhere => return None,
        })
    }

    /// The descriptor alone: without what comes after it.
    pub fn own(&self) -> Vec<u8> {
        let mut out = hex("48 52 52 59 01");
        out.push(self.minor);
        out.extend([0; 4]);
        let flags = FLAGS.iter().zip(&self.sections).filter(|(_, s)| s.is_some()).map(|(flag, _)| flag);
        out.extend(flags.sum::<u32>().wire());
        out.extend([self.type_tag, self.layout_tag]);
        out.extend(self.rank.wire());
        out.extend(&self.shape);
        out.extend(self.byte_offset.wire());
        out.extend(&self.payload);
        out.push(self.buffers.len() as u8);
        self.buffers.iter().for_each(|entry| out.extend(entry));
        self.sections.iter().flatten().for_each(|section| out.extend(section));
        assert_eq!(Some(out.len()), self.find(At::End));
        out.extend(&self.tail);
        for (at, value) in &self.patches {
            let start = self.find(*at).expect("a place to write to");
            out[start..start + value.len()].copy_from_slice(value);
        }
        out.truncate(out.len() - self.shorter);
        let length = self.length.unwrap_or(out.len() as u32);
        out[6..10].copy_from_slice(&length.to_le_bytes());
        out
    }

    /// The whole input.
    pub fn input(&self) -> Vec<u8> {
        let mut out = self.own();
        out.truncate(self.cut.unwrap_or(out.len()));
        out.extend(&self.after);
        out
    }
}
