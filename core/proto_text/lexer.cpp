#include "core/proto_text/lexer.hpp"

#include <charconv>
#include <limits>

namespace mo::proto_text {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Lexer::Lexer(std::string_view text, const Complain& complain) : text_(text), complain_(complain) {
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = line_start_ = 3;  // a byte order mark is not a column
}

void Lexer::skip_blank() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '#') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
      continue;
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\v' && c != '\f') return;
    ++position_;
    if (c == '\n') {
      ++line_;
      line_start_ = position_;
    }
  }
}

Expected<void> Lexer::advance() {
  skip_blank();
  token_ = Token{};
  token_.place = place();
  if (position_ >= text_.size()) return {};
  const std::size_t start = position_;
  const char c = at();
  if (is_letter(c)) {
    while (is_letter(at()) || is_digit(at())) ++position_;
    token_.kind = Token::Kind::word;
  } else if (is_digit(c) || (c == '.' && is_digit(at(1))) || c == '-') {
    MO_TRY(read_number());
  } else if (c == '"' || c == '\'') {
    MO_TRY(read_string());
  } else if (std::string_view(":{}<>[],;").find(c) != std::string_view::npos) {
    ++position_;
    token_.kind = Token::Kind::symbol;
  } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) {
    return fail("there is a byte 0x{:02X} outside of strings", static_cast<unsigned char>(c));
  } else {
    return fail("'{}' is not expected", c);
  }
  token_.text = text_.substr(start, position_ - start);
  return {};
}

Expected<void> Lexer::read_extension_name() {
  const std::size_t start = position_ - 1;
  while (is_letter(at()) || is_digit(at()) || at() == '.' || at() == '/' || at() == '-') ++position_;
  if (position_ == start + 1 || at() != ']') return fail("the name of an extension ends with ']'");
  ++position_;
  token_.kind = Token::Kind::word;
  token_.text = text_.substr(start, position_ - start);
  return {};
}

/// Decimal, hexadecimal and octal integers, reals with exponent and the suffix f, and with a minus sign also inf and
/// nan.
Expected<void> Lexer::read_number() {
  const std::size_t first = position_;
  const bool negative = at() == '-';
  if (negative) ++position_;
  skip_blank();  // protobuf text: the sign is a token of its own
  const std::size_t start = position_;
  while (is_letter(at()) || is_digit(at()) || at() == '.' ||
         ((at() == '+' || at() == '-') && (text_[position_ - 1] | 0x20) == 'e'))
    ++position_;
  std::string_view digits = text_.substr(start, position_ - start);
  const auto bad = [&] {
    position_ = first;
    return fail("\"{}{}\" is not a number", negative ? "-" : "", digits.substr(0, 40));
  };
  if (negative && (digits == "inf" || digits == "infinity" || digits == "nan")) {
    token_.kind = Token::Kind::real;
    token_.real = digits == "nan" ? std::numeric_limits<double>::quiet_NaN() : -std::numeric_limits<double>::infinity();
    return {};
  }
  if (digits.empty() || (!is_digit(digits[0]) && digits[0] != '.')) return bad();

  const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
  const bool is_whole = is_hex || digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_whole) {
    const bool is_octal = !is_hex && digits.size() > 1 && digits[0] == '0';
    const std::string_view body = is_hex ? digits.substr(2) : digits;
    std::uint64_t magnitude = 0;
    const auto [end, status] = std::from_chars(body.data(), body.data() + body.size(), magnitude,
                                               is_hex     ? 16
                                               : is_octal ? 8
                                                          : 10);
    const std::uint64_t limit =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
    if (status == std::errc() && end == body.data() + body.size() && magnitude <= limit) {
      token_.kind = Token::Kind::integer;
      token_.integer = static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
      return {};
    }
    if (is_hex || is_octal || end != body.data() + body.size()) return bad();  // a decimal one may still be a real
  }
  if ((digits.ends_with('f') || digits.ends_with('F')) && !is_hex) digits.remove_suffix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) return bad();
  if (status == std::errc::result_out_of_range) {
    // Too large, or too small to be told from 0: only the exponent tells.
    const std::size_t exponent = digits.find_first_of("eE");
    const bool is_small = exponent == std::string_view::npos ? digits.starts_with("0.") || digits[0] == '.'
                                                             : digits.substr(exponent + 1).starts_with('-');
    if (!is_small) {
      position_ = first;
      return fail("the number {}{} is too large", negative ? "-" : "", digits.substr(0, 40));
    }
    value = 0;
  }
  token_.kind = Token::Kind::real;
  token_.real = negative ? -value : value;
  return {};
}

Expected<void> Lexer::read_string() {
  const Place start = place();
  const char quote = at();
  ++position_;
  for (;;) {
    if (position_ >= text_.size() || at() == '\n')
      return complain_(start, "this string is not closed on its line").hint("a closing {} is missing", quote);
    const char c = at();
    if (c == '\0') return fail("there is a byte 0x00 in a string");
    if (c == quote) break;
    if (c == '\\') {
      MO_TRY(read_escape());
    } else {
      token_.string += c;
      ++position_;
    }
  }
  ++position_;
  token_.kind = Token::Kind::string;
  return {};
}

/// \n, \t …, \ooo, \xhh, \uhhhh, \Uhhhhhhhh.
Expected<void> Lexer::read_escape() {
  const char c = at(1);
  constexpr std::string_view kLetters = "abfnrtv\\'\"?";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"?";
  if (const std::size_t found = c == '\0' ? std::string_view::npos : kLetters.find(c);
      found != std::string_view::npos) {
    token_.string += kMeanings[found];
    position_ += 2;
    return {};
  }
  const bool is_octal = c >= '0' && c <= '7';
  if (!is_octal && c != 'x' && c != 'X' && c != 'u' && c != 'U')
    return fail("there is no escape \\{}", c == '\0' || c == '\n' ? ' ' : c);
  const std::size_t most = is_octal ? 3 : c == 'u' ? 4 : c == 'U' ? 8 : 2;
  const std::size_t least = c == 'u' || c == 'U' ? most : 1;
  std::size_t offset = is_octal ? 1 : 2;
  std::uint32_t code = 0;
  std::size_t count = 0;
  for (; count < most; ++count, ++offset) {
    const int digit = hex_digit(at(offset));
    if (digit < 0 || (is_octal && digit > 7)) break;
    code = code * (is_octal ? 8 : 16) + static_cast<std::uint32_t>(digit);
  }
  const bool is_unicode = c == 'u' || c == 'U';
  if (count < least || (is_unicode && (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))) ||
      (!is_unicode && code > 0xFF))
    return fail("the escape \\{} is malformed", c);
  if (is_unicode)
    append_utf8(code);
  else
    token_.string += static_cast<char>(code);
  position_ += offset;
  return {};
}

void Lexer::append_utf8(std::uint32_t code) {
  const auto tail = [&](int shift) { token_.string += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    token_.string += static_cast<char>(code);
  } else if (code < 0x800) {
    token_.string += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    token_.string += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    token_.string += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace mo::proto_text
