#include "tools/common/subcommand_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace mo::tools {
namespace {

Expected<void> parse(CLI::App& app, std::vector<std::string> words, const std::string& name, std::string_view code,
                     SubcommandOptions& options) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& problem) {
    return error(code, "{}: {}", name, problem.what()).hint("`{} --help` lists all options", name);
  }
  options.help_text = app.help();
  return {};
}

}  // namespace

void begin_subcommand_options(CLI::App& app, const Invocation& invocation, std::string_view operands,
                              SubcommandOptions& options) {
  app.name(operands.empty() ? invocation.name : fmt::format("{} {}", invocation.name, operands));
  app.set_help_flag();
  app.add_flag("-h,--help", options.help, "print this");
}

Expected<void> parse_subcommand_line(CLI::App& app, const Invocation& invocation, std::string_view code,
                                     SubcommandOptions& options, std::initializer_list<std::string*> leading) {
  auto next = leading.begin();
  const auto take_leading = [&](std::vector<std::string>& words) {
    while (next != leading.end() && !words.empty() && !words.front().starts_with('-')) {
      **next++ = std::move(words.front());
      words.erase(words.begin());
    }
  };
  std::vector<std::string> words = invocation.words;
  take_leading(words);
  app.allow_extras();
  MO_TRY(parse(app, std::move(words), invocation.name, code, options));
  options.model_words = app.remaining();
  take_leading(options.model_words);
  return {};
}

Expected<void> parse_whole_line(CLI::App& app, const Invocation& invocation, std::string_view code,
                                SubcommandOptions& options) {
  return parse(app, invocation.words, invocation.name, code, options);
}

}  // namespace mo::tools
