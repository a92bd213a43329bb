//! The two ready-made loops over a file descriptor: the one place where the library itself touches a stream.

use super::guard::{clear, wanted};
use super::handles::{HurrayItem, HurrayStatus, HurrayStreamReader, HurrayStreamWriter};
use super::stream_reader::{no_item, refused, take};
use super::{stream_reader, stream_writer};
use crate::format::{Fault, Status};
use crate::io::os::{self, Output, Piece};
use crate::io::stream::Rooms;
use smallvec::SmallVec;
use std::io;

/// Pieces of one system call.
const PIECES: usize = 64;

fn failed(what: &'static str, error: &io::Error) -> Fault {
    Fault { os_error: error.raw_os_error().unwrap_or(0), ..Fault::new(Status::IO, "", what) }
}

/// Reads the next item from a file descriptor: a pipe, a socket, a file. `HURRAY_OK` with an item, `HURRAY_END` at the end
/// of the stream, `HURRAY_NEED_MORE` when a non-blocking descriptor has nothing to give now: call again when it is
/// readable, nothing is lost.
///
/// The bytes of large buffers go straight to their final place. Interrupted calls are made again. With `READ_AHEAD` 0
/// nothing past the item is read; with more, one call of the system brings many small items, and
/// `hurray_stream_reader_unread` has what is left over. Blocks as the descriptor does; to stop, shut the descriptor down.
///
/// From a socket other than a Unix one `CROSS_MACHINE` holds. A PING is answered by whoever sends what
/// `hurray_stream_reader_reply` has; this call returns with an item, not for a PING.
///
/// *Ownership:* the item is the caller's; the descriptor stays the caller's, open, with its flags.
/// *Errors:* `HURRAY_ERR_IO` (the system's number is in `hurray_last_error_info`), those of `hurray_stream_reader_next`.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_read_fd(
    reader: *mut HurrayStreamReader,
    fd: i64,
    out_item: *mut *mut HurrayItem,
) -> HurrayStatus {
    // SAFETY: the caller's by contract.
    unsafe { clear(out_item) };
    dispatch!(STREAM_READER, reader, stream_read_fd(reader, fd, out_item))
}

pub(crate) unsafe fn read(
    reader: *mut HurrayStreamReader,
    fd: i64,
    out_item: *mut *mut HurrayItem,
) -> Result<(), Fault> {
    // SAFETY: routed here; the output is the caller's by contract.
    unsafe {
        wanted(out_item, "out_item")?;
        stream_reader::with(reader, |reader| {
            reader.source(fd, os::is_network);
            loop {
                if take(reader, out_item)? {
                    return Ok(());
                }
                let none = no_item(reader);
                if none.status != Status::NEED_MORE {
                    return Err(none);
                }
                let mut pieces: SmallVec<[Piece; 2]> = SmallVec::new();
                let mut limit = usize::MAX;
                let Rooms { region, staging } = reader.rooms().map_err(refused)?;
                let refusal = match region {
                    None => {
                        pieces.push(Piece::new(staging.as_mut_ptr(), staging.len()));
                        None
                    }
                    Some((region, left)) => match region.room(left, false) {
                        Err(fault) => Some(fault),
                        Ok((start, size)) => {
                            limit = size;
                            pieces.push(Piece::new(start, limit));
                            // Only a buffer that can fill up is followed by other bytes.
                            if limit == left && !staging.is_empty() {
                                pieces.push(Piece::new(staging.as_mut_ptr(), staging.len()));
                            }
                            None
                        }
                    },
                };
                if let Some(fault) = refusal {
                    return Err(refused(reader.refuse(fault)));
                }
                reader.limit_window(limit);
                match os::read(fd, &pieces) {
                    Ok(0) => reader.finish().map_err(refused)?,
                    Ok(count) => reader.advance(count).map_err(refused)?,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        return Err(Fault::answer(Status::NEED_MORE));
                    }
                    Err(error) => {
                        let fault = failed("reading from the file descriptor failed", &error);
                        return Err(refused(reader.refuse(fault)));
                    }
                }
            }
        })
    }
}

/// Writes everything that waits to a file descriptor. `HURRAY_OK` when all of it went out, `HURRAY_NEED_MORE` when a
/// non-blocking descriptor takes no more now: call again when it is writable, nothing is lost or written twice.
///
/// Interrupted calls are made again. A reader that has gone is an error (the system's EPIPE), never a SIGPIPE: sockets
/// are written to with `MSG_NOSIGNAL`, for others the signal is held back in this thread during the call.
///
/// To a socket other than a Unix one a tensor whose sync mode may not cross machines is `HURRAY_ERR_INVALID_SYNC_MODE`
/// before its first byte, and ends the writer.
///
/// *Ownership:* the descriptor stays the caller's, open, with its flags. *Errors:* `HURRAY_ERR_IO` (the system's number is
/// in `hurray_last_error_info`), the error that ended the writer, `HURRAY_ERR_INVALID_HANDLE`, `HURRAY_ERR_NULL_POINTER`.
/// *Threads:* one at a time. *Since:* 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hurray_stream_write_fd(writer: *mut HurrayStreamWriter, fd: i64) -> HurrayStatus {
    dispatch!(STREAM_WRITER, writer, stream_write_fd(writer, fd))
}

pub(crate) unsafe fn write(writer: *mut HurrayStreamWriter, fd: i64) -> Result<(), Fault> {
    // SAFETY: routed here.
    unsafe {
        stream_writer::with(writer, |this| {
            let events = this.events;
            let writer = this.usable()?;
            if let Some(fault) = events
                && writer.left() > 0
                && os::is_network(fd)
            {
                return Err(refused(writer.refuse(fault)));
            }
            let failure = |error: &io::Error| failed("writing to the file descriptor failed", error);
            let mut output = match Output::new(fd) {
                Ok(output) => output,
                Err(error) => return Err(refused(writer.refuse(failure(&error)))),
            };
            while writer.left() > 0 {
                let pieces: SmallVec<[Piece; PIECES]> = writer
                    .chunks()
                    .take(PIECES)
                    .map(|bytes| Piece::new(bytes.as_ptr().cast_mut(), bytes.len()))
                    .collect();
                match output.write(&pieces) {
                    Ok(count) => writer.advance(count as u64)?,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        return Err(Fault::answer(Status::NEED_MORE));
                    }
                    Err(error) => return Err(refused(writer.refuse(failure(&error)))),
                }
            }
            Ok(())
        })
    }
}
