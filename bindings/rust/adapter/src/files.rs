//! Files and streams.

use hurray_client::{
    Arrival, Buffer, Error, FileReader, FileWriter, Item, Options, StreamReader, StreamWriter, Value as Kv,
    sys,
};
use serde_json::{Value, json};

use crate::form::{
    Answer, Failure, Read, bytes, double, given, hex, list, narrow, number, real, text, truth, wide,
};
use crate::{make, show};

/// The options of a request.
pub fn options(value: &Value) -> Read<Options> {
    let mut options = Options::new()?;
    for (name, number) in value.as_object().into_iter().flatten() {
        let option = match name.as_str() {
            "permissive" => sys::HURRAY_OPTION_PERMISSIVE,
            "verify" => sys::HURRAY_OPTION_VERIFY,
            "max_descriptor_bytes" => sys::HURRAY_OPTION_MAX_DESCRIPTOR_BYTES,
            "max_buffer_bytes" => sys::HURRAY_OPTION_MAX_BUFFER_BYTES,
            "max_composite_depth" => sys::HURRAY_OPTION_MAX_COMPOSITE_DEPTH,
            "flat" => sys::HURRAY_OPTION_FLAT,
            "cross_machine" => sys::HURRAY_OPTION_CROSS_MACHINE,
            "data_alignment" => sys::HURRAY_OPTION_DATA_ALIGNMENT,
            "sorted_index" => sys::HURRAY_OPTION_SORTED_INDEX,
            "kv_mode" => sys::HURRAY_OPTION_KV_MODE,
            _ => return Err(format!("no option is named {name}").into()),
        };
        options.set(option, narrow(number)?)?;
    }
    Ok(options)
}

/// Opens a file, on disk or in memory.
fn open(request: &Value) -> Read<FileReader> {
    let options = options(&request["options"])?;
    match given(&request["path"]) {
        Some(path) => Ok(FileReader::open(text(path)?, Some(&options))?),
        None => Ok(open_bytes(&bytes(&request["bytes"])?, &options)?),
    }
}

fn open_bytes(data: &[u8], options: &Options) -> Result<FileReader, Error> {
    FileReader::open_buffer(&*Buffer::copy_of(data)?, Some(options))
}

fn kv(value: Kv) -> Answer {
    let one = |kind: &str, value: Value| json!({"type": kind, "array": false, "value": value});
    let many = |kind: &str, values: Value| json!({"type": kind, "array": true, "value": values});
    Ok(match value {
        Kv::Bool(value) => one("bool", json!(value)),
        Kv::I64(value) => one("int64", wide(value)),
        Kv::U64(value) => one("uint64", wide(value)),
        Kv::F64(value) => one("float64", real(value)),
        Kv::String(value) => one("string", json!(value)),
        Kv::Bytes(value) => one("bytes", hex(&value)),
        Kv::Bools(values) => many("bool", json!(values)),
        Kv::I64s(values) => many("int64", values.iter().map(wide).collect()),
        Kv::U64s(values) => many("uint64", values.iter().map(wide).collect()),
        Kv::F64s(values) => many("float64", values.into_iter().map(real).collect()),
        Kv::Strings(values) => many("string", json!(values)),
        Kv::ByteStrings(values) => many("bytes", values.iter().map(|value| hex(value)).collect()),
    })
}

fn kv_of(pair: &Value) -> Read<Kv> {
    fn each<T>(value: &Value, read: impl Fn(&Value) -> Read<T>) -> Read<Vec<T>> {
        list(value)?.iter().map(read).collect()
    }
    let (value, owned) = (&pair["value"], |value: &Value| text(value).map(str::to_owned));
    Ok(match (text(&pair["type"])?, truth(&pair["array"])?) {
        ("bool", false) => Kv::Bool(truth(value)?),
        ("int64", false) => Kv::I64(number(value)?),
        ("uint64", false) => Kv::U64(number(value)?),
        ("float64", false) => Kv::F64(double(value)?),
        ("string", false) => Kv::String(owned(value)?),
        ("bytes", false) => Kv::Bytes(bytes(value)?),
        ("bool", true) => Kv::Bools(each(value, truth)?),
        ("int64", true) => Kv::I64s(each(value, number)?),
        ("uint64", true) => Kv::U64s(each(value, number)?),
        ("float64", true) => Kv::F64s(each(value, double)?),
        ("string", true) => Kv::Strings(each(value, owned)?),
        ("bytes", true) => Kv::ByteStrings(each(value, bytes)?),
        (other, _) => return Err(format!("no KV type is named {other}").into()),
    })
}

/// Everything in a file.
pub fn read_file(request: &Value) -> Answer {
    let file = open(request)?;
    let mut pairs = Vec::new();
    for k in 0..file.kv_count()? {
        let mut pair = kv(file.kv_value(k)?)?;
        pair["key"] = json!(file.kv_key(k)?);
        pairs.push(pair);
    }
    let names = file.names()?;
    let mut entries = Vec::new();
    for (index, name) in (0..).zip(&names) {
        entries.push(json!({"name": name, "item": show::item(&*file.item(index)?)?}));
    }
    let name_of = |index: u64| usize::try_from(index).ok().and_then(|index| names.get(index));
    let items: Vec<&String> = file.items()?.into_iter().filter_map(name_of).collect();
    Ok(json!({"entries": entries, "items": items, "kv": pairs}))
}

/// Writes a file.
pub fn write_file(request: &Value) -> Answer {
    let mut options = options(&request["options"])?;
    options.set(sys::HURRAY_OPTION_DURABLE, 0)?;
    let mut writer = FileWriter::create(text(&request["path"])?, Some(&options))?;
    for pair in list(&request["kv"])? {
        writer.set(text(&pair["key"])?, &kv_of(pair)?)?;
    }
    for entry in list(&request["entries"])? {
        writer.put(text(&entry["name"])?, &*make::item(&entry["item"])?)?;
    }
    writer.finish()?;
    Ok(json!({}))
}

/// Feeds a reader, and hands each item to `take`.
fn feed(
    data: &[u8],
    chunk: usize,
    options: &Options,
    mut take: impl FnMut(&StreamReader, Item) -> Read<()>,
) -> Read<()> {
    let mut reader = StreamReader::new(Some(options))?;
    let mut rest = data;
    let mut finished = false;
    loop {
        match reader.next_item()? {
            Arrival::Item(item) => take(&reader, item)?,
            Arrival::End => return Ok(()),
            Arrival::NeedMore if finished => return Err("the reader wants more after its end".into()),
            Arrival::NeedMore if rest.is_empty() => {
                reader.finish()?;
                finished = true;
            }
            Arrival::NeedMore => {
                let size = if chunk == 0 { rest.len() } else { chunk.min(rest.len()) };
                let taken = reader.feed(rest.get(..size).unwrap_or_default())?;
                rest = rest.get(taken..).unwrap_or_default();
            }
        }
    }
}

/// Everything in a stream; on a failure the items before it.
pub fn read_stream(request: &Value) -> Answer {
    let mut items = Vec::new();
    let mut read = || {
        let options = options(&request["options"])?;
        feed(&bytes(&request["bytes"])?, narrow(&request["chunk"])?, &options, |reader, item| {
            items.push(json!({"stream_id": reader.stream_id()?, "item": show::item(&item)?}));
            Ok(())
        })
    };
    let outcome = read();
    let found = json!({"items": items});
    outcome.map_or_else(|failure: Failure| Err(failure.with(found.clone())), |()| Ok(found.clone()))
}

/// Writes a stream.
pub fn write_stream(request: &Value) -> Answer {
    let options = options(&request["options"])?;
    let mut writer = if request["form"] == "framed" {
        let (id, size) = (narrow(&request["stream_id"])?, narrow(&request["max_message_size"])?);
        StreamWriter::framed(id, size, Some(&options))?
    } else {
        StreamWriter::bare(Some(&options))?
    };
    let mut out = Vec::new();
    for item in list(&request["items"])? {
        writer
            .put(&*make::item(item)?)
            .map_err(|error| Failure::from(error).with(json!({"bytes": hex(&out)})))?;
        loop {
            let before = out.len();
            writer.chunks(8)?.into_iter().for_each(|chunk| out.extend_from_slice(chunk));
            if out.len() == before {
                break;
            }
            writer.advance(out.len() - before)?;
        }
    }
    Ok(json!({"bytes": hex(&out)}))
}

/// Everything of one input of a batch, and nothing shown.
pub fn try_file(data: &[u8], options: &Options) -> Read<()> {
    let file = open_bytes(data, options)?;
    for k in 0..file.kv_count()? {
        file.kv_value(k)?;
    }
    for index in 0..file.entry_count()? {
        show::item(&*file.item(index)?)?;
    }
    Ok(())
}

/// As `try_file`, of a stream.
pub fn try_stream(data: &[u8], options: &Options) -> Read<()> {
    feed(data, 0, options, |_, _| Ok(()))
}
