//! A refusal of a stream: the fault, and what its text cannot hold.

use crate::format::Fault;
use smallvec::SmallVec;
use std::fmt;

/// What ended a stream.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Status, rule, field and offset.
    pub fault: Fault,
    /// The rest of the story.
    pub detail: Detail,
}

/// Text of varying length beside a fault.
#[derive(Clone, Debug)]
pub enum Detail {
    /// Nothing more to say.
    None,
    /// The member of the open composites that was arriving, outermost first.
    Member(SmallVec<[u32; 8]>),
    /// What the peer said, and its code.
    Remote(u32, String),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure { fault, detail: Detail::None }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::None => Ok(()),
            Detail::Member(path) => {
                f.write_str(", in member ")?;
                path.iter().enumerate().try_for_each(|(level, index)| {
                    if level > 0 {
                        f.write_str(".")?;
                    }
                    index.fmt(f)
                })
            }
            Detail::Remote(code, text) => write!(f, ", code {code}: {text}"),
        }
    }
}
