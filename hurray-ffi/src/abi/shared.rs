//! A counted pointer whose allocation can fail. The standard one aborts instead.

use super::guard::out_of_memory;
use crate::format::Fault;
use std::alloc::{Layout, alloc, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

struct Counted<T> {
    count: AtomicUsize,
    value: T,
}

/// One counted reference to a `T`.
pub(crate) struct Shared<T> {
    pointer: NonNull<Counted<T>>,
}

// SAFETY: the count is atomic and the value is reached through shared references only; the last reference drops it.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Moves `value` to the heap, or gives it back.
    pub(crate) fn try_new(value: T) -> Result<Shared<T>, (T, Fault)> {
        let layout = Layout::new::<Counted<T>>();
        // SAFETY: the layout has the count's size at least.
        let Some(pointer) = NonNull::new(unsafe { alloc(layout) }.cast::<Counted<T>>()) else {
            return Err((value, out_of_memory(layout.size() as u64)));
        };
        // SAFETY: freshly allocated for this type.
        unsafe { pointer.write(Counted { count: AtomicUsize::new(1), value }) };
        Ok(Shared { pointer })
    }

    /// Moves `value` to the heap and changes it there, before anyone else can see it.
    pub(crate) fn try_build<E: From<Fault>>(
        value: T,
        change: impl FnOnce(&mut T) -> Result<(), E>,
    ) -> Result<Shared<T>, E> {
        let this = Shared::try_new(value).map_err(|(_, fault)| fault)?;
        // SAFETY: the only reference there is.
        change(unsafe { &mut *Shared::as_ptr(&this) })?;
        Ok(this)
    }

    /// The value's address, the same for every reference to it.
    pub(crate) fn as_ptr(this: &Shared<T>) -> *mut T {
        // SAFETY: the pointer is live while a reference is.
        unsafe { &raw mut (*this.pointer.as_ptr()).value }
    }

    /// Another reference, from the address of the value.
    ///
    /// # Safety
    /// `value` came from [`Shared::as_ptr`] and a reference is live.
    pub(crate) unsafe fn again(value: *const T) -> Shared<T> {
        // SAFETY: as this function's own.
        let this = unsafe { Shared::take_back(value) };
        // SAFETY: live by contract.
        unsafe { this.pointer.as_ref() }.count.fetch_add(1, Ordering::Relaxed);
        this
    }

    /// The one reference that `as_ptr` of a forgotten `Shared` stands for.
    ///
    /// # Safety
    /// `value` came from [`Shared::as_ptr`], and its reference was forgotten and not taken back yet.
    pub(crate) unsafe fn take_back(value: *const T) -> Shared<T> {
        // SAFETY: the value sits at a fixed distance inside its live, counted block, which is not at NULL.
        unsafe {
            let block = value.byte_sub(std::mem::offset_of!(Counted<T>, value)).cast::<Counted<T>>();
            Shared { pointer: NonNull::new_unchecked(block.cast_mut()) }
        }
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        // SAFETY: live through self.
        unsafe { Shared::again(Shared::as_ptr(self)) }
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: live through self.
        unsafe { &(*self.pointer.as_ptr()).value }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: live through self until the count says that this was the last.
        let count = unsafe { &self.pointer.as_ref().count };
        // The only reference cannot be joined by another meanwhile: that is made from a live one. A load costs less.
        if count.load(Ordering::Acquire) != 1 {
            if count.fetch_sub(1, Ordering::Release) != 1 {
                return;
            }
            fence(Ordering::Acquire);
        }
        // SAFETY: the last reference; nobody else can reach the block.
        unsafe {
            self.pointer.drop_in_place();
            dealloc(self.pointer.as_ptr().cast(), Layout::new::<Counted<T>>());
        }
    }
}

/// Moves `value` to the heap as a plain box, or gives it back.
pub(crate) fn try_box<T>(value: T) -> Result<Box<T>, (T, Fault)> {
    const { assert!(size_of::<T>() > 0) };
    let layout = Layout::new::<T>();
    // SAFETY: not zero-sized.
    let pointer = unsafe { alloc(layout) }.cast::<T>();
    if pointer.is_null() {
        return Err((value, out_of_memory(layout.size() as u64)));
    }
    // SAFETY: freshly allocated by the global allocator with the type's layout.
    unsafe {
        pointer.write(value);
        Ok(Box::from_raw(pointer))
    }
}
