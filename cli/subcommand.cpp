#include "cli/subcommand.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/advice.hpp"
#include "cli/command_line.hpp"
#include "cli/console.hpp"
#include "cli/option_table.hpp"
#include "cli/run.hpp"
#include "cli/terminal.hpp"
#include "core/command_line/option_text.hpp"
#include "core/support/budget.hpp"
#include "core/support/nearest.hpp"
#include "core/support/shell.hpp"
#include "tools/common/subcommand.hpp"

namespace mo::cli {
namespace {

using tools::Subcommand;

/// Understands the words that name a model. What the tool does from then on, until the account is gone, is on a budget
/// as a conversion is.
class ModelAccount {
 public:
  Expected<Options> parse(const std::vector<std::string>& words) {
    const std::vector<std::string_view> views(words.begin(), words.end());
    MO_ASSIGN(CommandLine line, parse_command_line(views, LineFor::tool));
    // a second model is on the account of the first
    if (!budget_) scope_.emplace(budget_.emplace(line.options.budget));
    return std::move(line.options);
  }

 private:
  std::optional<Budget> budget_;
  std::optional<BudgetScope> scope_;
};

bool is_link(const Subcommand& subcommand, std::string_view program) {
  return std::find(subcommand.links.begin(), subcommand.links.end(), program) != subcommand.links.end();
}

bool exists(std::string_view path) {
  std::error_code failure;
  return std::filesystem::exists(std::filesystem::path(path), failure);
}

/// The subcommand that `word` may have been meant as, or nullptr.
const Subcommand* meant_subcommand(std::string_view word, std::span<const Subcommand> subcommands) {
  const Subcommand* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const Subcommand& subcommand : subcommands) {
    if (std::ranges::find(subcommand.also_tried, word) != subcommand.also_tried.end()) return &subcommand;
    const std::size_t distance = edit_distance(word, subcommand.name);
    if (distance >= best_distance) continue;
    best = &subcommand;
    best_distance = distance;
  }
  return best;
}

/// The files as a shell lists them: as a pattern where they are all files of a folder with this ending.
std::string listed(std::span<const std::string_view> files) {
  constexpr std::size_t kShown = 4;
  namespace fs = std::filesystem;
  const fs::path first(files.front());
  const auto is_alike = [&](const fs::path& path) {
    return path.parent_path() == first.parent_path() && path.extension() == first.extension() &&
           !path.filename().string().starts_with('.');
  };
  if (files.size() > kShown && !first.extension().empty() &&
      std::ranges::all_of(files, [&](std::string_view file) { return is_alike(file); })) {
    std::error_code failure;
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(first.has_parent_path() ? first.parent_path() : ".", failure))
      count += is_alike(first.parent_path() / entry.path().filename()) ? 1 : 0;
    const std::string folder = first.has_parent_path() ? shell_word(first.parent_path().string()) + "/" : "";
    if (count == files.size()) return folder + "*" + shell_word(first.extension().string());
  }
  std::string text;
  for (const std::string_view file : files.first(std::min(files.size(), kShown)))
    text += (text.empty() ? "" : " ") + shell_word(file);
  return files.size() > kShown ? text + " …" : text;
}

/// Several files are several models, unless they are the two parts of a Caffe model. `rest`: what else was given.
Diagnostic several_models(std::span<const std::string_view> files, std::span<const std::string_view> rest) {
  std::string options;
  for (const std::string_view word : rest) options += " " + shell_word(word);
  std::string_view first = files[0];
  std::string_view second = files[1];
  const auto ends = [&](std::string_view ending) { return first.ends_with(ending) || second.ends_with(ending); };
  Diagnostic problem =
      files.size() == 2
          ? error("MO-CLI-0008", "{} and {} are two files, and one model is converted at a time", first, second)
          : error("MO-CLI-0008", "{}, {} and {} more are {} files, and one model is converted at a time", first, second,
                  files.size() - 2, files.size());
  if (files.size() == 2 && ends(".prototxt") && ends(".caffemodel")) {
    if (first.ends_with(".prototxt")) std::swap(first, second);
    return std::move(problem).hint("write: mo {} --input_proto {}{}", shell_word(first), shell_word(second), options);
  }
  if (files.size() == 2 && second.ends_with(".xml") && !first.ends_with(".xml"))
    return std::move(problem).hint("to write it anew: mo {0} -o {1}{2}; to compare them: mo verify {0} {1}{2}",
                                   shell_word(first), shell_word(second), options);
  return std::move(problem).hint("write: for model in {}; do mo \"$model\"{}; done", listed(files), options);
}

/// What an option of other programs is answered with that was written as a word: `mo quantize model.onnx`.
std::optional<std::string_view> advice_about(std::string_view word) {
  if (word == "compress") return kNoQuantisation;  // as an option it is the beginning of another one
  for (const Row& row : foreign_options())
    if (is_called(row, normalized(word))) return row.advice;
  return std::nullopt;
}

}  // namespace

Expected<void> check_words(std::span<const std::string_view> arguments, std::span<const Subcommand> subcommands) {
  if (arguments.empty() || arguments[0].empty() || arguments[0].front() == '-') return {};
  const std::string_view first = arguments[0];
  if (exists(first)) {
    const auto end =
        std::ranges::find_if(arguments, [](std::string_view word) { return word.starts_with('-') || !exists(word); });
    const auto files = static_cast<std::size_t>(end - arguments.begin());
    if (files > 1) return several_models(arguments.first(files), arguments.subspan(files));
    return {};
  }
  const auto is_first = [first](const Subcommand& subcommand) { return subcommand.name == first; };
  if (first.find_first_of("./") != std::string_view::npos || std::ranges::any_of(subcommands, is_first)) return {};
  if (const Subcommand* meant = meant_subcommand(first, subcommands))
    return error("MO-CLI-0093", "{} is neither a subcommand nor a file", in_quotes(first))
        .hint("did you mean `mo {}`: {}?", meant->name, meant->summary);
  if (const auto advice = arguments.size() > 1 && !arguments[1].starts_with('-') ? advice_about(first) : std::nullopt)
    return error("MO-CLI-0093", "{} is neither a subcommand nor a file", in_quotes(first)).hint("{}", *advice);
  return {};
}

std::optional<int> run_subcommand(std::string_view program, std::span<const std::string_view> arguments) {
  program.remove_prefix(std::min(program.rfind('/') + 1, program.size()));
  for (const Subcommand& subcommand : tools::subcommands()) {
    const bool by_link = is_link(subcommand, program);
    // The names of links are words as well: some faces of a subcommand have no other.
    const bool by_word = !by_link && !arguments.empty() && is_link(subcommand, arguments.front());
    if (!by_link && !by_word && (arguments.empty() || arguments.front() != subcommand.name)) continue;
    const std::span<const std::string_view> words = by_link ? arguments : arguments.subspan(1);
    const std::vector<std::string> given(words.begin(), words.end());
    if (subcommand.applies && !subcommand.applies(given)) continue;
    const std::string name = by_link   ? std::string(program)
                             : by_word ? std::string(arguments.front())
                                       : "mo " + subcommand.name;
    ModelAccount account;
    return subcommand.run(
        {name, given, [&account](const std::vector<std::string>& model_words) { return account.parse(model_words); },
         terminal_width(),
         [](const std::vector<std::string>& all) {
           const std::vector<std::string_view> views(all.begin(), all.end());
           return static_cast<int>(run(views, after_conversion, tools::subcommands()));
         },
         [&name](const Options& options, const Error& error) {
           return advice_after(name, options, error, tools::subcommands());
         }});
  }
  return std::nullopt;
}

void read_help_word(std::vector<std::string_view>& arguments) {
  if (arguments.empty() || arguments.size() > 2) return;
  const bool is_option = arguments.front() == "--help" || arguments.front() == "-h";
  if (!is_option && (arguments.front() != "help" || std::filesystem::exists("help"))) return;
  const std::vector<Subcommand> all = tools::subcommands();
  const auto rows = option_table();
  const bool is_subcommand =
      arguments.size() == 2 &&
      std::any_of(all.begin(), all.end(),
                  [&](const Subcommand& one) { return one.name == arguments[1] || is_link(one, arguments[1]); }) &&
      !(is_option && std::any_of(rows.begin(), rows.end(), [&](const auto* row) { return row->name == arguments[1]; }));
  arguments.front() = "--help";
  if (is_subcommand) std::swap(arguments[0], arguments[1]);
}

ExitCode after_conversion(const Options& options, const Report& report, tools::Findings& findings) {
  bool verifies = false;
  for (const Subcommand& subcommand : tools::subcommands()) {
    if (!subcommand.after_conversion) continue;
    verifies = true;
    if (const ExitCode code = subcommand.after_conversion(options, report, findings); code != ExitCode::ok) return code;
  }
  if (!options.verify || verifies) return ExitCode::ok;
  const Error problem = error("MO-CLI-0095", "this mo was built without `mo verify`, which --verify runs")
                            .hint("the IR was written; build with all subcommands (MO_SUBCOMMANDS) to have it checked");
  print_errors(problem);
  return exit_code_of(problem);
}

}  // namespace mo::cli
