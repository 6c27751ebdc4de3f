#include "frontends/common/protobuf_text/element_scanner.hpp"

#include <algorithm>

namespace mo::frontends {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool opens(char c) { return c == '{' || c == '<' || c == '['; }
bool closes(char c) { return c == '}' || c == '>' || c == ']'; }
bool are_pair(char open, char close) {
  return (open == '{' && close == '}') || (open == '<' && close == '>') || (open == '[' && close == ']');
}

}  // namespace

std::size_t ElementScanner::end_of_string(std::size_t quote) const {
  for (std::size_t i = quote + 1; i < end_; ++i) {
    if (text_[i] == '\\')
      ++i;
    else if (text_[i] == text_[quote] || text_[i] == '\n')
      return i + 1;
  }
  return end_;
}

std::size_t ElementScanner::end_of_comment(std::size_t begin) const { return std::min(text_.find('\n', begin), end_); }

std::size_t ElementScanner::skip_blank(std::string_view text, std::size_t position, std::size_t end) {
  while (position < end && (is_blank(text[position]) || text[position] == '#'))
    position = text[position] == '#' ? std::min(text.find('\n', position), end) : position + 1;
  return position;
}

bool ElementScanner::next(TextElement& element) {
  TextRange name;
  std::size_t depth = 0;
  for (std::size_t i = position_; i < end_;) {
    const char c = text_[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(i);
    } else if (c == '#') {
      i = end_of_comment(i);
    } else if (opens(c)) {
      if (depth++ == 0) element = {name, i, {i + 1, end_}, end_, false};
      ++i;
    } else if (closes(c)) {
      ++i;
      if (depth == 0 || --depth > 0) continue;  // a bracket too many is for the parser to report
      element.inner.end = i - 1;
      element.closed = are_pair(text_[element.open], c);
      const std::size_t behind = skip_blank(text_, i, end_);
      element.end = position_ = behind < end_ && (text_[behind] == ',' || text_[behind] == ';') ? behind + 1 : i;
      return true;
    } else if (depth == 0 && is_letter(c)) {
      name.begin = i;
      while (i < end_ && is_letter(text_[i])) ++i;
      name.end = i;
      if (name.begin - position_ < longest_) continue;
      if (const std::size_t colon = skip_blank(text_, i, end_); colon == end_ || text_[colon] != ':') continue;
      element = {name, name.begin, {name.begin, name.begin}, name.begin, false};
      position_ = name.begin;
      return true;
    } else {
      if (depth == 0 && !is_blank(c) && c != ':') name = {};
      ++i;
    }
  }
  position_ = end_;
  return depth > 0;
}

}  // namespace mo::frontends
