//! A Rust program that embeds Julia, passes a tensor to it, takes one from it, and ends both on the other side.
//!
//! `test_host.jl` compiles it with `rustc` alone: the functions of `hurray.h` are those that the Rust client declares,
//! the few of `julia.h` are here.

use std::ffi::{CString, c_char, c_double, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

#[path = "../../../rust/src/sys.rs"]
#[allow(non_camel_case_types)]
mod sys;

#[link(name = "julia")]
unsafe extern "C" {
    fn jl_init__threading();
    fn jl_eval_string(text: *const c_char) -> *mut c_void;
    fn jl_exception_occurred() -> *mut c_void;
    fn jl_unbox_float64(value: *mut c_void) -> c_double;
    fn jl_unbox_uint64(value: *mut c_void) -> u64;
    fn jl_atexit_hook(code: c_int);
}

#[link(name = "hurray")]
unsafe extern "C" {}

static RELEASED: AtomicUsize = AtomicUsize::new(0);

/// Ends a vector that was handed over.
unsafe extern "C" fn release(owner: *mut c_void) {
    // SAFETY: the owner is the box that `tensor_of` leaked, and this runs once.
    drop(unsafe { Box::from_raw(owner.cast::<Vec<f64>>()) });
    RELEASED.fetch_add(1, Ordering::SeqCst);
}

/// A tensor that owns its elements.
fn tensor_of(values: Vec<f64>) -> *mut sys::HurrayTensor {
    let shape = [values.len() as u64];
    let owner = Box::into_raw(Box::new(values));
    let mut tensor = null_mut();
    // SAFETY: the vector lives until `release`, and every pointer is of what the header asks for.
    let status = unsafe {
        sys::hurray_tensor_from_array(
            4,
            shape.as_ptr(),
            1,
            std::ptr::null(),
            (*owner).as_mut_ptr().cast(),
            0,
            0,
            0,
            0,
            std::ptr::null(),
            owner.cast(),
            Some(release),
            &mut tensor,
        )
    };
    assert_eq!(status, 0);
    tensor
}

/// What a piece of Julia gives; a Julia error ends the program.
fn julia(text: &str) -> *mut c_void {
    let text = CString::new(text).expect("no NUL");
    // SAFETY: Julia was started on this thread, and the text ends with NUL.
    let value = unsafe { jl_eval_string(text.as_ptr()) };
    // SAFETY: as above.
    assert!(unsafe { jl_exception_occurred() }.is_null(), "Julia failed at {text:?}");
    value
}

/// The elements of a tensor, read through the header.
fn elements(tensor: *const sys::HurrayTensor) -> Vec<f64> {
    let (mut data, mut shape, mut strides, mut rank, mut flags) = (null_mut(), [0_u64; 8], [0_i64; 8], 8, 0);
    // SAFETY: the handle is alive, and the arrays have the room that is said.
    let status = unsafe {
        sys::hurray_tensor_array_view(
            tensor,
            &mut data,
            shape.as_mut_ptr(),
            strides.as_mut_ptr(),
            &mut rank,
            &mut flags,
        )
    };
    assert_eq!((status, rank, strides[0]), (0, 1, 8));
    // SAFETY: the view says where so many elements are, and the handle keeps them.
    unsafe { std::slice::from_raw_parts(data.cast::<f64>(), shape[0] as usize) }.to_vec()
}

fn live_handles() -> u64 {
    let mut count = 0;
    // SAFETY: the pointer is of a number.
    assert_eq!(unsafe { sys::hurray_live_handles(&mut count) }, 0);
    count
}

fn main() {
    // SAFETY: the first call of Julia, on the main thread.
    unsafe { jl_init__threading() };
    julia("using Hurray; settle() = for _ in 1:20; GC.gc(); sleep(0.001); end");

    // Rust to Julia: the version is read, the elements are where they were, and Julia ends the tensor.
    let handle = tensor_of(vec![1.0, 2.0, 3.5]);
    julia(&format!("taken = import_handle(Ptr{{Cvoid}}(UInt({})))", handle as usize));
    // SAFETY: the value is a Float64.
    assert_eq!(unsafe { jl_unbox_float64(julia("sum(view(taken))")) }, 6.5);
    assert_eq!(RELEASED.load(Ordering::SeqCst), 0);
    julia("close(taken); settle()");
    assert_eq!(RELEASED.load(Ordering::SeqCst), 1);

    // The same, but that nobody closes it in Julia.
    let handle = tensor_of(vec![4.0]);
    julia(&format!("import_handle(Ptr{{Cvoid}}(UInt({}))); settle()", handle as usize));
    julia("settle()");
    assert_eq!(RELEASED.load(Ordering::SeqCst), 2);

    // Julia to Rust: the array lives until a thread that Julia does not know has ended the tensor.
    julia(
        "array = [10.0, 20.0]; t = Tensor(array); h = export_handle(t); close(t); array = nothing; settle()",
    );
    // SAFETY: the value is a UInt64.
    let handle = unsafe { jl_unbox_uint64(julia("UInt64(h)")) } as usize;
    let mut version = 0;
    // SAFETY: the handle is alive.
    assert_eq!(unsafe { sys::hurray_tensor_abi_version(handle as *const _, &mut version) }, 0);
    assert_eq!(version, sys::HURRAY_C_ABI_VERSION);
    assert_eq!(elements(handle as *const _), [10.0, 20.0]);
    let roots = || {
        // SAFETY: the value is a UInt64.
        unsafe { jl_unbox_uint64(julia("UInt64(Hurray.live_roots())")) }
    };
    assert_eq!(roots(), 1);
    std::thread::spawn(move || {
        let mut tensor = handle as *mut sys::HurrayTensor;
        // SAFETY: the handle is this thread's alone.
        assert_eq!(unsafe { sys::hurray_tensor_destroy(&mut tensor) }, 0);
    })
    .join()
    .expect("the thread ended");
    julia("settle()");
    assert_eq!((roots(), live_handles()), (0, 0));

    // A tensor of Rust's that Julia still holds goes when Julia ends.
    let handle = tensor_of(vec![5.0]);
    julia(&format!("const held = import_handle(Ptr{{Cvoid}}(UInt({})))", handle as usize));
    // SAFETY: the last call of Julia.
    unsafe { jl_atexit_hook(0) };
    assert_eq!((RELEASED.load(Ordering::SeqCst), live_handles()), (3, 0));
    println!("passed");
}
