// Making buffers: of new memory, of memory that exists, and of C++ arrays, copying only where the format needs it.
#ifndef HURRAY_CPP_MEMORY_HPP
#define HURRAY_CPP_MEMORY_HPP

#include <hurray/buffer.hpp>
#include <hurray/options.hpp>

#include <cstring>
#include <type_traits>
#include <vector>

namespace hurray {

/// Memory that exists, as the format describes it. `data` is a multiple of `alignment`, which is at least 64 unless
/// `byte_size` is 0.
struct Memory {
  void* data = nullptr;
  std::uint64_t byte_size = 0;
  std::uint32_t alignment = 64;
  Device device = Device::cpu;
  SyncMode sync_mode = SyncMode::producer_synced;
  MemoryClass memory_class = MemoryClass::standard;
};

/// Zeroed memory of the library's own, aligned to `alignment` or 64 bytes, whichever is more.
inline result<Buffer> try_allocate(std::uint64_t byte_size, std::uint32_t alignment = 64) {
  return detail::make_handle<Buffer>(
      [&](HurrayBuffer** out) { return hurray_buffer_alloc(byte_size, alignment, out); });
}

namespace detail {

template <class Owner>
result<Buffer> wrap(const Memory& memory, Keeper<Owner>& keeper) {
  auto buffer = make_handle<Buffer>([&](HurrayBuffer** out) {
    return hurray_buffer_from_ptr(memory.data, memory.byte_size, memory.alignment,
                                  static_cast<std::uint8_t>(memory.device), static_cast<std::uint8_t>(memory.sync_mode),
                                  static_cast<std::uint8_t>(memory.memory_class), Keeper<Owner>::buffer_release(),
                                  keeper.context(), out);
  });
  if (buffer) keeper.taken();
  return buffer;
}

inline constexpr std::size_t wire_alignment = 64;

inline bool is_aligned(const void* data, std::size_t alignment) noexcept {
  return reinterpret_cast<std::uintptr_t>(data) % alignment == 0;
}

/// Whether memory at `data` must be copied to become a buffer, as HURRAY_BUFFER_COPIED_... bits; 0 if not.
inline result<std::uint32_t> why_copy(const void* data, std::size_t bytes, Copy copy) {
  if (copy == Copy::always) return std::uint32_t{HURRAY_BUFFER_COPIED_ON_REQUEST};
  if (bytes == 0 || is_aligned(data, wire_alignment)) return std::uint32_t{0};
  if (copy == Copy::if_needed) return std::uint32_t{HURRAY_BUFFER_COPIED_ALIGNMENT};
  return Error(HURRAY_ERR_COPY_REQUIRED, "the memory is not aligned to 64 bytes; Copy::if_needed copies it");
}

inline result<Buffer> copy_bytes(const void* data, std::size_t bytes, std::uint32_t why) {
  auto buffer = try_allocate(bytes);
  if (!buffer) return buffer;
  const auto target = buffer->try_data();
  if (!target) return target.error();
  if (bytes != 0) std::memcpy(*target, data, bytes);
  if (auto flagged = buffer->try_set_flags(why); !flagged) return flagged.error();
  return buffer;
}

/// Read-only memory says so; nothing else is known of it.
template <class T>
result<Buffer> mark_const(result<Buffer> buffer) {
  if (buffer && std::is_const_v<T>) {
    if (auto flagged = buffer->try_set_flags(HURRAY_BUFFER_READ_ONLY); !flagged) return flagged.error();
  }
  return buffer;
}

template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;

}  // namespace detail

/// Wraps memory that exists. `owner` is any object that keeps it alive; it is destroyed once, on any thread, when the
/// last share of the memory goes, or here if the call fails.
template <class Owner = detail::NoOwner>
result<Buffer> try_wrap(const Memory& memory, Owner owner = {}) {
  detail::Keeper<Owner> keeper(std::move(owner));
  return detail::wrap(memory, keeper);
}

/// A buffer over a borrowed array, which the caller keeps alive as long as the buffer or a share of it. Memory that
/// does not begin at a multiple of 64 bytes is copied; the buffer's flags say so. `const T` makes it read-only.
template <class T>
result<Buffer> try_buffer_of(span<T> array, Copy copy = Copy::if_needed) {
  static_assert(detail::is_plain<T>, "elements must be plain bytes; bool is packed by the format");
  const auto why = detail::why_copy(array.data(), array.size_bytes(), copy);
  if (!why) return why.error();
  if (*why != 0) return detail::copy_bytes(array.data(), array.size_bytes(), *why);
  Memory memory;
  memory.data = const_cast<std::remove_const_t<T>*>(array.data());
  memory.byte_size = array.size_bytes();
  return detail::mark_const<T>(try_wrap(memory));
}

/// A buffer that owns the vector. One whose memory does not begin at a multiple of 64 bytes is copied and let go.
template <class T, class Allocator>
result<Buffer> try_buffer_of(std::vector<T, Allocator>&& array, Copy copy = Copy::if_needed) {
  static_assert(detail::is_plain<T>, "elements must be plain bytes; bool is packed by the format");
  const std::size_t bytes = array.size() * sizeof(T);
  const auto why = detail::why_copy(array.data(), bytes, copy);
  if (!why) return why.error();
  if (*why != 0) return detail::copy_bytes(array.data(), bytes, *why);
  detail::Keeper<std::vector<T, Allocator>> keeper(std::move(array));
  Memory memory;
  memory.data = (*keeper).data();
  memory.byte_size = bytes;
  return detail::wrap(memory, keeper);
}

/// Index arrays are 64 bits wide in the format: narrower ones are widened into memory of the library's own.
template <class I>
result<Buffer> try_widened(span<const I> indices, Copy copy = Copy::if_needed) {
  static_assert(std::is_integral_v<I>, "indices are integers");
  if (copy == Copy::never) {
    return Error(HURRAY_ERR_COPY_REQUIRED, "indices are 64 bits wide in the format; Copy::if_needed widens them");
  }
  auto buffer = try_allocate(indices.size() * sizeof(std::uint64_t));
  if (!buffer) return buffer;
  const auto target = buffer->try_data();
  if (!target) return target.error();
  std::uint64_t* out = static_cast<std::uint64_t*>(*target);
  for (const I index : indices) *out++ = static_cast<std::uint64_t>(index);
  if (auto flagged = buffer->try_set_flags(HURRAY_BUFFER_COPIED_WIDTH); !flagged) return flagged.error();
  return buffer;
}

#if defined(__cpp_exceptions)
inline Buffer allocate(std::uint64_t byte_size, std::uint32_t alignment = 64) {
  return try_allocate(byte_size, alignment).value();
}
template <class Owner = detail::NoOwner>
Buffer wrap(const Memory& memory, Owner owner = {}) {
  return try_wrap(memory, std::move(owner)).value();
}
template <class T>
Buffer buffer_of(span<T> array, Copy copy = Copy::if_needed) {
  return try_buffer_of(array, copy).value();
}
template <class T, class Allocator>
Buffer buffer_of(std::vector<T, Allocator>&& array, Copy copy = Copy::if_needed) {
  return try_buffer_of(std::move(array), copy).value();
}
template <class I>
Buffer widened(span<const I> indices, Copy copy = Copy::if_needed) {
  return try_widened(indices, copy).value();
}
#endif

}  // namespace hurray

#endif
