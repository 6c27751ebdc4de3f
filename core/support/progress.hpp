#pragma once

#include <cstdint>
#include <functional>

/// How far a long step got, reported by the code that does the work to the code that shows it, without a parameter of
/// every layer. Per thread, and only while a `ProgressScope` lives; otherwise a report costs one comparison.
namespace mo::progress {

/// While it lives, `told(done, total)` is called by `tell` on this thread. Scopes nest; the inner one hides the outer.
class ProgressScope {
 public:
  explicit ProgressScope(std::function<void(std::uint64_t done, std::uint64_t total)> told);
  ~ProgressScope();
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

 private:
  friend class Part;
  friend void tell(std::uint64_t done, std::uint64_t total);
  std::function<void(std::uint64_t, std::uint64_t)> told_;
  ProgressScope* outer_;
};

/// A part of the current step: what is reported while it lives is counted from `from` to `to` (both of 1) of that step.
class Part {
 public:
  Part(double from, double to);

 private:
  ProgressScope scope_;
};

/// `done` of `total` units (bytes, nodes) of the current step are finished. Cheap, but not for inner loops: say it
/// every few thousand units.
void tell(std::uint64_t done, std::uint64_t total);

}  // namespace mo::progress
