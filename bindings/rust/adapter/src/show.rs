//! Descriptors and items as JSON, read through the binding's types.

use hurray_client::{
    BufferEntry, Content, DescriptorRef, ElementType, ItemRef, Layout, Quantization, Statistics, Tensor, sys,
    tag_name,
};
use serde_json::{Map, Value, json};

use crate::form::{Answer, Read, hex, real, tag, visible, wide, wides};

fn layout_name(number: u8) -> Value {
    tag(tag_name(sys::HURRAY_SPACE_LAYOUT, number.into()).ok(), number)
}

fn type_name(element_type: ElementType) -> Value {
    tag(element_type.name(), element_type.0)
}

fn layout(layout: &Layout) -> Answer {
    let fields = match layout {
        Layout::RowMajor | Layout::ColumnMajor => json!({}),
        Layout::Strided { strides } => json!({"strides": wides(strides)}),
        Layout::Tiled { levels } => {
            let levels = levels.iter().map(|level| {
                json!({
                    "tile_shape": wides(&level.shape),
                    "outer": layout_name(level.outer_layout),
                    "inner": layout_name(level.inner_layout),
                    "outer_strides": level.outer_strides.as_deref().map(wides),
                    "inner_strides": level.inner_strides.as_deref().map(wides),
                })
            });
            json!({"levels": levels.collect::<Value>()})
        }
        Layout::Morton { bits } => json!({"bits": bits}),
        Layout::Coo { nnz, is_sorted } => json!({"nnz": wide(nnz), "is_sorted": is_sorted}),
        Layout::Csr { nnz } | Layout::Csc { nnz } => json!({"nnz": wide(nnz)}),
        Layout::Csf { nnz, mode_order } => json!({"nnz": wide(nnz), "mode_order": mode_order}),
        Layout::BlockPaged {
            page_size,
            num_pages,
            paged_axis,
            num_seqs,
            kv_role,
            layer_index,
            wide_indices,
        } => json!({
            "page_size": page_size,
            "num_pages": wide(num_pages),
            "paged_axis": paged_axis,
            "num_seqs": num_seqs,
            "kv_role": tag(kv_role.name(), kv_role.0),
            "layer_index": layer_index,
            "block_table_index_type": if *wide_indices { "uint64" } else { "uint32" },
        }),
        Layout::Composite { rule, combine_op, member_count } => json!({
            "rule": tag(rule.name(), rule.0),
            "combine_op": tag(combine_op.name(), combine_op.0),
            "member_count": member_count,
        }),
        Layout::Hilbert { order, rank } => json!({"order": order, "rank": rank}),
        Layout::Private { id, data, .. } => json!({"layout_id": wide(id), "data": hex(data)}),
        Layout::Unknown { data, .. } => json!({"unknown_data": hex(data)}),
        _ => return Err("a layout that the adapter does not know".into()),
    };
    let mut out = Map::new();
    out.insert("tag".to_owned(), layout_name(layout.tag()));
    out.extend(fields.as_object().cloned().unwrap_or_default());
    Ok(Value::Object(out))
}

fn quantization(quantization: &Quantization) -> Answer {
    let number = quantization.tag();
    let name = tag(tag_name(sys::HURRAY_SPACE_SCHEME, number.into()).ok(), number);
    Ok(match quantization {
        Quantization::PerTensorAffine { scale, zero_point } => {
            json!({"scheme": name, "scale": real(f64::from(*scale)), "zero_point": zero_point})
        }
        Quantization::PerChannelAffine { axis, scale_buffer, zero_point_buffer, scale_type } => json!({
            "scheme": name, "axis": axis, "scale_buffer": scale_buffer,
            "zero_point_buffer": zero_point_buffer, "scale_type": type_name(*scale_type),
        }),
        Quantization::PerBlockAffine { axis, block_size, scale_buffer, zero_point_buffer, scale_type } => {
            json!({
                "scheme": name, "axis": axis, "block_size": block_size, "scale_buffer": scale_buffer,
                "zero_point_buffer": zero_point_buffer, "scale_type": type_name(*scale_type),
            })
        }
        Quantization::Nf4 { axis, block_size, scale_buffer }
        | Quantization::Mxfp { axis, block_size, scale_buffer } => {
            json!({"scheme": name, "axis": axis, "block_size": block_size, "scale_buffer": scale_buffer})
        }
        Quantization::Unknown { version, flags, data, .. } => {
            json!({"scheme": name, "version": version, "flags": flags, "unknown_data": hex(data)})
        }
        _ => return Err("a scheme that the adapter does not know".into()),
    })
}

fn buffer(entry: &BufferEntry) -> Value {
    let place = entry.placement;
    json!({
        "byte_size": wide(entry.byte_size),
        "alignment": entry.alignment,
        "device": tag(place.device.name(), place.device.0),
        "sync_mode": tag(place.sync_mode.name(), place.sync_mode.0),
        "memory_class": tag(place.memory_class.name(), place.memory_class.0),
        "role": entry.role.name().unwrap_or("unknown"),
        "role_level": entry.role_level,
    })
}

fn statistics(found: &Statistics) -> Value {
    json!({
        "nnz": found.nnz.map(wide),
        "sparsity_ratio": found.sparsity_ratio.map(real),
        "min": found.min.map(real),
        "max": found.max.map(real),
        "abs_max": found.abs_max.map(real),
        "mean": found.mean.map(real),
        "stddev": found.stddev.map(real),
        "nm_n": found.nm_n,
        "nm_m": found.nm_m,
        "has_nan": found.has_nan,
        "has_inf": found.has_inf,
    })
}

/// Every field of a descriptor.
pub fn descriptor(descriptor: &DescriptorRef) -> Answer {
    let extension = visible(descriptor.extension_type())?.map(|found| {
        json!({
            "bit_width": found.bit_width,
            "packing_factor": found.packing_factor,
            "is_float": found.is_float,
            "is_signed": found.is_signed,
            "sign_bits": found.sign_bits,
            "exponent_bits": found.exponent_bits,
            "mantissa_bits": found.mantissa_bits,
            "exponent_bias": found.exponent_bias,
            "has_nan": found.has_nan,
            "has_inf": found.has_inf,
        })
    });
    let shard = visible(descriptor.shard())?
        .map(|found| json!({"parent_shape": wides(&found.parent_shape), "offset": wides(&found.offset)}));
    let fields = descriptor.fields()?;
    let header = |id| fields.get(id, 0).map(|field| field.u64());
    Ok(json!({
        "version": [header(sys::HURRAY_HEADER_FIELD_VERSION_MAJOR), header(sys::HURRAY_HEADER_FIELD_VERSION_MINOR)],
        "dtype": type_name(descriptor.element_type()?),
        "shape": wides(&descriptor.shape()?),
        "byte_offset": wide(descriptor.byte_offset()?),
        "element_count": descriptor.element_count()?.map(wide),
        "encoded_length": header(sys::HURRAY_HEADER_FIELD_ENCODED_LENGTH),
        "layout": layout(&descriptor.layout()?)?,
        "buffers": descriptor.buffers()?.iter().map(buffer).collect::<Value>(),
        "quantization": visible(descriptor.quantization())?.as_ref().map(quantization).transpose()?,
        "shard": shard,
        "statistics": visible(descriptor.statistics())?.as_ref().map(statistics),
        "extension_type": extension,
        "member_role": visible(descriptor.member_role())?.map(|role| tag(role.name(), role.0)),
    }))
}

/// The bytes of each buffer, from behind its lead.
pub fn data(tensor: &Tensor) -> Read<Vec<Vec<u8>>> {
    let count = tensor.buffer_count()?;
    let mut found = Vec::new();
    for index in 0..count {
        let buffer = tensor.buffer(index)?;
        // SAFETY: nothing writes to the memory while it is copied.
        let bytes = unsafe { buffer.as_bytes()? };
        found.push(bytes.get(buffer.lead()? as usize..).unwrap_or_default().to_vec());
    }
    Ok(found)
}

/// A tensor with its data.
pub fn tensor(tensor: &Tensor) -> Answer {
    let data: Value = data(tensor)?.iter().map(|bytes| hex(bytes)).collect();
    Ok(json!({"tensor": descriptor(tensor.descriptor()?)?, "data": data}))
}

/// A tensor, a composite with its members, or a descriptor with the bytes that came with it.
pub fn item(item: &ItemRef) -> Answer {
    match item.content()? {
        Content::Tensor(found) => tensor(&found),
        Content::Composite(head) => {
            let members: Value =
                (0..item.member_count()?).map(|k| self::item(item.member(k)?)).collect::<Read<_>>()?;
            Ok(json!({"composite": descriptor(head)?, "members": members}))
        }
        Content::Descriptor(alone) => {
            let data = item.data()?.map(|tensor| data(&tensor)).transpose()?;
            let data = data.map(|buffers| hex(&buffers.concat()));
            Ok(json!({"descriptor": descriptor(alone)?, "data": data}))
        }
    }
}
