//! The life of handles: one owner each, destroyed when it is dropped.

/// Declares an owned handle: the pointer, its way in and out as a raw pointer, and its end.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $destroy:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        #[repr(transparent)]
        pub struct $name(std::ptr::NonNull<crate::sys::$raw>);

        // SAFETY: the header lets handles move between threads; what they release was required to be `Send`.
        unsafe impl Send for $name {}
        // SAFETY: the header lets any threads read one handle at once, and what changes it takes `&mut`.
        unsafe impl Sync for $name {}

        impl $name {
            /// The handle, still owned by `self`.
            pub fn as_raw(&self) -> *mut crate::sys::$raw {
                self.0.as_ptr()
            }

            /// The handle, now the caller's to destroy.
            pub fn into_raw(self) -> *mut crate::sys::$raw {
                let raw = self.0.as_ptr();
                std::mem::forget(self);
                raw
            }

            /// The handle that a successful call wrote.
            pub(crate) fn made(raw: *mut crate::sys::$raw) -> crate::error::Result<Self> {
                match std::ptr::NonNull::new(raw) {
                    Some(raw) => Ok(Self(raw)),
                    None => Err(crate::error::Error::new(crate::error::Status::NULL_POINTER, "the handle is NULL")),
                }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                let mut raw = self.0.as_ptr();
                // SAFETY: the handle is owned, and nothing uses it after this.
                unsafe { crate::sys::$destroy(&mut raw) };
            }
        }
    };
}

/// Declares a borrowed handle, only ever seen behind a reference.
macro_rules! borrowed {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $name(crate::sys::$raw);

        impl $name {
            /// The handle, which stays whose it was.
            pub fn as_raw(&self) -> *mut crate::sys::$raw {
                std::ptr::from_ref(&self.0).cast_mut()
            }

            /// A reference to a handle that someone else owns.
            ///
            /// # Safety
            /// `raw` is a live handle of this type and version, and stays one for `'a`.
            pub unsafe fn from_raw<'a>(raw: *const crate::sys::$raw) -> &'a Self {
                // SAFETY: the type is opaque and has no bytes of its own, so any live pointer will do.
                unsafe { &*raw.cast::<Self>() }
            }
        }
    };
}

pub(crate) use {borrowed, handle};
