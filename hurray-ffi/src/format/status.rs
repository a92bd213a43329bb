//! Outcome numbers. Once published, a number is never rebound.

/// An outcome: 0 is success, positive values are progress, negative values are errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Status(pub i32);

macro_rules! statuses {
    ($($konst:ident = $value:literal, $name:literal;)*) => {
        impl Status {
            $(#[doc = concat!("`HURRAY_", $name, "`")] pub const $konst: Status = Status($value);)*

            /// The C name, NUL-terminated; unknown numbers give `HURRAY_ERR_UNKNOWN`.
            pub fn name(self) -> &'static std::ffi::CStr {
                match self.0 {
                    $($value => const {
                        match std::ffi::CStr::from_bytes_with_nul(concat!("HURRAY_", $name, "\0").as_bytes()) {
                            Ok(name) => name,
                            Err(_) => c"",
                        }
                    },)*
                    _ => c"HURRAY_ERR_UNKNOWN",
                }
            }

            /// Every status there is.
            pub const ALL: &'static [Status] = &[$(Status::$konst),*];
        }
    };
}

statuses! {
    OK = 0, "OK";
    NEED_MORE = 1, "NEED_MORE";
    END = 2, "END";
    INVALID_MAGIC = -1, "ERR_INVALID_MAGIC";
    VERSION_MISMATCH = -2, "ERR_VERSION_MISMATCH";
    INVALID_LAYOUT = -3, "ERR_INVALID_LAYOUT";
    INVALID_TYPE = -4, "ERR_INVALID_TYPE";
    BUFFER_TOO_SMALL = -5, "ERR_BUFFER_TOO_SMALL";
    NULL_POINTER = -6, "ERR_NULL_POINTER";
    INTERNAL_PANIC = -7, "ERR_INTERNAL_PANIC";
    INVALID_SYNC_MODE = -8, "ERR_INVALID_SYNC_MODE";
    SYNC_MODE_MISMATCH = -9, "ERR_SYNC_MODE_MISMATCH";
    INTERNAL = -10, "ERR_INTERNAL";
    INDEX_OUT_OF_BOUNDS = -11, "ERR_INDEX_OUT_OF_BOUNDS";
    FIELD_NOT_PRESENT = -12, "ERR_FIELD_NOT_PRESENT";
    FIELD_NOT_APPLICABLE = -13, "ERR_FIELD_NOT_APPLICABLE";
    INVALID_DESCRIPTOR = -14, "ERR_INVALID_DESCRIPTOR";
    TRUNCATED = -15, "ERR_TRUNCATED";
    OVERFLOW = -16, "ERR_OVERFLOW";
    BUFFER_MISMATCH = -17, "ERR_BUFFER_MISMATCH";
    IO = -18, "ERR_IO";
    NOT_FOUND = -19, "ERR_NOT_FOUND";
    UNSUPPORTED = -20, "ERR_UNSUPPORTED";
    INVALID_ARGUMENT = -21, "ERR_INVALID_ARGUMENT";
    LIMIT_EXCEEDED = -22, "ERR_LIMIT_EXCEEDED";
    CORRUPT = -23, "ERR_CORRUPT";
    TORN = -24, "ERR_TORN";
    OUT_OF_MEMORY = -25, "ERR_OUT_OF_MEMORY";
    INVALID_HANDLE = -26, "ERR_INVALID_HANDLE";
    DUPLICATE = -27, "ERR_DUPLICATE";
    CANCELLED = -28, "ERR_CANCELLED";
    COPY_REQUIRED = -29, "ERR_COPY_REQUIRED";
}

impl Status {
    /// Answers and progress codes store no error text: they are outcomes a caller plans for.
    pub fn is_answer(self) -> bool {
        self.0 >= 0
            || matches!(
                self,
                Status::BUFFER_TOO_SMALL
                    | Status::FIELD_NOT_PRESENT
                    | Status::FIELD_NOT_APPLICABLE
                    | Status::NOT_FOUND
            )
    }
}
