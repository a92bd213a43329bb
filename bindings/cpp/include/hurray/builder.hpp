// Writing descriptors from the same typed objects that they are read as.
#ifndef HURRAY_CPP_BUILDER_HPP
#define HURRAY_CPP_BUILDER_HPP

#include <hurray/descriptor.hpp>

namespace hurray {

/// A descriptor being written. Values are judged by `finish()`, which leaves the builder as it is.
class DescriptorBuilder : public detail::Handle<HurrayDescriptorBuilder, hurray_descriptor_builder_destroy> {
 public:
  DescriptorBuilder() noexcept = default;

  /// Takes ownership of a raw handle.
  static DescriptorBuilder adopt(HurrayDescriptorBuilder* raw) noexcept { return DescriptorBuilder(raw); }

  /// Starts a descriptor and writes the layout's fields.
  static result<DescriptorBuilder> try_make(ElementType type, const Shape& shape,
                                            const Layout& layout = layout::RowMajor{}) {
    auto builder = detail::make_handle<DescriptorBuilder>([&](HurrayDescriptorBuilder** out) {
      return hurray_descriptor_builder_new(static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(tag_of(layout)),
                                           shape.data(), shape.rank(), out);
    });
    if (!builder) return builder;
    detail::FieldWriter out(builder->get());
    std::visit(detail::LayoutWriter{out}, layout);
    if (auto written = out.outcome(); !written) return written.error();
    return builder;
  }

  /// Where, in bytes from the start of buffer 0, the element at index zero lies.
  result<void> try_byte_offset(std::uint64_t offset) { return try_set_u64(HURRAY_HEADER_FIELD_BYTE_OFFSET, offset); }

  result<void> try_quantization(const Quantization& quantization) {
    detail::FieldWriter out(get());
    out.u(HURRAY_QUANT_FIELD_SCHEME, static_cast<std::uint64_t>(scheme_of(quantization)));
    std::visit(detail::QuantizationWriter{out}, quantization);
    return out.outcome();
  }
  result<void> try_shard(const Shard& shard) { return try_write(shard); }
  result<void> try_statistics(const Statistics& statistics) { return try_write(statistics); }
  result<void> try_extension_type(const ExtensionType& type) { return try_write(type); }
  result<void> try_member_role(MemberRole role) {
    return try_set_u64(HURRAY_MEMBER_FIELD_ROLE, static_cast<std::uint64_t>(role));
  }

  /// One field by its HURRAY_..._FIELD_... number; setting one opens its section.
  result<void> try_set_u64(HurrayDescriptorField id, std::uint64_t value, std::uint32_t level = 0) {
    return detail::done(hurray_descriptor_builder_set_u64(get(), id, level, value));
  }
  result<void> try_set_i64(HurrayDescriptorField id, std::int64_t value, std::uint32_t level = 0) {
    return detail::done(hurray_descriptor_builder_set_i64(get(), id, level, value));
  }
  result<void> try_set_f64(HurrayDescriptorField id, double value, std::uint32_t level = 0) {
    return detail::done(hurray_descriptor_builder_set_f64(get(), id, level, value));
  }
  result<void> try_set_u64_array(HurrayDescriptorField id, span<const std::uint64_t> values, std::uint32_t level = 0) {
    return detail::done(hurray_descriptor_builder_set_u64_array(get(), id, level, values.data(), values.size()));
  }
  result<void> try_set_i64_array(HurrayDescriptorField id, span<const std::int64_t> values, std::uint32_t level = 0) {
    return detail::done(hurray_descriptor_builder_set_i64_array(get(), id, level, values.data(), values.size()));
  }
  result<void> try_set_bytes(HurrayDescriptorField id, span<const std::uint8_t> values, std::uint32_t level = 0) {
    return detail::done(hurray_descriptor_builder_set_bytes(get(), id, level, values.data(), values.size()));
  }

  /// Appends an entry to the buffer table.
  result<void> try_buffer(const BufferEntry& entry) {
    return detail::done(hurray_descriptor_builder_push_buffer(
        get(), entry.byte_size, entry.alignment, static_cast<std::uint8_t>(entry.device),
        static_cast<std::uint8_t>(entry.sync_mode), static_cast<std::uint8_t>(entry.memory_class)));
  }

  /// Appends the buffers that the other fields imply, as small as they may be; call it last.
  result<void> try_default_buffers() { return detail::done(hurray_descriptor_builder_push_default_buffers(get())); }

  /// Validates what was set and makes the descriptor.
  result<Descriptor> try_finish() {
    return detail::make_handle<Descriptor>(
        [this](HurrayDescriptor** out) { return hurray_descriptor_builder_finish(get(), out); });
  }

#if defined(__cpp_exceptions)
  static DescriptorBuilder make(ElementType type, const Shape& shape, const Layout& layout = layout::RowMajor{}) {
    return try_make(type, shape, layout).value();
  }
  DescriptorBuilder& byte_offset(std::uint64_t offset) { return also(try_byte_offset(offset)); }
  DescriptorBuilder& quantization(const Quantization& quantization) { return also(try_quantization(quantization)); }
  DescriptorBuilder& shard(const Shard& shard) { return also(try_shard(shard)); }
  DescriptorBuilder& statistics(const Statistics& statistics) { return also(try_statistics(statistics)); }
  DescriptorBuilder& extension_type(const ExtensionType& type) { return also(try_extension_type(type)); }
  DescriptorBuilder& member_role(MemberRole role) { return also(try_member_role(role)); }
  DescriptorBuilder& set_u64(HurrayDescriptorField id, std::uint64_t value, std::uint32_t level = 0) {
    return also(try_set_u64(id, value, level));
  }
  DescriptorBuilder& set_i64(HurrayDescriptorField id, std::int64_t value, std::uint32_t level = 0) {
    return also(try_set_i64(id, value, level));
  }
  DescriptorBuilder& set_f64(HurrayDescriptorField id, double value, std::uint32_t level = 0) {
    return also(try_set_f64(id, value, level));
  }
  DescriptorBuilder& set_u64_array(HurrayDescriptorField id, span<const std::uint64_t> values,
                                   std::uint32_t level = 0) {
    return also(try_set_u64_array(id, values, level));
  }
  DescriptorBuilder& set_i64_array(HurrayDescriptorField id, span<const std::int64_t> values, std::uint32_t level = 0) {
    return also(try_set_i64_array(id, values, level));
  }
  DescriptorBuilder& set_bytes(HurrayDescriptorField id, span<const std::uint8_t> values, std::uint32_t level = 0) {
    return also(try_set_bytes(id, values, level));
  }
  DescriptorBuilder& buffer(const BufferEntry& entry) { return also(try_buffer(entry)); }
  DescriptorBuilder& default_buffers() { return also(try_default_buffers()); }
  Descriptor finish() { return try_finish().value(); }
#endif

 private:
  explicit DescriptorBuilder(HurrayDescriptorBuilder* raw) noexcept : Handle(raw) {}

  template <class Section>
  result<void> try_write(const Section& section) {
    detail::FieldWriter out(get());
    detail::write(out, section);
    return out.outcome();
  }

#if defined(__cpp_exceptions)
  DescriptorBuilder& also(const result<void>& outcome) {
    outcome.value();
    return *this;
  }
#endif
};

}  // namespace hurray

#endif
