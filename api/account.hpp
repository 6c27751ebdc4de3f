#pragma once

#include <new>
#include <type_traits>

#include "core/diagnostics/expected.hpp"
#include "core/support/budget.hpp"

namespace mo {

/// Runs `work`, which returns an Expected, on a budget of its own, as a conversion is. Error MO-LIMIT-0005 when memory
/// ends.
template <class Work>
std::invoke_result_t<Work> on_account(const BudgetOptions& options, Work&& work) {
  // Made while there is memory for it.
  Error no_memory = error("MO-LIMIT-0005", "there is not enough memory for this model")
                        .hint("raise the memory limit of the process (ulimit -v, container)");
  try {
    Budget budget(options);
    const BudgetScope scope(budget);
    return work();
  } catch (const std::bad_alloc&) { return no_memory; }
}

}  // namespace mo
