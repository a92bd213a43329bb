// Conversions: layouts into each other, and where elements lie.
#include "check.hpp"

using namespace hurray;

namespace {

Descriptor described(ElementType type, const Shape& shape, const Layout& layout) {
  return DescriptorBuilder::make(type, shape, layout).default_buffers().finish();
}

Test layouts("convert: to another layout and back", [] {
  const Tensor tensor = from_vector(std::vector<std::int16_t>{1, 2, 3, 4, 5, 6}, {2, 3});
  const Descriptor columns = described(ElementType::int16, {2, 3}, layout::ColumnMajor{});
  const Converted there = to_layout(tensor, columns);
  eq(there.bytes, 12U);
  check(there.tensor.descriptor().layout() == Layout(layout::ColumnMajor{}));
  eq(element_offset(there.tensor, {1, 2}), 5);
  eq(element_offset(columns, {1, 1}), 3);
  const Converted back = contiguous(there.tensor);
  check(back.tensor.data<std::int16_t>()[1] == 2);
  eq(contiguous(tensor).bytes, 0U);
});

Test room("convert: into a buffer of the caller's", [] {
  std::vector<std::int16_t> memory(7);
  const Tensor place = from_span(memory, {7});
  const std::vector<std::int16_t> values{1, 2, 3, 4, 5, 6};
  const Tensor tensor = from_strided(values, {3, 2}, {1, 3});
  const Converted there = contiguous(tensor, place.buffers().at(0));
  eq(there.bytes, 12U);
  check(memory == std::vector<std::int16_t>({1, 4, 2, 5, 3, 6, 0}));
  eq(there.tensor.data<std::int16_t>().data(), memory.data());
  std::vector<std::int16_t> short_of_one(5);
  const Tensor small = from_span(short_of_one, {5});
  fails(HURRAY_ERR_BUFFER_TOO_SMALL, [&] { contiguous(tensor, small.buffers().at(0)); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { contiguous(tensor, tensor.buffers().at(0)); });
});

Test numbers("convert: codes to numbers and back", [] {
  const Tensor values = from_vector(std::vector<float>{-1, -0.5F, 0, 0.25F, 0.5F, 1}, {2, 3});
  const Descriptor target = DescriptorBuilder::make(ElementType::int8, {2, 3})
                                .quantization(quant::PerTensor{0.25F, 3})
                                .default_buffers()
                                .finish();
  const BufferList own = BufferList::make();
  const Converted codes = quantize(values, target, own);
  eq(codes.bytes, 6U);
  const auto read = codes.tensor.data<std::int8_t>();
  check(std::vector<std::int8_t>(read.begin(), read.end()) == std::vector<std::int8_t>({-1, 1, 3, 4, 5, 7}));
  const Converted back = dequantize(codes.tensor);
  const auto floats = back.tensor.data<float>();
  check(std::vector<float>(floats.begin(), floats.end()) == std::vector<float>({-1, -0.5F, 0, 0.25F, 0.5F, 1}));
  eq(dequantize(values).bytes, 0U);
  const Converted computed = quantize(values, target);
  eq(computed.bytes, 6U);
  fails(HURRAY_ERR_INVALID_TYPE, [&] { dequantize(values, ElementType::int8); });
});

Test packing("convert: packed elements and bytes", [] {
  const Tensor bytes = from_vector(std::vector<std::int8_t>{1, -2, 3}, {3});
  const Converted packed = pack(bytes, ElementType::int4);
  eq(packed.bytes, 2U);
  eq(std::to_integer<int>(packed.tensor.buffers().at(0).bytes()[0]), 0xE1);
  const Converted back = unpack(packed.tensor);
  eq(back.tensor.data<std::int8_t>()[1], -2);
  const Tensor large = from_vector(std::vector<std::int8_t>{8}, {1});
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { pack(large, ElementType::int4); });
});

Test slices("convert: part of a tensor, and its statistics", [] {
  const Tensor tensor = from_vector(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  const std::vector<std::int64_t> start{0, 2}, stop{2, 0}, step{1, -1};
  const Converted part = slice(tensor, start, stop, step);
  eq(part.bytes, 0U);
  const auto view = part.tensor.view<float>();
  eq(view(1, 0), 6.0F);
  eq(view(1, 1), 5.0F);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { slice(tensor, start, stop, span<const std::int64_t>(step).first(1)); });
  const auto found = statistics(tensor).statistics();
  check(found.has_value());
  eq(found->range.value().max, 6.0);
  eq(found->moments.value().mean, 3.5);
});

Test sparse("convert: dense to sparse and back, and the deep check", [] {
  const Tensor dense = from_vector(std::vector<float>{0, 2, 0, 0, 0, 3}, {2, 3});
  const Descriptor target = described(ElementType::float32, {2, 3}, layout::Csr{0});
  const Converted rows = to_layout(dense, target);
  const auto values = rows.tensor.values<float>();
  check(std::vector<float>(values.begin(), values.end()) == std::vector<float>({2, 3}));
  check_data(rows.tensor);
  const Converted back = contiguous(rows.tensor);
  const auto elements = back.tensor.data<float>();
  check(std::vector<float>(elements.begin(), elements.end()) == std::vector<float>({0, 2, 0, 0, 0, 3}));
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { gather(dense); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { scatter(dense, dense); });
});

Test composites("convert: one tensor of an item", [] {
  const Tensor tensor = from_vector(std::vector<float>{1, 2}, {2});
  const Item item = Item::from_tensor(tensor);
  const Converted same = assemble(item);
  eq(same.bytes, 0U);
  eq(same.tensor.data<float>()[1], 2.0F);
});

Test refused("convert: what is refused", [] {
  const Tensor tensor = from_vector(std::vector<float>(6), {2, 3});
  fails(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, [&] { element_offset(tensor, {2, 0}); });
  const Descriptor other = described(ElementType::float32, {3, 2}, layout::ColumnMajor{});
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { to_layout(tensor, other); });
  const Descriptor columns = described(ElementType::float32, {2, 3}, layout::ColumnMajor{});
  Options never = Options::make();
  never.set(HURRAY_OPTION_COPY, 1);
  fails(HURRAY_ERR_COPY_REQUIRED, [&] { to_layout(tensor, columns, BufferRef(), never); });
  const auto outcome = try_to_layout(Tensor(), columns);
  check(!outcome && outcome.error().status() == HURRAY_ERR_NULL_POINTER);
});

}  // namespace
