//! Lets the conformance suite use the Rust binding; `conformance/PROTOCOL.md` says what is asked and answered.

#![allow(clippy::indexing_slicing)] // a JSON key that is missing reads as null

mod array;
mod convert;
mod dlpack;
mod files;
mod foreign;
mod form;
mod make;
mod show;

use std::io::{self, BufRead, Write};

use hurray_client::{Descriptor, Item, Options, Status};
use serde_json::{Value, json};

use crate::form::{Answer, Failure, Read, bytes, hex, list, narrow, text};

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let answer = answer(&request);
        writeln!(output, "{answer}")?;
        output.flush()?;
        if request["op"] == "quit" {
            break;
        }
    }
    Ok(())
}

fn answer(request: &Value) -> Value {
    let outcome = text(&request["op"]).and_then(|op| run(op, request));
    let failed = |error: hurray_client::Error, mut found: Value| {
        found["status"] = json!(error.status.code());
        found["message"] = json!(error.message);
        found
    };
    match outcome {
        Ok(mut found) => {
            found["status"] = json!(0);
            found
        }
        Err(Failure::Fault(text)) => json!({"fault": text}),
        Err(Failure::Hurray(error)) => failed(error, json!({})),
        Err(Failure::With(error, beside)) => failed(error, beside),
    }
}

fn run(op: &str, request: &Value) -> Answer {
    match op {
        "hello" => hello(),
        "decode" => decode(request),
        "build" => build(request),
        "bind" => Ok(json!({"item": show::tensor(&make::bind(request)?)?})),
        "array" => array::array(request),
        "read_file" => files::read_file(request),
        "write_file" => files::write_file(request),
        "read_stream" => files::read_stream(request),
        "write_stream" => files::write_stream(request),
        "convert" => convert::convert(request),
        "dlpack_export" => dlpack::export(request),
        "dlpack_import" => dlpack::import(request),
        "foreign" => foreign::foreign(request),
        "describe" => Ok(json!({"text": make::tensor(&request["item"])?.to_string()})),
        "batch" => batch(request),
        "live_handles" => Ok(json!({"count": hurray_client::live_handles()?})),
        "quit" => Ok(json!({})),
        other => Err(format!("no op is named {other}").into()),
    }
}

fn hello() -> Answer {
    hurray_client::version()?;
    let path = hurray_client::library_path().map(|path| path.to_string_lossy().into_owned());
    Ok(json!({"language": "rust", "abi_version": hurray_client::abi_version(), "library": path}))
}

fn decoded(bytes: &[u8], permissive: bool) -> hurray_client::Result<Descriptor> {
    if permissive { Descriptor::decode_permissive(bytes) } else { Descriptor::decode(bytes) }
}

fn decode(request: &Value) -> Answer {
    let descriptor = decoded(&bytes(&request["bytes"])?, request["permissive"] == true)?;
    Ok(json!({"descriptor": show::descriptor(&descriptor)?, "bytes": hex(&descriptor.encode()?)}))
}

fn build(request: &Value) -> Answer {
    let item: Item = make::item(&request["item"])?;
    let encoded = match item.content()? {
        hurray_client::Content::Tensor(tensor) => tensor.descriptor()?.encode()?,
        hurray_client::Content::Composite(head) | hurray_client::Content::Descriptor(head) => {
            head.encode()?
        }
    };
    Ok(json!({"item": show::item(&item)?, "bytes": hex(&encoded)}))
}

/// The inputs of a batch, one after the other.
fn each_input(request: &Value, mut take: impl FnMut(&[u8]) -> Read<()>) -> Read<()> {
    if let Some(inputs) = request["inputs"].as_array() {
        return inputs.iter().try_for_each(|input| take(&bytes(input)?));
    }
    let base = bytes(&request["base"])?;
    for cut in list(&request["cuts"])? {
        take(base.get(..narrow(cut)?).ok_or("a cut beyond the input")?)?;
    }
    for flip in list(&request["flips"])? {
        let bit: usize = narrow(flip)?;
        let mut flipped = base.clone();
        *flipped.get_mut(bit >> 3).ok_or("a bit beyond the input")? ^= 1 << (bit & 7);
        take(&flipped)?;
    }
    Ok(())
}

fn batch(request: &Value) -> Answer {
    let options: Options = files::options(&request["options"])?;
    let permissive = request["options"]["permissive"] == 1;
    let what = text(&request["what"])?;
    let mut statuses = Vec::new();
    each_input(request, |input| {
        let outcome = match what {
            "decode" => decoded(input, permissive).map(drop).map_err(Failure::from),
            "read_file" => files::try_file(input, &options),
            "read_stream" => files::try_stream(input, &options),
            other => return Err(format!("no batch of {other}").into()),
        };
        statuses.push(match outcome {
            Ok(()) => Status::OK.code(),
            Err(Failure::Hurray(error)) => error.status.code(),
            Err(fault) => return Err(fault),
        });
        Ok(())
    })?;
    Ok(json!({"statuses": statuses}))
}
