// Values of a file's key-value section.
#ifndef HURRAY_CPP_KV_HPP
#define HURRAY_CPP_KV_HPP

#include <hurray/handle.hpp>

#include <string>
#include <variant>
#include <vector>

namespace hurray {

/// Bytes of a value.
using Bytes = std::vector<std::uint8_t>;

/// A value of a file's metadata. An array carries the type of its elements, so that an empty one keeps it.
using KvValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, Bytes, std::vector<bool>,
                             std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>,
                             std::vector<std::string>, std::vector<Bytes>>;

namespace detail {

/// Pieces of bytes and where each ends, read by a C call over both arrays.
template <class Piece, class Call>
result<std::vector<Piece>> read_packed(Call call) {
  Bytes bytes;
  std::vector<std::uint64_t> ends;
  for (;;) {
    std::size_t length = bytes.size();
    std::size_t count = ends.size();
    const HurrayStatus status = call(bytes.data(), &length, ends.data(), &count);
    if (status != HURRAY_OK && status != HURRAY_ERR_BUFFER_TOO_SMALL) return last_error(status);
    bytes.resize(length);
    ends.resize(count);
    if (status == HURRAY_OK) break;
  }
  std::vector<Piece> pieces;
  pieces.reserve(ends.size());
  auto start = bytes.cbegin();
  for (const std::uint64_t end : ends) {
    const auto stop = bytes.cbegin() + static_cast<std::ptrdiff_t>(end);
    pieces.emplace_back(start, stop);
    start = stop;
  }
  return pieces;
}

/// What a value is read from: the reader, and the position of its pair.
class KvReader {
 public:
  KvReader(const HurrayFileReader* reader, std::uint64_t index) noexcept : reader_(reader), index_(index) {}

  result<KvValue> value() const {
    std::uint8_t type = 0;
    std::uint8_t is_array = 0;
    std::uint64_t count = 0;
    const HurrayStatus status = hurray_file_reader_kv_type(reader_, index_, &type, &is_array, &count);
    if (status != HURRAY_OK) return last_error(status);
    const bool array = is_array != 0;
    const auto room = static_cast<std::size_t>(count);
    switch (type) {
      case HURRAY_KV_INT64:
        return numbers<std::int64_t>(array, room, hurray_file_reader_kv_i64);
      case HURRAY_KV_FLOAT64:
        return numbers<double>(array, room, hurray_file_reader_kv_f64);
      case HURRAY_KV_UINT64:
        return numbers<std::uint64_t>(array, room, hurray_file_reader_kv_u64);
      case HURRAY_KV_BOOL:
        return truths(array, room);
      case HURRAY_KV_STRING:
        return pieces<std::string>(array);
      default:
        return pieces<Bytes>(array);
    }
  }

 private:
  template <class T>
  using Call = HurrayStatus (*)(const HurrayFileReader*, std::uint64_t, T*, std::size_t*);

  template <class T>
  result<std::vector<T>> values(std::size_t room, Call<T> call) const {
    return read_array<std::vector<T>>([&](T* out, std::size_t* length) { return call(reader_, index_, out, length); },
                                      room);
  }

  template <class T>
  result<KvValue> numbers(bool array, std::size_t room, Call<T> call) const {
    auto found = values<T>(room, call);
    if (!found) return found.error();
    return array ? KvValue(std::move(*found)) : KvValue(found->front());
  }

  result<KvValue> truths(bool array, std::size_t room) const {
    const auto found = values<std::uint64_t>(room, hurray_file_reader_kv_u64);
    if (!found) return found.error();
    std::vector<bool> truths;
    for (const std::uint64_t value : *found) truths.push_back(value != 0);
    return array ? KvValue(std::move(truths)) : KvValue(static_cast<bool>(truths.front()));
  }

  template <class Piece>
  result<KvValue> pieces(bool array) const {
    auto found =
        read_packed<Piece>([this](std::uint8_t* bytes, std::size_t* length, std::uint64_t* ends, std::size_t* count) {
          return hurray_file_reader_kv_packed(reader_, index_, bytes, length, ends, count);
        });
    if (!found) return found.error();
    return array ? KvValue(std::move(*found)) : KvValue(std::move(found->front()));
  }

  const HurrayFileReader* reader_;
  std::uint64_t index_;
};

/// Sets a key of a file being written to whatever a value holds.
class KvWriter {
 public:
  KvWriter(HurrayFileWriter* writer, const std::string& key) noexcept : writer_(writer), key_(key) {}

  HurrayStatus operator()(bool value) const { return u64(HURRAY_KV_BOOL, 0, {value ? 1U : 0U}); }
  HurrayStatus operator()(std::uint64_t value) const { return u64(HURRAY_KV_UINT64, 0, {value}); }
  HurrayStatus operator()(std::int64_t value) const { return i64(0, {value}); }
  HurrayStatus operator()(double value) const { return f64(0, {value}); }
  HurrayStatus operator()(const std::string& value) const { return packed(HURRAY_KV_STRING, 0, std::vector{value}); }
  HurrayStatus operator()(const Bytes& value) const { return packed(HURRAY_KV_BYTES, 0, std::vector<Bytes>{value}); }
  HurrayStatus operator()(const std::vector<bool>& values) const {
    return u64(HURRAY_KV_BOOL, 1, std::vector<std::uint64_t>(values.begin(), values.end()));
  }
  HurrayStatus operator()(const std::vector<std::uint64_t>& values) const { return u64(HURRAY_KV_UINT64, 1, values); }
  HurrayStatus operator()(const std::vector<std::int64_t>& values) const { return i64(1, values); }
  HurrayStatus operator()(const std::vector<double>& values) const { return f64(1, values); }
  HurrayStatus operator()(const std::vector<std::string>& values) const { return packed(HURRAY_KV_STRING, 1, values); }
  HurrayStatus operator()(const std::vector<Bytes>& values) const { return packed(HURRAY_KV_BYTES, 1, values); }

 private:
  HurrayStatus u64(std::uint8_t type, std::uint8_t is_array, const std::vector<std::uint64_t>& values) const {
    return hurray_file_writer_kv_set_u64(writer_, key_.data(), key_.size(), type, is_array, values.data(),
                                         values.size());
  }
  HurrayStatus i64(std::uint8_t is_array, const std::vector<std::int64_t>& values) const {
    return hurray_file_writer_kv_set_i64(writer_, key_.data(), key_.size(), HURRAY_KV_INT64, is_array, values.data(),
                                         values.size());
  }
  HurrayStatus f64(std::uint8_t is_array, const std::vector<double>& values) const {
    return hurray_file_writer_kv_set_f64(writer_, key_.data(), key_.size(), HURRAY_KV_FLOAT64, is_array, values.data(),
                                         values.size());
  }
  template <class Piece>
  HurrayStatus packed(std::uint8_t type, std::uint8_t is_array, const std::vector<Piece>& values) const {
    Bytes bytes;
    std::vector<std::uint64_t> ends;
    for (const Piece& value : values) {
      bytes.insert(bytes.end(), value.begin(), value.end());
      ends.push_back(bytes.size());
    }
    return hurray_file_writer_kv_set_packed(writer_, key_.data(), key_.size(), type, is_array, bytes.data(),
                                            bytes.size(), ends.data(), ends.size());
  }

  HurrayFileWriter* writer_;
  const std::string& key_;
};

}  // namespace detail

}  // namespace hurray

#endif
