#include "cli/command_line.hpp"

#include <fmt/ranges.h>

#include <filesystem>
#include <iterator>

#include "cli/option_table.hpp"
#include "core/command_line/reader.hpp"
#include "driver/framework.hpp"
#include "driver/given_model.hpp"
#include "driver/ir_to_onnx.hpp"

namespace mo::cli {
namespace {

void append(std::vector<Diagnostic>& problems, Error&& error) {
  problems.insert(problems.end(), std::make_move_iterator(error.items().begin()),
                  std::make_move_iterator(error.items().end()));
}

/// Stores one option, and what was written for the record in the IR.
void apply(const Occurrence& occurrence, CommandLine& line, std::vector<Diagnostic>& problems) {
  const auto& row = static_cast<const Row&>(*occurrence.row);  // option_table has no others
  if (auto stored = store(row, occurrence, line); !stored) return append(problems, std::move(stored).error());
  std::string text =
      row.takes == Takes::list ? fmt::format("{}", fmt::join(occurrence.values, ",")) : occurrence.values.back();
  line.options.given.push_back({std::string(row.name), std::move(text), row.is_path, row.acts == Acts::on_ir});
}

/// A file in place of the output folder: `-o out/net.onnx` is `--to onnx --model_name net -o out`, and `-o out/net.xml`
/// the same for an IR. A folder that is called so remains one. Error MO-CLI-0007.
Expected<void> take_output_file(Options& options) {
  namespace fs = std::filesystem;
  const fs::path path(options.output_dir);
  const bool is_onnx = path.extension() == ".onnx";
  std::error_code failure;
  if ((!is_onnx && path.extension() != ".xml") || fs::is_directory(path, failure)) return {};
  const auto excludes = [&](std::string_view option, std::string_view hint) {
    return error("MO-CLI-0007", "--output_dir {} and {} exclude each other", path.string(), option).hint("{}", hint);
  };
  if (options.is_given("model_name")) return excludes("--model_name", "name the file once");
  if (options.is_given("to") && options.to_onnx != is_onnx)
    return excludes(is_onnx ? "--to ir" : "--to onnx", "name a file of that format, or leave out --to");
  options.to_onnx = is_onnx;
  options.model_name = path.stem().string();
  options.output_dir = path.has_parent_path() ? path.parent_path().string() : ".";
  return {};
}

void warn_about_standing(const Occurrence& occurrence, CommandLine& line) {
  const OptionRow& row = *occurrence.row;
  if (!line.options.is_given(row.name)) return;
  const auto warn = [&](Diagnostic found) { line.warnings.push_back(std::move(found)); };
  switch (row.standing) {
    case Standing::current:
    case Standing::removed:
    case Standing::foreign: return;
    case Standing::deprecated:
      return warn(warning("MO-CLI-0030", "--{} is deprecated and will be refused in a later version", row.name)
                      .hint("{}", row.advice));
    case Standing::ignored:
      return warn(warning("MO-CLI-0031", "--{} no longer exists and is ignored", row.name)
                      .hint("remove it from the command line"));
    case Standing::idle:
      return warn(warning("MO-CLI-0034", "--{} has no effect: {}", row.name, row.advice)
                      .hint("remove it from the command line"));
  }
}

/// The options that there are, those that were, and those of other programs.
const std::vector<const OptionRow*>& known_options() {
  static const std::vector<const OptionRow*> known = [] {
    std::vector<const OptionRow*> rows = option_table();
    for (const std::span<const Row> refused : {former_options(), foreign_options()})
      for (const Row& row : refused) rows.push_back(&row);
    return rows;
  }();
  return known;
}

/// Options of another framework than the model's. The original silently ignores them, so they are not an error.
void warn_about_other_frameworks(std::string_view framework, const std::vector<Occurrence>& occurrences,
                                 CommandLine& line) {
  for (const Occurrence& occurrence : occurrences) {
    const std::string_view owner = occurrence.row->section->framework;
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
  std::vector<std::string_view> words(arguments.begin(), arguments.end());
  // Subcommands are the first word (design: one program with many faces); this one is an option by another name.
  if (!words.empty() && words.front() == "explain") words.front() = "--explain";
  LineRead read = read_line(known_options(), words);
  std::vector<Diagnostic> problems = std::move(read.problems);
  CommandLine line;
  for (const OptionRow* row : option_table()) line.options.known_options.push_back(row->name);
  for (const Occurrence& occurrence : read.occurrences) apply(occurrence, line, problems);
  // Who asks for help gets it, whatever else is wrong.
  if (line.action != Action::convert) return line;
  if (auto taken = take_output_file(line.options); !taken) append(problems, std::move(taken).error());
  if (problems.empty())
    if (auto valid = validate(line.options); !valid) append(problems, std::move(valid).error());
  if (!problems.empty()) return Error(std::move(problems));
  for (const Occurrence& occurrence : read.occurrences) warn_about_standing(occurrence, line);
  if (is_ir_for_onnx(line.options) && purpose == LineFor::conversion) {
    MO_TRY(check_options_for_ir(line.options));
    return line;
  }
  if (line.options.converts() && purpose == LineFor::conversion) {
    adopt_model(line.options, kind_of_input_model(line.options));
    const Expected<const Framework*> framework = choose_framework(line.options);
    if (framework) {
      warn_about_other_frameworks((*framework)->name, read.occurrences, line);
      line.options.framework = (*framework)->name;
    } else if (!line.options.has_plugins()) {
      return framework.error();
    }  // else a plugin may know it; the driver sees when it has loaded them
  }
  return line;
}

}  // namespace mo::cli
