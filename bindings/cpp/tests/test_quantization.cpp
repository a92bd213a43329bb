// Every scheme: read from bytes written by hand, and written back to the same bytes from its struct.
#include "check.hpp"
#include "wire.hpp"

using namespace hurray;

namespace {

void same(const Wire& wire, const Quantization& quantization, const char* file = __builtin_FILE(),
          int line = __builtin_LINE()) {
  const Bytes bytes = wire.bytes();
  const auto read = Descriptor::decode(bytes).quantization();
  check(read.has_value(), file, line);
  if (read) check(*read == quantization, file, line);
  auto builder = DescriptorBuilder::make(static_cast<ElementType>(wire.type), Shape(wire.shape));
  builder.quantization(quantization);
  for (const std::uint64_t size : wire.buffers) {
    BufferEntry entry;
    entry.byte_size = size;
    builder.buffer(entry);
  }
  eq(builder.finish().encode(), bytes, file, line);
}

Wire dense(std::uint8_t type, std::vector<std::uint64_t> shape, std::vector<std::uint64_t> buffers,
           const std::string& payload) {
  Wire wire{type, 1, std::move(shape), {}, std::move(buffers)};
  wire.quantization = hex(payload);
  return wire;
}

// The payloads are those of quantization.md section 10.
Test per_tensor("quantization: per tensor", [] {
  same(dense(0x10, {4}, {4}, "01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00"), quant::PerTensor{0.25F, -3});
});

Test per_channel("quantization: per channel", [] {
  same(dense(0x11, {2, 3}, {6, 12, 12}, "02 01 00 00 01 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00"),
       quant::PerChannel{1, 1, 2, ElementType::float32});
});

Test per_channel_symmetric("quantization: per channel, symmetric", [] {
  same(dense(0x10, {2, 3}, {6, 8}, "02 01 01 00 00 00 00 00 01 00 00 00 FF FF FF FF 03 00 00 00"),
       quant::PerChannel{0, 1, std::nullopt, ElementType::float32});
});

Test per_block("quantization: per block", [] {
  same(dense(0x48, {2, 6}, {6, 8}, "03 01 01 00 01 00 00 00 04 00 00 00 01 00 00 00 FF FF FF FF 01 00 00 00"),
       quant::PerBlock{1, 4, 1, std::nullopt, ElementType::float16});
});

Test nf4("quantization: nf4", [] {
  same(dense(0x49, {16}, {8, 8}, "04 01 00 00 00 00 00 00 08 00 00 00 01 00 00 00"), quant::Nf4{0, 8, 1});
});

Test mxfp("quantization: mxfp", [] {
  same(dense(0x43, {1, 32}, {16, 2}, "05 01 00 00 01 00 00 00 10 00 00 00 01 00 00 00"), quant::Mxfp{1, 16, 1});
});

Test none("quantization: none", [] {
  const Wire wire{0x03, 1, {2}, {}, {8}};
  check(!Descriptor::decode(wire.bytes()).quantization().has_value());
});

Test unknown("quantization: an unknown scheme, kept by a permissive reader", [] {
  const Wire wire = dense(0x10, {4}, {4}, "21 05 00 00 01 02 03");
  fails(HURRAY_ERR_UNSUPPORTED, [&] { Descriptor::decode(wire.bytes()); });
  const auto read = Descriptor::decode(wire.bytes(), Decode::permissive).quantization();
  check(read && *read == Quantization(quant::Unknown{static_cast<Scheme>(0x21), 5, 0, {1, 2, 3}}));
});

Test open_indices("quantization: buffer indices left open are chosen", [] {
  auto builder = DescriptorBuilder::make(ElementType::int8, {4, 3});
  const Descriptor made = builder.quantization(quant::PerChannel{0}).default_buffers().finish();
  check(*made.quantization() == Quantization(quant::PerChannel{0, 1, std::nullopt, ElementType::float32}));
  eq(made.buffers()[1].byte_size, 16U);
  eq(made.buffers()[1].role, Role::scales);
});

Test refused("quantization: a scale of zero is refused with its rule", [] {
  auto builder = DescriptorBuilder::make(ElementType::int8, {4});
  builder.quantization(quant::PerTensor{0.0F, 0}).default_buffers();
  const std::string text = fails(HURRAY_ERR_INVALID_DESCRIPTOR, [&] { builder.finish(); });
  check(text.find("Q-011") != std::string::npos || text.find("V-107") != std::string::npos);
});

}  // namespace
