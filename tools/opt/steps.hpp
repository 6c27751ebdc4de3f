#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/pass/library.hpp"

namespace mo::tools {

/// One transformation of a pass list, or several in one traversal.
struct ListedStep {
  PassStep step;
  std::string text;  ///< as it was written
};

/// The transformations of a pass list (core/pass/pass_list.hpp): `Name Other(key=value, key="text") Third`.
/// `GraphRewrite(Name, Other)` runs both in one traversal. Errors: MO-OPT-0001 with the column, MO-PASS-0011 (no such
/// transformation), those of `settings_in`.
Expected<std::vector<ListedStep>> parse_steps(std::string_view text, const PassLibrary& library);

}  // namespace mo::tools
