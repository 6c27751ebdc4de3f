#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo::tools {

/// A flag of the programs around the Graph Transform Tool: `--name=value`; a bare `--name` is true.
struct Flag {
  std::string name;
  std::string* text = nullptr;  ///< either this
  bool* is_on = nullptr;        ///< or that
  std::string help;
};

/// Sets what the arguments say and gives those that are no flags; `--` ends the flags. Errors: MO-GTT-0030 (an unknown
/// argument), MO-GTT-0031 (a value that a flag does not take).
Expected<std::vector<std::string>> parse_flags(const std::vector<std::string>& arguments,
                                               const std::vector<Flag>& flags);
/// "usage: NAME" and a line for each flag.
std::string usage_of(std::string_view program, const std::vector<Flag>& flags);

/// "~" and "~user" at the beginning of a path, as a shell would write them out.
std::string expand_home(const std::string& path);
/// At each ',', nothing trimmed, empty pieces kept; nothing of an empty text.
std::vector<std::string> split_names(std::string_view text);

}  // namespace mo::tools
