#include "cli/application.hpp"

// The one file that includes CLI11: it is large, and its validators are made at start-up.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <iterator>

namespace mo::cli {
namespace {

struct Application {
  CLI::App app;
  std::vector<std::pair<const OptionRow*, CLI::Option*>> options;

  explicit Application(const std::vector<const OptionRow*>& rows) {
    app.set_help_flag();  // --help is a row of the table, as everything else
    options.reserve(rows.size());
    for (const OptionRow* row : rows) {
      const std::string name = "--" + std::string(row->name);
      CLI::Option* option = row->takes == Takes::nothing ? app.add_flag(name) : app.add_option(name, CLI::callback_t());
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      options.emplace_back(row, option);
    }
  }
};

/// The rows that `words` name, in the order of the table. CLI11 compares each new option with all that it has: giving
/// it the whole table would be a sixth of what converting a tiny model costs.
std::vector<const OptionRow*> rows_named_in(const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const std::string_view word : words)
    if (word.starts_with("--")) names.push_back(word.substr(2, word.find('=') - 2));
  std::vector<const OptionRow*> rows;
  std::ranges::copy_if(option_table(), std::back_inserter(rows),
                       [&](const OptionRow* row) { return std::ranges::find(names, row->name) != names.end(); });
  return rows;
}

}  // namespace

Expected<std::vector<Occurrence>> parse_words_of_options(std::vector<std::string> words) {
  Application application(rows_named_in(words));
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    application.app.parse(std::move(words));
  } catch (const CLI::ParseError& problem) {
    // read_arguments has refused whatever a user can get wrong; this keeps an exception from crossing the boundary all
    // the same.
    return error("MO-CLI-0009", "the command line cannot be parsed: {}", problem.what())
        .hint("`mo --help` lists all options");
  }
  std::vector<Occurrence> found;
  for (const auto& [row, option] : application.options)
    if (option->count() != 0) found.push_back({row, option->results()});
  return found;
}

}  // namespace mo::cli
