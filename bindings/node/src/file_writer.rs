//! Files being written, as the package's `file` module uses them.

use std::sync::{Arc, Mutex, PoisonError};

use hurray_client::{Error, FileWriter, Status};
use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;

use crate::buffer::NativeBuffer;
use crate::error::OrThrow;
use crate::item::NativeItem;
use crate::kv::KvEntry;
use crate::options::NativeOptions;
use crate::work::Work;

/// A file being written. One call at a time: the next waits for the last.
#[napi]
pub struct NativeFileWriter {
    writer: Arc<Mutex<Option<FileWriter>>>,
}

type Shared = Arc<Mutex<Option<FileWriter>>>;

fn with<T>(
    writer: &Shared,
    call: impl FnOnce(&mut FileWriter) -> hurray_client::Result<T>,
) -> hurray_client::Result<T> {
    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
    match writer.as_mut() {
        Some(writer) => call(writer),
        None => Err(Error::new(Status::INVALID_HANDLE, "the file is closed")),
    }
}

impl NativeFileWriter {
    fn of(writer: FileWriter) -> Self {
        Self { writer: Arc::new(Mutex::new(Some(writer))) }
    }

    fn start(
        &self,
        call: impl FnOnce(&mut FileWriter) -> hurray_client::Result<()> + Send + 'static,
    ) -> AsyncTask<Work<()>> {
        let writer = self.writer.clone();
        Work::start(move || with(&writer, call))
    }
}

#[napi]
impl NativeFileWriter {
    #[napi(factory)]
    pub fn create(path: String, options: &NativeOptions) -> napi::Result<Self> {
        FileWriter::create(path, Some(&options.options)).or_throw().map(Self::of)
    }

    #[napi(factory)]
    pub fn to_memory(options: &NativeOptions) -> napi::Result<Self> {
        FileWriter::to_memory(Some(&options.options)).or_throw().map(Self::of)
    }

    #[napi]
    pub fn set(&self, entry: KvEntry) -> napi::Result<()> {
        let value = entry.value()?;
        with(&self.writer, |writer| writer.set(&entry.key, &value)).or_throw()
    }

    #[napi]
    pub fn put_sync(&self, name: String, item: &NativeItem) -> napi::Result<()> {
        with(&self.writer, |writer| writer.put(&name, &item.item)).or_throw()
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn put(&self, name: String, item: &NativeItem) -> napi::Result<AsyncTask<Work<()>>> {
        let item = item.item.share().or_throw()?;
        Ok(self.start(move |writer| writer.put(&name, &item)))
    }

    #[napi]
    pub fn finish_sync(&self) -> napi::Result<()> {
        with(&self.writer, FileWriter::finish).or_throw()
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn finish(&self) -> AsyncTask<Work<()>> {
        self.start(FileWriter::finish)
    }

    /// The bytes of a finished file in memory, once.
    #[napi]
    pub fn take_buffer(&self) -> napi::Result<NativeBuffer> {
        let buffer = with(&self.writer, FileWriter::take_buffer).or_throw()?;
        Ok(NativeBuffer { buffer })
    }

    /// Gives up what is not finished.
    #[napi]
    pub fn close(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        *writer = None;
    }
}
