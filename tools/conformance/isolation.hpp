#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "tools/conformance/outcome.hpp"

namespace mo::conformance {

struct Limits {
  double seconds = 10;
  /// address space of one process; not set in sanitizer builds, which reserve terabytes
  std::uint64_t memory_bytes = 4ULL << 30;
  std::size_t jobs = 1;  ///< processes at the same time
};

/// Runs `task(0) … task(count - 1)`, each in a process of its own, with an empty folder of its own that is removed
/// afterwards. A task that crashes, exceeds the memory or the time is an outcome (failed, crashed), not the end of the
/// run. Outcomes come in task order. Call it while no other thread runs. Error MO-RUN-0021 when there is no temporary
/// folder.
using Task = std::function<Outcome(std::size_t index, const std::string& folder)>;
Expected<std::vector<Outcome>> run_isolated(std::size_t count, const Task& task, const Limits& limits);
/// The same in this process, one after the other and without limits: to measure. A task that crashes ends the program.
Expected<std::vector<Outcome>> run_in_process(std::size_t count, const Task& task);

}  // namespace mo::conformance
