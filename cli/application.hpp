#pragma once

#include <string>
#include <vector>

#include "cli/option_table.hpp"
#include "core/diagnostics/expected.hpp"

namespace mo::cli {

/// An option that was given, with all its values in order; a flag has "true" or "false".
struct Occurrence {
  const OptionRow* row;
  std::vector<std::string> values;
};

/// Parses words in the one spelling of `read_arguments`. The result is in the order of the option table.
Expected<std::vector<Occurrence>> parse_words_of_options(std::vector<std::string> words);

}  // namespace mo::cli
