#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo::cli {

/// What docs/errors.md says about a code ("MO-OPS-0012", or "ops-0012"), with the exit code it leads to, or about the
/// codes for a message of the original Model Optimizer (a part of it, or "question #38" of its FAQ). Error MO-CLI-0073
/// for what is not listed there. `width`: columns.
Expected<std::string> explain(std::string_view words, std::size_t width = 80);

}  // namespace mo::cli
