//! Status numbers as the contract prints them, so that the tests do not ask the library for them.

pub const OK: i32 = 0;
pub const INVALID_MAGIC: i32 = -1;
pub const VERSION_MISMATCH: i32 = -2;
pub const INVALID_LAYOUT: i32 = -3;
pub const INVALID_TYPE: i32 = -4;
pub const BUFFER_TOO_SMALL: i32 = -5;
pub const NULL_POINTER: i32 = -6;
pub const INVALID_SYNC_MODE: i32 = -8;
pub const SYNC_MODE_MISMATCH: i32 = -9;
pub const INDEX_OUT_OF_BOUNDS: i32 = -11;
pub const FIELD_NOT_PRESENT: i32 = -12;
pub const INVALID_DESCRIPTOR: i32 = -14;
pub const TRUNCATED: i32 = -15;
pub const OVERFLOW: i32 = -16;
pub const BUFFER_MISMATCH: i32 = -17;
pub const UNSUPPORTED: i32 = -20;
pub const INVALID_ARGUMENT: i32 = -21;
pub const LIMIT_EXCEEDED: i32 = -22;
pub const TORN: i32 = -24;
pub const CORRUPT: i32 = -23;
