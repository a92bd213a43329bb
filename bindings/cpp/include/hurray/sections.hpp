// The other parts of a descriptor as plain structs: buffer table, shard, statistics, private element type.
#ifndef HURRAY_CPP_SECTIONS_HPP
#define HURRAY_CPP_SECTIONS_HPP

#include <hurray/fields.hpp>
#include <hurray/shape.hpp>
#include <hurray/tags.hpp>

#include <optional>
#include <tuple>
#include <vector>

namespace hurray {

/// An entry of the buffer table. Role and level follow from the layout and are not written.
struct BufferEntry {
  std::uint64_t byte_size = 0;
  std::uint32_t alignment = 64;
  Device device = Device::cpu;
  SyncMode sync_mode = SyncMode::producer_synced;
  MemoryClass memory_class = MemoryClass::standard;
  Role role = Role::unknown;
  std::uint32_t role_level = 0;
};

/// Where this tensor lies in a larger one: one offset a dimension.
struct Shard {
  Shape parent_shape;
  std::vector<std::uint64_t> offset;
};

/// What is known of the dequantized values. Advisory: never to be trusted for correctness.
struct Statistics {
  struct Range {
    double min = 0;
    double max = 0;
    double abs_max = 0;
  };
  struct Moments {
    double mean = 0;
    double stddev = 0;
  };
  /// At most `n` of every `m` neighbours are not zero.
  struct Pattern {
    std::uint8_t n = 0;
    std::uint8_t m = 0;
  };
  struct Special {
    bool has_nan = false;
    bool has_inf = false;
  };
  std::optional<std::uint64_t> nnz;
  std::optional<double> sparsity_ratio;
  std::optional<Range> range;
  std::optional<Moments> moments;
  std::optional<Pattern> pattern;
  std::optional<Special> special;
};

/// A private element type: enough to size its buffers, and its fields if it is a float.
struct ExtensionType {
  std::uint32_t bit_width = 0;
  std::uint8_t packing_factor = 1;
  bool is_float = false;
  bool is_signed = false;
  std::uint8_t sign_bits = 0;
  std::uint8_t exponent_bits = 0;
  std::uint8_t mantissa_bits = 0;
  std::uint32_t exponent_bias = 0;
  bool has_nan = false;
  bool has_inf = false;
};

inline bool operator==(const BufferEntry& a, const BufferEntry& b) {
  return std::tie(a.byte_size, a.alignment, a.device, a.sync_mode, a.memory_class, a.role, a.role_level) ==
         std::tie(b.byte_size, b.alignment, b.device, b.sync_mode, b.memory_class, b.role, b.role_level);
}
inline bool operator==(const Shard& a, const Shard& b) {
  return a.parent_shape == b.parent_shape && a.offset == b.offset;
}
inline bool operator==(const Statistics::Range& a, const Statistics::Range& b) {
  return std::tie(a.min, a.max, a.abs_max) == std::tie(b.min, b.max, b.abs_max);
}
inline bool operator==(const Statistics::Moments& a, const Statistics::Moments& b) {
  return a.mean == b.mean && a.stddev == b.stddev;
}
inline bool operator==(const Statistics::Pattern& a, const Statistics::Pattern& b) { return a.n == b.n && a.m == b.m; }
inline bool operator==(const Statistics::Special& a, const Statistics::Special& b) {
  return a.has_nan == b.has_nan && a.has_inf == b.has_inf;
}
inline bool operator==(const Statistics& a, const Statistics& b) {
  return std::tie(a.nnz, a.sparsity_ratio, a.range, a.moments, a.pattern, a.special) ==
         std::tie(b.nnz, b.sparsity_ratio, b.range, b.moments, b.pattern, b.special);
}
inline bool operator==(const ExtensionType& a, const ExtensionType& b) {
  return std::tie(a.bit_width, a.packing_factor, a.is_float, a.is_signed, a.sign_bits, a.exponent_bits, a.mantissa_bits,
                  a.exponent_bias, a.has_nan,
                  a.has_inf) == std::tie(b.bit_width, b.packing_factor, b.is_float, b.is_signed, b.sign_bits,
                                         b.exponent_bits, b.mantissa_bits, b.exponent_bias, b.has_nan, b.has_inf);
}

namespace detail {

inline BufferEntry read_buffer_entry(FieldReader& in, std::uint32_t index) {
  BufferEntry entry;
  entry.byte_size = in.u(HURRAY_BUFFER_FIELD_BYTE_SIZE, index);
  entry.alignment = in.u<std::uint32_t>(HURRAY_BUFFER_FIELD_ALIGNMENT, index);
  entry.device = in.u<Device>(HURRAY_BUFFER_FIELD_DEVICE_TAG, index);
  entry.sync_mode = in.u<SyncMode>(HURRAY_BUFFER_FIELD_SYNC_MODE, index);
  entry.memory_class = in.u<MemoryClass>(HURRAY_BUFFER_FIELD_MEMORY_CLASS, index);
  entry.role = in.u<Role>(HURRAY_BUFFER_FIELD_ROLE, index);
  entry.role_level = in.u<std::uint32_t>(HURRAY_BUFFER_FIELD_ROLE_LEVEL, index);
  return entry;
}

inline Shard read_shard(FieldReader& in) {
  return {Shape(in.u_array(HURRAY_SHARD_FIELD_PARENT_SHAPE)), in.u_array(HURRAY_SHARD_FIELD_OFFSET)};
}

inline Statistics read_statistics(FieldReader& in) {
  Statistics statistics;
  if (in.has(HURRAY_STATS_FIELD_NNZ)) statistics.nnz = in.u(HURRAY_STATS_FIELD_NNZ);
  if (in.has(HURRAY_STATS_FIELD_SPARSITY_RATIO)) statistics.sparsity_ratio = in.f(HURRAY_STATS_FIELD_SPARSITY_RATIO);
  if (in.has(HURRAY_STATS_FIELD_MIN)) {
    statistics.range =
        Statistics::Range{in.f(HURRAY_STATS_FIELD_MIN), in.f(HURRAY_STATS_FIELD_MAX), in.f(HURRAY_STATS_FIELD_ABS_MAX)};
  }
  if (in.has(HURRAY_STATS_FIELD_MEAN)) {
    statistics.moments = Statistics::Moments{in.f(HURRAY_STATS_FIELD_MEAN), in.f(HURRAY_STATS_FIELD_STDDEV)};
  }
  if (in.has(HURRAY_STATS_FIELD_NM_N)) {
    statistics.pattern =
        Statistics::Pattern{in.u<std::uint8_t>(HURRAY_STATS_FIELD_NM_N), in.u<std::uint8_t>(HURRAY_STATS_FIELD_NM_M)};
  }
  if (in.has(HURRAY_STATS_FIELD_HAS_NAN)) {
    statistics.special =
        Statistics::Special{in.u(HURRAY_STATS_FIELD_HAS_NAN) != 0, in.u(HURRAY_STATS_FIELD_HAS_INF) != 0};
  }
  return statistics;
}

inline ExtensionType read_extension_type(FieldReader& in) {
  ExtensionType type;
  type.bit_width = in.u<std::uint32_t>(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH);
  type.packing_factor = in.u<std::uint8_t>(HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR);
  type.is_float = in.u(HURRAY_EXT_TYPE_FIELD_IS_FLOAT) != 0;
  type.is_signed = in.u(HURRAY_EXT_TYPE_FIELD_IS_SIGNED) != 0;
  type.sign_bits = in.u<std::uint8_t>(HURRAY_EXT_TYPE_FIELD_SIGN_BITS);
  type.exponent_bits = in.u<std::uint8_t>(HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS);
  type.mantissa_bits = in.u<std::uint8_t>(HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS);
  type.exponent_bias = in.u<std::uint32_t>(HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS);
  type.has_nan = in.u(HURRAY_EXT_TYPE_FIELD_HAS_NAN) != 0;
  type.has_inf = in.u(HURRAY_EXT_TYPE_FIELD_HAS_INF) != 0;
  return type;
}

inline void write(FieldWriter& out, const Shard& shard) {
  out.u_array(HURRAY_SHARD_FIELD_PARENT_SHAPE,
              span<const std::uint64_t>(shard.parent_shape.data(), shard.parent_shape.rank()));
  out.u_array(HURRAY_SHARD_FIELD_OFFSET, shard.offset);
}

inline void write(FieldWriter& out, const Statistics& statistics) {
  if (statistics.nnz) out.u(HURRAY_STATS_FIELD_NNZ, *statistics.nnz);
  if (statistics.sparsity_ratio) out.f(HURRAY_STATS_FIELD_SPARSITY_RATIO, *statistics.sparsity_ratio);
  if (statistics.range) {
    out.f(HURRAY_STATS_FIELD_MIN, statistics.range->min);
    out.f(HURRAY_STATS_FIELD_MAX, statistics.range->max);
    out.f(HURRAY_STATS_FIELD_ABS_MAX, statistics.range->abs_max);
  }
  if (statistics.moments) {
    out.f(HURRAY_STATS_FIELD_MEAN, statistics.moments->mean);
    out.f(HURRAY_STATS_FIELD_STDDEV, statistics.moments->stddev);
  }
  if (statistics.pattern) {
    out.u(HURRAY_STATS_FIELD_NM_N, statistics.pattern->n);
    out.u(HURRAY_STATS_FIELD_NM_M, statistics.pattern->m);
  }
  if (statistics.special) {
    out.u(HURRAY_STATS_FIELD_HAS_NAN, statistics.special->has_nan ? 1 : 0);
    out.u(HURRAY_STATS_FIELD_HAS_INF, statistics.special->has_inf ? 1 : 0);
  }
}

inline void write(FieldWriter& out, const ExtensionType& type) {
  out.u(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, type.bit_width);
  out.u(HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR, type.packing_factor);
  out.u(HURRAY_EXT_TYPE_FIELD_IS_FLOAT, type.is_float ? 1 : 0);
  out.u(HURRAY_EXT_TYPE_FIELD_IS_SIGNED, type.is_signed ? 1 : 0);
  out.u(HURRAY_EXT_TYPE_FIELD_SIGN_BITS, type.sign_bits);
  out.u(HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS, type.exponent_bits);
  out.u(HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS, type.mantissa_bits);
  out.u(HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS, type.exponent_bias);
  out.u(HURRAY_EXT_TYPE_FIELD_HAS_NAN, type.has_nan ? 1 : 0);
  out.u(HURRAY_EXT_TYPE_FIELD_HAS_INF, type.has_inf ? 1 : 0);
}

}  // namespace detail
}  // namespace hurray

#endif
