//! Files, as the package's `file` module uses them.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

use hurray_client::{
    Advice, Content, Error, FileReader as Reader, FileWriter as Writer, Item, Options, ReadAt, Status, Value,
    sys,
};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::descriptor::Descriptor;
use crate::errors::{exception, raise};
use crate::item::{to_item, to_object};
use crate::parts::Buffer;
use crate::tensor::Tensor;
use crate::watch::{is_long, watched};

/// Numbered options, as the package gives them.
type Settings = Vec<(u32, u64)>;

/// A Python function of bytes done and bytes in all.
type Progress = Option<Py<PyAny>>;

/// What a Python callback raised, to be raised again by the call that it failed.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// The exception of a failed call on a file.
#[cold]
fn failed(py: Python<'_>, error: Error, raised: Option<&Raised>) -> PyErr {
    if let Some(original) = raised.and_then(|raised| raised.lock().ok()?.take()) {
        return original;
    }
    let of_container = matches!(
        error.status,
        Status::IO
            | Status::CORRUPT
            | Status::TORN
            | Status::DUPLICATE
            | Status::NOT_FOUND
            | Status::CANCELLED
    ) || error.message.starts_with("F-")
        || error.message.starts_with("the file ");
    if !of_container {
        return raise(py, error);
    }
    let kind = error.os_error.map(|number| io::Error::from_raw_os_error(number).kind());
    let class = match (error.status, kind) {
        (Status::NOT_FOUND, _) => "TensorNotFoundError",
        (_, Some(ErrorKind::NotFound)) => "FileNotFoundError",
        (_, Some(ErrorKind::IsADirectory)) => "IsADirectoryError",
        (_, Some(ErrorKind::PermissionDenied)) => "PermissionError",
        _ => "FileError",
    };
    let made = exception(py, class, &error.to_string(), error.status);
    if let Some(number) = error.os_error {
        // An attribute of every OSError.
        let _ = made.value(py).setattr("errno", number);
    }
    made
}

fn options(py: Python<'_>, settings: &Settings) -> PyResult<Options> {
    let mut options = Options::new().map_err(|error| raise(py, error))?;
    for &(option, value) in settings {
        options.set(option, value).map_err(|error| raise(py, error))?;
    }
    Ok(options)
}

/// The bytes of an item, in all its buffers.
fn byte_size(item: &Item) -> hurray_client::Result<u64> {
    let Content::Tensor(tensor) = item.content()? else { return Ok(u64::MAX) };
    let mut sum = 0u64;
    for index in 0..tensor.buffer_count()? {
        sum = sum.saturating_add(tensor.buffer(index)?.byte_size()?);
    }
    Ok(sum)
}

/// A Python object with `read_at(offset, size)` or `write(bytes)`.
struct Host {
    object: Py<PyAny>,
    raised: Raised,
}

impl Host {
    fn call<T>(&self, body: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> io::Result<T> {
        let done = Python::try_attach(|py| body(py, self.object.bind(py)));
        match done {
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) => {
                if let Ok(mut slot) = self.raised.lock() {
                    slot.get_or_insert(error);
                }
                Err(io::ErrorKind::Other.into())
            }
            None => Err(io::ErrorKind::Other.into()),
        }
    }
}

impl ReadAt for Host {
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.call(|_, object| {
            let data = object.call_method1("read_at", (offset, out.len()))?;
            let data: &[u8] = data.extract()?;
            let n = data.len().min(out.len());
            if let (Some(to), Some(from)) = (out.get_mut(..n), data.get(..n)) {
                to.copy_from_slice(from);
            }
            Ok(n)
        })
    }
}

impl io::Write for Host {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.call(|py, object| {
            let taken = object.call_method1("write", (PyBytes::new(py, bytes),))?;
            // A raw file may take less; whatever answers nothing took all.
            Ok(taken.extract::<usize>().unwrap_or(bytes.len()))
        })?;
        Ok(taken.min(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is open for reading, by entry numbers.
#[pyclass(module = "hurray._hurray", frozen)]
pub struct FileReader {
    reader: Reader,
    raised: Raised,
    options: Options,
    /// Whether data are read into memory of their own.
    copies: bool,
}

impl FileReader {
    fn open(
        py: Python<'_>,
        settings: &Settings,
        raised: Raised,
        open: impl FnOnce(&Options) -> hurray_client::Result<Reader> + Send,
    ) -> PyResult<Self> {
        let options = options(py, settings)?;
        let is_set = |pair| settings.contains(&pair);
        // Whoever wants all rules checked has all data read.
        let is_long = is_set((sys::HURRAY_OPTION_VERIFY, 1));
        let opened = watched(py, &options, None, is_long, || open(&options))?;
        let reader = opened.map_err(|error| failed(py, error, Some(&raised)))?;
        Ok(Self { reader, raised, options, copies: is_set((sys::HURRAY_OPTION_MAP, 2)) })
    }

    /// Runs a call that may copy data of an entry.
    fn copy<T: Send>(
        &self,
        py: Python<'_>,
        bytes: u64,
        progress: Progress,
        call: impl FnOnce(&Reader) -> hurray_client::Result<T> + Send,
    ) -> PyResult<hurray_client::Result<T>> {
        if !self.copies {
            return Ok(py.detach(|| call(&self.reader)));
        }
        watched(py, &self.options, progress.as_ref(), is_long(bytes), || call(&self.reader))
    }

    /// Runs a call without the interpreter's lock.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        call: impl Fn(&Reader) -> hurray_client::Result<T> + Send + Sync,
    ) -> PyResult<T> {
        py.detach(|| call(&self.reader)).map_err(|error| failed(py, error, Some(&self.raised)))
    }
}

#[pymethods]
impl FileReader {
    #[staticmethod]
    fn open_path(py: Python<'_>, path: std::path::PathBuf, settings: Settings) -> PyResult<Self> {
        let open = |options: &Options| Reader::open(&path, Some(options));
        Self::open(py, &settings, Raised::default(), open).inspect_err(|error| {
            let value = error.value(py);
            if value.hasattr("status").unwrap_or(false) {
                let _ = value.setattr("filename", path.as_os_str());
            }
        })
    }

    #[staticmethod]
    fn open_fd(py: Python<'_>, fd: i64, settings: Settings) -> PyResult<Self> {
        let open = |options: &Options| Reader::open_fd(fd, Some(options));
        Self::open(py, &settings, Raised::default(), open)
    }

    #[staticmethod]
    fn open_buffer(py: Python<'_>, buffer: PyRef<'_, Buffer>, settings: Settings) -> PyResult<Self> {
        let buffer = &buffer.0;
        let open = |options: &Options| Reader::open_buffer(buffer, Some(options));
        Self::open(py, &settings, Raised::default(), open)
    }

    #[staticmethod]
    fn open_object(py: Python<'_>, object: Py<PyAny>, size: u64, settings: Settings) -> PyResult<Self> {
        let raised = Raised::default();
        let host = Host { object, raised: raised.clone() };
        let open = |options: &Options| Reader::open_callback(host, size, Some(options));
        let opened = Self::open(py, &settings, raised, open)?;
        Ok(Self { copies: true, ..opened })
    }

    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.run(py, Reader::names)
    }

    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<u64>> {
        self.reader.find(name).map_err(|error| failed(py, error, None))
    }

    fn tensor(&self, py: Python<'_>, index: u64) -> PyResult<Tensor> {
        self.run(py, |reader| reader.tensor(index)).map(Tensor::of)
    }

    #[pyo3(signature = (index, progress = None))]
    fn item(&self, py: Python<'_>, index: u64, progress: Progress) -> PyResult<Py<PyAny>> {
        let bytes = if self.copies { self.range(py, index)?.1 } else { 0 };
        // Nearly every entry is a tensor; a head says that it is none, and not how much is behind it.
        let first = self
            .copy(py, bytes, progress.as_ref().map(|one| one.clone_ref(py)), |reader| reader.tensor(index))?;
        match first {
            Ok(tensor) => Ok(Py::new(py, Tensor::of(tensor))?.into_any()),
            Err(error) if error.status == Status::INVALID_ARGUMENT => {
                let item = self.copy(py, u64::MAX, progress, |reader| reader.item(index))?;
                to_object(py, item.map_err(|error| failed(py, error, Some(&self.raised)))?)
            }
            Err(error) => Err(failed(py, error, Some(&self.raised))),
        }
    }

    fn items(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.run(py, Reader::items)
    }

    fn descriptor(&self, py: Python<'_>, index: u64) -> PyResult<Descriptor> {
        let bytes = self.run(py, |reader| reader.descriptor(index)?.encode())?;
        let decoded = hurray_client::Descriptor::decode_permissive(&bytes);
        decoded.map(Descriptor).map_err(|error| raise(py, error))
    }

    fn range(&self, py: Python<'_>, index: u64) -> PyResult<(u64, u64)> {
        self.reader.range(index).map_err(|error| failed(py, error, None))
    }

    fn read<'py>(
        &self,
        py: Python<'py>,
        index: u64,
        buffer: u64,
        offset: u64,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, size, |out| {
            self.copy(py, size as u64, None, |reader| reader.read(index, buffer, offset, out))?
                .map_err(|error| failed(py, error, Some(&self.raised)))
        })
    }

    fn advise(&self, py: Python<'_>, index: Option<u64>, advice: &str) -> PyResult<()> {
        let advice = match advice {
            "normal" => Advice::Normal,
            "sequential" => Advice::Sequential,
            "random" => Advice::Random,
            "willneed" => Advice::WillNeed,
            "populate" => Advice::Populate,
            _ => return Err(PyValueError::new_err(format!("no advice is named {advice:?}"))),
        };
        self.run(py, |reader| reader.advise(index, advice))
    }

    /// All pairs: key, type, whether it is an array, values.
    fn kv<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let pairs = self.run(py, |reader| {
            let each = (0..reader.kv_count()?).map(|i| Ok((reader.kv_key(i)?, reader.kv_value(i)?)));
            each.collect::<hurray_client::Result<Vec<_>>>()
        })?;
        pairs.into_iter().map(|(key, value)| pair(py, key, value)).collect()
    }
}

fn pair(py: Python<'_>, key: String, value: Value) -> PyResult<Bound<'_, PyTuple>> {
    let (kind, is_array, value) = match value {
        Value::Bool(value) => ("bool", false, value.into_bound_py_any(py)?),
        Value::I64(value) => ("int64", false, value.into_bound_py_any(py)?),
        Value::U64(value) => ("uint64", false, value.into_bound_py_any(py)?),
        Value::F64(value) => ("float64", false, value.into_bound_py_any(py)?),
        Value::String(value) => ("string", false, value.into_bound_py_any(py)?),
        Value::Bytes(value) => ("bytes", false, PyBytes::new(py, &value).into_any()),
        Value::Bools(values) => ("bool", true, values.into_bound_py_any(py)?),
        Value::I64s(values) => ("int64", true, values.into_bound_py_any(py)?),
        Value::U64s(values) => ("uint64", true, values.into_bound_py_any(py)?),
        Value::F64s(values) => ("float64", true, values.into_bound_py_any(py)?),
        Value::Strings(values) => ("string", true, values.into_bound_py_any(py)?),
        Value::ByteStrings(values) => {
            let values: Vec<_> = values.iter().map(|value| PyBytes::new(py, value)).collect();
            ("bytes", true, values.into_bound_py_any(py)?)
        }
    };
    (key, kind, is_array, value).into_pyobject(py)
}

/// The value of a kind that the package has decided on.
fn value_of(kind: &str, is_array: bool, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let bytes = |value: Bound<'_, PyAny>| -> PyResult<Vec<u8>> { Ok(value.extract::<&[u8]>()?.to_vec()) };
    Ok(match (kind, is_array) {
        ("bool", false) => Value::Bool(value.extract()?),
        ("int64", false) => Value::I64(value.extract()?),
        ("uint64", false) => Value::U64(value.extract()?),
        ("float64", false) => Value::F64(value.extract()?),
        ("string", false) => Value::String(value.extract()?),
        ("bytes", false) => Value::Bytes(value.extract::<&[u8]>()?.to_vec()),
        ("bool", true) => Value::Bools(value.extract()?),
        ("int64", true) => Value::I64s(value.extract()?),
        ("uint64", true) => Value::U64s(value.extract()?),
        ("float64", true) => Value::F64s(value.extract()?),
        ("string", true) => Value::Strings(value.extract()?),
        ("bytes", true) => {
            Value::ByteStrings(value.try_iter()?.map(|one| bytes(one?)).collect::<PyResult<_>>()?)
        }
        _ => return Err(PyTypeError::new_err(format!("no such type of value: {kind}"))),
    })
}

fn closed() -> PyErr {
    PyValueError::new_err("the file is closed")
}

/// A file being written.
#[pyclass(module = "hurray._hurray")]
pub struct FileWriter {
    writer: Option<Writer>,
    raised: Raised,
    options: Options,
    /// Whether bytes go out by Python's own calls, which handle signals.
    is_python: bool,
}

impl FileWriter {
    fn run<T: Send>(
        &mut self,
        py: Python<'_>,
        call: impl FnOnce(&mut Writer) -> hurray_client::Result<T> + Send,
    ) -> PyResult<T> {
        let writer = self.writer.as_mut().ok_or_else(closed)?;
        py.detach(|| call(writer)).map_err(|error| failed(py, error, Some(&self.raised)))
    }
}

#[pymethods]
impl FileWriter {
    #[staticmethod]
    fn create(py: Python<'_>, path: std::path::PathBuf, settings: Settings) -> PyResult<Self> {
        let options = options(py, &settings)?;
        // A pipe waits for its reader.
        let created = py.detach(|| Writer::create(&path, Some(&options)));
        let writer = created.map_err(|error| {
            let made = failed(py, error, None);
            let _ = made.value(py).setattr("filename", path.as_os_str());
            made
        })?;
        Ok(Self { writer: Some(writer), raised: Raised::default(), options, is_python: false })
    }

    #[staticmethod]
    fn to_object(py: Python<'_>, object: Py<PyAny>, settings: Settings) -> PyResult<Self> {
        let options = options(py, &settings)?;
        let raised = Raised::default();
        let host = Host { object, raised: raised.clone() };
        let writer = Writer::to_writer(host, Some(&options)).map_err(|error| raise(py, error))?;
        Ok(Self { writer: Some(writer), raised, options, is_python: true })
    }

    fn set(
        &mut self,
        py: Python<'_>,
        key: &str,
        kind: &str,
        is_array: bool,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let value = value_of(kind, is_array, value)?;
        self.run(py, |writer| writer.set(key, &value))
    }

    #[pyo3(signature = (name, object, progress = None))]
    fn put(
        &mut self,
        py: Python<'_>,
        name: &str,
        object: &Bound<'_, PyAny>,
        progress: Progress,
    ) -> PyResult<()> {
        let item = to_item(object)?;
        let bytes = byte_size(&item).map_err(|error| raise(py, error))?;
        let is_long = is_long(bytes) && !(self.is_python && progress.is_none());
        let writer = self.writer.as_mut().ok_or_else(closed)?;
        let call = || writer.put(name, &item);
        watched(py, &self.options, progress.as_ref(), is_long, call)?
            .map_err(|error| failed(py, error, Some(&self.raised)))
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.run(py, Writer::finish)
    }

    /// Gives up what is not finished.
    fn close(&mut self) {
        self.writer = None;
    }
}
