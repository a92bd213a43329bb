//! What cbindgen writes, laid out as a manual: sections with banners, constants one to a line, identifiers in
//! hexadecimal.

/// Sections, by what the names of their constants, types or functions begin with; the first that fits counts.
const SECTIONS: &[(&str, &str)] = &[
    ("HURRAY_C_ABI_VERSION", "Version"),
    ("HURRAY_OK", "Statuses"),
    ("HURRAY_NEED_MORE", "Statuses"),
    ("HURRAY_END", "Statuses"),
    ("HURRAY_ERR_", "Statuses"),
    ("HURRAY_SPACE_", "Tag spaces"),
    ("HURRAY_KIND_", "Kinds of element types, bits"),
    ("HURRAY_TYPE_", "Element types"),
    ("HURRAY_LAYOUT_FIELD_", "Fields: layout"),
    ("HURRAY_LAYOUT_", "Layouts"),
    ("HURRAY_SCHEME_", "Quantization schemes"),
    ("HURRAY_DEVICE_", "Devices"),
    ("HURRAY_MEMORY_", "Memory classes"),
    ("HURRAY_SYNC_", "Sync modes"),
    ("HURRAY_RULE_", "Composition rules"),
    ("HURRAY_OP_", "Combine operations"),
    ("HURRAY_MEMBER_FIELD_", "Fields: member of a composite"),
    ("HURRAY_MEMBER_", "Member roles"),
    ("HURRAY_KV_ROLE_", "Roles of a block-paged pool"),
    ("HURRAY_KV_", "Key-value types"),
    ("HURRAY_ROLE_", "Roles of buffers and parts"),
    ("HURRAY_VIEW_", "Flags of an array view"),
    ("HURRAY_DECODE_", "Flags of decoding"),
    ("HURRAY_QUANT_FIELD_", "Fields: quantization"),
    ("HURRAY_SHARD_FIELD_", "Fields: shard"),
    ("HURRAY_STATS_FIELD_", "Fields: statistics"),
    ("HURRAY_EXT_TYPE_FIELD_", "Fields: extension type"),
    ("HURRAY_BUFFER_FIELD_", "Fields: buffer table; the level is the index of the buffer"),
    ("HURRAY_HEADER_FIELD_", "Fields: header"),
    ("HURRAY_BUFFER_", "Flags of a buffer"),
    ("HURRAY_OPTION_", "Options"),
    ("HURRAY_ITEM_", "Kinds of items"),
    ("HURRAY_STREAM_", "Forms of a stream"),
    ("HURRAY_ADVICE_", "Advice on reading a file"),
    ("hurray_file_reader_", "Files: reading"),
    ("hurray_file_writer_", "Files: writing"),
    ("hurray_options_", "Options"),
    ("hurray_buffer_list_", "Buffer lists"),
    ("hurray_buffer_", "Buffers"),
    ("hurray_descriptor_element_offset", "Conversions and element access"),
    ("hurray_descriptor_builder_", "The descriptor builder"),
    ("hurray_descriptor_", "Descriptors"),
    ("hurray_tensor_to_dlpack", "DLPack"),
    ("hurray_tensor_from_dlpack", "DLPack"),
    ("hurray_tensor_dlpack_", "DLPack"),
    ("hurray_tensor_to_layout", "Conversions and element access"),
    ("hurray_tensor_gather", "Conversions and element access"),
    ("hurray_tensor_scatter", "Conversions and element access"),
    ("hurray_tensor_dequantize", "Conversions and element access"),
    ("hurray_tensor_quantize", "Conversions and element access"),
    ("hurray_tensor_unpack", "Conversions and element access"),
    ("hurray_tensor_pack", "Conversions and element access"),
    ("hurray_tensor_slice", "Conversions and element access"),
    ("hurray_tensor_statistics", "Conversions and element access"),
    ("hurray_tensor_element_offset", "Conversions and element access"),
    ("hurray_tensor_check_data", "Conversions and element access"),
    ("hurray_item_assemble", "Conversions and element access"),
    ("hurray_tensor_", "Tensors"),
    ("hurray_item_", "Items: a tensor, a composite, a descriptor"),
    ("hurray_stream_reader_", "Streams: reading"),
    ("hurray_stream_writer_", "Streams: writing"),
    ("hurray_stream_", "Streams: loops over a file descriptor"),
    ("hurray_", "Library"),
    ("typedef", "Types"),
];

pub fn lay_out(raw: &str) -> String {
    let mut out = String::new();
    let mut section = "";
    let mut table = Vec::new();
    for item in raw.split("\n\n") {
        let item = item.trim_matches('\n');
        let name = name(item);
        let title = SECTIONS.iter().find(|(start, _)| name.starts_with(start)).map_or("", |(_, title)| title);
        assert!(
            name.is_empty() || !title.is_empty(),
            "{name} has no section; see SECTIONS in tests/header/layout.rs"
        );
        let is_new = !name.is_empty() && title != section;
        let row = constant(name, item);
        if is_new || row.as_ref().is_none_or(|(_, _, lines)| lines.len() != 1) {
            out += &rows(std::mem::take(&mut table));
        }
        if is_new {
            out += &format!("/* ---- {title} {} */\n\n", "-".repeat(108 - title.len()));
            section = title;
        }
        match row {
            Some((name, value, lines)) if lines.len() == 1 => table.push((name, value, lines.concat())),
            Some((name, value, lines)) => out += &format!("{}\n#define {name} {value}\n\n", lines.join("\n")),
            None => out += &format!("{item}\n\n"),
        }
    }
    format!("{}\n", out.trim_end())
}

/// Constants one to a line, their texts beside them.
fn rows(table: Vec<(&str, String, String)>) -> String {
    let names = table.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let values = table.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let rows = table
        .iter()
        .map(|(name, value, text)| format!("#define {name:names$} {value:>values$} /**< {text} */\n"));
    let rows: String = rows.collect();
    if rows.is_empty() { rows } else { rows + "\n" }
}

/// What an item declares: a constant, `typedef`, or a function; nothing for the frame around them.
fn name(item: &str) -> &str {
    let code = item.rsplit_once("*/\n").map_or(item, |(_, code)| code);
    if let Some(define) = code.strip_prefix("#define HURRAY_") {
        let end = define.find(' ').unwrap_or(0);
        // The guard has no value.
        return if end == 0 { "" } else { &code["#define ".len()..][..end + "HURRAY_".len()] };
    }
    if code.starts_with("typedef") {
        return "typedef";
    }
    match (code.ends_with(");"), code.find("hurray_"), code.find('(')) {
        (true, Some(start), Some(end)) if start < end => &code[start..end],
        _ => "",
    }
}

/// Name and value of a constant (negative values in parentheses, identifiers in hexadecimal), and its documentation:
/// the bare text if that is one line, the whole comment if it is longer.
fn constant<'a>(name: &'a str, item: &'a str) -> Option<(&'a str, String, Vec<&'a str>)> {
    let (_, value) =
        item.rsplit_once("#define ")?.1.split_once(' ').filter(|_| name.starts_with("HURRAY_"))?;
    let value = match value.parse::<i64>().expect("a number") {
        value if value < 0 => format!("({value})"),
        value if name.contains("_FIELD_") => format!("0x{value:08X}"),
        value => value.to_string(),
    };
    let mut lines: Vec<_> = item.lines().collect();
    lines.pop();
    if let ["/**", text, " */"] = lines[..] {
        lines = vec![text.trim_start_matches(" *").trim()];
    }
    Some((name, value, lines))
}
