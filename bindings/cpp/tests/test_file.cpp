// Files: written and read by path, memory and callbacks; metadata; what fails.
#include "check.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

using namespace hurray;

namespace {

Tensor vector_of(std::vector<float> values) {
  const auto count = static_cast<std::uint64_t>(values.size());
  return from_vector(std::move(values), {count});
}

FileWriter written(FileWriter writer) {
  writer.set("step", std::int64_t{7}).put("x", vector_of({1, 2, 3})).put("y", vector_of({4}));
  writer.finish();
  return writer;
}

Test path("file: by path", [] {
  const std::string name = "hurray-cpp-test-" + std::to_string(reinterpret_cast<std::uintptr_t>(&written)) + ".hrry";
  auto options = Options::make();
  options.set(HURRAY_OPTION_DURABLE, 0);
  written(FileWriter::create(name, options));
  FileReader reader = FileReader::open(name);
  std::remove(name.c_str());
  eq(reader.entry_count(), 2U);
  eq(reader.names(), std::vector<std::string>{"x", "y"});
  eq(reader.find("y").value_or(9), 1U);
  eq(reader.find("z").has_value(), false);
  eq(reader.items(), std::vector<std::uint64_t>{0, 1});
  eq(reader.range(0).offset, 4096U);
  eq(reader.range(0).length, 12U);
  eq(reader.descriptor(1).rank(), 1U);
  reader.advise(Advice::sequential);
  reader.advise(Advice::populate, 0);
  std::vector<std::uint8_t> bytes(4);
  reader.read(1, 0, 0, span<std::uint8_t>(bytes.data(), bytes.size()));
  eq(bytes, std::vector<std::uint8_t>{0, 0, 0x80, 0x40});
  fails(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, [&] { reader.tensor(2); });
  const Tensor tensor = reader.tensor(0);
  const Item item = reader.item(1);
  reader.reset();
  eq(tensor.data<const float>()[2], 3.0F);
  eq(item.kind(), ItemKind::tensor);
  fails(HURRAY_ERR_IO, [&] { FileReader::open(name); });
});

Test values("file: every kind of value", [] {
  const std::vector<KvValue> all = {
      true,
      std::int64_t{-5},
      std::uint64_t{UINT64_MAX},
      0.5,
      std::string("text"),
      Bytes{0, 255},
      std::vector<bool>{true, false},
      std::vector<std::int64_t>{-1, 2},
      std::vector<std::uint64_t>{},
      std::vector<double>{},
      std::vector<std::string>{"", "a"},
      std::vector<Bytes>{},
  };
  FileWriter writer = FileWriter::to_memory();
  for (std::size_t k = 0; k < all.size(); ++k) writer.set("key " + std::to_string(k), all[k]);
  writer.finish();
  const FileReader reader = FileReader::open_buffer(writer.take_buffer());
  eq(reader.kv_count(), all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string key = "key " + std::to_string(k);
    const std::uint64_t index = reader.kv_find(key).value();
    eq(reader.kv_key(index), key);
    eq(reader.kv_value(index) == all[k], true);
  }
  eq(reader.kv_find("key").has_value(), false);
});

Test callbacks("file: callbacks", [] {
  std::vector<std::uint8_t> bytes;
  written(FileWriter::to_callback([&bytes](span<const std::uint8_t> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return 0;
  }));
  const auto read_at = [&bytes](std::uint64_t offset, span<std::uint8_t> out) {
    const auto count = std::min<std::uint64_t>(out.size(), bytes.size() - offset);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return static_cast<std::int64_t>(count);
  };
  const FileReader reader = FileReader::open_callback(read_at, bytes.size());
  const Tensor tensor = reader.tensor(0);
  eq(tensor.data<const float>()[1], 2.0F);
  const auto throws = [](std::uint64_t, span<std::uint8_t>) -> std::int64_t { throw std::runtime_error("no"); };
  fails(HURRAY_ERR_IO, [&] { FileReader::open_callback(throws, bytes.size()); });
  fails(HURRAY_ERR_IO, [] { written(FileWriter::to_callback([](span<const std::uint8_t>) { return 28; })); });
});

Test failures("file: a name twice", [] {
  FileWriter writer = FileWriter::to_memory();
  writer.put("x", vector_of({1}));
  fails(HURRAY_ERR_DUPLICATE, [&] { writer.put("x", vector_of({1})); });
  fails(HURRAY_ERR_DUPLICATE, [&] { writer.finish(); });
  fails(HURRAY_ERR_DUPLICATE, [&] { writer.take_buffer(); });
});

}  // namespace
