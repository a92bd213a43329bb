//! A table of names that are kept elsewhere: which one is which, and whether one comes twice.

use super::out_of_memory;
use crate::format::Fault;
use std::hash::{BuildHasher, RandomState};

const EMPTY: u32 = u32::MAX;

/// Positions of names, by name. The keys of the hash are random: no file can make its names collide.
pub struct Names {
    slots: Vec<u32>,
    count: usize,
    keys: RandomState,
}

impl Names {
    /// An empty table.
    pub fn new() -> Names {
        Names { slots: Vec::new(), count: 0, keys: RandomState::new() }
    }

    /// Makes room for `more` names. `name` gives the name at a position.
    pub fn reserve<'a>(&mut self, more: usize, name: impl Fn(u32) -> &'a [u8]) -> Result<(), Fault> {
        let wanted = self.count.saturating_add(more).saturating_mul(2);
        if wanted <= self.slots.len() {
            return Ok(());
        }
        let size = wanted.max(16).checked_next_power_of_two().ok_or_else(|| out_of_memory(usize::MAX))?;
        let mut slots = Vec::new();
        slots.try_reserve_exact(size).map_err(|_| out_of_memory(size.saturating_mul(4)))?;
        slots.resize(size, EMPTY);
        for &position in self.slots.iter().filter(|&&position| position != EMPTY) {
            let hash = self.keys.hash_one(name(position));
            place(&mut slots, hash, position);
        }
        self.slots = slots;
        Ok(())
    }

    /// The position of a name.
    pub fn find<'a>(&self, wanted: &[u8], name: impl Fn(u32) -> &'a [u8]) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = self.keys.hash_one(wanted) as usize & mask;
        loop {
            match *self.slots.get(at)? {
                EMPTY => return None,
                position if name(position) == wanted => return Some(position),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Adds a name for which there is room, unless it is there: then its position comes back.
    pub fn insert<'a>(&mut self, position: u32, name: impl Fn(u32) -> &'a [u8]) -> Option<u32> {
        let wanted = name(position);
        let found = self.find(wanted, &name);
        if found.is_none() {
            let hash = self.keys.hash_one(wanted);
            place(&mut self.slots, hash, position);
            self.count += 1;
        }
        found
    }
}

fn place(slots: &mut [u32], hash: u64, position: u32) {
    let Some(mask) = slots.len().checked_sub(1) else { return };
    let mut at = hash as usize & mask;
    // At most half of the slots are taken.
    while let Some(slot) = slots.get_mut(at) {
        if *slot == EMPTY {
            *slot = position;
            return;
        }
        at = (at + 1) & mask;
    }
}
