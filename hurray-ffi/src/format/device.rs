//! Devices, memory classes and synchronisation modes: which values and which pairs exist.

use super::{BufferEntry, Fault, Place, Status};

/// Device tag of host memory.
pub const CPU: u8 = 0x00;
/// Memory class exclusive to its device.
pub const STANDARD: u8 = 0x00;
/// Smallest alignment of a buffer that is not empty.
pub const MIN_ALIGNMENT: u32 = 64;

/// Whether a device has memory of this class.
pub fn pair_exists(device: u8, class: u8) -> bool {
    match device {
        0x00 | 0x03 | 0x06 | 0x08 => class <= 0x02,
        0x01 | 0x02 | 0x04 | 0x07 => class <= 0x03,
        0x05 => class == STANDARD,
        0xF0..=0xFE => class == STANDARD || matches!(class, 0xF0..=0xFE),
        _ => false,
    }
}

fn device_exists(device: u8) -> bool {
    matches!(device, 0x00..=0x08 | 0xF0..=0xFE)
}

fn class_exists(class: u8) -> bool {
    matches!(class, 0x00..=0x03 | 0xF0..=0xFE)
}

/// Checks the alignment of a buffer of `byte_size` bytes (B-001, B-002). The status is a descriptor's
/// `INVALID_DESCRIPTOR`; the door answers `INVALID_ARGUMENT` for an argument.
pub fn check_alignment(byte_size: u64, alignment: u32) -> Result<(), Fault> {
    if alignment_fits(byte_size, alignment) { Ok(()) } else { Err(bad_alignment(alignment)) }
}

fn alignment_fits(byte_size: u64, alignment: u32) -> bool {
    alignment.is_power_of_two() && (alignment >= MIN_ALIGNMENT || byte_size == 0)
}

#[cold]
fn bad_alignment(alignment: u32) -> Fault {
    let fault = if alignment.is_power_of_two() {
        Fault::new(Status::INVALID_DESCRIPTOR, "B-002", "alignment of a buffer that is not empty is below 64")
            .limit(MIN_ALIGNMENT)
    } else {
        Fault::new(Status::INVALID_DESCRIPTOR, "B-001", "alignment is not a power of two")
    };
    fault.field("alignment").value(alignment)
}

/// Checks device, memory class and synchronisation mode (B-003 to B-007), in that order.
pub fn check_device_class_sync(device: u8, class: u8, sync: u8) -> Result<(), Fault> {
    if values_fit(device, class, sync) { Ok(()) } else { Err(bad_values(device, class, sync)) }
}

fn values_fit(device: u8, class: u8, sync: u8) -> bool {
    pair_exists(device, class) && sync <= if device == CPU { 0 } else { 2 }
}

#[cold]
fn bad_values(device: u8, class: u8, sync: u8) -> Fault {
    if !device_exists(device) {
        Fault::new(Status::INVALID_TYPE, "B-003", "device tag does not exist")
            .field("device_tag")
            .value(device)
    } else if !class_exists(class) {
        Fault::new(Status::INVALID_TYPE, "B-004", "memory class does not exist")
            .field("memory_class")
            .value(class)
    } else if !pair_exists(device, class) {
        Fault::new(Status::INVALID_DESCRIPTOR, "B-005", "device has no memory of this class")
            .field("memory_class")
            .value(class)
    } else if sync > 2 {
        Fault::new(Status::INVALID_SYNC_MODE, "B-006", "sync mode does not exist")
            .field("sync_mode")
            .value(sync)
            .limit(2)
    } else {
        Fault::new(Status::INVALID_SYNC_MODE, "B-007", "CPU buffer is not producer-synchronised")
            .field("sync_mode")
            .value(sync)
            .limit(0)
    }
}

/// Whether the bytes of one table entry break none of V-082 to V-088.
#[inline]
pub(super) fn entry_fits(entry: &BufferEntry) -> bool {
    alignment_fits(entry.byte_size, entry.alignment)
        && device_exists(entry.device_tag)
        && class_exists(entry.memory_class)
        && entry.sync_mode <= if entry.device_tag == CPU { 0 } else { 2 }
}

/// V-082 to V-088 for one table entry.
pub(super) fn check_entry(index: usize, entry: &BufferEntry) -> Result<(), Fault> {
    if entry_fits(entry) { Ok(()) } else { Err(bad_entry(index, entry)) }
}

/// V-089: the pair of device and memory class of an entry exists.
#[inline]
pub(super) fn check_pair(index: usize, entry: &BufferEntry) -> Result<(), Fault> {
    let (device, class) = (entry.device_tag, entry.memory_class);
    if pair_exists(device, class) { Ok(()) } else { Err(in_table(index, bad_values(device, class, 0))) }
}

#[cold]
fn bad_entry(index: usize, entry: &BufferEntry) -> Fault {
    let BufferEntry { byte_size, alignment, device_tag, sync_mode, memory_class } = *entry;
    let fault = if !alignment_fits(byte_size, alignment) {
        bad_alignment(alignment)
    } else if !device_exists(device_tag) || sync_mode > 2 || (device_tag == CPU && sync_mode != 0) {
        // Left to right: device, sync mode, class. A class that exists keeps the pair out of it.
        bad_values(device_tag, STANDARD, sync_mode)
    } else {
        bad_values(device_tag, memory_class, sync_mode)
    };
    in_table(index, fault)
}

/// A table entry's rule of the same content, its place, and its name.
#[cold]
fn in_table(index: usize, fault: Fault) -> Fault {
    let (rule, field, byte) = match (fault.rule, fault.value) {
        ("B-001", _) => ("V-082", "buffer alignment", 8),
        ("B-002", _) => ("V-083", "buffer alignment", 8),
        ("B-003", super::Number::Int(0xFF)) => ("V-085", "buffer device_tag", 12),
        ("B-003", _) => ("V-084", "buffer device_tag", 12),
        ("B-006", _) => ("V-086", "buffer sync_mode", 13),
        ("B-007", _) => ("V-087", "buffer sync_mode", 13),
        ("B-004", _) => ("V-088", "buffer memory_class", 14),
        _ => ("V-089", "buffer memory_class", 14),
    };
    let place = Place::Buffer(u32::try_from(index).unwrap_or(u32::MAX), byte);
    Fault { rule, ..fault }.field(field).index(index).at(place)
}

/// All buffers of one descriptor share device and memory class (V-091, V-092).
#[inline]
pub fn check_colocation(entries: &[BufferEntry]) -> Result<(), Fault> {
    let Some(first) = entries.first() else { return Ok(()) };
    let together = |e: &BufferEntry| e.device_tag == first.device_tag && e.memory_class == first.memory_class;
    match entries.iter().position(|e| !together(e)) {
        None => Ok(()),
        Some(index) => Err(apart(index, first, &entries[index])),
    }
}

#[cold]
fn apart(index: usize, first: &BufferEntry, other: &BufferEntry) -> Fault {
    let at = u32::try_from(index).unwrap_or(u32::MAX);
    if other.device_tag != first.device_tag {
        Fault::new(Status::BUFFER_MISMATCH, "V-091", "device differs from the first buffer's")
            .field("buffer device_tag")
            .index(index)
            .value(other.device_tag)
            .limit(first.device_tag)
            .at(Place::Buffer(at, 12))
    } else {
        Fault::new(Status::BUFFER_MISMATCH, "V-092", "memory class differs from the first buffer's")
            .field("buffer memory_class")
            .index(index)
            .value(other.memory_class)
            .limit(first.memory_class)
            .at(Place::Buffer(at, 14))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> BufferEntry {
        BufferEntry { byte_size: 8, alignment: 64, ..BufferEntry::default() }
    }

    fn verdict(entry: BufferEntry) -> (&'static str, Status, Place) {
        let fault = check_entry(3, &entry).and_then(|()| check_pair(3, &entry)).unwrap_err();
        assert_eq!(fault.index, Some(3));
        (fault.rule, fault.status, fault.place)
    }

    #[test]
    fn pairs_follow_the_table() {
        // buffers.md §3: classes 0 to 3 of devices 0 to 8.
        let rows = [0b0111, 0b1111, 0b1111, 0b0111, 0b1111, 0b0001, 0b0111, 0b1111, 0b0111];
        for (device, row) in (0u8..).zip(rows) {
            for class in 0..=255u8 {
                let wanted = class < 4 && row >> class & 1 == 1;
                assert_eq!(pair_exists(device, class), wanted, "{device} {class}");
            }
        }
        for class in 0..=255u8 {
            assert_eq!(pair_exists(0xF3, class), class == 0 || (0xF0..=0xFE).contains(&class));
            assert!(!pair_exists(0x09, class) && !pair_exists(0xEF, class) && !pair_exists(0xFF, class));
        }
    }

    #[test]
    fn alignments() {
        assert!(check_alignment(1, 64).is_ok());
        assert!(check_alignment(0, 1).is_ok());
        assert!(check_alignment(9, 1 << 31).is_ok());
        assert_eq!(check_alignment(1, 32).unwrap_err().rule, "B-002");
        assert_eq!(check_alignment(0, 0).unwrap_err().rule, "B-001");
        assert_eq!(check_alignment(1, 96).unwrap_err().rule, "B-001");
    }

    #[test]
    fn values_at_hand_off() {
        let verdict = |d, c, s| check_device_class_sync(d, c, s).map_err(|f| (f.rule, f.status));
        assert_eq!(verdict(0, 2, 0), Ok(()));
        assert_eq!(verdict(1, 3, 2), Ok(()));
        assert_eq!(verdict(0xF0, 0xFE, 1), Ok(()));
        assert_eq!(verdict(0x09, 0, 0), Err(("B-003", Status::INVALID_TYPE)));
        assert_eq!(verdict(0xFF, 0, 0), Err(("B-003", Status::INVALID_TYPE)));
        assert_eq!(verdict(1, 4, 0), Err(("B-004", Status::INVALID_TYPE)));
        assert_eq!(verdict(0, 3, 0), Err(("B-005", Status::INVALID_DESCRIPTOR)));
        assert_eq!(verdict(0, 0xF0, 0), Err(("B-005", Status::INVALID_DESCRIPTOR)));
        assert_eq!(verdict(1, 0, 3), Err(("B-006", Status::INVALID_SYNC_MODE)));
        assert_eq!(verdict(0, 0, 1), Err(("B-007", Status::INVALID_SYNC_MODE)));
    }

    #[test]
    fn entries_of_a_table() {
        let with = |change: fn(&mut BufferEntry)| {
            let mut e = entry();
            change(&mut e);
            verdict(e)
        };
        assert!(check_entry(0, &entry()).is_ok() && check_pair(0, &entry()).is_ok());
        assert_eq!(with(|e| e.alignment = 65), ("V-082", Status::INVALID_DESCRIPTOR, Place::Buffer(3, 8)));
        assert_eq!(with(|e| e.alignment = 8), ("V-083", Status::INVALID_DESCRIPTOR, Place::Buffer(3, 8)));
        assert_eq!(with(|e| e.device_tag = 9), ("V-084", Status::INVALID_TYPE, Place::Buffer(3, 12)));
        assert_eq!(with(|e| e.device_tag = 255), ("V-085", Status::INVALID_TYPE, Place::Buffer(3, 12)));
        assert_eq!(with(|e| e.sync_mode = 3), ("V-086", Status::INVALID_SYNC_MODE, Place::Buffer(3, 13)));
        assert_eq!(with(|e| e.sync_mode = 1), ("V-087", Status::INVALID_SYNC_MODE, Place::Buffer(3, 13)));
        assert_eq!(with(|e| e.memory_class = 4), ("V-088", Status::INVALID_TYPE, Place::Buffer(3, 14)));
        assert_eq!(with(|e| e.memory_class = 3), ("V-089", Status::INVALID_DESCRIPTOR, Place::Buffer(3, 14)));
    }

    #[test]
    fn buffers_of_one_tensor_live_together() {
        let mut other = entry();
        assert!(check_colocation(&[]).is_ok());
        assert!(check_colocation(&[entry(), other]).is_ok());
        other.memory_class = 1;
        assert_eq!(check_colocation(&[entry(), entry(), other]).unwrap_err().place, Place::Buffer(2, 14));
        other.device_tag = 1;
        let fault = check_colocation(&[entry(), other]).unwrap_err();
        assert_eq!((fault.rule, fault.status), ("V-091", Status::BUFFER_MISMATCH));
    }
}
