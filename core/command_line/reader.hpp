#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/command_line/option_row.hpp"

namespace mo {

/// An option that was given, with all its values in order; those of a flag are "True" and "False".
struct Occurrence {
  const OptionRow* row;
  std::vector<std::string> values;
};

/// What a command line has.
struct LineRead {
  std::vector<Occurrence> occurrences;  ///< in the order of the table
  std::vector<std::string> rest;        ///< in their order: what is not in the table, where that is asked for
  std::vector<Diagnostic> problems;     ///< whatever could not be understood; `occurrences` has the rest
};

/// Who gets the words that the table has no option for.
enum class Unknown : std::uint8_t {
  refused,
  left,  ///< LineRead::rest; then only whole names count, since beginnings of names may be those of other options
};

/// Reads everything that Python's argparse accepts, so that command lines of the original keep working: `--name value`,
/// `--name=value`, unambiguous beginnings of long names, short names of several letters with one dash (`-ms`), values
/// attached to short names (`-b1`), values that begin with '-', and '-' for '_' in long names. `program` has the help
/// that hints name. Errors: MO-CLI-0001 to 0005, and 0008.
LineRead read_line(std::span<const OptionRow* const> table, std::span<const std::string_view> words,
                   Unknown unknown = Unknown::refused, std::string_view program = "mo");

/// Stores the values of one option. The last one wins, except in lists.
template <class Target>
Expected<void> store(const OptionOf<Target>& row, const Occurrence& occurrence, Target& target) {
  const std::size_t size = occurrence.values.size();
  const std::size_t wanted = row.takes == Takes::list ? size : row.takes == Takes::pair ? 2 : 1;
  for (std::size_t i = size - std::min(size, wanted); i < size; ++i) MO_TRY(row.store(target, occurrence.values[i]));
  return {};
}

}  // namespace mo
