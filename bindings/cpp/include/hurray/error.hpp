// Errors: `Error` carries the library's status and text; `result<T>` is what every `try_...` function returns.
#ifndef HURRAY_CPP_ERROR_HPP
#define HURRAY_CPP_ERROR_HPP

#include <hurray/version.hpp>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace hurray {

/// A failed call: its status, the library's text, and where in the input it happened. Copying one cannot fail.
class Error : public std::runtime_error {
 public:
  /// `what()` is the status's name, a colon and `text`, if there is any.
  Error(HurrayStatus status, const std::string& text, std::int32_t os_error = 0,
        std::optional<std::uint64_t> offset = std::nullopt)
      : std::runtime_error(line(status, text)), status_(status), os_error_(os_error), offset_(offset) {}

  /// One of the HURRAY_ERR_... numbers.
  HurrayStatus status() const noexcept { return status_; }

  /// The system's error number; 0 if the system had no part in it.
  std::int32_t os_error() const noexcept { return os_error_; }

  /// The offset in the input, in bytes, where the library knows one.
  std::optional<std::uint64_t> offset() const noexcept { return offset_; }

 private:
  static std::string line(HurrayStatus status, const std::string& text) {
    // Of a library of another version nothing but its version may be asked.
    std::string name(detail::version_matches() ? status_name(status) : "HURRAY_ERR_VERSION_MISMATCH");
    return text.empty() ? name : name + ": " + text;
  }

  HurrayStatus status_;
  std::int32_t os_error_;
  std::optional<std::uint64_t> offset_;
};

/// A value, or the `Error` that there is none: shaped like `std::expected<T, Error>`.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value. Asking a result that holds an error ends the program.
  T& operator*() & noexcept { return *held(std::get_if<0>(&state_)); }
  const T& operator*() const& noexcept { return *held(std::get_if<0>(&state_)); }
  T&& operator*() && noexcept { return std::move(*held(std::get_if<0>(&state_))); }
  T* operator->() noexcept { return held(std::get_if<0>(&state_)); }
  const T* operator->() const noexcept { return held(std::get_if<0>(&state_)); }

  /// The error. Asking a result that holds a value ends the program.
  const Error& error() const noexcept { return *held(std::get_if<1>(&state_)); }

#if defined(__cpp_exceptions)
  /// The value; throws the error if there is none.
  T value() && {
    if (const Error* error = std::get_if<1>(&state_)) throw *error;
    return std::move(*std::get_if<0>(&state_));
  }
  const T& value() const& {
    if (const Error* error = std::get_if<1>(&state_)) throw *error;
    return *std::get_if<0>(&state_);
  }
#endif

 private:
  template <class P>
  static P held(P pointer) noexcept {
    if (pointer == nullptr) std::abort();
    return pointer;
  }

  std::variant<T, Error> state_;
};

/// The outcome of a call that gives nothing back.
template <>
class [[nodiscard]] result<void> {
 public:
  result() noexcept = default;
  result(Error error) : error_(std::move(error)) {}

  bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }

  /// The error. Asking a result without one ends the program.
  const Error& error() const noexcept {
    if (!error_) std::abort();
    return *error_;
  }

#if defined(__cpp_exceptions)
  /// Throws the error if there is one.
  void value() const {
    if (error_) throw *error_;
  }
#endif

 private:
  std::optional<Error> error_;
};

namespace detail {

/// The error of the call that has just returned `status` on this thread. Text that belongs to another status is
/// not used: answers such as "field not present" store none.
inline Error last_error(HurrayStatus status) {
  HurrayStatus stored = HURRAY_OK;
  std::int32_t os_error = 0;
  std::uint64_t offset = UINT64_MAX;
  if (hurray_last_error_info(&stored, &os_error, &offset) != HURRAY_OK || stored != status) return {status, {}};
  char text[512];
  std::size_t length = sizeof text;
  if (hurray_last_error_message(text, &length) != HURRAY_OK) length = 0;
  return {status, std::string(text, length), os_error,
          offset == UINT64_MAX ? std::nullopt : std::optional<std::uint64_t>(offset)};
}

inline result<void> done(HurrayStatus status) {
  if (status == HURRAY_OK) return {};
  return last_error(status);
}

}  // namespace detail

/// Whether the library that is loaded has the C ABI version of these headers. Every function that makes or takes a
/// handle asks this first, once a process.
inline result<void> try_check_version() {
  if (detail::version_matches()) return {};
  return Error(HURRAY_ERR_VERSION_MISMATCH, detail::version_text());
}

}  // namespace hurray

#endif
