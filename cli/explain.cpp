#include "cli/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/error_pages.hpp"
#include "cli/help.hpp"
#include "cli/original_messages.hpp"
#include "core/command_line/option_text.hpp"
#include "core/diagnostics/exit_code.hpp"
#include "core/support/nearest.hpp"

namespace mo::cli {
namespace {

constexpr std::size_t kMostMessages = 3;

/// "ops-0012" -> "MO-OPS-0012".
std::string full_code(std::string_view text) {
  std::string code(trimmed(text));
  for (char& c : code)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  constexpr std::string_view kFamily = "MO-";
  return (code.rfind(kFamily, 0) == 0 ? std::string() : std::string(kFamily)) + code;
}

/// The cell of a table that `rest` begins with, without its mark-up; `rest` moves past it.
std::string take_cell(std::string_view& rest) {
  std::string text;
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] != '|'; ++at) {
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;  // "\|"
    if (rest[at] != '`') text += rest[at];
  }
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return std::string(trimmed(text));
}

std::string_view line_at(std::string_view text, std::size_t position) {
  const std::size_t end = text.find('\n', position);
  return text.substr(position, end == std::string_view::npos ? end : end - position);
}

std::vector<std::string> all_codes(std::string_view pages) {
  constexpr std::string_view kAnchor = "<a id=\"";
  std::vector<std::string> codes;
  for (std::size_t at = pages.find(kAnchor); at != std::string_view::npos; at = pages.find(kAnchor, at + 1)) {
    const std::size_t begin = at + kAnchor.size();
    codes.emplace_back(pages.substr(begin, pages.find('"', begin) - begin));
  }
  return codes;
}

/// What the pages say about the code; empty when they do not have it.
std::string page_of(const std::string& code, std::string_view pages, std::size_t width) {
  const std::size_t at = pages.find(fmt::format("<a id=\"{}\"></a>", code));
  if (at == std::string_view::npos) return {};
  const std::size_t heading = pages.rfind("\n## ", at);
  std::string_view row = line_at(pages, at);
  take_cell(row);  // the code
  take_cell(row);  // its exit code
  const std::string cause = take_cell(row);
  const std::string fix = take_cell(row);
  std::string text =
      fmt::format("{}: {}\n\n", code, heading == std::string_view::npos ? "" : line_at(pages, heading + 4));
  text += wrapped("cause  " + cause, 7, width) + wrapped("fix    " + fix, 7, width);
  // Warnings do not end a conversion.
  if (!cause.starts_with("warning") && !cause.starts_with("Warning"))
    text += fmt::format("\nmo ends with exit code {} when this is its first error.\n",
                        static_cast<int>(exit_code_of(code)));
  return text;
}

/// What the original says, and the pages of the codes that mo has for it.
std::string page_of(const OriginalMessage& message, std::string_view pages, std::size_t width) {
  std::string text;
  for (const std::string& said : message.texts) text += wrapped("original  " + said, 10, width);
  if (!message.questions.empty())
    text += fmt::format("question  {} of the FAQ of the Model Optimizer\n", fmt::join(message.questions, ", "));
  if (!message.advice.empty()) text += wrapped("here      " + message.advice, 10, width);
  for (const std::string& code : message.codes) text += "\n" + page_of(code, pages, width);
  return text + "\n";
}

}  // namespace

Expected<std::string> explain(std::string_view words, std::size_t width) {
  const std::string_view pages = error_pages();
  if (const std::string page = page_of(full_code(words), pages, width); !page.empty()) return page;
  const std::vector<OriginalMessage> messages = find_original_messages(words, pages);
  if (messages.empty()) {
    Diagnostic unknown =
        error("MO-CLI-0073", "there is no error code {}, and no such message of the original Model Optimizer",
              in_quotes(words));
    if (words.find(' ') != std::string_view::npos)
      return std::move(unknown).hint("docs/errors.md lists all codes and messages");
    return std::move(unknown).hint("{}docs/errors.md lists all", did_you_mean(full_code(words), all_codes(pages)));
  }
  if (messages.size() > kMostMessages)
    return error("MO-CLI-0073", "{} messages of the original Model Optimizer have the words {}", messages.size(),
                 in_quotes(words))
        .hint("give more of the message, or the number of the question: mo explain \"question #38\"");
  std::string text;
  for (const OriginalMessage& message : messages) text += page_of(message, pages, width);
  return text;
}

}  // namespace mo::cli
