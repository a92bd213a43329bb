// `strided_view<T>`: elements in memory by index, with any strides; shaped like std::mdspan with a rank known at run
// time, and turned into one where the standard library has it.
#ifndef HURRAY_CPP_VIEW_HPP
#define HURRAY_CPP_VIEW_HPP

#include <hurray/error.hpp>
#include <hurray/shape.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__has_include)
#if __has_include(<mdspan>) && __cplusplus >= 202302L
#include <mdspan>
#endif
#endif

namespace hurray {
namespace detail {

/// Calls `visit(offset)` for every index, the last dimension fastest; offsets are in the unit of the strides.
template <class Visit>
void walk(const std::vector<std::size_t>& extents, const std::vector<std::ptrdiff_t>& strides, Visit visit) {
  for (const std::size_t extent : extents) {
    if (extent == 0) return;
  }
  std::vector<std::size_t> index(extents.size(), 0);
  std::ptrdiff_t offset = 0;
  for (;;) {
    visit(offset);
    std::size_t axis = extents.size();
    for (; axis > 0; --axis) {
      const std::size_t k = axis - 1;
      if (++index[k] < extents[k]) {
        offset += strides[k];
        break;
      }
      offset -= strides[k] * static_cast<std::ptrdiff_t>(extents[k] - 1);
      index[k] = 0;
    }
    if (axis == 0) return;
  }
}

}  // namespace detail

/// A borrowed array of any rank. Strides are in elements and may be negative or 0. The memory is the caller's to
/// keep alive: a view of a tensor lives as long as that tensor or a share of it.
template <class T>
class strided_view {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using index_type = std::size_t;

  strided_view() = default;

  /// `data` is the element at index zero; one stride a dimension.
  strided_view(T* data, std::vector<std::size_t> extents, std::vector<std::ptrdiff_t> strides)
      : data_(data), extents_(std::move(extents)), strides_(std::move(strides)) {}

  /// Row-major.
  strided_view(T* data, std::vector<std::size_t> extents) : data_(data), extents_(std::move(extents)) {
    strides_ = row_major_strides();
  }

  /// Of a view whose elements can be written to, one whose elements cannot.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T> && !std::is_same_v<U, T>>>
  strided_view(const strided_view<U>& other)
      : data_(other.data_handle()), extents_(other.extents()), strides_(other.strides()) {}

  std::size_t rank() const noexcept { return extents_.size(); }
  std::size_t extent(std::size_t axis) const noexcept { return extents_[axis]; }
  std::ptrdiff_t stride(std::size_t axis) const noexcept { return strides_[axis]; }
  const std::vector<std::size_t>& extents() const noexcept { return extents_; }
  const std::vector<std::ptrdiff_t>& strides() const noexcept { return strides_; }
  T* data_handle() const noexcept { return data_; }

  /// The number of indices: the product of the extents.
  std::size_t size() const noexcept {
    std::size_t count = 1;
    for (const std::size_t extent : extents_) count *= extent;
    return count;
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// The element at an index of `rank()` components, each within its extent.
  template <class... Index, class = std::enable_if_t<(std::is_integral_v<Index> && ...)>>
  T& operator()(Index... index) const noexcept {
    const std::array<std::size_t, sizeof...(Index)> components{static_cast<std::size_t>(index)...};
    return at(components.data(), components.size());
  }
  T& operator[](span<const std::size_t> index) const noexcept { return at(index.data(), index.size()); }
#if defined(__cpp_multidimensional_subscript)
  template <class... Index, class = std::enable_if_t<(std::is_integral_v<Index> && ...)>>
  T& operator[](Index... index) const noexcept {
    return (*this)(index...);
  }
#endif

  /// Whether memory order is row-major order, without gaps: `span<T>(data_handle(), size())` is every element.
  bool is_row_major() const {
    const std::vector<std::ptrdiff_t> packed = row_major_strides();
    if (empty()) return true;
    for (std::size_t k = 0; k < rank(); ++k) {
      if (extents_[k] != 1 && strides_[k] != packed[k]) return false;
    }
    return true;
  }

  /// Calls `visit(T&)` for every element, the last dimension fastest.
  template <class Visit>
  void for_each(Visit visit) const {
    detail::walk(extents_, strides_, [&](std::ptrdiff_t offset) { visit(data_[offset]); });
  }

#if defined(__cpp_lib_mdspan)
  /// As a standard mdspan of the same rank. HURRAY_ERR_INVALID_ARGUMENT if the rank differs, HURRAY_ERR_UNSUPPORTED
  /// if a stride is one that `std::layout_stride` does not have: negative or 0.
  template <std::size_t Rank>
  result<std::mdspan<T, std::dextents<std::size_t, Rank>, std::layout_stride>> try_to_mdspan() const {
    if (rank() != Rank) return Error(HURRAY_ERR_INVALID_ARGUMENT, "the view is of another rank than the mdspan");
    std::array<std::size_t, Rank> extents{};
    std::array<std::size_t, Rank> strides{};
    const std::vector<std::ptrdiff_t> packed = row_major_strides();
    for (std::size_t k = 0; k < Rank; ++k) {
      const std::ptrdiff_t stride = extents_[k] > 1 ? strides_[k] : packed[k];
      if (stride <= 0 && extents_[k] > 1) {
        return Error(HURRAY_ERR_UNSUPPORTED, "std::layout_stride has no stride " + std::to_string(stride));
      }
      extents[k] = extents_[k];
      strides[k] = static_cast<std::size_t>(stride > 0 ? stride : 1);
    }
    using Extents = std::dextents<std::size_t, Rank>;
    return std::mdspan<T, Extents, std::layout_stride>(data_,
                                                       std::layout_stride::mapping<Extents>(Extents(extents), strides));
  }

#if defined(__cpp_exceptions)
  template <std::size_t Rank>
  auto to_mdspan() const {
    return try_to_mdspan<Rank>().value();
  }
#endif

  /// Of a standard mdspan with a strided mapping and ordinary element access.
  template <class Extents, class Layout>
  strided_view(const std::mdspan<T, Extents, Layout>& view) : data_(view.data_handle()) {
    for (std::size_t k = 0; k < Extents::rank(); ++k) {
      extents_.push_back(static_cast<std::size_t>(view.extent(k)));
      strides_.push_back(static_cast<std::ptrdiff_t>(view.stride(k)));
    }
  }
#endif

 private:
  T& at(const std::size_t* index, std::size_t rank) const noexcept {
    std::ptrdiff_t offset = 0;
    for (std::size_t k = 0; k < rank; ++k) offset += static_cast<std::ptrdiff_t>(index[k]) * strides_[k];
    return data_[offset];
  }

  std::vector<std::ptrdiff_t> row_major_strides() const {
    std::vector<std::ptrdiff_t> strides(extents_.size());
    std::ptrdiff_t stride = 1;
    for (std::size_t axis = extents_.size(); axis > 0; --axis) {
      strides[axis - 1] = stride;
      stride *= static_cast<std::ptrdiff_t>(extents_[axis - 1]);
    }
    return strides;
  }

  T* data_ = nullptr;
  std::vector<std::size_t> extents_;
  std::vector<std::ptrdiff_t> strides_;
};

}  // namespace hurray

#endif
