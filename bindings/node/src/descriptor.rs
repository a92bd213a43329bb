//! Descriptors, as the package's `descriptor` module uses them.

use hurray_client::{Descriptor, DescriptorRef};
use napi::bindgen_prelude::{BigUint64Array, Buffer};
use napi_derive::napi;

use crate::error::OrThrow;

/// A descriptor's handle.
#[napi]
pub struct NativeDescriptor {
    pub(crate) descriptor: Descriptor,
}

impl NativeDescriptor {
    /// A descriptor of its own; whatever it came from has been judged.
    pub(crate) fn copy_of(descriptor: &DescriptorRef) -> napi::Result<Self> {
        let bytes = descriptor.encode().or_throw()?;
        let descriptor = Descriptor::decode_permissive(&bytes).or_throw()?;
        Ok(Self { descriptor })
    }
}

#[napi]
impl NativeDescriptor {
    /// Decodes and validates.
    #[napi(factory)]
    pub fn decode(bytes: &[u8], permissive: bool) -> napi::Result<Self> {
        let made = if permissive { Descriptor::decode_permissive(bytes) } else { Descriptor::decode(bytes) };
        made.or_throw().map(|descriptor| Self { descriptor })
    }

    /// Of the words of `fields`, with full validation.
    #[napi(factory)]
    pub fn from_fields(words: &[u64]) -> napi::Result<Self> {
        Descriptor::from_fields(words).or_throw().map(|descriptor| Self { descriptor })
    }

    /// Everything that the descriptor carries.
    #[napi]
    pub fn fields(&self) -> napi::Result<BigUint64Array> {
        Ok(BigUint64Array::new(self.descriptor.fields().or_throw()?.words().to_vec()))
    }

    /// The bytes.
    #[napi]
    pub fn encode(&self) -> napi::Result<Buffer> {
        self.descriptor.encode().or_throw().map(Buffer::from)
    }

    /// The bytes as a table for people.
    #[napi]
    pub fn annotate(&self) -> napi::Result<String> {
        self.descriptor.annotate().or_throw()
    }

    /// One line for people.
    #[napi]
    pub fn describe(&self) -> napi::Result<String> {
        self.descriptor.describe().or_throw()
    }
}
