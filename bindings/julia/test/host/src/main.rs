//! A Rust program that embeds Julia, passes a tensor to it, takes one from it, and ends both on the other side.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use hurray_client::{Array, Element, Owner, Tensor, live_handles};
use jlrs::prelude::*;

static RELEASED: AtomicUsize = AtomicUsize::new(0);

/// A vector that counts when it goes.
struct Counted(Vec<f64>);

impl Drop for Counted {
    fn drop(&mut self) {
        RELEASED.fetch_add(1, Ordering::SeqCst);
    }
}

fn released() -> usize {
    RELEASED.load(Ordering::SeqCst)
}

/// A tensor that owns its elements, as a raw handle.
fn tensor_of(elements: &[f64]) -> *mut c_void {
    let mut owner = Counted(elements.to_vec());
    let shape = [elements.len() as u64];
    let array = Array::row_major(f64::TYPE, &shape, owner.0.as_mut_ptr().cast());
    // SAFETY: the elements stay where they are while their vector moves into the owner, and nothing else reaches them.
    let tensor = unsafe { Tensor::from_array(&array, None, Owner::of(owner)) }.expect("a tensor");
    tensor.into_raw().cast()
}

/// Runs a piece of Julia.
fn run(julia: &mut Julia, text: &str) {
    julia
        .scope(|_, frame| Value::eval_string(frame, text)?.into_jlrs_result().map(drop))
        .unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// Lets Julia collect, and its event loop run, until something holds.
fn settle(julia: &mut Julia, mut until: impl FnMut(&mut Julia) -> bool) {
    for _ in 0..50 {
        run(julia, "collect_all()");
        if until(julia) {
            return;
        }
    }
    panic!("what should go does not");
}

/// `held[name] = import_handle(handle)`.
fn hand_over(julia: &mut Julia, name: &str, handle: *mut c_void) {
    julia
        .scope(|global, frame| {
            let import = Module::main(global).submodule("Hurray")?.function("import_handle")?;
            let pointer = Value::new(&mut *frame, handle)?;
            let taken = import.call1(&mut *frame, pointer)?.into_jlrs_result()?;
            let set = Module::main(global).function("hold")?;
            let name = Symbol::new(global, name);
            set.call2(&mut *frame, name.as_value(), taken)?.into_jlrs_result().map(drop)
        })
        .expect("Julia takes the tensor");
}

/// A number that Julia computes.
fn number(julia: &mut Julia, text: &str) -> f64 {
    julia
        .scope(|_, frame| {
            Value::eval_string(frame, &format!("Float64({text})"))?.into_jlrs_result()?.cast::<f64>()
        })
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn main() {
    // SAFETY: the first call of Julia, on the main thread.
    let mut julia = unsafe { Julia::init() }.expect("Julia starts");
    run(
        &mut julia,
        "using Hurray
         const held = Dict{Symbol,Tensor}()
         hold(name, tensor) = (held[name] = tensor; nothing)
         collect_all() = (GC.gc(); yield(); sleep(0.001))",
    );

    // Rust to Julia: the version is read, the elements are where they were, and Julia ends the tensor.
    hand_over(&mut julia, "closed", tensor_of(&[1.0, 2.0, 3.5]));
    assert_eq!(number(&mut julia, "sum(view(held[:closed]))"), 6.5);
    assert_eq!(released(), 0);
    run(&mut julia, "close(held[:closed])");
    settle(&mut julia, |_| released() == 1);

    // The same, but that nobody closes it in Julia.
    hand_over(&mut julia, "dropped", tensor_of(&[4.0]));
    run(&mut julia, "empty!(held)");
    settle(&mut julia, |_| released() == 2);

    // Julia to Rust: the array lives until a thread that Julia does not know has ended the tensor.
    run(&mut julia, "give() = (t = Tensor([10.0, 20.0]); h = export_handle(t); close(t); h)");
    let handle = julia
        .scope(|global, frame| {
            let give = Module::main(global).function("give")?;
            give.call0(frame)?.into_jlrs_result()?.cast::<*mut c_void>()
        })
        .expect("Julia gives a tensor");
    run(&mut julia, "collect_all()");
    // SAFETY: Julia gave the handle up, and reads nothing of it any more.
    let tensor = unsafe { Tensor::from_raw(handle.cast()) }.expect("a tensor of this version");
    let view = tensor.array_view().expect("a dense tensor");
    // SAFETY: nobody writes to the elements.
    assert_eq!(unsafe { view.as_slice::<f64>() }.expect("doubles"), [10.0, 20.0]);
    assert_eq!(number(&mut julia, "Hurray.live_roots()"), 1.0);
    std::thread::spawn(move || drop(tensor)).join().expect("the thread ended");
    settle(&mut julia, |julia| number(julia, "Hurray.live_roots()") == 0.0);
    assert_eq!(live_handles(), Ok(0));

    // A tensor of Rust's that Julia still holds goes when Julia ends.
    hand_over(&mut julia, "kept", tensor_of(&[5.0]));
    drop(julia);
    assert_eq!((released(), live_handles()), (3, Ok(0)));
    println!("passed");
}
