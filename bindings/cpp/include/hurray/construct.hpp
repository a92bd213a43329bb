// Dense tensors of C++ arrays: borrowed spans and views, and vectors moved in. Nothing is copied unless it must be.
#ifndef HURRAY_CPP_CONSTRUCT_HPP
#define HURRAY_CPP_CONSTRUCT_HPP

#include <hurray/tensor.hpp>

namespace hurray {
namespace detail {

template <class T>
Array array_of(T* data, Shape shape) {
  Array array;
  array.element_type = element_type_of<T>;
  array.shape = std::move(shape);
  array.data = const_cast<std::remove_const_t<T>*>(data);
  array.flags = std::is_const_v<T> ? HURRAY_BUFFER_READ_ONLY : 0;
  return array;
}

inline Error wrong_length(const Shape& shape, std::size_t size) {
  std::string text = "an array of " + std::to_string(size) + " elements does not have the shape [";
  const char* separator = "";
  for (const std::uint64_t dim : shape) text += std::exchange(separator, ", ") + std::to_string(dim);
  return {HURRAY_ERR_BUFFER_MISMATCH, text + "]"};
}

inline result<Options> copy_options(Copy copy) {
  if (copy == Copy::if_needed) return Options();
  auto options = Options::try_make();
  if (!options) return options;
  if (auto set = options->try_set(HURRAY_OPTION_COPY, static_cast<std::uint64_t>(copy)); !set) return set.error();
  return options;
}

/// Byte strides; those of dimensions of one element mean nothing, and could be any number.
inline std::vector<std::int64_t> byte_strides(const Shape& shape, const std::vector<std::ptrdiff_t>& strides,
                                              std::size_t element_size) {
  std::vector<std::int64_t> bytes;
  bytes.reserve(strides.size());
  for (std::size_t k = 0; k < strides.size(); ++k) {
    bytes.push_back(shape[k] > 1 ? static_cast<std::int64_t>(strides[k]) * static_cast<std::int64_t>(element_size) : 0);
  }
  return bytes;
}

template <class Owner>
result<Tensor> from_array(const Array& array, Owner owner, Copy copy) {
  const auto options = copy_options(copy);
  if (!options) return options.error();
  return Tensor::try_from_array(array, std::move(owner), *options);
}

}  // namespace detail

/// A tensor over a borrowed array in row-major order. The caller keeps the array alive as long as the tensor or a
/// share of it; or `owner` does, any object, which ends when the memory is not needed any more. `range` is an lvalue
/// with `data()` and `size()`, or a span; const elements make a read-only tensor. HURRAY_ERR_BUFFER_MISMATCH if its
/// length is not the shape's.
template <class Range, class Owner = detail::NoOwner>
result<Tensor> try_from_span(Range&& range, Shape shape, Owner owner = {}, Copy copy = Copy::if_needed) {
  const auto array = detail::borrow(std::forward<Range>(range));
  if (detail::count_of(shape) != std::optional<std::uint64_t>(array.size())) {
    return detail::wrong_length(shape, array.size());
  }
  return detail::from_array(detail::array_of(array.data(), std::move(shape)), std::move(owner), copy);
}

/// The same with a stride a dimension, in elements; `first` is the position of element zero in the array.
template <class Range, class Owner = detail::NoOwner>
result<Tensor> try_from_strided(Range&& range, Shape shape, const std::vector<std::ptrdiff_t>& strides,
                                std::size_t first = 0, Owner owner = {}, Copy copy = Copy::if_needed) {
  const auto memory = detail::borrow(std::forward<Range>(range));
  if (strides.size() != shape.rank()) return Error(HURRAY_ERR_INVALID_ARGUMENT, "one stride a dimension is needed");
  if (!detail::count_of(shape) || !detail::is_inside(shape, strides, first, memory.size())) {
    return detail::wrong_length(shape, memory.size());
  }
  auto array = detail::array_of(memory.data() + first, std::move(shape));
  array.byte_strides = detail::byte_strides(array.shape, strides, sizeof(*memory.data()));
  return detail::from_array(array, std::move(owner), copy);
}

/// A tensor over a borrowed strided view.
template <class T, class Owner = detail::NoOwner>
result<Tensor> try_from_view(const strided_view<T>& view, Owner owner = {}, Copy copy = Copy::if_needed) {
  Shape shape(std::vector<std::uint64_t>(view.extents().begin(), view.extents().end()));
  auto array = detail::array_of(view.data_handle(), std::move(shape));
  array.byte_strides = detail::byte_strides(array.shape, view.strides(), sizeof(T));
  return detail::from_array(array, std::move(owner), copy);
}

/// A row-major tensor that owns the vector.
template <class T, class Allocator>
result<Tensor> try_from_vector(std::vector<T, Allocator>&& vector, Shape shape) {
  if (detail::count_of(shape) != std::optional<std::uint64_t>(vector.size())) {
    return detail::wrong_length(shape, vector.size());
  }
  // Moving a vector leaves its elements where they are.
  T* data = vector.data();
  return detail::from_array(detail::array_of(data, std::move(shape)), std::move(vector), Copy::if_needed);
}

#if defined(__cpp_exceptions)
template <class Range, class Owner = detail::NoOwner>
Tensor from_span(Range&& range, Shape shape, Owner owner = {}, Copy copy = Copy::if_needed) {
  return try_from_span(std::forward<Range>(range), std::move(shape), std::move(owner), copy).value();
}
template <class Range, class Owner = detail::NoOwner>
Tensor from_strided(Range&& range, Shape shape, const std::vector<std::ptrdiff_t>& strides, std::size_t first = 0,
                    Owner owner = {}, Copy copy = Copy::if_needed) {
  return try_from_strided(std::forward<Range>(range), std::move(shape), strides, first, std::move(owner), copy).value();
}
template <class T, class Owner = detail::NoOwner>
Tensor from_view(const strided_view<T>& view, Owner owner = {}, Copy copy = Copy::if_needed) {
  return try_from_view(view, std::move(owner), copy).value();
}
template <class T, class Allocator>
Tensor from_vector(std::vector<T, Allocator>&& vector, Shape shape) {
  return try_from_vector(std::move(vector), std::move(shape)).value();
}
#endif

}  // namespace hurray

#endif
