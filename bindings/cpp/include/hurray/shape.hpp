// The dimensions of a tensor.
#ifndef HURRAY_CPP_SHAPE_HPP
#define HURRAY_CPP_SHAPE_HPP

#include <hurray/span.hpp>

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <utility>
#include <vector>

namespace hurray {

/// The dimensions of a tensor, the slowest-varying of row-major order first. Rank 0, no dimensions, is a scalar.
class Shape {
 public:
  /// Marks a dimension whose size is not known yet.
  static constexpr std::uint64_t dynamic = UINT64_MAX;

  Shape() = default;
  Shape(std::initializer_list<std::uint64_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<std::uint64_t> dims) noexcept : dims_(std::move(dims)) {}
  explicit Shape(span<const std::uint64_t> dims) : dims_(dims.begin(), dims.end()) {}

  std::size_t rank() const noexcept { return dims_.size(); }
  std::uint64_t operator[](std::size_t axis) const noexcept { return dims_[axis]; }
  const std::uint64_t* data() const noexcept { return dims_.data(); }
  std::size_t size() const noexcept { return dims_.size(); }
  auto begin() const noexcept { return dims_.begin(); }
  auto end() const noexcept { return dims_.end(); }

  friend bool operator==(const Shape& a, const Shape& b) { return a.dims_ == b.dims_; }
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

  /// "[3, 4]"; a dynamic dimension is "?".
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) {
    const char* separator = "[";
    for (const std::uint64_t dim : shape) {
      out << std::exchange(separator, ", ");
      if (dim == dynamic) {
        out << '?';
      } else {
        out << dim;
      }
    }
    return out << (shape.rank() == 0 ? "[]" : "]");
  }

 private:
  std::vector<std::uint64_t> dims_;
};

}  // namespace hurray

#endif
