//! Streams, as the package's `stream` module uses them: bytes in and out of windows of memory.

use hurray_client::{Arrival, Error, Options, Status, StreamReader as Reader, StreamWriter as Writer};
use pyo3::ffi;
use pyo3::prelude::*;

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

/// Items out of the bytes of a stream.
#[pyclass(module = "hurray._hurray")]
pub struct StreamReader {
    reader: Reader,
    #[pyo3(get)]
    ended: bool,
}

#[pymethods]
impl StreamReader {
    #[new]
    fn new(py: Python<'_>, settings: Vec<(u32, u64)>) -> PyResult<Self> {
        let options = options(py, settings)?;
        let reader = Reader::new(Some(&options)).map_err(|error| failed(py, error))?;
        Ok(Self { reader, ended: false })
    }

    /// Where the next bytes belong.
    fn window<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let window = self.reader.window().map_err(|error| failed(py, error))?;
        view(py, window.as_mut_ptr(), window.len(), PYBUF_WRITE)
    }

    /// So many bytes arrived there.
    fn advance(&mut self, py: Python<'_>, count: usize) -> PyResult<()> {
        self.reader.advance(count).map_err(|error| failed(py, error))
    }

    /// Takes bytes in, up to the end of an item; how many.
    fn feed(&mut self, py: Python<'_>, data: &[u8]) -> PyResult<usize> {
        self.reader.feed(data).map_err(|error| failed(py, error))
    }

    /// The next item; None when bytes are missing, or when `ended` is set.
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

    /// No more bytes come.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.reader.finish().map_err(|error| failed(py, error))
    }

    /// The stream id of the last item.
    #[getter]
    fn stream_id(&self, py: Python<'_>) -> PyResult<u32> {
        self.reader.stream_id().map_err(|error| failed(py, error))
    }

    /// Bytes that were read ahead.
    #[getter]
    fn unread(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.reader.unread().map(<[u8]>::to_vec).map_err(|error| failed(py, error))
    }

    /// The messages owed to the peer, once.
    fn reply(&mut self, py: Python<'_>) -> PyResult<Vec<u8>> {
        self.reader.reply().map_err(|error| failed(py, error))
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
