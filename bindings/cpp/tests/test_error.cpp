// Errors and results, and the version of the library.
#include "check.hpp"

#include <thread>

using namespace hurray;

namespace {

Test what("error: status, name and text", [] {
  const Error error(HURRAY_ERR_IO, "disk", 5, 17);
  eq(error.status(), HURRAY_ERR_IO);
  eq(std::string(error.what()), "HURRAY_ERR_IO: disk");
  eq(error.os_error(), 5);
  check(error.offset() == std::optional<std::uint64_t>(17));
  eq(std::string(Error(HURRAY_ERR_FIELD_NOT_PRESENT, "").what()), "HURRAY_ERR_FIELD_NOT_PRESENT");
  eq(std::string(Error(-999, "").what()), "HURRAY_ERR_UNKNOWN");
});

static_assert(std::is_nothrow_copy_constructible_v<Error>, "an exception is copied while it is thrown");
static_assert(std::is_base_of_v<std::exception, Error>);

Test stale("error: the text of an earlier failure is not used for an answer", [] {
  fails(HURRAY_ERR_TRUNCATED, [] { Descriptor::decode(span<const std::uint8_t>()); });
  const Descriptor descriptor = DescriptorBuilder::make(ElementType::int8, {1}).default_buffers().finish();
  const auto answer = descriptor.try_u64(HURRAY_QUANT_FIELD_SCHEME);
  eq(std::string(answer.error().what()), "HURRAY_ERR_FIELD_NOT_PRESENT");
});

Test results("error: a result holds a value or an error", [] {
  result<std::string> good(std::string("text"));
  check(good && good.has_value());
  eq(good->size(), 4U);
  eq(*good, "text");
  eq(std::move(good).value(), "text");
  const result<int> bad(Error(HURRAY_ERR_IO, ""));
  check(!bad);
  eq(bad.error().status(), HURRAY_ERR_IO);
  fails(HURRAY_ERR_IO, [&] { static_cast<void>(bad.value()); });
  const result<void> nothing;
  check(static_cast<bool>(nothing));
  fails(HURRAY_ERR_IO, [] { result<void>(Error(HURRAY_ERR_IO, "")).value(); });
});

Test version("error: the library's version is this header's", [] {
  eq(abi_version(), static_cast<std::uint32_t>(HURRAY_C_ABI_VERSION));
  check(try_check_version().has_value());
  check(library_path().find("libhurray.so") != std::string::npos);
  check(!library_version().empty());
  eq(status_name(HURRAY_ERR_TORN), "HURRAY_ERR_TORN");
});

}  // namespace
