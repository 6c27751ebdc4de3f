#pragma once

#include <string>
#include <string_view>

#include "core/command_line/option_row.hpp"

namespace mo {

/// `text` in lines of at most `width` columns where its words allow it; lines after the first begin with `indent`
/// blanks, and so does the first one in the count. Ends with a line end.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// What --help says about an option: its names, and its help text beside or below them.
std::string describe(const OptionRow& row, std::size_t width);

}  // namespace mo
