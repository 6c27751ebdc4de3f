#include "cli/advice.hpp"

#include "cli/command_line.hpp"
#include "core/support/budget.hpp"

namespace mo::cli {

std::string advice_after(std::string_view command, const Options& options, const Error& error,
                         std::span<const tools::Subcommand> subcommands) {
  const tools::ParseOptions parse = [](const std::vector<std::string>& words) -> Expected<Options> {
    const std::vector<std::string_view> views(words.begin(), words.end());
    MO_ASSIGN(CommandLine line, parse_command_line(views, LineFor::tool));
    return std::move(line.options);
  };
  Budget budget(options.budget);
  const BudgetScope scope(budget);
  std::string advice;
  for (const tools::Subcommand& subcommand : subcommands)
    if (subcommand.after_failure) advice += subcommand.after_failure(command, options, error, parse);
  return advice;
}

}  // namespace mo::cli
