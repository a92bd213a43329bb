//! Files open for reading, as the package's `file` module uses them.

use std::sync::Arc;

use hurray_client::{Advice, FileReader, Status};
use napi::bindgen_prelude::{AsyncTask, BigInt, BigUint64Array, Uint8Array};
use napi_derive::napi;

use crate::buffer::NativeBuffer;
use crate::descriptor::NativeDescriptor;
use crate::error::{OrThrow, refuse};
use crate::item::NativeItem;
use crate::kv::KvEntry;
use crate::library::{options, word};
use crate::work::Work;

/// A file that is open for reading.
#[napi]
pub struct NativeFileReader {
    reader: Arc<FileReader>,
}

/// Memory of JavaScript's that a thread of the pool writes to, and nobody else meanwhile.
struct Target(Uint8Array);

impl Target {
    fn fill(
        mut self,
        reader: &FileReader,
        index: u64,
        buffer: u64,
        offset: u64,
    ) -> hurray_client::Result<()> {
        // SAFETY: the package made the array for this call and shows it to nobody before the call is over.
        reader.read(index, buffer, offset, unsafe { self.0.as_mut() })
    }
}

#[napi]
impl NativeFileReader {
    #[napi(factory)]
    pub fn open_sync(path: String, settings: &[u64]) -> napi::Result<Self> {
        let reader = FileReader::open(path, Some(&options(settings)?)).or_throw()?;
        Ok(Self { reader: Arc::new(reader) })
    }

    #[napi(ts_return_type = "Promise<NativeFileReader>")]
    pub fn open(path: String, settings: &[u64]) -> napi::Result<AsyncTask<Work<NativeFileReader>>> {
        let options = options(settings)?;
        Ok(Work::start(move || {
            let reader = FileReader::open(path, Some(&options))?;
            Ok(NativeFileReader { reader: Arc::new(reader) })
        }))
    }

    #[napi(factory)]
    pub fn open_buffer(buffer: &NativeBuffer, settings: &[u64]) -> napi::Result<Self> {
        let reader = FileReader::open_buffer(&buffer.buffer, Some(&options(settings)?)).or_throw()?;
        Ok(Self { reader: Arc::new(reader) })
    }

    #[napi]
    pub fn names(&self) -> napi::Result<Vec<String>> {
        self.reader.names().or_throw()
    }

    #[napi]
    pub fn find(&self, name: String) -> napi::Result<Option<BigInt>> {
        Ok(self.reader.find(&name).or_throw()?.map(BigInt::from))
    }

    /// The entries that begin an item.
    #[napi]
    pub fn items(&self) -> napi::Result<BigUint64Array> {
        self.reader.items().or_throw().map(BigUint64Array::new)
    }

    #[napi]
    pub fn item_sync(&self, index: BigInt) -> napi::Result<NativeItem> {
        self.reader.item(word(&index, "index")?).or_throw().map(|item| NativeItem { item })
    }

    #[napi(ts_return_type = "Promise<NativeItem>")]
    pub fn item(&self, index: BigInt) -> napi::Result<AsyncTask<Work<NativeItem>>> {
        let (reader, index) = (self.reader.clone(), word(&index, "index")?);
        Ok(Work::start(move || reader.item(index).map(|item| NativeItem { item })))
    }

    #[napi]
    pub fn descriptor(&self, index: BigInt) -> napi::Result<NativeDescriptor> {
        NativeDescriptor::copy_of(self.reader.descriptor(word(&index, "index")?).or_throw()?)
    }

    /// Where an entry's bytes lie in the file: offset and size.
    #[napi]
    pub fn range(&self, index: BigInt) -> napi::Result<BigUint64Array> {
        let (offset, size) = self.reader.range(word(&index, "index")?).or_throw()?;
        Ok(BigUint64Array::new(vec![offset, size]))
    }

    /// Fills `out` with bytes of one buffer of an entry, from `offset` on.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn read(
        &self,
        index: BigInt,
        buffer: u32,
        offset: BigInt,
        out: Uint8Array,
    ) -> napi::Result<AsyncTask<Work<()>>> {
        let (reader, index, offset) = (self.reader.clone(), word(&index, "index")?, word(&offset, "offset")?);
        let target = Target(out);
        Ok(Work::start(move || target.fill(&reader, index, buffer.into(), offset)))
    }

    #[napi]
    pub fn advise(&self, index: Option<BigInt>, advice: u32) -> napi::Result<()> {
        let index = index.map(|index| word(&index, "index")).transpose()?;
        let all = [Advice::Normal, Advice::Sequential, Advice::Random, Advice::WillNeed, Advice::Populate];
        match all.into_iter().find(|known| *known as u32 == advice) {
            Some(advice) => self.reader.advise(index, advice).or_throw(),
            None => refuse(Status::INVALID_ARGUMENT, format!("no advice has the number {advice}")),
        }
    }

    /// All pairs of the key-value section, in order.
    #[napi]
    pub fn kv(&self) -> napi::Result<Vec<KvEntry>> {
        let pair = |i| {
            let (key, value) = (self.reader.kv_key(i).or_throw()?, self.reader.kv_value(i).or_throw()?);
            Ok(KvEntry::of(key, value))
        };
        (0..self.reader.kv_count().or_throw()?).map(pair).collect()
    }
}
