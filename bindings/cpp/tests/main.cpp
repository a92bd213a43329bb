// Runs every case, or those whose name contains the first argument. The file that HURRAY_TESTS_RECORD names gets a
// line for each: `ok` or `FAILED`, and the name.
#include "check.hpp"

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  int passed = 0;
  int failed = 0;
  const char* path = std::getenv("HURRAY_TESTS_RECORD");
  std::FILE* record = path != nullptr ? std::fopen(path, "a") : nullptr;
  for (const Case& one : cases()) {
    if (argc > 1 && std::strstr(one.name, argv[1]) == nullptr) continue;
    const int before = failures();
#if defined(__cpp_exceptions)
    try {
      one.run();
    } catch (const std::exception& error) {
      ++failures();
      std::printf("%s: %s\n", one.name, error.what());
    }
#else
    one.run();
#endif
    const auto live = hurray::try_live_handles();
    check(live && *live == 0);
    const bool held = failures() == before;
    if (!held) std::printf("FAILED %s\n", one.name);
    ++(held ? passed : failed);
    if (record != nullptr) std::fprintf(record, "%s %s\n", held ? "ok" : "FAILED", one.name);
  }
  if (record != nullptr) std::fclose(record);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
