//! The optional sections after the buffer table, but for quantization.

use super::Dims;

/// Where this tensor sits inside a larger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Shape of the larger tensor.
    pub parent_shape: Dims,
    /// Index of this tensor's first element in it.
    pub offset: Dims,
}

/// Statistics, all fields as on the wire: those whose mask bit is clear are kept, not read.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Which groups are valid.
    pub computed_mask: u32,
    /// Bit 0.
    pub nnz: u64,
    /// Bit 1.
    pub sparsity_ratio: f64,
    /// Bit 2: minimum, maximum, largest magnitude.
    pub range: [f64; 3],
    /// Bit 3: mean, population standard deviation.
    pub moments: [f64; 2],
    /// Bit 4: N and M of N:M sparsity.
    pub nm: [u8; 2],
    /// Bit 5: any NaN, any infinity.
    pub has: [u8; 2],
}

/// A private element type's width and number format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionType {
    /// Bits per element.
    pub bit_width: u32,
    /// Elements per byte.
    pub packing_factor: u8,
    /// 0 or 1.
    pub is_float: u8,
    /// 0 or 1.
    pub is_signed: u8,
    /// 0 or 1.
    pub sign_bits: u8,
    /// Exponent bits.
    pub exponent_bits: u8,
    /// Mantissa bits.
    pub mantissa_bits: u8,
    /// Exponent bias.
    pub exponent_bias: u32,
    /// 0 or 1.
    pub has_nan: u8,
    /// 0 or 1.
    pub has_inf: u8,
}

/// A member's part in an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// 0 correction, 1 base.
    pub role: u8,
}
