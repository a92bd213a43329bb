// The checksum of a tensor's logical bytes.
#ifndef DEMO_CHECKSUM_HPP
#define DEMO_CHECKSUM_HPP

#include <hurray/hurray.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// CRC-32 as zlib and PNG have it: polynomial 0xEDB88320, bits reflected, all ones at the start and the end.
class Checksum {
 public:
  Checksum() {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      std::uint32_t rest = byte;
      for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xEDB88320U : 0U);
      table_[byte] = rest;
    }
  }

  void add(const std::byte* bytes, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      value_ = (value_ >> 8) ^ table_[(value_ ^ static_cast<std::uint32_t>(bytes[k])) & 0xFF];
    }
    count_ += count;
  }

  /// The elements of a dense tensor in row-major order, at whatever alignment they have.
  void add(const hurray::Tensor& tensor) {
    const hurray::ArrayView view = tensor.array();
    const hurray::ElementType type = tensor.descriptor().element_type();
    const std::byte* data = static_cast<const std::byte*>(view.data);
    const std::uint64_t count = tensor.descriptor().element_count();
    if (view.is_row_major()) return add(data, static_cast<std::size_t>(byte_size(type, count)));
    std::vector<std::size_t> extents(view.shape.begin(), view.shape.end());
    std::vector<std::ptrdiff_t> strides(view.byte_strides.begin(), view.byte_strides.end());
    const std::size_t width = info(type).bits / 8;
    const hurray::strided_view<const std::byte> bytes(data, std::move(extents), std::move(strides));
    bytes.for_each([&](const std::byte& element) { add(&element, width); });
  }

  std::uint64_t value() const { return value_ ^ 0xFFFFFFFF; }
  std::uint64_t count() const { return count_; }

 private:
  std::array<std::uint32_t, 256> table_{};
  std::uint32_t value_ = 0xFFFFFFFF;
  std::uint64_t count_ = 0;
};

/// Of a dense tensor the elements in row-major order; of a sparse one values, indices, pointers; then scales and zero
/// points of a quantized one.
inline Checksum checksum_of(const hurray::Tensor& tensor) {
  Checksum checksum;
  const auto values = tensor.try_part(hurray::Role::values);
  checksum.add(values ? *values : tensor);
  for (const auto role :
       {hurray::Role::indices, hurray::Role::pointers, hurray::Role::scales, hurray::Role::zero_points}) {
    if (const auto part = tensor.try_part(role)) checksum.add(*part);
  }
  return checksum;
}

#endif
