#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "core/diagnostics/expected.hpp"
#include "core/files/content_hash.hpp"

namespace mo {

/// Bytes that follow each other in a file; `owner`, which may be null, keeps them.
struct Stretch {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// Makes a stretch when a thread has time for it. Runs once, on either thread, while others run: what it shares with
/// them does not change.
using MakeStretch = std::function<Expected<Stretch>()>;

/// Writes a stream of bytes to a file, and hashes them, on a second thread while the caller makes the next ones. Both
/// threads take whatever comes next - writing, hashing, making - so that neither waits for the other while there is
/// work. The thread starts when the stream is worth it and ends with this object; where the process has one processor
/// or no thread can be had, the caller's thread does it all. The file is the same.
///
/// For one thread: only the one that calls `post` may call the others.
class WriteBehind {
 public:
  /// Appends to the open file `descriptor`, which must outlive this object.
  explicit WriteBehind(int descriptor);
  /// Waits for what is under way; what is not made yet is not made.
  ~WriteBehind();
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  /// How many stretches may be under way.
  static constexpr std::uint32_t kSlots = 8;
  /// How many bytes of stretches that are made later may be under way before the next one: two threads need no more.
  static constexpr std::uint64_t kMostMade = std::uint64_t{2} << 20;
  /// From so many bytes on a second thread is worth it: starting it takes as long as writing a quarter of a megabyte.
  static constexpr std::uint64_t kWorthThread = std::uint64_t{4} << 20;

  /// Hashes all that will be posted; before the first `post`.
  void keep_hash() { hash_.emplace(); }
  bool keeps_hash() const { return hash_.has_value(); }
  /// Waits until fewer than `kSlots` stretches are under way, so that the bytes of the one that was posted `kSlots`
  /// posts ago may be touched again. Lets go of what belonged to stretches that are done.
  void make_room();
  /// Appends a stretch, now or later; only after `make_room`. Its bytes stay as they are until they are written: the
  /// owner is let go by a later call of `make_room` or `wait`.
  void post(Stretch stretch);
  /// The same for `size` bytes (asserted) that are still to be made. `make` is let go as an owner is.
  void post(std::uint64_t size, MakeStretch make);
  /// Until nothing is under way.
  void wait();
  /// Of all bytes that were posted so far; waits for them. Only after keep_hash.
  std::uint64_t digest();
  /// Why the first stretch that failed could not be made, or written (its errno); 0 if there is none so far. What
  /// follows it is neither made nor written.
  struct Failure {
    int number = 0;
    std::optional<Error> error;
    explicit operator bool() const { return number != 0 || error; }
  };
  Failure failure() const;
  /// Whether there is a second thread, by now.
  bool is_concurrent() const { return worker_ != nullptr; }

 private:
  class Worker;
  void start(std::uint64_t more);

  int descriptor_;
  std::uint64_t seen_ = 0;
  bool tried_ = false;
  Failure failure_;                  ///< of what this thread did alone
  std::optional<ContentHash> hash_;  ///< touched by the worker from its start to `wait`
  std::unique_ptr<Worker> worker_;
};

}  // namespace mo
