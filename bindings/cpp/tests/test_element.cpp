// Element types, the C++ types that stand for them, and the values of the narrow ones.
#include "check.hpp"

#include <cmath>
#include <limits>
#include <sstream>

using namespace hurray;

namespace {

static_assert(element_type_of<float> == ElementType::float32);
static_assert(element_type_of<const double> == ElementType::float64);
static_assert(element_type_of<signed char> == ElementType::int8);
static_assert(element_type_of<std::uint8_t> == ElementType::uint8);
static_assert(element_type_of<long long> == ElementType::int64);
static_assert(element_type_of<std::uint64_t> == ElementType::uint64);
static_assert(element_type_of<std::complex<float>> == ElementType::complex64);
static_assert(element_type_of<bfloat16> == ElementType::bfloat16);
static_assert(!detail::is_element<bool> && !detail::is_element<char> && !detail::is_element<std::string>);
static_assert(sizeof(float16) == 2 && sizeof(float8_e4m3) == 1);

Test infos("element: width, alignment and kind", [] {
  const ElementInfo complex = info(ElementType::complex128);
  eq(complex.bits, 128U);
  eq(complex.alignment, 8U);
  check(complex.is_complex() && !complex.is_packed());
  const ElementInfo nibble = info(ElementType::int4);
  eq(nibble.bits, 4U);
  check(nibble.is_packed() && nibble.is_integer() && nibble.is_signed() && !nibble.is_float());
  check(info(ElementType::boolean).is_bool() && info(ElementType::float16).is_float());
  fails(HURRAY_ERR_INVALID_TYPE, [] { info(static_cast<ElementType>(0x47)); });
});

Test sizes("element: bytes of packed elements", [] {
  eq(byte_size(ElementType::float32, 5), 20U);
  eq(byte_size(ElementType::boolean, 11), 2U);
  eq(byte_size(ElementType::float6_e2m3, 5), 6U);
  fails(HURRAY_ERR_OVERFLOW, [] { byte_size(ElementType::float64, std::uint64_t{1} << 62); });
});

Test names("element: names are the library's", [] {
  std::ostringstream out;
  out << ElementType::float8_e4m3 << ' ' << Device::level_zero << ' ' << Scheme::mxfp << ' ' << MemoryClass::host_pinned
      << ' ' << SyncMode::event << ' ' << CompositionRule::overlay << ' ' << Shape{2, Shape::dynamic} << ' ' << Shape{};
  eq(out.str(), "float8_e4m3 level_zero mxfp host_pinned event overlay [2, ?] []");
});

// descriptor.md section 2.2: largest finite, smallest normal, smallest subnormal, infinities and NaNs of each type.
Test half("element: values of float16", [] {
  eq(static_cast<float>(float16{0x7BFF}), 65504.0F);
  eq(static_cast<float>(float16{0x0400}), std::ldexp(1.0F, -14));
  eq(static_cast<float>(float16{0x0001}), std::ldexp(1.0F, -24));
  eq(static_cast<float>(float16{0xC000}), -2.0F);
  eq(static_cast<float>(float16{0xFC00}), -std::numeric_limits<float>::infinity());
  check(std::isnan(static_cast<float>(float16{0x7E01})));
  check(std::signbit(static_cast<float>(float16{0x8000})));
});

Test brain("element: values of bfloat16", [] {
  eq(static_cast<float>(bfloat16{0x3FC0}), 1.5F);
  eq(static_cast<float>(bfloat16{0x0001}), std::ldexp(1.0F, -133));
  eq(static_cast<float>(bfloat16{0xFF80}), -std::numeric_limits<float>::infinity());
});

Test eights("element: values of the 8-bit types", [] {
  eq(static_cast<float>(float8_e4m3{0x7E}), 448.0F);
  eq(static_cast<float>(float8_e4m3{0x08}), std::ldexp(1.0F, -6));
  eq(static_cast<float>(float8_e4m3{0x81}), -std::ldexp(1.0F, -9));
  check(std::isnan(static_cast<float>(float8_e4m3{0x7F})) && std::isnan(static_cast<float>(float8_e4m3{0xFF})));
  eq(static_cast<float>(float8_e5m2{0x7B}), 57344.0F);
  eq(static_cast<float>(float8_e5m2{0x01}), std::ldexp(1.0F, -16));
  eq(static_cast<float>(float8_e5m2{0x7C}), std::numeric_limits<float>::infinity());
  check(std::isnan(static_cast<float>(float8_e5m2{0xFD})));
  eq(static_cast<float>(float8_e8m0{0xFE}), std::ldexp(1.0F, 127));
  eq(static_cast<float>(float8_e8m0{0x01}), std::ldexp(1.0F, -126));
  eq(static_cast<float>(float8_e8m0{0x80}), 2.0F);
  check(std::isnan(static_cast<float>(float8_e8m0{0x00})) && std::isnan(static_cast<float>(float8_e8m0{0xFF})));
});

}  // namespace
