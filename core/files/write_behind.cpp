#include "core/files/write_behind.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "core/files/temporaries.hpp"
#include "core/support/processors.hpp"

namespace mo {
namespace {

/// One request to the kernel.
constexpr std::size_t kWriteStep = std::size_t{4} << 20;

/// errno, or 0.
int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), std::min(bytes.size(), kWriteStep));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (done == 0) return EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return 0;
}

}  // namespace

/// A ring of stretches: the caller's thread fills it, the other one writes them. Either hashes, whichever has time.
class WriteBehind::Worker {
 public:
  /// Throws std::system_error when no thread can be had.
  Worker(int descriptor, ContentHash* hash) : descriptor_(descriptor), hash_(hash), thread_([this] { run(); }) {}
  ~Worker() {
    wait();
    posted_ = kEnds;
    posted_.notify_one();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void make_room() {
    wait_for(posted_ < kSlots ? 0 : posted_ - kSlots + 1);
    release();
  }
  void post(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
    ring_[posted_ % kSlots] = {bytes, std::move(owner)};
    ++posted_;
    posted_.notify_one();
  }
  void wait() {
    wait_for(posted_);
    release();
  }
  int error() const { return error_; }

 private:
  struct Stretch {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };
  /// As many are never posted.
  static constexpr std::uint32_t kEnds = ~std::uint32_t{0};

  /// How many stretches are written and hashed.
  std::uint32_t done() const { return hash_ ? std::min(written_.load(), hashed_.load()) : written_.load(); }
  /// Until the first `count` are done.
  void wait_for(std::uint32_t count) {
    for (std::uint32_t seen = steps_; done() < count; seen = steps_)
      if (!hash_next()) steps_.wait(seen);
  }
  /// By the caller's thread, whose budget counts the bytes.
  void release() {
    for (const std::uint32_t end = done(); released_ < end; ++released_) ring_[released_ % kSlots].owner = nullptr;
  }
  /// Hashes the next stretch; false when there is none, or the other thread is at it.
  bool hash_next() {
    if (!hash_ || hashing_.exchange(true)) return false;
    const std::uint32_t next = hashed_;
    const std::uint32_t posted = posted_;
    const bool any = next < posted && posted != kEnds;
    if (any) {
      hash_->update(ring_[next % kSlots].bytes);
      hashed_ = next + 1;
    }
    hashing_ = false;
    return any;
  }

  void run() {
    for (;;) {
      const std::uint32_t posted = posted_;
      const std::uint32_t next = written_;
      if (posted == kEnds) return;
      if (next < posted) {
        if (error_ == 0) error_ = write_all(descriptor_, ring_[next % kSlots].bytes);
        written_ = next + 1;
      } else if (!hash_next()) {
        posted_.wait(posted);
        continue;
      }
      ++steps_;
      steps_.notify_one();
    }
  }

  int descriptor_;
  ContentHash* hash_;
  std::array<Stretch, kSlots> ring_;
  /// Waiting on an atomic needs less of the C++ library than a condition variable, whose `wait` is of GCC 12.
  std::atomic<std::uint32_t> posted_ = 0;
  std::atomic<std::uint32_t> written_ = 0;
  std::atomic<std::uint32_t> hashed_ = 0;
  std::atomic<std::uint32_t> steps_ = 0;  ///< what the other thread has done, for who waits
  std::atomic<bool> hashing_ = false;
  std::atomic<int> error_ = 0;
  std::uint32_t released_ = 0;  ///< of the caller's thread
  std::thread thread_;          ///< last: it reads the others
};

WriteBehind::WriteBehind(int descriptor) : descriptor_(descriptor) {}

WriteBehind::~WriteBehind() = default;

void WriteBehind::start() {
  tried_ = true;
  if (usable_processors() < 2) return;
  const SignalsWait inherited;  // by the thread: a signal pending in this thread must not be handled in that one
  try {
    worker_ = std::make_unique<Worker>(descriptor_, hash_ ? &*hash_ : nullptr);
  } catch (const std::system_error&) {}  // no more threads for this process
}

void WriteBehind::make_room() {
  if (worker_) worker_->make_room();
}

void WriteBehind::post(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  if (bytes.empty() || error_ != 0) return;
  if (!tried_ && seen_ >= kWorthThread) start();
  seen_ += bytes.size();
  if (worker_) return worker_->post(bytes, std::move(owner));
  error_ = write_all(descriptor_, bytes);
  if (hash_) hash_->update(bytes);
}

void WriteBehind::wait() {
  if (worker_) worker_->wait();
}

std::uint64_t WriteBehind::digest() {
  wait();
  return hash_->digest();
}

int WriteBehind::error() const { return error_ != 0 || !worker_ ? error_ : worker_->error(); }

}  // namespace mo
