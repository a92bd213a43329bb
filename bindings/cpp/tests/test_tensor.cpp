// Tensors of C++ arrays and as C++ arrays.
#include "check.hpp"
#include "wire.hpp"

#include <sstream>

using namespace hurray;

namespace {

Test borrowed_span("tensor: a borrowed array in place", [] {
  std::vector<float> values{0, 1, 2, 3, 4, 5};
  const Tensor tensor = from_span(values, {2, 3});
  eq(tensor.descriptor().element_type(), ElementType::float32);
  eq(tensor.descriptor().shape(), Shape{2, 3});
  eq(tensor.descriptor().layout(), Layout(layout::RowMajor{}));
  const span<float> data = tensor.data<float>();
  eq(data.data(), values.data());
  eq(data.size(), 6U);
  data[4] = 40;
  eq(values[4], 40.0F);
  eq(tensor.view<float>()(1, 1), 40.0F);
  eq(tensor.abi_version(), static_cast<std::uint32_t>(HURRAY_C_ABI_VERSION));
});

Test read_only("tensor: const elements stay const", [] {
  const std::vector<double> values{1, 2};
  const Tensor tensor = from_span(values, {2});
  eq(tensor.data<const double>().data(), values.data());
  check(tensor.array().is_read_only());
  const std::string text = fails(HURRAY_ERR_COPY_REQUIRED, [&] { tensor.data<double>(); });
  check(text.find("read-only") != std::string::npos && text.find("to_vector()") != std::string::npos);
  fails(HURRAY_ERR_COPY_REQUIRED, [&] { tensor.view<double>(); });
  const Tensor share = tensor.share();
  fails(HURRAY_ERR_COPY_REQUIRED, [&] { share.data<double>(); });
});

Test wrong_type("tensor: a view of another type is refused", [] {
  const Tensor tensor = from_vector(std::vector<float>{1, 2}, {2});
  const std::string text = fails(HURRAY_ERR_INVALID_TYPE, [&] { tensor.data<std::int32_t>(); });
  eq(text, "HURRAY_ERR_INVALID_TYPE: the elements are float32, not int32");
  fails(HURRAY_ERR_INVALID_TYPE, [&] { tensor.to_vector<double>(); });
  fails(HURRAY_ERR_INVALID_TYPE, [&] { tensor.view<float16>(); });
});

Test misaligned("tensor: misaligned elements are refused, and copied on request", [] {
  alignas(64) std::uint8_t bytes[64] = {};
  const double value = 2.5;
  std::memcpy(bytes + 3, &value, sizeof value);
  Array array;
  array.element_type = ElementType::float64;
  array.shape = {1};
  array.data = bytes + 3;
  const Tensor tensor = Tensor::from_array(array);
  check(tensor.array().is_misaligned());
  const std::string text = fails(HURRAY_ERR_COPY_REQUIRED, [&] { tensor.data<double>(); });
  check(text.find("not aligned") != std::string::npos && text.find("to_vector()") != std::string::npos);
  eq(tensor.to_vector<double>()[0], 2.5);
});

Test strided("tensor: strides, gaps and negative steps in place", [] {
  // a[i][j] = 10*i + j, column by column with a gap after each column of three.
  std::vector<float> memory{0, 10, 20, -1, 1, 11, 21, -1, 2, 12, 22, -1, 3, 13, 23, -1};
  const Tensor tensor = from_strided(memory, {3, 4}, {1, 4});
  eq(tensor.descriptor().layout(), Layout(layout::Strided{{1, 4}}));
  eq(tensor.view<float>()(2, 3), 23.0F);
  eq(tensor.to_vector<float>(), (std::vector<float>{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
  eq(tensor.array().byte_strides, (std::vector<std::int64_t>{4, 16}));
  fails(HURRAY_ERR_UNSUPPORTED, [&] { tensor.data<float>(); });
  const Tensor backward = from_strided(memory, {3, 2}, {-1, -4}, 14);
  eq(backward.to_vector<float>(), (std::vector<float>{23, 22, 13, 12, 3, 2}));
  eq(backward.view<float>().data_handle(), memory.data() + 14);
});

Test column_major("tensor: column-major is seen as such", [] {
  std::vector<int> values{1, 2, 3, 4, 5, 6};
  const Tensor tensor = from_strided(values, {2, 3}, {1, 2});
  eq(tensor.descriptor().layout_tag(), LayoutTag::column_major);
  check(tensor.array().is_column_major());
  eq(tensor.to_vector<int>(), (std::vector<int>{1, 3, 5, 2, 4, 6}));
});

Test outside("tensor: an index outside the array is refused", [] {
  std::vector<int> values(12);
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_span(values, {3, 5}); });
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_span(values, {Shape::dynamic}); });
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_strided(values, {3, 4}, {4, 2}); });
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_strided(values, {3, 4}, {4, -1}, 2); });
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_strided(values, {2}, {PTRDIFF_MIN}, 11); });
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_strided(values, {1}, {1}, 12); });
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_strided(values, {UINT64_MAX - 1, UINT64_MAX - 1}, {1, 1}); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { from_strided(values, {3, 4}, {1}); });
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_vector(std::vector<int>(3), {4}); });
  const Tensor unit = from_strided(values, {3, 1}, {-4, PTRDIFF_MAX}, 8);
  eq(unit.view<int>().stride(0), -4);
});

Test broadcast("tensor: stride 0 repeats an element", [] {
  std::vector<std::int16_t> one{7};
  const Tensor tensor = from_strided(one, {3}, {0});
  eq(tensor.to_vector<std::int16_t>(), (std::vector<std::int16_t>{7, 7, 7}));
});

Test scalar("tensor: a scalar and no elements", [] {
  eq(from_vector(std::vector<float>{5}, {}).to_vector<float>(), (std::vector<float>{5}));
  const Tensor none = from_vector(std::vector<float>(), {3, 0});
  check(none.data<float>().empty());
  check(none.to_vector<float>().empty());
  check(none.view<float>().empty());
});

Test owned_vector("tensor: a vector moved in stays in place and goes with the tensor", [] {
  std::vector<std::int64_t> values{1, 2, 3};
  const std::int64_t* data = values.data();
  Tensor tensor = from_vector(std::move(values), {3});
  eq(tensor.data<std::int64_t>().data(), data);
  const Tensor share = tensor.share();
  tensor.reset();
  eq(share.data<std::int64_t>()[2], 3);
});

Test from_views("tensor: a strided view in place", [] {
  int data[6] = {1, 2, 3, 4, 5, 6};
  const strided_view<const int> view(data + 5, {2, 3}, {-3, -1});
  const Tensor tensor = from_view(view);
  eq(tensor.to_vector<int>(), (std::vector<int>{6, 5, 4, 3, 2, 1}));
  check(tensor.array().is_read_only());
  eq(tensor.view<const int>().data_handle(), data + 5);
});

Test many_dimensions("tensor: more dimensions than the first guess", [] {
  std::vector<std::uint8_t> one{9};
  const Tensor tensor = from_span(one, Shape(std::vector<std::uint64_t>(40, 1)));
  eq(tensor.view<std::uint8_t>().rank(), 40U);
});

Test packed("tensor: packed elements have no strides", [] {
  alignas(64) std::uint8_t bytes[2] = {0xB9, 0x06};
  Array array;
  array.element_type = ElementType::boolean;
  array.shape = {11};
  array.data = bytes;
  const Tensor tensor = Tensor::from_array(array);
  check(tensor.array().is_packed() && tensor.array().byte_strides.empty());
  fails(HURRAY_ERR_INVALID_TYPE, [&] { tensor.data<std::uint8_t>(); });
});

Test from_descriptor("tensor: a descriptor and buffers", [] {
  const Descriptor descriptor = DescriptorBuilder::make(ElementType::int8, {4}).default_buffers().finish();
  BufferList empty = BufferList::make();
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { Tensor::from_descriptor(descriptor, std::move(empty)); });
  eq(empty.size(), 0U);
  empty.push(allocate(4));
  const Tensor tensor = Tensor::from_descriptor(descriptor, std::move(empty));
  check(!empty);
  eq(tensor.buffers().size(), 1U);
  eq(tensor.descriptor().encode(), descriptor.encode());
  fails(HURRAY_ERR_INVALID_MAGIC, [] { Tensor::from_bytes(Bytes(40), BufferList::make()); });
});

Test printing("tensor: prints what the library says of it", [] {
  const Tensor tensor = from_vector(std::vector<float>{1, 2}, {2});
  std::ostringstream out;
  out << tensor;
  eq(out.str(), tensor.describe());
  eq(out.str().find("float32 [2] row_major"), 0U);
  out.str("");
  out << Tensor();
  eq(out.str().find("HURRAY_ERR_NULL_POINTER"), 0U);
});

Test concurrent_errors("tensor: an error's text is the thread's own", [] {
  const auto error = Tensor().try_describe();
  eq(error.error().status(), HURRAY_ERR_NULL_POINTER);
  check(!error.error().offset().has_value());
  eq(error.error().os_error(), 0);
});

template <class T, class = void>
constexpr bool has_temporary_data = false;
template <class T>
constexpr bool has_temporary_data<T, std::void_t<decltype(std::declval<T>().template data<float>().size())>> = true;
static_assert(has_temporary_data<Tensor&> && !has_temporary_data<Tensor>, "a span of a temporary does not compile");

}  // namespace
