// Descriptors: everything that is said of a tensor, decoded and validated.
#ifndef HURRAY_CPP_DESCRIPTOR_HPP
#define HURRAY_CPP_DESCRIPTOR_HPP

#include <hurray/descriptor_reader.hpp>

namespace hurray {
/// A borrowed descriptor: lives as long as the tensor that gave it.
class DescriptorRef : public detail::DescriptorReader<DescriptorRef> {
 public:
  explicit DescriptorRef(const HurrayDescriptor* raw = nullptr) noexcept : raw_(raw) {}

  const HurrayDescriptor* get() const noexcept { return raw_; }

 private:
  const HurrayDescriptor* raw_;
};

/// How decoding treats what it does not understand.
enum class Decode : std::uint32_t {
  strict = 0,
  permissive = HURRAY_DECODE_PERMISSIVE,  ///< Kept as opaque parts.
};

/// A descriptor of one's own. Immutable.
class Descriptor : public detail::Handle<HurrayDescriptor, hurray_descriptor_destroy>,
                   public detail::DescriptorReader<Descriptor> {
 public:
  Descriptor() noexcept = default;

  /// Takes ownership of a raw handle, which must not be a borrowed one.
  static Descriptor adopt(HurrayDescriptor* raw) noexcept { return Descriptor(raw); }

  operator DescriptorRef() const& noexcept { return DescriptorRef(get()); }
  operator DescriptorRef() const&& = delete;

  /// Decodes and validates bytes. Bytes after the descriptor's own length are left alone.
  static result<Descriptor> try_decode(span<const std::uint8_t> bytes) {
    return detail::make_handle<Descriptor>(
        [&](HurrayDescriptor** out) { return hurray_descriptor_decode(bytes.data(), bytes.size(), out); });
  }
  static result<Descriptor> try_decode(span<const std::uint8_t> bytes, Decode mode) {
    return detail::make_handle<Descriptor>([&](HurrayDescriptor** out) {
      return hurray_descriptor_decode_with(bytes.data(), bytes.size(), static_cast<std::uint32_t>(mode), out);
    });
  }

  /// Of the words of `Fields`, in any order, with full validation.
  static result<Descriptor> try_from_fields(span<const std::uint64_t> words) {
    return detail::make_handle<Descriptor>(
        [&](HurrayDescriptor** out) { return hurray_descriptor_from_fields(words.data(), words.size(), out); });
  }

#if defined(__cpp_exceptions)
  static Descriptor decode(span<const std::uint8_t> bytes) { return try_decode(bytes).value(); }
  static Descriptor decode(span<const std::uint8_t> bytes, Decode mode) { return try_decode(bytes, mode).value(); }
  static Descriptor from_fields(span<const std::uint64_t> words) { return try_from_fields(words).value(); }
#endif

 private:
  explicit Descriptor(HurrayDescriptor* raw) noexcept : Handle(raw) {}
};

}  // namespace hurray

#endif
