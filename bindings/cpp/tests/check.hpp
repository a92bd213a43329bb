// The test harness: cases register themselves, checks report their own line, main prints one summary.
#ifndef HURRAY_TESTS_CHECK_HPP
#define HURRAY_TESTS_CHECK_HPP

#include <hurray/hurray.hpp>

#include <cstdio>
#include <string>
#include <vector>

struct Case {
  const char* name;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
inline int& failures() {
  static int count = 0;
  return count;
}

struct Test {
  Test(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

inline void check(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (holds) return;
  ++failures();
  std::printf("%s:%d: does not hold\n", file, line);
}

template <class A, class B>
void eq(const A& actual, const B& expected, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  check(actual == expected, file, line);
}

#if defined(__cpp_exceptions)
/// Runs `call`, which must throw an Error of this status; returns the error's text.
template <class Call>
std::string fails(HurrayStatus status, Call call, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  try {
    call();
  } catch (const hurray::Error& error) {
    check(error.status() == status, file, line);
    if (error.status() != status) std::printf("  it is %s\n", error.what());
    return error.what();
  }
  check(false, file, line);
  return {};
}
#endif

#endif
