#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/command_line/reader.hpp"
#include "core/command_line/setters.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::tools {

/// What the options of each subcommand begin with.
struct SubcommandOptions {
  bool help = false;      ///< --help was given: print `help_text` only
  std::string help_text;  ///< names all options
  /// the rest of the line in its order: what says how a model is read, for Invocation::parse_model_options
  std::vector<std::string> model_words;
};

/// What a subcommand's help says beside its options.
struct SubcommandText {
  std::string_view code;      ///< of errors of its command line
  std::string_view operands;  ///< after its name: "MODEL [LAYER]"
  std::string_view purpose;   ///< in lines, which may become more
};

/// Reads the words of an invocation that `rows` and --help are for, and fills `options`; what is left is in
/// `model_words`. Words before the first option, then those before the rest, go to `leading`, as far as there are any:
/// after an option that only `mo` knows, a word may be its value or a model. Unknown::refused is for subcommands that
/// read no model. Errors: `text.code`, with the subcommand's name.
Expected<LineRead> read_subcommand_line(const SubcommandText& text, std::vector<const OptionRow*> rows,
                                        const Invocation& invocation, SubcommandOptions& options,
                                        std::initializer_list<std::string*> leading, Unknown unknown);

/// The error of a value that an option does not take.
Error wrong_value(const SubcommandText& text, const Invocation& invocation, const OptionRow& row, const Error& problem);

/// The same, with the values stored. `rows` is an array of OptionOf<Parsed>.
template <class Parsed, class Rows>
Expected<void> parse_subcommand_line(const SubcommandText& text, const Rows& rows, const Invocation& invocation,
                                     Parsed& options, std::initializer_list<std::string*> leading = {},
                                     Unknown unknown = Unknown::left) {
  std::vector<const OptionRow*> table;
  for (const OptionOf<Parsed>& row : rows) table.push_back(&row);
  MO_ASSIGN(const LineRead read, read_subcommand_line(text, table, invocation, options, leading, unknown));
  for (const Occurrence& occurrence : read.occurrences)
    if (auto stored = store(static_cast<const OptionOf<Parsed>&>(*occurrence.row), occurrence, options); !stored)
      return wrong_value(text, invocation, *occurrence.row, stored.error());
  return {};
}

}  // namespace mo::tools
