//! What a head and its members must be together: checked member by member as they arrive, and once more at the end.
//!
//! That the boxes of a partition tile their head is decided without keeping them: each box adds the product, over the
//! dimensions, of `h(end) - h(begin)`, where `h` is a random function of dimension and coordinate into a prime field.
//! A tiling gives the head's own product, whatever `h` is; anything else does so with a chance below 2^-100.

use super::extent::{Volume, volume};
use super::{Descriptor, Dims, Fault, Layout, Shard, Status};
use std::hash::{BuildHasher, RandomState};

/// Deepest nesting of composites; the outermost head is level 1.
pub const MAX_DEPTH: u32 = 8;

const PARTITION: u8 = 1;
const OVERLAY: u8 = 2;

/// The largest prime of the form 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;
const LANES: usize = 2;

/// The rules of one composite, as far as its members have arrived.
pub struct Composite {
    rule: u8,
    element_type: u8,
    shape: Dims,
    declared: u32,
    arrived: u32,
    cover: Cover,
}

fn broken(rule: &'static str, what: &'static str, field: &'static str) -> Fault {
    Fault::new(Status::INVALID_LAYOUT, rule, what).field(field)
}

impl Composite {
    /// Starts at a decoded head.
    pub fn new(head: &Descriptor) -> Result<Composite, Fault> {
        let Layout::Composite { rule, member_count, .. } = head.layout else {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "the descriptor is not a composite's head")
                .field("layout_tag")
                .value(head.layout.tag()));
        };
        Ok(Composite {
            rule,
            element_type: head.element_type,
            shape: super::strides::dims(&head.shape)?,
            declared: member_count,
            arrived: 0,
            cover: Cover::new(),
        })
    }

    /// Members still to come.
    pub fn missing(&self) -> u32 {
        self.declared - self.arrived
    }

    /// Members taken in so far.
    pub fn arrived(&self) -> u32 {
        self.arrived
    }

    /// Takes the next member in: a tensor's descriptor, or a nested head.
    pub fn member(&mut self, member: &Descriptor) -> Result<(), Fault> {
        let index = self.arrived as usize;
        if self.missing() == 0 {
            return Err(self.count_differs(u64::from(self.arrived) + 1));
        }
        self.check(member).map_err(|fault| fault.index(index))?;
        self.arrived += 1;
        Ok(())
    }

    fn check(&mut self, member: &Descriptor) -> Result<(), Fault> {
        let nested = matches!(member.layout, Layout::Composite { .. });
        if self.rule == OVERLAY && nested {
            return Err(broken(
                "L-064",
                "a nested head may not be a member of an overlay",
                "members.layout_tag",
            )
            .value(member.layout.tag()));
        }
        if self.rule == PARTITION || self.rule == OVERLAY {
            let Some(shard) = &member.shard else {
                return Err(broken(
                    "V-160",
                    "a member of a partition or overlay needs a shard section",
                    "members.shard",
                ));
            };
            self.check_parent(shard)?;
            self.check_type(member)?;
        }
        self.check_role(member)?;
        if self.rule == PARTITION
            && let Some(shard) = &member.shard
        {
            self.cover.add(&shard.offset, &member.shape)?;
        }
        Ok(())
    }

    /// That the box lies inside its parent (L-059) is a rule of the member's own descriptor, V-120.
    fn check_parent(&self, shard: &Shard) -> Result<(), Fault> {
        if shard.parent_shape != self.shape {
            return Err(broken(
                "V-161",
                "the member's parent shape is not the head's shape",
                "members.parent_shape",
            ));
        }
        Ok(())
    }

    /// A quantized member stands for real numbers, which any floating-point head can hold.
    fn check_type(&self, member: &Descriptor) -> Result<(), Fault> {
        const FLOATS: [u8; 11] = [0x01, 0x02, 0x03, 0x04, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46];
        let fits = if member.quantization.is_some() {
            FLOATS.contains(&self.element_type)
        } else {
            member.element_type == self.element_type
        };
        if fits {
            return Ok(());
        }
        Err(broken("V-162", "the member's decoded type is not the head's", "members.element_type")
            .value(member.element_type)
            .limit(self.element_type))
    }

    fn check_role(&self, member: &Descriptor) -> Result<(), Fault> {
        let role = member.member.map(|member| member.role);
        match (self.rule == OVERLAY, role) {
            (false, None) => return Ok(()),
            (false, Some(_)) => {
                return Err(broken("V-163", "only members of an overlay carry a role", "members.role"));
            }
            (true, None) => {
                return Err(broken("V-163", "a member of an overlay needs a role", "members.role"));
            }
            (true, Some(_)) => {}
        }
        let is_base = role == Some(1);
        if is_base != (self.arrived == 0) {
            return Err(broken(
                "V-164",
                "the first member of an overlay is its base, and no later one",
                "members.role",
            )
            .value(u8::from(is_base)));
        }
        if is_base
            && (member.shape != self.shape
                || member.shard.as_ref().is_some_and(|s| s.offset.iter().any(|&o| o != 0)))
        {
            return Err(broken("V-165", "the base does not span the head", "members.shape"));
        }
        Ok(())
    }

    /// All members have arrived: the count, then the cover.
    pub fn close(&self) -> Result<(), Fault> {
        if self.missing() != 0 {
            return Err(self.count_differs(u64::from(self.arrived)));
        }
        if self.rule == PARTITION { self.cover.check(&self.shape) } else { Ok(()) }
    }

    /// The input ended before the last member.
    pub fn torn(&self) -> Fault {
        Fault::new(Status::TORN, "V-167", "the input ends between the members of a composite")
            .field("member_count")
            .value(self.arrived)
            .limit(self.declared)
    }

    fn count_differs(&self, found: u64) -> Fault {
        broken("V-167", "not as many members as the head declares", "member_count")
            .value(found)
            .limit(self.declared)
    }
}

/// Running sums over the boxes of a partition.
struct Cover {
    keys: [RandomState; LANES],
    elements: u128,
    sums: [u64; LANES],
}

impl Cover {
    fn new() -> Cover {
        Cover { keys: std::array::from_fn(|_| RandomState::new()), elements: 0, sums: [0; LANES] }
    }

    fn add(&mut self, offset: &[u64], shape: &[u64]) -> Result<(), Fault> {
        let Volume::Exact(elements) = volume(shape) else {
            return Err(too_large());
        };
        // Boxes without elements cover nothing, wherever they lie.
        if elements == 0 {
            return Ok(());
        }
        self.elements = self.elements.checked_add(elements).ok_or_else(too_large)?;
        for (sum, key) in self.sums.iter_mut().zip(&self.keys) {
            *sum = add(*sum, measure(key, offset, shape));
        }
        Ok(())
    }

    fn check(&self, shape: &[u64]) -> Result<(), Fault> {
        let Volume::Exact(elements) = volume(shape) else {
            return Err(too_large());
        };
        let origin = [0; super::MAX_RANK];
        let whole = |key| if elements == 0 { 0 } else { measure(key, &origin, shape) };
        let covers = self.sums.iter().zip(&self.keys).all(|(&sum, key)| sum == whole(key));
        let show = |fault: Fault| match (i128::try_from(self.elements), i128::try_from(elements)) {
            (Ok(found), Ok(wanted)) => fault.field("members.elements").value(found).limit(wanted),
            _ => fault,
        };
        if self.elements < elements {
            return Err(show(broken("V-166", "the members of a partition leave a gap", "")));
        }
        if self.elements > elements || !covers {
            return Err(show(broken("V-166", "members of a partition overlap", "")));
        }
        Ok(())
    }
}

#[cold]
fn too_large() -> Fault {
    Fault::new(Status::OVERFLOW, "L-066", "a volume beyond 128 bits").field("shape")
}

/// The product over the dimensions of `h(end) - h(begin)`.
fn measure(key: &RandomState, offset: &[u64], shape: &[u64]) -> u64 {
    let value = |k: usize, at: u64| key.hash_one((k, at)) % PRIME;
    let sides = offset.iter().zip(shape).enumerate();
    sides.fold(1, |product, (k, (&begin, &n))| {
        let side = add(value(k, begin.wrapping_add(n)), PRIME - value(k, begin));
        (u128::from(product) * u128::from(side) % u128::from(PRIME)) as u64
    })
}

/// Sum of two numbers below the prime, or of one and the prime.
fn add(a: u64, b: u64) -> u64 {
    (a + b) % PRIME
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(head: &[u64], boxes: &[(&[u64], &[u64])]) -> Result<(), &'static str> {
        let mut cover = Cover::new();
        for (offset, shape) in boxes {
            cover.add(offset, shape).map_err(|fault| fault.what)?;
        }
        cover.check(head).map_err(|fault| fault.what)
    }

    #[test]
    fn tilings_cover() {
        // layouts.md section 13, and a pinwheel that no straight cut divides.
        let halves: &[(&[u64], &[u64])] =
            &[(&[0, 0], &[4, 4]), (&[0, 4], &[4, 2]), (&[4, 0], &[2, 4]), (&[4, 4], &[2, 2])];
        assert_eq!(cover(&[6, 6], halves), Ok(()));
        let pinwheel: &[(&[u64], &[u64])] = &[
            (&[0, 0], &[1, 2]),
            (&[0, 2], &[2, 1]),
            (&[2, 1], &[1, 2]),
            (&[1, 0], &[2, 1]),
            (&[1, 1], &[1, 1]),
        ];
        assert_eq!(cover(&[3, 3], pinwheel), Ok(()));
        assert_eq!(cover(&[], &[(&[], &[])]), Ok(()));
        assert_eq!(cover(&[0, 7], &[]), Ok(()));
        assert_eq!(cover(&[4], &[(&[0], &[4]), (&[2], &[0])]), Ok(()));
    }

    #[test]
    fn gaps_and_overlaps_do_not() {
        let gap = "the members of a partition leave a gap";
        let overlap = "members of a partition overlap";
        assert_eq!(cover(&[4], &[(&[0], &[3])]), Err(gap));
        assert_eq!(cover(&[4], &[(&[0], &[3]), (&[2], &[2])]), Err(overlap));
        // As many elements as the head has, but twice in one place and never in another.
        assert_eq!(cover(&[4], &[(&[0], &[2]), (&[1], &[2])]), Err(overlap));
        assert_eq!(cover(&[2, 2], &[(&[0, 0], &[1, 2]), (&[0, 0], &[2, 1])]), Err(overlap));
        assert_eq!(cover(&[2], &[]), Err(gap));
        assert_eq!(cover(&[1 << 33, 1 << 33], &[(&[0, 0], &[1, 1])]), Err(gap));
        let huge = [1 << 33; 4];
        assert_eq!(cover(&huge, &[]), Err("a volume beyond 128 bits"));
    }
}
