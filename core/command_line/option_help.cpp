#include "core/command_line/option_help.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mo {
namespace {

/// Where the explanations of options begin, on a terminal of usual width.
constexpr std::size_t kHelpColumn = 34;

/// Columns of UTF-8 text, all of whose characters are one wide.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

/// "(-w, -m) ": the other names.
std::string shown_names(const OptionRow& row) {
  std::string text;
  for (const std::string_view letters : split_words(row.letters))
    text += (text.empty() ? "(-" : ", -") + std::string(letters);
  for (const std::string_view name : split_words(row.other_names))
    text += (text.empty() ? "(--" : ", --") + std::string(name);
  return text.empty() ? text : text + ") ";
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    const std::size_t length = columns(word);
    if (column > indent) {
      const bool fits = column + 1 + length <= width;
      result += fits ? " " : "\n" + std::string(indent, ' ');
      column = fits ? column + 1 : indent;
    }
    result += word;
    column += length;
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return result + "\n";
}

std::string describe(const OptionRow& row, std::size_t width) {
  const std::size_t column = std::min(kHelpColumn, width / 3);
  std::string text = fmt::format("  --{}{}{}", row.name, row.metavar.empty() ? "" : " ", row.metavar);
  const std::size_t length = columns(text);
  text += length < column ? std::string(column - length, ' ') : "\n" + std::string(column, ' ');
  return text + wrapped(shown_names(row) + std::string(row.help), column, width);
}

}  // namespace mo
