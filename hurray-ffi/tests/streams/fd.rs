//! The loops over a file descriptor, on pipes and socket pairs, against writers and readers that are slow, stop or die.

use crate::compose::*;
use crate::read::*;
use crate::status::*;
use crate::write::*;
use hurray::abi::*;
use std::fs::File;
use std::io::{Read, Write as _};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

impl Reader {
    /// The next item from a descriptor, or the progress code.
    fn read_fd(&self, fd: &impl AsRawFd) -> Result<Result<Item, i32>, Refusal> {
        let mut item = std::ptr::dangling_mut();
        // SAFETY: a live handle, an output of this frame.
        let got = unsafe { hurray_stream_read_fd(self.0, i64::from(fd.as_raw_fd()), &raw mut item) };
        assert_eq!(got != 0, item.is_null());
        Ok(if outcome(got)? == 0 { Ok(Item(item)) } else { Err(got) })
    }

    fn read_all(&self, fd: &impl AsRawFd) -> (Vec<Got>, Result<i32, Refusal>) {
        let mut items = Vec::new();
        loop {
            match self.read_fd(fd) {
                Ok(Ok(item)) => items.push(item.got()),
                Ok(Err(code)) => return (items, Ok(code)),
                Err(said) => return (items, Err(said)),
            }
        }
    }
}

impl Writer {
    fn write_fd(&self, fd: &impl AsRawFd) -> Result<i32, Refusal> {
        // SAFETY: a live handle.
        outcome(unsafe { hurray_stream_write_fd(self.0, i64::from(fd.as_raw_fd())) })
    }
}

fn pipe() -> (OwnedFd, OwnedFd) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    (reader.into(), writer.into())
}

fn sockets() -> (OwnedFd, OwnedFd) {
    let (a, b) = UnixStream::pair().expect("a socket pair");
    (a.into(), b.into())
}

fn file(fd: OwnedFd) -> File {
    fd.into()
}

/// Small and large tensors, the largest above 1 MiB.
fn large() -> Vec<Desc> {
    let mut all = mixture();
    all.extend([bytes_of(&[1_300_000]), bytes_of(&[100_000]), bytes_of(&[5])]);
    all
}

#[test]
fn items_go_through_pipes_and_sockets() {
    for connect in [pipe, sockets] {
        for (writer, ahead) in [(Writer::bare(), 0), (Writer::framed(3, 0), 65536), (Writer::bare(), 65536)] {
            let (from, to) = connect();
            let sender = std::thread::spawn(move || {
                for item in items(&large()) {
                    writer.put(&item).unwrap();
                    assert_eq!(writer.write_fd(&to), Ok(OK));
                }
            });
            let (got, ended) = Reader::new(&[(READ_AHEAD, ahead)]).read_all(&from);
            assert_eq!((got, ended), (expected(&large()), Ok(END)));
            sender.join().unwrap();
        }
    }
}

#[test]
fn nothing_is_read_beyond_the_item() {
    for connect in [pipe, sockets] {
        for all in [mixture(), nested()] {
            for bytes in [bare(&all), framed(&all, 1)] {
                let (from, to) = connect();
                let mut to = file(to);
                to.write_all(&bytes).unwrap();
                to.write_all(b"and then something else").unwrap();
                let reader = Reader::new(&[]);
                for item in expected(&all) {
                    assert_eq!(reader.read_fd(&from).unwrap().unwrap().got(), item);
                }
                drop(to);
                let mut rest = String::new();
                file(from).read_to_string(&mut rest).unwrap();
                assert_eq!(rest, "and then something else");
            }
        }
    }
}

#[test]
fn after_an_error_of_the_peer_other_stream_ids_go_on() {
    let (a, b) = (bytes_of(&[2, 3]), csr());
    let bytes = [a.framed(1), error(1, 8, b"no such shard"), b.framed(2)].concat();
    for ahead in [0, 4096] {
        let (from, to) = sockets();
        file(to).write_all(&bytes).unwrap();
        let reader = Reader::new(&[(READ_AHEAD, ahead)]);
        let next = || reader.read_fd(&from).map(|read| read.map(|item| item.got()));
        assert_eq!(next(), Ok(Ok(expected(std::slice::from_ref(&a)).remove(0))));
        let said = next().unwrap_err();
        assert_eq!(said.status, UNSUPPORTED);
        assert!(said.text.contains("code 8: no such shard"), "{said:?}");
        assert_eq!(next(), Ok(Ok(expected(std::slice::from_ref(&b)).remove(0))));
        // Not a clean end.
        assert_eq!(next(), Err(said.clone()));
        assert_eq!(next(), Err(said));
    }
}

#[test]
fn what_was_read_ahead_is_handed_on() {
    let (from, to) = pipe();
    let mut to = file(to);
    to.write_all(&[bytes_of(&[9]).bare(), b"HRRY\x01 is not a tensor".to_vec()].concat()).unwrap();
    let reader = Reader::new(&[(READ_AHEAD, 65536)]);
    assert!(reader.read_fd(&from).unwrap().is_ok());
    assert_eq!(reader.unread(), b"HRRY\x01 is not a tensor");
}

#[test]
fn the_peer_may_die_at_every_byte() {
    let all = [bytes_of(&[2, 3]), head(3, 0, 1, &[]), csr()];
    for (bytes, clean) in [
        (bare(&all), [0, all[0].bare().len(), bare(&all).len()]),
        (framed(&all, 1), [0, all[0].framed(1).len(), framed(&all, 1).len()]),
    ] {
        for cut in 0..=bytes.len() {
            for ahead in [0, 4096] {
                let (from, to) = sockets();
                file(to).write_all(&bytes[..cut]).unwrap();
                let (got, ended) = Reader::new(&[(READ_AHEAD, ahead)]).read_all(&from);
                assert_eq!(got.len(), clean[1..].iter().filter(|&&end| end <= cut).count());
                match ended {
                    Ok(code) => assert!(code == END && clean.contains(&cut)),
                    Err(said) => assert!(matches!(said.status, TRUNCATED | TORN) && !clean.contains(&cut)),
                }
            }
        }
    }
}

/// Makes a descriptor answer instead of wait.
fn non_blocking(fd: &impl AsRawFd) {
    // SAFETY: plain calls on a live descriptor.
    unsafe {
        let flags = libc::fcntl(fd.as_raw_fd(), libc::F_GETFL);
        assert_eq!(libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK), 0);
    }
}

#[test]
fn non_blocking_descriptors_keep_their_place() {
    let (all, wanted) = (items(&large()), expected(&large()));
    for connect in [pipe, sockets] {
        for writer in [Writer::bare(), Writer::framed(8, 0)] {
            let (from, to) = connect();
            non_blocking(&from);
            non_blocking(&to);
            let reader = Reader::new(&[]);
            assert_eq!(reader.read_fd(&from).unwrap().err(), Some(NEED_MORE));
            all.iter().for_each(|item| assert_eq!(writer.put(item), Ok(OK)));
            let mut got = Vec::new();
            let mut waited = 0;
            while got.len() < wanted.len() {
                let sent = writer.write_fd(&to).unwrap();
                waited += usize::from(sent == NEED_MORE);
                while let Ok(item) = reader.read_fd(&from).unwrap() {
                    got.push(item.got());
                }
            }
            assert!(waited > 5, "the other side was full {waited} times");
            assert!(got == wanted);
            drop(to);
            assert_eq!(reader.read_fd(&from).unwrap().err(), Some(END));
        }
    }
}

#[test]
fn a_reader_that_has_gone_is_an_error_and_no_signal() {
    // SAFETY: plain calls; the default action of the signal would end this process.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    for connect in [pipe, sockets] {
        let (from, to) = connect();
        drop(from);
        let writer = Writer::bare();
        writer.put(&items(&[bytes_of(&[10])])[0]).unwrap();
        let said = writer.write_fd(&to).unwrap_err();
        assert_eq!((said.status, os_error()), (IO, libc::EPIPE));
        assert_eq!(writer.write_fd(&to).unwrap_err(), said, "a writer stays in its error");
    }
    // One that the host holds back already stays pending for it.
    // SAFETY: plain calls on sets of this frame.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigpending(&raw mut set);
        assert_eq!(libc::sigismember(&raw const set, libc::SIGPIPE), 0, "none is left behind");
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
    }
}

#[test]
fn descriptors_that_cannot_be_used() {
    let reader = Reader::new(&[]);
    let mut item = std::ptr::dangling_mut();
    // SAFETY: a live handle, an output of this frame.
    let got = unsafe { hurray_stream_read_fd(reader.0, -1, &raw mut item) };
    assert_eq!((got, os_error()), (IO, libc::EBADF));
    let writer = Writer::bare();
    writer.put(&items(&[bytes_of(&[10])])[0]).unwrap();
    // SAFETY: a live handle.
    assert_eq!(unsafe { hurray_stream_write_fd(writer.0, i64::MAX) }, IO);
    assert_eq!(os_error(), libc::EBADF);
    let (from, _to) = pipe();
    let writer = Writer::bare();
    writer.put(&items(&[bytes_of(&[10])])[0]).unwrap();
    assert_eq!(writer.write_fd(&from).unwrap_err().status, IO, "the reading end");
    assert_eq!(Writer::bare().write_fd(&from), Ok(OK), "nothing to write");
}

extern "C" fn on_signal(_: i32) {}

#[test]
fn interrupted_calls_are_made_again() {
    // A handler without SA_RESTART, and a thread that is interrupted while it waits.
    // SAFETY: plain calls; the handler does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(i32) as usize;
        libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut());
    }
    let (from, to) = pipe();
    let (told, thread) = std::sync::mpsc::channel();
    let receiver = std::thread::spawn(move || {
        // SAFETY: no arguments.
        told.send(unsafe { libc::pthread_self() }).unwrap();
        Reader::new(&[]).read_all(&from)
    });
    let thread = thread.recv().unwrap();
    let mut to = file(to);
    for byte in bare(&[bytes_of(&[2, 3])]) {
        // SAFETY: the thread runs until the end of the input, which is not here yet.
        assert_eq!(unsafe { libc::pthread_kill(thread, libc::SIGUSR1) }, 0);
        to.write_all(&[byte]).unwrap();
    }
    drop(to);
    assert_eq!(receiver.join().unwrap(), (expected(&[bytes_of(&[2, 3])]), Ok(END)));
}

#[test]
fn a_reader_can_be_ended_at_any_point() {
    let bytes = bare(&[head(3, 0, 2, &[]), bytes_of(&[2 << 20]), csr()]);
    for cut in [0, 3, 40, 60, 130, 2_000_000, bytes.len() - 1] {
        let reader = Reader::new(&[]);
        assert_eq!(reader.feed(&bytes[..cut]), Ok(cut));
        drop(reader);
    }
}

#[test]
fn a_file_is_a_stream_too() {
    let path = std::env::temp_dir().join(format!("hurray-stream-{}", std::process::id()));
    let writer = Writer::bare();
    items(&large()).iter().for_each(|item| assert_eq!(writer.put(item), Ok(OK)));
    assert_eq!(writer.write_fd(&File::create(&path).unwrap()), Ok(OK));
    let there = std::fs::read(&path).unwrap();
    let (got, ended) = Reader::new(&[(READ_AHEAD, 1 << 16)]).read_all(&File::open(&path).unwrap());
    std::fs::remove_file(&path).unwrap();
    assert_eq!(there, bare(&large()));
    assert_eq!((got, ended), (expected(&large()), Ok(END)));
}

#[test]
fn a_network_carries_no_events() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let mut near = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (far, _) = listener.accept().unwrap();
    let event = bytes_of(&[4]).on(1, 1, 0);
    let reader = Reader::new(&[]);
    near.write_all(&[bytes_of(&[3]).bare(), event.bare()].concat()).unwrap();
    assert!(reader.read_fd(&far).unwrap().is_ok());
    let said = reader.read_fd(&far).err().expect("a refusal");
    assert_eq!((said.status, said.rule()), (INVALID_SYNC_MODE, "S-008"));
    // Inside the machine it is the option's to say.
    let (from, to) = sockets();
    file(to).write_all(&event.bare()).unwrap();
    let item = Reader::new(&[]).read_fd(&from).unwrap().unwrap();
    let writer = Writer::bare();
    writer.put(&item).unwrap();
    let said = writer.write_fd(&near).unwrap_err();
    assert_eq!((said.status, said.rule()), (INVALID_SYNC_MODE, "B-010"));
    assert_eq!(writer.write_fd(&near).err(), Some(said), "it stays");
    let writer = Writer::bare();
    writer.put(&item).unwrap();
    let (from, to) = sockets();
    writer.write_fd(&to).unwrap();
    drop(to);
    assert!(Reader::new(&[]).read_fd(&from).unwrap().is_ok());
    // What went elsewhere does not count.
    assert_eq!(writer.write_fd(&near), Ok(OK));
}

#[test]
fn nothing_past_an_unknown_layout_is_read() {
    let unknown = Desc { layout: 0x30, ..csr() };
    let rest = [unknown.data(), bytes_of(&[3]).bare()].concat();
    let (from, to) = pipe();
    file(to).write_all(&[bytes_of(&[2]).bare(), unknown.bytes(), rest.clone()].concat()).unwrap();
    let reader = Reader::new(&[(1, 1)]);
    let (items, ended) = reader.read_all(&from);
    assert_eq!(items.last(), Some(&Got::Alone(unknown.bytes(), None)));
    let said = ended.unwrap_err();
    assert_eq!((items.len(), said.status), (2, UNSUPPORTED));
    assert_eq!(reader.read_fd(&from).err(), Some(said), "it stays");
    let mut left = Vec::new();
    file(from).read_to_end(&mut left).unwrap();
    assert_eq!((left, reader.unread()), (rest, Vec::new()));
}
