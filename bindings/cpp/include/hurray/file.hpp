// Files: named tensors and composites with typed metadata, read in place and written crash-safe.
#ifndef HURRAY_CPP_FILE_HPP
#define HURRAY_CPP_FILE_HPP

#include <hurray/buffer.hpp>
#include <hurray/item.hpp>
#include <hurray/kv.hpp>
#include <hurray/options.hpp>
#include <hurray/span.hpp>

#include <functional>
#include <optional>

namespace hurray {

/// How a mapped file is going to be read.
enum class Advice : std::uint32_t {
  normal = HURRAY_ADVICE_NORMAL,
  sequential = HURRAY_ADVICE_SEQUENTIAL,
  random = HURRAY_ADVICE_RANDOM,
  will_need = HURRAY_ADVICE_WILL_NEED,
  populate = HURRAY_ADVICE_POPULATE,
};

/// Where an entry's data is in its file, in bytes.
struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// Reads bytes at an offset into the span; how many came (fewer only at the end), or the negative of an error number.
using ReadAt = std::function<std::int64_t(std::uint64_t offset, span<std::uint8_t> out)>;

/// Takes the next bytes of a file; 0, or an error number.
using WriteBytes = std::function<std::int32_t(span<const std::uint8_t> bytes)>;

namespace detail {

/// An exception must not enter the library: it becomes the error number of a failed input or output.
template <class Number, class Call>
Number shielded(Number failed, Call call) noexcept {
#if defined(__cpp_exceptions)
  try {
    return call();
  } catch (...) {
    return failed;
  }
#else
  static_cast<void>(failed);
  return call();
#endif
}

constexpr std::int32_t input_output_error = 5;  // EIO

extern "C" inline std::int64_t hurray_cpp_read_at(void* context, std::uint64_t offset, std::uint8_t* out,
                                                  std::uint64_t length) {
  return shielded<std::int64_t>(-input_output_error, [&] {
    return (*static_cast<ReadAt*>(context))(offset, span<std::uint8_t>(out, static_cast<std::size_t>(length)));
  });
}

extern "C" inline void hurray_cpp_drop_read_at(void* context) { delete static_cast<ReadAt*>(context); }

extern "C" inline std::int32_t hurray_cpp_write(void* context, const std::uint8_t* bytes, std::uint64_t length) {
  return shielded<std::int32_t>(input_output_error, [&] {
    return (*static_cast<WriteBytes*>(context))(span<const std::uint8_t>(bytes, static_cast<std::size_t>(length)));
  });
}

extern "C" inline void hurray_cpp_drop_write(void* context) { delete static_cast<WriteBytes*>(context); }

}  // namespace detail

/// A file that is open for reading. Tensors and items taken from it outlive it. Any threads may use one at once.
class FileReader : public detail::Handle<HurrayFileReader, hurray_file_reader_destroy> {
 public:
  FileReader() noexcept = default;

  /// Takes ownership of a raw handle.
  static FileReader adopt(HurrayFileReader* raw) noexcept { return FileReader(raw); }

  /// Opens a file by its path, mapped unless HURRAY_OPTION_MAP says otherwise.
  static result<FileReader> try_open(const std::string& path, const Options& options = {}) {
    return detail::make_handle<FileReader>(
        [&](HurrayFileReader** out) { return hurray_file_reader_open(path.data(), path.size(), options.get(), out); });
  }

  /// Opens a file by a descriptor of the system, which is duplicated.
  static result<FileReader> try_open_fd(std::int64_t fd, const Options& options = {}) {
    return detail::make_handle<FileReader>(
        [&](HurrayFileReader** out) { return hurray_file_reader_open_fd(fd, options.get(), out); });
  }

  /// Opens a file whose bytes are in memory; the reader keeps a share of the buffer.
  static result<FileReader> try_open_buffer(const Buffer& buffer, const Options& options = {}) {
    return detail::make_handle<FileReader>(
        [&](HurrayFileReader** out) { return hurray_file_reader_open_buffer(buffer.get(), options.get(), out); });
  }

  /// Opens a file of `size` bytes behind ranged reads. The function may be called by several threads at once.
  static result<FileReader> try_open_callback(ReadAt read, std::uint64_t size, const Options& options = {}) {
    auto context = std::make_unique<ReadAt>(std::move(read));
    auto made = detail::make_handle<FileReader>([&](HurrayFileReader** out) {
      return hurray_file_reader_open_callback(detail::hurray_cpp_read_at, context.get(),
                                              detail::hurray_cpp_drop_read_at, size, options.get(), out);
    });
    if (made) static_cast<void>(context.release());
    return made;
  }

  /// The number of entries: tensors and heads, members included.
  result<std::uint64_t> try_entry_count() const {
    return detail::read<std::uint64_t>(
        [this](std::uint64_t* out) { return hurray_file_reader_entry_count(get(), out); });
  }

  /// The entry of a name, if there is one.
  result<std::optional<std::uint64_t>> try_find(const std::string& name) const {
    std::uint64_t index = 0;
    const HurrayStatus status = hurray_file_reader_entry_find(get(), name.data(), name.size(), &index);
    return answer(status, index);
  }

  /// All names, in the order of the index.
  result<std::vector<std::string>> try_names() const {
    return detail::read_packed<std::string>(
        [this](std::uint8_t* bytes, std::size_t* length, std::uint64_t* ends, std::size_t* count) {
          return hurray_file_reader_entry_names(get(), bytes, length, ends, count);
        });
  }

  /// The descriptor of an entry, borrowed from the reader.
  result<DescriptorRef> try_descriptor(std::uint64_t index) const& {
    const auto found = detail::read<HurrayDescriptor*>(
        [&](HurrayDescriptor** out) { return hurray_file_reader_entry_descriptor(get(), index, out); });
    if (!found) return found.error();
    return DescriptorRef(*found);
  }

  /// The tensor of an entry, a view of the mapping where that is possible.
  result<Tensor> try_tensor(std::uint64_t index) const {
    HurrayTensor* tensor = nullptr;
    const HurrayStatus status = hurray_file_reader_entry_tensor(get(), index, &tensor);
    if (status != HURRAY_OK) return detail::last_error(status);
    return Tensor::try_adopt(tensor);
  }

  /// Where the data of an entry is in the file.
  result<FileRange> try_range(std::uint64_t index) const {
    return detail::read<FileRange>(
        [&](FileRange* out) { return hurray_file_reader_entry_range(get(), index, &out->offset, &out->length); });
  }

  /// Reads part of one buffer of an entry; nothing else of it is read.
  result<void> try_read(std::uint64_t index, std::uint64_t buffer, std::uint64_t offset, span<std::uint8_t> out) const {
    return detail::done(hurray_file_reader_entry_read(get(), index, buffer, offset, out.data(), out.size()));
  }

  /// The entries of the top-level items, in the order in which they lie in the file.
  result<std::vector<std::uint64_t>> try_items() const {
    const auto count =
        detail::read<std::uint64_t>([this](std::uint64_t* out) { return hurray_file_reader_item_count(get(), out); });
    if (!count) return count.error();
    std::vector<std::uint64_t> items(static_cast<std::size_t>(*count));
    for (std::size_t i = 0; i < items.size(); ++i) {
      const HurrayStatus status = hurray_file_reader_item_entry(get(), i, &items[i]);
      if (status != HURRAY_OK) return detail::last_error(status);
    }
    return items;
  }

  /// The item of an entry: its tensor, or the composite that it heads.
  result<Item> try_item(std::uint64_t index) const {
    return detail::make_handle<Item>([&](HurrayItem** out) { return hurray_file_reader_item(get(), index, out); });
  }

  /// Says how the data of an entry, or of all, is going to be read.
  result<void> try_advise(Advice advice, std::optional<std::uint64_t> index = {}) const {
    return detail::done(
        hurray_file_reader_advise(get(), index.value_or(UINT64_MAX), static_cast<std::uint32_t>(advice)));
  }

  /// The number of keys.
  result<std::uint64_t> try_kv_count() const {
    return detail::read<std::uint64_t>([this](std::uint64_t* out) { return hurray_file_reader_kv_count(get(), out); });
  }

  /// The position of a key, if it is there.
  result<std::optional<std::uint64_t>> try_kv_find(const std::string& key) const {
    std::uint64_t index = 0;
    const HurrayStatus status = hurray_file_reader_kv_find(get(), key.data(), key.size(), &index);
    return answer(status, index);
  }

  /// The key of a pair.
  result<std::string> try_kv_key(std::uint64_t index) const {
    return detail::read_array<std::string>(
        [&](char* out, std::size_t* length) { return hurray_file_reader_kv_key(get(), index, out, length); }, 64);
  }

  /// The value of a pair.
  result<KvValue> try_kv_value(std::uint64_t index) const { return detail::KvReader(get(), index).value(); }

#if defined(__cpp_exceptions)
  static FileReader open(const std::string& path, const Options& options = {}) {
    return try_open(path, options).value();
  }
  static FileReader open_fd(std::int64_t fd, const Options& options = {}) { return try_open_fd(fd, options).value(); }
  static FileReader open_buffer(const Buffer& buffer, const Options& options = {}) {
    return try_open_buffer(buffer, options).value();
  }
  static FileReader open_callback(ReadAt read, std::uint64_t size, const Options& options = {}) {
    return try_open_callback(std::move(read), size, options).value();
  }
  std::uint64_t entry_count() const { return try_entry_count().value(); }
  std::optional<std::uint64_t> find(const std::string& name) const { return try_find(name).value(); }
  std::vector<std::string> names() const { return try_names().value(); }
  DescriptorRef descriptor(std::uint64_t index) const& { return try_descriptor(index).value(); }
  Tensor tensor(std::uint64_t index) const { return try_tensor(index).value(); }
  FileRange range(std::uint64_t index) const { return try_range(index).value(); }
  void read(std::uint64_t index, std::uint64_t buffer, std::uint64_t offset, span<std::uint8_t> out) const {
    try_read(index, buffer, offset, out).value();
  }
  std::vector<std::uint64_t> items() const { return try_items().value(); }
  Item item(std::uint64_t index) const { return try_item(index).value(); }
  void advise(Advice advice, std::optional<std::uint64_t> index = {}) const { try_advise(advice, index).value(); }
  std::uint64_t kv_count() const { return try_kv_count().value(); }
  std::optional<std::uint64_t> kv_find(const std::string& key) const { return try_kv_find(key).value(); }
  std::string kv_key(std::uint64_t index) const { return try_kv_key(index).value(); }
  KvValue kv_value(std::uint64_t index) const { return try_kv_value(index).value(); }
#endif

 private:
  explicit FileReader(HurrayFileReader* raw) noexcept : Handle(raw) {}

  static result<std::optional<std::uint64_t>> answer(HurrayStatus status, std::uint64_t index) {
    if (status == HURRAY_ERR_NOT_FOUND) return std::optional<std::uint64_t>();
    if (status != HURRAY_OK) return detail::last_error(status);
    return std::optional<std::uint64_t>(index);
  }
};

/// A file being written. Destroyed before `finish`, it leaves nothing behind. One thread at a time.
class FileWriter : public detail::Handle<HurrayFileWriter, hurray_file_writer_destroy> {
 public:
  FileWriter() noexcept = default;

  /// Takes ownership of a raw handle.
  static FileWriter adopt(HurrayFileWriter* raw) noexcept { return FileWriter(raw); }

  /// Starts a file that takes its name when it is finished.
  static result<FileWriter> try_create(const std::string& path, const Options& options = {}) {
    return detail::make_handle<FileWriter>([&](HurrayFileWriter** out) {
      return hurray_file_writer_create(path.data(), path.size(), options.get(), out);
    });
  }

  /// Starts a file whose bytes go to a function, front to back.
  static result<FileWriter> try_to_callback(WriteBytes write, const Options& options = {}) {
    auto context = std::make_unique<WriteBytes>(std::move(write));
    auto made = detail::make_handle<FileWriter>([&](HurrayFileWriter** out) {
      return hurray_file_writer_to_callback(detail::hurray_cpp_write, context.get(), detail::hurray_cpp_drop_write,
                                            options.get(), out);
    });
    if (made) static_cast<void>(context.release());
    return made;
  }

  /// Starts a file in memory.
  static result<FileWriter> try_to_memory(const Options& options = {}) {
    return detail::make_handle<FileWriter>(
        [&](HurrayFileWriter** out) { return hurray_file_writer_to_memory(options.get(), out); });
  }

  /// Sets a key: before the first put, unless HURRAY_OPTION_KV_MODE says otherwise.
  result<void> try_set(const std::string& key, const KvValue& value) {
    return detail::done(std::visit(detail::KvWriter(get(), key), value));
  }

  /// Writes an item under a name; the members of a composite `x` are named `x.0`, `x.1`, ...
  result<void> try_put(const std::string& name, const Item& item) {
    return detail::done(hurray_file_writer_put(get(), name.data(), name.size(), item.get()));
  }

  /// Writes a tensor under a name.
  result<void> try_put(const std::string& name, const Tensor& tensor) {
    const auto item = Item::try_from_tensor(tensor);
    if (!item) return item.error();
    return try_put(name, *item);
  }

  /// Writes what comes after the last tensor. A file with a path then takes its name.
  result<void> try_finish() { return detail::done(hurray_file_writer_finish(get())); }

  /// The bytes of a finished file in memory, once.
  result<Buffer> try_take_buffer() {
    return detail::make_handle<Buffer>(
        [this](HurrayBuffer** out) { return hurray_file_writer_take_buffer(get(), out); });
  }

#if defined(__cpp_exceptions)
  static FileWriter create(const std::string& path, const Options& options = {}) {
    return try_create(path, options).value();
  }
  static FileWriter to_callback(WriteBytes write, const Options& options = {}) {
    return try_to_callback(std::move(write), options).value();
  }
  static FileWriter to_memory(const Options& options = {}) { return try_to_memory(options).value(); }
  FileWriter& set(const std::string& key, const KvValue& value) {
    try_set(key, value).value();
    return *this;
  }
  FileWriter& put(const std::string& name, const Item& item) {
    try_put(name, item).value();
    return *this;
  }
  FileWriter& put(const std::string& name, const Tensor& tensor) {
    try_put(name, tensor).value();
    return *this;
  }
  void finish() { try_finish().value(); }
  Buffer take_buffer() { return try_take_buffer().value(); }
#endif

 private:
  explicit FileWriter(HurrayFileWriter* raw) noexcept : Handle(raw) {}
};

}  // namespace hurray

#endif
