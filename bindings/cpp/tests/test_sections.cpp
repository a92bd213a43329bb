// Shard, statistics, private element type, member role and buffer table, both ways.
#include "check.hpp"
#include "wire.hpp"

using namespace hurray;

namespace {

// descriptor.md section 8.3, byte for byte.
const char* const example =
    "48 52 52 59 01 00 dd 00 00 00 0b 00 00 00 10 01 02 00 00 00 04 00 00 00 00 00 00 00 08 00 00 00"
    "00 00 00 00 00 00 00 00 00 00 00 00 03 20 00 00 00 00 00 00 00 80 00 00 00 00 00 00 00 20 00 00"
    "00 00 00 00 00 40 00 00 00 00 00 00 00 20 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 14 00 00"
    "00 02 01 00 00 01 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 10 00 00 00 00 00 00 00 08 00 00"
    "00 00 00 00 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 2f 00 00 00 00 00 00 00 1d 00 00"
    "00 00 00 00 00 00 00 00 00 00 00 b8 3f 00 00 00 00 00 00 1a c0 00 00 00 00 00 00 28 40 00 00 00"
    "00 00 00 28 40 00 00 00 00 00 00 e0 3f 00 00 00 00 00 00 02 40 00 00 00 00 00 00 00 00";

Statistics example_statistics() {
  Statistics statistics;
  statistics.nnz = 29;
  statistics.sparsity_ratio = 0.09375;
  statistics.range = Statistics::Range{-6.5, 12, 12};
  statistics.moments = Statistics::Moments{0.5, 2.25};
  statistics.special = Statistics::Special{false, false};
  return statistics;
}

Test read_example("sections: the example of the format is read", [] {
  const Descriptor descriptor = Descriptor::decode(hex(example));
  eq(descriptor.element_type(), ElementType::int8);
  eq(descriptor.shape(), Shape{4, 8});
  eq(descriptor.flags(), 0x0BU);
  eq(descriptor.element_count(), 32U);
  check(*descriptor.quantization() == Quantization(quant::PerChannel{1, 1, 2, ElementType::float32}));
  check(*descriptor.shard() == Shard{Shape{16, 8}, {12, 0}});
  check(*descriptor.statistics() == example_statistics());
  check(!descriptor.extension_type().has_value());
  check(!descriptor.member_role().has_value());
  const std::vector<BufferEntry> buffers = descriptor.buffers();
  eq(buffers.size(), 3U);
  eq(buffers[0].byte_size, 32U);
  eq(buffers[0].alignment, 128U);
  eq(buffers[2].role, Role::zero_points);
});

Test write_example("sections: the example of the format is written", [] {
  auto builder = DescriptorBuilder::make(ElementType::int8, {4, 8});
  builder.quantization(quant::PerChannel{1, 1, 2, ElementType::float32})
      .shard({Shape{16, 8}, {12, 0}})
      .statistics(example_statistics());
  BufferEntry entry;
  entry.byte_size = 32;
  entry.alignment = 128;
  builder.buffer(entry);
  entry.alignment = 64;
  builder.buffer(entry).buffer(entry);
  eq(builder.finish().encode(), hex(example));
});

Test pattern("sections: statistics of one group only", [] {
  Wire wire{0x03, 1, {8}, {}, {32}};
  // Mask 0x30: pattern 2 of 4 at offset 64, NaN yes and infinity no at 66.
  wire.statistics = join({u32(0x30), Bytes(60), {2, 4, 1, 0}, Bytes(4)});
  Statistics statistics;
  statistics.pattern = Statistics::Pattern{2, 4};
  statistics.special = Statistics::Special{true, false};
  check(*Descriptor::decode(wire.bytes()).statistics() == statistics);
  auto builder = DescriptorBuilder::make(ElementType::float32, {8});
  eq(builder.statistics(statistics).default_buffers().finish().encode(), wire.bytes());
});

// A private 8-bit float: 1-3-4, bias 3, with NaN and without infinity.
Test extension_type("sections: a private element type", [] {
  Wire wire{0xF1, 1, {6}, {}, {6}};
  wire.extension = join({u32(8), {1, 1, 0, 1, 3, 4}, Bytes(2), u32(3), {1, 0}, Bytes(2)});
  const ExtensionType type{8, 1, true, false, 1, 3, 4, 3, true, false};
  const Descriptor descriptor = Descriptor::decode(wire.bytes());
  check(*descriptor.extension_type() == type);
  eq(descriptor.element_type(), static_cast<ElementType>(0xF1));
  auto builder = DescriptorBuilder::make(static_cast<ElementType>(0xF1), {6});
  eq(builder.extension_type(type).default_buffers().finish().encode(), wire.bytes());
});

Test member_role("sections: a member of an overlay", [] {
  Wire wire{0x03, 1, {2, 2}, {}, {16}};
  wire.shard = join({u64(2), u64(2), u64(0), u64(0)});
  wire.member = join({{1}, Bytes(15)});
  const Descriptor descriptor = Descriptor::decode(wire.bytes());
  eq(*descriptor.member_role(), MemberRole::base);
  auto builder = DescriptorBuilder::make(ElementType::float32, {2, 2});
  builder.member_role(MemberRole::base).shard({Shape{2, 2}, {0, 0}}).default_buffers();
  eq(builder.finish().encode(), wire.bytes());
});

Test scalar_shard("sections: the shard of a scalar has no dimensions", [] {
  auto builder = DescriptorBuilder::make(ElementType::float32, {});
  const Descriptor descriptor = builder.shard({}).default_buffers().finish();
  const auto shard = descriptor.shard();
  check(shard && shard->parent_shape.rank() == 0 && shard->offset.empty());
});

// descriptor.md section 8.2: CUDA unified memory with events.
Test device_buffers("sections: buffers on a device", [] {
  const Descriptor descriptor = Descriptor::decode(
      hex("48 52 52 59 01 00 6d 00 00 00 00 00 00 00 04 07 02 00 00 00 03 00 00 00 00 00 00 00 06 00 00 00"
          "00 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03 20 00 00"
          "00 00 00 00 00 00 10 00 00 01 01 02 00 20 00 00 00 00 00 00 00 00 10 00 00 01 01 02 00 20 00 00"
          "00 00 00 00 00 00 10 00 00 01 01 02 00"));
  eq(descriptor.layout(), Layout(layout::Csr{4}));
  for (const BufferEntry& entry : descriptor.buffers()) {
    eq(entry.byte_size, 32U);
    eq(entry.alignment, 4096U);
    eq(entry.device, Device::cuda);
    eq(entry.sync_mode, SyncMode::event);
    eq(entry.memory_class, MemoryClass::unified);
  }
});

}  // namespace
