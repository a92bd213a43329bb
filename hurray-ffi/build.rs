//! Link arguments of the shared library. A plain Rust cdylib has no SONAME.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // The number is HURRAY_C_ABI_VERSION.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libhurray.so.10");
        // Handles point into the image for as long as they live.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        // This image's own functions, whatever copy was loaded first with RTLD_GLOBAL.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
    }
}
