//! Large memory that outlives its first use: what a dropped result leaves is kept for the next one, so that its pages
//! need not be asked for, cleared and touched anew. Few blocks are kept, and the system may take their pages back as soon
//! as it wants them for something else.

use super::Growing;
use std::io;
use std::sync::{Mutex, TryLockError};

/// Most bytes that are kept.
const MOST: usize = 128 << 20;
/// Most blocks that are kept.
const BLOCKS: usize = 4;
/// A large page: blocks begin at one.
const LARGE_PAGE: usize = 2 << 20;

static SPARE: Mutex<[Option<Growing>; BLOCKS]> = Mutex::new([const { None }; BLOCKS]);

/// Memory of a large result.
pub struct Block {
    /// None once it was given back.
    pages: Option<Growing>,
    is_zero: bool,
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(pages) = self.pages.take() {
            keep(pages);
        }
    }
}

impl Block {
    /// At least `len` bytes of zeros, on pages that nobody has touched.
    pub fn zeroed(len: usize) -> io::Result<Block> {
        let made = Growing::new(len, LARGE_PAGE).or_else(|_| {
            // What is kept may be what is missing.
            drop(take_all());
            Growing::new(len, LARGE_PAGE)
        })?;
        made.prefer_large_pages();
        Ok(Block { pages: Some(made), is_zero: true })
    }

    /// At least `len` bytes for who writes all of them and reads none before: until a page is first written to, the system
    /// may still put zeros in its place. A page that was written to stays.
    pub fn any(len: usize) -> io::Result<Block> {
        let Some(found) = take(len) else { return Block::zeroed(len) };
        Ok(Block { pages: Some(found), is_zero: false })
    }

    /// Whether it was all zero when it was made.
    pub fn is_zero(&self) -> bool {
        self.is_zero
    }

    /// The first byte.
    pub fn data(&self) -> *mut u8 {
        self.pages.as_ref().map_or(std::ptr::null_mut(), Growing::data)
    }

    /// Gives back what lies beyond the first `len` bytes.
    pub fn shorten(&mut self, len: usize) {
        if let Some(pages) = &mut self.pages {
            pages.shorten(len);
        }
    }
}

/// Runs on what is kept, unless another thread does: nobody waits for memory that can be had fresh.
fn with<R>(body: impl FnOnce(&mut [Option<Growing>; BLOCKS]) -> R) -> Option<R> {
    match SPARE.try_lock() {
        Ok(mut kept) => Some(body(&mut kept)),
        Err(TryLockError::Poisoned(kept)) => Some(body(&mut kept.into_inner())),
        Err(TryLockError::WouldBlock) => None,
    }
}

fn bytes(kept: &[Option<Growing>]) -> usize {
    kept.iter().flatten().map(Growing::size).sum()
}

/// The smallest block that is large enough, and not more than twice as large.
fn take(len: usize) -> Option<Growing> {
    with(|kept| {
        let fits = |block: &Growing| block.size() >= len && block.size() / 2 <= len;
        let best = kept
            .iter_mut()
            .filter(|slot| slot.as_ref().is_some_and(fits))
            .min_by_key(|slot| slot.as_ref().map(Growing::size));
        best.and_then(Option::take)
    })?
}

fn take_all() -> Option<[Option<Growing>; BLOCKS]> {
    with(std::mem::take)
}

/// Keeps a block; those that were kept before go where there is no room for all. What is not kept is given back.
fn keep(block: Growing) {
    if block.size() > MOST || !block.release() {
        return;
    }
    // Unmapped after the lock is free again.
    let mut gone = [const { None }; BLOCKS];
    with(|kept| {
        // The oldest first, those that are free last.
        kept.sort_by_key(Option::is_none);
        for old in &mut gone {
            if bytes(kept) + block.size() <= MOST && kept.iter().any(Option::is_none) {
                break;
            }
            *old = kept.iter_mut().find_map(Option::take);
        }
        kept.sort_by_key(Option::is_none);
        if let Some(free) = kept.iter_mut().find(|slot| slot.is_none()) {
            *free = Some(block);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(block: &mut Block) -> &mut [u8] {
        let len = block.pages.as_ref().unwrap().size();
        // SAFETY: the block's own memory, borrowed from it alone.
        unsafe { std::slice::from_raw_parts_mut(block.data(), len) }
    }

    #[test]
    fn what_is_given_back_is_used_again() {
        const LEN: usize = 37 << 20;
        let mut block = Block::zeroed(LEN).unwrap();
        assert!(block.is_zero() && bytes_of(&mut block).iter().all(|&byte| byte == 0));
        bytes_of(&mut block).fill(7);
        drop(block);
        for _ in 0..3 {
            let mut again = Block::any(LEN - 5).unwrap();
            let zero = again.is_zero();
            let bytes = bytes_of(&mut again);
            assert!(bytes.len() >= LEN - 5 && bytes.as_ptr().addr().is_multiple_of(LARGE_PAGE));
            assert!(!zero || bytes.iter().all(|&byte| byte == 0));
            bytes.fill(9);
            assert!(bytes.iter().all(|&byte| byte == 9));
        }
        // Zeros are zeros, whatever is kept.
        assert!(bytes_of(&mut Block::zeroed(LEN).unwrap()).iter().all(|&byte| byte == 0));
    }

    #[test]
    fn little_is_kept() {
        let blocks: Vec<Block> = (1..9).map(|k| Block::zeroed(k * (9 << 20)).unwrap()).collect();
        drop(blocks);
        drop(Block::zeroed(MOST + 1).unwrap());
        assert!(with(|kept| bytes(kept)).unwrap_or(0) <= MOST);
        assert!(Block::any(usize::MAX).is_err());
    }

    #[test]
    fn a_block_made_shorter() {
        let mut block = Block::zeroed(8 << 20).unwrap();
        bytes_of(&mut block).fill(3);
        block.shorten((3 << 20) + 1);
        let bytes = bytes_of(&mut block);
        assert!((3 << 20) < bytes.len() && bytes.len() < 4 << 20 && bytes.iter().all(|&byte| byte == 3));
        block.shorten(9 << 20);
        assert!(bytes_of(&mut block).len() < 4 << 20);
    }
}
