//! Conversions: the same elements in another layout, and what element access and slices need of layouts. Works on
//! slices of bytes and knows nothing of C. A source's memory may change while it is read: no value is read twice.

pub mod axis;
pub mod bits;
pub mod dense;
pub mod hilbert;
pub mod job;
pub mod offset;
pub mod target;
