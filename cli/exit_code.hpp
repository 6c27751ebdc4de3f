#pragma once

#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo::cli {

/// What `mo` tells its caller; documented in docs/cli.md, never renumbered (8 is not used).
enum class ExitCode : int {
  ok = 0,
  conversion_failed = 1,
  usage = 2,
  input_unreadable = 3,
  input_malformed = 4,
  unsupported = 5,
  resource_limit = 6,
  output_unwritable = 7,
  extension_failed = 9,
};

/// The exit code for a diagnostic's code ("MO-IO-0001"): the row with the longest matching prefix decides.
ExitCode exit_code_of(std::string_view diagnostic_code);
/// The first diagnostic decides: it is the one the user reads first.
ExitCode exit_code_of(const Error& error);

}  // namespace mo::cli
