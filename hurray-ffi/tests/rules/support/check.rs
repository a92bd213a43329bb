//! The form of a rule's test.
//!
//! ```text
//! rules! {
//!     v_000_breaks_why: bytes => STATUS, "V-000", "field", Place;
//!     v_000_keeps: bytes;
//! }
//! ```
//!
//! `bytes` is one input or an array of them. A breaking input must be refused with that status, a text that starts with
//! one of the rules (rules of two files on one matter are one check) and names the field, and the offset of the place;
//! by a strict and a permissive reader alike, or by the one named in brackets. What a strict reader alone refuses, a
//! permissive one must keep. A keeping input must decode in both modes, or in the one named behind it, and encode to
//! the very bytes it came from.

use super::bytes::{At, Bytes};
use super::call::{Descriptor, Refusal, decode, decode_permissive};

/// Which readers a test speaks of.
#[derive(Clone, Copy, PartialEq)]
pub enum Readers {
    Both,
    Strict,
    Permissive,
}

/// One input or several.
pub trait Inputs {
    fn inputs(self) -> Vec<Bytes>;
}

impl Inputs for Bytes {
    fn inputs(self) -> Vec<Bytes> {
        vec![self]
    }
}

impl<const N: usize> Inputs for [Bytes; N] {
    fn inputs(self) -> Vec<Bytes> {
        self.into()
    }
}

impl Inputs for Vec<Bytes> {
    fn inputs(self) -> Vec<Bytes> {
        self
    }
}

/// What a refusal must say.
pub struct Wanted {
    pub status: i32,
    pub rules: &'static str,
    pub field: &'static str,
    pub at: At,
}

impl Wanted {
    /// Holds a refusal against it; `at` is the offset, if the test knows it.
    pub fn check(&self, said: &Refusal, at: Option<usize>, input: &[u8]) {
        assert_eq!(said.status, self.status, "status of {said:?} for {input:02x?}");
        let rule = said.rule();
        assert!(self.rules.split(' ').any(|r| r == rule), "rule of {said:?}, wanted {}", self.rules);
        assert!(said.text.contains(self.field), "field of {said:?}, wanted {}", self.field);
        let offset = said.offset.expect("a decoder names the offset");
        match at {
            Some(at) => assert_eq!(offset, at as u64, "offset of {said:?}"),
            None => assert!(offset <= input.len() as u64, "offset of {said:?}"),
        }
    }
}

type Decode = fn(&[u8]) -> Result<Descriptor, Refusal>;

fn decoders(readers: Readers) -> &'static [Decode] {
    match readers {
        Readers::Both => &[decode, decode_permissive],
        Readers::Strict => &[decode],
        Readers::Permissive => &[decode_permissive],
    }
}

/// Every input is refused as wanted.
pub fn breaks(inputs: impl Inputs, readers: Readers, wanted: &Wanted) {
    for bytes in inputs.inputs() {
        let input = bytes.input();
        for decode in decoders(readers) {
            match decode(&input) {
                Ok(_) => panic!("accepted, wanted {}: {input:02x?}", wanted.rules),
                Err(said) => wanted.check(&said, bytes.find(wanted.at), &input),
            }
        }
        if readers == Readers::Strict {
            keeps_one(&bytes, Readers::Permissive);
        }
    }
}

/// Every input is accepted, and comes back byte for byte.
pub fn keeps(inputs: impl Inputs, readers: Readers) {
    for bytes in inputs.inputs() {
        keeps_one(&bytes, readers);
    }
}

fn keeps_one(bytes: &Bytes, readers: Readers) {
    let (input, own) = (bytes.input(), bytes.own());
    for decode in decoders(readers) {
        let descriptor = decode(&input).unwrap_or_else(|said| panic!("{said:?} for {input:02x?}"));
        assert_eq!(descriptor.encode(), own);
    }
    if readers == Readers::Permissive {
        assert!(decode(&input).is_err(), "a strict reader takes it too: {input:02x?}");
    }
}

/// Tests of rules; see the head of this file.
macro_rules! rules {
    ($($name:ident: $inputs:expr $(, $readers:ident)?
        $(=> $([$only:ident])? $status:ident, $rules:literal, $field:literal, $at:expr)?;)*) => {
        $(#[test]
        fn $name() {
            rules!(@ $inputs, [$($readers)?], [$([$($only)?] $status, $rules, $field, $at)?]);
        })*
    };
    (@ $inputs:expr, [], []) => {
        $crate::support::check::keeps($inputs, $crate::support::check::Readers::Both)
    };
    (@ $inputs:expr, [$readers:ident], []) => {
        $crate::support::check::keeps($inputs, $crate::support::check::Readers::$readers)
    };
    (@ $inputs:expr, [], [[] $($wanted:tt)*]) => {
        rules!(@ $inputs, [], [[Both] $($wanted)*])
    };
    (@ $inputs:expr, [], [[$only:ident] $status:ident, $rules:literal, $field:literal, $at:expr]) => {
        $crate::support::check::breaks(
            $inputs,
            $crate::support::check::Readers::$only,
            &$crate::support::check::Wanted {
                status: $crate::support::status::$status,
                rules: $rules,
                field: $field,
                at: $at,
            },
        )
    };
}
pub(crate) use rules;
