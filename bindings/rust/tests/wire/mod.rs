//! Descriptor bytes, put together by hand after the tables of the format.

/// Little-endian bytes of numbers of any widths, one after the other.
#[macro_export]
macro_rules! bytes {
    ($($value:expr),* $(,)?) => {{
        let mut bytes = Vec::<u8>::new();
        $(bytes.extend_from_slice(&$value.to_le_bytes());)*
        bytes
    }};
}

/// The parts of a descriptor, in the order in which they are written.
#[derive(Clone, Default)]
pub struct Wire {
    pub flags: u32,
    pub element_type: u8,
    pub layout: u8,
    pub shape: Vec<u64>,
    pub byte_offset: u64,
    pub payload: Vec<u8>,
    /// Sizes of buffers in ordinary memory of the host, aligned to 64 bytes.
    pub buffers: Vec<u64>,
    pub sections: Vec<u8>,
}

impl Wire {
    pub fn bytes(&self) -> Vec<u8> {
        let mut rest = bytes![self.flags, self.element_type, self.layout, self.shape.len() as u32];
        self.shape.iter().for_each(|extent| rest.extend(extent.to_le_bytes()));
        rest.extend(self.byte_offset.to_le_bytes());
        rest.extend(&self.payload);
        rest.push(self.buffers.len() as u8);
        self.buffers.iter().for_each(|size| rest.extend(bytes![size, 64u32, 0u32]));
        rest.extend(&self.sections);
        let mut all = b"HRRY\x01\x00".to_vec();
        all.extend((rest.len() as u32 + 10).to_le_bytes());
        all.extend(rest);
        all
    }
}
