#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/diagnostics/expected.hpp"

namespace mo {

/// What a conversion may use, as its user says. Zero: what follows from the size of the input.
struct BudgetOptions {
  std::uint64_t max_memory = 0;  ///< bytes of graphs and tensors that live at one time
  double max_seconds = 0;        ///< processor seconds of the converting thread
  bool trusted = false;          ///< no limits but those of this struct that are set
  /// true: stop at the next safe point; may be set by any thread. Not owned
  const std::atomic<bool>* cancel = nullptr;
};

/// The accountant of one conversion: what graphs and tensors hold, what was computed, and what the files that were read
/// entitle it to.
///
/// Limits that follow from the input count bytes and work, not time: the same model is accepted on a fast machine and
/// on a slow one. The processor clock is only a second net, wide enough for machines that are `kSlowMachine` times
/// slower than the one the work was measured on. Belongs to the thread of its `BudgetScope`; memory that another thread
/// gives back is not credited.
class Budget {
 public:
  explicit Budget(const BudgetOptions& options = {});

  /// A file was opened: what may be used grows with what has to be read.
  void add_input(std::uint64_t bytes);
  /// Bytes were taken (or, negative, given back). Only counted: the next `spend` or `check` reports it.
  void hold(std::int64_t bytes) noexcept {
    held_ += bytes;
    if (held_ > peak_) peak_ = held_;
  }
  /// Error MO-LIMIT-0001 when `bytes` more would be too many.
  Expected<void> room_for(std::uint64_t bytes) const;
  /// A safe point after or before `work` units of work. A unit is about a nanosecond: a byte that an operation reads
  /// or writes. Errors: MO-LIMIT-0001 (memory), MO-LIMIT-0002 (work), MO-LIMIT-0003 (time), MO-LIMIT-0004 (cancelled).
  Expected<void> spend(std::uint64_t work) {
    work_ += work < kUnlimited - work_ ? work : kUnlimited - work_;
    // a million nodes come here
    if (work_ < next_review_ && held_ <= static_cast<std::int64_t>(memory_limit_)) return {};
    return review();
  }
  /// Whether `spend` has failed: nothing after it can succeed, so code that collects errors stops.
  bool is_exhausted() const { return exhausted_; }
  /// Asks for `bytes` of constants that are computed from next to nothing (ConstantOfShape); false when they are better
  /// left to the runtime.
  bool grow_constant(std::uint64_t bytes);

  std::uint64_t input_bytes() const { return input_; }
  std::uint64_t memory_limit() const { return memory_limit_; }
  std::uint64_t work_limit() const { return work_limit_; }
  std::uint64_t grown_limit() const { return grown_limit_; }
  std::uint64_t peak_bytes() const { return static_cast<std::uint64_t>(peak_); }
  std::uint64_t work() const { return work_; }
  std::uint64_t grown_bytes() const { return grown_; }

  /// The budget of this thread; null when it has no limits.
  static Budget* current() { return current_; }

 private:
  friend class BudgetScope;
  void set_limits();
  Expected<void> review();
  Expected<void> check() const;
  Expected<void> check_clock() const;

  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  static thread_local constinit Budget* current_;

  BudgetOptions options_;
  double started_ = 0;  ///< processor seconds of the thread
  std::uint64_t input_ = 0;
  std::uint64_t memory_limit_ = 0;
  std::uint64_t work_limit_ = 0;
  std::uint64_t grown_limit_ = 0;
  std::int64_t held_ = 0;
  std::int64_t peak_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t grown_ = 0;
  std::uint64_t next_review_ = 0;  ///< all is checked, also the clock, when `work_` gets there
  bool exhausted_ = false;
};

/// While it lives, what this thread does is on account of a budget.
class BudgetScope {
 public:
  explicit BudgetScope(Budget& budget) : before_(std::exchange(Budget::current_, &budget)) {}
  ~BudgetScope() { Budget::current_ = before_; }
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

 private:
  Budget* before_;
};

/// Work of the steps that are counted, in the unit of `Budget::spend`: measured on the chain of a million nodes, times
/// two.
namespace work {
inline constexpr std::uint64_t kReadNode = 2000;
inline constexpr std::uint64_t kInferNode = 2000;
inline constexpr std::uint64_t kVisitNode = 100;
}  // namespace work

/// `Budget::spend` on the budget of this thread, if there is one.
inline Expected<void> spend(std::uint64_t work) {
  Budget* budget = Budget::current();
  return budget ? budget->spend(work) : Expected<void>();
}

/// `Budget::grow_constant` on the budget of this thread; without one, each constant by itself is judged by the limit of
/// a small model.
bool may_grow_constant(std::uint64_t bytes);
/// Bytes that may be computed at once for one result whose size is not known before (NonZero); follows from the input.
std::uint64_t limit_of_unknown_size();

/// Bytes that its owner holds, for as long as it holds them.
class MemoryCharge {
 public:
  MemoryCharge() = default;
  MemoryCharge(MemoryCharge&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryCharge& operator=(MemoryCharge&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryCharge() { hold(-bytes_); }

  void add(std::int64_t bytes) noexcept {
    bytes_ += bytes;
    hold(bytes);
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  static void hold(std::int64_t bytes) noexcept {
    if (Budget* budget = Budget::current(); budget && bytes != 0) budget->hold(bytes);
  }
  std::int64_t bytes_ = 0;
};

}  // namespace mo
