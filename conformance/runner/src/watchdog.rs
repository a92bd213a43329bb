//! Ends adapters that take too long or too much memory.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A limit that the environment may set.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

const PAUSE: Duration = Duration::from_millis(50);

struct Watched {
    deadline: Option<Instant>,
    verdict: Option<String>,
}

static WATCHED: OnceLock<Mutex<HashMap<u32, Watched>>> = OnceLock::new();

fn watched() -> MutexGuard<'static, HashMap<u32, Watched>> {
    let table = WATCHED.get_or_init(|| {
        thread::spawn(watch);
        Mutex::new(HashMap::new())
    });
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    // Inputs are small: no adapter needs so much resident memory.
    let most = setting("CONFORMANCE_MEGABYTES", 2048) << 10;
    loop {
        thread::sleep(PAUSE);
        let now = Instant::now();
        for (&pid, one) in watched().iter_mut().filter(|(_, one)| one.verdict.is_none()) {
            if one.deadline.is_some_and(|deadline| now > deadline) {
                one.verdict = Some("it took too long and was ended".to_owned());
            } else if let Some(kilobytes) = resident(pid).filter(|&kilobytes| kilobytes > most) {
                one.verdict = Some(format!("it took {} MiB of memory and was ended", kilobytes >> 10));
            }
            if one.verdict.is_some() {
                end(pid);
            }
        }
    }
}

/// Resident memory of a process, where the system tells.
fn resident(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Ends an adapter, which leads a process group of its own.
pub(crate) fn end(pid: u32) {
    let mut kill = Command::new("kill");
    let _ = kill.args(["-KILL", "--", &format!("-{pid}")]).stderr(Stdio::null()).status();
}

/// Begins to watch a process.
pub(crate) fn add(pid: u32) {
    watched().insert(pid, Watched { deadline: None, verdict: None });
}

/// Sets or lifts the time by which an answer must have come.
pub(crate) fn set(pid: u32, time: Option<Duration>) {
    if let Some(one) = watched().get_mut(&pid) {
        one.deadline = time.map(|time| Instant::now() + time);
    }
}

/// Ends watching; why the process was ended, if it was.
pub(crate) fn remove(pid: u32) -> Option<String> {
    watched().remove(&pid).and_then(|one| one.verdict)
}
