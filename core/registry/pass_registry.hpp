#pragma once

#include <vector>

#include "core/pass/pass.hpp"

namespace mo {

/// The replacers and passes that files and plugins contribute; the driver hands them to a PassManager.
class PassRegistry {
 public:
  void add(Pass pass) { passes_.push_back(std::move(pass)); }
  std::vector<Pass> take() { return std::move(passes_); }
  const std::vector<Pass>& passes() const { return passes_; }

 private:
  std::vector<Pass> passes_;
};

}  // namespace mo
