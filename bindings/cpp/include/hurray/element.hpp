// Element types, and which C++ type stands for which of them.
#ifndef HURRAY_CPP_ELEMENT_HPP
#define HURRAY_CPP_ELEMENT_HPP

#include <hurray/handle.hpp>
#include <hurray/narrow.hpp>
#include <hurray/tags.hpp>

#include <complex>
#include <string>
#include <type_traits>
#if defined(__STDCPP_FLOAT16_T__) || defined(__STDCPP_BFLOAT16_T__) || defined(__STDCPP_FLOAT128_T__)
#include <stdfloat>
#endif

namespace hurray {

/// What one element is. Other values, 0xF0 to 0xFE, are private types.
enum class ElementType : std::uint8_t {
  float16 = HURRAY_TYPE_FLOAT16,
  bfloat16 = HURRAY_TYPE_BFLOAT16,
  float32 = HURRAY_TYPE_FLOAT32,
  float64 = HURRAY_TYPE_FLOAT64,
  int8 = HURRAY_TYPE_INT8,
  uint8 = HURRAY_TYPE_UINT8,
  int16 = HURRAY_TYPE_INT16,
  uint16 = HURRAY_TYPE_UINT16,
  int32 = HURRAY_TYPE_INT32,
  uint32 = HURRAY_TYPE_UINT32,
  int64 = HURRAY_TYPE_INT64,
  uint64 = HURRAY_TYPE_UINT64,
  boolean = HURRAY_TYPE_BOOL,
  float8_e4m3 = HURRAY_TYPE_FLOAT8_E4M3,
  float8_e5m2 = HURRAY_TYPE_FLOAT8_E5M2,
  float8_e8m0 = HURRAY_TYPE_FLOAT8_E8M0,
  float4_e2m1 = HURRAY_TYPE_FLOAT4_E2M1,
  float6_e2m3 = HURRAY_TYPE_FLOAT6_E2M3,
  float6_e3m2 = HURRAY_TYPE_FLOAT6_E3M2,
  float128 = HURRAY_TYPE_FLOAT128,
  int4 = HURRAY_TYPE_INT4,
  uint4 = HURRAY_TYPE_UINT4,
  int2 = HURRAY_TYPE_INT2,
  uint2 = HURRAY_TYPE_UINT2,
  complex64 = HURRAY_TYPE_COMPLEX64,
  complex128 = HURRAY_TYPE_COMPLEX128,
};

namespace detail {
template <>
inline constexpr std::uint32_t space_of<ElementType> = HURRAY_SPACE_ELEMENT_TYPE;
}  // namespace detail

/// An element type's width in bits, the alignment of one element in bytes, and its HURRAY_KIND_... bits.
struct ElementInfo {
  std::uint32_t bits = 0;
  std::uint32_t alignment = 0;
  std::uint32_t kind = 0;

  bool is_float() const noexcept { return (kind & HURRAY_KIND_FLOAT) != 0; }
  bool is_integer() const noexcept { return (kind & HURRAY_KIND_INTEGER) != 0; }
  bool is_signed() const noexcept { return (kind & HURRAY_KIND_SIGNED) != 0; }
  bool is_complex() const noexcept { return (kind & HURRAY_KIND_COMPLEX) != 0; }
  bool is_bool() const noexcept { return (kind & HURRAY_KIND_BOOL) != 0; }

  /// Narrower than a byte: elements are packed, and no C++ type stands for one.
  bool is_packed() const noexcept { return (kind & HURRAY_KIND_SUB_BYTE) != 0; }
};

/// What the library knows of an element type. HURRAY_ERR_INVALID_TYPE for an unassigned or private one.
inline result<ElementInfo> try_info(ElementType type) {
  if (auto checked = try_check_version(); !checked) return checked.error();
  return detail::read<ElementInfo>([type](ElementInfo* out) {
    return hurray_element_type_info(static_cast<std::uint8_t>(type), &out->bits, &out->alignment, &out->kind);
  });
}

/// The bytes of `count` contiguous elements, packed as the format packs them.
inline result<std::uint64_t> try_byte_size(ElementType type, std::uint64_t count) {
  if (auto checked = try_check_version(); !checked) return checked.error();
  return detail::read<std::uint64_t>([type, count](std::uint64_t* out) {
    return hurray_element_type_bytes(static_cast<std::uint8_t>(type), count, out);
  });
}

#if defined(__cpp_exceptions)
inline ElementInfo info(ElementType type) { return try_info(type).value(); }
inline std::uint64_t byte_size(ElementType type, std::uint64_t count) { return try_byte_size(type, count).value(); }
#endif

namespace detail {

template <class T>
inline constexpr bool is_number =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
    !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

constexpr ElementType integer_type(std::size_t size, bool is_signed) noexcept {
  switch (size) {
    case 1:
      return is_signed ? ElementType::int8 : ElementType::uint8;
    case 2:
      return is_signed ? ElementType::int16 : ElementType::uint16;
    case 4:
      return is_signed ? ElementType::int32 : ElementType::uint32;
    default:
      return is_signed ? ElementType::int64 : ElementType::uint64;
  }
}

template <ElementType Type>
using element_constant = std::integral_constant<ElementType, Type>;

template <class T, class = void>
struct element_of {};
template <class T>
struct element_of<T, std::enable_if_t<is_number<T> && sizeof(T) <= 8>>
    : element_constant<integer_type(sizeof(T), std::is_signed_v<T>)> {};
template <>
struct element_of<float> : element_constant<ElementType::float32> {};
template <>
struct element_of<double> : element_constant<ElementType::float64> {};
template <>
struct element_of<std::complex<float>> : element_constant<ElementType::complex64> {};
template <>
struct element_of<std::complex<double>> : element_constant<ElementType::complex128> {};
template <>
struct element_of<float16> : element_constant<ElementType::float16> {};
template <>
struct element_of<bfloat16> : element_constant<ElementType::bfloat16> {};
template <>
struct element_of<float8_e4m3> : element_constant<ElementType::float8_e4m3> {};
template <>
struct element_of<float8_e5m2> : element_constant<ElementType::float8_e5m2> {};
template <>
struct element_of<float8_e8m0> : element_constant<ElementType::float8_e8m0> {};
#if defined(__STDCPP_FLOAT16_T__)
template <>
struct element_of<std::float16_t> : element_constant<ElementType::float16> {};
#endif
#if defined(__STDCPP_BFLOAT16_T__)
template <>
struct element_of<std::bfloat16_t> : element_constant<ElementType::bfloat16> {};
#endif
#if defined(__STDCPP_FLOAT128_T__)
template <>
struct element_of<std::float128_t> : element_constant<ElementType::float128> {};
#endif

template <class T, class = void>
inline constexpr bool is_element = false;
template <class T>
inline constexpr bool is_element<T, std::void_t<decltype(element_of<T>::value)>> = true;

}  // namespace detail

/// The element type that the C++ type `T` stands for: integers by width and sign, float, double, `std::complex` of
/// them, and the narrow types of narrow.hpp. `bool` stands for none: the format packs eight to a byte.
template <class T>
inline constexpr ElementType element_type_of = detail::element_of<std::remove_cv_t<T>>::value;

}  // namespace hurray

#endif
