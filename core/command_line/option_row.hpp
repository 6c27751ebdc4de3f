#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo {

/// What an option takes.
enum class Takes : std::uint8_t {
  nothing,  ///< a flag; `--flag=false` takes it back
  value,    ///< one value, the last one wins
  list,     ///< values that add up over several occurrences
  perhaps,  ///< a value, or none: then it is `OptionRow::otherwise`
  pair,     ///< two values, the last two win
};

/// Whether an option can change the IR, which records those that can (`conversion_parameters`): the same model gives
/// the same bytes whatever others are given.
enum class Acts : std::uint8_t { on_ir, beside_ir };

/// What becomes of an option that is given. `OptionRow::advice` is the second half of the message.
enum class Standing : std::uint8_t {
  current,
  deprecated,  ///< acts, with warning MO-CLI-0030
  ignored,     ///< an option of earlier releases that does nothing: warning MO-CLI-0031
  idle,        ///< has no effect here, and the advice says why: warning MO-CLI-0034
  removed,     ///< an option of earlier releases: error MO-CLI-0001; in no list of options
  foreign,     ///< an option of other programs, never of this one: as `removed`
};

/// Whether an option is in the table only to say what to write in its place.
constexpr bool is_refused(Standing standing) { return standing == Standing::removed || standing == Standing::foreign; }

/// A section of --help and of docs/cli.md.
struct OptionSection {
  std::string_view topic = {};  ///< `mo --help TOPIC`
  std::string_view title = {};
  std::string_view framework = {};  ///< the only one whose models its options are for: "tf"; empty: all
};

/// What docs/cli.md says in place of metavar and help, in Markdown; what is empty is taken from there.
struct OptionManual {
  std::string_view value = {};
  std::string_view otherwise = {};  ///< the default
  std::string_view meaning = {};
};

/// Everything about an option but where its value goes (OptionOf): the parser, help texts, man pages, completions,
/// docs/cli.md and the checks of tests/lint/options.py are made from it. Rows are constant data: a table costs nothing
/// at start-up.
struct OptionRow {
  std::string_view name = {};         ///< as --help shows it, without "--"
  std::string_view letters = {};      ///< names with one dash, without it, separated by a space: "w m"
  std::string_view other_names = {};  ///< further long names, separated by a space
  Takes takes = Takes::nothing;
  const OptionSection* section = nullptr;  ///< subcommands have none
  Acts acts = Acts::on_ir;
  std::string_view metavar = {};    ///< what --help calls the value
  std::string_view words = {};      ///< the usual values, separated by a space, for completions
  bool is_choice = false;           ///< other values than `words` are refused
  std::string_view otherwise = {};  ///< see Takes::perhaps
  bool is_path = false;
  bool is_operand = false;  ///< a word without a dash is its value
  std::string_view help = {};
  OptionManual manual = {};
  Standing standing = Standing::current;
  std::string_view advice = {};  ///< see Standing
  /// a value that any model can be converted with: tests/lint/options.py tries it
  std::string_view example = {};
};

/// A row, and what stores a value in `Target`. A flag is stored as "True" or "False"; each value of a list or pair is
/// stored by itself.
template <class Target>
struct OptionOf : OptionRow {
  Expected<void> (*store)(Target& target, std::string_view text) = nullptr;
};

/// `--Input-Shape` is not `--input_shape`, but `--input-shape` is: '-' and '_' are the same in names.
std::string normalized(std::string_view name);

/// The parts of a list like OptionRow::letters.
std::vector<std::string_view> split_words(std::string_view words);

/// Whether `name` (normalized) is one of the long names.
bool is_called(const OptionRow& row, std::string_view name);

}  // namespace mo
