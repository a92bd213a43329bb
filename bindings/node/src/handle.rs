//! Tensors in JavaScript's hands. Each is an external that names a place in a table of its thread, so that a value which is
//! none of ours finds nothing, whatever it points at.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ops::Deref;
use std::ptr;
use std::rc::Rc;

use hurray_client::{Status, Tensor};
use napi::bindgen_prelude::{FromNapiValue, ToNapiValue, TypeName};
use napi::{ValueType, sys};

use crate::error::refuse;

/// A tensor on its way to JavaScript.
pub struct Made {
    pub tensor: Tensor,
    /// Bytes that the conversion wrote which made the tensor.
    pub moved: u64,
}

impl From<Tensor> for Made {
    fn from(tensor: Tensor) -> Self {
        Self { tensor, moved: 0 }
    }
}

impl From<hurray_client::Converted> for Made {
    fn from((tensor, moved): hurray_client::Converted) -> Self {
        Self { tensor, moved }
    }
}

/// The tensors of one thread. A place is an external's until that is collected; closing leaves it empty.
#[derive(Default)]
struct Table {
    places: Vec<Option<Rc<Made>>>,
    unused: Vec<usize>,
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::default();
}

impl Table {
    fn put(&mut self, held: Rc<Made>) -> usize {
        let place = self.unused.pop().unwrap_or(self.places.len());
        match self.places.get_mut(place) {
            Some(empty) => *empty = Some(held),
            None => self.places.push(Some(held)),
        }
        place
    }

    fn take(&mut self, place: usize) -> Option<Rc<Made>> {
        self.places.get_mut(place)?.take()
    }

    fn give_up(&mut self, place: usize) -> Option<Rc<Made>> {
        let held = self.take(place);
        self.unused.push(place);
        held
    }
}

/// Uses the table. Nothing that may run JavaScript, finalizers or a release goes on inside.
fn with<T>(body: impl FnOnce(&mut Table) -> T) -> Option<T> {
    TABLE.try_with(|table| table.try_borrow_mut().ok().map(|mut table| body(&mut table))).ok().flatten()
}

unsafe extern "C" fn collected(_: sys::napi_env, data: *mut c_void, _: *mut c_void) {
    drop(with(|table| table.give_up(data.addr() - 1)));
}

/// The place that a value names.
fn place(env: sys::napi_env, value: sys::napi_value) -> Option<usize> {
    let mut data = ptr::null_mut();
    // SAFETY: a value of this environment; the out-parameter is a local.
    let status = unsafe { sys::napi_get_value_external(env, value, &mut data) };
    if status == sys::Status::napi_ok { data.addr().checked_sub(1) } else { None }
}

impl Made {
    /// An external for the tensor: `spare`, if that is one whose tensor was closed, else a new one.
    pub fn into_value(self, env: sys::napi_env, spare: sys::napi_value) -> napi::Result<sys::napi_value> {
        let held = Rc::new(self);
        let refilled = if spare.is_null() { None } else { place(env, spare) }.and_then(|place| {
            with(|table| match table.places.get_mut(place) {
                Some(empty @ None) => {
                    *empty = Some(held.clone());
                    true
                }
                _ => false,
            })
        });
        if refilled == Some(true) {
            return Ok(spare);
        }
        let Some(place) = with(|table| table.put(held)) else {
            return refuse(Status::INTERNAL, "the thread that holds the tensors is at its end");
        };
        let (data, mut value) = (ptr::without_provenance_mut(place + 1), ptr::null_mut());
        // SAFETY: the data is a number; the out-parameter is a local.
        let made =
            unsafe { sys::napi_create_external(env, data, Some(collected), ptr::null_mut(), &mut value) };
        if made == sys::Status::napi_ok {
            return Ok(value);
        }
        drop(with(|table| table.give_up(place)));
        refuse(Status::INTERNAL, "the runtime makes no external")
    }
}

impl TypeName for Made {
    fn type_name() -> &'static str {
        "NativeTensor"
    }

    fn value_type() -> ValueType {
        ValueType::External
    }
}

impl ToNapiValue for Made {
    unsafe fn to_napi_value(env: sys::napi_env, made: Self) -> napi::Result<sys::napi_value> {
        made.into_value(env, ptr::null_mut())
    }
}

/// A tensor that JavaScript has, held for one call.
pub struct NativeTensor(Rc<Made>);

impl Deref for NativeTensor {
    type Target = Made;

    fn deref(&self) -> &Made {
        &self.0
    }
}

impl NativeTensor {
    /// The tensor of a value.
    pub fn of(env: sys::napi_env, value: sys::napi_value) -> napi::Result<Self> {
        let Some(place) = place(env, value) else {
            return refuse(Status::INVALID_ARGUMENT, "the value is no tensor");
        };
        match with(|table| table.places.get(place).cloned().flatten()).flatten() {
            Some(held) => Ok(Self(held)),
            None => refuse(Status::INVALID_HANDLE, "the tensor is closed"),
        }
    }
}

impl FromNapiValue for NativeTensor {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> napi::Result<Self> {
        Self::of(env, value)
    }
}

/// Ends the handle. Views keep shares of their own. The value may be given again for another tensor to take its place.
pub fn close(env: sys::napi_env, tensor: sys::napi_value) {
    drop(place(env, tensor).and_then(|place| with(|table| table.take(place)).flatten()));
}
