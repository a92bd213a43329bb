// Streams of tensors: readers and writers over bytes that the program moves, and loops over a file descriptor.
#ifndef HURRAY_CPP_STREAM_HPP
#define HURRAY_CPP_STREAM_HPP

#include <hurray/buffer.hpp>
#include <hurray/item.hpp>
#include <hurray/options.hpp>
#include <hurray/span.hpp>

#include <optional>
#include <utility>

namespace hurray {

/// The two byte forms of a stream. Everything published reads and writes the bare one.
enum class StreamForm : std::uint32_t { bare = HURRAY_STREAM_BARE, framed = HURRAY_STREAM_FRAMED };

/// What a reader has to give.
enum class StreamState : std::int32_t { item = HURRAY_OK, need_more = HURRAY_NEED_MORE, end = HURRAY_END };

/// An item, or why there is none now.
struct Arrival {
  StreamState state = StreamState::end;
  Item item;

  explicit operator bool() const noexcept { return state == StreamState::item; }
};

/// Reads items from a stream. The program asks for a window, reads into it and says how many bytes came; or it feeds
/// bytes of its own; or it hands over a file descriptor, or anything that can be called. One thread at a time.
class StreamReader : public detail::Handle<HurrayStreamReader, hurray_stream_reader_destroy> {
 public:
  StreamReader() noexcept = default;

  /// Takes ownership of a raw handle.
  static StreamReader adopt(HurrayStreamReader* raw) noexcept { return StreamReader(raw); }

  static result<StreamReader> try_make(const Options& options = {}) {
    return detail::make_handle<StreamReader>(
        [&](HurrayStreamReader** out) { return hurray_stream_reader_new(options.get(), out); });
  }

  /// Where the next bytes belong: the reader's memory, until the next call. Empty when none are wanted.
  result<span<std::uint8_t>> try_window() {
    std::uint8_t* start = nullptr;
    std::size_t size = 0;
    const HurrayStatus status = hurray_stream_reader_window(get(), &start, &size);
    if (status != HURRAY_OK) return detail::last_error(status);
    return span<std::uint8_t>(start, size);
  }

  /// So many bytes arrived at the start of the last window.
  result<void> try_advance(std::size_t count) { return detail::done(hurray_stream_reader_advance(get(), count)); }

  /// Gives bytes to the reader, which takes them up to the end of an item; how many were taken.
  result<std::size_t> try_feed(span<const std::uint8_t> bytes) {
    return detail::read<std::size_t>(
        [&](std::size_t* consumed) { return hurray_stream_reader_feed(get(), bytes.data(), bytes.size(), consumed); });
  }

  /// The next item, once it has arrived whole.
  result<Arrival> try_next() {
    return arrival([this](HurrayItem** out) { return hurray_stream_reader_next(get(), out); });
  }

  /// No more bytes come. An error if the input ends inside something.
  result<void> try_finish() { return detail::done(hurray_stream_reader_finish(get())); }

  /// The next item from a file descriptor. `need_more`: the descriptor would block.
  result<Arrival> try_read_fd(std::int64_t fd) {
    return arrival([this, fd](HurrayItem** out) { return hurray_stream_read_fd(get(), fd, out); });
  }

  /// The next item from whatever the program reads: `source` gets memory, puts bytes at its start and gives their
  /// number, 0 at the end of the input; or an error, which is passed on. One that fails loses nothing: the next call
  /// goes on.
  template <class Source>
  result<Arrival> try_read_from(Source&& source) {
    for (;;) {
      result<Arrival> next = try_next();
      if (!next || next->state != StreamState::need_more) return next;
      const result<span<std::uint8_t>> window = try_window();
      if (!window) return window.error();
      const result<std::size_t> count = source(*window);
      if (!count) return count.error();
      const result<void> arrived = *count > 0 ? try_advance(*count) : try_finish();
      if (!arrived) return arrived.error();
    }
  }

  /// The descriptor of the tensor that arrives now, borrowed until the next call; none before it has arrived.
  result<std::optional<DescriptorRef>> try_pending() & {
    HurrayDescriptor* descriptor = nullptr;
    const HurrayStatus status = hurray_stream_reader_pending(get(), &descriptor);
    if (status == HURRAY_NEED_MORE) return std::optional<DescriptorRef>();
    if (status != HURRAY_OK) return detail::last_error(status);
    return std::optional<DescriptorRef>(DescriptorRef(descriptor));
  }

  /// Gives memory for a buffer of the tensor that arrives now; the reader keeps a share.
  result<void> try_provide_buffer(std::uint64_t index, const Buffer& buffer) {
    return detail::done(hurray_stream_reader_provide_buffer(get(), index, buffer.get()));
  }

  /// The stream id that the last item came on; 0 in a bare stream.
  result<std::uint32_t> try_stream_id() const {
    return detail::read<std::uint32_t>(
        [this](std::uint32_t* out) { return hurray_stream_reader_stream_id(get(), out); });
  }

  /// Bytes that were read ahead and belong to no complete item, until the next call.
  result<span<const std::uint8_t>> try_unread() const {
    const std::uint8_t* start = nullptr;
    std::size_t size = 0;
    const HurrayStatus status = hurray_stream_reader_unread(get(), &start, &size);
    if (status != HURRAY_OK) return detail::last_error(status);
    return span<const std::uint8_t>(start, size);
  }

  /// The messages that a framed stream owes its peer, once.
  result<std::vector<std::uint8_t>> try_reply() {
    return detail::read_array<std::vector<std::uint8_t>>(
        [this](std::uint8_t* out, std::size_t* length) { return hurray_stream_reader_reply(get(), out, length); }, 256);
  }

#if defined(__cpp_exceptions)
  static StreamReader make(const Options& options = {}) { return try_make(options).value(); }
  span<std::uint8_t> window() { return try_window().value(); }
  void advance(std::size_t count) { try_advance(count).value(); }
  std::size_t feed(span<const std::uint8_t> bytes) { return try_feed(bytes).value(); }
  Arrival next() { return try_next().value(); }
  void finish() { try_finish().value(); }
  Arrival read_fd(std::int64_t fd) { return try_read_fd(fd).value(); }
  template <class Source>
  Arrival read_from(Source&& source) {
    return try_read_from(std::forward<Source>(source)).value();
  }
  std::optional<DescriptorRef> pending() & { return try_pending().value(); }
  void provide_buffer(std::uint64_t index, const Buffer& buffer) { try_provide_buffer(index, buffer).value(); }
  std::uint32_t stream_id() const { return try_stream_id().value(); }
  span<const std::uint8_t> unread() const { return try_unread().value(); }
  std::vector<std::uint8_t> reply() { return try_reply().value(); }
#endif

 private:
  explicit StreamReader(HurrayStreamReader* raw) noexcept : Handle(raw) {}

  template <class Call>
  static result<Arrival> arrival(Call call) {
    HurrayItem* item = nullptr;
    const HurrayStatus status = call(&item);
    if (status < 0) return detail::last_error(status);
    return Arrival{static_cast<StreamState>(status), Item::adopt(item)};
  }
};

/// Turns items into the bytes of a stream, which the program sends: piece by piece, or all at once to a file
/// descriptor. One thread at a time.
class StreamWriter : public detail::Handle<HurrayStreamWriter, hurray_stream_writer_destroy> {
 public:
  StreamWriter() noexcept = default;

  /// Takes ownership of a raw handle.
  static StreamWriter adopt(HurrayStreamWriter* raw) noexcept { return StreamWriter(raw); }

  /// A writer of the bare form.
  static result<StreamWriter> try_bare(const Options& options = {}) {
    return detail::make_handle<StreamWriter>([&](HurrayStreamWriter** out) {
      return hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, options.get(), out);
    });
  }

  /// A writer of the framed form, on one stream id; the longest message payload that the peer takes, 0 for 16 MiB + 16.
  static result<StreamWriter> try_framed(std::uint32_t stream_id, std::uint64_t max_message_size = 0,
                                         const Options& options = {}) {
    return detail::make_handle<StreamWriter>([&](HurrayStreamWriter** out) {
      return hurray_stream_writer_new(HURRAY_STREAM_FRAMED, stream_id, max_message_size, options.get(), out);
    });
  }

  /// Appends an item, of which shares are kept until it is written.
  result<void> try_put(ItemRef item) { return detail::done(hurray_stream_writer_put(get(), item.get())); }

  /// The bytes that come next, at most `out.size()` pieces; how many pieces there are in all.
  result<std::size_t> try_chunks(span<HurraySlice> out) const {
    std::size_t count = out.size();
    const HurrayStatus status = hurray_stream_writer_chunks(get(), out.data(), &count);
    if (status != HURRAY_OK) return detail::last_error(status);
    return count;
  }

  /// So many bytes of the pieces were sent.
  result<void> try_advance(std::size_t count) { return detail::done(hurray_stream_writer_advance(get(), count)); }

  /// Writes everything that waits to a file descriptor; false if the descriptor would block.
  result<bool> try_write_fd(std::int64_t fd) {
    const HurrayStatus status = hurray_stream_write_fd(get(), fd);
    if (status < 0) return detail::last_error(status);
    return status == HURRAY_OK;
  }

  /// Writes everything that waits to wherever the program writes: `sink` gets bytes and gives the number that it took,
  /// or an error, which is passed on. False if it took none: the next call goes on from there.
  template <class Sink>
  result<bool> try_write_to(Sink&& sink) {
    for (;;) {
      HurraySlice first{nullptr, 0};
      const result<std::size_t> pieces = try_chunks(span<HurraySlice>(&first, 1));
      if (!pieces) return pieces.error();
      if (*pieces == 0) return true;
      const result<std::size_t> count = sink(span<const std::uint8_t>(first.data, first.len));
      if (!count) return count.error();
      if (*count == 0) return false;
      const result<void> gone = try_advance(*count);
      if (!gone) return gone.error();
    }
  }

#if defined(__cpp_exceptions)
  static StreamWriter bare(const Options& options = {}) { return try_bare(options).value(); }
  static StreamWriter framed(std::uint32_t stream_id, std::uint64_t max_message_size = 0, const Options& options = {}) {
    return try_framed(stream_id, max_message_size, options).value();
  }
  void put(ItemRef item) { try_put(item).value(); }
  std::size_t chunks(span<HurraySlice> out) const { return try_chunks(out).value(); }
  void advance(std::size_t count) { try_advance(count).value(); }
  bool write_fd(std::int64_t fd) { return try_write_fd(fd).value(); }
  template <class Sink>
  bool write_to(Sink&& sink) {
    return try_write_to(std::forward<Sink>(sink)).value();
  }
#endif

 private:
  explicit StreamWriter(HurrayStreamWriter* raw) noexcept : Handle(raw) {}
};

}  // namespace hurray

#endif
