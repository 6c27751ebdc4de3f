#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"

namespace mo::cli {

/// A command line in one spelling: for each option `--name` as the table has it, followed by its value ("true" or
/// "false" behind '=' for a flag that was given one).
struct Arguments {
  std::vector<std::string> words;
  std::vector<Diagnostic> problems;  ///< whatever could not be understood; `words` has the rest
};

/// Understands everything that Python's argparse accepts, so that command lines of the original keep working: `--name
/// value`,
/// `--name=value`, unambiguous beginnings of long names, short names of several letters with one dash (`-ms`), values
/// attached to short names (`-b1`), values that begin with '-', and '-' for '_' in long names. One argument without a
/// dash is the model.
Arguments read_arguments(std::span<const std::string_view> arguments);

}  // namespace mo::cli
