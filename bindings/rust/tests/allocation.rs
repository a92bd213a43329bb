//! What crosses often allocates nothing on this side: the handle itself is the library's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use hurray_client::{Array, ElementType, Owner, Tensor};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is the system allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as asked of this allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as asked of this allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn an_array_goes_in_and_out_without_an_allocation() {
    let memory = Arc::new([0f32; 12]);
    let data = memory.as_ptr().cast_mut().cast();
    let array =
        Array { byte_strides: Some(&[4, 12]), ..Array::row_major(ElementType::FLOAT32, &[3, 4], data) };
    hurray_client::version().unwrap();
    let before = COUNT.get();
    // SAFETY: the owner keeps the memory.
    let tensor = unsafe { Tensor::from_array(&array, None, Owner::keep(memory)) }.unwrap();
    let share = tensor.share().unwrap();
    let descriptor = share.descriptor().unwrap();
    let (rank, layout) = (descriptor.rank().unwrap(), descriptor.layout_tag().unwrap());
    let view = share.array_view().unwrap();
    let size = share.buffer(0).unwrap().byte_size().unwrap();
    let after = COUNT.get();
    assert_eq!(after - before, 0);
    assert_eq!((rank, layout), (2, hurray_client::sys::HURRAY_LAYOUT_COLUMN_MAJOR));
    assert_eq!(view.shape(), [3, 4]);
    assert!(size >= 48);
}
