#pragma once

#include <string_view>
#include <vector>

#include "core/pass/pass.hpp"

namespace mo::tools {

/// Transformations as they stand in one text: `Name Other(key=value, key="text") Third`. Commas and spaces between transformations are the same; a
/// value is true, false, a number, a word, or a text in quotes. Error MO-OPT-0001 with the column.
Expected<std::vector<PassStep>> parse_steps(std::string_view text);

}  // namespace mo::tools
