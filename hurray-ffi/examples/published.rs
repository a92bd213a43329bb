//! What the published crates hurray-core and hurray-io 0.1.0 say of the fixtures, as black boxes: one JSON object on
//! standard output, a list for each case.
//!
//! published FIXTURES OUT    OUT is a folder that takes each file as they write it
//! published                 a verdict on each line of standard input: what it is, and its bytes

use std::fs;
use std::io::Cursor;
use std::panic;
use std::path::Path;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

use hurray_core::descriptor::TensorDescriptor;
use hurray_io::file::{FileCompositeNode, FileItem, FileReader, FileWriter};
use hurray_io::stream::{CompositeNode, StreamItem, StreamReader, StreamWriter};
use serde_json::{Map, Value, json};

type Said<T> = Result<T, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // What they cannot stand is an answer.
    panic::set_hook(Box::new(|_| {}));
    let outcome = match &arguments[..] {
        [] => judge_all(),
        [fixtures, out] => run(Path::new(fixtures), Path::new(out)).map(|found| println!("{found}")),
        _ => Err("FIXTURES OUT, or nothing".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("published: {text}");
            ExitCode::FAILURE
        }
    }
}

/// Whether files and bare streams are read to their end.
fn judge_all() -> Said<()> {
    for line in std::io::stdin().lines() {
        let line = line.map_err(told)?;
        let (what, digits) = line.split_once(' ').ok_or("a kind and bytes are wanted")?;
        let data = bytes(&Value::from(digits))?;
        let outcome =
            guarded(|| if what == "read_file" { file(&data).map(drop) } else { stream(&data).map(drop) });
        println!(
            "{}",
            match outcome {
                Ok(()) => "accepts",
                Err(text) if text == PANIC => "panics",
                Err(_) => "refuses",
            }
        );
    }
    Ok(())
}

fn run(fixtures: &Path, out: &Path) -> Said<Value> {
    let mut found = Map::new();
    for folder in fs::read_dir(fixtures).map_err(told)?.flatten().filter(|entry| entry.path().is_dir()) {
        for path in fs::read_dir(folder.path()).map_err(told)?.flatten().map(|entry| entry.path()) {
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let file: Value =
                serde_json::from_str(&fs::read_to_string(&path).map_err(told)?).map_err(told)?;
            for case in file["cases"].as_array().into_iter().flatten() {
                let id = case["id"].as_str().unwrap_or_default();
                if let Some(said) = of_case(id, &case["request"], &case["expect"], fixtures, out)? {
                    found.insert(id.to_owned(), said);
                }
            }
        }
    }
    Ok(Value::Object(found))
}

/// The verdicts on a case that is about what they have.
fn of_case(id: &str, request: &Value, expect: &Value, fixtures: &Path, out: &Path) -> Said<Option<Value>> {
    let wanted = expect["items"].as_array().map_or(0, Vec::len);
    let op = request["op"].as_str().unwrap_or_default();
    Ok(Some(match op {
        "decode" if request["permissive"] != true => {
            json!([descriptor(&bytes(expect.get("bytes").unwrap_or(&request["bytes"]))?)])
        }
        "batch" if request["what"] == "decode" && request["options"]["permissive"] == 0 => {
            let inputs = request["inputs"].as_array().into_iter().flatten();
            inputs.map(|input| Ok(descriptor(&bytes(input)?))).collect::<Said<Value>>()?
        }
        "read_stream" if id.starts_with("streams/bare-") && request["chunk"] == 0 => {
            let data = bytes(&request["bytes"])?;
            match guarded(|| stream(&data)) {
                Ok((count, written)) => json!([count, wanted, alike(&data, &written)]),
                Err(_) => json!(["refused", wanted, "refused"]),
            }
        }
        "read_file" if expect["status"] == "OK" && request["path"].is_string() => {
            let path = request["path"].as_str().unwrap_or_default();
            let data = fs::read(path.replace("${FIXTURES}", &fixtures.to_string_lossy())).map_err(told)?;
            match guarded(|| file(&data)) {
                Ok((count, written)) => {
                    if let Ok(written) = written {
                        fs::write(out.join(id.replace('/', "-")), written).map_err(told)?;
                    }
                    json!([count, wanted])
                }
                Err(_) => json!(["refused", wanted]),
            }
        }
        _ => return Ok(None),
    }))
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn bytes(digits: &Value) -> Said<Vec<u8>> {
    let digits = digits.as_str().ok_or("bytes are wanted")?.as_bytes();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).map_err(told)?, 16).map_err(told);
    digits.chunks(2).map(pair).collect()
}

fn alike(a: &[u8], b: &[u8]) -> &'static str {
    if a == b { "same" } else { "other" }
}

const PANIC: &str = "a panic";

/// What a call gives; a panic is no more than a refusal.
fn guarded<T>(call: impl FnOnce() -> Said<T> + panic::UnwindSafe) -> Said<T> {
    panic::catch_unwind(call).unwrap_or_else(|_| Err(PANIC.to_owned()))
}

/// What a future over memory gives, which never waits.
fn ready<T, E: std::fmt::Display>(future: impl Future<Output = Result<T, E>>) -> Said<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(out) => out.map_err(told),
        Poll::Pending => Err("memory does not wait".to_owned()),
    }
}

fn descriptor(data: &[u8]) -> &'static str {
    let again = || TensorDescriptor::decode(data).map_err(told)?.encode().map_err(told);
    guarded(again).map_or("refused", |again| alike(data, &again))
}

/// Lists that their nodes borrow at every level; the process is short.
fn kept<T>(list: Vec<T>) -> &'static [T] {
    list.leak()
}

fn stream_node(item: StreamItem) -> CompositeNode<'static> {
    match item {
        StreamItem::Tensor(tensor) => {
            let tensor = Box::leak(Box::new(tensor));
            let buffers = kept(tensor.buffers.iter().map(|buffer| &buffer[..]).collect());
            CompositeNode::Tensor { descriptor: &tensor.descriptor, buffers }
        }
        StreamItem::Composite(composite) => {
            let head = Box::leak(Box::new(composite.head));
            CompositeNode::Composite {
                head,
                members: kept(composite.members.into_iter().map(stream_node).collect()),
            }
        }
    }
}

/// How many items a bare stream has, and the same items written again.
fn stream(data: &[u8]) -> Said<(usize, Vec<u8>)> {
    let mut reader = StreamReader::new(data);
    let (mut count, mut written) = (0, Vec::new());
    let mut writer = StreamWriter::new(&mut written);
    while let Some(item) = ready(reader.next_item())? {
        count += 1;
        match stream_node(item) {
            CompositeNode::Tensor { descriptor, buffers } => ready(writer.write_tensor(descriptor, buffers))?,
            CompositeNode::Composite { head, members } => ready(writer.write_composite(head, members))?,
        }
    }
    ready(writer.finish())?;
    Ok((count, written))
}

fn file_node(item: FileItem) -> FileCompositeNode<'static> {
    match item {
        FileItem::Tensor(tensor) => {
            let tensor = Box::leak(Box::new(tensor));
            let buffers = kept(tensor.buffers.iter().map(|buffer| &buffer[..]).collect());
            FileCompositeNode::Tensor { name: &tensor.name, descriptor: &tensor.descriptor, buffers }
        }
        FileItem::Composite(composite) => {
            let members = kept(composite.members.into_iter().map(file_node).collect());
            let name = composite.name.leak();
            FileCompositeNode::Composite { name, head: Box::leak(Box::new(composite.head)), members }
        }
    }
}

/// How many names an item has in the index: its own, and those of its members.
fn names(item: &FileItem) -> usize {
    match item {
        FileItem::Tensor(_) => 1,
        FileItem::Composite(composite) => 1 + composite.members.iter().map(names).sum::<usize>(),
    }
}

/// How many top-level items a file has, and the same items and metadata in a file of their own making, if they can.
fn file(data: &[u8]) -> Said<(usize, Said<Vec<u8>>)> {
    let mut reader = ready(FileReader::open(Cursor::new(data)))?;
    let mut entries: Vec<(u64, String)> =
        reader.index.iter().map(|entry| (entry.descriptor_offset, entry.name.clone())).collect();
    entries.sort();
    let mut writer = ready(FileWriter::new(Vec::new()))?;
    let (mut count, mut at) = (0, 0);
    while let Some((_, name)) = entries.get(at) {
        let item = match ready(reader.read_composite(name)) {
            Ok(composite) => FileItem::Composite(composite),
            Err(_) => FileItem::Tensor(ready(reader.read_tensor(name))?),
        };
        at += names(&item);
        count += 1;
        match file_node(item) {
            FileCompositeNode::Tensor { name, descriptor, buffers } => {
                ready(writer.write_tensor(name, descriptor, buffers))?;
            }
            FileCompositeNode::Composite { name, head, members } => {
                ready(writer.write_composite(name, head, members))?;
            }
        }
    }
    let kv = reader.kv().to_vec();
    Ok((count, ready(writer.finish(kv))))
}
