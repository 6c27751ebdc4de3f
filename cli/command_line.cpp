#include "cli/command_line.hpp"

#include <fmt/ranges.h>

#include <iterator>

#include "cli/application.hpp"
#include "cli/arguments.hpp"
#include "driver/framework.hpp"
#include "driver/given_model.hpp"

namespace mo::cli {
namespace {

void append(std::vector<Diagnostic>& problems, Error&& error) {
  problems.insert(problems.end(), std::make_move_iterator(error.items().begin()),
                  std::make_move_iterator(error.items().end()));
}

/// Stores one option, and what was written for the record in the IR.
void apply(const Occurrence& occurrence, CommandLine& line, std::vector<Diagnostic>& problems) {
  const OptionRow& row = *occurrence.row;
  const bool flag = row.takes == Takes::nothing;
  // The last one wins, except in lists.
  std::string text = flag ? (occurrence.values.back() == "true" ? "True" : "False") : occurrence.values.back();
  if (row.takes == Takes::list) text = fmt::format("{}", fmt::join(occurrence.values, ","));
  if (row.name == "help" || (row.name == "explain" && line.action != Action::print_help)) {
    line.action = row.name == "help" ? Action::print_help : Action::explain;
    line.topic = text;
  }
  if (flag && text == "True" && row.name == "version" && line.action == Action::convert)
    line.action = Action::print_version;
  if (flag && text == "True" && row.name == "list-options" && line.action == Action::convert)
    line.action = Action::list_options;
  if (flag && text == "True" && row.name == "json") line.as_json = true;
  if (auto stored = row.apply(line.options, text); !stored) {
    append(problems, std::move(stored).error());
    return;
  }
  line.options.given.push_back({std::string(row.name), std::move(text), row.is_path, row.acts == Acts::on_ir});
}

/// Options of another framework than the model's. The original ignores them in silence, so they are no error.
void warn_about_other_frameworks(std::string_view framework, const std::vector<Occurrence>& occurrences,
                                 CommandLine& line) {
  for (const Occurrence& occurrence : occurrences) {
    const std::string_view owner = framework_of(occurrence.row->section);
    if (owner.empty() || owner == framework) continue;
    for (GivenOption& given : line.options.given)
      if (given.name == occurrence.row->name) given.affects_ir = false;
    line.warnings.push_back(warning("MO-CLI-0033", "--{} has no effect: it is for {} models, and this is {}",
                                    occurrence.row->name, find_framework(owner)->title,
                                    find_framework(framework)->title)
                                .hint("remove it, or name the importer with --framework"));
  }
}

}  // namespace

Expected<CommandLine> parse_command_line(std::span<const std::string_view> arguments, LineFor purpose) {
  Arguments read = read_arguments(arguments);
  std::vector<Diagnostic> problems = std::move(read.problems);
  MO_ASSIGN(const std::vector<Occurrence> occurrences, parse_words_of_options(std::move(read.words)));
  CommandLine line;
  for (const OptionRow* row : option_table()) line.options.known_options.push_back(row->name);
  for (const Occurrence& occurrence : occurrences) apply(occurrence, line, problems);
  // Who asks for help gets it, whatever else is wrong.
  if (line.action != Action::convert) return line;
  if (problems.empty())
    if (auto valid = validate(line.options); !valid) append(problems, std::move(valid).error());
  if (!problems.empty()) return Error(std::move(problems));
  if (line.options.converts() && purpose == LineFor::conversion) {
    adopt_model(line.options, kind_of_input_model(line.options));
    const Expected<const Framework*> framework = choose_framework(line.options);
    if (framework) {
      warn_about_other_frameworks((*framework)->name, occurrences, line);
      line.options.framework = (*framework)->name;
    } else if (!line.options.has_plugins()) {
      return framework.error();
    }  // else a plugin may know it; the driver sees when it has loaded them
  }
  return line;
}

}  // namespace mo::cli
