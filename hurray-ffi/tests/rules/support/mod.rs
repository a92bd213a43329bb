//! What the rule tests share: bytes composed by hand, calls into the library, and the form of a rule's test.

pub mod bytes;
pub mod call;
pub mod check;
pub mod data;
pub mod item;
pub mod samples;
pub mod status;
