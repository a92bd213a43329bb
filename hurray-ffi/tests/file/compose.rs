//! Files composed by hand.

/// One entry: a descriptor and its buffers.
#[derive(Clone)]
pub struct Part {
    pub name: Vec<u8>,
    pub descriptor: Vec<u8>,
    pub buffers: Vec<Vec<u8>>,
}

/// A file, and where its parts are.
#[derive(Clone)]
pub struct File {
    pub bytes: Vec<u8>,
    /// Descriptor and data offsets of each tensor.
    pub tensors: Vec<(usize, usize)>,
    /// Where each index entry starts.
    pub entries: Vec<usize>,
    pub kv: usize,
    pub index: usize,
    pub trailer: usize,
}

pub const ALIGNMENT: usize = 4096;

pub fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A dense descriptor with the buffers' sizes, alignment 64.
pub fn descriptor(element: u8, layout: u8, shape: &[u64], payload: &[u8], sizes: &[usize]) -> Vec<u8> {
    let mut d = b"HRRY\x01\x00\0\0\0\0\0\0\0\0".to_vec();
    d.extend([element, layout]);
    d.extend((shape.len() as u32).to_le_bytes());
    shape.iter().for_each(|n| d.extend(n.to_le_bytes()));
    d.extend([0; 8]);
    d.extend(payload);
    d.push(sizes.len() as u8);
    for &size in sizes {
        d.extend((size as u64).to_le_bytes());
        d.extend(64u32.to_le_bytes());
        d.extend([0; 4]);
    }
    seal_descriptor(d)
}

/// Writes the descriptor's own length.
pub fn seal_descriptor(mut d: Vec<u8>) -> Vec<u8> {
    let length = (d.len() as u32).to_le_bytes();
    d[6..10].copy_from_slice(&length);
    d
}

/// A head of a group: rule, op, reserved, count.
pub fn head(rule: u8, element: u8, shape: &[u64], members: u32) -> Vec<u8> {
    let mut payload = vec![rule, 0, 0, 0];
    payload.extend(members.to_le_bytes());
    descriptor(element, 0x0B, shape, &payload, &[])
}

/// A member of a partition: a float32 vector with a shard section.
pub fn shard(shape: &[u64], parent: &[u64], offset: &[u64], size: usize) -> Vec<u8> {
    let mut d = descriptor(3, 1, shape, &[], &[size]);
    d[10] = 2;
    parent.iter().chain(offset).for_each(|n| d.extend(n.to_le_bytes()));
    seal_descriptor(d)
}

pub fn tensor(name: &str, descriptor: Vec<u8>, buffers: &[&[u8]]) -> Part {
    Part { name: name.into(), descriptor, buffers: buffers.iter().map(|b| b.to_vec()).collect() }
}

/// The written format's example: float32 `[2, 3]`, values 1 to 6.
pub fn example(name: &str) -> Part {
    let values = f32s(&[1., 2., 3., 4., 5., 6.]);
    tensor(name, descriptor(3, 1, &[2, 3], &[], &[24]), &[&values])
}

/// The entries of a key-value section.
pub fn kv(entries: &[&[u8]]) -> Vec<u8> {
    let mut kv = (entries.len() as u32).to_le_bytes().to_vec();
    entries.iter().for_each(|entry| kv.extend(*entry));
    kv
}

/// A key with its type and payload.
pub fn pair(key: &str, tag: u8, payload: &[u8]) -> Vec<u8> {
    [&(key.len() as u16).to_le_bytes()[..], key.as_bytes(), &[tag], payload].concat()
}

fn pad(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// A file of these tensors, in this order, with the checksum's flag and, if there are keys, theirs.
pub fn file(tensors: &[Part], kv: Option<&[u8]>) -> File {
    let mut b = b"HRRYFILE\x01\x00\0\0".to_vec();
    b.extend((4 | u32::from(kv.is_some())).to_le_bytes());
    b.extend((ALIGNMENT as u32).to_le_bytes());
    b.extend(64u64.to_le_bytes());
    b.extend([255; 8]);
    b.resize(64, 0);
    let mut places = Vec::new();
    let mut lengths = Vec::new();
    for tensor in tensors {
        pad(&mut b, 8);
        let descriptor = b.len();
        b.extend(&tensor.descriptor);
        pad(&mut b, if tensor.buffers.is_empty() { 8 } else { ALIGNMENT });
        let data = b.len();
        for (k, buffer) in tensor.buffers.iter().enumerate() {
            if k > 0 {
                pad(&mut b, ALIGNMENT);
            }
            b.extend(buffer);
        }
        places.push((descriptor, data));
        lengths.push(b.len() - data);
        if tensor.buffers.is_empty() {
            b.truncate(descriptor + tensor.descriptor.len());
        }
    }
    pad(&mut b, 8);
    let kv_at = b.len();
    b.extend(kv.unwrap_or_default());
    pad(&mut b, 8);
    let index = b.len();
    b.extend((tensors.len() as u64).to_le_bytes());
    let mut entries = Vec::new();
    for ((tensor, place), length) in tensors.iter().zip(&places).zip(lengths) {
        entries.push(b.len());
        b.extend((tensor.name.len() as u16).to_le_bytes());
        b.extend(&tensor.name);
        b.extend((place.0 as u64).to_le_bytes());
        b.extend((tensor.descriptor.len() as u32).to_le_bytes());
        b.extend((place.1 as u64).to_le_bytes());
        b.extend((length as u64).to_le_bytes());
        b.extend([0; 4]);
    }
    let trailer = b.len();
    b.extend((index as u64).to_le_bytes());
    b.extend(((trailer - index) as u64).to_le_bytes());
    b.extend(kv.map_or(0, |_| kv_at as u64).to_le_bytes());
    b.extend(kv.map_or(0, |kv| kv.len() as u32).to_le_bytes());
    b.extend([0; 8]);
    b.extend(b"HRRY");
    File { bytes: b, tensors: places, entries, kv: kv_at, index, trailer }.sealed()
}

/// Where a field of an entry is, from the end of its name.
pub mod field {
    pub const DESCRIPTOR_OFFSET: usize = 0;
    pub const DESCRIPTOR_LENGTH: usize = 8;
    pub const DATA_OFFSET: usize = 12;
    pub const DATA_LENGTH: usize = 20;
    pub const FLAGS: usize = 28;
}

impl File {
    /// Overwrites bytes.
    pub fn set(mut self, at: usize, bytes: impl AsRef<[u8]>) -> File {
        let bytes = bytes.as_ref();
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Overwrites a field of an entry, and seals the index anew.
    pub fn set_entry(self, entry: usize, field: usize, bytes: impl AsRef<[u8]>) -> File {
        let start = self.entries[entry];
        let name = usize::from(u16::from_le_bytes([self.bytes[start], self.bytes[start + 1]]));
        self.set(start + 2 + name + field, bytes).sealed()
    }

    /// Overwrites a word of the trailer.
    pub fn set_trailer(self, field: usize, bytes: impl AsRef<[u8]>) -> File {
        let at = self.trailer + field;
        self.set(at, bytes)
    }

    /// Writes the checksum of the index.
    pub fn sealed(self) -> File {
        let word = |at: usize| u64::from_le_bytes(self.bytes[at..at + 8].try_into().unwrap()) as usize;
        let (start, length) = (word(self.trailer), word(self.trailer + 8));
        let crc = crc32c(&self.bytes[start..start + length]).to_le_bytes();
        self.set_trailer(28, crc)
    }

    /// Replaces the last bytes before the trailer: the index from `index` on, its count included.
    pub fn with_index(self, index: &[u8]) -> File {
        let mut bytes = self.bytes[..self.index].to_vec();
        bytes.extend(index);
        let trailer = bytes.len();
        bytes.extend(&self.bytes[self.trailer..]);
        let length = (index.len() as u64).to_le_bytes();
        File { bytes, trailer, ..self }.set_trailer(8, length).sealed()
    }
}

/// CRC-32C, bit by bit.
pub fn crc32c(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82F6_3B78 } else { crc >> 1 };
        }
    }
    !crc
}

#[test]
fn the_checksum_is_the_written_one() {
    assert_eq!(crc32c(b"123456789"), 0xE306_9283);
}
