//! The native module of the npm package `hurray`, on the thin Rust client. The package's TypeScript is its only user.

mod tensor; // first: its class has further methods in other files, and their macro wants to know it

mod buffer;
mod constants;
mod convert;
mod descriptor;
mod dlpack;
mod error;
mod export;
mod file;
mod file_writer;
mod item;
mod kv;
mod library;
mod memory;
mod stream;
mod work;
