// Lists of buffers, in the order of a descriptor's buffer table.
#ifndef HURRAY_CPP_LIST_HPP
#define HURRAY_CPP_LIST_HPP

#include <hurray/buffer.hpp>

namespace hurray {
namespace detail {

/// What can be read of a list, owned or borrowed.
template <class Self>
class BufferListReader {
 public:
  /// The number of buffers.
  result<std::uint64_t> try_size() const {
    return read<std::uint64_t>([this](std::uint64_t* out) { return hurray_buffer_list_len(raw(), out); });
  }

  /// The buffer at `index`, borrowed. HURRAY_ERR_INDEX_OUT_OF_BOUNDS beyond the last.
  result<BufferRef> try_at(std::uint64_t index) const {
    const auto buffer =
        read<HurrayBuffer*>([this, index](HurrayBuffer** out) { return hurray_buffer_list_get(raw(), index, out); });
    if (!buffer) return buffer.error();
    return BufferRef(*buffer);
  }

#if defined(__cpp_exceptions)
  std::uint64_t size() const { return try_size().value(); }
  BufferRef at(std::uint64_t index) const { return try_at(index).value(); }
#endif

 private:
  const HurrayBufferList* raw() const noexcept { return static_cast<const Self*>(this)->get(); }
};

}  // namespace detail

/// The borrowed list of a tensor: lives as long as that tensor.
class BufferListRef : public detail::BufferListReader<BufferListRef> {
 public:
  explicit BufferListRef(const HurrayBufferList* raw = nullptr) noexcept : raw_(raw) {}

  const HurrayBufferList* get() const noexcept { return raw_; }

 private:
  const HurrayBufferList* raw_;
};

/// A list of one's own: it owns the buffers pushed to it, until a tensor takes it.
class BufferList : public detail::Handle<HurrayBufferList, hurray_buffer_list_destroy>,
                   public detail::BufferListReader<BufferList> {
 public:
  BufferList() noexcept = default;

  /// Takes ownership of a raw handle, which must not be a borrowed one.
  static BufferList adopt(HurrayBufferList* raw) noexcept { return BufferList(raw); }

  operator BufferListRef() const& noexcept { return BufferListRef(get()); }
  operator BufferListRef() const&& = delete;

  /// An empty list; `capacity` is a hint.
  static result<BufferList> try_make(std::uint64_t capacity = 0) {
    return detail::make_handle<BufferList>(
        [capacity](HurrayBufferList** out) { return hurray_buffer_list_new(capacity, out); });
  }

  /// Appends a buffer and takes it. On failure the buffer stays as it was.
  result<void> try_push(Buffer&& buffer) {
    if (auto pushed = detail::done(hurray_buffer_list_push(get(), buffer.get())); !pushed) return pushed;
    static_cast<void>(buffer.release());
    return {};
  }

#if defined(__cpp_exceptions)
  static BufferList make(std::uint64_t capacity = 0) { return try_make(capacity).value(); }
  BufferList& push(Buffer&& buffer) {
    try_push(std::move(buffer)).value();
    return *this;
  }
#endif

 private:
  explicit BufferList(HurrayBufferList* raw) noexcept : Handle(raw) {}
};

}  // namespace hurray

#endif
