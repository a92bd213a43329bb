//! Descriptors and builders.

use super::tape::Tape;
use super::{Machine, make};
use hurray::abi::*;

/// Fields that a builder takes, and some that it does not.
const FIELDS: [u32; 60] = [
    0x0001_0000,
    0x0001_0300,
    0x0001_0400,
    0x0001_0401,
    0x0001_0402,
    0x0001_0403,
    0x0001_0404,
    0x0001_0405,
    0x0001_0500,
    0x0001_0600,
    0x0001_0601,
    0x0001_0700,
    0x0001_0800,
    0x0001_0900,
    0x0001_0901,
    0x0001_0A00,
    0x0001_0A01,
    0x0001_0A02,
    0x0001_0A03,
    0x0001_0A04,
    0x0001_0A05,
    0x0001_0A06,
    0x0001_0B00,
    0x0001_0B01,
    0x0001_0B02,
    0x0001_4000,
    0x0001_4001,
    0x0001_F000,
    0x0001_F001,
    0x0002_0000,
    0x0002_0001,
    0x0002_0002,
    0x0002_0003,
    0x0002_0100,
    0x0002_0101,
    0x0002_0200,
    0x0002_0201,
    0x0002_0202,
    0x0002_0203,
    0x0002_0300,
    0x0002_0301,
    0x0002_0302,
    0x0002_0303,
    0x0002_0304,
    0x0002_0400,
    0x0002_0401,
    0x0002_0402,
    0x0002_0500,
    0x0003_0000,
    0x0003_0001,
    0x0004_0000,
    0x0004_0001,
    0x0004_0002,
    0x0004_0003,
    0x0005_0000,
    0x0006_0000,
    0x0007_0000,
    0x0008_0003,
    0x0008_0007,
    0x0008_0080,
];

fn field(tape: &mut Tape<'_>) -> u32 {
    match tape.byte() {
        known @ ..240 => FIELDS[usize::from(known) % FIELDS.len()],
        _ => tape.u32(),
    }
}

impl Machine {
    pub(super) fn decode(&mut self, tape: &mut Tape<'_>) {
        let (k, permissive) = (tape.slot(), u32::from(tape.byte() & 1));
        let bytes = tape.bytes();
        make(&mut self.descriptors[k], |out| {
            // SAFETY: the bytes are a slice; the output is the machine's.
            unsafe { hurray_descriptor_decode_with(bytes.as_ptr(), bytes.len(), permissive, out) }
        });
    }

    /// The fields of a descriptor, one word of them changed, as another descriptor.
    pub(super) fn from_fields(&mut self, tape: &mut Tape<'_>) {
        let descriptor = self.descriptors[tape.slot()];
        let (mut words, mut len) = (vec![0; 512], 512);
        // SAFETY: a live handle or NULL; `len` is the room of the words.
        if unsafe { hurray_descriptor_fields(descriptor, words.as_mut_ptr(), &raw mut len) } != 0 {
            return;
        }
        words.truncate(len);
        let (at, value) = (tape.u32() as usize % len, tape.number());
        words[at] = value;
        make(&mut self.descriptors[tape.slot()], |out| {
            // SAFETY: the words are a slice; the output is the machine's.
            unsafe { hurray_descriptor_from_fields(words.as_ptr(), words.len(), out) }
        });
    }

    /// Any field in any kind, at any level, into room that may not do.
    pub(super) fn read(&mut self, tape: &mut Tape<'_>) {
        let (d, id, level, room) =
            (self.descriptors[tape.slot()], field(tape), tape.byte().into(), tape.byte());
        let room = usize::from(room % 80);
        let (mut u, mut i, mut f, mut len) = (0, 0, 0.0, [room; 4]);
        let (mut us, mut is, mut bytes) = (vec![0; room], vec![0; room], vec![0; room]);
        // SAFETY: a live handle or NULL; each length is the room of its array.
        let statuses = unsafe {
            [
                hurray_descriptor_field_u64(d, id, level, &raw mut u),
                hurray_descriptor_field_i64(d, id, level, &raw mut i),
                hurray_descriptor_field_f64(d, id, level, &raw mut f),
                hurray_descriptor_field_u64_array(d, id, level, us.as_mut_ptr(), &raw mut len[0]),
                hurray_descriptor_field_i64_array(d, id, level, is.as_mut_ptr(), &raw mut len[1]),
                hurray_descriptor_field_bytes(d, id, level, bytes.as_mut_ptr(), &raw mut len[2]),
                hurray_descriptor_shape(d, us.as_mut_ptr(), &raw mut len[3]),
            ]
        };
        assert!(statuses.iter().all(|&status| status != -7 && status <= 0));
        // A field is of one kind.
        assert!(statuses[..6].iter().filter(|&&status| status == 0 || status == -5).count() <= 1);
    }

    pub(super) fn new_builder(&mut self, tape: &mut Tape<'_>) {
        let (k, type_tag, layout_tag, rank) = (tape.slot(), tape.byte(), tape.byte(), tape.byte() % 70);
        let rank = if rank > 60 { rank } else { rank % 4 };
        let shape: Vec<u64> = (0..rank).map(|_| tape.number()).collect();
        make(&mut self.builders[k], |out| {
            // SAFETY: the shape is a slice; the output is the machine's.
            unsafe { hurray_descriptor_builder_new(type_tag, layout_tag, shape.as_ptr(), shape.len(), out) }
        });
    }

    pub(super) fn set(&mut self, tape: &mut Tape<'_>) {
        let (b, id, level, kind) =
            (self.builders[tape.slot()], field(tape), tape.byte() % 10, tape.byte() % 6);
        let (value, count) = (tape.number(), usize::from(tape.byte() % 6));
        let values: Vec<u64> = (0..count).map(|_| tape.number()).collect();
        let level = level.into();
        // SAFETY: a live builder or NULL, used by this thread alone; arrays are slices of `count` values.
        let status = unsafe {
            match kind {
                0 => hurray_descriptor_builder_set_u64(b, id, level, value),
                1 => hurray_descriptor_builder_set_i64(b, id, level, value as i64),
                2 => hurray_descriptor_builder_set_f64(b, id, level, f64::from_bits(value)),
                3 => hurray_descriptor_builder_set_u64_array(b, id, level, values.as_ptr(), count),
                4 => hurray_descriptor_builder_set_i64_array(b, id, level, values.as_ptr().cast(), count),
                _ => hurray_descriptor_builder_set_bytes(b, id, level, values.as_ptr().cast(), 8 * count),
            }
        };
        assert!(status != -7);
    }

    pub(super) fn push_entry(&mut self, tape: &mut Tape<'_>) {
        let (b, bits, size) = (self.builders[tape.slot()], tape.byte(), tape.number());
        // SAFETY: a live builder or NULL, used by this thread alone.
        let status = unsafe {
            match bits {
                ..64 => hurray_descriptor_builder_push_default_buffers(b),
                _ => hurray_descriptor_builder_push_buffer(b, size, 1 << (bits % 32), tape.byte() % 3, 0, 0),
            }
        };
        assert!(status != -7);
    }

    pub(super) fn finish(&mut self, tape: &mut Tape<'_>) {
        let builder = self.builders[tape.slot()];
        // SAFETY: a live builder or NULL; the output is the machine's.
        make(&mut self.descriptors[tape.slot()], |out| unsafe {
            hurray_descriptor_builder_finish(builder, out)
        });
    }
}
