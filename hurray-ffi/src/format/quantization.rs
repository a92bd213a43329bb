//! Quantization: how stored codes stand for real numbers.

/// A quantization section.
#[derive(Clone, Debug)]
pub struct Quantization {
    /// Scheme and its fields.
    pub scheme: Scheme,
    /// Scheme version; 1, unless read permissively.
    pub version: u8,
    /// Bit 0: symmetric.
    pub flags: u16,
    /// Bytes after the scheme's own fields, ignored and kept.
    pub padding: Vec<u8>,
}

/// A scheme's fields, as on the wire. `u32::MAX` as a zero-point buffer means none.
#[derive(Clone, Debug)]
pub enum Scheme {
    /// `01`
    PerTensor {
        /// Finite, not zero.
        scale: f32,
        /// Inside the storage type's range.
        zero_point: i32,
    },
    /// `02`
    PerChannel {
        /// Axis of the channels.
        axis: u32,
        /// Buffer of scales.
        scale_buffer: u32,
        /// Buffer of zero points.
        zero_point_buffer: u32,
        /// Element type of the scales.
        scale_type: u8,
    },
    /// `03`
    PerBlock {
        /// Blocked axis.
        axis: u32,
        /// Elements per block.
        block_size: u32,
        /// Buffer of scales.
        scale_buffer: u32,
        /// Buffer of zero points.
        zero_point_buffer: u32,
        /// Element type of the scales.
        scale_type: u8,
    },
    /// `04`
    Nf4 {
        /// Blocked axis.
        axis: u32,
        /// Elements per block.
        block_size: u32,
        /// Buffer of scales.
        scale_buffer: u32,
    },
    /// `05`
    Mxfp {
        /// Blocked axis.
        axis: u32,
        /// Elements per block.
        block_size: u32,
        /// Buffer of scales.
        scale_buffer: u32,
    },
    /// Read permissively and not understood: all bytes after the first four.
    Unknown {
        /// Wire tag.
        tag: u8,
        /// Opaque bytes.
        data: Vec<u8>,
    },
}

impl Scheme {
    /// The wire tag.
    pub fn tag(&self) -> u8 {
        match self {
            Scheme::PerTensor { .. } => 0x01,
            Scheme::PerChannel { .. } => 0x02,
            Scheme::PerBlock { .. } => 0x03,
            Scheme::Nf4 { .. } => 0x04,
            Scheme::Mxfp { .. } => 0x05,
            Scheme::Unknown { tag, .. } => *tag,
        }
    }
}
