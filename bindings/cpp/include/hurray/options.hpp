// Options of a call, and its cancellation and progress.
#ifndef HURRAY_CPP_OPTIONS_HPP
#define HURRAY_CPP_OPTIONS_HPP

#include <hurray/handle.hpp>

namespace hurray {

/// How far a call has come, in bytes; the total is 0 until it is known.
struct Progress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

/// Whether a constructor may copy what it is given.
enum class Copy : std::uint8_t {
  if_needed = 0,
  never = 1,
  always = 2,
};

/// Numbered options. An empty `Options`, as made by default, stands for the defaults.
class Options : public detail::Handle<HurrayOptions, hurray_options_destroy> {
 public:
  Options() noexcept = default;

  /// Takes ownership of a raw handle.
  static Options adopt(HurrayOptions* raw) noexcept { return Options(raw); }

  /// Options with their default values, to be set.
  static result<Options> try_make() {
    return detail::make_handle<Options>([](HurrayOptions** out) { return hurray_options_new(out); });
  }

  /// Sets one HURRAY_OPTION_... number. Read when an object opens or a call starts.
  result<void> try_set(std::uint32_t option, std::uint64_t value) {
    return detail::done(hurray_options_set_u64(get(), option, value));
  }

  /// Asks the call that runs with these options to stop with HURRAY_ERR_CANCELLED. From any thread.
  result<void> try_cancel() const { return detail::done(hurray_options_cancel(get())); }

  /// How far the call that runs with these options has come. From any thread.
  result<Progress> try_progress() const {
    return detail::read<Progress>(
        [this](Progress* out) { return hurray_options_progress(get(), &out->done, &out->total); });
  }

#if defined(__cpp_exceptions)
  static Options make() { return try_make().value(); }
  Options& set(std::uint32_t option, std::uint64_t value) {
    try_set(option, value).value();
    return *this;
  }
  void cancel() const { try_cancel().value(); }
  Progress progress() const { return try_progress().value(); }
#endif

 private:
  explicit Options(HurrayOptions* raw) noexcept : Handle(raw) {}
};

}  // namespace hurray

#endif
