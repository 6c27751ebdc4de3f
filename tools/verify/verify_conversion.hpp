#pragma once

#include "core/diagnostics/exit_code.hpp"
#include "driver/convert.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::tools {

/// What --verify asks for: checks what a conversion wrote, and prints what came out (with --silent only that both
/// differ). Ok without --verify.
ExitCode verify_conversion(const Options& options, const Report& report, Findings& findings);

}  // namespace mo::tools
