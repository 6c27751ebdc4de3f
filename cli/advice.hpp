#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/common/subcommand.hpp"

namespace mo::cli {

/// Which command lines, beginning with `command` ("mo", "mo verify"), would have worked where the conversion of a model
/// has ended with the error, as far as subcommands know: lines to print, or nothing. Searches on an account of its own.
std::string advice_after(std::string_view command, const Options& options, const Error& error,
                         std::span<const tools::Subcommand> subcommands);

}  // namespace mo::cli
