//! Aligned memory of the library's own.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// The alignment that every allocator gives unasked.
const PLAIN: usize = 16;

/// An allocation with an aligned address in it.
pub(crate) struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: nobody else has the memory.
unsafe impl Send for Memory {}
// SAFETY: as above; the owner's address is only handed on.
unsafe impl Sync for Memory {}

/// What to ask for. An aligned request cannot reuse the hole that an equal one left in most allocators, so that a
/// sequence of buffers would touch new pages for ever: where it is cheap, more is asked for and aligned here.
fn layout(size: usize, alignment: usize) -> Option<Layout> {
    let padded = size.checked_add(alignment.saturating_sub(PLAIN))?;
    if alignment <= 64 || size / 16 >= alignment {
        Layout::from_size_align(padded, PLAIN).ok()
    } else {
        Layout::from_size_align(size, alignment).ok()
    }
}

impl Memory {
    /// Memory of a size above 0, and the aligned address in it; zeroed if asked for. None without enough memory.
    pub(crate) fn new(size: usize, alignment: usize, zeroed: bool) -> Option<(Memory, *mut u8)> {
        let layout = layout(size, alignment).filter(|layout| layout.size() > 0)?;
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { if zeroed { alloc_zeroed(layout) } else { alloc(layout) } })?;
        let skip = start.as_ptr().addr().wrapping_neg() & (alignment - 1);
        Some((Memory { start, layout }, start.as_ptr().wrapping_add(skip)))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and given back once.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}
