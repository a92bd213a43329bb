//! Arrays of a language, and options.

use super::hands::page;
use super::tape::Tape;
use super::{Machine, make};
use crate::owners::{owner, release_owner, releases, take_back};
use hurray::abi::*;

/// The public element types.
const TYPES: [u8; 26] = [
    1, 2, 3, 4, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x20, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45,
    0x46, 0x48, 0x49, 0x4A, 0x4B, 0x50, 0x51,
];

impl Machine {
    /// At most 3 dimensions of 4 elements at strides below 64 bytes: that stays within 600 bytes around the middle of
    /// the page.
    pub(super) fn from_array(&mut self, tape: &mut Tape<'_>) {
        let (t, type_tag, rank) =
            (tape.slot(), TYPES[usize::from(tape.byte()) % 26], usize::from(tape.byte() % 4));
        let shape: [u64; 3] = std::array::from_fn(|_| u64::from(tape.byte() % 5));
        let strides: [i64; 3] = std::array::from_fn(|_| i64::from(tape.byte() as i8 / 2));
        let (with_strides, flags) = (tape.byte() % 3 > 0, u32::from(tape.byte() % 8));
        let options = self.options[tape.slot()];
        let data = page().wrapping_byte_add(4096 + usize::from(tape.byte()));
        if !self.tensors[t].is_null() {
            return;
        }
        let strides = if with_strides { strides.as_ptr() } else { std::ptr::null() };
        let status = make(&mut self.tensors[t], |out| {
            // SAFETY: all elements lie in the page; arrays have `rank` entries; options are live or NULL.
            unsafe {
                hurray_tensor_from_array(
                    type_tag,
                    shape.as_ptr(),
                    rank,
                    strides,
                    data,
                    0,
                    0,
                    0,
                    flags,
                    options,
                    owner(),
                    Some(release_owner),
                    out,
                )
            }
        });
        if status != 0 {
            take_back();
        } else {
            // A copy has no more use for the owner.
            assert!(releases().last().is_some_and(|&times| times <= 1));
        }
    }

    pub(super) fn option(&mut self, tape: &mut Tape<'_>) {
        let (k, option, value) = (tape.slot(), tape.byte() % 28, tape.number());
        let (mut done, mut total) = (0, 0);
        // SAFETY: a live handle or NULL; the outputs are this frame's own or the machine's.
        unsafe {
            make(&mut self.options[k], |out| hurray_options_new(out));
            hurray_options_set_u64(self.options[k], option.into(), value);
            assert_eq!(hurray_options_progress(self.options[k], &raw mut done, &raw mut total), 0);
        }
    }
}
