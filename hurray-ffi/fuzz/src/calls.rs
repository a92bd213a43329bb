//! Bytes as a program of C calls.

mod arrays;
mod descriptors;
mod hands;
mod tape;

use crate::owners;
use hurray::abi::*;
use std::ptr::null_mut;
use tape::Tape;

/// Handles of one noun that may be alive at once.
const SLOTS: usize = 6;
type Slots<T> = [*mut T; SLOTS];

/// The handles that the program owns; an empty slot is NULL, which every call refuses.
struct Machine {
    buffers: Slots<HurrayBuffer>,
    lists: Slots<HurrayBufferList>,
    descriptors: Slots<HurrayDescriptor>,
    builders: Slots<HurrayDescriptorBuilder>,
    tensors: Slots<HurrayTensor>,
    items: Slots<HurrayItem>,
    options: Slots<HurrayOptions>,
}

/// Runs one program, ends everything, and counts.
pub fn run(input: &[u8]) {
    owners::reset();
    let mut machine = Machine {
        buffers: [null_mut(); SLOTS],
        lists: [null_mut(); SLOTS],
        descriptors: [null_mut(); SLOTS],
        builders: [null_mut(); SLOTS],
        tensors: [null_mut(); SLOTS],
        items: [null_mut(); SLOTS],
        options: [null_mut(); SLOTS],
    };
    let mut tape = Tape::new(input);
    while let Some(operation) = tape.next() {
        machine.step(operation, &mut tape);
    }
    machine.end();
    let mut live = 1;
    // SAFETY: the output is this frame's own.
    assert_eq!(unsafe { hurray_live_handles(&raw mut live) }, 0);
    assert_eq!(live, 0, "handles that live on");
    assert!(owners::releases().iter().all(|&times| times == 1), "releases {:?}", owners::releases());
}

macro_rules! end {
    ($slots:expr, $destroy:ident, $order:expr) => {
        for k in $order {
            // SAFETY: owned or NULL; a destroyed slot is NULL.
            unsafe {
                assert_eq!($destroy(&raw mut $slots[k]), 0);
                assert!($slots[k].is_null());
            }
        }
    };
}

impl Machine {
    fn step(&mut self, operation: u8, tape: &mut Tape<'_>) {
        match operation % 32 {
            0 => self.wrap(tape),
            1 => self.allocate(tape),
            2 => self.share_buffer(tape),
            3 => self.mark_buffer(tape),
            4 => self.new_list(tape),
            5 => self.push(tape),
            6 => self.look_into_list(tape),
            7 => self.end_some(tape),
            8 | 9 => self.decode(tape),
            10 => self.from_fields(tape),
            11 => self.read(tape),
            12 => self.new_builder(tape),
            13 | 14 => self.set(tape),
            15 => self.push_entry(tape),
            16 => self.finish(tape),
            17 | 18 => self.join(tape, true),
            19 => self.join(tape, false),
            20 | 21 => self.from_array(tape),
            22 => self.share_tensor(tape),
            23 => self.part(tape),
            24 => self.look_into_tensor(tape),
            25 => self.item(tape),
            26 => self.compose(tape),
            27 => self.share_item(tape),
            28 => self.look_into_item(tape),
            29 => self.option(tape),
            30 => self.mistake(tape),
            _ => self.join_what_is_there(tape),
        }
    }

    /// Ends one handle of some noun.
    fn end_some(&mut self, tape: &mut Tape<'_>) {
        let k = tape.slot();
        match tape.byte() % 7 {
            0 => end!(self.buffers, hurray_buffer_destroy, [k]),
            1 => end!(self.lists, hurray_buffer_list_destroy, [k]),
            2 => end!(self.descriptors, hurray_descriptor_destroy, [k]),
            3 => end!(self.builders, hurray_descriptor_builder_destroy, [k]),
            4 => end!(self.tensors, hurray_tensor_destroy, [k]),
            5 => end!(self.items, hurray_item_destroy, [k]),
            _ => end!(self.options, hurray_options_destroy, [k]),
        }
    }

    fn end(&mut self) {
        end!(self.descriptors, hurray_descriptor_destroy, 0..SLOTS);
        end!(self.builders, hurray_descriptor_builder_destroy, 0..SLOTS);
        end!(self.lists, hurray_buffer_list_destroy, 0..SLOTS);
        end!(self.tensors, hurray_tensor_destroy, 0..SLOTS);
        end!(self.items, hurray_item_destroy, 0..SLOTS);
        end!(self.buffers, hurray_buffer_destroy, 0..SLOTS);
        end!(self.options, hurray_options_destroy, 0..SLOTS);
    }

    /// A handle where one of another noun belongs.
    fn mistake(&mut self, tape: &mut Tape<'_>) {
        let k = tape.slot();
        let mut wrong: *mut HurrayTensor = self.lists[k].cast();
        let mut number = 0;
        let wanted = if wrong.is_null() { -6 } else { -26 };
        // SAFETY: a live handle or NULL; the mark tells the nouns apart.
        unsafe {
            assert_eq!(hurray_descriptor_rank(self.lists[k].cast(), &raw mut number), wanted);
            let share = &raw mut self.tensors[k];
            if (*share).is_null() {
                assert_eq!(hurray_tensor_share(wrong, share), wanted);
            }
            let ended = hurray_tensor_destroy(&raw mut wrong);
            assert_eq!(ended, if wrong.is_null() { 0 } else { -26 });
        }
    }
}

/// Calls a maker of a handle into an empty slot: a full one would lose its handle.
fn make<T>(slot: &mut *mut T, call: impl FnOnce(*mut *mut T) -> i32) -> i32 {
    if !slot.is_null() {
        return 0;
    }
    let status = call(&raw mut *slot);
    assert!(status != -7, "a panic");
    assert_eq!(status == 0, !slot.is_null());
    status
}
