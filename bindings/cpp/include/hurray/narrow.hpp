// The narrow floating-point types that C++ lacks, as small values: their bits, and their value as a `float`.
#ifndef HURRAY_CPP_NARROW_HPP
#define HURRAY_CPP_NARROW_HPP

#include <cstdint>
#include <cstring>

namespace hurray {
namespace detail {

inline float float_of_bits(std::uint32_t bits) noexcept {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace detail

/// 16-bit IEEE float: 5 exponent and 10 fraction bits.
struct float16 {
  std::uint16_t bits;

  /// The same value; every one of them is a float. A NaN keeps its payload.
  explicit operator float() const noexcept {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t exponent = bits >> 10 & 31U;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 31) return detail::float_of_bits(sign | 0x7F800000U | fraction << 13);
    if (exponent != 0) return detail::float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  friend bool operator==(float16 a, float16 b) noexcept { return a.bits == b.bits; }
};

/// 16-bit float with 8 exponent and 7 fraction bits: the upper half of a float.
struct bfloat16 {
  std::uint16_t bits;

  explicit operator float() const noexcept { return detail::float_of_bits(std::uint32_t{bits} << 16); }
  friend bool operator==(bfloat16 a, bfloat16 b) noexcept { return a.bits == b.bits; }
};

/// 8-bit float with 4 exponent and 3 fraction bits; no infinity, NaN is 0x7F and 0xFF.
struct float8_e4m3 {
  std::uint8_t bits;

  explicit operator float() const noexcept {
    const std::uint32_t sign = (bits & 0x80U) << 24;
    const std::uint32_t exponent = bits >> 3 & 15U;
    const std::uint32_t fraction = bits & 7U;
    if ((bits & 0x7FU) == 0x7FU) return detail::float_of_bits(sign | 0x7FC00000U);
    if (exponent != 0) return detail::float_of_bits(sign | (exponent + 120) << 23 | fraction << 20);
    const float magnitude = static_cast<float>(fraction) * 0x1p-9F;
    return sign != 0 ? -magnitude : magnitude;
  }
  friend bool operator==(float8_e4m3 a, float8_e4m3 b) noexcept { return a.bits == b.bits; }
};

/// 8-bit float with 5 exponent and 2 fraction bits: the upper half of a float16.
struct float8_e5m2 {
  std::uint8_t bits;

  explicit operator float() const noexcept {
    return static_cast<float>(float16{static_cast<std::uint16_t>(bits << 8)});
  }
  friend bool operator==(float8_e5m2 a, float8_e5m2 b) noexcept { return a.bits == b.bits; }
};

/// 8-bit power of two, 2^(bits - 127); no sign and no zero. The codes 0x00 and 0xFF are not valid: they give a NaN.
struct float8_e8m0 {
  std::uint8_t bits;

  explicit operator float() const noexcept {
    const bool valid = bits != 0 && bits != 0xFF;
    return detail::float_of_bits(valid ? std::uint32_t{bits} << 23 : 0x7FC00000U);
  }
  friend bool operator==(float8_e8m0 a, float8_e8m0 b) noexcept { return a.bits == b.bits; }
};

}  // namespace hurray

#endif
