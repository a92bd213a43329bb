//! Streams, as the package's `stream` module uses them: bytes in and out of windows of memory.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use hurray_client::{Arrival, Error, Options, Status, StreamReader as Reader, StreamWriter as Writer};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use pyo3::{ffi, intern};

use crate::errors::{exception, raise};
use crate::item::{to_item, to_object};

/// The exception of a failed call on a stream: of the descriptor's class when a descriptor is at fault.
#[cold]
fn failed(py: Python<'_>, error: Error) -> PyErr {
    let of_stream = matches!(error.status, Status::IO | Status::CORRUPT | Status::TORN)
        || error.message.starts_with("S-")
        || error.message.starts_with("the peer ");
    if of_stream { exception(py, "StreamError", &error.to_string(), error.status) } else { raise(py, error) }
}

fn options(py: Python<'_>, settings: Vec<(u32, u64)>) -> PyResult<Options> {
    let mut options = Options::new().map_err(|error| raise(py, error))?;
    for (option, value) in settings {
        options.set(option, value).map_err(|error| raise(py, error))?;
    }
    Ok(options)
}

/// Most items that are written together, and the pieces in memory that are enough.
const BATCH: usize = 256;
const PIECES: usize = 32;

/// `PyBUF_READ` and `PyBUF_WRITE` of Python's own header.
const PYBUF_READ: i32 = 0x100;
const PYBUF_WRITE: i32 = 0x200;

/// A view of memory that the caller releases before the next call.
fn view<'py>(py: Python<'py>, data: *mut u8, size: usize, flags: i32) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the package's own module releases the view before the memory goes: see `stream.py`.
    unsafe {
        let raw = ffi::PyMemoryView_FromMemory(data.cast(), size.cast_signed(), flags);
        Bound::from_owned_ptr_or_err(py, raw)
    }
}

/// Items out of the bytes of a stream: of a descriptor, or of a source, of which `read` puts bytes into the memory that
/// it is given.
#[pyclass(module = "hurray._hurray", frozen)]
pub struct StreamReader {
    state: Mutex<State>,
    closed: AtomicBool,
    read: Py<PyAny>,
    fd: Option<RawFd>,
}

struct State {
    reader: Reader,
    ended: bool,
}

impl State {
    /// So many bytes arrived in the window; none are the end of the input.
    fn arrived(&mut self, py: Python<'_>, count: usize) -> PyResult<()> {
        if count > 0 { self.reader.advance(count) } else { self.reader.finish() }
            .map_err(|error| failed(py, error))
    }

    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match self.reader.next_item().map_err(|error| failed(py, error))? {
            Arrival::Item(item) => to_object(py, item).map(Some),
            Arrival::NeedMore => Ok(None),
            Arrival::End => {
                self.ended = true;
                Ok(None)
            }
        }
    }
}

impl StreamReader {
    /// The reader, for one thread at a time.
    fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        self.state.try_lock().map_err(|_| PyRuntimeError::new_err("the stream is in use by another thread"))
    }

    /// Has bytes put where they belong.
    fn fetch(&self, py: Python<'_>) -> PyResult<()> {
        match self.fd {
            Some(fd) if self.read_from(py, fd)? => Ok(()),
            _ => self.call_read(py),
        }
    }

    /// Reads from a descriptor; false when it would block.
    fn read_from(&self, py: Python<'_>, fd: RawFd) -> PyResult<bool> {
        let mut state = self.state()?;
        let window = state.reader.window().map_err(|error| failed(py, error))?;
        // SAFETY: the descriptor stays its owner's: what would close it is never dropped.
        let mut file = ManuallyDrop::new(unsafe { File::from_raw_fd(fd) });
        match py.detach(|| file.read(window)) {
            Ok(count) => state.arrived(py, count).map(|()| true),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                // A signal's handler may use the stream.
                drop(state);
                py.check_signals().map(|()| true)
            }
            Err(error) => {
                let number = error.raw_os_error();
                let text = py.import(intern!(py, "os"))?.call_method1(intern!(py, "strerror"), (number,))?;
                Err(PyOSError::new_err((number, text.unbind())))
            }
        }
    }

    /// Has the source read. It is Python code: the reader is not held while it runs.
    fn call_read(&self, py: Python<'_>) -> PyResult<()> {
        let window = {
            let mut state = self.state()?;
            let window = state.reader.window().map_err(|error| failed(py, error))?;
            view(py, window.as_mut_ptr(), window.len(), PYBUF_WRITE)?
        };
        let count = self.read.bind(py).call1((&window,));
        window.call_method0(intern!(py, "release"))?;
        self.state()?.arrived(py, count?.extract()?)
    }
}

#[pymethods]
impl StreamReader {
    #[new]
    fn new(py: Python<'_>, settings: Vec<(u32, u64)>, read: Py<PyAny>, fd: Option<RawFd>) -> PyResult<Self> {
        let options = options(py, settings)?;
        let reader = Reader::new(Some(&options)).map_err(|error| failed(py, error))?;
        let state = Mutex::new(State { reader, ended: false });
        // Of a number that cannot be one, Python's own call gives the error.
        let fd = fd.filter(|&fd| fd >= 0);
        Ok(Self { state, closed: AtomicBool::new(false), read, fd })
    }

    /// The next item, however many bytes are to be read for it; None at the end.
    fn read_next(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        loop {
            if self.closed.load(Ordering::Relaxed) {
                let text = "the stream is closed";
                return Err(exception(py, "InvalidArgumentError", text, Status::INVALID_ARGUMENT));
            }
            {
                let mut state = self.state()?;
                let item = state.next(py)?;
                if item.is_some() || state.ended {
                    return Ok(item);
                }
            }
            self.fetch(py)?;
        }
    }

    /// No more items are given. The memory stays until the object goes: a read may be under way in it.
    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Takes bytes in, up to the end of an item; how many.
    fn feed(&self, py: Python<'_>, data: &[u8]) -> PyResult<usize> {
        self.state()?.reader.feed(data).map_err(|error| failed(py, error))
    }

    /// The next item; None when bytes are missing, or when `ended` is set.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.state()?.next(py)
    }

    /// Whether all items were given.
    #[getter]
    fn ended(&self) -> PyResult<bool> {
        Ok(self.state()?.ended)
    }

    /// No more bytes come.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.state()?.reader.finish().map_err(|error| failed(py, error))
    }

    /// The stream id of the last item.
    #[getter]
    fn stream_id(&self, py: Python<'_>) -> PyResult<u32> {
        self.state()?.reader.stream_id().map_err(|error| failed(py, error))
    }

    /// Bytes that were read ahead.
    #[getter]
    fn unread(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.state()?.reader.unread().map(<[u8]>::to_vec).map_err(|error| failed(py, error))
    }

    /// The messages owed to the peer, once.
    fn reply(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.state()?.reader.reply().map_err(|error| failed(py, error))
    }
}

/// What a `for` loop over a reader goes through.
#[pyclass(module = "hurray._hurray", frozen)]
pub struct StreamItems {
    reader: Py<StreamReader>,
    /// The package's own reader, which closes what it opened when it goes.
    _owner: Py<PyAny>,
}

#[pymethods]
impl StreamItems {
    #[new]
    fn new(reader: Py<StreamReader>, owner: Py<PyAny>) -> Self {
        Self { reader, _owner: owner }
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.reader.get().read_next(py)
    }
}

/// The bytes of items.
#[pyclass(module = "hurray._hurray")]
pub struct StreamWriter {
    writer: Writer,
}

#[pymethods]
impl StreamWriter {
    #[new]
    fn new(py: Python<'_>, stream_id: u32, max_message: u64, settings: Vec<(u32, u64)>) -> PyResult<Self> {
        let options = Some(options(py, settings)?);
        let writer = match stream_id {
            0 => Writer::bare(options.as_ref()),
            _ => Writer::framed(stream_id, max_message, options.as_ref()),
        };
        Ok(Self { writer: writer.map_err(|error| failed(py, error))? })
    }

    /// Appends a tensor or a composite.
    fn put(&mut self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let item = to_item(object)?;
        self.writer.put(&item).map_err(|error| failed(py, error))
    }

    /// Appends what an iterator gives, until enough waits for one call of the system; false when it gives no more.
    fn put_some(slf: &Bound<'_, Self>, items: &Bound<'_, PyIterator>) -> PyResult<bool> {
        let py = slf.py();
        let mut items = items.clone();
        for _ in 0..BATCH {
            // The iterator is Python code: nothing is borrowed while it runs.
            let Some(object) = items.next().transpose()? else { return Ok(false) };
            let mut this = slf.borrow_mut();
            this.put(py, &object)?;
            if this.writer.chunk_count().map_err(|error| failed(py, error))? >= PIECES {
                break;
            }
        }
        Ok(true)
    }

    /// The bytes that come next.
    fn chunks<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let chunks = self.writer.chunks(most).map_err(|error| failed(py, error))?;
        let each = |chunk: &[u8]| view(py, chunk.as_ptr().cast_mut(), chunk.len(), PYBUF_READ);
        chunks.into_iter().map(each).collect()
    }

    /// So many bytes of them were sent.
    fn advance(&mut self, py: Python<'_>, count: usize) -> PyResult<()> {
        self.writer.advance(count).map_err(|error| failed(py, error))
    }
}
