//! Each allocation of each call fails once: the status says so, nothing is lost, nothing is released early, and what was
//! passed in is still the caller's.

use crate::call::{Builder, Descriptor, OK, OUT_OF_MEMORY, decode, from_fields, warm_up};
use crate::handoff::{buffer, end_tensor, list, list_len, release_owner, released, tensor};
use crate::memory::{counted, failing};
use crate::model::{Entry, Model};
use crate::properties::built;
use crate::random::Random;
use crate::samples::models;
use hurray::abi::*;
use std::ptr::null_mut;

/// Runs `round` with its allocation 0 failing, then 1, and so on until it succeeds. `round` gets the way to make the call
/// under test and gives its status; it prepares before and ends after.
pub fn each_allocation(name: &str, round: impl Fn(&dyn Fn(&mut dyn FnMut() -> i32) -> i32)) -> u64 {
    let mut number = 0;
    loop {
        let reached = std::cell::Cell::new(false);
        let ((), taken) = counted(|| {
            round(&|call| {
                let before = released();
                let (status, failed) = failing(number, call);
                reached.set(failed);
                assert_eq!(status, if failed { OUT_OF_MEMORY } else { OK }, "{name}, allocation {number}");
                assert_eq!(released(), before, "{name}, allocation {number}: nothing is released early");
                status
            });
        });
        assert_eq!(taken.kept, 0, "{name}, allocation {number}: nothing is lost");
        if !reached.get() {
            return number;
        }
        number += 1;
    }
}

/// Some models, and one of high rank: its arrays do not fit where small ones do.
fn all_models() -> Vec<Model> {
    let mut random = Random::new(23);
    let wide = |model: &Model| model.shape.len() > 20;
    let strict = std::iter::repeat_with(|| crate::generate::strict(&mut random)).filter(wide);
    models().into_iter().chain(strict.take(60)).collect()
}

/// Those that a strict reader takes.
pub fn strict_models() -> Vec<Model> {
    all_models().into_iter().filter(|model| !model.permissive).collect()
}

const ENTRY: Entry = Entry { byte_size: 64, alignment: 64, device: 0, sync: 0, class: 0 };

#[test]
fn decoding() {
    warm_up();
    let mut most = 0;
    for model in all_models() {
        let bytes = model.bytes();
        let count = each_allocation("decode", |run| {
            let mut made = None;
            run(&mut || match decode(&bytes, model.permissive) {
                Ok(descriptor) => {
                    made = Some(descriptor);
                    OK
                }
                Err(status) => status,
            });
        });
        most = most.max(count);
    }
    assert!(most > 5, "a tree of tiles takes more than {most} allocations");
}

#[test]
fn building() {
    warm_up();
    for model in all_models() {
        // The whole of it: the builder and its fields, in one call of many.
        each_allocation("builder_new", |run| {
            let mut made = None;
            run(&mut || {
                let builder = Builder::new(model.type_tag, model.layout.tag(), &model.shape);
                let status = builder.as_ref().err().copied().unwrap_or(OK);
                made = builder.ok();
                status
            });
        });
        each_allocation("builder_finish", |run| {
            let mut builder = built(&mut Random::new(1), &model);
            let mut made = None;
            run(&mut || match builder.finish() {
                Ok(descriptor) => {
                    made = Some(descriptor);
                    OK
                }
                Err(status) => status,
            });
            // A builder whose finish failed is as it was.
            assert_eq!(builder.finish().expect("once more").encode(), model.bytes());
        });
        let words = decode(&model.bytes(), model.permissive).expect("valid").words();
        each_allocation("from_fields", |run| {
            let mut made = None;
            run(&mut || match from_fields(&words) {
                Ok(descriptor) => {
                    made = Some(descriptor);
                    OK
                }
                Err(status) => status,
            });
        });
    }
}

#[test]
fn setting_fields() {
    warm_up();
    for model in all_models() {
        let fields = crate::fields::fields(&model);
        each_allocation("set, push", |run| {
            let mut builder =
                Builder::new(model.type_tag, model.layout.tag(), &model.shape).expect("a builder");
            let mut ordered = fields.clone();
            ordered.sort_by_key(|(id, ..)| *id != 0x0002_0000);
            run(&mut || {
                let set = ordered.iter().map(|(id, level, value)| builder.set(*id, *level, value));
                let status = set.fold(OK, |all, status| if all == OK { status } else { all });
                let push = model.buffers.iter().map(|entry| builder.push(entry));
                if status == OK {
                    push.fold(OK, |all, status| if all == OK { status } else { all })
                } else {
                    status
                }
            });
        });
    }
}

#[test]
fn default_buffers() {
    warm_up();
    let dynamic = |model: &Model| model.shape.contains(&u64::MAX);
    for model in strict_models().iter().filter(|model| !dynamic(model)) {
        each_allocation("push_default_buffers", |run| {
            let mut builder =
                Builder::new(model.type_tag, model.layout.tag(), &model.shape).expect("a builder");
            let mut ordered = crate::fields::fields(model);
            ordered.sort_by_key(|(id, ..)| *id != 0x0002_0000);
            // The indices of the parameters are left to the call.
            ordered.retain(|(id, ..)| !matches!(id, 0x0002_0201 | 0x0002_0202 | 0x0002_0302 | 0x0002_0303));
            ordered.retain(|(id, ..)| !matches!(id, 0x0002_0402 | 0x0002_0502));
            for (id, level, value) in &ordered {
                assert_eq!(builder.set(*id, *level, value), OK);
            }
            run(&mut || {
                // SAFETY: a live builder.
                match unsafe { hurray_descriptor_builder_push_default_buffers(builder.0) } {
                    // Parameters of NF4 and MXFP on a page pool have no defined size.
                    -14 => OK,
                    status => status,
                }
            });
        });
    }
}

#[test]
fn buffers_and_lists() {
    warm_up();
    each_allocation("buffer_from_ptr", |run| {
        let mut handle = null_mut();
        let before = released();
        let status = run(&mut || buffer(&ENTRY, &mut handle));
        end_buffer(handle);
        assert_eq!(released() - before, u64::from(status == OK));
    });
    each_allocation("buffer_alloc", |run| {
        let mut handle = null_mut();
        // SAFETY: the output is this frame's own.
        run(&mut || unsafe { hurray_buffer_alloc(100, 64, &raw mut handle) });
        end_buffer(handle);
    });
    each_allocation("buffer_share", |run| {
        let (mut handle, mut share) = (null_mut(), null_mut());
        let before = released();
        assert_eq!(buffer(&ENTRY, &mut handle), OK);
        // SAFETY: a live buffer; the output is this frame's own.
        run(&mut || unsafe { hurray_buffer_share(handle, &raw mut share) });
        end_buffer(share);
        assert_eq!(released(), before, "the first handle holds the memory");
        end_buffer(handle);
        assert_eq!(released(), before + 1);
    });
    for capacity in [0, 4, 5, 255, u64::MAX] {
        each_allocation("list_new", |run| {
            let mut made = null_mut();
            // SAFETY: the output is this frame's own.
            run(&mut || unsafe { hurray_buffer_list_new(capacity, &raw mut made) });
            end_list(made);
        });
    }
}

fn end_buffer(mut handle: *mut HurrayBuffer) {
    // SAFETY: owned or NULL, and ended once.
    assert_eq!(unsafe { hurray_buffer_destroy(&raw mut handle) }, OK);
}

fn end_list(mut list: *mut HurrayBufferList) {
    // SAFETY: owned or NULL, and ended once.
    assert_eq!(unsafe { hurray_buffer_list_destroy(&raw mut list) }, OK);
}

#[test]
fn pushing() {
    warm_up();
    // The fifth buffer and the ninth make the list grow.
    for held in 0..10 {
        each_allocation("list_push", |run| {
            let (mut made, before) = (null_mut(), released());
            // SAFETY: the output is this frame's own.
            assert_eq!(unsafe { hurray_buffer_list_new(0, &raw mut made) }, OK);
            let mut handle = null_mut();
            for _ in 0..held {
                assert_eq!(buffer(&ENTRY, &mut handle), OK);
                // SAFETY: both are live.
                assert_eq!(unsafe { hurray_buffer_list_push(made, handle) }, OK);
            }
            assert_eq!(buffer(&ENTRY, &mut handle), OK);
            // SAFETY: both are live.
            let status = run(&mut || unsafe { hurray_buffer_list_push(made, handle) });
            assert_eq!(list_len(made), held + u64::from(status == OK));
            if status != OK {
                end_buffer(handle);
            }
            end_list(made);
            assert_eq!(released() - before, held + 1);
        });
    }
}

/// How a tensor is made of a model and its list.
type Make = fn(&Model, &Descriptor, *mut HurrayBufferList, &mut *mut HurrayTensor) -> i32;

fn from_bytes(
    model: &Model,
    _: &Descriptor,
    list: *mut HurrayBufferList,
    out: &mut *mut HurrayTensor,
) -> i32 {
    let bytes = counted(|| model.bytes()).0;
    let len = bytes.len() as u64;
    // SAFETY: a live list; the output is the caller's.
    unsafe {
        hurray_tensor_new(10, bytes.as_ptr(), len, list, null_mut(), Some(release_owner), &raw mut *out)
    }
}

fn from_descriptor(
    _: &Model,
    d: &Descriptor,
    list: *mut HurrayBufferList,
    out: &mut *mut HurrayTensor,
) -> i32 {
    // SAFETY: live handles; the output is the caller's.
    unsafe { hurray_tensor_from_descriptor(d.0, list, null_mut(), Some(release_owner), &raw mut *out) }
}

#[test]
fn joining() {
    warm_up();
    for model in strict_models() {
        for (name, make) in [("tensor_new", from_bytes as Make), ("tensor_from_descriptor", from_descriptor)]
        {
            each_allocation(name, |run| {
                let descriptor = decode(&model.bytes(), false).expect("valid");
                let (before, count) = (released(), model.buffers.len() as u64);
                let (held, mut out) = (list(&model), null_mut());
                let status = run(&mut || make(&model, &descriptor, held, &mut out));
                if status != OK {
                    assert!(out.is_null());
                    assert_eq!(list_len(held), count, "the list is the caller's");
                    end_list(held);
                    assert_eq!(released() - before, count, "and so is the owner");
                } else {
                    end_tensor(out);
                    assert_eq!(released() - before, count + 1);
                }
            });
        }
    }
}

#[test]
fn sharing_and_parts() {
    warm_up();
    for model in strict_models() {
        each_allocation("tensor_share", |run| {
            let (whole, mut share, before) = (tensor(&model), null_mut(), released());
            // SAFETY: a live tensor; the output is this frame's own.
            run(&mut || unsafe { hurray_tensor_share(whole, &raw mut share) });
            end_tensor(share);
            assert_eq!(released(), before);
            end_tensor(whole);
            assert_eq!(released() - before, model.buffers.len() as u64 + 1);
        });
        for role in 1..=9 {
            for level in [0, 1] {
                each_allocation("tensor_part", |run| {
                    let (whole, mut part, before) = (tensor(&model), null_mut(), released());
                    run(&mut || {
                        // SAFETY: a live tensor; the output is this frame's own.
                        match unsafe { hurray_tensor_part(whole, role, level, &raw mut part) } {
                            OUT_OF_MEMORY => OUT_OF_MEMORY,
                            // Not every tensor has every part.
                            _ => OK,
                        }
                    });
                    end_tensor(part);
                    assert_eq!(released(), before, "the whole holds what the part did");
                    end_tensor(whole);
                    assert_eq!(released() - before, model.buffers.len() as u64 + 1);
                });
            }
        }
    }
}

#[test]
fn arrays() {
    warm_up();
    let memory = vec![7u8; 4096];
    let shape: Vec<u64> = std::iter::repeat_n(1, 30).chain([3, 4]).collect();
    let strides = |last: [i64; 2]| -> Vec<i64> { std::iter::repeat_n(0, 30).chain(last).collect() };
    // A view, strides, backwards, and strides that are not whole elements: those are copied.
    for last in [[16, 4], [64, 8], [-16, 4], [18, 6]] {
        for rank in [2, 32] {
            each_allocation("tensor_from_array", |run| {
                let mut out = null_mut();
                let (shape, strides) = (&shape[32 - rank..], strides(last));
                let data = memory.as_ptr().wrapping_add(1024).cast_mut().cast();
                // SAFETY: every element that the strides reach lies inside the memory.
                run(&mut || unsafe {
                    hurray_tensor_from_array(
                        0x03,
                        shape.as_ptr(),
                        rank,
                        strides[32 - rank..].as_ptr(),
                        data,
                        0,
                        0,
                        0,
                        0,
                        std::ptr::null(),
                        null_mut(),
                        None,
                        &raw mut out,
                    )
                });
                end_tensor(out);
            });
        }
    }
}

#[test]
fn items() {
    warm_up();
    let part = |offset: u64| Model {
        type_tag: 0x03,
        shape: vec![2],
        byte_offset: 0,
        layout: crate::model::Layout::Plain(1),
        buffers: vec![Entry { byte_size: 8, ..ENTRY }],
        scheme: None,
        shard: Some((vec![4], vec![offset])),
        statistics: None,
        extension: None,
        role: None,
        hidden_flags: 0,
        permissive: false,
    };
    let head = Model {
        shape: vec![4],
        layout: crate::model::Layout::Head { rule: 1, op: 0, members: 2 },
        buffers: Vec::new(),
        shard: None,
        ..part(0)
    };
    each_allocation("item_from_tensor, item_share, item_tensor, composite_new", |run| {
        let before = released();
        let tensors = [tensor(&part(0)), tensor(&part(2))];
        let head = decode(&head.bytes(), false).expect("valid");
        let mut items: [*mut HurrayItem; 4] = [null_mut(); 4];
        let mut again = null_mut();
        // SAFETY: live handles, passed where the contract wants them; the outputs are this frame's own.
        run(&mut || unsafe {
            for k in 0..2 {
                match hurray_item_from_tensor(tensors[k], &raw mut items[k]) {
                    OK => {}
                    status => return status,
                }
            }
            let members = [items[0].cast_const(), items[1].cast_const()];
            let [_, _, whole, share] = &mut items;
            let mut all = [hurray_item_composite_new(head.0, members.as_ptr(), 2, &raw mut *whole), OK, OK];
            if all[0] == OK {
                all[1] = hurray_item_share(members[0], &raw mut *share);
            }
            if all[1] == OK {
                all[2] = hurray_item_tensor(members[1], &raw mut again);
            }
            all.into_iter().find(|&status| status != OK).unwrap_or(OK)
        });
        for mut item in items {
            // SAFETY: owned or NULL, and ended once.
            assert_eq!(unsafe { hurray_item_destroy(&raw mut item) }, OK);
        }
        end_tensor(again);
        assert_eq!(released(), before);
        tensors.into_iter().for_each(end_tensor);
        assert_eq!(released() - before, 4, "two buffers and two owners");
    });
}

#[test]
fn options() {
    warm_up();
    each_allocation("options_new", |run| {
        let mut made = null_mut();
        // SAFETY: the output is this frame's own; the handle is ended once.
        run(&mut || unsafe { hurray_options_new(&raw mut made) });
        // SAFETY: owned or NULL.
        assert_eq!(unsafe { hurray_options_destroy(&raw mut made) }, OK);
    });
}

/// What only reads allocates nothing, nor does refusing to.
#[test]
fn reading_allocates_nothing() {
    warm_up();
    for model in strict_models() {
        let descriptor = decode(&model.bytes(), false).expect("valid");
        let (mut words, mut text, mut bytes) = (vec![0u64; 4096], vec![0u8; 4096], vec![0u8; 65536]);
        let (_, taken) = counted(|| {
            let (mut a, mut b, mut c, mut number) = (words.len(), text.len(), bytes.len(), 0);
            // SAFETY: a live handle; each length is the room of its array.
            unsafe {
                assert_eq!(hurray_descriptor_fields(descriptor.0, words.as_mut_ptr(), &raw mut a), OK);
                let to = text.as_mut_ptr().cast();
                assert_eq!(hurray_descriptor_describe(descriptor.0, to, &raw mut b), OK);
                assert_eq!(hurray_descriptor_encode(descriptor.0, bytes.as_mut_ptr(), &raw mut c), OK);
                assert_eq!(hurray_descriptor_field_u64(descriptor.0, 0x0008_0080, 0, &raw mut number), OK);
                assert_eq!(hurray_descriptor_field_u64(descriptor.0, 0x0009_0000, 0, &raw mut number), -21);
            }
            assert_eq!(number, c as u64);
        });
        assert_eq!(taken.calls, 0, "{model:?}");
    }
}
