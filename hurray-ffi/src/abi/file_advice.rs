//! How a mapped file is going to be read.

use super::file_reader::with;
use super::file_source::Origin;
use super::handles::{HurrayFileReader, HurrayStatus};
use crate::format::{Fault, Status};
use crate::io::os::{self, Advice};

/// Read in no special way.
pub const HURRAY_ADVICE_NORMAL: u32 = 0;
/// Read from front to back.
pub const HURRAY_ADVICE_SEQUENTIAL: u32 = 1;
/// Read here and there.
pub const HURRAY_ADVICE_RANDOM: u32 = 2;
/// Read soon: start to bring it into memory.
pub const HURRAY_ADVICE_WILL_NEED: u32 = 3;
/// Read now: bring it into memory before the call returns.
pub const HURRAY_ADVICE_POPULATE: u32 = 4;

/// The index that stands for all entries.
const ALL: u64 = u64::MAX;

/// Tells the system how the data of an entry (`UINT64_MAX`: the whole file) is going to be read, by a
/// `HURRAY_ADVICE_...` number. A hint: without a mapping it does nothing.
///
/// *Ownership:* none. *Errors:* `HURRAY_ERR_INVALID_ARGUMENT` (unknown advice), `HURRAY_ERR_INDEX_OUT_OF_BOUNDS`,
/// `HURRAY_ERR_IO`, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* any, also at once on one handle. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_file_reader_advise(
    reader: *const HurrayFileReader,
    index: u64,
    advice: u32,
) -> HurrayStatus {
    dispatch!(FILE_READER, reader, file_reader_advise(reader, index, advice))
}

pub(crate) unsafe fn advise(reader: *const HurrayFileReader, index: u64, advice: u32) -> Result<(), Fault> {
    let how = match advice {
        HURRAY_ADVICE_NORMAL => Advice::Normal,
        HURRAY_ADVICE_SEQUENTIAL => Advice::Sequential,
        HURRAY_ADVICE_RANDOM => Advice::Random,
        HURRAY_ADVICE_WILL_NEED => Advice::WillNeed,
        HURRAY_ADVICE_POPULATE => Advice::Populate,
        _ => {
            return Err(Fault::new(Status::INVALID_ARGUMENT, "", "no such advice")
                .field("advice")
                .value(advice));
        }
    };
    // SAFETY: routed here.
    unsafe {
        with(reader, |file| {
            let (start, len) = if index == ALL {
                (0, u64::MAX)
            } else {
                let (_, entry) = file.container.entry(index)?;
                (entry.data_offset, entry.data_length)
            };
            let Origin::File(_, _, Some(pages)) = &file.origin else { return Ok(()) };
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            pages.advise(start, len, how).map_err(|error| os::fault("the advice was refused", &error))
        })
    }
}
