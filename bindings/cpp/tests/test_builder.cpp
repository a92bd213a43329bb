// The builder: fields by number, its judgement, its life after `finish`.
#include "check.hpp"
#include "wire.hpp"

using namespace hurray;

namespace {

Test by_number("builder: fields by number", [] {
  auto builder = DescriptorBuilder::make(ElementType::bfloat16, {2, 3, 5}, layout::Strided{{1, 1, 1}});
  builder.set_i64_array(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, std::vector<std::int64_t>{-20, 6, 1}).byte_offset(40);
  BufferEntry entry;
  entry.byte_size = 80;
  // descriptor.md section 8.1.
  eq(builder.buffer(entry).finish().encode(),
     hex("48 52 52 59 01 00 5d 00 00 00 00 00 00 00 02 03 03 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00"
         "00 00 00 00 05 00 00 00 00 00 00 00 28 00 00 00 00 00 00 00 ec ff ff ff ff ff ff ff 06 00 00 00"
         "00 00 00 00 01 00 00 00 00 00 00 00 01 50 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00"));
});

Test all_kinds("builder: every kind of field", [] {
  auto builder = DescriptorBuilder::make(ElementType::int8, {4});
  builder.set_u64(HURRAY_QUANT_FIELD_SCHEME, HURRAY_SCHEME_PER_TENSOR_AFFINE)
      .set_f64(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0.25)
      .set_i64(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, -3)
      .set_u64_array(HURRAY_SHARD_FIELD_PARENT_SHAPE, std::vector<std::uint64_t>{9})
      .set_u64_array(HURRAY_SHARD_FIELD_OFFSET, std::vector<std::uint64_t>{5})
      .default_buffers();
  Wire wire{0x10, 1, {4}, {}, {4}};
  wire.quantization = hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00");
  wire.shard = join({u64(9), u64(5)});
  eq(builder.finish().encode(), wire.bytes());
});

Test opaque("builder: opaque bytes", [] {
  auto builder =
      DescriptorBuilder::make(ElementType::float32, {2}, layout::Private{static_cast<LayoutTag>(0xF0), 1, {}});
  builder.set_bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA, Bytes{1, 2, 3});
  const auto finished = builder.try_finish();
  check(!finished.has_value());
});

Test judged("builder: what is wrong is said by finish, and can be mended", [] {
  auto builder = DescriptorBuilder::make(ElementType::float32, {4});
  fails(HURRAY_ERR_INVALID_DESCRIPTOR, [&] { builder.finish(); });
  builder.default_buffers();
  const Descriptor first = builder.finish();
  builder.statistics({});
  Statistics statistics;
  statistics.nnz = 3;
  const Descriptor second = builder.statistics(statistics).finish();
  eq(first.buffer_count(), 1U);
  check(!first.statistics().has_value());
  eq(second.statistics()->nnz, std::optional<std::uint64_t>(3));
});

Test refused("builder: a field of another layout or kind is refused when it is set", [] {
  auto builder = DescriptorBuilder::make(ElementType::float32, {4});
  fails(HURRAY_ERR_FIELD_NOT_APPLICABLE, [&] { builder.set_u64(HURRAY_LAYOUT_FIELD_CSR_NNZ, 1); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { builder.set_i64(HURRAY_HEADER_FIELD_BYTE_OFFSET, 1); });
  fails(HURRAY_ERR_INVALID_DESCRIPTOR,
        [&] { builder.member_role(static_cast<MemberRole>(200)).default_buffers().finish(); });
  fails(HURRAY_ERR_LIMIT_EXCEEDED,
        [] { DescriptorBuilder::make(ElementType::float32, Shape(std::vector<std::uint64_t>(65, 1))); });
  fails(HURRAY_ERR_NULL_POINTER, [] { DescriptorBuilder().byte_offset(1); });
});

Test adopted("builder: release and adopt", [] {
  auto builder = DescriptorBuilder::make(ElementType::float32, {4});
  auto again = DescriptorBuilder::adopt(builder.release());
  check(!builder && again);
  eq(again.default_buffers().finish().rank(), 1U);
});

}  // namespace
