//! Reading from and writing to a file descriptor that the caller owns.

use std::io;

/// A piece of memory to read into or write from.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Piece(libc::iovec);

impl Piece {
    /// Memory at `data`, `len` bytes long.
    pub fn new(data: *mut u8, len: usize) -> Piece {
        Piece(libc::iovec { iov_base: data.cast(), iov_len: len })
    }
}

fn number(fd: i64) -> io::Result<i32> {
    i32::try_from(fd).map_err(|_| io::Error::from_raw_os_error(libc::EBADF))
}

/// Whether a descriptor is a socket whose other end may be another machine's.
pub fn is_network(fd: i64) -> bool {
    let Ok(fd) = number(fd) else { return false };
    // SAFETY: all zero is an address of no family; the call writes at most the length that it is given.
    let (address, found) = unsafe {
        let mut address: libc::sockaddr_storage = std::mem::zeroed();
        let mut len = size_of::<libc::sockaddr_storage>() as libc::socklen_t;
        let found = libc::getsockname(fd, (&raw mut address).cast(), &raw mut len);
        (address, found)
    };
    found == 0 && i32::from(address.ss_family) != libc::AF_UNIX
}

/// Most pieces of one call.
fn count(pieces: &[Piece]) -> i32 {
    pieces.len().min(1024) as i32
}

/// Makes a call again for as long as signals interrupt it.
fn again(mut call: impl FnMut() -> isize) -> io::Result<usize> {
    loop {
        match usize::try_from(call()) {
            Ok(count) => return Ok(count),
            Err(_) => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}

/// Reads what is there into the pieces, in order; 0 is the end of the input.
///
/// # Safety
/// Each piece is writable memory.
pub unsafe fn read(fd: i64, pieces: &[Piece]) -> io::Result<usize> {
    let fd = number(fd)?;
    // SAFETY: as this function's own; a `Piece` is an iovec.
    again(|| unsafe { libc::readv(fd, pieces.as_ptr().cast(), count(pieces)) })
}

/// Writes to one descriptor. A reader that has gone is an error, never a signal.
pub struct Output {
    fd: i32,
    quiet: Option<Quiet>,
}

impl Output {
    /// The descriptor of a number.
    pub fn new(fd: i64) -> io::Result<Output> {
        Ok(Output { fd: number(fd)?, quiet: None })
    }

    /// Writes from the pieces, in order, as much as goes.
    ///
    /// # Safety
    /// Each piece is readable memory.
    pub unsafe fn write(&mut self, pieces: &[Piece]) -> io::Result<usize> {
        #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
        if self.quiet.is_none() {
            // SAFETY: all zero is a message without name, pieces and control data.
            let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
            message.msg_iov = pieces.as_ptr().cast_mut().cast();
            message.msg_iovlen = count(pieces) as _;
            // SAFETY: as this function's own.
            match again(|| unsafe { libc::sendmsg(self.fd, &raw const message, libc::MSG_NOSIGNAL) }) {
                Err(error) if error.raw_os_error() == Some(libc::ENOTSOCK) => {}
                done => return done,
            }
        }
        let quiet = self.quiet.get_or_insert_with(Quiet::new);
        // SAFETY: as this function's own.
        let done = again(|| unsafe { libc::writev(self.fd, pieces.as_ptr().cast(), count(pieces)) });
        if matches!(&done, Err(error) if error.raw_os_error() == Some(libc::EPIPE)) {
            quiet.take_signal();
        }
        done
    }
}

/// Holds SIGPIPE back in this thread until dropped.
struct Quiet {
    before: libc::sigset_t,
    /// One that the host had held back already stays its own.
    already: bool,
}

fn sigpipe() -> libc::sigset_t {
    // SAFETY: plain calls on a set of this frame.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGPIPE);
        set
    }
}

fn is_pending() -> bool {
    // SAFETY: plain calls on a set of this frame.
    unsafe {
        let mut pending: libc::sigset_t = std::mem::zeroed();
        libc::sigpending(&raw mut pending) == 0 && libc::sigismember(&raw const pending, libc::SIGPIPE) == 1
    }
}

impl Quiet {
    fn new() -> Quiet {
        let pipe = sigpipe();
        // SAFETY: plain calls on sets of this frame.
        unsafe {
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const pipe, &raw mut before);
            let held = libc::sigismember(&raw const before, libc::SIGPIPE) == 1;
            Quiet { before, already: held && is_pending() }
        }
    }

    /// Takes away the signal that a write has just raised.
    fn take_signal(&self) {
        if !self.already && is_pending() {
            let pipe = sigpipe();
            let mut signal = 0;
            // SAFETY: the signal is held back and pending, so that this does not wait.
            unsafe { libc::sigwait(&raw const pipe, &raw mut signal) };
        }
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // SAFETY: gives this thread the mask that it had.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, std::ptr::null_mut()) };
    }
}
