// Ownership: the one class that destroys handles, the boxes that keep a host's own objects alive, and the three ways
// of reading something out of a C call.
#ifndef HURRAY_CPP_HANDLE_HPP
#define HURRAY_CPP_HANDLE_HPP

#include <hurray/error.hpp>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hurray::detail {

/// A move-only handle. Empty after a move, after `release()` and when made by default; every call on an empty one
/// answers HURRAY_ERR_NULL_POINTER.
template <class Raw, HurrayStatus (*Destroy)(Raw**)>
class Handle {
 public:
  using raw_type = Raw;

  constexpr Handle() noexcept = default;
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    Handle(std::move(other)).swap(*this);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  /// Whether there is a handle.
  explicit operator bool() const noexcept { return raw_ != nullptr; }

  /// The raw handle; it stays owned here.
  Raw* get() const noexcept { return raw_; }

  /// Gives the raw handle up: the caller destroys it, or hands it on.
  [[nodiscard]] Raw* release() noexcept { return std::exchange(raw_, nullptr); }

  /// Destroys the handle now.
  void reset() noexcept {
    if (raw_ != nullptr) Destroy(&raw_);
    raw_ = nullptr;
  }

  void swap(Handle& other) noexcept { std::swap(raw_, other.raw_); }

 protected:
  explicit Handle(Raw* raw) noexcept : raw_(raw) {}

 private:
  Raw* raw_ = nullptr;
};

/// Makes a handle of class `H` by a C call that writes it through its last parameter.
template <class H, class Call>
result<H> make_handle(Call call) {
  if (auto checked = try_check_version(); !checked) return checked.error();
  typename H::raw_type* raw = nullptr;
  if (const HurrayStatus status = call(&raw); status != HURRAY_OK) return last_error(status);
  return H::adopt(raw);
}

/// Reads one value by a C call that writes it through its last parameter.
template <class T, class Call>
result<T> read(Call call) {
  T value{};
  if (const HurrayStatus status = call(&value); status != HURRAY_OK) return last_error(status);
  return value;
}

/// The same, as a scoped enumeration.
template <class Enum, class Call>
result<Enum> read_enum(Call call) {
  const auto value = read<std::underlying_type_t<Enum>>(call);
  if (!value) return value.error();
  return static_cast<Enum>(*value);
}

/// Reads an array or a text by the capacity idiom: once with `room` elements, again with what was missing.
template <class Array, class Call>
result<Array> read_array(Call call, std::size_t room) {
  Array values(room, typename Array::value_type{});
  for (;;) {
    std::size_t length = values.size();
    const HurrayStatus status = call(values.data(), &length);
    if (status == HURRAY_OK) {
      values.resize(length);
      return values;
    }
    if (status != HURRAY_ERR_BUFFER_TOO_SMALL) return last_error(status);
    values.resize(length);
  }
}

/// Stands for "nothing to keep alive".
struct NoOwner {};

/// Keeps an object of the host's alive for as long as the library needs it. The library calls one of the two
/// functions once, on any thread. An exception from the object's destructor is caught there and dropped: it must
/// not enter the library, and no caller is left to take it.
template <class Owner>
struct Keep {
  static void destroy(void* owner) noexcept {
#if defined(__cpp_exceptions)
    try {
      delete static_cast<Owner*>(owner);
    } catch (...) {
    }
#else
    delete static_cast<Owner*>(owner);
#endif
  }
  static void release_owner(void* owner) noexcept { destroy(owner); }
  static void release_buffer(void*, void* owner) noexcept { destroy(owner); }

  struct Deleter {
    void operator()(Owner* owner) const noexcept { destroy(owner); }
  };
};

/// An owner on its way into the library: destroyed here unless the call that takes it succeeds.
template <class Owner>
class Keeper {
 public:
  explicit Keeper(Owner owner) : box_(new Owner(std::move(owner))) {}

  Owner& operator*() const noexcept { return *box_; }
  void* context() const noexcept { return box_.get(); }
  static constexpr HurrayOwnerReleaseFn owner_release() noexcept { return &Keep<Owner>::release_owner; }
  static constexpr HurrayReleaseCallback buffer_release() noexcept { return &Keep<Owner>::release_buffer; }
  void taken() noexcept { static_cast<void>(box_.release()); }

 private:
  std::unique_ptr<Owner, typename Keep<Owner>::Deleter> box_;
};

template <>
class Keeper<NoOwner> {
 public:
  explicit Keeper(NoOwner) noexcept {}

  static constexpr void* context() noexcept { return nullptr; }
  static constexpr HurrayOwnerReleaseFn owner_release() noexcept { return nullptr; }
  static constexpr HurrayReleaseCallback buffer_release() noexcept { return nullptr; }
  void taken() noexcept {}
};

}  // namespace hurray::detail

#endif
