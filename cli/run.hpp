#pragma once

#include <span>
#include <string_view>

#include "core/diagnostics/exit_code.hpp"

namespace mo::cli {

/// The whole program, from its arguments (without its name) to its exit code. Prints on stdout and stderr.
ExitCode run(std::span<const std::string_view> arguments);

}  // namespace mo::cli
