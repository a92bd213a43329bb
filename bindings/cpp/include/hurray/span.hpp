// `hurray::span<T>`: `std::span<T>` where the standard library has it, else the part of it that this library uses.
#ifndef HURRAY_CPP_SPAN_HPP
#define HURRAY_CPP_SPAN_HPP

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace hurray {

#if defined(__cpp_lib_span)

template <class T>
using span = std::span<T>;

#else

/// A borrowed run of contiguous elements. The range is the caller's to keep alive.
template <class T>
class span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using iterator = T*;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr span() noexcept = default;
  constexpr span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}

  /// Of an array, `std::array`, `std::vector`, another span, or whatever else has `data()` and `size()`.
  template <std::size_t N>
  constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  template <class Range, class Pointer = decltype(std::declval<Range&>().data()),
            class = std::enable_if_t<!std::is_same_v<std::decay_t<Range>, span> &&
                                     (std::is_lvalue_reference_v<Range> || std::is_const_v<T>) &&
                                     std::is_convertible_v<std::remove_pointer_t<Pointer> (*)[], T (*)[]> >,
            class = decltype(std::declval<Range&>().size())>
  constexpr span(Range&& range) noexcept : data_(range.data()), size_(range.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }

  constexpr T& operator[](std::size_t index) const noexcept { return data_[index]; }
  constexpr T& front() const noexcept { return data_[0]; }
  constexpr T& back() const noexcept { return data_[size_ - 1]; }

  constexpr span first(std::size_t count) const noexcept { return {data_, count}; }
  constexpr span last(std::size_t count) const noexcept { return {data_ + (size_ - count), count}; }
  constexpr span subspan(std::size_t offset) const noexcept { return {data_ + offset, size_ - offset}; }
  constexpr span subspan(std::size_t offset, std::size_t count) const noexcept { return {data_ + offset, count}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

#endif

}  // namespace hurray

#endif
