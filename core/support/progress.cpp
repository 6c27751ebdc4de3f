#include "core/support/progress.hpp"

#include <utility>

namespace mo::progress {
namespace {

thread_local ProgressScope* innermost = nullptr;

}  // namespace

ProgressScope::ProgressScope(std::function<void(std::uint64_t done, std::uint64_t total)> told)
    : told_(std::move(told)), outer_(std::exchange(innermost, this)) {}

ProgressScope::~ProgressScope() { innermost = outer_; }

Part::Part(double from, double to)
    : scope_([this, from, to](std::uint64_t done, std::uint64_t total) {
        constexpr double kUnits = 1e9;
        const double share = from + (to - from) * static_cast<double>(done) / static_cast<double>(total);
        if (scope_.outer_)
          scope_.outer_->told_(static_cast<std::uint64_t>(share * kUnits), static_cast<std::uint64_t>(kUnits));
      }) {}

void tell(std::uint64_t done, std::uint64_t total) {
  if (innermost && total > 0) innermost->told_(done, total);
}

}  // namespace mo::progress
