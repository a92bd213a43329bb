// Streams: windows, feeding, gather lists and file descriptors.
#include "check.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

using namespace hurray;

namespace {

const std::vector<float> values = {1, 2, 3, 4, 5, 6};

Item sample() { return Item::from_tensor(from_vector(std::vector<float>(values), {2, 3})); }

void same(const Item& item) { eq(item.tensor().to_vector<float>(), values); }

// Everything that waits in a writer, taken out a few bytes at a time.
std::vector<std::uint8_t> drain(StreamWriter& writer) {
  std::vector<std::uint8_t> out;
  HurraySlice slices[2];
  while (writer.chunks(slices) > 0) {
    const std::size_t count = std::min<std::size_t>(slices[0].len, 7);
    out.insert(out.end(), slices[0].data, slices[0].data + count);
    writer.advance(count);
  }
  return out;
}

Test windows("stream: bytes go where the windows are", [] {
  StreamWriter writer = StreamWriter::bare();
  const Item item = sample();
  writer.put(item);
  writer.put(item);
  const std::vector<std::uint8_t> bytes = drain(writer);
  eq(bytes.size(), std::size_t{2 * (61 + 24)});
  StreamReader reader = StreamReader::make();
  std::size_t at = 0;
  int items = 0;
  while (at < bytes.size()) {
    const span<std::uint8_t> window = reader.window();
    check(window.size() <= bytes.size() - at);
    std::memcpy(window.data(), bytes.data() + at, window.size());
    at += window.size();
    reader.advance(window.size());
    if (Arrival arrival = reader.next()) {
      same(arrival.item);
      eq(at, std::size_t{85} * static_cast<std::size_t>(++items));
    }
  }
  eq(items, 2);
  eq(reader.stream_id(), 0U);
  eq(reader.unread().size(), std::size_t{0});
  check(reader.reply().empty());
  check(reader.next().state == StreamState::need_more);
  reader.finish();
  check(reader.next().state == StreamState::end);
});

Test fed("stream: fed bytes, into memory that the program gives", [] {
  StreamWriter writer = StreamWriter::framed(9);
  const Item item = sample();
  writer.put(item);
  const std::vector<std::uint8_t> bytes = drain(writer);
  StreamReader reader = StreamReader::make();
  check(!reader.pending());
  eq(reader.feed({bytes.data(), 90}), std::size_t{90});
  check(reader.pending().has_value());
  eq(reader.pending()->rank(), 2U);
  const Buffer given = allocate(64);
  reader.provide_buffer(0, given);
  eq(reader.feed({bytes.data() + 90, bytes.size() - 90}), bytes.size() - 90);
  const Arrival arrival = reader.next();
  same(arrival.item);
  eq(reader.stream_id(), 9U);
  eq(std::memcmp(given.data(), values.data(), 24), 0);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { reader.provide_buffer(0, given); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { reader.advance(1); });
});

Test descriptors("stream: through a pipe", [] {
  int ends[2];
  eq(pipe(ends), 0);
  StreamWriter writer = StreamWriter::bare();
  const Item item = sample();
  Options ahead = Options::make();
  ahead.set(HURRAY_OPTION_READ_AHEAD, 65536);
  StreamReader reader = StreamReader::make(ahead);
  for (int k = 0; k < 20; ++k) writer.put(item);
  check(writer.write_fd(ends[1]));
  close(ends[1]);
  for (int k = 0; k < 20; ++k) same(reader.read_fd(ends[0]).item);
  check(reader.read_fd(ends[0]).state == StreamState::end);
  close(ends[0]);
  const std::string text = fails(HURRAY_ERR_IO, [&] { StreamReader::make().read_fd(-1); });
  check(!text.empty());
});

Test callables("stream: from and to whatever can be called", [] {
  StreamWriter writer = StreamWriter::bare();
  const Item large = Item::from_tensor(from_vector(std::vector<float>(100000, 2.5F), {100000}));
  const Item small = sample();
  writer.put(small);
  writer.put(large);
  std::vector<std::uint8_t> bytes;
  bool full = false;
  const auto sink = [&](span<const std::uint8_t> piece) -> std::size_t {
    full = !full;
    if (full) return 0;
    const std::size_t count = std::min<std::size_t>(piece.size(), 50000);
    bytes.insert(bytes.end(), piece.data(), piece.data() + count);
    return count;
  };
  int waits = 0;
  while (!writer.write_to(sink)) ++waits;
  check(waits > 5);
  // Descriptors of rank 2 and 1, 24 bytes and 400000.
  eq(bytes.size(), std::size_t{61 + 24 + 53 + 400000});
  std::size_t at = 0;
  bool fail = false;
  const auto source = [&](span<std::uint8_t> window) -> result<std::size_t> {
    fail = !fail;
    if (fail) return Error(HURRAY_ERR_IO, "not now");
    const std::size_t count = std::min(std::min<std::size_t>(window.size(), 30000), bytes.size() - at);
    std::memcpy(window.data(), bytes.data() + at, count);
    at += count;
    return count;
  };
  StreamReader reader = StreamReader::make();
  std::vector<Item> items;
  int errors = 0;
  for (;;) {
    result<Arrival> next = reader.try_read_from(source);
    if (!next) {
      eq(next.error().status(), HURRAY_ERR_IO);
      ++errors;
    } else if (*next) {
      items.push_back(std::move(next->item));
    } else {
      check(next->state == StreamState::end);
      break;
    }
  }
  check(errors > 10);
  eq(items.size(), std::size_t{2});
  same(items[0]);
  eq(items[1].tensor().to_vector<float>(), std::vector<float>(100000, 2.5F));
  bytes.resize(100);
  at = 0;
  const auto whole = [&](span<std::uint8_t> window) {
    const std::size_t count = std::min(window.size(), bytes.size() - at);
    std::memcpy(window.data(), bytes.data() + at, count);
    at += count;
    return count;
  };
  StreamReader cut = StreamReader::make();
  same(cut.read_from(whole).item);
  fails(HURRAY_ERR_TRUNCATED, [&] { cut.read_from(whole); });
});

Test alone("stream: a descriptor may come alone", [] {
  Options options = Options::make();
  options.set(HURRAY_OPTION_PERMISSIVE, 1);
  const Item item = sample();
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { item.data(); });
  // Byte 15 of a descriptor is its layout. In a framed stream it comes with its bytes.
  StreamWriter writer = StreamWriter::framed(9);
  writer.put(item);
  std::vector<std::uint8_t> bytes = drain(writer);
  bytes[12 + 15] = 0x30;
  StreamReader reader = StreamReader::make(options);
  reader.feed(bytes);
  const Item framed = reader.next().item;
  check(framed.kind() == ItemKind::descriptor);
  check(framed.head().layout_tag() == LayoutTag{0x30});
  const std::optional<Tensor> data = framed.data();
  check(data.has_value());
  eq(data->buffers().at(0).bytes().size(), std::size_t{24});
  eq(std::memcmp(data->buffers().at(0).bytes().data(), values.data(), 24), 0);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { framed.tensor(); });
  // In a bare one without, and nothing comes after it.
  writer = StreamWriter::bare();
  writer.put(item);
  bytes = drain(writer);
  bytes[15] = 0x30;
  reader = StreamReader::make(options);
  reader.feed(bytes);
  const Item bare = reader.next().item;
  check(bare.kind() == ItemKind::descriptor && !bare.data());
  fails(HURRAY_ERR_UNSUPPORTED, [&] { reader.next(); });
});

Test refusals("stream: what is refused", [] {
  StreamReader reader = StreamReader::make();
  const std::uint8_t garbage[4] = {'H', 'R', 'R', '!'};
  fails(HURRAY_ERR_INVALID_MAGIC, [&] { reader.feed(garbage); });
  fails(HURRAY_ERR_INVALID_MAGIC, [&] { reader.next(); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [] { StreamWriter::framed(0); });
  StreamWriter writer = StreamWriter::bare();
  const Item item = sample();
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { writer.advance(1); });
  fails(HURRAY_ERR_NULL_POINTER, [&] { writer.put(ItemRef()); });
  StreamWriter adopted = StreamWriter::adopt(writer.release());
  adopted.put(item);
  StreamReader of_raw = StreamReader::adopt(reader.release());
  check(of_raw && !reader);
});

}  // namespace
