//! A descriptor's bytes as a table for people: offset, bytes, what they are.

use super::{ENTRY_LEN, layout_len};
use crate::format::header::HEADER_LEN;
use crate::format::tag::{space, tag_name};
use crate::format::{Descriptor, Fault, Layout};
use std::fmt::{self, Arguments, Write};

/// Bytes shown on a line.
const WIDTH: usize = 16;

/// An encoded descriptor, ready to be shown.
pub struct Annotated<'a> {
    descriptor: &'a Descriptor,
    bytes: Vec<u8>,
}

/// The name of a tag, or its number.
struct Tag(u32, u8);

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match tag_name(self.0, self.1.into()).and_then(|name| name.to_str().ok()) {
            Some(name) => f.write_str(name),
            None => write!(f, "0x{:02X}", self.1),
        }
    }
}

/// Writes line after line, from front to back.
struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
    to: &'a mut dyn Write,
}

impl Table<'_> {
    /// The next `len` bytes, and what they are.
    fn row(&mut self, len: usize, what: Arguments<'_>) -> fmt::Result {
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.get(..len)).unwrap_or_default();
        for (k, line) in bytes.chunks(WIDTH).enumerate() {
            write!(self.to, "{:06x} ", self.at + k * WIDTH)?;
            for byte in line {
                write!(self.to, " {byte:02x}")?;
            }
            if k == 0 {
                let gap = 3 * (WIDTH - line.len()) + 2;
                write!(self.to, "{:gap$}{what}", "")?;
            }
            self.to.write_char('\n')?;
        }
        self.at += bytes.len();
        Ok(())
    }

    fn words(&mut self, name: &str, words: &[u64]) -> fmt::Result {
        words.iter().enumerate().try_for_each(|(k, word)| self.row(8, format_args!("{name}[{k}] = {word}")))
    }
}

impl Descriptor {
    /// Encodes the descriptor for a table.
    pub fn annotated(&self) -> Result<Annotated<'_>, Fault> {
        let len = self.encoded_len();
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| Fault::out_of_memory())?;
        bytes.resize(len, 0);
        self.encode_into(&mut bytes);
        Ok(Annotated { descriptor: self, bytes })
    }
}

impl Annotated<'_> {
    /// Writes the table, one line for each field, long ones on several.
    pub fn write(&self, to: &mut dyn Write) -> fmt::Result {
        let d = self.descriptor;
        let mut table = Table { bytes: &self.bytes, at: 0, to };
        table.row(4, format_args!("magic"))?;
        table.row(2, format_args!("version = 1.{}", d.minor))?;
        table.row(4, format_args!("descriptor_length = {}", self.bytes.len()))?;
        table.row(4, format_args!("flags = 0x{:x}", d.flags))?;
        table.row(1, format_args!("element_type = {}", Tag(space::ELEMENT_TYPE, d.element_type)))?;
        table.row(1, format_args!("layout = {}", Tag(space::LAYOUT, d.layout.tag())))?;
        table.row(HEADER_LEN - 16, format_args!("rank = {}", d.shape.len()))?;
        table.words("shape", &d.shape)?;
        table.row(8, format_args!("byte_offset = {}", d.byte_offset))?;
        self.layout(&mut table)?;
        if d.has_buffer_table() {
            self.buffers(&mut table)?;
        }
        self.sections(&mut table)
    }

    fn layout(&self, table: &mut Table<'_>) -> fmt::Result {
        let d = self.descriptor;
        match &d.layout {
            Layout::Strided(strides) => {
                let each = strides.iter().enumerate();
                each.into_iter()
                    .try_for_each(|(k, stride)| table.row(8, format_args!("strides[{k}] = {stride}")))
            }
            Layout::Composite { rule, op, member_count } => {
                table.row(1, format_args!("rule = {}", Tag(space::COMPOSITION_RULE, *rule)))?;
                table.row(1, format_args!("combine_op = {}", Tag(space::COMBINE_OP, *op)))?;
                table.row(2, format_args!("reserved"))?;
                table.row(4, format_args!("member_count = {member_count}"))
            }
            layout => table.row(layout_len(layout, d.shape.len()), format_args!("fields of the layout")),
        }
    }

    fn buffers(&self, table: &mut Table<'_>) -> fmt::Result {
        let d = self.descriptor;
        table.row(1, format_args!("buffer_count = {}", d.buffers.len()))?;
        for (k, entry) in d.buffers.iter().enumerate() {
            let (device, sync) =
                (Tag(space::DEVICE, entry.device_tag), Tag(space::SYNC_MODE, entry.sync_mode));
            let class = Tag(space::MEMORY_CLASS, entry.memory_class);
            table.row(
                ENTRY_LEN,
                format_args!(
                    "buffer[{k}]: {} bytes, alignment {}, {device}, {sync}, {class}",
                    entry.byte_size, entry.alignment
                ),
            )?;
        }
        Ok(())
    }

    fn sections(&self, table: &mut Table<'_>) -> fmt::Result {
        let d = self.descriptor;
        if d.flags != 0 {
            if d.quantization.is_some() {
                table.row(4, format_args!("length of the quantization"))?;
                table.row(d.offset_of_shard() - table.at, format_args!("quantization"))?;
            }
            if let Some(shard) = &d.shard {
                table.words("parent_shape", &shard.parent_shape)?;
                table.words("shard_offset", &shard.offset)?;
            }
            table.row(d.offset_of_extension_type() - table.at, format_args!("statistics"))?;
            table.row(d.offset_of_member() - table.at, format_args!("extension type"))?;
            table.row(d.offset_of_tail() - table.at, format_args!("member of a composite"))?;
        }
        table.row(self.bytes.len() - table.at, format_args!("unknown tail"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::samples::*;

    fn samples() -> Vec<Vec<u8>> {
        let wires = [
            tiled(),
            csf(),
            coo(),
            paged(),
            per_block(),
            per_tensor(),
            mxfp(),
            overlay(),
            base(),
            private_type(),
        ];
        wires.iter().map(Wire::bytes).chain([strided(), csr(), per_channel()]).collect()
    }

    #[test]
    fn every_byte_stands_on_a_line() {
        for bytes in samples() {
            let descriptor = Descriptor::decode(&bytes, true).unwrap();
            let mut text = String::new();
            descriptor.annotated().unwrap().write(&mut text).unwrap();
            let shown: Vec<u8> = text
                .lines()
                .flat_map(|line| {
                    let hex = line.get(7..(7 + 3 * WIDTH).min(line.len())).unwrap();
                    hex.split("   ")
                        .next()
                        .unwrap()
                        .split_whitespace()
                        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
                })
                .collect();
            assert_eq!(shown, bytes, "{text}");
        }
    }
}
