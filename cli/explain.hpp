#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo::cli {

/// What docs/errors.md says about a code ("MO-OPS-0012", or "ops-0012"), with the exit code it leads to. Error MO-CLI-0073 for a code that is not
/// listed there. `width`: columns.
Expected<std::string> explain(std::string_view code, std::size_t width = 80);

}  // namespace mo::cli
