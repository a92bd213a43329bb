//! Streams put together byte by byte. Nothing here knows a rule: it writes what it is told.

/// A descriptor of one kind, in the order of descriptor.md section 4.3.
#[derive(Clone)]
pub struct Desc {
    pub type_tag: u8,
    pub layout: u8,
    pub shape: Vec<u64>,
    pub payload: Vec<u8>,
    pub buffers: Vec<Entry>,
    /// Parent shape and offset.
    pub shard: Option<(Vec<u64>, Vec<u64>)>,
    pub role: Option<u8>,
}

/// Size, alignment, and device, sync mode, memory class.
#[derive(Clone, Copy)]
pub struct Entry(pub u64, pub u32, pub [u8; 3]);

/// uint8 row-major.
pub fn bytes_of(shape: &[u64]) -> Desc {
    let size = shape.iter().product();
    Desc {
        type_tag: 0x11,
        layout: 1,
        shape: shape.to_vec(),
        payload: Vec::new(),
        buffers: vec![Entry(size, 64, [0; 3])],
        shard: None,
        role: None,
    }
}

/// A float32 head with a rule (1 partition, 2 overlay, 3 group).
pub fn head(rule: u8, op: u8, members: u32, shape: &[u64]) -> Desc {
    let payload = [&[rule, op, 0, 0][..], &members.to_le_bytes()].concat();
    Desc { type_tag: 0x11, layout: 0x0B, payload, buffers: Vec::new(), ..bytes_of(shape) }
}

/// float64 CSR 4 x 5 without entries: five zero pointers, two empty buffers.
pub fn empty_csr() -> Desc {
    Desc {
        type_tag: 0x04,
        layout: 7,
        payload: vec![0; 16],
        buffers: vec![Entry(0, 1, [0; 3]), Entry(0, 64, [0; 3]), Entry(40, 64, [0; 3])],
        ..bytes_of(&[4, 5])
    }
}

/// float32 CSR 2 x 3 with three entries: three buffers.
pub fn csr() -> Desc {
    let payload = [&3u64.to_le_bytes()[..], &[0; 8]].concat();
    Desc {
        type_tag: 0x03,
        layout: 7,
        payload,
        buffers: vec![Entry(12, 64, [0; 3]), Entry(24, 64, [0; 3]), Entry(24, 128, [0; 3])],
        ..bytes_of(&[2, 3])
    }
}

impl Desc {
    pub fn at(self, parent: &[u64], offset: &[u64]) -> Desc {
        Desc { shard: Some((parent.to_vec(), offset.to_vec())), ..self }
    }

    pub fn role(self, role: u8) -> Desc {
        Desc { role: Some(role), ..self }
    }

    pub fn on(mut self, device: u8, sync: u8, class: u8) -> Desc {
        self.buffers.iter_mut().for_each(|entry| entry.2 = [device, sync, class]);
        self
    }

    /// Sum of the buffers.
    pub fn total(&self) -> u64 {
        self.buffers.iter().map(|entry| entry.0).sum()
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = b"HRRY\x01\x00\0\0\0\0".to_vec();
        let flags = if self.shard.is_some() { 2u32 } else { 0 } | if self.role.is_some() { 16 } else { 0 };
        out.extend(flags.to_le_bytes());
        out.extend([self.type_tag, self.layout]);
        out.extend((self.shape.len() as u32).to_le_bytes());
        self.shape.iter().for_each(|n| out.extend(n.to_le_bytes()));
        out.extend([0; 8]);
        out.extend(&self.payload);
        out.push(self.buffers.len() as u8);
        for Entry(size, alignment, kind) in &self.buffers {
            out.extend(size.to_le_bytes());
            out.extend(alignment.to_le_bytes());
            out.extend(kind);
            out.push(0);
        }
        if let Some((parent, offset)) = &self.shard {
            parent.iter().chain(offset).for_each(|n| out.extend(n.to_le_bytes()));
        }
        if let Some(role) = self.role {
            out.push(role);
            out.extend([0; 15]);
        }
        let length = out.len() as u32;
        out[6..10].copy_from_slice(&length.to_le_bytes());
        out
    }

    /// Bytes for all buffers, one after the other: a running count, with the magic somewhere in it.
    pub fn data(&self) -> Vec<u8> {
        let mut data: Vec<u8> = (0..self.total()).map(|k| (k * 7 + 3) as u8).collect();
        if data.len() >= 8 {
            data[2..6].copy_from_slice(b"HRRY");
        }
        // CSR: three column indices, pointers to rows of one and two entries.
        if self.layout == 7 && self.total() == 60 {
            let words: Vec<u8> = [0u64, 1, 2, 0, 1, 3].iter().flat_map(|w| w.to_le_bytes()).collect();
            data[12..].copy_from_slice(&words);
        } else if self.layout == 7 {
            data.fill(0);
        }
        data
    }

    /// The bare form.
    pub fn bare(&self) -> Vec<u8> {
        [self.bytes(), self.data()].concat()
    }

    /// The framed form: one TENSOR_DATA with everything, none when there is nothing.
    pub fn framed(&self, id: u32) -> Vec<u8> {
        let mut out = self.opening(id);
        if self.total() > 0 {
            out.extend(data(id, 0, &self.data()));
        }
        [out, end(id)].concat()
    }

    /// TENSOR_DESCRIPTOR.
    pub fn opening(&self, id: u32) -> Vec<u8> {
        descriptor(id, &self.bytes(), self.total(), 0, 1)
    }
}

pub fn message(kind: u32, id: u32, payload: &[u8]) -> Vec<u8> {
    let words = [kind, id, payload.len() as u32];
    words.iter().flat_map(|word| word.to_le_bytes()).chain(payload.iter().copied()).collect()
}

pub fn descriptor(id: u32, bytes: &[u8], total: u64, shard: u32, shards: u32) -> Vec<u8> {
    let tail = [total.to_le_bytes().to_vec(), shard.to_le_bytes().to_vec(), shards.to_le_bytes().to_vec()];
    message(4, id, &[bytes, &tail.concat()].concat())
}

pub fn data(id: u32, offset: u64, bytes: &[u8]) -> Vec<u8> {
    message(5, id, &[&offset.to_le_bytes(), bytes].concat())
}

pub fn end(id: u32) -> Vec<u8> {
    message(6, id, &[])
}

pub fn error(id: u32, code: u32, text: &[u8]) -> Vec<u8> {
    message(9, id, &[&code.to_le_bytes(), &(text.len() as u32).to_le_bytes(), text].concat())
}

/// A partition of [8,4] under [8,8], two members.
pub fn partition() -> [Desc; 3] {
    [head(1, 0, 2, &[8, 8]), bytes_of(&[8, 4]).at(&[8, 8], &[0, 0]), bytes_of(&[8, 4]).at(&[8, 8], &[0, 4])]
}

/// Composites in composites: a group of a tensor, a partition, an empty group and a tensor.
pub fn nested() -> Vec<Desc> {
    let mut all = vec![head(3, 0, 4, &[1]), bytes_of(&[5])];
    all.extend(partition());
    all.push(head(3, 0, 0, &[9]));
    all.push(csr());
    all
}

/// Tensors of many kinds, one after the other.
pub fn mixture() -> Vec<Desc> {
    let mut all = vec![bytes_of(&[2, 3]), bytes_of(&[0]), empty_csr(), bytes_of(&[3, 0, 5]), csr()];
    all.extend(nested());
    all.extend([bytes_of(&[]), bytes_of(&[300]), head(3, 0, 0, &[]), bytes_of(&[7])]);
    all
}

pub fn bare(all: &[Desc]) -> Vec<u8> {
    all.iter().flat_map(Desc::bare).collect()
}

pub fn framed(all: &[Desc], id: u32) -> Vec<u8> {
    all.iter().flat_map(|desc| desc.framed(id)).collect()
}
