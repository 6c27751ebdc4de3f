#pragma once

#include "core/diagnostics/exit_code.hpp"
#include "driver/convert.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::tools {

/// What --check and --verify ask for: looks at what a conversion wrote, and prints what came out (with --silent only
/// what is wrong). Ok without both.
ExitCode verify_conversion(const Options& options, const Report& report, Findings& findings);

}  // namespace mo::tools
