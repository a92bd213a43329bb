// A tensor's elements in place: as an untyped array, by index, as a span; and as a copy.
#ifndef HURRAY_CPP_ARRAY_READER_HPP
#define HURRAY_CPP_ARRAY_READER_HPP

#include <hurray/array.hpp>
#include <hurray/descriptor.hpp>

namespace hurray::detail {

/// The elements of a dense tensor. What is taken in place lives as long as the tensor or a share of it, and cannot be
/// taken from a temporary.
template <class Self>
class ArrayReader {
 public:
  /// The tensor as an untyped array: row-major, column-major and strided ones whose memory the host may read, else
  /// HURRAY_ERR_UNSUPPORTED. A quantized tensor gives its codes.
  result<ArrayView> try_array() const& {
    std::vector<std::uint64_t> shape(8);
    std::vector<std::int64_t> strides(8);
    ArrayView view;
    for (;;) {
      std::size_t rank = shape.size();
      const HurrayStatus status =
          hurray_tensor_array_view(raw(), &view.data, shape.data(), strides.data(), &rank, &view.flags);
      if (status != HURRAY_OK && status != HURRAY_ERR_BUFFER_TOO_SMALL) return last_error(status);
      shape.resize(rank);
      strides.resize(rank);
      if (status == HURRAY_OK) break;
    }
    view.shape = Shape(std::move(shape));
    if (!view.is_packed()) view.byte_strides = std::move(strides);
    return view;
  }
  void try_array() const&& = delete;

  /// The elements by index, in place. HURRAY_ERR_INVALID_TYPE if they are not of type `T`; HURRAY_ERR_COPY_REQUIRED
  /// if they are misaligned, or read-only and `T` is not const: `to_vector()` copies.
  template <class T>
  result<strided_view<T>> try_view() const& {
    const auto view = try_checked<T>();
    if (!view) return view.error();
    return typed<T>(*view);
  }
  template <class T>
  void try_view() const&& = delete;

  /// The elements of a row-major tensor, in place. Refuses what `try_view` refuses, and other orders
  /// (HURRAY_ERR_UNSUPPORTED).
  template <class T>
  result<span<T>> try_data() const& {
    const auto view = try_checked<T>();
    if (!view) return view.error();
    if (!view->is_row_major()) {
      return Error(HURRAY_ERR_UNSUPPORTED,
                   "the elements are not in row-major order: use view(), or copy with to_vector()");
    }
    const auto count = count_of(view->shape);
    return span<T>(static_cast<T*>(view->data), static_cast<std::size_t>(count.value_or(0)));
  }
  template <class T>
  void try_data() const&& = delete;

  /// A copy of the elements in row-major order, of a tensor of any alignment and strides.
  template <class T>
  result<std::vector<T>> try_to_vector() const {
    const auto view = try_array();
    if (!view) return view.error();
    const auto held = try_element_type();
    if (!held) return held.error();
    if (*held != element_type_of<T>) {
      return Error(HURRAY_ERR_INVALID_TYPE, "the elements are " + name(*held) + ", not " + name(element_type_of<T>));
    }
    return copied<T>(*view);
  }

#if defined(__cpp_exceptions)
  ArrayView array() const& { return try_array().value(); }
  void array() const&& = delete;
  template <class T>
  strided_view<T> view() const& {
    return try_view<T>().value();
  }
  template <class T>
  void view() const&& = delete;
  template <class T>
  span<T> data() const& {
    return try_data<T>().value();
  }
  template <class T>
  void data() const&& = delete;
  template <class T>
  std::vector<T> to_vector() const {
    return try_to_vector<T>().value();
  }
#endif

 private:
  const HurrayTensor* raw() const noexcept { return static_cast<const Self*>(this)->get(); }

  result<ElementType> try_element_type() const {
    const auto descriptor =
        read<HurrayDescriptor*>([this](HurrayDescriptor** out) { return hurray_tensor_descriptor(raw(), out); });
    if (!descriptor) return descriptor.error();
    return DescriptorRef(*descriptor).try_element_type();
  }

  template <class T>
  result<ArrayView> try_checked() const {
    auto view = try_array();
    if (!view) return view;
    const auto held = try_element_type();
    if (!held) return held.error();
    if (auto checked = check_view<T>(*view, *held); !checked) return checked.error();
    return view;
  }
};

}  // namespace hurray::detail

#endif
