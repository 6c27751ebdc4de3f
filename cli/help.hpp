#pragma once

#include <string>
#include <string_view>

#include "core/command_line/option_help.hpp"
#include "core/diagnostics/expected.hpp"

namespace mo::cli {

inline constexpr std::string_view kUsage = "usage: mo [options] --input_model PATH";

/// What --help prints, in lines of at most `width` columns where words and command lines allow it. Topics: "" for
/// everything, a section of the option table, "examples", "exit-codes", "topics", or the name of an option. Error
/// MO-CLI-0072 for what is none of these.
Expected<std::string> help_text(std::string_view topic, std::size_t width);

}  // namespace mo::cli
