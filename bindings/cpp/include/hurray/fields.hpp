// Everything a descriptor carries, read in one call, and the two helpers that typed objects are read and written with.
#ifndef HURRAY_CPP_FIELDS_HPP
#define HURRAY_CPP_FIELDS_HPP

#include <hurray/handle.hpp>
#include <hurray/span.hpp>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace hurray {

/// A field's kind, as the bulk form numbers it.
enum class FieldKind : std::uint8_t { u64 = 1, i64 = 2, f64 = 3, u64_array = 4, i64_array = 5, bytes = 6 };

/// One field of the bulk form: its identifier (HURRAY_..._FIELD_...), its level, and its values.
struct Field {
  HurrayDescriptorField id = 0;
  std::uint32_t level = 0;
  FieldKind kind = FieldKind::u64;
  std::uint64_t count = 0;
  span<const std::uint64_t> words;

  std::uint64_t u64() const noexcept { return words[0]; }
  std::int64_t i64() const noexcept { return static_cast<std::int64_t>(words[0]); }
  double f64() const noexcept {
    double value;
    std::memcpy(&value, words.data(), sizeof value);
    return value;
  }
  std::vector<std::uint64_t> u64_array() const { return {words.begin(), words.end()}; }
  std::vector<std::int64_t> i64_array() const {
    std::vector<std::int64_t> values;
    values.reserve(words.size());
    for (const std::uint64_t word : words) values.push_back(static_cast<std::int64_t>(word));
    return values;
  }
  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t k = 0; k < count; ++k) {
      values.push_back(static_cast<std::uint8_t>(words[static_cast<std::size_t>(k / 8)] >> (k % 8 * 8)));
    }
    return values;
  }
};

/// Every field of a descriptor, by ascending identifier, then level.
class Fields {
 public:
  Fields() = default;

  /// Of the words of `hurray_descriptor_fields`; a cut-off field at the end is left out.
  explicit Fields(std::vector<std::uint64_t> words) : words_(std::move(words)) {
    std::size_t at = 0;
    while (words_.size() - at >= 2) {
      Field field;
      field.id = static_cast<std::uint32_t>(words_[at]);
      field.level = static_cast<std::uint32_t>(words_[at] >> 32 & 0xFFFFU);
      field.kind = static_cast<FieldKind>(words_[at] >> 48);
      field.count = words_[at + 1];
      const std::uint64_t length =
          field.kind == FieldKind::bytes ? field.count / 8 + (field.count % 8 != 0) : field.count;
      at += 2;
      if (length > words_.size() - at) return;
      field.words = span<const std::uint64_t>(words_.data() + at, static_cast<std::size_t>(length));
      at += static_cast<std::size_t>(length);
      fields_.push_back(field);
    }
  }

  Fields(Fields&&) noexcept = default;
  Fields& operator=(Fields&&) noexcept = default;
  Fields(const Fields& other) : Fields(other.words_) {}
  Fields& operator=(const Fields& other) { return *this = Fields(other); }
  ~Fields() = default;

  /// The words themselves: what `Descriptor::from_fields` takes.
  const std::vector<std::uint64_t>& words() const noexcept { return words_; }

  auto begin() const noexcept { return fields_.begin(); }
  auto end() const noexcept { return fields_.end(); }
  std::size_t size() const noexcept { return fields_.size(); }

  /// The field, or null if the descriptor does not carry it.
  const Field* find(HurrayDescriptorField id, std::uint32_t level = 0) const noexcept {
    for (const Field& field : fields_) {
      if (field.id == id && field.level == level) return &field;
    }
    return nullptr;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<Field> fields_;
};

namespace detail {

/// Reads the fields of a typed object and remembers the first one that is missing or of another kind.
class FieldReader {
 public:
  explicit FieldReader(const Fields& fields) noexcept : fields_(&fields) {}

  bool has(HurrayDescriptorField id, std::uint32_t level = 0) const noexcept {
    return fields_->find(id, level) != nullptr;
  }
  template <class Number = std::uint64_t>
  Number u(HurrayDescriptorField id, std::uint32_t level = 0) {
    const Field* field = scalar(id, level, FieldKind::u64);
    return field != nullptr ? static_cast<Number>(field->u64()) : Number{};
  }
  template <class Number>
  std::optional<Number> optional_u(HurrayDescriptorField id, std::uint32_t level = 0) {
    if (!has(id, level)) return std::nullopt;
    return u<Number>(id, level);
  }
  std::int64_t i(HurrayDescriptorField id) {
    const Field* field = scalar(id, 0, FieldKind::i64);
    return field != nullptr ? field->i64() : 0;
  }
  double f(HurrayDescriptorField id) {
    const Field* field = scalar(id, 0, FieldKind::f64);
    return field != nullptr ? field->f64() : 0.0;
  }
  std::vector<std::uint64_t> u_array(HurrayDescriptorField id, std::uint32_t level = 0) {
    const Field* field = of_kind(id, level, FieldKind::u64_array);
    return field != nullptr ? field->u64_array() : std::vector<std::uint64_t>();
  }
  std::vector<std::int64_t> i_array(HurrayDescriptorField id, std::uint32_t level = 0) {
    const Field* field = of_kind(id, level, FieldKind::i64_array);
    return field != nullptr ? field->i64_array() : std::vector<std::int64_t>();
  }
  std::vector<std::int64_t> optional_i_array(HurrayDescriptorField id, std::uint32_t level) {
    return has(id, level) ? i_array(id, level) : std::vector<std::int64_t>();
  }
  std::vector<std::uint8_t> bytes(HurrayDescriptorField id) {
    const Field* field = of_kind(id, 0, FieldKind::bytes);
    return field != nullptr ? field->bytes() : std::vector<std::uint8_t>();
  }

  /// `value`, which was read through this object, or an error that names the field it lacks.
  template <class T>
  result<T> checked(T value) const {
    if (missing_ == 0) return value;
    return Error(HURRAY_ERR_FIELD_NOT_PRESENT, "field " + std::to_string(missing_));
  }

 private:
  const Field* of_kind(HurrayDescriptorField id, std::uint32_t level, FieldKind kind) {
    const Field* field = fields_->find(id, level);
    if (field != nullptr && field->kind == kind) return field;
    if (missing_ == 0) missing_ = id;
    return nullptr;
  }
  const Field* scalar(HurrayDescriptorField id, std::uint32_t level, FieldKind kind) {
    const Field* field = of_kind(id, level, kind);
    if (field == nullptr || field->count == 1) return field;
    if (missing_ == 0) missing_ = id;
    return nullptr;
  }

  const Fields* fields_;
  HurrayDescriptorField missing_ = 0;
};

/// Sets the fields of a typed object in a builder; after the first failure it does nothing more.
class FieldWriter {
 public:
  explicit FieldWriter(HurrayDescriptorBuilder* builder) noexcept : builder_(builder) {}

  void u(HurrayDescriptorField id, std::uint64_t value, std::uint32_t level = 0) {
    then([&] { return hurray_descriptor_builder_set_u64(builder_, id, level, value); });
  }
  template <class Number>
  void optional_u(HurrayDescriptorField id, const std::optional<Number>& value) {
    if (value) u(id, *value);
  }
  void i(HurrayDescriptorField id, std::int64_t value) {
    then([&] { return hurray_descriptor_builder_set_i64(builder_, id, 0, value); });
  }
  void f(HurrayDescriptorField id, double value) {
    then([&] { return hurray_descriptor_builder_set_f64(builder_, id, 0, value); });
  }
  void u_array(HurrayDescriptorField id, span<const std::uint64_t> values, std::uint32_t level = 0) {
    then([&] { return hurray_descriptor_builder_set_u64_array(builder_, id, level, values.data(), values.size()); });
  }
  void i_array(HurrayDescriptorField id, span<const std::int64_t> values, std::uint32_t level = 0) {
    then([&] { return hurray_descriptor_builder_set_i64_array(builder_, id, level, values.data(), values.size()); });
  }
  void bytes(HurrayDescriptorField id, span<const std::uint8_t> values) {
    then([&] { return hurray_descriptor_builder_set_bytes(builder_, id, 0, values.data(), values.size()); });
  }

  result<void> outcome() const { return done(status_); }

 private:
  template <class Call>
  void then(Call call) {
    if (status_ == HURRAY_OK) status_ = call();
  }

  HurrayDescriptorBuilder* builder_;
  HurrayStatus status_ = HURRAY_OK;
};

}  // namespace detail
}  // namespace hurray

#endif
