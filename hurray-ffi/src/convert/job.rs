//! One conversion's run: how far it is, whether it goes on, and on how many threads.

use crate::format::Fault;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Bytes between two looks at the meter.
pub const CHUNK: usize = 1 << 20;

/// Least bytes of a run that is worth threads.
const WORTH_THREADS: u64 = 4 << 20;

/// Counts the bytes of a call, and says when to stop.
pub trait Meter: Sync {
    /// Starts the count of a call: so many bytes are going to be done.
    fn begin(&self, total: u64);

    /// Counts bytes done.
    ///
    /// # Errors
    /// `CANCELLED`.
    fn step(&self, bytes: u64) -> Result<(), Fault>;

    /// All is done.
    fn end(&self);
}

/// What a conversion is given besides its data.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    meter: Option<&'a dyn Meter>,
    threads: usize,
}

impl<'a> Job<'a> {
    /// A run under a meter, on at most so many threads.
    pub fn new(meter: Option<&'a dyn Meter>, threads: usize) -> Job<'a> {
        Job { meter, threads: threads.max(1) }
    }

    /// So many bytes are going to be written.
    pub fn begin(&self, total: u64) {
        if let Some(meter) = self.meter {
            meter.begin(total);
        }
    }

    /// Counts bytes written.
    ///
    /// # Errors
    /// `CANCELLED`: the conversion ends at once.
    pub fn step(&self, bytes: u64) -> Result<(), Fault> {
        self.meter.map_or(Ok(()), |meter| meter.step(bytes))
    }

    /// All is done, what no step has counted too.
    pub fn end(&self) {
        if let Some(meter) = self.meter {
            meter.end();
        }
    }

    /// Threads for a run that writes so many bytes: one, unless more were asked for and pay.
    pub fn threads(&self, bytes: u64) -> usize {
        if bytes < WORTH_THREADS { 1 } else { self.threads.min((bytes >> 20) as usize) }
    }

    /// Writes `out` piece by piece: `body` gets the position of a piece and the piece, whose length is a multiple of
    /// `unit` bytes but for the last one. Pieces are near [`CHUNK`] bytes and come in no order.
    ///
    /// # Errors
    /// Those of `body`; `CANCELLED`.
    pub fn pieces(
        &self,
        out: &mut [u8],
        unit: usize,
        body: impl Fn(usize, &mut [u8]) -> Result<(), Fault> + Sync,
    ) -> Result<(), Fault> {
        let unit = unit.max(1);
        let size = (CHUNK / unit).max(1).saturating_mul(unit);
        let threads = self.threads(out.len() as u64);
        let pieces = out.chunks_mut(size).enumerate();
        self.run(threads, pieces, |(k, piece)| {
            let len = piece.len() as u64;
            body(k * size, piece)?;
            self.step(len)
        })
    }

    /// Does each task once, on so many threads. After a fault no further task is begun.
    ///
    /// # Errors
    /// The first fault of `body`.
    pub fn run<T: Send>(
        &self,
        threads: usize,
        mut tasks: impl Iterator<Item = T> + Send,
        body: impl Fn(T) -> Result<(), Fault> + Sync,
    ) -> Result<(), Fault> {
        if threads <= 1 {
            return tasks.try_for_each(body);
        }
        let (tasks, first, stop) = (Mutex::new(tasks), Mutex::new(None), AtomicBool::new(false));
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let Some(task) = tasks.lock().ok().and_then(|mut tasks| tasks.next()) else { return };
                if let Err(fault) = body(task) {
                    stop.store(true, Ordering::Relaxed);
                    if let Ok(mut first) = first.lock() {
                        first.get_or_insert(fault);
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // Where the system gives no further thread, those that run do the work.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        first.into_inner().ok().flatten().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Status;
    use std::sync::atomic::AtomicU64;

    #[derive(Default)]
    struct Count {
        total: AtomicU64,
        done: AtomicU64,
        stop_after: u64,
    }

    impl Meter for Count {
        fn begin(&self, total: u64) {
            self.total.store(total, Ordering::Relaxed);
        }

        fn step(&self, bytes: u64) -> Result<(), Fault> {
            let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
            if self.stop_after > 0 && done >= self.stop_after {
                return Err(Fault::answer(Status::CANCELLED));
            }
            Ok(())
        }

        fn end(&self) {
            self.done.store(self.total.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    #[test]
    fn every_piece_is_written_once() {
        for threads in [1, 3] {
            let meter = Count::default();
            let mut out = vec![0u8; 5 * CHUNK + 77];
            let job = Job::new(Some(&meter), threads);
            job.begin(out.len() as u64);
            let write = |at: usize, piece: &mut [u8]| {
                assert!(at.is_multiple_of(24));
                for (k, byte) in piece.iter_mut().enumerate() {
                    *byte = byte.wrapping_add(((at + k) % 251) as u8 + 1);
                }
                Ok(())
            };
            job.pieces(&mut out, 24, write).unwrap();
            assert!(out.iter().enumerate().all(|(k, &byte)| byte == (k % 251) as u8 + 1));
            assert_eq!(meter.done.into_inner(), out.len() as u64);
        }
    }

    #[test]
    fn a_cancelled_run_ends() {
        for threads in [1, 2] {
            let meter = Count { stop_after: 1, ..Count::default() };
            let begun = AtomicU64::new(0);
            let mut out = vec![0u8; 64 * CHUNK];
            let count = |_: usize, _: &mut [u8]| {
                begun.fetch_add(1, Ordering::Relaxed);
                Ok(())
            };
            let fault = Job::new(Some(&meter), threads).pieces(&mut out, 1, count).unwrap_err();
            assert_eq!(fault.status, Status::CANCELLED);
            assert!(begun.into_inner() <= threads as u64);
        }
    }

    #[test]
    fn small_runs_have_one_thread() {
        assert_eq!(Job::new(None, 8).threads(WORTH_THREADS - 1), 1);
        assert_eq!(Job::new(None, 8).threads(WORTH_THREADS), 4);
        assert_eq!(Job::new(None, 8).threads(1 << 40), 8);
    }
}
