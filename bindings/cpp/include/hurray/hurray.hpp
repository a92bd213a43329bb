// Hurray for C++17 and later: the one header to include. Header-only; link with libhurray.
#ifndef HURRAY_CPP_HURRAY_HPP
#define HURRAY_CPP_HURRAY_HPP

#include <hurray/array.hpp>
#include <hurray/buffer.hpp>
#include <hurray/builder.hpp>
#include <hurray/construct.hpp>
#include <hurray/convert.hpp>
#include <hurray/descriptor.hpp>
#include <hurray/dlpack.hpp>
#include <hurray/element.hpp>
#include <hurray/error.hpp>
#include <hurray/fields.hpp>
#include <hurray/file.hpp>
#include <hurray/item.hpp>
#include <hurray/kv.hpp>
#include <hurray/layout.hpp>
#include <hurray/list.hpp>
#include <hurray/memory.hpp>
#include <hurray/narrow.hpp>
#include <hurray/options.hpp>
#include <hurray/parts.hpp>
#include <hurray/quantization.hpp>
#include <hurray/sections.hpp>
#include <hurray/shape.hpp>
#include <hurray/span.hpp>
#include <hurray/stream.hpp>
#include <hurray/tags.hpp>
#include <hurray/tensor.hpp>
#include <hurray/version.hpp>
#include <hurray/view.hpp>

namespace hurray {

/// How many owned handles this copy of the library has made that are not destroyed yet. Exact while no other call
/// runs.
inline result<std::uint64_t> try_live_handles() {
  if (auto checked = try_check_version(); !checked) return checked.error();
  return detail::read<std::uint64_t>([](std::uint64_t* out) { return hurray_live_handles(out); });
}

#if defined(__cpp_exceptions)
inline std::uint64_t live_handles() { return try_live_handles().value(); }
#endif

}  // namespace hurray

#endif
