//! The native module of the npm package `hurray`, on the thin Rust client. The package's TypeScript is its only user.

mod buffer;
mod constants;
mod descriptor;
mod error;
mod export;
mod file;
mod file_writer;
mod item;
mod kv;
mod library;
mod memory;
mod stream;
mod tensor;
mod work;
