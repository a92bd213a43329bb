// The whole surface without exceptions: every outcome is a result. Built with -fno-exceptions.
#include "check.hpp"
#include "counted.hpp"

using namespace hurray;

#if defined(__cpp_exceptions)
#error "this file is about programs without exceptions"
#endif

namespace {

Test tensors("no exceptions: a tensor of an array, and back", [] {
  std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto tensor = try_from_span(values, {2, 3});
  check(tensor.has_value());
  const auto data = tensor->try_data<float>();
  check(data && data->data() == values.data());
  const auto view = tensor->try_view<const float>();
  check(view && (*view)(1, 2) == 6.0F);
  const auto wrong = tensor->try_data<double>();
  check(!wrong && wrong.error().status() == HURRAY_ERR_INVALID_TYPE);
  const auto copy = tensor->try_to_vector<float>();
  check(copy && *copy == values);
  const auto owned = try_from_vector(std::vector<int>{1, 2}, {3});
  check(!owned && owned.error().status() == HURRAY_ERR_BUFFER_MISMATCH);
});

Test parts("no exceptions: sparse and quantized", [] {
  const auto csr = try_make_csr({2, 2}, std::vector<double>{1.5, 2}, std::vector<int>{1, 0}, std::vector<int>{0, 1, 2});
  check(csr.has_value());
  const auto values = csr->try_values<double>();
  check(values && (*values)[1] == 2.0);
  const auto codes = try_from_vector(std::vector<std::int8_t>{1, 2, 3, 4}, {2, 2});
  check(codes.has_value());
  const auto quantized = try_make_quantized(*codes, quant::PerChannel{1}, std::vector<float>{0.5F, 2});
  check(quantized.has_value());
  const auto descriptor = quantized->try_descriptor();
  check(descriptor.has_value());
  const auto scheme = descriptor->try_quantization();
  check(scheme && *scheme && std::holds_alternative<quant::PerChannel>(**scheme));
  const auto zero_points = quantized->try_part(Role::zero_points);
  check(!zero_points && zero_points.error().status() == HURRAY_ERR_FIELD_NOT_APPLICABLE);
});

Test descriptors("no exceptions: build, encode, decode", [] {
  auto builder = DescriptorBuilder::try_make(ElementType::int4, {3, 5}, layout::ColumnMajor{});
  check(builder.has_value());
  check(builder->try_default_buffers().has_value());
  const auto made = builder->try_finish();
  check(made.has_value());
  const auto bytes = made->try_encode();
  check(bytes.has_value());
  const auto again = Descriptor::try_decode(*bytes);
  check(again.has_value());
  const auto layout = again->try_layout();
  check(layout && *layout == Layout(layout::ColumnMajor{}));
  const auto broken = Descriptor::try_decode(span<const std::uint8_t>(bytes->data(), 12));
  check(!broken && broken.error().status() == HURRAY_ERR_TRUNCATED);
});

Test owners("no exceptions: an owner ends once, also after a failure", [] {
  std::atomic<int> ended{0};
  int value = 0;
  {
    const auto tensor = try_from_span(span<int>(&value, 1), {1}, Counted(&ended));
    check(tensor.has_value());
    const auto failed = try_from_span(span<int>(&value, 1), {2}, Counted(&ended));
    check(!failed);
    eq(ended.load(), 1);
  }
  eq(ended.load(), 2);
});

}  // namespace
