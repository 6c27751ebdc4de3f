#pragma once

#include <string>
#include <string_view>

#include "core/proto_text/message.hpp"

namespace mo::proto_text {

/// One token of protobuf text. `text` is as written and lies in the source; `string` is what a string means, escapes
/// resolved.
struct Token {
  enum class Kind : std::uint8_t { end, word, integer, real, string, symbol };
  Kind kind = Kind::end;
  std::string_view text;
  Place place;
  std::int64_t integer = 0;
  double real = 0;
  std::string string;
};

/// Splits protobuf text into tokens; `#` starts a comment. A sign belongs to its number.
class Lexer {
 public:
  Lexer(std::string_view text, const Complain& complain);

  const Token& token() const { return token_; }
  /// Reads the next token; at the end of the text, Kind::end again and again.
  Expected<void> advance();
  /// The token is '[' in the place of a name: makes it the whole "[name.of.extension]".
  Expected<void> read_extension_name();

 private:
  template <class... Args>
  Diagnostic fail(fmt::format_string<Args...> text, Args&&... args) const {
    return complain_(place(), fmt::format(text, std::forward<Args>(args)...)).hint("correct the text there");
  }
  Place place() const { return {line_, static_cast<std::uint32_t>(position_ - line_start_ + 1)}; }
  char at(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  void skip_blank();
  Expected<void> read_number();
  Expected<void> read_string();
  Expected<void> read_escape();
  void append_utf8(std::uint32_t code);

  std::string_view text_;
  const Complain& complain_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  Token token_;
};

}  // namespace mo::proto_text
