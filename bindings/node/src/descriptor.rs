//! Descriptors, as the package's `descriptor` module uses them.

use hurray_client::{Descriptor, DescriptorBuilder, DescriptorRef, Fields};
use napi::Env;
use napi::bindgen_prelude::{ArrayBuffer, Buffer};
use napi_derive::napi;

use crate::error::OrThrow;

/// Kinds of fields, as the words of `fields` number them.
const U64: u64 = 1;
const I64: u64 = 2;
const F64: u64 = 3;
const U64S: u64 = 4;
const I64S: u64 = 5;
const BYTES: u64 = 6;

/// A descriptor's handle.
#[napi]
pub struct NativeDescriptor {
    pub(crate) descriptor: Descriptor,
}

/// Fields as a copy in JavaScript's memory: an array on the library's would cost it a finalizer.
pub fn words<'env>(env: &'env Env, fields: &Fields) -> napi::Result<ArrayBuffer<'env>> {
    let bytes: Vec<u8> = fields.words().iter().flat_map(|word| word.to_ne_bytes()).collect();
    ArrayBuffer::copy_from(env, bytes)
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

    /// Of the words of `fields` without a buffer table, with the buffers that its other fields imply.
    #[napi(factory)]
    pub fn with_default_buffers(tag: u8, layout: u8, shape: &[u64], words: &[u64]) -> napi::Result<Self> {
        let mut builder = DescriptorBuilder::with_tags(tag, layout, shape).or_throw()?;
        let mut rest = words;
        while let Some((&[head, count], body)) = rest.split_first_chunk::<2>() {
            let (id, level, kind) = (head as u32, (head >> 32) as u16 as u32, head >> 48);
            let size = if kind == BYTES { count.div_ceil(8) } else { count };
            let Some((values, after)) = body.split_at_checked(size as usize) else { break };
            rest = after;
            let first = values.first().copied().unwrap_or_default();
            let signed = || values.iter().map(|word| word.cast_signed()).collect::<Vec<_>>();
            match kind {
                U64 => builder.set_u64(id, level, first),
                I64 => builder.set_i64(id, level, first.cast_signed()),
                F64 => builder.set_f64(id, level, f64::from_bits(first)),
                U64S => builder.set_u64_array(id, level, values),
                I64S => builder.set_i64_array(id, level, &signed()),
                _ => {
                    let bytes = values.iter().flat_map(|word| word.to_le_bytes());
                    builder.set_bytes(id, level, &bytes.take(count as usize).collect::<Vec<_>>())
                }
            }
            .or_throw()?;
        }
        let descriptor = builder.push_default_buffers().and_then(|builder| builder.finish()).or_throw()?;
        Ok(Self { descriptor })
    }

    /// Everything that the descriptor carries, as 64-bit words.
    #[napi]
    pub fn fields<'env>(&self, env: &'env Env) -> napi::Result<ArrayBuffer<'env>> {
        words(env, &self.descriptor.fields().or_throw()?)
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
