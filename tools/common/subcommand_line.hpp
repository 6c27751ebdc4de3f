#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "tools/common/subcommand.hpp"

namespace CLI {
class App;
}

namespace mo::tools {

/// What the options of each subcommand begin with.
struct SubcommandOptions {
  bool help = false;      ///< --help was given: `help_text` is all that is wanted
  std::string help_text;  ///< names all options
  /// the rest of the line in its order: what says how a model is read, for Invocation::parse_model_options
  std::vector<std::string> model_words;
};

/// Gives `app` the name that its help shows, with `operands` behind it ("MODEL [LAYER]"; may be empty), and --help.
/// `options` must live as long as `app`.
void begin_subcommand_options(CLI::App& app, const Invocation& invocation, std::string_view operands,
                              SubcommandOptions& options);

/// Gives `app` the words of an invocation that it has options for; fills `options`. Words in front of the first option,
/// then those in front of the rest, go to `leading`, as far as there are any: behind an option that only `mo` knows,
/// nobody can tell its value from a model. Errors: `code`, with the subcommand's name.
Expected<void> parse_subcommand_line(CLI::App& app, const Invocation& invocation, std::string_view code,
                                     SubcommandOptions& options, std::initializer_list<std::string*> leading = {});

/// The same for a subcommand that reads no model: a word that `app` does not know is an error.
Expected<void> parse_whole_line(CLI::App& app, const Invocation& invocation, std::string_view code,
                                SubcommandOptions& options);

}  // namespace mo::tools
