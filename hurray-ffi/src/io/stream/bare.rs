//! The bare form: a descriptor, its buffers' bytes, the next descriptor, and so on.

use super::lane::{Context, Lane, Rules, read};
use super::maker::Maker;
use super::reader::{Need, Step};
use crate::format::header::{HEADER_LEN, MAGIC, MAJOR};
use crate::format::{Fault, Place, Status};

pub(super) const RULES: Rules =
    Rules { cut: "S-001", decode: "S-006", sync: "S-008", limit: "S-007", depth: "S-010", torn: "S-009" };

/// Bytes up to the end of a descriptor's own length.
const PREFIX: usize = 10;

/// Where a bare stream stands.
pub(super) struct Bare<M: Maker> {
    pub(super) lane: Lane<M>,
    /// Length of the descriptor now arriving, once it is known.
    length: Option<usize>,
}

/// S-002 and S-003 for as many bytes of a tensor's start as there are.
pub(super) fn check_start(bytes: &[u8]) -> Result<(), Fault> {
    if let Some(at) = bytes.iter().zip(&MAGIC).position(|(found, wanted)| found != wanted) {
        return Err(bad_magic(bytes, at));
    }
    match bytes.get(MAGIC.len()) {
        None | Some(&MAJOR) => Ok(()),
        Some(&major) => {
            // The fifth byte of a file's magic.
            let what = if major == b'F' {
                "a Hurray file where a stream was expected"
            } else {
                "the descriptor's major version is not 1"
            };
            Err(Fault::new(Status::VERSION_MISMATCH, "S-003", what)
                .field("version_major")
                .value(major)
                .limit(MAJOR)
                .at(Place::Byte(4)))
        }
    }
}

#[cold]
pub(super) fn bad_magic(bytes: &[u8], at: usize) -> Fault {
    Fault::new(Status::INVALID_MAGIC, "S-002", "a tensor does not start here")
        .field("byte")
        .value(bytes.get(at).copied().unwrap_or_default())
        .at(Place::Byte(at as u64))
}

impl<M: Maker> Bare<M> {
    pub(super) fn new() -> Bare<M> {
        Bare { lane: Lane::new(), length: None }
    }

    pub(super) fn need(&self) -> Need {
        match &self.lane.tensor {
            Some(arriving) => Need::Data(arriving.left()),
            None => Need::Whole(self.length.unwrap_or(PREFIX)),
        }
    }

    /// The bytes asked for are there.
    pub(super) fn take(&mut self, context: &Context<'_, M>, bytes: &[u8]) -> Result<Step<M>, Fault> {
        let Some(length) = self.length else {
            check_start(bytes)?;
            self.length = Some(declared_length(context, bytes)?);
            return Ok(Step::nothing());
        };
        let descriptor = read(context, &RULES, bytes, context.limits.cross_machine)?;
        self.length = None;
        if self.lane.is_stranded(&descriptor, None) {
            let (item, fault) = Lane::strand(context, &RULES, descriptor)?;
            return Ok(Step { taken: length, item: Some((0, item)), lost: Some(fault) });
        }
        self.lane.admit(context, &RULES, descriptor, None)?;
        Ok(Step { taken: length, item: self.end_if_complete(context)?, lost: None })
    }

    /// Ends the tensor when nothing of it is missing.
    pub(super) fn end_if_complete(
        &mut self,
        context: &Context<'_, M>,
    ) -> Result<Option<(u32, M::Item)>, Fault> {
        if self.lane.tensor.as_ref().is_some_and(|arriving| arriving.left() > 0) {
            return Ok(None);
        }
        Ok(self.lane.end(context)?.map(|item| (0, item)))
    }

    pub(super) fn cut(&self, partial: bool) -> Option<Fault> {
        if partial {
            return Some(Fault::new(Status::TRUNCATED, RULES.cut, "the input ends inside a descriptor"));
        }
        self.lane.cut(&RULES)
    }
}

/// S-004 and S-005.
fn declared_length<M>(context: &Context<'_, M>, prefix: &[u8]) -> Result<usize, Fault> {
    let length = prefix.get(6..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes);
    let fault = |status, rule, what, limit: u64| {
        let fault = Fault::new(status, rule, what).field("descriptor_length").value(length);
        Err(fault.limit(limit).at(Place::Byte(6)))
    };
    if (length as usize) < HEADER_LEN {
        let what = "a descriptor is shorter than its header";
        return fault(Status::INVALID_DESCRIPTOR, "S-004", what, HEADER_LEN as u64);
    }
    let limit = context.limits.descriptor_bytes;
    if u64::from(length) > limit {
        return fault(Status::LIMIT_EXCEEDED, "S-005", "a descriptor is longer than the limit", limit);
    }
    Ok(length as usize)
}
