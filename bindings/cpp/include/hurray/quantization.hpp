// Quantization: one struct for each scheme, and `Quantization`, which is any of them.
#ifndef HURRAY_CPP_QUANTIZATION_HPP
#define HURRAY_CPP_QUANTIZATION_HPP

#include <hurray/element.hpp>
#include <hurray/fields.hpp>

#include <optional>
#include <tuple>
#include <variant>
#include <vector>

namespace hurray {

/// Buffer indices below are positions in the descriptor's buffer table. An index that is not given when a descriptor
/// is built is chosen by `default_buffers()`; a read one is always there. No zero-point buffer: symmetric.
namespace quant {

/// value = scale * (code - zero_point).
struct PerTensor {
  static constexpr Scheme scheme = Scheme::per_tensor_affine;
  float scale = 1.0F;
  std::int32_t zero_point = 0;
};

/// A scale, and a zero point unless symmetric, for each index of an axis.
struct PerChannel {
  static constexpr Scheme scheme = Scheme::per_channel_affine;
  std::uint32_t axis = 0;
  std::optional<std::uint32_t> scale_buffer{};
  std::optional<std::uint32_t> zero_point_buffer{};
  ElementType scale_type = ElementType::float32;
};

/// A scale, and a zero point unless symmetric, for each block along an axis.
struct PerBlock {
  static constexpr Scheme scheme = Scheme::per_block_affine;
  std::uint32_t axis = 0;
  std::uint32_t block_size = 0;
  std::optional<std::uint32_t> scale_buffer{};
  std::optional<std::uint32_t> zero_point_buffer{};
  ElementType scale_type = ElementType::float32;
};

/// 16 fixed levels, a scale for each block.
struct Nf4 {
  static constexpr Scheme scheme = Scheme::nf4;
  std::uint32_t axis = 0;
  std::uint32_t block_size = 0;
  std::optional<std::uint32_t> scale_buffer{};
};

/// Narrow floats, a power-of-two scale for each block.
struct Mxfp {
  static constexpr Scheme scheme = Scheme::mxfp;
  std::uint32_t axis = 0;
  std::uint32_t block_size = 0;
  std::optional<std::uint32_t> scale_buffer{};
};

/// A scheme that was not understood: no element may be read.
struct Unknown {
  Scheme scheme{};
  std::uint8_t version = 0;
  std::uint16_t flags = 0;
  std::vector<std::uint8_t> data;
};

inline bool operator==(const PerTensor& a, const PerTensor& b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}
inline bool operator==(const PerChannel& a, const PerChannel& b) {
  return std::tie(a.axis, a.scale_buffer, a.zero_point_buffer, a.scale_type) ==
         std::tie(b.axis, b.scale_buffer, b.zero_point_buffer, b.scale_type);
}
inline bool operator==(const PerBlock& a, const PerBlock& b) {
  return std::tie(a.axis, a.block_size, a.scale_buffer, a.zero_point_buffer, a.scale_type) ==
         std::tie(b.axis, b.block_size, b.scale_buffer, b.zero_point_buffer, b.scale_type);
}
inline bool operator==(const Nf4& a, const Nf4& b) {
  return std::tie(a.axis, a.block_size, a.scale_buffer) == std::tie(b.axis, b.block_size, b.scale_buffer);
}
inline bool operator==(const Mxfp& a, const Mxfp& b) {
  return std::tie(a.axis, a.block_size, a.scale_buffer) == std::tie(b.axis, b.block_size, b.scale_buffer);
}
inline bool operator==(const Unknown& a, const Unknown& b) {
  return std::tie(a.scheme, a.version, a.flags, a.data) == std::tie(b.scheme, b.version, b.flags, b.data);
}

}  // namespace quant

/// Any scheme, with its fields.
using Quantization =
    std::variant<quant::PerTensor, quant::PerChannel, quant::PerBlock, quant::Nf4, quant::Mxfp, quant::Unknown>;

/// The tag of a scheme.
inline Scheme scheme_of(const Quantization& quantization) {
  return std::visit([](const auto& one) { return one.scheme; }, quantization);
}

namespace detail {

inline Quantization read_quantization(FieldReader& in) {
  const auto scheme = in.u<Scheme>(HURRAY_QUANT_FIELD_SCHEME);
  if (in.has(HURRAY_QUANT_FIELD_UNKNOWN_DATA)) {
    return quant::Unknown{scheme, in.u<std::uint8_t>(HURRAY_QUANT_FIELD_SCHEME_VERSION),
                          in.u<std::uint16_t>(HURRAY_QUANT_FIELD_FLAGS), in.bytes(HURRAY_QUANT_FIELD_UNKNOWN_DATA)};
  }
  switch (scheme) {
    case Scheme::per_tensor_affine:
      return quant::PerTensor{static_cast<float>(in.f(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE)),
                              static_cast<std::int32_t>(in.i(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT))};
    case Scheme::per_channel_affine:
      return quant::PerChannel{in.u<std::uint32_t>(HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS),
                               in.u<std::uint32_t>(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER),
                               in.optional_u<std::uint32_t>(HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER),
                               in.u<ElementType>(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE)};
    case Scheme::per_block_affine:
      return quant::PerBlock{in.u<std::uint32_t>(HURRAY_QUANT_FIELD_PER_BLOCK_AXIS),
                             in.u<std::uint32_t>(HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE),
                             in.u<std::uint32_t>(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER),
                             in.optional_u<std::uint32_t>(HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER),
                             in.u<ElementType>(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE)};
    case Scheme::nf4:
      return quant::Nf4{in.u<std::uint32_t>(HURRAY_QUANT_FIELD_NF4_AXIS),
                        in.u<std::uint32_t>(HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE),
                        in.u<std::uint32_t>(HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER)};
    case Scheme::mxfp:
      return quant::Mxfp{in.u<std::uint32_t>(HURRAY_QUANT_FIELD_MXFP_AXIS),
                         in.u<std::uint32_t>(HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE),
                         in.u<std::uint32_t>(HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER)};
  }
  return quant::Unknown{
      scheme, in.u<std::uint8_t>(HURRAY_QUANT_FIELD_SCHEME_VERSION), in.u<std::uint16_t>(HURRAY_QUANT_FIELD_FLAGS), {}};
}

/// Writes the fields of a scheme; its tag is set already.
struct QuantizationWriter {
  FieldWriter& out;

  void operator()(const quant::PerTensor& one) const {
    out.f(HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, static_cast<double>(one.scale));
    out.i(HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, one.zero_point);
  }
  void operator()(const quant::PerChannel& one) const {
    out.u(HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, one.axis);
    out.optional_u(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, one.scale_buffer);
    out.optional_u(HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, one.zero_point_buffer);
    out.u(HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, static_cast<std::uint64_t>(one.scale_type));
  }
  void operator()(const quant::PerBlock& one) const {
    out.u(HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, one.axis);
    out.u(HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, one.block_size);
    out.optional_u(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, one.scale_buffer);
    out.optional_u(HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, one.zero_point_buffer);
    out.u(HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, static_cast<std::uint64_t>(one.scale_type));
  }
  void operator()(const quant::Nf4& one) const {
    out.u(HURRAY_QUANT_FIELD_NF4_AXIS, one.axis);
    out.u(HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE, one.block_size);
    out.optional_u(HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER, one.scale_buffer);
  }
  void operator()(const quant::Mxfp& one) const {
    out.u(HURRAY_QUANT_FIELD_MXFP_AXIS, one.axis);
    out.u(HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE, one.block_size);
    out.optional_u(HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER, one.scale_buffer);
  }
  void operator()(const quant::Unknown& one) const {
    out.u(HURRAY_QUANT_FIELD_SCHEME_VERSION, one.version);
    out.u(HURRAY_QUANT_FIELD_FLAGS, one.flags);
    out.bytes(HURRAY_QUANT_FIELD_UNKNOWN_DATA, one.data);
  }
};

}  // namespace detail
}  // namespace hurray

#endif
