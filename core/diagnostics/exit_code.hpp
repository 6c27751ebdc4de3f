#pragma once

#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo {

/// What a program tells its caller, the same for `mo` and all tools; documented in docs/cli.md, never renumbered.
enum class ExitCode : int {
  ok = 0,
  conversion_failed = 1,  ///< a bug in mo, or an error without a better code
  usage = 2,
  input_unreadable = 3,
  input_malformed = 4,
  unsupported = 5,
  resource_limit = 6,
  output_unwritable = 7,
  verification_failed = 8,  ///< the model and its IR do not compute the same
  extension_failed = 9,     ///< or an engine of `mo verify --engine`
};

/// The exit code for a diagnostic's code ("MO-IO-0001"), as docs/errors.d declares it: for the code itself, else for
/// its area. What is not declared there (errors of plugins) is a failed conversion. O(log codes).
ExitCode exit_code_of(std::string_view diagnostic_code);
/// The first diagnostic decides: it is the one the user reads first. An error of a plugin's code is `extension_failed`,
/// whatever its code.
ExitCode exit_code_of(const Error& error);

}  // namespace mo
