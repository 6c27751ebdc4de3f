#include "core/files/concurrent_hash.hpp"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/files/temporaries.hpp"
#include "core/support/processors.hpp"

namespace mo {
namespace {

/// Waking the other thread takes as long as hashing some of these.
constexpr std::size_t kWorthWaking = std::size_t{64} << 10;

}  // namespace

/// Hashes one span after the other, on a thread of its own.
class ConcurrentHash::Worker {
 public:
  /// Throws std::system_error when no thread can be had.
  explicit Worker(ContentHash& hash) : hash_(hash), thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(std::span<const std::byte> bytes) {
    {
      const std::lock_guard lock(mutex_);
      bytes_ = bytes;
    }
    changed_.notify_all();
  }
  /// A span that the thread has not begun with is hashed here: where all processors are busy, it would have to wait for
  /// one.
  void wait() {
    std::unique_lock lock(mutex_);
    if (const std::span<const std::byte> bytes = std::exchange(bytes_, {}); !bytes.empty()) {
      lock.unlock();
      hash_.update(bytes);
    } else {
      changed_.wait(lock, [this] { return !hashing_; });
    }
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ends_ || !bytes_.empty(); });
      if (ends_) return;
      const std::span<const std::byte> bytes = std::exchange(bytes_, {});
      hashing_ = true;
      lock.unlock();
      hash_.update(bytes);
      lock.lock();
      hashing_ = false;
      changed_.notify_all();
    }
  }

  ContentHash& hash_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::span<const std::byte> bytes_;  ///< not begun
  bool hashing_ = false;              ///< the thread has
  bool ends_ = false;
  std::thread thread_;  ///< last: it reads the others
};

ConcurrentHash::ConcurrentHash() = default;
ConcurrentHash::~ConcurrentHash() = default;

void ConcurrentHash::start() {
  tried_ = true;
  if (usable_processors() < 2) return;
  const SignalsWait inherited;  // by the thread: a signal pending in this thread must not be handled in that one
  try {
    worker_ = std::make_unique<Worker>(hash_);
  } catch (const std::system_error&) {}  // no more threads for this process
}

void ConcurrentHash::begin(std::span<const std::byte> bytes) {
  wait();
  if (!tried_ && seen_ >= kWorthThread) start();
  seen_ += bytes.size();
  if (worker_ && bytes.size() >= kWorthWaking)
    worker_->post(bytes);
  else
    hash_.update(bytes);
}

void ConcurrentHash::wait() {
  if (worker_) worker_->wait();
}

std::uint64_t ConcurrentHash::digest() {
  wait();
  return hash_.digest();
}

}  // namespace mo
