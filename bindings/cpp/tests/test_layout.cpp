// Every layout: read from bytes written by hand, and written back to the same bytes from its struct.
#include "check.hpp"
#include "wire.hpp"

using namespace hurray;

namespace {

/// `wire` reads as `layout`, and `layout` writes as `wire`.
void same(const Wire& wire, const Layout& layout, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const Bytes bytes = wire.bytes();
  const Descriptor descriptor = Descriptor::decode(bytes);
  eq(descriptor.layout(), layout, file, line);
  eq(descriptor.layout_tag(), tag_of(layout), file, line);
  eq(descriptor.shape(), Shape(wire.shape), file, line);

  auto builder = DescriptorBuilder::make(static_cast<ElementType>(wire.type), Shape(wire.shape), layout);
  for (const std::uint64_t size : wire.buffers) {
    BufferEntry entry;
    entry.byte_size = size;
    builder.buffer(entry);
  }
  eq(builder.finish().encode(), bytes, file, line);
  eq(Descriptor::from_fields(descriptor.fields().words()).encode(), bytes, file, line);

  // The smallest buffers that layout and type imply are those written down.
  builder = DescriptorBuilder::make(static_cast<ElementType>(wire.type), Shape(wire.shape), layout);
  eq(builder.default_buffers().finish().encode(), bytes, file, line);
}

Test row_major("layout: row-major", [] { same({0x03, 1, {2, 3}, {}, {24}}, layout::RowMajor{}); });

Test scalar("layout: row-major scalar", [] { same({0x04, 1, {}, {}, {8}}, layout::RowMajor{}); });

Test column_major("layout: column-major", [] { same({0x12, 2, {2, 4, 3}, {}, {48}}, layout::ColumnMajor{}); });

Test strided("layout: strided", [] { same({0x14, 3, {3, 4}, join({i64(5), i64(1)}), {56}}, layout::Strided{{5, 1}}); });

// layouts.md section 6, the example of two levels.
Test tiled_twice("layout: tiled, two levels", [] {
  const Bytes payload = join({u64(4), u64(4), {1, 4, 0, 0}, u64(2), u64(2), {2, 1, 0, 0}});
  layout::Tiled tiled;
  tiled.levels = {{{4, 4}, LayoutTag::row_major, LayoutTag::tiled, {}, {}},
                  {{2, 2}, LayoutTag::column_major, LayoutTag::row_major, {}, {}}};
  same({0x11, 4, {8, 4}, payload, {32}}, tiled);
});

Test tiled_strides("layout: tiled with strides of both kinds", [] {
  const Bytes payload = join({u64(2), u64(2), {3, 3, 0, 0}, i64(1), i64(2), i64(2), i64(1)});
  layout::Tiled tiled;
  tiled.levels = {{{2, 2}, LayoutTag::strided, LayoutTag::strided, {1, 2}, {2, 1}}};
  same({0x11, 4, {4, 4}, payload, {16}}, tiled);
});

Test morton("layout: morton",
            [] { same({0x11, 5, {5, 3, 6}, join({u32(3), u32(3), u32(3)}), {512}}, layout::Morton{{3, 3, 3}}); });

// layouts.md section 9: three int4 entries.
Test coo("layout: coo", [] {
  same({0x48, 6, {3, 2, 4}, join({u64(3), {1}, Bytes(7)}), {2, 72}}, layout::Coo{3, true});
  same({0x48, 6, {3, 2, 4}, join({u64(3), {0}, Bytes(7)}), {2, 72}}, layout::Coo{3, false});
});

Test csr("layout: csr", [] { same({0x03, 7, {4, 6}, join({u64(8), Bytes(8)}), {32, 64, 40}}, layout::Csr{8}); });

Test csc("layout: csc", [] { same({0x03, 8, {4, 6}, join({u64(8), Bytes(8)}), {32, 64, 56}}, layout::Csc{8}); });

Test csf("layout: csf", [] {
  const Bytes payload = join({u64(9), u32(2), u32(0), u32(1), Bytes(8)});
  const Wire wire{0x03, 9, {3, 4, 5}, payload, {36, 16, 40, 48, 56, 64, 72}};
  const Descriptor descriptor = Descriptor::decode(wire.bytes());
  eq(descriptor.layout(), Layout(layout::Csf{9, {2, 0, 1}}));
  auto builder = DescriptorBuilder::make(ElementType::float32, {3, 4, 5}, layout::Csf{9, {2, 0, 1}});
  for (const std::uint64_t size : wire.buffers) {
    BufferEntry entry;
    entry.byte_size = size;
    builder.buffer(entry);
  }
  eq(builder.finish().encode(), wire.bytes());
  const auto buffers = descriptor.buffers();
  eq(buffers.size(), 7U);
  eq(buffers[0].role, Role::values);
  eq(buffers[3].role, Role::csf_pos);
  eq(buffers[3].role_level, 1U);
  eq(buffers[6].role, Role::csf_crd);
  eq(buffers[6].role_level, 2U);
});

Bytes paged_payload(const Bytes& layer, std::uint8_t index_type) {
  return join({u32(3), u64(5), u32(0), u32(2), {1}, layer, {index_type}, Bytes(6)});
}

// layouts.md section 12: 11 tokens in pages of 3, as float16.
Test block_paged("layout: block-paged", [] {
  const layout::BlockPaged paged{3, 5, 0, 2, KvRole::value, 7, 0};
  const Wire wire{0x01, 10, {11, 2, 2}, paged_payload(u32(7), 0), {120, 20, 12}};
  const Descriptor descriptor = Descriptor::decode(wire.bytes());
  eq(descriptor.layout(), Layout(paged));
  auto builder = DescriptorBuilder::make(ElementType::float16, {11, 2, 2}, paged);
  for (const std::uint64_t size : wire.buffers) {
    BufferEntry entry;
    entry.byte_size = size;
    builder.buffer(entry);
  }
  eq(builder.finish().encode(), wire.bytes());
});

Test block_paged_without_layer("layout: block-paged without a layer index, 64-bit tables", [] {
  const Wire wire{0x01, 10, {11, 2, 2}, paged_payload(u32(0xFFFFFFFF), 1), {120, 40, 24}};
  const Descriptor descriptor = Descriptor::decode(wire.bytes());
  eq(descriptor.layout(), Layout(layout::BlockPaged{3, 5, 0, 2, KvRole::value, std::nullopt, 1}));
  eq(descriptor.buffers()[1].role, Role::block_table);
  eq(descriptor.buffers()[2].role, Role::seq_ptr);
});

Test composite("layout: composite head", [] {
  const layout::Composite head{CompositionRule::overlay, CombineOp::replace, 3};
  same({0x03, 11, {4, 4}, join({{2, 1, 0, 0}, u32(3)}), {}}, head);
});

Test hilbert("layout: hilbert",
             [] { same({0x11, 0x40, {4, 4}, join({u32(2), u32(2)}), {16}}, layout::Hilbert{2, 2}); });

Test private_layout("layout: private, kept by a permissive reader", [] {
  const Wire wire{0x03, 0xF3, {2}, join({u64(0x1122334455667788), u32(5), {9, 8, 7, 6, 5}}), {8}};
  fails(HURRAY_ERR_UNSUPPORTED, [&] { Descriptor::decode(wire.bytes()); });
  const Descriptor descriptor = Descriptor::decode(wire.bytes(), Decode::permissive);
  eq(descriptor.layout(), Layout(layout::Private{static_cast<LayoutTag>(0xF3), 0x1122334455667788, {9, 8, 7, 6, 5}}));
  eq(descriptor.buffers().size(), 1U);
  eq(name(descriptor.layout_tag()), "0xF3");
  eq(descriptor.encode(), wire.bytes());
});

Test unknown_layout("layout: unknown, kept by a permissive reader", [] {
  Wire wire{0x03, 0x21, {2}, {0xAA, 0xBB}, {8}};
  wire.quantization = hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00");
  fails(HURRAY_ERR_INVALID_LAYOUT, [&] { Descriptor::decode(wire.bytes()); });
  const Descriptor descriptor = Descriptor::decode(wire.bytes(), Decode::permissive);
  const auto unknown = std::get<layout::Unknown>(descriptor.layout());
  eq(unknown.tag, static_cast<LayoutTag>(0x21));
  const Bytes all = wire.bytes();
  eq(unknown.data, Bytes(all.begin() + 36, all.end()));
  check(descriptor.buffers().empty());
  fails(HURRAY_ERR_UNSUPPORTED, [&] { descriptor.quantization(); });
  check(!descriptor.shard().has_value());
});

Test names("layout: tags have the library's names", [] {
  eq(name(LayoutTag::row_major), "row_major");
  eq(name(LayoutTag::block_paged), "block_paged");
});

}  // namespace
