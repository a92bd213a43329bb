//! Tensors and composites of the fields that a request gives.

use hurray_client::{
    Buffer, BufferEntry, BufferList, CombineOp, CompositionRule, Descriptor, DescriptorBuilder, ElementType,
    ExtensionType, Item, ItemRef, KvRole, Layout, MemberRole, Owner, Quantization, Shard, Statistics, Tensor,
    Tile, sys, tag_name,
};
use serde_json::Value;

use crate::form::{Read, bytes, double, given, list, narrow, number, numbers, text, truth};

/// The number of a tag.
pub fn tag(space: u32, value: &Value) -> Read<u8> {
    if value.is_u64() {
        return narrow(value);
    }
    let name = text(value)?;
    let found = (0..=u8::MAX).find(|&number| tag_name(space, number.into()) == Ok(name));
    found.ok_or_else(|| format!("no tag is named {name}").into())
}

/// An element type.
pub fn element_type(value: &Value) -> Read<ElementType> {
    Ok(ElementType(tag(sys::HURRAY_SPACE_ELEMENT_TYPE, value)?))
}

fn optional<T>(value: &Value, read: impl Fn(&Value) -> Read<T>) -> Read<Option<T>> {
    given(value).map(read).transpose()
}

fn tile(level: &Value) -> Read<Tile> {
    Ok(Tile {
        shape: numbers(&level["tile_shape"])?,
        outer_layout: tag(sys::HURRAY_SPACE_LAYOUT, &level["outer"])?,
        inner_layout: tag(sys::HURRAY_SPACE_LAYOUT, &level["inner"])?,
        outer_strides: optional(&level["outer_strides"], numbers)?,
        inner_strides: optional(&level["inner_strides"], numbers)?,
    })
}

fn layout(value: &Value) -> Read<Layout> {
    let counts = |value: &Value| list(value)?.iter().map(narrow).collect::<Read<Vec<u64>>>();
    Ok(match value["tag"].as_str() {
        Some("row_major") => Layout::RowMajor,
        Some("column_major") => Layout::ColumnMajor,
        Some("strided") => Layout::Strided { strides: numbers(&value["strides"])? },
        Some("tiled") => {
            Layout::Tiled { levels: list(&value["levels"])?.iter().map(tile).collect::<Read<_>>()? }
        }
        Some("morton") => Layout::Morton { bits: counts(&value["bits"])? },
        Some("coo") => Layout::Coo { nnz: number(&value["nnz"])?, is_sorted: truth(&value["is_sorted"])? },
        Some("csr") => Layout::Csr { nnz: number(&value["nnz"])? },
        Some("csc") => Layout::Csc { nnz: number(&value["nnz"])? },
        Some("csf") => Layout::Csf { nnz: number(&value["nnz"])?, mode_order: counts(&value["mode_order"])? },
        Some("block_paged") => Layout::BlockPaged {
            page_size: narrow(&value["page_size"])?,
            num_pages: number(&value["num_pages"])?,
            paged_axis: narrow(&value["paged_axis"])?,
            num_seqs: narrow(&value["num_seqs"])?,
            kv_role: KvRole(tag(sys::HURRAY_SPACE_KV_ROLE, &value["kv_role"])?),
            layer_index: optional(&value["layer_index"], narrow)?,
            wide_indices: value["block_table_index_type"] == "uint64",
        },
        Some("composite") => Layout::Composite {
            rule: CompositionRule(tag(sys::HURRAY_SPACE_COMPOSITION_RULE, &value["rule"])?),
            combine_op: CombineOp(tag(sys::HURRAY_SPACE_COMBINE_OP, &value["combine_op"])?),
            member_count: narrow(&value["member_count"])?,
        },
        Some("hilbert") => Layout::Hilbert { order: narrow(&value["order"])?, rank: narrow(&value["rank"])? },
        _ => Layout::Private {
            tag: narrow(&value["tag"])?,
            id: number(&value["layout_id"])?,
            data: bytes(&value["data"])?,
        },
    })
}

fn quantization(value: &Value) -> Read<Quantization> {
    let axis = || narrow(&value["axis"]);
    let block_size = || narrow(&value["block_size"]);
    let scale_buffer = || narrow(&value["scale_buffer"]);
    let zero_point_buffer = || optional(&value["zero_point_buffer"], narrow);
    Ok(match text(&value["scheme"])? {
        "per_tensor_affine" => Quantization::PerTensorAffine {
            scale: double(&value["scale"])? as f32,
            zero_point: value["zero_point"]
                .as_i64()
                .and_then(|n| i32::try_from(n).ok())
                .ok_or("zero_point")?,
        },
        "per_channel_affine" => Quantization::PerChannelAffine {
            axis: axis()?,
            scale_buffer: scale_buffer()?,
            zero_point_buffer: zero_point_buffer()?,
            scale_type: element_type(&value["scale_type"])?,
        },
        "per_block_affine" => Quantization::PerBlockAffine {
            axis: axis()?,
            block_size: block_size()?,
            scale_buffer: scale_buffer()?,
            zero_point_buffer: zero_point_buffer()?,
            scale_type: element_type(&value["scale_type"])?,
        },
        "nf4" => {
            Quantization::Nf4 { axis: axis()?, block_size: block_size()?, scale_buffer: scale_buffer()? }
        }
        "mxfp" => {
            Quantization::Mxfp { axis: axis()?, block_size: block_size()?, scale_buffer: scale_buffer()? }
        }
        other => return Err(format!("no scheme is named {other}").into()),
    })
}

fn statistics(value: &Value) -> Read<Statistics> {
    Ok(Statistics {
        nnz: optional(&value["nnz"], number)?,
        sparsity_ratio: optional(&value["sparsity_ratio"], double)?,
        min: optional(&value["min"], double)?,
        max: optional(&value["max"], double)?,
        abs_max: optional(&value["abs_max"], double)?,
        mean: optional(&value["mean"], double)?,
        stddev: optional(&value["stddev"], double)?,
        nm_n: optional(&value["nm_n"], narrow)?,
        nm_m: optional(&value["nm_m"], narrow)?,
        has_nan: optional(&value["has_nan"], truth)?,
        has_inf: optional(&value["has_inf"], truth)?,
    })
}

fn extension_type(value: &Value) -> Read<ExtensionType> {
    Ok(ExtensionType {
        bit_width: narrow(&value["bit_width"])?,
        packing_factor: narrow(&value["packing_factor"])?,
        is_float: truth(&value["is_float"])?,
        is_signed: truth(&value["is_signed"])?,
        sign_bits: narrow(&value["sign_bits"])?,
        exponent_bits: narrow(&value["exponent_bits"])?,
        mantissa_bits: narrow(&value["mantissa_bits"])?,
        exponent_bias: narrow(&value["exponent_bias"])?,
        has_nan: truth(&value["has_nan"])?,
        has_inf: truth(&value["has_inf"])?,
    })
}

/// A descriptor of fields, with a buffer on the host for each size.
pub fn descriptor(value: &Value, sizes: &[u64]) -> Read<Descriptor> {
    let mut builder = begin(value)?;
    for &size in sizes {
        builder.push_buffer(&BufferEntry::host(size))?;
    }
    finish(value, builder)
}

/// A descriptor of fields, with the buffers that its layout needs.
pub fn target(value: &Value) -> Read<Descriptor> {
    let mut builder = begin(value)?;
    builder.push_default_buffers()?;
    finish(value, builder)
}

fn begin(value: &Value) -> Read<DescriptorBuilder> {
    let shape: Vec<u64> = numbers(&value["shape"])?;
    let mut builder =
        DescriptorBuilder::new(element_type(&value["dtype"])?, &layout(&value["layout"])?, &shape)?;
    let offset: u64 = number(&value["byte_offset"])?;
    if offset != 0 {
        builder.byte_offset(offset)?;
    }
    if let Some(found) = given(&value["quantization"]) {
        builder.quantization(&quantization(found)?)?;
    }
    Ok(builder)
}

fn finish(value: &Value, mut builder: DescriptorBuilder) -> Read<Descriptor> {
    if let Some(found) = given(&value["shard"]) {
        let (parent_shape, offset) = (numbers(&found["parent_shape"])?, numbers(&found["offset"])?);
        builder.shard(&Shard { parent_shape, offset })?;
    }
    if let Some(found) = given(&value["statistics"]) {
        builder.statistics(&statistics(found)?)?;
    }
    if let Some(found) = given(&value["extension_type"]) {
        builder.extension_type(&extension_type(found)?)?;
    }
    if let Some(found) = given(&value["member_role"]) {
        builder.member_role(MemberRole(tag(sys::HURRAY_SPACE_MEMBER_ROLE, found)?))?;
    }
    Ok(builder.finish()?)
}

/// A tensor of a descriptor and data.
fn bound(descriptor: &Descriptor, data: &[Vec<u8>]) -> Read<Tensor> {
    let buffers = data.iter().map(|one| Buffer::copy_of(one)).collect::<hurray_client::Result<Vec<_>>>()?;
    Ok(Tensor::from_descriptor(descriptor, BufferList::of(buffers)?, Owner::none())?)
}

/// A tensor of a descriptor's bytes and data.
pub fn bind(request: &Value) -> Read<Tensor> {
    let data: Vec<Vec<u8>> = list(&request["buffers"])?.iter().map(bytes).collect::<Read<_>>()?;
    bound(&Descriptor::decode(&bytes(&request["descriptor"])?)?, &data)
}

/// A tensor of fields and data.
pub fn tensor(value: &Value) -> Read<Tensor> {
    let data: Vec<Vec<u8>> = list(&value["data"])?.iter().map(bytes).collect::<Read<_>>()?;
    let sizes: Vec<u64> = data.iter().map(|one| one.len() as u64).collect();
    bound(&descriptor(&value["tensor"], &sizes)?, &data)
}

/// An item of fields and data.
pub fn item(value: &Value) -> Read<Item> {
    if given(&value["members"]).is_none() {
        return Ok(Item::of(&tensor(value)?)?);
    }
    let members = list(&value["members"])?.iter().map(item).collect::<Read<Vec<_>>>()?;
    let members: Vec<&ItemRef> = members.iter().map(|member| &**member).collect();
    Ok(Item::composite(&*descriptor(&value["composite"], &[])?, &members)?)
}
