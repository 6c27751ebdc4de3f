#pragma once

#include <string>
#include <string_view>

namespace mo::tools {

/// The fewest lines that go ("-") and come ("+") to make `after` of `before`, in order; unchanged lines are left out,
/// and a line that moved goes and comes. Lines are compared without the numbers of values, which count through a text
/// form. O(lines * changes).
std::string text_diff(std::string_view before, std::string_view after);

}  // namespace mo::tools
