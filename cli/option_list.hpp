#pragma once

#include <string>

namespace mo::cli {

/// What --list-options prints: the name of each option on a line of its own; or a JSON list of objects with name,
/// aliases, and the other columns of the option table (core/command_line/option_row.hpp): docs/cli.md is made from it,
/// and tests/lint/options.py checks it.
std::string option_list(bool as_json);

}  // namespace mo::cli
