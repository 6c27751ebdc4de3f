#pragma once

#include <string_view>
#include <vector>

#include "core/pass/library.hpp"

namespace mo::tools {

/// Transformations as they stand in one text: `Name Other(key=value, key="text") Third`. Commas and spaces between
/// transformations are the same; a value is true, false, a number, a word, or a text in quotes; without a key it is the
/// next setting in the order of their declaration. `GraphRewrite(Name, Other)` runs both in one traversal. Errors:
/// MO-OPT-0001 with the column, MO-PASS-0011 (no such transformation), MO-PASS-0022 (more values than settings).
Expected<std::vector<PassStep>> parse_steps(std::string_view text, const PassLibrary& library);

}  // namespace mo::tools
