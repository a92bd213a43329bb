// Buffers: a piece of memory, what keeps it alive, and what a descriptor says of it.
#ifndef HURRAY_CPP_BUFFER_HPP
#define HURRAY_CPP_BUFFER_HPP

#include <hurray/handle.hpp>
#include <hurray/span.hpp>
#include <hurray/tags.hpp>

#include <cstddef>

namespace hurray {

class Buffer;

namespace detail {

/// What can be read of a buffer, owned or borrowed.
template <class Self>
class BufferReader {
 public:
  /// The pointer as it was given, also one that only a device may follow.
  result<void*> try_data() const {
    return read<void*>([this](void** out) { return hurray_buffer_data_ptr(raw(), out); });
  }

  /// The pointer, if the host may read through it; HURRAY_ERR_UNSUPPORTED if not.
  result<void*> try_host_data() const {
    return read<void*>([this](void** out) { return hurray_buffer_host_ptr(raw(), out); });
  }

  /// The size in bytes.
  result<std::uint64_t> try_byte_size() const {
    return read<std::uint64_t>([this](std::uint64_t* out) { return hurray_buffer_byte_size(raw(), out); });
  }

  /// The alignment that the pointer keeps, in bytes.
  result<std::uint32_t> try_alignment() const {
    return read<std::uint32_t>([this](std::uint32_t* out) { return hurray_buffer_alignment(raw(), out); });
  }

  result<Device> try_device() const {
    return read_enum<Device>([this](std::uint8_t* out) { return hurray_buffer_device_tag(raw(), out); });
  }

  /// Which of several devices holds the memory.
  result<std::int32_t> try_device_id() const {
    return read<std::int32_t>([this](std::int32_t* out) { return hurray_buffer_device_id(raw(), out); });
  }

  result<SyncMode> try_sync_mode() const {
    return read_enum<SyncMode>([this](std::uint8_t* out) { return hurray_buffer_sync_mode(raw(), out); });
  }

  result<MemoryClass> try_memory_class() const {
    return read_enum<MemoryClass>([this](std::uint8_t* out) { return hurray_buffer_memory_class(raw(), out); });
  }

  /// HURRAY_BUFFER_... bits: read-only, readable by the host, and why the memory was copied.
  result<std::uint32_t> try_flags() const {
    return read<std::uint32_t>([this](std::uint32_t* out) { return hurray_buffer_flags(raw(), out); });
  }

  /// How many bytes at the buffer's start are not its owner's.
  result<std::uint32_t> try_lead() const {
    return read<std::uint32_t>([this](std::uint32_t* out) { return hurray_buffer_lead(raw(), out); });
  }

  /// The whole buffer, to read, as long as it or a share of it lives. Its first `lead()` bytes are somebody else's.
  result<span<const std::byte>> try_bytes() const {
    const auto data = try_host_data();
    if (!data) return data.error();
    const auto size = try_byte_size();
    if (!size) return size.error();
    return span<const std::byte>(static_cast<const std::byte*>(*data), static_cast<std::size_t>(*size));
  }

  /// The whole buffer, to write to. HURRAY_ERR_COPY_REQUIRED if the memory is read-only.
  result<span<std::byte>> try_mutable_bytes() const {
    const auto flags = try_flags();
    if (!flags) return flags.error();
    if ((*flags & HURRAY_BUFFER_READ_ONLY) != 0) {
      return Error(HURRAY_ERR_COPY_REQUIRED, "the memory is read-only; buffer_of(bytes, Copy::always) copies it");
    }
    const auto bytes = try_bytes();
    if (!bytes) return bytes.error();
    return span<std::byte>(const_cast<std::byte*>(bytes->data()), bytes->size());
  }

  /// Another handle on the same memory.
  result<Buffer> try_share() const;

  /// Whether a hand-off without payload is right: the buffer's mode is `producer_synced` and both are null.
  result<void> try_check_producer_synced(const void* sync_handle = nullptr, const void* stream = nullptr) const {
    return done(hurray_buffer_handoff_producer_synced(raw(), sync_handle, stream));
  }

  /// Whether a hand-off with an event is right: mode `event`, event and release given, device the buffer's.
  result<void> try_check_event(const void* event, Device device, HurrayEventReleaseFn release) const {
    return done(hurray_buffer_handoff_event(raw(), event, static_cast<std::uint8_t>(device), release));
  }

  /// Whether a hand-off onto the consumer's stream is right: mode `consumer_stream`, stream of the buffer's device.
  result<void> try_check_consumer_stream(const void* stream, Device device) const {
    return done(hurray_buffer_handoff_consumer_stream(raw(), stream, static_cast<std::uint8_t>(device)));
  }

#if defined(__cpp_exceptions)
  void* data() const { return try_data().value(); }
  void* host_data() const { return try_host_data().value(); }
  std::uint64_t byte_size() const { return try_byte_size().value(); }
  std::uint32_t alignment() const { return try_alignment().value(); }
  Device device() const { return try_device().value(); }
  std::int32_t device_id() const { return try_device_id().value(); }
  SyncMode sync_mode() const { return try_sync_mode().value(); }
  MemoryClass memory_class() const { return try_memory_class().value(); }
  std::uint32_t flags() const { return try_flags().value(); }
  std::uint32_t lead() const { return try_lead().value(); }
  span<const std::byte> bytes() const { return try_bytes().value(); }
  span<std::byte> mutable_bytes() const { return try_mutable_bytes().value(); }
  Buffer share() const;
  void check_producer_synced(const void* sync_handle = nullptr, const void* stream = nullptr) const {
    try_check_producer_synced(sync_handle, stream).value();
  }
  void check_event(const void* event, Device device, HurrayEventReleaseFn release) const {
    try_check_event(event, device, release).value();
  }
  void check_consumer_stream(const void* stream, Device device) const {
    try_check_consumer_stream(stream, device).value();
  }
#endif

 private:
  const HurrayBuffer* raw() const noexcept { return static_cast<const Self*>(this)->get(); }
};

}  // namespace detail

/// A borrowed buffer: lives as long as the list or tensor that gave it, and ends nothing.
class BufferRef : public detail::BufferReader<BufferRef> {
 public:
  explicit BufferRef(const HurrayBuffer* raw = nullptr) noexcept : raw_(raw) {}

  const HurrayBuffer* get() const noexcept { return raw_; }

 private:
  const HurrayBuffer* raw_;
};

/// A buffer of one's own. The memory goes when the last share of it does.
class Buffer : public detail::Handle<HurrayBuffer, hurray_buffer_destroy>, public detail::BufferReader<Buffer> {
 public:
  Buffer() noexcept = default;

  /// Takes ownership of a raw handle, which must not be a borrowed one.
  static Buffer adopt(HurrayBuffer* raw) noexcept { return Buffer(raw); }

  operator BufferRef() const& noexcept { return BufferRef(get()); }
  operator BufferRef() const&& = delete;

  /// Sets HURRAY_BUFFER_... bits, until the buffer is in a list.
  result<void> try_set_flags(std::uint32_t flags) { return detail::done(hurray_buffer_set_flags(get(), flags)); }

  /// Says which of several devices holds the memory, until the buffer is in a list.
  result<void> try_set_device_id(std::int32_t id) { return detail::done(hurray_buffer_set_device_id(get(), id)); }

  /// Says how many bytes at the start are not the owner's, below 64, until the buffer is in a list.
  result<void> try_set_lead(std::uint32_t lead) { return detail::done(hurray_buffer_set_lead(get(), lead)); }

#if defined(__cpp_exceptions)
  void set_flags(std::uint32_t flags) { try_set_flags(flags).value(); }
  void set_device_id(std::int32_t id) { try_set_device_id(id).value(); }
  void set_lead(std::uint32_t lead) { try_set_lead(lead).value(); }
#endif

 private:
  explicit Buffer(HurrayBuffer* raw) noexcept : Handle(raw) {}
};

template <class Self>
result<Buffer> detail::BufferReader<Self>::try_share() const {
  return make_handle<Buffer>([this](HurrayBuffer** out) { return hurray_buffer_share(raw(), out); });
}

#if defined(__cpp_exceptions)
template <class Self>
Buffer detail::BufferReader<Self>::share() const {
  return try_share().value();
}
#endif

}  // namespace hurray

#endif
