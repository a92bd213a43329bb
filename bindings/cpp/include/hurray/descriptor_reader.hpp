// What can be read of a descriptor, whether it is owned or borrowed.
#ifndef HURRAY_CPP_DESCRIPTOR_READER_HPP
#define HURRAY_CPP_DESCRIPTOR_READER_HPP

#include <hurray/layout_fields.hpp>
#include <hurray/quantization.hpp>
#include <hurray/sections.hpp>

#include <ostream>
#include <string>

namespace hurray {
namespace detail {

/// What can be read of a descriptor, owned or borrowed.
template <class Self>
class DescriptorReader {
 public:
  result<ElementType> try_element_type() const {
    return read_enum<ElementType>([this](std::uint8_t* out) { return hurray_descriptor_element_type_tag(raw(), out); });
  }
  result<LayoutTag> try_layout_tag() const {
    return read_enum<LayoutTag>([this](std::uint8_t* out) { return hurray_descriptor_layout_tag(raw(), out); });
  }
  result<std::uint32_t> try_rank() const {
    return read<std::uint32_t>([this](std::uint32_t* out) { return hurray_descriptor_rank(raw(), out); });
  }

  /// Entries in the buffer table; 0 also behind a layout that was not understood.
  result<std::uint32_t> try_buffer_count() const {
    return read<std::uint32_t>([this](std::uint32_t* out) { return hurray_descriptor_buffer_count(raw(), out); });
  }

  /// The section flags, as on the wire.
  result<std::uint32_t> try_flags() const {
    return read<std::uint32_t>([this](std::uint32_t* out) { return hurray_descriptor_flags(raw(), out); });
  }

  /// Where, in bytes from the start of buffer 0, the element at index zero lies.
  result<std::uint64_t> try_byte_offset() const {
    return read<std::uint64_t>([this](std::uint64_t* out) { return hurray_descriptor_byte_offset(raw(), out); });
  }
  result<Shape> try_shape() const {
    auto dims = read_array<std::vector<std::uint64_t>>(
        [this](std::uint64_t* out, std::size_t* length) { return hurray_descriptor_shape(raw(), out, length); }, 8);
    if (!dims) return dims.error();
    return Shape(*std::move(dims));
  }

  /// The number of elements. HURRAY_ERR_FIELD_NOT_PRESENT while a dimension is dynamic or the count passes 64 bits.
  result<std::uint64_t> try_element_count() const { return try_u64(HURRAY_HEADER_FIELD_ELEMENT_COUNT); }

  /// Everything in one call.
  result<Fields> try_fields() const {
    auto words = read_array<std::vector<std::uint64_t>>(
        [this](std::uint64_t* out, std::size_t* length) { return hurray_descriptor_fields(raw(), out, length); }, 512);
    if (!words) return words.error();
    return Fields(*std::move(words));
  }

  /// The layout with its fields.
  result<Layout> try_layout() const {
    const auto fields = try_fields();
    if (!fields) return fields.error();
    FieldReader in(*fields);
    return in.checked(read_layout(in));
  }

  /// The buffer table, in order; empty also behind a layout that was not understood.
  result<std::vector<BufferEntry>> try_buffers() const {
    const auto fields = try_fields();
    if (!fields) return fields.error();
    FieldReader in(*fields);
    std::vector<BufferEntry> entries;
    for (std::uint32_t index = 0; in.has(HURRAY_BUFFER_FIELD_BYTE_SIZE, index); ++index) {
      entries.push_back(read_buffer_entry(in, index));
    }
    return in.checked(std::move(entries));
  }

  /// A section is empty where the descriptor does not carry it, and HURRAY_ERR_UNSUPPORTED behind a layout that was
  /// not understood.
  result<std::optional<Quantization>> try_quantization() const {
    return section<Quantization>(HURRAY_QUANT_FIELD_SCHEME, read_quantization);
  }
  result<std::optional<Shard>> try_shard() const { return section<Shard>(HURRAY_SHARD_FIELD_PARENT_SHAPE, read_shard); }
  result<std::optional<Statistics>> try_statistics() const {
    return section<Statistics>(HURRAY_STATS_FIELD_COMPUTED_MASK, read_statistics);
  }
  result<std::optional<ExtensionType>> try_extension_type() const {
    return section<ExtensionType>(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, read_extension_type);
  }
  result<std::optional<MemberRole>> try_member_role() const {
    return section<MemberRole>(HURRAY_MEMBER_FIELD_ROLE,
                               [](FieldReader& in) { return in.u<MemberRole>(HURRAY_MEMBER_FIELD_ROLE); });
  }

  /// One field by its HURRAY_..._FIELD_... number. `level` is 0, but for tiled levels and buffers.
  result<std::uint64_t> try_u64(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return read<std::uint64_t>([&](std::uint64_t* out) { return hurray_descriptor_field_u64(raw(), id, level, out); });
  }
  result<std::int64_t> try_i64(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return read<std::int64_t>([&](std::int64_t* out) { return hurray_descriptor_field_i64(raw(), id, level, out); });
  }
  result<double> try_f64(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return read<double>([&](double* out) { return hurray_descriptor_field_f64(raw(), id, level, out); });
  }
  result<std::vector<std::uint64_t>> try_u64_array(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return read_array<std::vector<std::uint64_t>>(
        [&](std::uint64_t* out, std::size_t* length) {
          return hurray_descriptor_field_u64_array(raw(), id, level, out, length);
        },
        8);
  }
  result<std::vector<std::int64_t>> try_i64_array(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return read_array<std::vector<std::int64_t>>(
        [&](std::int64_t* out, std::size_t* length) {
          return hurray_descriptor_field_i64_array(raw(), id, level, out, length);
        },
        8);
  }
  result<std::vector<std::uint8_t>> try_bytes(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return read_array<std::vector<std::uint8_t>>(
        [&](std::uint8_t* out, std::size_t* length) {
          return hurray_descriptor_field_bytes(raw(), id, level, out, length);
        },
        64);
  }

  /// The descriptor's bytes: the very bytes that were decoded, or what the builder wrote.
  result<std::vector<std::uint8_t>> try_encode() const {
    return read_array<std::vector<std::uint8_t>>(
        [this](std::uint8_t* out, std::size_t* length) { return hurray_descriptor_encode(raw(), out, length); }, 256);
  }

  /// The descriptor's bytes as a table for people: on each line the offset, up to 16 bytes, and what they are.
  result<std::string> try_annotate() const {
    return read_array<std::string>(
        [this](char* out, std::size_t* length) { return hurray_descriptor_annotate(raw(), out, length); }, 2048);
  }

  /// One line that says element type, shape, layout, quantization, device and bytes.
  result<std::string> try_describe() const {
    return read_array<std::string>(
        [this](char* out, std::size_t* length) { return hurray_descriptor_describe(raw(), out, length); }, 128);
  }

#if defined(__cpp_exceptions)
  ElementType element_type() const { return try_element_type().value(); }
  LayoutTag layout_tag() const { return try_layout_tag().value(); }
  std::uint32_t rank() const { return try_rank().value(); }
  std::uint32_t buffer_count() const { return try_buffer_count().value(); }
  std::uint32_t flags() const { return try_flags().value(); }
  std::uint64_t byte_offset() const { return try_byte_offset().value(); }
  Shape shape() const { return try_shape().value(); }
  std::uint64_t element_count() const { return try_element_count().value(); }
  Fields fields() const { return try_fields().value(); }
  Layout layout() const { return try_layout().value(); }
  std::vector<BufferEntry> buffers() const { return try_buffers().value(); }
  std::optional<Quantization> quantization() const { return try_quantization().value(); }
  std::optional<Shard> shard() const { return try_shard().value(); }
  std::optional<Statistics> statistics() const { return try_statistics().value(); }
  std::optional<ExtensionType> extension_type() const { return try_extension_type().value(); }
  std::optional<MemberRole> member_role() const { return try_member_role().value(); }
  std::uint64_t u64(HurrayDescriptorField id, std::uint32_t level = 0) const { return try_u64(id, level).value(); }
  std::int64_t i64(HurrayDescriptorField id, std::uint32_t level = 0) const { return try_i64(id, level).value(); }
  double f64(HurrayDescriptorField id, std::uint32_t level = 0) const { return try_f64(id, level).value(); }
  std::vector<std::uint64_t> u64_array(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return try_u64_array(id, level).value();
  }
  std::vector<std::int64_t> i64_array(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return try_i64_array(id, level).value();
  }
  std::vector<std::uint8_t> bytes(HurrayDescriptorField id, std::uint32_t level = 0) const {
    return try_bytes(id, level).value();
  }
  std::vector<std::uint8_t> encode() const { return try_encode().value(); }
  std::string annotate() const { return try_annotate().value(); }
  std::string describe() const { return try_describe().value(); }
#endif

  /// The line of `describe()`, or the error's in its place.
  friend std::ostream& operator<<(std::ostream& out, const Self& self) {
    const auto line = self.try_describe();
    return out << (line ? *line : std::string(line.error().what()));
  }

 private:
  const HurrayDescriptor* raw() const noexcept { return static_cast<const Self*>(this)->get(); }

  template <class T, class Read>
  result<std::optional<T>> section(HurrayDescriptorField id, Read read) const {
    const auto fields = try_fields();
    if (!fields) return fields.error();
    FieldReader in(*fields);
    if (in.has(id)) return in.checked(std::optional<T>(read(in)));
    std::uint64_t unused = 0;
    const HurrayStatus status = hurray_descriptor_field_u64(raw(), id, 0, &unused);
    if (status == HURRAY_ERR_FIELD_NOT_PRESENT) return std::optional<T>();
    return last_error(status);
  }
};

}  // namespace detail
}  // namespace hurray

#endif
