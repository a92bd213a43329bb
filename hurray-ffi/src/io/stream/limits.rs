//! What a reader accepts.

/// The options of a reader, as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Keep what is not understood as opaque parts.
    pub permissive: bool,
    /// Longest descriptor.
    pub descriptor_bytes: u64,
    /// Largest buffer.
    pub buffer_bytes: u64,
    /// Largest sum of an item's buffers.
    pub total_bytes: u64,
    /// Deepest nesting of composites.
    pub depth: u32,
    /// Most members of one composite.
    pub members: u64,
    /// Largest alignment that is allocated.
    pub alignment: u64,
    /// Longest message payload.
    pub message_bytes: u64,
    /// Most stream ids with something open.
    pub stream_ids: u64,
    /// Refuse sync modes that only have a meaning inside one machine.
    pub cross_machine: bool,
    /// Refuse bytes that carry the tag of a device other than the CPU.
    pub refuse_device_bytes: bool,
    /// Give the parts of a composite one by one.
    pub flat: bool,
    /// Bytes that may be asked for past the current item.
    pub read_ahead: usize,
}
