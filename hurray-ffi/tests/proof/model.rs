//! A descriptor as the written format speaks of it, its bytes (descriptor.md §4 to §6) and its fields (the tables of
//! the C ABI). Nothing here knows the library.

/// The marker of a dynamic dimension.
pub const DYNAMIC: u64 = u64::MAX;
/// A buffer index or a layer that stands for none.
pub const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Entry {
    pub byte_size: u64,
    pub alignment: u32,
    pub device: u8,
    pub sync: u8,
    pub class: u8,
}

#[derive(Clone, Debug)]
pub struct Tile {
    pub shape: Vec<u64>,
    /// Order of the tiles; with strides it is 3.
    pub outer: Order,
    /// Order inside a tile, if no tiles are nested there.
    pub inner: Order,
    pub nested: Option<Box<Tile>>,
}

#[derive(Clone, Debug)]
pub enum Order {
    /// 1 row-major, 2 column-major.
    Plain(u8),
    Strides(Vec<i64>),
}

impl Order {
    fn tag(&self) -> u8 {
        match self {
            Order::Plain(tag) => *tag,
            Order::Strides(_) => 3,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Layout {
    /// 1 row-major, 2 column-major.
    Plain(u8),
    Strided(Vec<i64>),
    Tiled(Tile),
    Morton(Vec<u32>),
    Coo {
        nnz: u64,
        sorted: u8,
    },
    Compressed {
        tag: u8,
        nnz: u64,
    },
    Csf {
        nnz: u64,
        order: Vec<u32>,
    },
    Paged {
        page_size: u32,
        pages: u64,
        seqs: u32,
        role: u8,
        layer: u32,
        wide: u8,
    },
    Head {
        rule: u8,
        op: u8,
        members: u32,
    },
    Hilbert {
        order: u32,
    },
    Private {
        tag: u8,
        id: u64,
        data: Vec<u8>,
    },
    /// Not understood: everything behind the byte offset.
    Unknown {
        tag: u8,
        data: Vec<u8>,
    },
}

impl Layout {
    pub fn tag(&self) -> u8 {
        match self {
            Layout::Plain(tag) => *tag,
            Layout::Strided(_) => 0x03,
            Layout::Tiled(_) => 0x04,
            Layout::Morton(_) => 0x05,
            Layout::Coo { .. } => 0x06,
            Layout::Compressed { tag, .. } => *tag,
            Layout::Csf { .. } => 0x09,
            Layout::Paged { .. } => 0x0A,
            Layout::Head { .. } => 0x0B,
            Layout::Hilbert { .. } => 0x40,
            Layout::Private { tag, .. } | Layout::Unknown { tag, .. } => *tag,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Scheme {
    PerTensor {
        scale: f32,
        zero_point: i32,
    },
    PerChannel {
        axis: u32,
        scales: u32,
        zero_points: u32,
    },
    PerBlock {
        axis: u32,
        block: u32,
        scales: u32,
        zero_points: u32,
        scale_type: u8,
    },
    /// 4 NF4, 5 MXFP.
    Blocks {
        tag: u8,
        axis: u32,
        block: u32,
        scales: u32,
    },
    Unknown {
        tag: u8,
        version: u8,
        flags: u16,
        data: Vec<u8>,
    },
}

#[derive(Clone, Debug)]
pub struct Extension {
    pub bits: u32,
    pub packing: u8,
    /// is_float, is_signed, sign_bits, exponent_bits, mantissa_bits.
    pub parts: [u8; 5],
    pub bias: u32,
    /// has_nan, has_inf.
    pub has: [u8; 2],
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub mask: u32,
    pub nnz: u64,
    /// sparsity, min, max, abs_max, mean, stddev.
    pub reals: [f64; 6],
    /// nm_n, nm_m, has_nan, has_inf.
    pub small: [u8; 4],
}

#[derive(Clone, Debug)]
pub struct Model {
    pub type_tag: u8,
    pub shape: Vec<u64>,
    pub byte_offset: u64,
    pub layout: Layout,
    pub buffers: Vec<Entry>,
    pub scheme: Option<Scheme>,
    /// Parent shape and offset.
    pub shard: Option<(Vec<u64>, Vec<u64>)>,
    pub statistics: Option<Statistics>,
    pub extension: Option<Extension>,
    pub role: Option<u8>,
    /// Section flags behind a layout that is not understood.
    pub hidden_flags: u32,
    /// Whether only a permissive reader takes it.
    pub permissive: bool,
}

struct Out(Vec<u8>);

impl Out {
    fn byte(&mut self, value: u8) {
        self.0.push(value);
    }
    fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }
    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }
    fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }
    fn u64s(&mut self, values: &[u64]) {
        values.iter().for_each(|&value| self.u64(value));
    }
    fn i64s(&mut self, values: &[i64]) {
        values.iter().for_each(|&value| self.u64(value as u64));
    }
    fn u32s(&mut self, values: &[u32]) {
        values.iter().for_each(|&value| self.u32(value));
    }
    fn zeros(&mut self, count: usize) {
        self.0.extend(vec![0; count]);
    }

    fn tile(&mut self, tile: &Tile) {
        self.u64s(&tile.shape);
        self.byte(tile.outer.tag());
        self.byte(if tile.nested.is_some() { 4 } else { tile.inner.tag() });
        self.zeros(2);
        if let Order::Strides(strides) = &tile.outer {
            self.i64s(strides);
        }
        match (&tile.nested, &tile.inner) {
            (Some(nested), _) => self.tile(nested),
            (None, Order::Strides(strides)) => self.i64s(strides),
            (None, Order::Plain(_)) => {}
        }
    }

    fn layout(&mut self, layout: &Layout, rank: usize) {
        match layout {
            Layout::Plain(_) => {}
            Layout::Strided(strides) => self.i64s(strides),
            Layout::Tiled(tile) => self.tile(tile),
            Layout::Morton(bits) => self.u32s(bits),
            Layout::Coo { nnz, sorted } => {
                self.u64(*nnz);
                self.byte(*sorted);
                self.zeros(7);
            }
            Layout::Compressed { nnz, .. } => self.u64s(&[*nnz, 0]),
            Layout::Csf { nnz, order } => {
                self.u64(*nnz);
                self.u32s(order);
                self.zeros(8);
            }
            Layout::Paged { page_size, pages, seqs, role, layer, wide } => {
                self.u32(*page_size);
                self.u64(*pages);
                self.u32(0);
                self.u32(*seqs);
                self.byte(*role);
                self.u32(*layer);
                self.byte(*wide);
                self.zeros(6);
            }
            Layout::Head { rule, op, members } => {
                self.byte(*rule);
                self.byte(*op);
                self.u16(0);
                self.u32(*members);
            }
            Layout::Hilbert { order } => self.u32s(&[*order, rank as u32]),
            Layout::Private { id, data, .. } => {
                self.u64(*id);
                self.u32(data.len() as u32);
                self.0.extend(data);
            }
            Layout::Unknown { data, .. } => self.0.extend(data),
        }
    }

    fn scheme(&mut self, scheme: &Scheme) {
        let mut payload = Out(Vec::new());
        let symmetric = |zero_points: u32| u16::from(zero_points == NONE);
        let mut head = |tag: u8, version: u8, flags: u16| {
            payload.byte(tag);
            payload.byte(version);
            payload.u16(flags);
        };
        match scheme {
            Scheme::PerTensor { scale, zero_point } => {
                head(1, 1, 0);
                payload.u32s(&[scale.to_bits(), *zero_point as u32, 0]);
            }
            Scheme::PerChannel { axis, scales, zero_points } => {
                head(2, 1, symmetric(*zero_points));
                payload.u32s(&[*axis, *scales, *zero_points, 3]);
            }
            Scheme::PerBlock { axis, block, scales, zero_points, scale_type } => {
                head(3, 1, symmetric(*zero_points));
                payload.u32s(&[*axis, *block, *scales, *zero_points, u32::from(*scale_type)]);
            }
            Scheme::Blocks { tag, axis, block, scales } => {
                head(*tag, 1, 0);
                payload.u32s(&[*axis, *block, *scales]);
            }
            Scheme::Unknown { tag, version, flags, data } => {
                head(*tag, *version, *flags);
                payload.0.extend(data);
            }
        }
        self.u32(payload.0.len() as u32);
        self.0.extend(payload.0);
    }
}

impl Scheme {
    /// The payload alone, without its length.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Out(Vec::new());
        out.scheme(self);
        out.0.split_off(4)
    }
}

impl Model {
    pub fn flags(&self) -> u32 {
        if let Layout::Unknown { .. } = self.layout {
            return self.hidden_flags;
        }
        u32::from(self.scheme.is_some())
            | u32::from(self.shard.is_some()) << 1
            | u32::from(self.extension.is_some()) << 2
            | u32::from(self.statistics.is_some()) << 3
            | u32::from(self.role.is_some()) << 4
    }

    /// The bytes of descriptor.md §4.3.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Out(b"HRRY\x01\x00".to_vec());
        out.u32(0);
        out.u32(self.flags());
        out.byte(self.type_tag);
        out.byte(self.layout.tag());
        out.u32(self.shape.len() as u32);
        out.u64s(&self.shape);
        out.u64(self.byte_offset);
        out.layout(&self.layout, self.shape.len());
        if !matches!(self.layout, Layout::Unknown { .. }) {
            self.rest(&mut out);
        }
        let length = out.0.len() as u32;
        out.0[6..10].copy_from_slice(&length.to_le_bytes());
        out.0
    }

    fn rest(&self, out: &mut Out) {
        out.byte(self.buffers.len() as u8);
        for Entry { byte_size, alignment, device, sync, class } in &self.buffers {
            out.u64(*byte_size);
            out.u32(*alignment);
            out.0.extend([*device, *sync, *class, 0]);
        }
        if let Some(scheme) = &self.scheme {
            out.scheme(scheme);
        }
        if let Some((parent, offset)) = &self.shard {
            out.u64s(parent);
            out.u64s(offset);
        }
        if let Some(Statistics { mask, nnz, reals, small }) = &self.statistics {
            out.u32s(&[*mask, 0]);
            out.u64(*nnz);
            out.u64s(&reals.map(f64::to_bits));
            out.0.extend(small);
            out.zeros(4);
        }
        if let Some(Extension { bits, packing, parts, bias, has }) = &self.extension {
            out.u32(*bits);
            out.byte(*packing);
            out.0.extend(parts);
            out.zeros(2);
            out.u32(*bias);
            out.0.extend(has);
            out.zeros(2);
        }
        if let Some(role) = self.role {
            out.byte(role);
            out.zeros(15);
        }
    }
}
