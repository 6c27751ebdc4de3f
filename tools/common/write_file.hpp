#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo {
class InputFiles;
}

namespace mo::tools {

/// Writes one file whole or not at all, over an earlier one; `inputs` are never overwritten. Errors as of OutputSet.
Expected<void> write_file(const std::string& path, std::string_view text, const InputFiles* inputs = nullptr);

}  // namespace mo::tools
