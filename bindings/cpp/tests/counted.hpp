// An owner that counts its ends.
#ifndef HURRAY_TESTS_COUNTED_HPP
#define HURRAY_TESTS_COUNTED_HPP

#include <atomic>
#include <memory>
#include <utility>

/// Adds one to `*ended` when the last holder of the token goes; moved-from tokens hold nothing.
class Counted {
 public:
  explicit Counted(std::atomic<int>* ended) : ended_(ended) {}
  Counted(Counted&& other) noexcept : ended_(std::exchange(other.ended_, nullptr)) {}
  Counted& operator=(Counted&&) = delete;
  ~Counted() {
    if (ended_ != nullptr) ++*ended_;
  }

 private:
  std::atomic<int>* ended_;
};

#endif
