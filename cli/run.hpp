#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/diagnostics/exit_code.hpp"
#include "driver/convert.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::cli {

/// What is done with an IR that was written; gives the exit code, and what it found out for a report.
using AfterConversion =
    std::function<ExitCode(const Options& options, const Report& report, tools::Findings& findings)>;

/// The whole program, from its arguments (without its name) to its exit code. Prints on stdout and stderr. Its help
/// names `subcommands`.
ExitCode run(std::span<const std::string_view> arguments, const AfterConversion& after_conversion = {},
             std::span<const tools::Subcommand> subcommands = {});

}  // namespace mo::cli
