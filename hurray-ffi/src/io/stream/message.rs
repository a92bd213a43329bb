//! Messages of the framed form: their header, types and sizes.

use super::STEP;

/// Bytes of a message header: type, stream id, payload length.
pub(super) const HEADER: usize = 12;
/// Bytes that follow the descriptor in a TENSOR_DESCRIPTOR.
pub(super) const DESCRIPTOR_TAIL: usize = 16;
/// Bytes that precede the data in a TENSOR_DATA.
pub(super) const DATA_HEAD: usize = 8;
/// Most bytes of a PING that its PONG echoes.
pub(super) const ECHO: usize = 64;
/// Most bytes of text in an ERROR that is sent.
pub(super) const ERROR_TEXT: usize = 4096;
/// Data bytes of one frame, unless the peer takes less.
pub(super) const FRAME: u64 = 256 << 10;

/// Longest payload, unless the peer says otherwise: the longest descriptor fits.
pub const DEFAULT_MESSAGE_BYTES: u64 = 16 * STEP as u64 + 16;
/// The least that a limit of message bytes may be.
pub const LEAST_MESSAGE_BYTES: u64 = 65536;

/// Message types.
pub(super) mod kind {
    pub(crate) const TENSOR_REQUEST: u32 = 3;
    pub(crate) const DESCRIPTOR: u32 = 4;
    pub(crate) const DATA: u32 = 5;
    pub(crate) const DATA_END: u32 = 6;
    pub(crate) const PUT_ACK: u32 = 8;
    pub(crate) const ERROR: u32 = 9;
    pub(crate) const PING: u32 = 10;
    pub(crate) const PONG: u32 = 11;
    pub(crate) const RDMA_REGISTER: u32 = 12;
    pub(crate) const RDMA_READY: u32 = 13;
}

/// Codes of an ERROR that is sent.
pub(super) mod code {
    pub(crate) const DEVICE_UNAVAILABLE: u32 = 5;
    pub(crate) const INVALID_MESSAGE: u32 = 6;
    pub(crate) const MESSAGE_TOO_LARGE: u32 = 7;
}

/// A message header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) kind: u32,
    pub(super) stream_id: u32,
    pub(super) length: u32,
}

impl Header {
    pub(super) fn decode(bytes: &[u8; HEADER]) -> Header {
        let [k0, k1, k2, k3, s0, s1, s2, s3, l0, l1, l2, l3] = *bytes;
        Header {
            kind: u32::from_le_bytes([k0, k1, k2, k3]),
            stream_id: u32::from_le_bytes([s0, s1, s2, s3]),
            length: u32::from_le_bytes([l0, l1, l2, l3]),
        }
    }

    pub(super) fn encode(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let words = [self.kind, self.stream_id, self.length];
        for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *to = word.to_le_bytes();
        }
        bytes
    }
}
