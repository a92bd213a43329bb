//! An owner is dropped once: with the last share, on whatever thread that is, or by the call that refused it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use hurray_client::{
    Array, Buffer, BufferList, Descriptor, DescriptorBuilder, ElementType, Layout, Owner, Placement, Status,
    Tensor,
};

/// Memory that any buffer may begin at.
#[repr(align(64))]
struct Aligned([u8; 64]);

/// An owner, and how often it was dropped.
fn counted() -> (Owner, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let released = count.clone();
    let add = move || {
        released.fetch_add(1, Ordering::Relaxed);
    };
    (Owner::finally(add), count)
}

fn one_byte() -> Result<Descriptor, hurray_client::Error> {
    DescriptorBuilder::new(ElementType::UINT8, &Layout::RowMajor, &[1])?.push_default_buffers()?.finish()
}

#[test]
fn the_last_share_releases_on_its_thread() {
    let (send, receive) = mpsc::channel();
    let mut value = 7u32;
    let array = Array::row_major(ElementType::UINT32, &[], (&raw mut value).cast());
    let owner = Owner::finally(move || send.send(thread::current().id()).unwrap());
    // SAFETY: `value` outlives every share.
    let tensor = unsafe { Tensor::from_array(&array, None, owner) }.unwrap();
    let share = tensor.share().unwrap();
    drop(tensor);
    assert!(receive.try_recv().is_err(), "released while a share lives");
    let other = thread::spawn(move || drop(share));
    let other_id = other.thread().id();
    other.join().unwrap();
    assert_eq!(receive.iter().collect::<Vec<_>>(), [other_id]);
}

#[test]
fn a_part_and_a_buffer_keep_the_owner() {
    let (owner, released) = counted();
    let mut value = 7u8;
    let array = Array::row_major(ElementType::UINT8, &[1], (&raw mut value).cast());
    // SAFETY: `value` outlives every share.
    let tensor = unsafe { Tensor::from_array(&array, None, owner) }.unwrap();
    let buffer = tensor.buffer(0).unwrap().share().unwrap();
    drop(tensor);
    assert_eq!(released.load(Ordering::Relaxed), 0);
    drop(buffer);
    assert_eq!(released.load(Ordering::Relaxed), 1);
}

#[test]
fn a_refused_owner_is_dropped_once() {
    let (owner, released) = counted();
    let mut value = 7u8;
    let array = Array::row_major(ElementType(0), &[1], (&raw mut value).cast());
    // SAFETY: `value` outlives the call, which fails.
    let error = unsafe { Tensor::from_array(&array, None, owner) }.unwrap_err();
    assert_eq!(error.status, Status::INVALID_TYPE);
    assert_eq!(released.load(Ordering::Relaxed), 1);

    let (owner, released) = counted();
    let error =
        Tensor::from_descriptor(&one_byte().unwrap(), BufferList::new(0).unwrap(), owner).unwrap_err();
    assert_eq!(error.status, Status::BUFFER_MISMATCH);
    assert_eq!(released.load(Ordering::Relaxed), 1);

    let (owner, released) = counted();
    let array =
        Array { byte_strides: Some(&[1, 1]), ..Array::row_major(ElementType::UINT8, &[1], array.data) };
    // SAFETY: `value` outlives the call, which fails.
    let error = unsafe { Tensor::from_array(&array, None, owner) }.unwrap_err();
    assert_eq!(error.status, Status::INVALID_ARGUMENT);
    assert_eq!(released.load(Ordering::Relaxed), 1);
}

#[test]
fn a_refused_list_releases_its_buffers() {
    let (owner, released) = counted();
    let mut memory = Aligned([0; 64]);
    let data = (&raw mut memory.0).cast();
    // SAFETY: `memory` outlives the buffer.
    let buffer = unsafe { Buffer::from_ptr(data, 64, 64, Placement::HOST, owner) }.unwrap();
    let list = BufferList::of([buffer]).unwrap();
    let error = Tensor::new(b"HRRX", list, Owner::none()).unwrap_err();
    assert!(matches!(error.status, Status::TRUNCATED | Status::INVALID_MAGIC), "{error:?}");
    assert_eq!(released.load(Ordering::Relaxed), 1);
}

#[test]
fn buffers_go_before_the_owner_of_their_tensor() {
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let note = |name: &'static str| {
        let order = order.clone();
        Owner::finally(move || order.lock().unwrap().push(name))
    };
    let mut memory = Aligned([0; 64]);
    let data = (&raw mut memory.0).cast();
    // SAFETY: `memory` outlives the buffer.
    let buffer = unsafe { Buffer::from_ptr(data, 64, 64, Placement::HOST, note("buffer")) }.unwrap();
    let list = BufferList::of([buffer]).unwrap();
    let tensor = Tensor::from_descriptor(&one_byte().unwrap(), list, note("owner")).unwrap();
    assert!(order.lock().unwrap().is_empty());
    drop(tensor);
    assert_eq!(*order.lock().unwrap(), ["buffer", "owner"]);
}

#[test]
fn a_panic_in_an_owner_goes_no_further() {
    let mut value = 7u8;
    let array = Array::row_major(ElementType::UINT8, &[1], (&raw mut value).cast());
    let owner = Owner::finally(|| panic!("an owner that panics"));
    // SAFETY: `value` outlives the tensor.
    drop(unsafe { Tensor::from_array(&array, None, owner) }.unwrap());
    assert_eq!(hurray_client::abi_version(), hurray_client::sys::HURRAY_C_ABI_VERSION);
}

#[test]
fn an_arc_and_a_box_are_owners_as_they_are() {
    let shared = Arc::new(vec![1.5f64, 2.5]);
    let array = Array {
        flags: hurray_client::BufferFlags::READ_ONLY,
        ..Array::row_major(ElementType::FLOAT64, &[2], shared.as_ptr().cast_mut().cast())
    };
    // SAFETY: the owner keeps the vector, and read-only memory is not written to.
    let tensor = unsafe { Tensor::from_array(&array, None, Owner::keep(shared.clone())) }.unwrap();
    assert_eq!(Arc::strong_count(&shared), 2);
    drop(tensor);
    assert_eq!(Arc::strong_count(&shared), 1);

    let (owner, released) = counted();
    drop(Owner::keep(Box::new(owner)));
    assert_eq!(released.load(Ordering::Relaxed), 1);
}
