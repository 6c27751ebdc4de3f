#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/files/content_hash.hpp"

namespace mo {

/// ContentHash of a long stream, taken by a second thread while the caller writes the same bytes. The thread starts
/// when the stream is worth it and ends with this object; where the process has one processor or no thread can be had,
/// the caller's thread does it all. The hash is the same.
class ConcurrentHash {
 public:
  ConcurrentHash();
  ~ConcurrentHash();
  ConcurrentHash(const ConcurrentHash&) = delete;
  ConcurrentHash& operator=(const ConcurrentHash&) = delete;

  /// Appends bytes, which stay as they are until the next call of `begin` or `wait` has returned.
  void begin(std::span<const std::byte> bytes);
  /// Until nothing refers to the bytes of the last `begin`.
  void wait();
  /// Of all bytes so far; more may follow.
  std::uint64_t digest();
  /// Whether there is a second thread, by now.
  bool is_concurrent() const { return worker_ != nullptr; }

  /// From so many bytes on a second thread is worth it: starting it takes as long as hashing a quarter of a megabyte.
  static constexpr std::uint64_t kWorthThread = std::uint64_t{4} << 20;

 private:
  class Worker;
  void start();

  ContentHash hash_;  ///< touched by the worker from `begin` to `wait`
  std::uint64_t seen_ = 0;
  bool tried_ = false;
  std::unique_ptr<Worker> worker_;
};

}  // namespace mo
