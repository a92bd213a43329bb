//! Files: paths, memory, callbacks, keys.
#![allow(clippy::unwrap_used, clippy::panic)] // a test; its helpers too

use hurray_client::{
    Advice, BufferFlags, FileReader, FileWriter, Item, Options, ReadAt, Result, Status, Tensor, Value, sys,
};
use std::io;

fn vector(values: &[f32]) -> Item {
    Item::of(&Tensor::from_vec(&[values.len() as u64], values.to_vec()).unwrap()).unwrap()
}

fn values(tensor: &Tensor) -> Vec<f32> {
    // SAFETY: nobody writes.
    let bytes = unsafe { tensor.buffer(0).unwrap().as_bytes() }.unwrap();
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn write(mut writer: FileWriter) -> Result<FileWriter> {
    writer.set("answer", &Value::I64(42))?;
    writer.put("x", &vector(&[1.0, 2.0]))?;
    writer.put("y", &vector(&[3.0]))?;
    writer.finish()?;
    Ok(writer)
}

#[test]
fn a_path() {
    let path = std::env::temp_dir().join(format!("hurray-client-{}.hrry", std::process::id()));
    let mut options = Options::new().unwrap();
    options.set(sys::HURRAY_OPTION_DURABLE, 0).unwrap();
    write(FileWriter::create(&path, Some(&options)).unwrap()).unwrap();
    let (done, total) = options.progress().unwrap();
    assert!(done == total && total > 8192);
    let reader = FileReader::open(&path, None).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(reader.entry_count().unwrap(), 2);
    assert_eq!(reader.names().unwrap(), ["x", "y"]);
    assert_eq!(reader.items().unwrap(), [0, 1]);
    assert_eq!((reader.find("y").unwrap(), reader.find("z").unwrap()), (Some(1), None));
    assert_eq!(reader.descriptor(1).unwrap().shape().unwrap(), [1]);
    assert_eq!(reader.range(0).unwrap(), (4096, 8));
    reader.advise(None, Advice::Sequential).unwrap();
    reader.advise(Some(1), Advice::Populate).unwrap();
    assert_eq!(reader.advise(Some(2), Advice::Normal).unwrap_err().status, Status::INDEX_OUT_OF_BOUNDS);
    let mut bytes = [0; 4];
    reader.read(0, 0, 4, &mut bytes).unwrap();
    assert_eq!(f32::from_le_bytes(bytes), 2.0);
    let (tensor, item) = (reader.tensor(0).unwrap(), reader.item(1).unwrap());
    drop(reader);
    assert_eq!(values(&tensor), [1.0, 2.0]);
    assert!(tensor.buffer(0).unwrap().flags().unwrap().contains(BufferFlags::READ_ONLY));
    assert_eq!(values(&item.tensor().unwrap()), [3.0]);
}

#[test]
fn what_is_not_there_says_so() {
    let error = FileReader::open("/nowhere/at/all", None).unwrap_err();
    assert_eq!((error.status, error.os_error), (Status::IO, Some(2)));
    let error = FileWriter::create("/nowhere/at/all", None).unwrap_err();
    assert_eq!((error.status, error.os_error), (Status::IO, Some(2)));
    assert_eq!(FileReader::open_fd(-1, None).unwrap_err().status, Status::INVALID_ARGUMENT);
}

#[test]
fn every_value_in_memory() {
    let all = [
        Value::Bool(true),
        Value::I64(i64::MIN),
        Value::U64(u64::MAX),
        Value::F64(-0.5),
        Value::String("é".into()),
        Value::Bytes(vec![0, 255]),
        Value::Bools(vec![false, true]),
        Value::I64s((-20..20).collect()),
        Value::U64s(vec![]),
        Value::F64s(vec![]),
        Value::Strings(vec!["".into(), "a".into()]),
        Value::ByteStrings(vec![]),
    ];
    let mut writer = FileWriter::to_memory(None).unwrap();
    for (k, value) in all.iter().enumerate() {
        writer.set(&format!("key {k}"), value).unwrap();
    }
    assert_eq!(writer.take_buffer().unwrap_err().status, Status::INVALID_ARGUMENT);
    writer.finish().unwrap();
    let reader = FileReader::open_buffer(&writer.take_buffer().unwrap(), None).unwrap();
    assert_eq!(reader.kv_count().unwrap(), all.len() as u64);
    for (k, value) in all.iter().enumerate() {
        let i = reader.kv_find(&format!("key {k}")).unwrap().unwrap();
        assert_eq!(reader.kv_key(i).unwrap(), format!("key {k}"));
        assert_eq!(reader.kv_value(i).unwrap(), *value);
    }
    assert_eq!(reader.kv_find("key").unwrap(), None);
}

struct Bytes(Vec<u8>);

impl ReadAt for Bytes {
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

struct Broken;

impl ReadAt for Broken {
    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::from_raw_os_error(5))
    }
}

impl io::Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        panic!("a writer that panics")
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn callbacks_of_ones_own() {
    let mut writer = write(FileWriter::to_memory(None).unwrap()).unwrap();
    let whole = writer.take_buffer().unwrap();
    // SAFETY: nobody writes.
    let bytes = unsafe { whole.as_bytes() }.unwrap().to_vec();
    let size = bytes.len() as u64;
    let reader = FileReader::open_callback(Bytes(bytes), size, None).unwrap();
    assert_eq!(values(&reader.tensor(1).unwrap()), [3.0]);
    let error = FileReader::open_callback(Broken, size, None).unwrap_err();
    assert_eq!((error.status, error.os_error), (Status::IO, Some(5)));
    let error = write(FileWriter::to_writer(Broken, None).unwrap()).unwrap_err();
    assert_eq!(error.status, Status::IO);
}
