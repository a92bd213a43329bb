//! Buffers: attributes, settings, shares, hand-offs.

use hurray_client::{
    Buffer, BufferFlags, BufferList, Device, MemoryClass, Owner, Placement, Status, SyncMode,
};

#[test]
fn allocated_memory_is_zeroed_and_aligned() {
    let buffer = Buffer::alloc(100, 256).unwrap();
    assert_eq!(buffer.byte_size().unwrap(), 100);
    assert_eq!(buffer.alignment().unwrap(), 256);
    assert_eq!(buffer.host_ptr().unwrap().addr() % 256, 0);
    assert_eq!(buffer.placement().unwrap(), Placement::HOST);
    // SAFETY: nobody writes.
    assert_eq!(unsafe { buffer.as_bytes() }.unwrap(), [0; 100]);
}

#[test]
fn settings_are_read_back_and_shared() {
    let mut buffer = Buffer::copy_of(&[1, 2, 3]).unwrap();
    buffer.set_flags(BufferFlags::READ_ONLY | BufferFlags::COPIED_WIDTH).unwrap();
    buffer.set_device_id(2).unwrap();
    buffer.set_lead(1).unwrap();
    let share = buffer.share().unwrap();
    drop(buffer);
    assert_eq!(share.flags().unwrap(), BufferFlags::READ_ONLY | BufferFlags::COPIED_WIDTH);
    assert_eq!((share.device_id().unwrap(), share.lead().unwrap()), (2, 1));
    // SAFETY: nobody writes.
    assert_eq!(unsafe { share.as_bytes() }.unwrap(), [1, 2, 3]);
}

#[test]
fn a_buffer_in_a_list_is_the_lists() {
    let mut list = BufferList::new(1).unwrap();
    assert!(list.is_empty().unwrap());
    list.push(Buffer::copy_of(&[9]).unwrap()).unwrap();
    assert_eq!(list.len().unwrap(), 1);
    // SAFETY: nobody writes.
    assert_eq!(unsafe { list.get(0).unwrap().as_bytes() }.unwrap(), [9]);
    assert_eq!(list.get(1).unwrap_err().status, Status::INDEX_OUT_OF_BOUNDS);
}

#[test]
fn empty_memory_is_never_looked_at() {
    let nowhere = std::ptr::without_provenance_mut(1);
    // SAFETY: there are no bytes.
    let buffer = unsafe { Buffer::from_ptr(nowhere, 0, 64, Placement::HOST, Owner::none()) }.unwrap();
    // SAFETY: there are no bytes.
    assert_eq!(unsafe { buffer.as_bytes() }.unwrap(), []);
    assert_eq!(Buffer::copy_of(&[]).unwrap().byte_size().unwrap(), 0);
}

#[test]
fn the_host_does_not_read_device_memory() {
    let placement =
        Placement { device: Device::CUDA, sync_mode: SyncMode::EVENT, memory_class: MemoryClass::STANDARD };
    let far = std::ptr::without_provenance_mut(4096);
    // SAFETY: nothing follows the pointer.
    let mut buffer = unsafe { Buffer::from_ptr(far, 64, 64, placement, Owner::none()) }.unwrap();
    assert_eq!(buffer.placement().unwrap(), placement);
    assert_eq!(buffer.data_ptr().unwrap(), far);
    assert_eq!(buffer.host_ptr().unwrap_err().status, Status::UNSUPPORTED);
    buffer.set_flags(BufferFlags::HOST_POINTER).unwrap();
    assert_eq!(buffer.host_ptr().unwrap(), far);
}

#[test]
fn hand_offs_are_checked() {
    unsafe extern "C" fn release(_: *mut std::ffi::c_void, _: *mut std::ffi::c_void) {}

    let buffer = Buffer::alloc(1, 64).unwrap();
    buffer.check_producer_synced().unwrap();
    assert_eq!(buffer.check_event(None, Device::CPU, None).unwrap_err().status, Status::SYNC_MODE_MISMATCH);

    let placement =
        Placement { device: Device::CUDA, sync_mode: SyncMode::EVENT, memory_class: MemoryClass::STANDARD };
    let far = std::ptr::without_provenance_mut(4096);
    // SAFETY: nothing follows the pointer.
    let buffer = unsafe { Buffer::from_ptr(far, 64, 64, placement, Owner::none()) }.unwrap();
    let event = std::ptr::NonNull::new(far);
    buffer.check_event(event, Device::CUDA, Some(release)).unwrap();
    assert!(buffer.check_event(event, Device::ROCM, Some(release)).is_err());
    assert!(buffer.check_event(event, Device::CUDA, None).is_err());
    assert!(buffer.check_producer_synced().is_err());
    assert!(buffer.check_consumer_stream(event, Device::CUDA).is_err());
}

#[test]
fn a_wrong_alignment_is_refused() {
    assert_eq!(Buffer::alloc(1, 3).unwrap_err().status, Status::INVALID_ARGUMENT);
    let odd = std::ptr::without_provenance_mut(65);
    // SAFETY: the call fails.
    let error = unsafe { Buffer::from_ptr(odd, 64, 64, Placement::HOST, Owner::none()) }.unwrap_err();
    assert_eq!(error.status, Status::BUFFER_MISMATCH);
}
