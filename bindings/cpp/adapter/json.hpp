// JSON values, in and out, and the forms of the adapter protocol.
#ifndef ADAPTER_JSON_HPP
#define ADAPTER_JSON_HPP

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Something that the adapter itself cannot express.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Json {
 public:
  enum class Kind { null, truth, number, text, list, object };

  Json() = default;
  Json(bool truth) : kind_(Kind::truth), number_(truth) {}
  Json(std::int32_t number) : kind_(Kind::number), number_(number) {}
  Json(std::int64_t number) : kind_(Kind::number), number_(number) {}
  Json(std::uint32_t number) : kind_(Kind::number), number_(number) {}
  Json(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
  Json(const char* text) : Json(std::string(text)) {}
  Json(std::vector<Json> list) : kind_(Kind::list), list_(std::move(list)) {}
  Json(std::initializer_list<std::pair<std::string, Json>> members) : kind_(Kind::object), members_(members) {}
  template <class T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}

  static Json parse(std::string_view text);
  std::string dump() const;

  bool is_null() const { return kind_ == Kind::null; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_number() const { return kind_ == Kind::number; }

  /// A member of an object; null if it is missing.
  const Json& operator[](std::string_view key) const;
  void set(std::string key, Json value) {
    kind_ = Kind::object;
    members_.emplace_back(std::move(key), std::move(value));
  }
  void append(Json value) {
    kind_ = Kind::list;
    list_.push_back(std::move(value));
  }
  const std::vector<std::pair<std::string, Json>>& members() const { return members_; }
  const std::vector<Json>& list() const { return expect(Kind::list, "a list").list_; }
  const std::string& text() const { return expect(Kind::text, "a string").text_; }
  bool truth() const { return expect(Kind::truth, "a truth value").number_ != 0; }

  /// A whole number, or one in a string.
  template <class T>
  T number() const {
    if (kind_ == Kind::number) return static_cast<T>(number_);
    if constexpr (std::is_signed_v<T>) return static_cast<T>(std::stoll(text()));
    return static_cast<T>(std::stoull(text()));
  }
  template <class T>
  std::vector<T> numbers() const {
    std::vector<T> found;
    for (const Json& one : list()) found.push_back(one.number<T>());
    return found;
  }
  double real() const;
  std::vector<std::uint8_t> bytes() const;

 private:
  const Json& expect(Kind kind, const char* what) const {
    if (kind_ != kind) throw Fault(std::string(what) + " is wanted, not " + dump());
    return *this;
  }
  void write(std::string& out) const;

  Kind kind_ = Kind::null;
  std::int64_t number_ = 0;
  std::string text_;
  std::vector<Json> list_;
  std::vector<std::pair<std::string, Json>> members_;
};

/// A number as a string.
template <class T>
Json wide(T value) {
  return Json(std::to_string(value));
}

/// Numbers as strings.
template <class Range>
Json wides(const Range& values) {
  Json list{std::vector<Json>()};
  for (const auto value : values) list.append(wide(value));
  return list;
}

/// Numbers below 2^32.
template <class Range>
Json narrows(const Range& values) {
  Json list{std::vector<Json>()};
  for (const auto value : values) list.append(Json(static_cast<std::int64_t>(value)));
  return list;
}

Json real(double value);
Json hex(const void* data, std::size_t size);

#endif
