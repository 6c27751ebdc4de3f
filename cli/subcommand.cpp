#include "cli/subcommand.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/advice.hpp"
#include "cli/command_line.hpp"
#include "cli/console.hpp"
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

/// Two files are two models, unless they are the two parts of a Caffe model.
Diagnostic several_models(std::string_view first, std::string_view second) {
  const auto ends = [&](std::string_view ending) { return first.ends_with(ending) || second.ends_with(ending); };
  Diagnostic problem =
      error("MO-CLI-0008", "{} and {} are two files, and one model is converted at a time", first, second);
  if (ends(".prototxt") && ends(".caffemodel")) {
    if (first.ends_with(".prototxt")) std::swap(first, second);
    return std::move(problem).hint("write: mo {} --input_proto {}", shell_word(first), shell_word(second));
  }
  return std::move(problem).hint("write: for model in {} {}; do mo \"$model\"; done", shell_word(first),
                                 shell_word(second));
}

}  // namespace

Expected<void> check_words(std::span<const std::string_view> arguments, std::span<const Subcommand> subcommands) {
  if (arguments.empty() || arguments[0].empty() || arguments[0].front() == '-') return {};
  const std::string_view first = arguments[0];
  if (exists(first)) {
    if (arguments.size() > 1 && !arguments[1].starts_with('-') && exists(arguments[1]))
      return several_models(first, arguments[1]);
    return {};
  }
  const auto is_first = [first](const Subcommand& subcommand) { return subcommand.name == first; };
  if (first.find_first_of("./") != std::string_view::npos || std::ranges::any_of(subcommands, is_first)) return {};
  if (const Subcommand* meant = meant_subcommand(first, subcommands))
    return error("MO-CLI-0093", "{} is neither a subcommand nor a file", in_quotes(first))
        .hint("did you mean `mo {}`: {}?", meant->name, meant->summary);
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
  if (arguments.empty() || arguments.front() != "help" || arguments.size() > 2 || std::filesystem::exists("help"))
    return;
  const std::vector<Subcommand> all = tools::subcommands();
  const bool is_subcommand = arguments.size() == 2 && std::any_of(all.begin(), all.end(), [&](const Subcommand& one) {
                               return one.name == arguments[1] || is_link(one, arguments[1]);
                             });
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
