// Arrays as the library takes and gives them: element zero, shape and byte strides; and what typed access checks.
#ifndef HURRAY_CPP_ARRAY_HPP
#define HURRAY_CPP_ARRAY_HPP

#include <hurray/element.hpp>
#include <hurray/options.hpp>
#include <hurray/shape.hpp>
#include <hurray/view.hpp>

#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace hurray {

/// An array that exists. `data` is the element at index zero; no `byte_strides` is row-major, else one stride a
/// dimension, in bytes.
struct Array {
  ElementType element_type = ElementType::float32;
  Shape shape;
  void* data = nullptr;
  std::vector<std::int64_t> byte_strides{};
  Device device = Device::cpu;
  MemoryClass memory_class = MemoryClass::standard;
  std::int32_t device_id = 0;
  std::uint32_t flags = 0;  ///< HURRAY_BUFFER_... bits.
};

/// A dense tensor as an array. The memory stays the tensor's.
struct ArrayView {
  void* data = nullptr;
  Shape shape;
  std::vector<std::int64_t> byte_strides;  ///< Empty if elements are packed below a byte.
  std::uint32_t flags = 0;                 ///< HURRAY_VIEW_... bits.

  bool is_read_only() const noexcept { return (flags & HURRAY_VIEW_READ_ONLY) != 0; }
  bool is_row_major() const noexcept { return (flags & HURRAY_VIEW_ROW_MAJOR) != 0; }
  bool is_column_major() const noexcept { return (flags & HURRAY_VIEW_COLUMN_MAJOR) != 0; }
  bool is_misaligned() const noexcept { return (flags & HURRAY_VIEW_MISALIGNED) != 0; }
  bool is_packed() const noexcept { return (flags & HURRAY_VIEW_PACKED) != 0; }
};

namespace detail {

template <class T>
struct is_span : std::false_type {};
template <class T>
struct is_span<span<T>> : std::true_type {};

/// A range as a span over it. Only an lvalue or a span can be borrowed.
template <class Range>
auto borrow(Range&& range) {
  static_assert(std::is_lvalue_reference_v<Range> || is_span<std::decay_t<Range>>::value,
                "a temporary cannot be borrowed: keep it in a variable, or move a std::vector into from_vector");
  return span<std::remove_reference_t<decltype(*std::data(range))>>(std::data(range), std::size(range));
}

/// `a * b` and `a + b` of counts, or no value beyond 64 bits.
inline std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) noexcept {
  if (a != 0 && b > UINT64_MAX / a) return std::nullopt;
  return a * b;
}

/// The number of indices of a shape, or no value if it is beyond 64 bits or a dimension is dynamic.
inline std::optional<std::uint64_t> count_of(const Shape& shape) noexcept {
  std::optional<std::uint64_t> count = 1;
  bool is_empty = false;
  for (const std::uint64_t dim : shape) {
    if (dim == Shape::dynamic) return std::nullopt;
    is_empty = is_empty || dim == 0;
    if (count) count = product(*count, dim);
  }
  return is_empty ? 0 : count;
}

/// Whether every index of a strided array whose element zero is `first` lies in `[0, size)`. In elements.
inline bool is_inside(const Shape& shape, const std::vector<std::ptrdiff_t>& strides, std::size_t first,
                      std::size_t size) noexcept {
  if (count_of(shape) == std::optional<std::uint64_t>(0)) return first <= size;
  if (first >= size) return false;
  std::uint64_t below = first;
  std::uint64_t above = size - 1 - first;
  for (std::size_t k = 0; k < shape.rank(); ++k) {
    const bool is_backward = strides[k] < 0;
    const std::uint64_t step =
        is_backward ? 0 - static_cast<std::uint64_t>(strides[k]) : static_cast<std::uint64_t>(strides[k]);
    const auto reach = product(step, shape[k] - 1);
    std::uint64_t& room = is_backward ? below : above;
    if (!reach || *reach > room) return false;
    room -= *reach;
  }
  return true;
}

inline std::vector<std::size_t> extents_of(const Shape& shape) {
  std::vector<std::size_t> extents;
  extents.reserve(shape.rank());
  for (const std::uint64_t dim : shape) extents.push_back(static_cast<std::size_t>(dim));
  return extents;
}

/// Refuses what a typed view of `view`, whose elements are of type `held`, as `T` would get wrong.
template <class T>
result<void> check_view(const ArrayView& view, ElementType held) {
  if (held != element_type_of<T>) {
    return Error(HURRAY_ERR_INVALID_TYPE, "the elements are " + name(held) + ", not " + name(element_type_of<T>));
  }
  if (!std::is_const_v<T> && view.is_read_only()) {
    return Error(HURRAY_ERR_COPY_REQUIRED, "the memory is read-only: ask for const elements, or copy with to_vector()");
  }
  const bool is_empty = count_of(view.shape) == std::optional<std::uint64_t>(0);
  if (!is_empty && reinterpret_cast<std::uintptr_t>(view.data) % alignof(T) != 0) {
    return Error(HURRAY_ERR_COPY_REQUIRED, "the memory is not aligned for " + name(held) + ": copy with to_vector()");
  }
  return {};
}

/// The view with typed elements, after `check_view`.
template <class T>
strided_view<T> typed(const ArrayView& view) {
  std::vector<std::ptrdiff_t> strides;
  strides.reserve(view.byte_strides.size());
  for (const std::int64_t stride : view.byte_strides) {
    strides.push_back(static_cast<std::ptrdiff_t>(stride) / static_cast<std::ptrdiff_t>(sizeof(T)));
  }
  return {static_cast<T*>(view.data), extents_of(view.shape), std::move(strides)};
}

/// The elements in row-major order, also from memory that no `T` may be read from in place.
template <class T>
result<std::vector<T>> copied(const ArrayView& view) {
  const auto count = count_of(view.shape);
  if (!count || *count > SIZE_MAX / sizeof(T)) return Error(HURRAY_ERR_OVERFLOW, "more elements than memory can hold");
  std::vector<T> values(static_cast<std::size_t>(*count));
  const std::byte* data = static_cast<const std::byte*>(view.data);
  if (view.is_row_major() && *count != 0) {
    std::memcpy(values.data(), data, values.size() * sizeof(T));
    return values;
  }
  const std::vector<std::ptrdiff_t> strides(view.byte_strides.begin(), view.byte_strides.end());
  T* out = values.data();
  walk(extents_of(view.shape), strides, [&](std::ptrdiff_t offset) { std::memcpy(out++, data + offset, sizeof(T)); });
  return values;
}

}  // namespace detail
}  // namespace hurray

#endif
