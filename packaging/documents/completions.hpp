#pragma once

#include <span>
#include <string>

#include "tools/common/subcommand.hpp"

namespace mo::documents {

/// Completions of `mo` for three shells: names of subcommands as the first word, names of options, and for their values
/// files, words, or nothing. Options of a subcommand are asked of it when they are completed (`mo NAME --help`).
std::string bash_completion(std::span<const tools::Subcommand> subcommands);
std::string zsh_completion(std::span<const tools::Subcommand> subcommands);
std::string fish_completion(std::span<const tools::Subcommand> subcommands);

}  // namespace mo::documents
