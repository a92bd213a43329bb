// Decoding, encoding, single fields, errors with their place.
#include "check.hpp"
#include "wire.hpp"

#include <sstream>

using namespace hurray;

namespace {

// descriptor.md section 8.1: bfloat16 [2,3,5], strides -20, 6, 1.
const Bytes& example() {
  static const Bytes bytes =
      hex("48 52 52 59 01 00 5d 00 00 00 00 00 00 00 02 03 03 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00"
          "00 00 00 00 05 00 00 00 00 00 00 00 28 00 00 00 00 00 00 00 ec ff ff ff ff ff ff ff 06 00 00 00"
          "00 00 00 00 01 00 00 00 00 00 00 00 01 50 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00");
  return bytes;
}

Test header("descriptor: header fields", [] {
  const Descriptor descriptor = Descriptor::decode(example());
  eq(descriptor.element_type(), ElementType::bfloat16);
  eq(descriptor.layout_tag(), LayoutTag::strided);
  eq(descriptor.rank(), 3U);
  eq(descriptor.shape(), Shape{2, 3, 5});
  eq(descriptor.byte_offset(), 40U);
  eq(descriptor.flags(), 0U);
  eq(descriptor.buffer_count(), 1U);
  eq(descriptor.element_count(), 30U);
  eq(descriptor.layout(), Layout(layout::Strided{{-20, 6, 1}}));
  eq(descriptor.encode(), example());
});

Test by_number("descriptor: fields by number", [] {
  const Descriptor descriptor = Descriptor::decode(example());
  eq(descriptor.u64(HURRAY_HEADER_FIELD_ENCODED_LENGTH), 93U);
  eq(descriptor.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 0), 80U);
  eq(descriptor.u64_array(HURRAY_HEADER_FIELD_SHAPE), (std::vector<std::uint64_t>{2, 3, 5}));
  eq(descriptor.i64_array(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES), (std::vector<std::int64_t>{-20, 6, 1}));
  fails(HURRAY_ERR_FIELD_NOT_APPLICABLE, [&] { descriptor.u64(HURRAY_LAYOUT_FIELD_CSR_NNZ); });
  fails(HURRAY_ERR_FIELD_NOT_PRESENT, [&] { descriptor.f64(HURRAY_STATS_FIELD_MEAN); });
  fails(HURRAY_ERR_FIELD_NOT_PRESENT, [&] { descriptor.i64(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT); });
  fails(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, [&] { descriptor.u64(HURRAY_BUFFER_FIELD_BYTE_SIZE, 1); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { descriptor.u64(0); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { descriptor.f64(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES); });
});

Test quantized_fields("descriptor: signed, real and opaque fields by number", [] {
  Wire wire{0x10, 1, {4}, {}, {4}};
  wire.quantization = hex("01 01 00 00 00 00 80 3E FD FF FF FF 00 00 00 00");
  const Descriptor quantized = Descriptor::decode(wire.bytes());
  eq(quantized.f64(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE), 0.25);
  eq(quantized.i64(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT), -3);
  const Wire private_wire{0x03, 0xF0, {2}, join({u64(1), u32(70), Bytes(70, 7)}), {8}};
  const Descriptor opaque = Descriptor::decode(private_wire.bytes(), Decode::permissive);
  eq(opaque.bytes(HURRAY_LAYOUT_FIELD_PRIVATE_DATA), Bytes(70, 7));
});

Test bulk("descriptor: every field at once, in ascending order", [] {
  const Fields fields = Descriptor::decode(example()).fields();
  std::uint64_t last = 0;
  for (const Field& field : fields) {
    const std::uint64_t place = std::uint64_t{field.id} << 32 | field.level;
    check(place > last);
    last = place;
  }
  const Field* strides = fields.find(HURRAY_LAYOUT_FIELD_STRIDED_STRIDES);
  check(strides != nullptr && strides->kind == FieldKind::i64_array && strides->count == 3);
  check(fields.find(HURRAY_LAYOUT_FIELD_CSR_NNZ) == nullptr);
  const Fields copy = fields;
  eq(copy.size(), fields.size());
  check(copy.find(HURRAY_HEADER_FIELD_SHAPE)->words.data() != fields.find(HURRAY_HEADER_FIELD_SHAPE)->words.data());
});

Test cut_words("descriptor: words that end inside a field give the fields before it", [] {
  const Fields whole = Descriptor::decode(example()).fields();
  std::vector<std::uint64_t> words = whole.words();
  words.pop_back();
  eq(Fields(words).size(), whole.size() - 1);
  eq(Fields(std::vector<std::uint64_t>{5}).size(), 0U);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { Descriptor::from_fields(words); });
});

Test many_dimensions("descriptor: 64 dimensions and long opaque data are read in full", [] {
  auto builder = DescriptorBuilder::make(ElementType::int8, Shape(std::vector<std::uint64_t>(64, 1)));
  eq(builder.default_buffers().finish().shape().rank(), 64U);
  const Wire wire{0x03, 0xF0, {2}, join({u64(1), u32(9000), Bytes(9000, 3)}), {8}};
  const Descriptor descriptor = Descriptor::decode(wire.bytes(), Decode::permissive);
  eq(std::get<layout::Private>(descriptor.layout()).data, Bytes(9000, 3));
  eq(descriptor.encode(), wire.bytes());
});

Test dynamic("descriptor: a dynamic dimension has no element count", [] {
  auto builder = DescriptorBuilder::make(ElementType::float32, {Shape::dynamic, 3});
  BufferEntry entry;
  builder.buffer(entry);
  const Descriptor descriptor = builder.finish();
  eq(descriptor.shape()[0], Shape::dynamic);
  const auto count = descriptor.try_element_count();
  check(!count && count.error().status() == HURRAY_ERR_FIELD_NOT_PRESENT);
});

Test truncated("descriptor: an error says the rule and the offset", [] {
  Bytes bytes = example();
  bytes.resize(60);
  const auto decoded = Descriptor::try_decode(bytes);
  check(!decoded);
  eq(decoded.error().status(), HURRAY_ERR_TRUNCATED);
  check(std::string(decoded.error().what()).find("HURRAY_ERR_TRUNCATED: V-007: ") == 0);
  bytes = example();
  bytes[15] = 0;
  const auto layout = Descriptor::try_decode(bytes);
  eq(layout.error().status(), HURRAY_ERR_INVALID_LAYOUT);
  check(layout.error().offset() == std::optional<std::uint64_t>(15));
});

Test printing("descriptor: prints what the library says of it", [] {
  const Descriptor descriptor = Descriptor::decode(example());
  std::ostringstream out;
  out << descriptor << ' ' << DescriptorRef(descriptor);
  eq(out.str(), descriptor.describe() + " " + descriptor.describe());
  check(descriptor.describe().find("bfloat16 [2, 3, 5] strided") == 0);
  out.str("");
  out << Descriptor();
  eq(out.str().find("HURRAY_ERR_NULL_POINTER"), 0U);
});

Test empty("descriptor: an empty handle is an error, not a crash", [] {
  const Descriptor descriptor;
  fails(HURRAY_ERR_NULL_POINTER, [&] { descriptor.rank(); });
  fails(HURRAY_ERR_NULL_POINTER, [&] { descriptor.layout(); });
  fails(HURRAY_ERR_NULL_POINTER, [&] { descriptor.quantization(); });
  fails(HURRAY_ERR_NULL_POINTER,
        [] { Descriptor::decode(span<const std::uint8_t>(static_cast<const std::uint8_t*>(nullptr), 4)); });
});

}  // namespace
