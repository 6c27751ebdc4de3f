#include "cli/original_messages.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace mo::cli {
namespace {

constexpr std::string_view kGap = "…";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_letter(char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); }

/// What stands between gaps, each as " its words in small letters ".
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts(1, " ");
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_gap = text.substr(at).starts_with(kGap);
    if (is_gap || text.substr(at).starts_with("...")) {
      if (parts.back() != " ") parts.emplace_back(" ");
      at += is_gap ? kGap.size() - 1 : 2;
    } else if (const char c = lower(text[at]); is_letter(c)) {
      parts.back() += c;
    } else if (parts.back().back() != ' ') {
      parts.back() += ' ';
    }
  }
  for (std::string& part : parts)
    if (part.back() != ' ') part += ' ';
  if (parts.back() == " ") parts.pop_back();
  return parts;
}

/// Whether `text` contains the parts of `fragment` in this order.
bool holds(const std::vector<std::string>& text, const std::vector<std::string>& fragment) {
  std::string all = " ";
  for (const std::string& part : text) all += part.substr(1);
  std::size_t at = 0;
  for (const std::string& part : fragment) {
    at = all.find(part, at);
    if (at == std::string::npos) return false;
    at += part.size() - 1;  // a space ends a part and begins the next
  }
  return !fragment.empty();
}

/// The number in "question #38", "FAQ 38", "Q38" or "#38".
std::optional<int> question_in(std::string_view words) {
  std::string text;
  for (const char c : words) text += lower(c);
  for (const std::string_view mark : {"question", "faq", "#", "q"}) {
    std::size_t at = text.find(mark);
    if (at == std::string::npos || (mark.size() == 1 && at != 0)) continue;
    for (at += mark.size(); at < text.size() && (text[at] == ' ' || text[at] == '#');) ++at;
    int number = 0;
    if (std::from_chars(text.data() + at, text.data() + text.size(), number).ec == std::errc()) return number;
  }
  return std::nullopt;
}

/// What stands between pairs of `mark`.
std::vector<std::string> quoted(std::string_view cell, char mark) {
  std::vector<std::string> found;
  for (std::size_t begin = cell.find(mark); begin != std::string_view::npos;) {
    const std::size_t end = cell.find(mark, begin + 1);
    if (end == std::string_view::npos) break;
    found.emplace_back(cell.substr(begin + 1, end - begin - 1));
    begin = cell.find(mark, end + 1);
  }
  return found;
}

std::vector<int> numbers(std::string_view cell) {
  std::vector<int> found;
  const char* const end = cell.data() + cell.size();
  for (const char* at = cell.data(); at < end;) {
    int number = 0;
    const auto [next, failure] = std::from_chars(at, end, number);
    if (failure == std::errc()) found.push_back(number);
    at = std::max(next, at + 1);
  }
  return found;
}

/// "| `message` | questions | [`code`](#code) | advice |"
OriginalMessage read_row(std::string_view line) {
  std::vector<std::string_view> cells;
  for (line.remove_prefix(1); line.find('|') != std::string_view::npos; line.remove_prefix(line.find('|') + 1))
    cells.push_back(line.substr(0, line.find('|')));
  cells.resize(4);
  std::string advice;
  for (const char c : cells[3])
    if (c != '`') advice += c;
  advice.erase(0, advice.find_first_not_of(' '));
  return {quoted(cells[0], '`'), numbers(cells[1]), quoted(cells[2], '`'), advice};
}

std::vector<OriginalMessage> all_messages(std::string_view pages) {
  constexpr std::string_view kRow = "\n| `";
  std::vector<OriginalMessage> rows;
  for (std::size_t at = pages.find(kRow); at != std::string_view::npos; at = pages.find(kRow, at + 1)) {
    const std::string_view line = pages.substr(at + 1);
    rows.push_back(read_row(line.substr(0, line.find('\n'))));
  }
  return rows;
}

}  // namespace

std::vector<OriginalMessage> find_original_messages(std::string_view words, std::string_view pages) {
  constexpr std::size_t kLeast = 10;  // a shorter fragment is in many messages
  const std::optional<int> question = question_in(words);
  const std::vector<std::string> asked = parts_of(words);
  std::size_t size = 0;
  for (const std::string& part : asked) size += part.size();
  std::vector<OriginalMessage> found;
  for (OriginalMessage& row : all_messages(pages)) {
    const bool fits = question ? std::find(row.questions.begin(), row.questions.end(), *question) != row.questions.end()
                               : std::any_of(row.texts.begin(), row.texts.end(), [&](const std::string& text) {
                                   const std::vector<std::string> known = parts_of(text);
                                   return holds(asked, known) || (size >= kLeast && holds(known, asked));
                                 });
    if (fits) found.push_back(std::move(row));
  }
  return found;
}

}  // namespace mo::cli
