#include "core/text/lexer.hpp"

#include <algorithm>

namespace mo::text {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@'; }
bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '-'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Diagnostic Lexer::at(std::size_t offset, const std::string& message) const {
  const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return mo::error("MO-TEXT-0001", "line {}, column {}: {}", line, before.size() - start + 1, message)
      .hint("see docs/text_form.md for the grammar");
}

Expected<void> Lexer::expect_symbol(std::string_view text) {
  if (take_if_symbol(text)) return {};
  return error("\"{}\" is expected, not \"{}\"", text, token_.text);
}

void Lexer::next() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position_;
    } else if (c == '#' && !(token_.kind == TokenKind::symbol && (token_.text == "?" || token_.text == "..")) &&
               !(token_.kind == TokenKind::number)) {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else {
      break;
    }
  }
  token_ = {TokenKind::end, "", position_};
  if (position_ >= text_.size()) return;
  const std::size_t start = position_;
  const char c = text_[position_];
  const auto take_while = [&](auto&& accept) {
    while (position_ < text_.size() && accept(text_[position_])) ++position_;
  };
  if (c == '"') {
    token_.kind = TokenKind::string;
    for (++position_; position_ < text_.size() && text_[position_] != '"'; ++position_) {
      if (text_[position_] == '\\' && position_ + 3 < text_.size() && text_[position_ + 1] == 'x' &&
          hex_digit(text_[position_ + 2]) >= 0 && hex_digit(text_[position_ + 3]) >= 0) {
        token_.text += static_cast<char>(hex_digit(text_[position_ + 2]) * 16 + hex_digit(text_[position_ + 3]));
        position_ += 3;
      } else {
        if (text_[position_] == '\\' && position_ + 1 < text_.size()) ++position_;
        token_.text += text_[position_];
      }
    }
    if (position_ < text_.size()) ++position_;
    return;
  }
  if (c == '%') {
    ++position_;
    take_while([](char d) { return is_letter(d) || is_digit(d) || d == '.'; });
    token_ = {TokenKind::value, std::string(text_.substr(start + 1, position_ - start - 1)), start};
    return;
  }
  if (is_letter(c) && !(c == '@' && position_ + 1 < text_.size() && text_[position_ + 1] == '[')) {
    take_while(in_word);
    token_ = {TokenKind::word, std::string(text_.substr(start, position_ - start)), start};
    return;
  }
  const bool sign = (c == '-' || c == '+') && position_ + 1 < text_.size() &&
                    (is_digit(text_[position_ + 1]) || text_[position_ + 1] == '.' || text_[position_ + 1] == 'i');
  if (is_digit(c) || sign) {
    ++position_;
    if (sign && text_[position_] == 'i') {
      take_while([](char d) { return is_letter(d); });  // -inf
    } else {
      take_while(is_digit);
      // `1..8` is a dimension, not the number 1. followed by .8
      if (position_ + 1 < text_.size() && text_[position_] == '.' && text_[position_ + 1] != '.') {
        ++position_;
        take_while(is_digit);
      }
      if (position_ < text_.size() && (text_[position_] == 'e' || text_[position_] == 'E')) {
        ++position_;
        if (position_ < text_.size() && (text_[position_] == '-' || text_[position_] == '+')) ++position_;
        take_while(is_digit);
      }
    }
    token_ = {TokenKind::number, std::string(text_.substr(start, position_ - start)), start};
    return;
  }
  if (text_.substr(position_).starts_with("...")) {
    position_ += 3;
  } else if (text_.substr(position_).starts_with("..")) {
    position_ += 2;
  } else {
    ++position_;
  }
  token_ = {TokenKind::symbol, std::string(text_.substr(start, position_ - start)), start};
}

}  // namespace mo::text
