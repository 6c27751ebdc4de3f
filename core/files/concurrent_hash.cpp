#include "core/files/concurrent_hash.hpp"

#include <atomic>
#include <system_error>
#include <thread>

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
    set(Work::ends);
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Only when nothing is under way: after `wait`.
  void post(std::span<const std::byte> bytes) {
    bytes_ = bytes;
    set(Work::posted);
  }
  /// A span that the thread has not begun with is hashed here: where all processors are busy, it would have to wait for
  /// one.
  void wait() {
    if (takes(Work::none))
      hash_.update(bytes_);
    else
      work_.wait(Work::begun);
  }

 private:
  /// What is to be done with `bytes_`.
  enum class Work : int { none, posted, begun, ends };

  void set(Work work) {
    work_.store(work);
    work_.notify_all();
  }
  /// Whether bytes were posted, and the other thread has not taken them; then the state is `next`.
  bool takes(Work next) {
    Work expected = Work::posted;
    return work_.compare_exchange_strong(expected, next);
  }

  void run() {
    for (Work seen = work_.load(); seen != Work::ends; seen = work_.load()) {
      if (!takes(Work::begun)) {
        work_.wait(seen);
        continue;
      }
      hash_.update(bytes_);
      Work expected = Work::begun;  // or `ends` by now, which stays
      work_.compare_exchange_strong(expected, Work::none);
      work_.notify_all();
    }
  }

  ContentHash& hash_;
  std::span<const std::byte> bytes_;  ///< read by who took them
  /// Waiting on an atomic needs less of the C++ library than a condition variable, whose `wait` is of GCC 12.
  std::atomic<Work> work_ = Work::none;
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
