//! The library travels beside the addon, under its SONAME.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN");
    napi_build::setup();
}
