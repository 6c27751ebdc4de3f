#include "tools/common/subcommand_line.hpp"

#include <algorithm>

#include "core/command_line/option_help.hpp"

namespace mo::tools {
namespace {

constexpr OptionRow kHelp{.name = "help", .letters = "h", .help = "print this"};

std::string help_text(const SubcommandText& text, const std::vector<const OptionRow*>& rows,
                      const Invocation& invocation) {
  std::string made;
  for (std::string_view rest = text.purpose; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    made += wrapped(rest.substr(0, end), 0, invocation.width);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  made += fmt::format("Usage: {}{}{} [OPTIONS]\n\nOptions:\n", invocation.name, text.operands.empty() ? "" : " ",
                      text.operands);
  for (const OptionRow* row : rows) made += describe(*row, invocation.width);
  return made + "\n";
}

}  // namespace

Expected<LineRead> read_subcommand_line(const SubcommandText& text, std::vector<const OptionRow*> rows,
                                        const Invocation& invocation, SubcommandOptions& options,
                                        std::initializer_list<std::string*> leading, Unknown unknown) {
  rows.insert(rows.begin(), &kHelp);
  std::vector<std::string> words = invocation.words;
  auto next = leading.begin();
  const auto take_leading = [&](std::vector<std::string>& from) {
    while (next != leading.end() && !from.empty() && !from.front().starts_with('-')) {
      **next++ = std::move(from.front());
      from.erase(from.begin());
    }
  };
  take_leading(words);
  const std::vector<std::string_view> views(words.begin(), words.end());
  LineRead read = read_line(rows, views, unknown, invocation.name);
  if (!read.problems.empty()) {
    std::vector<Diagnostic> problems;
    for (const Diagnostic& problem : read.problems)
      problems.push_back(error(text.code, "{}: {}", invocation.name, problem.message).hint("{}", problem.hint_text));
    return Error(std::move(problems));
  }
  if (!read.occurrences.empty() && read.occurrences.front().row == &kHelp) {
    options.help = read.occurrences.front().values.back() == "True";
    read.occurrences.erase(read.occurrences.begin());
  }
  options.help_text = help_text(text, rows, invocation);
  take_leading(read.rest);
  options.model_words = std::move(read.rest);
  return read;
}

Error wrong_value(const SubcommandText& text, const Invocation& invocation, const OptionRow& row,
                  const Error& problem) {
  return error(text.code, "{}: --{}: {}", invocation.name, row.name, problem.first().message)
      .hint("`{} --help` lists all options", invocation.name);
}

}  // namespace mo::tools
