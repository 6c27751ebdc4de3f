#pragma once

#include "core/support/budget.hpp"

namespace mo::tools {

/// Each run of a model is on an account of its own, which is as large as that of reading it.
class RunAccount {
 public:
  explicit RunAccount(const BudgetOptions& options)
      : read_(Budget::current() ? Budget::current()->input_bytes() : 0), budget_(options) {
    budget_.add_input(read_);
  }

 private:
  std::uint64_t read_;
  Budget budget_;
  BudgetScope scope_{budget_};
};

}  // namespace mo::tools
