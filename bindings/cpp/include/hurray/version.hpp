// The version of the C ABI: compared when this header is compiled, and again before the library is first used.
#ifndef HURRAY_CPP_VERSION_HPP
#define HURRAY_CPP_VERSION_HPP

#include <hurray.h>

#include <string>
#include <string_view>

#if defined(__has_include)
#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif
#endif

namespace hurray {

static_assert(HURRAY_C_ABI_VERSION == 10, "these C++ headers belong to hurray.h of C ABI version 10");

/// The C ABI version of the library that is loaded. Cannot fail; may be asked before anything else.
inline std::uint32_t abi_version() noexcept { return hurray_c_abi_version(); }

/// The library's own version, for people: "0.1.0". Static text.
inline std::string_view library_version() noexcept { return hurray_version_string(); }

/// The name of a status, "HURRAY_ERR_IO"; of an unknown number, "HURRAY_ERR_UNKNOWN". Static text.
inline std::string_view status_name(HurrayStatus status) noexcept { return hurray_status_name(status); }

/// The file that the library was loaded from, or an empty string where the system does not tell.
inline std::string library_path() {
#if defined(__has_include)
#if __has_include(<dlfcn.h>)
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&hurray_c_abi_version), &info) != 0 && info.dli_fname != nullptr) {
    return info.dli_fname;
  }
#endif
#endif
  return {};
}

namespace detail {

inline bool version_matches() noexcept {
  static const bool matches = hurray_c_abi_version() == HURRAY_C_ABI_VERSION;
  return matches;
}

inline std::string version_text() {
  std::string text = "these headers need libhurray with C ABI version ";
  text +=
      std::to_string(HURRAY_C_ABI_VERSION) + ", but version " + std::to_string(hurray_c_abi_version()) + " is loaded";
  const std::string path = library_path();
  return path.empty() ? text : text + " from " + path;
}

}  // namespace detail
}  // namespace hurray

#endif
