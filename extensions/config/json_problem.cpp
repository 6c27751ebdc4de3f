#include "extensions/config/json_problem.hpp"

namespace mo::config {
namespace {

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

void JsonProblem::no_value(bool is_too_large) {
  where = token_;
  const char c = at(token_);
  if (token_ >= text_.size()) return say("a value is missing: the text ends here");
  if (c == '"') return bad_string();
  if (c == '-' || (c >= '0' && c <= '9'))
    return is_too_large ? say("the number is too large", "write a number that a double can hold")
                        : say("this is not a number", "write 12, -3, 0.5 or 1e-3");
  if (c == '/' || c == '#')
    return say("JSON has no comments",
               "remove the comment; a key \"comment\" is an alternative where the schema allows it");
  if (c == '\'') return say("strings are written in double quotes", "replace ' by \"");
  if (c == ']' || c == '}') return say("a value is missing", "remove the comma before it");
  say("this is not a JSON value", "a value is an object, a list, a \"string\", a number, true, false or null");
}

void JsonProblem::no_key() {
  where = token_;
  if (at(token_) == '"') return bad_string();
  if (at(token_) == '}') return say("a key is missing", "remove the comma before it");
  say("a key in double quotes is missing here", "write \"key\": value");
}

void JsonProblem::say(std::string_view text, std::string_view better) {
  what = text;
  hint = better;
}

void JsonProblem::say_at(std::size_t place, std::string_view text, std::string_view better) {
  where = place;
  say(text, better);
}

void JsonProblem::bad_string() {
  std::size_t surrogate = 0;  // after \uD800 to \uDBFF, which a second half has to follow
  for (std::size_t i = token_ + 1; i < last_ && i < text_.size();) {
    if (at(i) != '\\') {
      ++i;
      continue;
    }
    const std::size_t length = at(i + 1) == 'u' ? 6 : 2;
    if (i + length > last_) return bad_escape(i, surrogate == i);
    i += length;
    surrogate =
        length == 6 && (at(i - 4) | 0x20) == 'd' && std::string_view("89abAB").find(at(i - 3)) != std::string_view::npos
            ? i
            : 0;
  }
  if (last_ < text_.size() && surrogate == last_) return half_pair(last_);
  if (const std::size_t sequence = unfinished_sequence(); sequence != last_) return bad_utf8(sequence);
  if (last_ >= text_.size()) return say("the string does not end", "close it with a double quote");
  if (at(last_) == '\n')
    return say("the string does not end on its line",
               "close it with a double quote; a line break inside is written \\n");
  if (static_cast<unsigned char>(at(last_)) < 0x20)
    return say_at(last_, "a control character inside of a string", "write it as \\t or \\u00XX");
  bad_utf8(last_);
}

std::size_t JsonProblem::unfinished_sequence() const {
  for (std::size_t back = 1; back <= 3 && last_ >= back + token_ + 1; ++back) {
    const auto byte = static_cast<unsigned char>(at(last_ - back));
    if (byte >= 0xC2 && (byte >= 0xF0 ? 4U : byte >= 0xE0 ? 3U : 2U) > back) return last_ - back;
    if (byte < 0x80 || byte >= 0xC0) break;
  }
  return last_;
}

void JsonProblem::bad_utf8(std::size_t place) {
  say_at(place, "the text is not valid UTF-8", "save the file as UTF-8");
}

void JsonProblem::bad_escape(std::size_t escape, bool follows_surrogate) {
  if (follows_surrogate) return half_pair(escape);
  if (at(escape + 1) != 'u')
    return say_at(escape, "JSON has no such escape", "double the backslash of a regular expression: \"\\\\d\"");
  for (std::size_t i = 2; i < 6; ++i)
    if (!is_hex_digit(at(escape + i))) {
      where = escape;
      return say("\\u needs four hexadecimal digits");
    }
  half_pair(escape + 6);
}

void JsonProblem::half_pair(std::size_t place) {
  say_at(place, "half of a surrogate pair", "write the character itself, in UTF-8");
}

}  // namespace mo::config
