#include "cli/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/error_pages.hpp"
#include "cli/help.hpp"
#include "core/diagnostics/exit_code.hpp"
#include "core/support/nearest.hpp"
#include "driver/option_text.hpp"

namespace mo::cli {
namespace {

/// "ops-0012" -> "MO-OPS-0012".
std::string full_code(std::string_view text) {
  std::string code(trimmed(text));
  for (char& c : code)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  constexpr std::string_view kFamily = "MO-";
  return (code.rfind(kFamily, 0) == 0 ? std::string() : std::string(kFamily)) + code;
}

/// The cell of a table that `rest` begins with, without its mark-up; `rest` moves behind it.
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

}  // namespace

Expected<std::string> explain(std::string_view code, std::size_t width) {
  const std::string wanted = full_code(code);
  const std::string_view pages = error_pages();
  const std::size_t at = pages.find(fmt::format("<a id=\"{}\"></a>", wanted));
  if (at == std::string_view::npos)
    return error("MO-CLI-0073", "there is no error code {}", in_quotes(code))
        .hint("did you mean '{}'? docs/errors.md lists all", nearest(wanted, all_codes(pages)));
  const std::size_t heading = pages.rfind("\n## ", at);
  std::string_view row = line_at(pages, at);
  take_cell(row);  // the code
  take_cell(row);  // its exit code
  const std::string cause = take_cell(row);
  const std::string cure = take_cell(row);
  std::string text = fmt::format("{}: {}\n\n", wanted, heading == std::string_view::npos ? "" : line_at(pages, heading + 4));
  text += wrapped("cause  " + cause, 7, width) + wrapped("cure   " + cure, 7, width);
  // Warnings do not end a conversion.
  if (!cause.starts_with("warning") && !cause.starts_with("Warning"))
    text += fmt::format("\nmo ends with exit code {} when this is its first error.\n", static_cast<int>(exit_code_of(wanted)));
  return text;
}

}  // namespace mo::cli
