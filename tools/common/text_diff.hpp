#pragma once

#include <string>
#include <string_view>

namespace mo::tools {

/// The lines that differ, "-" before those of `before` only and "+" before those of `after` only, in order; unchanged lines are left out. Lines are
/// compared without the numbers of values, which count through a text form. O(lines) where most lines are the same.
std::string text_diff(std::string_view before, std::string_view after);

}  // namespace mo::tools
