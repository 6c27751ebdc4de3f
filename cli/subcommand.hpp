#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace mo::cli {

/// Runs the subcommand that the program's name or its first word means; nothing when it is none: then mo converts. `program`: how it was called,
/// perhaps with its folder. Gives the exit code.
std::optional<int> run_subcommand(std::string_view program, std::span<const std::string_view> arguments);

}  // namespace mo::cli
