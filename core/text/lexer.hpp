#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo::text {

enum class TokenKind : std::uint8_t { end, word, value, string, number, symbol };

/// One token of the text form. `text` is the word, the value's name without `%`, the unescaped string, the digits, or
/// one symbol.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  std::size_t offset = 0;
};

/// Splits the text form into tokens, one token ahead. `#` starts a comment, except after a dimension (a symbol
/// number), which the parser reads itself through `symbol_number`.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { next(); }

  const Token& peek() const { return token_; }
  Token take() {
    Token taken = std::move(token_);
    next();
    return taken;
  }
  bool is(TokenKind kind, std::string_view text) const { return token_.kind == kind && token_.text == text; }
  bool is_symbol(std::string_view text) const { return is(TokenKind::symbol, text); }
  bool take_if_symbol(std::string_view text) {
    if (!is_symbol(text)) return false;
    next();
    return true;
  }
  bool take_if_word(std::string_view text) {
    if (!is(TokenKind::word, text)) return false;
    next();
    return true;
  }
  Expected<void> expect_symbol(std::string_view text);

  /// MO-TEXT-0001 at the current token.
  template <class... Args>
  Diagnostic error(fmt::format_string<Args...> text, Args&&... args) const {
    return at(token_.offset, fmt::format(text, std::forward<Args>(args)...));
  }
  Diagnostic at(std::size_t offset, const std::string& message) const;

 private:
  void next();
  std::string_view text_;
  std::size_t position_ = 0;
  Token token_;
};

}  // namespace mo::text
