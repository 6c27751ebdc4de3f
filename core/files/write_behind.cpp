#include "core/files/write_behind.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/files/temporaries.hpp"
#include "core/support/budget.hpp"
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

/// While it lives, the budget of this thread, if it has one, counts nothing.
class OffAccount {
 public:
  explicit OffAccount(Budget& unread) {
    if (Budget::current()) scope_.emplace(unread);
  }

 private:
  std::optional<BudgetScope> scope_;
};

}  // namespace

/// A ring of stretches, which the caller's thread fills. Stretches are made in any order, and written and hashed in
/// theirs, by whichever thread has time.
class WriteBehind::Worker {
 public:
  /// Throws std::system_error when no thread can be had.
  Worker(int descriptor, ContentHash* hash) : descriptor_(descriptor), hash_(hash), thread_([this] { run(); }) {}
  ~Worker() {
    change([this] { ends_ = true; });
    finish();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void make_room() {
    wait_for([this] { return posted_ - done() < kSlots && made_later() <= kMostMade; });
    rethrow();
  }
  void post(Stretch stretch) {
    change([&] {
      Slot& slot = ring_[posted_ % kSlots];
      slot.stretch = std::move(stretch);
      slot.made = true;
      ++posted_;
    });
  }
  void post(std::uint64_t size, MakeStretch make) {
    change([&] {
      Slot& slot = ring_[posted_ % kSlots];
      slot.make = std::move(make);
      slot.size = size;
      slot.charge.add(static_cast<std::int64_t>(size));
      slot.made = false;
      ++posted_;
    });
  }
  void wait() {
    finish();
    rethrow();
  }
  Failure failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

 private:
  struct Slot {
    Stretch stretch;
    MakeStretch make;
    std::uint64_t size = 0;  ///< of what is made later
    bool made = false;
    /// For what is made later: whichever thread makes it, on no account, the account of the caller is the same.
    MemoryCharge charge;
  };
  using Lock = std::unique_lock<std::mutex>;

  /// Calls `step`, which changes what threads wait for.
  template <class Step>
  void change(const Step& step) {
    {
      const std::lock_guard lock(mutex_);
      step();
    }
    tell();
  }
  /// Waiting on an atomic needs less of the C++ library than a condition variable, whose `wait` is of GCC 12.
  void tell() {
    ++changes_;
    changes_.notify_all();
  }
  std::uint32_t done() const { return hash_ ? std::min(written_, hashed_) : written_; }
  /// Bytes of stretches under way that are, or were, made later.
  std::uint64_t made_later() const {
    std::uint64_t bytes = 0;
    for (std::uint32_t i = done(); i < posted_; ++i) bytes += ring_[i % kSlots].size;
    return bytes;
  }

  /// Does what there is to do until `ready`, which is asked under the lock. Then lets go of what is done.
  template <class Ready>
  void wait_for(const Ready& ready) {
    Lock lock(mutex_);
    while (!ready()) {
      const std::uint32_t seen = changes_;
      if (do_next(lock)) continue;
      lock.unlock();
      changes_.wait(seen);
      lock.lock();
    }
    for (const std::uint32_t end = done(); released_ < end; ++released_) {
      Slot slot = std::exchange(ring_[released_ % kSlots], Slot());
      lock.unlock();
      release(std::move(slot));
      lock.lock();
    }
  }
  void finish() {
    wait_for([this] { return done() == posted_; });
  }
  /// By the caller's thread, whose budget counts the bytes.
  void release(Slot slot) {
    if (!slot.make) return;
    const OffAccount as_when_it_was_made(unread_);
    slot.stretch = {};
  }
  void rethrow() {
    std::unique_lock lock(mutex_);
    const std::exception_ptr thrown = std::exchange(exception_, nullptr);
    lock.unlock();
    if (thrown) std::rethrow_exception(thrown);
  }

  /// Writes, hashes or makes the next stretch that is ready for it; false when there is none. Locked before and after.
  bool do_next(Lock& lock) {
    if (!writing_ && written_ < posted_ && ring_[written_ % kSlots].made) {
      const std::span<const std::byte> bytes = ring_[written_ % kSlots].stretch.bytes;
      const bool failed = static_cast<bool>(failure_);
      writing_ = true;
      const int number = unlocked(lock, [&] { return failed ? 0 : write_all(descriptor_, bytes); });
      writing_ = false;
      if (number != 0 && !failure_) failure_.number = number;
      ++written_;
    } else if (hash_ && !hashing_ && hashed_ < posted_ && ring_[hashed_ % kSlots].made) {
      const std::span<const std::byte> bytes = ring_[hashed_ % kSlots].stretch.bytes;
      hashing_ = true;
      unlocked(lock, [&] { return hash_->update(bytes), 0; });
      hashing_ = false;
      ++hashed_;
    } else {
      taken_ = std::max(taken_, done());
      while (taken_ < posted_ && ring_[taken_ % kSlots].made) ++taken_;  // had their bytes
      if (taken_ == posted_) return false;
      make(ring_[taken_++ % kSlots], lock);
    }
    tell();
    return true;
  }
  template <class Step>
  static int unlocked(Lock& lock, const Step& step) {
    lock.unlock();
    const int result = step();
    lock.lock();
    return result;
  }
  void make(Slot& slot, Lock& lock) {
    Failure failure;
    if (ends_) failure.number = ECANCELED;  // its result is not awaited
    if (!failure_ && !failure) {
      std::exception_ptr thrown;
      lock.unlock();
      try {
        const OffAccount none(unread_);
        auto stretch = slot.make();
        if (stretch) {
          MO_ASSERT(stretch->bytes.size() == slot.size, "a stretch that was announced with another size");
          slot.stretch = std::move(*stretch);
        } else {
          failure.error = std::move(stretch).error();
        }
      } catch (...) {
        thrown = std::current_exception();
        failure.number = ECANCELED;
      }
      lock.lock();
      if (thrown && !exception_) exception_ = thrown;
    }
    if (failure && !failure_) failure_ = std::move(failure);
    slot.made = true;
  }

  void run() {
    Lock lock(mutex_);
    while (!ends_) {
      const std::uint32_t seen = changes_;
      if (do_next(lock)) continue;
      lock.unlock();
      changes_.wait(seen);
      lock.lock();
    }
  }

  int descriptor_;
  ContentHash* hash_;
  mutable std::mutex mutex_;  ///< guards all members below; the thread that took a stretch uses its bytes without it
  std::array<Slot, kSlots> ring_;
  std::uint32_t posted_ = 0;
  std::uint32_t taken_ = 0;  ///< made, or being made
  std::uint32_t written_ = 0;
  std::uint32_t hashed_ = 0;
  std::uint32_t released_ = 0;
  bool writing_ = false;
  bool hashing_ = false;
  bool ends_ = false;
  Failure failure_;
  Budget unread_{BudgetOptions{.trusted = true}};  ///< only the caller's thread has one, and needs another
  std::exception_ptr exception_;                   ///< that a maker threw
  std::atomic<std::uint32_t> changes_ = 0;
  std::thread thread_;  ///< last: it reads the others
};

WriteBehind::WriteBehind(int descriptor) : descriptor_(descriptor) {}

WriteBehind::~WriteBehind() = default;

void WriteBehind::start(std::uint64_t more) {
  const bool worth = seen_ >= kWorthThread;
  seen_ += more;
  if (tried_ || !worth) return;
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

void WriteBehind::post(Stretch stretch) {
  if (stretch.bytes.empty() || failure_) return;
  start(stretch.bytes.size());
  if (worker_) return worker_->post(std::move(stretch));
  failure_.number = write_all(descriptor_, stretch.bytes);
  if (hash_) hash_->update(stretch.bytes);
}

void WriteBehind::post(std::uint64_t size, MakeStretch make) {
  if (size == 0 || failure_) return;
  start(0);
  if (worker_) return worker_->post(size, std::move(make));
  Budget unread(BudgetOptions{.trusted = true});
  const OffAccount none(unread);
  auto stretch = make();
  if (!stretch) {
    failure_.error = std::move(stretch).error();
    return;
  }
  MO_ASSERT(stretch->bytes.size() == size, "a stretch that was announced with another size");
  post(std::move(*stretch));
}

void WriteBehind::wait() {
  if (worker_) worker_->wait();
}

std::uint64_t WriteBehind::digest() {
  wait();
  return hash_->digest();
}

WriteBehind::Failure WriteBehind::failure() const { return failure_ || !worker_ ? failure_ : worker_->failure(); }

}  // namespace mo
