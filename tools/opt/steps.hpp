#pragma once

#include <string_view>
#include <vector>

#include "core/pass/library.hpp"

namespace mo::tools {

/// The transformations of a pass list (core/pass/pass_list.hpp): `Name Other(key=value, key="text") Third`.
/// `GraphRewrite(Name, Other)` runs both in one traversal. Errors: MO-OPT-0001 with the column, MO-PASS-0011 (no such
/// transformation), those of `settings_in`.
Expected<std::vector<PassStep>> parse_steps(std::string_view text, const PassLibrary& library);

}  // namespace mo::tools
