//! The native module of the npm package `hurray`, on the thin Rust client. The package's TypeScript is its only user.

mod array;
mod buffer;
mod callback;
mod constants;
mod convert;
mod descriptor;
mod dlpack;
mod error;
mod export;
mod file;
mod file_writer;
mod handle;
mod item;
mod kv;
mod library;
mod memory;
mod options;
mod owner;
mod stream;
mod tensor;
mod work;
