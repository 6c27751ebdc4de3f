#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/files/content_hash.hpp"

namespace mo {

/// Writes a stream of bytes to a file, and hashes them, on a second thread while the caller makes the next ones; when
/// the caller has to wait, it hashes too. The thread starts when the stream is worth it and ends with this object;
/// where the process has one processor or no thread can be had, the caller's thread does it all. The file is the same.
///
/// For one thread: only the one that calls `post` may call the others.
class WriteBehind {
 public:
  /// Appends to the open file `descriptor`, which must outlive this object.
  explicit WriteBehind(int descriptor);
  /// Waits for what is under way.
  ~WriteBehind();
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  /// How many stretches may be under way.
  static constexpr std::uint32_t kSlots = 8;
  /// From so many bytes on a second thread is worth it: starting it takes as long as writing a quarter of a megabyte.
  static constexpr std::uint64_t kWorthThread = std::uint64_t{4} << 20;

  /// Hashes all that will be posted; before the first `post`.
  void keep_hash() { hash_.emplace(); }
  bool keeps_hash() const { return hash_.has_value(); }
  /// Waits until fewer than `kSlots` stretches are under way, so that the bytes of the one that was posted `kSlots`
  /// posts ago may be touched again. Lets go of what belonged to stretches that are done.
  void make_room();
  /// Appends `bytes`, now or later; only after `make_room`. They stay as they are until they are written: `owner`,
  /// which may be null, keeps them until a later call of `make_room` or `wait`.
  void post(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
  /// Until nothing is under way.
  void wait();
  /// Of all bytes that were posted so far; waits for them. Only after keep_hash.
  std::uint64_t digest();
  /// errno of the first stretch that could not be written, 0 if there is none so far. What follows it is not written.
  int error() const;
  /// Whether there is a second thread, by now.
  bool is_concurrent() const { return worker_ != nullptr; }

 private:
  class Worker;
  void start();

  int descriptor_;
  std::uint64_t seen_ = 0;
  bool tried_ = false;
  int error_ = 0;                    ///< of what this thread wrote
  std::optional<ContentHash> hash_;  ///< touched by the worker from its start to `wait`
  std::unique_ptr<Worker> worker_;
};

}  // namespace mo
