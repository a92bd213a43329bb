//! Numbers of every real element type as float32 or float64, and back.

pub mod float;
pub mod half;
#[cfg(test)]
mod tests;
mod value;
mod whole;

pub use value::{CHUNK, is_narrow, read_f32, read_f64, write_codes, write_f32, write_f64};
pub use whole::Rounding;
