//! Writers that die, disks that are full, callbacks that fail.

use crate::door::*;
use crate::save::{folder, listing, save, vector};
use hurray::abi::*;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs one test of this binary in a process of its own, with a path in its environment.
fn child(test: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env("HURRAY_CHILD", path);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn path_of_child() -> Option<std::path::PathBuf> {
    std::env::var_os("HURRAY_CHILD").map(Into::into)
}

/// Saves over a path again and again, until it is killed. Says so once the first one is done.
#[test]
fn saves_for_ever() {
    let Some(path) = path_of_child() else { return };
    let big: Vec<f32> = (0..100_000).map(|k| k as f32).collect();
    let tensor = vector(&big);
    for round in 0u64.. {
        let writer = Writer::path(&path, &[(HURRAY_OPTION_DURABLE, 0)]).unwrap();
        for name in ["a", "b", "c"] {
            writer.put(name, &tensor.item()).unwrap();
        }
        writer.finish().unwrap();
        if round == 0 {
            eprint!("saving");
        }
    }
}

#[test]
fn a_writer_that_is_killed_leaves_a_whole_file() {
    let folder = folder("killed");
    let path = folder.join("a.hrry");
    let mut half_written = 0;
    for round in 0..200 {
        save(&path, &[("old", &vector(&[1.]))]);
        let mut command = child("crash::saves_for_ever", &path);
        let mut running: Child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Killed while it saves over what it saved, and, in every fourth round, at some moment of its life.
        if round % 4 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(round % 29));
        } else {
            let mut said = [0; 6];
            running.stderr.as_mut().unwrap().read_exact(&mut said).unwrap();
            assert_eq!(&said, b"saving");
            std::thread::sleep(std::time::Duration::from_micros(round * 37 % 2000));
        }
        running.kill().unwrap();
        running.wait().unwrap();
        let reader = Reader::path(&path, &[(HURRAY_OPTION_VERIFY, 1)]);
        let names = reader.unwrap_or_else(|failure| panic!("round {round}: {failure:?}")).names();
        let whole = names == ["a", "b", "c"] || (round % 4 == 0 && names == ["old"]);
        assert!(whole, "round {round}: {names:?}");
        let left: Vec<String> = listing(&folder).into_iter().filter(|name| name != "a.hrry").collect();
        assert!(left.len() <= 1, "{left:?}");
        for name in left {
            half_written += 1;
            let middle = name.strip_prefix(".hurray-").and_then(|name| name.strip_suffix(".tmp"));
            let is_ours = middle
                .is_some_and(|middle| middle.len() == 16 && middle.bytes().all(|b| b.is_ascii_hexdigit()));
            assert!(is_ours, "{name}");
            std::fs::remove_file(folder.join(name)).unwrap();
        }
    }
    // The moments are chance, but it does nothing else than save.
    assert!(half_written > 20, "{half_written} of 200 were in the middle of a file");
}

/// Saves with a limit on the size of files, and says how it went by its exit code.
#[test]
fn saves_with_a_size_limit() {
    let Some(path) = path_of_child() else { return };
    let limit = libc::rlimit { rlim_cur: 20_000, rlim_max: 20_000 };
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &limit), 0);
    }
    let writer = Writer::path(&path, &[]).unwrap();
    writer.put("small", &vector(&[1.]).item()).unwrap();
    let failure = writer.put("big", &vector(&[0.5; 10_000]).item()).unwrap_err();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, libc::EFBIG));
    assert_eq!(writer.finish().unwrap_err(), failure);
}

#[test]
fn b67_a_full_disk_leaves_the_old_file() {
    let folder = folder("full");
    let path = folder.join("a.hrry");
    save(&path, &[("old", &vector(&[1.]))]);
    let old = std::fs::read(&path).unwrap();
    assert!(child("crash::saves_with_a_size_limit", &path).status().unwrap().success());
    assert_eq!(std::fs::read(&path).unwrap(), old);
    assert_eq!(listing(&folder), ["a.hrry"]);
}

#[test]
fn a_full_device_is_an_error_of_the_system() {
    let writer = Writer::path(Path::new("/dev/full"), &[]).unwrap();
    let failure = writer.put("x", &vector(&[1.]).item()).unwrap_err();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, libc::ENOSPC));
    drop(writer);
    assert!(!std::fs::metadata("/dev/full").unwrap().is_file());
}

#[test]
fn a_folder_is_no_target() {
    let folder = folder("target");
    let failure = Writer::path(&folder, &[]).err().unwrap();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, libc::EISDIR));
    let failure = Writer::path(&folder.join("none/a.hrry"), &[]).err().unwrap();
    assert_eq!((failure.status, failure.os_error), (HURRAY_ERR_IO, libc::ENOENT));
}

/// Forks with a writer at hand: only the process that made it may write.
#[test]
fn forks_with_a_writer() {
    let Some(path) = path_of_child() else { return };
    let writer = Writer::path(&path, &[]).unwrap();
    writer.put("x", &vector(&[1.]).item()).unwrap();
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let refused = [unsafe { hurray_file_writer_finish(writer.0) }, unsafe {
            hurray_file_writer_put(writer.0, c"y".as_ptr(), 1, std::ptr::null())
        }];
        drop(writer);
        let well = refused == [HURRAY_ERR_UNSUPPORTED; 2];
        unsafe { libc::_exit(i32::from(!well)) };
    }
    let mut status = 1;
    assert_eq!(unsafe { libc::waitpid(pid, &mut status, 0) }, pid);
    assert_eq!(status, 0);
    // The child's end touched no file.
    writer.put("y", &vector(&[2.]).item()).unwrap();
    writer.finish().unwrap();
}

#[test]
fn a_fork_leaves_the_file_to_its_maker() {
    let path = folder("fork").join("a.hrry");
    assert!(child("crash::forks_with_a_writer", &path).status().unwrap().success());
    assert_eq!(Reader::path(&path, &[]).unwrap().names(), ["x", "y"]);
}
