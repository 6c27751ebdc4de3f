#include "core/support/budget.hpp"

#include <algorithm>
#include <ctime>

namespace mo {
namespace {

constexpr std::uint64_t kMega = 1'000'000;
/// Graph and tensors: at least this much, or four times the input.
constexpr std::uint64_t kLeastMemory = 1'500 * kMega;
/// Work: five seconds of the machine it was measured on, and two more for each megabyte.
constexpr std::uint64_t kLeastWork = 5'000 * kMega;
constexpr std::uint64_t kWorkPerByte = 2'000;
/// Constants made of next to nothing, all together: they are written into the .bin. Test models have all their weights
/// from ConstantOfShape (VGG: 550 MB). Each by itself is in memory when it is written.
constexpr std::uint64_t kLeastGrown = std::uint64_t{1} << 30;
constexpr std::uint64_t kLargestGrown = 2;  ///< one constant may take this part
constexpr std::uint64_t kUnknownSize = 16;  ///< and one whose size is not known before, this
constexpr double kSlowMachine = 10;
constexpr std::uint64_t kWorkBetweenReviews = 10 * kMega;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return a > kMost / b ? kMost : a * b;
}

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

thread_local constinit Budget* Budget::current_ = nullptr;

Budget::Budget(const BudgetOptions& options) : options_(options), started_(thread_seconds()) { set_limits(); }

void Budget::add_input(std::uint64_t bytes) {
  input_ = std::min(kUnlimited, input_ + std::min(bytes, kUnlimited));
  set_limits();
}

void Budget::set_limits() {
  const bool bounded = !options_.trusted;
  memory_limit_ = options_.max_memory > 0 ? std::min(options_.max_memory, kUnlimited)
                  : bounded               ? std::max(kLeastMemory, times(input_, 4))
                                          : kUnlimited;
  work_limit_ = bounded && options_.max_seconds <= 0
                    ? kLeastWork + std::min(times(input_, kWorkPerByte), kUnlimited - kLeastWork)
                    : kUnlimited;
  grown_limit_ = bounded ? std::max(kLeastGrown, times(input_, 4)) : kUnlimited;
}

Expected<void> Budget::room_for(std::uint64_t bytes) const {
  const auto held = static_cast<std::uint64_t>(std::max<std::int64_t>(held_, 0));
  if (held <= memory_limit_ && bytes <= memory_limit_ - held) return {};
  return error("MO-LIMIT-0001",
               "the conversion needs more than {} MB: {} MB are in use, and {} more bytes are requested",
               memory_limit_ / kMega, held / kMega, bytes)
      .hint(
          "this limit protects against corrupt models; raise it with --max-memory, or lift the limits with --trusted");
}

Expected<void> Budget::review() {
  auto checked = check();
  exhausted_ = exhausted_ || !checked;
  // Reading the clock is a system call. Never beyond the limit of work, so that nothing but this has to look at it.
  next_review_ = std::min(work_ + std::min(kWorkBetweenReviews, kUnlimited - work_), std::max(work_limit_, work_) + 1);
  return checked;
}

Expected<void> Budget::check() const {
  if (work_ > work_limit_)
    return error("MO-LIMIT-0002",
                 "the conversion takes more work than a model of {} bytes may cause ({} million units)", input_,
                 work_limit_ / kMega)
        .hint(
            "this limit protects against corrupt models; give a time with --max-time, or lift the limits with "
            "--trusted");
  if (static_cast<std::uint64_t>(std::max<std::int64_t>(held_, 0)) > memory_limit_) return room_for(0);
  return check_clock();
}

Expected<void> Budget::check_clock() const {
  if (options_.cancel && options_.cancel->load(std::memory_order_relaxed))
    return error("MO-LIMIT-0004", "the conversion was cancelled").hint("the calling program requested this");
  const double allowed = options_.max_seconds > 0 ? options_.max_seconds
                         : options_.trusted       ? 0
                                                  : kSlowMachine * static_cast<double>(work_limit_) * 1e-9;
  if (allowed <= 0 || thread_seconds() - started_ <= allowed) return {};
  return error("MO-LIMIT-0003", "the conversion takes more than {} seconds of processor time", allowed)
      .hint("raise the limit with --max-time, or lift the limits with --trusted");
}

bool may_grow_constant(std::uint64_t bytes) {
  Budget* budget = Budget::current();
  return budget ? budget->grow_constant(bytes) : bytes <= kLeastGrown / kLargestGrown;
}

std::uint64_t limit_of_unknown_size() {
  const Budget* budget = Budget::current();
  return budget ? (budget->grown_limit() / kUnknownSize) : (kLeastGrown / kUnknownSize);
}

bool Budget::grow_constant(std::uint64_t bytes) {
  if (bytes > grown_limit_ / kLargestGrown || grown_ > grown_limit_ - bytes) return false;
  grown_ += bytes;
  return true;
}

}  // namespace mo
