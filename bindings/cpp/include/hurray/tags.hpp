// The format's tags as scoped enumerations. Their numbers are those of hurray.h; their names are asked of the library.
#ifndef HURRAY_CPP_TAGS_HPP
#define HURRAY_CPP_TAGS_HPP

#include <hurray/error.hpp>

#include <ostream>
#include <string>
#include <string_view>

namespace hurray {

/// How elements are laid out. Other values, 0xF0 to 0xFE, are private layouts.
enum class LayoutTag : std::uint8_t {
  row_major = HURRAY_LAYOUT_ROW_MAJOR,
  column_major = HURRAY_LAYOUT_COLUMN_MAJOR,
  strided = HURRAY_LAYOUT_STRIDED,
  tiled = HURRAY_LAYOUT_TILED,
  morton = HURRAY_LAYOUT_MORTON,
  coo = HURRAY_LAYOUT_COO,
  csr = HURRAY_LAYOUT_CSR,
  csc = HURRAY_LAYOUT_CSC,
  csf = HURRAY_LAYOUT_CSF,
  block_paged = HURRAY_LAYOUT_BLOCK_PAGED,
  composite = HURRAY_LAYOUT_COMPOSITE,
  hilbert = HURRAY_LAYOUT_HILBERT,
};

/// How codes become real numbers.
enum class Scheme : std::uint8_t {
  per_tensor_affine = HURRAY_SCHEME_PER_TENSOR_AFFINE,
  per_channel_affine = HURRAY_SCHEME_PER_CHANNEL_AFFINE,
  per_block_affine = HURRAY_SCHEME_PER_BLOCK_AFFINE,
  nf4 = HURRAY_SCHEME_NF4,
  mxfp = HURRAY_SCHEME_MXFP,
};

/// Where memory lives. Other values, 0xF0 to 0xFE, are private devices.
enum class Device : std::uint8_t {
  cpu = HURRAY_DEVICE_CPU,
  cuda = HURRAY_DEVICE_CUDA,
  rocm = HURRAY_DEVICE_ROCM,
  metal = HURRAY_DEVICE_METAL,
  vulkan = HURRAY_DEVICE_VULKAN,
  webgpu = HURRAY_DEVICE_WEBGPU,
  hexagon = HURRAY_DEVICE_HEXAGON,
  level_zero = HURRAY_DEVICE_LEVEL_ZERO,
  opencl = HURRAY_DEVICE_OPENCL,
};

/// Who can reach a device's memory.
enum class MemoryClass : std::uint8_t {
  standard = HURRAY_MEMORY_STANDARD,
  host_pinned = HURRAY_MEMORY_HOST_PINNED,
  unified = HURRAY_MEMORY_UNIFIED,
  peer = HURRAY_MEMORY_PEER,
};

/// How the producer ordered its writes before it handed the memory on.
enum class SyncMode : std::uint8_t {
  producer_synced = HURRAY_SYNC_PRODUCER_SYNCED,
  event = HURRAY_SYNC_EVENT,
  consumer_stream = HURRAY_SYNC_CONSUMER_STREAM,
};

/// How the members of a composite make one tensor.
enum class CompositionRule : std::uint8_t {
  partition = HURRAY_RULE_PARTITION,
  overlay = HURRAY_RULE_OVERLAY,
  group = HURRAY_RULE_GROUP,
};

/// What a correction does to what it covers; `none` for every rule but overlay.
enum class CombineOp : std::uint8_t {
  none = HURRAY_OP_NONE,
  replace = HURRAY_OP_REPLACE,
  add = HURRAY_OP_ADD,
};

/// What a member is in its overlay.
enum class MemberRole : std::uint8_t {
  correction = HURRAY_MEMBER_CORRECTION,
  base = HURRAY_MEMBER_BASE,
};

/// What a page pool holds.
enum class KvRole : std::uint8_t {
  key = HURRAY_KV_ROLE_KEY,
  value = HURRAY_KV_ROLE_VALUE,
  fused = HURRAY_KV_ROLE_FUSED,
};

/// What a buffer of a tensor holds; also names a part of a tensor.
enum class Role : std::uint8_t {
  unknown = HURRAY_ROLE_UNKNOWN,
  values = HURRAY_ROLE_VALUES,
  indices = HURRAY_ROLE_INDICES,
  pointers = HURRAY_ROLE_POINTERS,
  csf_pos = HURRAY_ROLE_CSF_POS,
  csf_crd = HURRAY_ROLE_CSF_CRD,
  block_table = HURRAY_ROLE_BLOCK_TABLE,
  seq_ptr = HURRAY_ROLE_SEQ_PTR,
  scales = HURRAY_ROLE_SCALES,
  zero_points = HURRAY_ROLE_ZERO_POINTS,
};

/// The library's name of `tag` in a HURRAY_SPACE_..., in lower case; a tag without one, "0xF0".
inline std::string tag_name(std::uint32_t space, std::uint32_t tag) {
  const char* text = nullptr;
  if (detail::version_matches() && hurray_tag_name(space, tag, &text) == HURRAY_OK) return text;
  const char digits[] = "0123456789ABCDEF";
  return {'0', 'x', digits[tag >> 4 & 15U], digits[tag & 15U]};
}

namespace detail {

template <class Tag>
inline constexpr std::uint32_t space_of = 0;
template <>
inline constexpr std::uint32_t space_of<LayoutTag> = HURRAY_SPACE_LAYOUT;
template <>
inline constexpr std::uint32_t space_of<Scheme> = HURRAY_SPACE_SCHEME;
template <>
inline constexpr std::uint32_t space_of<Device> = HURRAY_SPACE_DEVICE;
template <>
inline constexpr std::uint32_t space_of<MemoryClass> = HURRAY_SPACE_MEMORY_CLASS;
template <>
inline constexpr std::uint32_t space_of<SyncMode> = HURRAY_SPACE_SYNC_MODE;
template <>
inline constexpr std::uint32_t space_of<CompositionRule> = HURRAY_SPACE_COMPOSITION_RULE;
template <>
inline constexpr std::uint32_t space_of<CombineOp> = HURRAY_SPACE_COMBINE_OP;
template <>
inline constexpr std::uint32_t space_of<MemberRole> = HURRAY_SPACE_MEMBER_ROLE;
template <>
inline constexpr std::uint32_t space_of<KvRole> = HURRAY_SPACE_KV_ROLE;
template <>
inline constexpr std::uint32_t space_of<Role> = HURRAY_SPACE_BUFFER_ROLE;

}  // namespace detail

/// The library's name of a tag, in lower case: `name(LayoutTag::csr)` is "csr".
template <class Tag, class = std::enable_if_t<detail::space_of<Tag> != 0>>
std::string name(Tag tag) {
  return tag_name(detail::space_of<Tag>, static_cast<std::uint32_t>(tag));
}

template <class Tag, class = std::enable_if_t<detail::space_of<Tag> != 0>>
std::ostream& operator<<(std::ostream& out, Tag tag) {
  return out << name(tag);
}

}  // namespace hurray

#endif
