//! The same for exchange through DLPack, whose structs are a share and a tensor in turn.

use crate::call::{OK, OUT_OF_MEMORY, warm_up};
use crate::exhaustion::{each_allocation, strict_models};
use crate::handoff::{end_tensor, released, tensor};
use hurray::abi::*;
use std::ptr::{null, null_mut};

/// Bytes of the head of DLPack's versioned struct: version, context, deleter.
const DELETER_AT: usize = 16;

/// Ends a struct by its own deleter, as a consumer does.
fn end_managed(managed: *mut DLManagedTensorVersioned) {
    if managed.is_null() {
        return;
    }
    type Deleter = unsafe extern "C" fn(*mut DLManagedTensorVersioned);
    // SAFETY: a struct that is owned; its deleter stands at a fixed place and is called once.
    unsafe {
        let deleter = managed.byte_add(DELETER_AT).cast::<Option<Deleter>>().read();
        deleter.expect("a deleter")(managed);
    }
}

/// Exports, or NULL where DLPack cannot carry the tensor.
fn export(whole: *mut HurrayTensor, managed: &mut *mut DLManagedTensorVersioned) -> i32 {
    // SAFETY: a live tensor; the output is the caller's.
    match unsafe { hurray_tensor_to_dlpack(whole, null(), &raw mut *managed) } {
        OUT_OF_MEMORY => OUT_OF_MEMORY,
        _ => OK,
    }
}

#[test]
fn exporting_and_importing() {
    warm_up();
    let mut carried = 0;
    for model in strict_models() {
        let all = model.buffers.len() as u64 + 1;
        each_allocation("to_dlpack", |run| {
            let (whole, mut managed, before) = (tensor(&model), null_mut(), released());
            run(&mut || export(whole, &mut managed));
            end_tensor(whole);
            assert_eq!(released() - before, if managed.is_null() { all } else { 0 });
            end_managed(managed);
            assert_eq!(released() - before, all);
        });
        carried += each_allocation("from_dlpack", |run| {
            let (whole, mut managed, before) = (tensor(&model), null_mut(), released());
            assert_eq!(export(whole, &mut managed), OK);
            end_tensor(whole);
            let (mut out, is_carried) = (null_mut(), !managed.is_null());
            let status = run(&mut || match is_carried {
                // SAFETY: an owned struct; the outputs are this frame's own.
                true => match unsafe { hurray_tensor_from_dlpack(&raw mut managed, null(), &raw mut out) } {
                    OUT_OF_MEMORY => OUT_OF_MEMORY,
                    _ => OK,
                },
                false => OK,
            });
            assert_eq!(out.is_null(), !managed.is_null() || !is_carried, "taken exactly when it succeeds");
            assert!(status == OK || out.is_null());
            end_tensor(out);
            end_managed(managed);
            assert_eq!(released() - before, all);
        });
    }
    assert!(carried > 20, "{carried} allocations");
}
