#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/diagnostics/exit_code.hpp"
#include "driver/convert.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::cli {

/// Runs the subcommand that the program's name or its first word means; nothing when it is none: then mo converts.
/// `program`: how it was called, perhaps with its folder. Gives the exit code.
std::optional<int> run_subcommand(std::string_view program, std::span<const std::string_view> arguments);

/// `help NAME` is what `NAME --help` is when NAME is a subcommand; otherwise `--help NAME`, and `help` alone `--help`.
/// A file of the name is a model. So is `--help NAME` when no option has that name. Changes nothing else.
void read_help_word(std::vector<std::string_view>& arguments);

/// What is wrong with words that cannot be a command line of mo for a reason that its options do not know: a misspelt
/// subcommand, or several models. Errors MO-CLI-0093, MO-CLI-0008.
Expected<void> check_words(std::span<const std::string_view> arguments, std::span<const tools::Subcommand> subcommands);

/// What subcommands have to do with a conversion that was written: --verify. The first exit code that is not ok.
ExitCode after_conversion(const Options& options, const Report& report, tools::Findings& findings);

}  // namespace mo::cli
