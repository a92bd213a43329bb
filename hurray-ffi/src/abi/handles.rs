//! The opaque types of the header, and the types of its callbacks. Their layout is the library's own business.

use std::ffi::c_void;

/// DLPack's versioned struct; its own header has its fields.
pub struct DLManagedTensorVersioned {
    _opaque: [u8; 0],
}

/// DLPack's unversioned struct; its own header has its fields.
pub struct DLManagedTensor {
    _opaque: [u8; 0],
}

/// The outcome of a call: `HURRAY_OK`, a positive progress code, or a negative error.
pub type HurrayStatus = i32;

/// The identifier of a descriptor field: one of the `HURRAY_..._FIELD_...` constants.
pub type HurrayDescriptorField = u32;

/// One buffer: a piece of memory, what keeps it alive, and what a descriptor says of it.
pub struct HurrayBuffer {
    _opaque: [u8; 0],
}

/// The buffers of one tensor, in the order of its descriptor's buffer table.
pub struct HurrayBufferList {
    _opaque: [u8; 0],
}

/// A decoded, validated descriptor: element type, shape, layout, buffer table, quantization and sections. Immutable.
pub struct HurrayDescriptor {
    _opaque: [u8; 0],
}

/// A descriptor being written, field by field.
pub struct HurrayDescriptorBuilder {
    _opaque: [u8; 0],
}

/// A tensor: a descriptor, its buffers, and the owner of the memory. Shares of one tensor are handles on one core.
pub struct HurrayTensor {
    _opaque: [u8; 0],
}

/// What a stream or a file yields and a writer accepts: one tensor, or a composite of items.
pub struct HurrayItem {
    _opaque: [u8; 0],
}

/// A file that is open for reading. Read-only once it is open.
pub struct HurrayFileReader {
    _opaque: [u8; 0],
}

/// A file being written.
pub struct HurrayFileWriter {
    _opaque: [u8; 0],
}

/// Reads items from a stream whose bytes the caller fetches.
pub struct HurrayStreamReader {
    _opaque: [u8; 0],
}

/// Turns items into the bytes of a stream, which the caller sends.
pub struct HurrayStreamWriter {
    _opaque: [u8; 0],
}

/// Numbered options of a call or of an object that opens. NULL stands for the defaults.
pub struct HurrayOptions {
    _opaque: [u8; 0],
}

/// Releases a buffer's memory. Called once, on whatever thread drops the last reference, with no lock held; it may call
/// any function on other handles, and must not unwind, throw or `longjmp`. `data` and `context` are as they were given.
pub type HurrayReleaseCallback = Option<unsafe extern "C" fn(data: *mut c_void, context: *mut c_void)>;

/// Releases a tensor's owner. Called once, after the tensor's buffers were released, under the rules of
/// `HurrayReleaseCallback`.
pub type HurrayOwnerReleaseFn = Option<unsafe extern "C" fn(owner: *mut c_void)>;

/// Releases a synchronisation event. The library stores and calls none; the type serves the check of
/// `hurray_buffer_handoff_event`.
pub type HurrayEventReleaseFn = Option<unsafe extern "C" fn(sync_handle: *mut c_void, context: *mut c_void)>;

/// Reads `len` bytes at `offset` of a file into `out`. Returns the number of bytes read, which is less than `len` only
/// at the end of the file; a negative value is a failure (`HURRAY_ERR_IO`; its negative is reported as the system's error
/// number). Called on the thread of the call that reads, with no lock held, and by several threads at once if the host
/// reads from several. It must not unwind, throw or `longjmp`.
pub type HurrayReadAtFn =
    Option<unsafe extern "C" fn(context: *mut c_void, offset: u64, out: *mut u8, len: u64) -> i64>;

/// Takes the next `len` bytes of a file. Returns 0 when all were taken; anything else is a failure (`HURRAY_ERR_IO`; its
/// absolute value is reported as the system's error number). Called on the thread of the call that writes, with no lock
/// held. It must not unwind, throw or `longjmp`, and the bytes are the callback's until it returns.
pub type HurrayWriteFn =
    Option<unsafe extern "C" fn(context: *mut c_void, bytes: *const u8, len: u64) -> i32>;

/// A piece of a gather list: `len` bytes at `data`. The one struct of this header whose fields are public.
#[repr(C)]
pub struct HurraySlice {
    /// The first byte.
    pub data: *const u8,
    /// Number of bytes.
    pub len: usize,
}
