#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/command_line/option_help.hpp"
#include "core/diagnostics/expected.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::cli {

inline constexpr std::string_view kUsage = "usage: mo [options] --input_model PATH";

/// What --help prints, in lines of at most `width` columns where words and command lines allow it. Topics: "" for
/// everything, a section of the option table, "subcommands", "examples", "exit-codes", "topics", or the name of an
/// option. Error MO-CLI-0072 for what is none of these. `subcommands`: those that the program has.
Expected<std::string> help_text(std::string_view topic, std::size_t width,
                                std::span<const tools::Subcommand> subcommands = {});

/// A line with the names of the subcommands; empty when there are none.
std::string list_of(std::span<const tools::Subcommand> subcommands);

}  // namespace mo::cli
