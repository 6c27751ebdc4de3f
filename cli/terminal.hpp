#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace mo::cli {

/// Columns for text on stdout: the variable COLUMNS, else what the terminal says; 80 when there is none.
std::size_t terminal_width();

/// Whether `stream` is a terminal with colours, and they are not disabled (NO_COLOR, see no-color.org; TERM=dumb).
bool has_colours(std::FILE* stream);

/// `text` with its labels ("[ ERROR ]", "hint") in colour. Everything else stays as it is.
std::string highlighted(std::string_view text);

}  // namespace mo::cli
