#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mo::config {

/// Finds the words for what nlohmann's parser refuses, and the place: `token` is where the token begins that it does
/// not want, `last` the last character that it has read.
class JsonProblem {
 public:
  JsonProblem(std::string_view text, std::size_t token, std::size_t last) : text_(text), token_(token), last_(last) {}

  std::size_t where = 0;
  std::string what;
  std::string hint = "check the file with any JSON tool";

  void no_value(bool is_too_large);
  void no_key();

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  void say(std::string_view text) { what = text; }
  void say(std::string_view text, std::string_view better);
  void say_at(std::size_t place, std::string_view text, std::string_view better);

  /// A string that breaks off at `last_`.
  void bad_string();
  /// Where the UTF-8 sequence begins that `last_` does not continue; `last_` when there is none.
  std::size_t unfinished_sequence() const;
  void bad_utf8(std::size_t place);
  void bad_escape(std::size_t escape, bool follows_surrogate);
  void half_pair(std::size_t place);

  std::string_view text_;
  std::size_t token_;
  std::size_t last_;
};

}  // namespace mo::config
