//! Buffers, lists, tensors and items.

use super::tape::Tape;
use super::{Machine, make};
use crate::owners::{owner, release_buffer, release_owner, take_back};
use hurray::abi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Memory that buffers and arrays may lie in.
#[repr(align(4096))]
struct Page([u8; 8192]);
static PAGE: Page = Page([3; 8192]);

pub fn page() -> *mut c_void {
    (&raw const PAGE.0).cast_mut().cast()
}

/// Memory for a buffer of this size: real, or an address that nobody reads.
fn memory(size: u64, alignment: u32) -> *mut c_void {
    if size <= 8192 && alignment <= 4096 { page() } else { std::ptr::without_provenance_mut(1 << 40) }
}

/// Wraps memory, with an owner that the buffer releases.
fn wrap(size: u64, alignment: u32, kind: [u8; 3], out: *mut *mut HurrayBuffer) -> i32 {
    let [device, sync, class] = kind;
    let data = memory(size, alignment);
    // SAFETY: nobody reads through a buffer here; the output is the caller's.
    let status = unsafe {
        hurray_buffer_from_ptr(data, size, alignment, device, sync, class, Some(release_buffer), owner(), out)
    };
    if status != 0 {
        take_back();
    }
    status
}

impl Machine {
    pub(super) fn wrap(&mut self, tape: &mut Tape<'_>) {
        let (k, size, bits) = (tape.slot(), tape.number(), tape.byte());
        let kind = [tape.byte() % 12, tape.byte() % 4, tape.byte() % 6];
        make(&mut self.buffers[k], |out| wrap(size, 1 << (bits % 32), kind, out));
    }

    pub(super) fn allocate(&mut self, tape: &mut Tape<'_>) {
        let (k, size, alignment) = (tape.slot(), u64::from(tape.byte()) * 16, tape.number() as u32);
        // SAFETY: the output is the machine's.
        make(&mut self.buffers[k], |out| unsafe { hurray_buffer_alloc(size, alignment % 8192, out) });
    }

    pub(super) fn share_buffer(&mut self, tape: &mut Tape<'_>) {
        let buffer = self.buffers[tape.slot()];
        // SAFETY: a live handle or NULL; the output is the machine's.
        make(&mut self.buffers[tape.slot()], |out| unsafe { hurray_buffer_share(buffer, out) });
    }

    pub(super) fn mark_buffer(&mut self, tape: &mut Tape<'_>) {
        let (buffer, value) = (self.buffers[tape.slot()], tape.number());
        // SAFETY: a live handle or NULL.
        unsafe {
            hurray_buffer_set_flags(buffer, value as u32);
            hurray_buffer_set_lead(buffer, tape.byte().into());
            hurray_buffer_set_device_id(buffer, value as i32);
            let (mut size, mut data) = (0, null_mut());
            hurray_buffer_byte_size(buffer, &raw mut size);
            hurray_buffer_host_ptr(buffer, &raw mut data);
        }
    }

    pub(super) fn new_list(&mut self, tape: &mut Tape<'_>) {
        let (k, capacity) = (tape.slot(), tape.number());
        // SAFETY: the output is the machine's.
        make(&mut self.lists[k], |out| unsafe { hurray_buffer_list_new(capacity, out) });
    }

    pub(super) fn push(&mut self, tape: &mut Tape<'_>) {
        let (list, buffer) = (self.lists[tape.slot()], &mut self.buffers[tape.slot()]);
        // SAFETY: live handles or NULL.
        if unsafe { hurray_buffer_list_push(list, *buffer) } == 0 {
            *buffer = null_mut();
        }
    }

    pub(super) fn look_into_list(&mut self, tape: &mut Tape<'_>) {
        look_into(self.lists[tape.slot()], tape.number());
    }

    /// Joins a descriptor with a list: one made for it, or one that happens to be there.
    pub(super) fn join(&mut self, tape: &mut Tape<'_>, fitting: bool) {
        let (d, l, t) = (tape.slot(), tape.slot(), tape.slot());
        let descriptor = self.descriptors[d];
        if fitting && self.lists[l].is_null() && !descriptor.is_null() {
            self.lists[l] = list_for(descriptor);
        }
        if !self.tensors[t].is_null() {
            return;
        }
        let list = self.lists[l];
        let status = make(&mut self.tensors[t], |out| {
            // SAFETY: live handles or NULL; the output is the machine's.
            unsafe { hurray_tensor_from_descriptor(descriptor, list, owner(), Some(release_owner), out) }
        });
        self.joined(status, l);
    }

    fn joined(&mut self, status: i32, list: usize) {
        if status == 0 {
            self.lists[list] = null_mut();
        } else {
            take_back();
        }
    }

    pub(super) fn join_what_is_there(&mut self, tape: &mut Tape<'_>) {
        let (l, t, version) = (tape.slot(), tape.slot(), tape.byte());
        let bytes = tape.bytes();
        if !self.tensors[t].is_null() {
            return;
        }
        let list = self.lists[l];
        let (data, len) = (bytes.as_ptr(), bytes.len() as u64);
        let status = make(&mut self.tensors[t], |out| {
            // SAFETY: a live list or NULL; the bytes are a slice; the output is the machine's.
            unsafe { hurray_tensor_new(version.into(), data, len, list, owner(), Some(release_owner), out) }
        });
        self.joined(status, l);
    }

    pub(super) fn share_tensor(&mut self, tape: &mut Tape<'_>) {
        let tensor = self.tensors[tape.slot()];
        // SAFETY: a live handle or NULL; the output is the machine's.
        make(&mut self.tensors[tape.slot()], |out| unsafe { hurray_tensor_share(tensor, out) });
    }

    pub(super) fn part(&mut self, tape: &mut Tape<'_>) {
        let (tensor, role, level) = (self.tensors[tape.slot()], tape.byte() % 11, tape.byte() % 9);
        make(&mut self.tensors[tape.slot()], |out| {
            // SAFETY: a live handle or NULL; the output is the machine's.
            unsafe { hurray_tensor_part(tensor, role.into(), level.into(), out) }
        });
    }

    pub(super) fn look_into_tensor(&mut self, tape: &mut Tape<'_>) {
        let tensor = self.tensors[tape.slot()];
        let (mut list, mut descriptor, mut data) = (null_mut(), null_mut(), null_mut());
        let (mut shape, mut strides, mut rank, mut flags, mut text) = ([0; 64], [0; 64], 64, 0, [0; 600]);
        let mut len = text.len();
        // SAFETY: a live handle or NULL; the outputs are this frame's own, of the room that is said.
        unsafe {
            hurray_tensor_array_view(
                tensor,
                &raw mut data,
                shape.as_mut_ptr(),
                strides.as_mut_ptr(),
                &raw mut rank,
                &raw mut flags,
            );
            hurray_tensor_describe(tensor, text.as_mut_ptr(), &raw mut len);
            if hurray_tensor_buffers(tensor, &raw mut list) == 0 {
                look_into(list, tape.number());
                let (kept, own) = (list, self.buffers[tape.slot()]);
                assert_eq!(hurray_buffer_list_destroy(&raw mut list), -26);
                assert_eq!(list, kept);
                assert_eq!(hurray_buffer_list_push(list, own), -26);
            }
            if hurray_tensor_descriptor(tensor, &raw mut descriptor) == 0 {
                assert_eq!(hurray_descriptor_destroy(&raw mut descriptor), -26);
                make(&mut self.descriptors[tape.slot()], |out| copy(descriptor, out));
            }
        }
    }

    pub(super) fn item(&mut self, tape: &mut Tape<'_>) {
        let tensor = self.tensors[tape.slot()];
        // SAFETY: a live handle or NULL; the output is the machine's.
        make(&mut self.items[tape.slot()], |out| unsafe { hurray_item_from_tensor(tensor, out) });
    }

    pub(super) fn compose(&mut self, tape: &mut Tape<'_>) {
        let (head, k, count) = (self.descriptors[tape.slot()], tape.slot(), usize::from(tape.byte() % 5));
        let members: Vec<*const HurrayItem> =
            (0..count).map(|_| self.items[tape.slot()].cast_const()).collect();
        make(&mut self.items[k], |out| {
            // SAFETY: live handles or NULL; the members are an array of their count; the output is the machine's.
            unsafe { hurray_item_composite_new(head, members.as_ptr(), count, out) }
        });
    }

    pub(super) fn share_item(&mut self, tape: &mut Tape<'_>) {
        let item = self.items[tape.slot()];
        // SAFETY: a live handle or NULL; the output is the machine's.
        make(&mut self.items[tape.slot()], |out| unsafe { hurray_item_share(item, out) });
    }

    pub(super) fn look_into_item(&mut self, tape: &mut Tape<'_>) {
        let item = self.items[tape.slot()];
        let (mut kind, mut count, mut head, mut member) = (0, 0, null_mut(), null_mut());
        // SAFETY: a live handle or NULL; the outputs are this frame's own or the machine's.
        unsafe {
            hurray_item_kind(item, &raw mut kind);
            hurray_item_member_count(item, &raw mut count);
            if hurray_item_head(item, &raw mut head) == 0 {
                assert_eq!(hurray_descriptor_destroy(&raw mut head), -26);
            }
            if hurray_item_member(item, tape.byte().into(), &raw mut member) == 0 {
                assert_eq!(hurray_item_destroy(&raw mut member), -26);
                // A share of a borrowed member lives on by itself.
                make(&mut self.items[tape.slot()], |out| hurray_item_share(member, out));
            }
            make(&mut self.tensors[tape.slot()], |out| hurray_item_tensor(item, out));
            make(&mut self.tensors[tape.slot()], |out| hurray_item_data(item, out));
        }
    }
}

/// Reads a list; what it lends is not the borrower's to end.
fn look_into(list: *const HurrayBufferList, index: u64) {
    let (mut len, mut buffer, mut size) = (0, null_mut(), 0);
    // SAFETY: a live handle or NULL; the outputs are this frame's own.
    unsafe {
        hurray_buffer_list_len(list, &raw mut len);
        assert!(len <= 255);
        if hurray_buffer_list_get(list, index % (len + 1), &raw mut buffer) == 0 {
            assert_eq!(hurray_buffer_byte_size(buffer, &raw mut size), 0);
            assert_eq!(hurray_buffer_destroy(&raw mut buffer), -26);
            assert_eq!(hurray_buffer_set_flags(buffer, 1), -26);
        }
    }
}

/// A list of buffers as a descriptor wants them, as far as it can be had.
fn list_for(descriptor: *const HurrayDescriptor) -> *mut HurrayBufferList {
    let (mut list, mut count) = (null_mut(), 0);
    let field = |id: u32, level: u32| {
        let mut value = 0;
        // SAFETY: a live handle; the output is this frame's own.
        let status = unsafe { hurray_descriptor_field_u64(descriptor, id, level, &raw mut value) };
        if status == 0 { value } else { 0 }
    };
    // SAFETY: live handles of this function's own; the outputs are this frame's own.
    unsafe {
        assert_eq!(hurray_buffer_list_new(0, &raw mut list), 0);
        hurray_descriptor_buffer_count(descriptor, &raw mut count);
        for level in 0..count {
            let mut buffer = null_mut();
            let kind = [2, 3, 4].map(|id| field(0x0007_0000 + id, level) as u8);
            let (size, alignment) = (field(0x0007_0000, level), field(0x0007_0001, level) as u32);
            if wrap(size, alignment, kind, &raw mut buffer) == 0 {
                assert_eq!(hurray_buffer_list_push(list, buffer), 0);
            }
        }
    }
    list
}

/// A descriptor handle of one's own, from the bytes of a borrowed one.
fn copy(descriptor: *const HurrayDescriptor, out: *mut *mut HurrayDescriptor) -> i32 {
    let mut bytes = vec![0; 2048];
    let mut len = bytes.len();
    // SAFETY: a live handle; `len` is the room of the bytes, then their number; the output is the caller's.
    unsafe {
        match hurray_descriptor_encode(descriptor, bytes.as_mut_ptr(), &raw mut len) {
            0 => hurray_descriptor_decode_with(bytes.as_ptr(), len, 1, out),
            _ => hurray_descriptor_decode(null(), 0, out),
        }
    }
}
