#include "core/command_line/option_text.hpp"

#include <algorithm>

namespace mo {
namespace {

/// How much of a long text is shown before and after the caret, in characters.
constexpr std::size_t kBefore = 40;
constexpr std::size_t kAfter = 30;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string visible(std::string_view text) {
  std::string shown(text);
  std::replace_if(shown.begin(), shown.end(), is_control, '?');
  return shown;
}

}  // namespace

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> parse_words(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = text.find(',');
    if (const std::string_view word = trimmed(text.substr(0, comma)); !word.empty()) words.emplace_back(word);
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

std::string in_quotes(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return "'" + visible(text) + "'";
  while (limit > 0 && is_continuation(text[limit])) --limit;
  return "'" + visible(text.substr(0, limit)) + "…'";
}

bool OptionText::skip_spaces() {
  const std::size_t start = position_;
  while (!at_end() && is_space(text_[position_])) ++position_;
  return position_ != start;
}

bool OptionText::accept(std::string_view token) {
  if (!starts_with(token)) return false;
  position_ += token.size();
  return true;
}

std::string_view OptionText::until(std::string_view stops) {
  const std::size_t start = position_;
  position_ = std::min(text_.find_first_of(stops, start), text_.size());
  std::string_view piece = text_.substr(start, position_ - start);
  while (!piece.empty() && is_space(piece.back())) piece.remove_suffix(1);
  return piece;
}

std::string OptionText::found() const {
  if (at_end()) return "the end";
  std::size_t length = 1;
  while (position_ + length < text_.size() && is_continuation(text_[position_ + length])) ++length;
  return "'" + visible(text_.substr(position_, length)) + "'";
}

Diagnostic OptionText::point_at(std::size_t position, std::string_view code, std::string message) const {
  position = std::min(position, text_.size());
  std::size_t begin = position;
  for (std::size_t steps = 0; begin > 0 && steps < kBefore; ++steps) {
    --begin;
    while (begin > 0 && is_continuation(text_[begin])) --begin;
  }
  std::size_t end = position;
  for (std::size_t steps = 0; end < text_.size() && steps < kAfter; ++steps) {
    ++end;
    while (end < text_.size() && is_continuation(text_[end])) ++end;
  }
  const std::string lead = fmt::format("{} {}", option_, begin > 0 ? "…" : "");
  const std::string_view before = text_.substr(begin, position - begin);
  // Columns are characters, not bytes, in both parts: the ellipsis takes three bytes and one column.
  const auto columns = [](std::string_view piece) {
    return static_cast<std::size_t>(
        std::count_if(piece.begin(), piece.end(), [](char c) { return !is_continuation(c); }));
  };
  return mo::error(code, "{}: {}", option_, message)
      .note("{}{}{}", lead, visible(text_.substr(begin, end - begin)), end < text_.size() ? "…" : "")
      .note("{}^", std::string(columns(lead) + columns(before), ' '));
}

}  // namespace mo
