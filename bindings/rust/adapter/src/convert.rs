//! Conversions.

use hurray_client::{Buffer, BufferList, Converted, Options, Tensor, sys};
use serde_json::{Value, json};

use crate::form::{Answer, Read, bytes, given, list, numbers, text, wide};
use crate::{make, show};

/// The request `convert`.
pub fn convert(request: &Value) -> Answer {
    let how = text(&request["how"])?;
    if how == "assemble" {
        let (made, _) = make::item(&request["item"])?.assemble(None, None)?;
        return Ok(json!({"item": show::tensor(&made)?}));
    }
    let tensor = make::tensor(&request["item"])?;
    match how {
        "statistics" => {
            Ok(json!({"statistics": show::descriptor(&*tensor.statistics(None)?)?["statistics"]}))
        }
        "check" => {
            tensor.check_data(None)?;
            Ok(json!({}))
        }
        "offset" => {
            let index: Vec<u64> = numbers(&request["index"])?;
            Ok(json!({"offset": wide(tensor.element_offset(&index)?.cast_signed())}))
        }
        "scatter" => {
            let paged = make::tensor(&request["paged"])?;
            // SAFETY: the pool was made for this request alone.
            unsafe { tensor.scatter(&paged, lengths(request)?.as_deref(), None)? };
            Ok(json!({"item": show::tensor(&paged)?}))
        }
        _ => {
            let (made, _) = converted(how, &tensor, request)?;
            Ok(json!({"item": show::tensor(&made)?}))
        }
    }
}

fn converted(how: &str, tensor: &Tensor, request: &Value) -> Read<Converted> {
    let element_type = || make::element_type(&request["dtype"]);
    let target = || make::target(&request["target"]);
    Ok(match how {
        "row_major" => tensor.to_layout(None, None, None)?,
        "layout" => tensor.to_layout(Some(&*target()?), None, None)?,
        "dequantize" => tensor.dequantize(element_type()?, None, None)?,
        "unpack" => tensor.unpack(None, None)?,
        "pack" => tensor.pack(element_type()?, None, None)?,
        "gather" => tensor.gather(lengths(request)?.as_deref(), None, None)?,
        "slice" => {
            let [starts, stops] = [numbers(&request["starts"])?, numbers(&request["stops"])?];
            let steps = given(&request["steps"]).map(numbers).transpose()?.unwrap_or_default();
            let (part, _) = tensor.slice(&starts, &stops, &steps, None)?;
            let mut options = Options::new()?;
            options.set(sys::HURRAY_OPTION_COPY, 2)?;
            part.to_layout(None, None, Some(&options))?
        }
        "quantize" => {
            let parameters = match given(&request["parameters"]) {
                None => None,
                Some(found) => {
                    let copy = |one| Ok(Buffer::copy_of(&bytes(one)?)?);
                    Some(BufferList::of(list(found)?.iter().map(copy).collect::<Read<Vec<_>>>()?)?)
                }
            };
            tensor.quantize(&*target()?, parameters.as_ref(), None, None)?
        }
        other => return Err(format!("no conversion is named {other}").into()),
    })
}

fn lengths(request: &Value) -> Read<Option<Vec<u64>>> {
    given(&request["seq_lengths"]).map(numbers).transpose()
}
