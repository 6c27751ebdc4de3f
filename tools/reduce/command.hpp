#pragma once

#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo::tools {

/// How a program ended.
struct CommandResult {
  int exit_code = -1;  ///< -1: by a signal
  int signal = 0;
  bool timed_out = false;
  std::string output;  ///< of stdout and stderr, the first megabyte
};

/// Runs a program (looked up in PATH) and waits; after `seconds` it and all that it started in its process group are
/// killed. Error MO-REDUCE-0004 when it cannot be started.
Expected<CommandResult> run_command(const std::vector<std::string>& words, double seconds);

}  // namespace mo::tools
