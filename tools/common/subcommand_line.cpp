#include "tools/common/subcommand_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace mo::tools {

Expected<std::vector<std::string>> parse_subcommand_line(CLI::App& app, const Invocation& invocation, std::string_view code,
                                                         std::initializer_list<std::string*> leading) {
  auto next = leading.begin();
  const auto take_leading = [&](std::vector<std::string>& words) {
    while (next != leading.end() && !words.empty() && !words.front().starts_with('-')) {
      **next++ = std::move(words.front());
      words.erase(words.begin());
    }
  };
  std::vector<std::string> words = invocation.words;
  take_leading(words);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  app.allow_extras();
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& problem) {
    return error(code, "{}: {}", invocation.name, problem.what()).hint("`{} --help` lists all options", invocation.name);
  }
  std::vector<std::string> rest = app.remaining();
  take_leading(rest);
  return rest;
}

}  // namespace mo::tools
