// Descriptors written by hand, byte by byte, as spec/descriptor.md section 4 lays them out.
#ifndef HURRAY_TESTS_WIRE_HPP
#define HURRAY_TESTS_WIRE_HPP

#include <cstdint>
#include <string>
#include <vector>

using Bytes = std::vector<std::uint8_t>;

inline Bytes hex(const std::string& text) {
  Bytes bytes;
  std::string digits;
  for (const char c : text) {
    if (c == ' ' || c == '\n') continue;
    digits += c;
    if (digits.size() == 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits, nullptr, 16)));
      digits.clear();
    }
  }
  return bytes;
}

/// Little-endian, `width` bytes.
inline Bytes le(std::uint64_t value, int width) {
  Bytes bytes;
  for (int k = 0; k < width; ++k) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * k));
  return bytes;
}
inline Bytes u32(std::uint64_t value) { return le(value, 4); }
inline Bytes u64(std::uint64_t value) { return le(value, 8); }
inline Bytes i64(std::int64_t value) { return le(static_cast<std::uint64_t>(value), 8); }

inline Bytes join(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// A descriptor of CPU buffers of these sizes, aligned to 64.
struct Wire {
  std::uint8_t type = 0;
  std::uint8_t layout = 0;
  std::vector<std::uint64_t> shape{};
  Bytes payload{};
  std::vector<std::uint64_t> buffers{};
  Bytes quantization{};
  Bytes shard{};
  Bytes statistics{};
  Bytes extension{};
  Bytes member{};

  Bytes bytes() const {
    const std::uint64_t flags = (quantization.empty() ? 0U : 1U) | (shard.empty() ? 0U : 2U) |
                                (extension.empty() ? 0U : 4U) | (statistics.empty() ? 0U : 8U) |
                                (member.empty() ? 0U : 16U);
    Bytes body = join({u32(flags), {type, layout}, u32(shape.size())});
    for (const std::uint64_t dim : shape) body = join({body, u64(dim)});
    body = join({body, u64(0), payload, {static_cast<std::uint8_t>(buffers.size())}});
    for (const std::uint64_t size : buffers) body = join({body, u64(size), u32(64), {0, 0, 0, 0}});
    if (!quantization.empty()) body = join({body, u32(quantization.size()), quantization});
    body = join({body, shard, statistics, extension, member});
    return join({{'H', 'R', 'R', 'Y', 1, 0}, u32(body.size() + 10), body});
  }
};

#endif
