#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/diagnostics/exit_code.hpp"
#include "driver/convert.hpp"

namespace mo::cli {

/// What is done with an IR that was written; gives the exit code.
using AfterConversion = std::function<ExitCode(const Options& options, const Report& report)>;

/// The whole program, from its arguments (without its name) to its exit code. Prints on stdout and stderr.
ExitCode run(std::span<const std::string_view> arguments, const AfterConversion& after_conversion = {});

}  // namespace mo::cli
