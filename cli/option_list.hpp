#pragma once

#include <string>

namespace mo::cli {

/// What --list-options prints: the name of each option on a line of its own; or a JSON list of objects with name,
/// aliases, group (as in --help), takes ("nothing", "value", "list"), value (what --help calls it), is_path and help,
/// for completion scripts and checks of the documentation.
std::string option_list(bool as_json);

}  // namespace mo::cli
