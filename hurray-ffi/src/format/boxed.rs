//! A box whose allocation can fail. The standard one aborts instead.

use super::Fault;
use std::ops::Deref;

/// One value on the heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxed<T>(Box<[T; 1]>);

impl<T> Boxed<T> {
    /// Moves `value` to the heap.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`; the value is dropped.
    pub fn try_new(value: T) -> Result<Boxed<T>, Fault> {
        let mut one = Vec::new();
        one.try_reserve_exact(1).map_err(|_| Fault::out_of_memory())?;
        one.push(value);
        // Room for exactly one: the array takes the memory over as it is.
        one.try_into().map(Boxed).map_err(|_| Fault::out_of_memory())
    }
}

impl<T> Deref for Boxed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let [value] = &*self.0;
        value
    }
}
