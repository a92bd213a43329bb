// Sparse and quantized tensors of C++ arrays.
#include "check.hpp"
#include "counted.hpp"

using namespace hurray;

namespace {

template <class T>
std::vector<std::remove_const_t<T>> list(span<T> values) {
  return {values.begin(), values.end()};
}

// layouts.md section 10: the example matrix.
Test csr("parts: csr of vectors moved in", [] {
  const Tensor tensor =
      make_csr({4, 6}, std::vector<float>{1, 4, 8, 6, 3, 2, 7, 5}, std::vector<std::uint64_t>{2, 3, 1, 3, 4, 4, 0, 1},
               std::vector<std::uint64_t>{0, 2, 5, 6, 8});
  eq(tensor.descriptor().layout(), Layout(layout::Csr{8}));
  eq(list(tensor.values<float>()), (std::vector<float>{1, 4, 8, 6, 3, 2, 7, 5}));
  eq(list(tensor.part_data<std::uint64_t>(Role::indices)), (std::vector<std::uint64_t>{2, 3, 1, 3, 4, 4, 0, 1}));
  eq(list(tensor.part_data<std::uint64_t>(Role::pointers)), (std::vector<std::uint64_t>{0, 2, 5, 6, 8}));
  fails(HURRAY_ERR_FIELD_NOT_APPLICABLE, [&] { tensor.part(Role::scales); });
  fails(HURRAY_ERR_UNSUPPORTED, [&] { tensor.data<float>(); });
  const Tensor values = tensor.part(Role::values);
  eq(values.descriptor().shape(), Shape{8});
});

Test borrowed("parts: aligned arrays of the right width are borrowed in place", [] {
  alignas(64) const double values[2] = {1.5, -2};
  alignas(64) const std::int64_t columns[2] = {1, 0};
  alignas(64) const std::uint64_t pointers[3] = {0, 1, 2};
  const Tensor tensor = make_csr({2, 2}, span<const double>(values), span<const std::int64_t>(columns),
                                 span<const std::uint64_t>(pointers), Copy::never);
  eq(tensor.values<const double>().data(), values);
  eq(tensor.part_data<const std::uint64_t>(Role::pointers).data(), pointers);
  eq(tensor.buffers().at(1).data(), static_cast<const void*>(columns));
  fails(HURRAY_ERR_COPY_REQUIRED, [&] { tensor.values<double>(); });
});

Test copies("parts: copies are counted and named", [] {
  alignas(64) double values[2] = {1.5, -2};
  alignas(64) std::uint64_t pointers[4] = {99, 0, 1, 2};
  const std::vector<std::int32_t> columns{1, 0};
  const span<std::uint64_t> misaligned(pointers + 1, 3);
  const Tensor tensor = make_csr({2, 2}, span<double>(values), columns, misaligned);
  eq(tensor.buffers().at(0).flags(), 0U);
  eq(tensor.buffers().at(1).flags(), static_cast<std::uint32_t>(HURRAY_BUFFER_COPIED_WIDTH));
  eq(tensor.buffers().at(2).flags(), static_cast<std::uint32_t>(HURRAY_BUFFER_COPIED_ALIGNMENT));
  eq(list(tensor.part_data<std::uint64_t>(Role::pointers)), (std::vector<std::uint64_t>{0, 1, 2}));
  fails(HURRAY_ERR_COPY_REQUIRED, [&] { make_csr({2, 2}, span<double>(values), columns, misaligned, Copy::never); });
});

Test csc("parts: csc", [] {
  const Tensor tensor =
      make_csc({4, 6}, std::vector<double>{7, 8, 5, 1, 4, 6, 3, 2}, std::vector<std::int32_t>{3, 1, 3, 0, 0, 1, 1, 2},
               std::vector<std::int32_t>{0, 1, 3, 4, 6, 8, 8});
  eq(tensor.descriptor().layout(), Layout(layout::Csc{8}));
  eq(list(tensor.part_data<std::uint64_t>(Role::pointers)), (std::vector<std::uint64_t>{0, 1, 3, 4, 6, 8, 8}));
});

Test coo("parts: coo", [] {
  const Tensor tensor =
      make_coo({3, 2, 4}, std::vector<float>{5, 1, 4}, std::vector<std::uint64_t>{0, 0, 3, 1, 0, 2, 1, 1, 0}, true);
  eq(tensor.descriptor().layout(), Layout(layout::Coo{3, true}));
  const Tensor coordinates = tensor.part(Role::indices);
  eq(coordinates.descriptor().shape(), Shape{3, 3});
  eq(coordinates.view<std::uint64_t>()(1, 2), 2U);
});

Test too_short("parts: a part that is too short is refused", [] {
  fails(HURRAY_ERR_BUFFER_MISMATCH, [] {
    make_csr({2, 2}, std::vector<float>{1, 2}, std::vector<std::uint64_t>{0}, std::vector<std::uint64_t>{0, 1, 2});
  });
  fails(HURRAY_ERR_INVALID_LAYOUT, [] {
    make_csr({2, 2, 2}, std::vector<float>{}, std::vector<std::uint64_t>{}, std::vector<std::uint64_t>{0, 0, 0});
  });
});

Test no_entries("parts: no stored entries", [] {
  const Tensor tensor = make_csr({2, 3}, std::vector<float>{}, std::vector<int>{}, std::vector<int>{0, 0, 0});
  check(tensor.values<float>().empty());
  eq(tensor.part_data<std::uint64_t>(Role::pointers).size(), 3U);
});

Test per_channel("parts: quantized per channel, symmetric", [] {
  std::vector<std::int8_t> codes{1, 2, 3, 4, 5, 6};
  const Tensor dense = from_span(codes, {2, 3});
  const Tensor tensor = make_quantized(dense, quant::PerChannel{0}, std::vector<float>{0.5F, 2});
  check(*tensor.descriptor().quantization() ==
        Quantization(quant::PerChannel{0, 1, std::nullopt, ElementType::float32}));
  eq(tensor.data<std::int8_t>().data(), codes.data());
  eq(list(tensor.part_data<float>(Role::scales)), (std::vector<float>{0.5F, 2}));
  fails(HURRAY_ERR_FIELD_NOT_APPLICABLE, [&] { tensor.part(Role::zero_points); });
});

Test asymmetric("parts: quantized with zero points", [] {
  const std::vector<float> scales{0.5F, 2, -1};
  const std::vector<std::int32_t> zero_points{128, 0, 10};
  const Tensor dense = from_vector(std::vector<std::uint8_t>{130, 7, 10, 0, 255, 20}, {2, 3});
  const Tensor tensor = make_quantized(dense, quant::PerChannel{1}, scales, zero_points);
  check(*tensor.descriptor().quantization() == Quantization(quant::PerChannel{1, 1, 2, ElementType::float32}));
  eq(list(tensor.part_data<const std::int32_t>(Role::zero_points)), zero_points);
});

Test per_tensor("parts: quantized per tensor has no parameter arrays", [] {
  const Tensor tensor =
      make_quantized(from_vector(std::vector<std::int8_t>{-128, 0}, {2}), quant::PerTensor{0.25F, -3});
  check(*tensor.descriptor().quantization() == Quantization(quant::PerTensor{0.25F, -3}));
  eq(tensor.buffers().size(), 1U);
});

Test quantized_strided("parts: quantized codes keep their strides", [] {
  std::vector<std::int8_t> memory{1, 4, 0, 2, 5, 0, 3, 6, 0};
  const Tensor tensor =
      make_quantized(from_strided(memory, {2, 3}, {1, 3}), quant::PerChannel{1}, std::vector<float>{1, 2, 4});
  eq(tensor.descriptor().layout(), Layout(layout::Strided{{1, 3}}));
  eq(tensor.to_vector<std::int8_t>(), (std::vector<std::int8_t>{1, 2, 3, 4, 5, 6}));
});

Test quantized_owner("parts: the owner of the codes ends with the quantized tensor", [] {
  std::atomic<int> ended{0};
  std::int8_t codes[4] = {1, 2, 3, 4};
  Tensor dense = from_span(codes, {4}, Counted(&ended));
  Tensor tensor = make_quantized(dense, quant::PerTensor{0.5F, 0});
  dense.reset();
  eq(ended.load(), 0);
  tensor.reset();
  eq(ended.load(), 1);
});

Test sparse_owner("parts: the owner of a matrix's parts ends with it, and with a failure", [] {
  std::atomic<int> ended{0};
  alignas(64) const double values[1] = {2.5};
  alignas(64) const std::uint64_t columns[1] = {1};
  alignas(64) const std::uint64_t pointers[2] = {0, 1};
  {
    const Tensor tensor = make_csr({1, 2}, values, columns, pointers, Copy::never, Counted(&ended));
    eq(tensor.values<const double>().data(), values);
    eq(ended.load(), 0);
  }
  eq(ended.load(), 1);
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { make_csr({3, 2}, values, columns, pointers, Copy::never, Counted(&ended)); });
  eq(ended.load(), 2);
});

Test wrong_scales("parts: scales of the wrong length are refused", [] {
  const Tensor dense = from_vector(std::vector<std::int8_t>(6), {2, 3});
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { make_quantized(dense, quant::PerChannel{0}, std::vector<float>{1}); });
  fails(HURRAY_ERR_INVALID_TYPE,
        [&] { make_quantized(from_vector(std::vector<float>(2), {2}), quant::PerTensor{1, 0}); });
});

}  // namespace
