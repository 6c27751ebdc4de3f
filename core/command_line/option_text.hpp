#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"

namespace mo {

/// The value of one option while it is read from left to right. Errors show the text with a caret under the place.
/// Keeps views: option and text must outlive it.
class OptionText {
 public:
  OptionText(std::string_view option, std::string_view text) : option_(option), text_(text) {}

  std::string_view option() const { return option_; }
  std::string_view text() const { return text_; }
  std::size_t position() const { return position_; }
  bool at_end() const { return position_ >= text_.size(); }
  /// The current character; '\0' at the end (which no argument contains).
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  bool starts_with(std::string_view token) const { return text_.substr(position_).starts_with(token); }

  void advance(std::size_t count = 1) { position_ += count; }
  /// Returns whether there were any.
  bool skip_spaces();
  /// Skips `token` when it is next.
  bool accept(std::string_view token);
  /// Everything up to the first character of `stops` (or the end), without spaces at its end.
  std::string_view until(std::string_view stops);

  /// An error at `position`, with two notes: the text, and the caret.
  template <class... Args>
  [[nodiscard]] Diagnostic error_at(std::size_t position, std::string_view code, fmt::format_string<Args...> message,
                                    Args&&... args) const {
    return point_at(position, code, fmt::format(message, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[nodiscard]] Diagnostic error_here(std::string_view code, fmt::format_string<Args...> message,
                                      Args&&... args) const {
    return point_at(position_, code, fmt::format(message, std::forward<Args>(args)...));
  }
  /// How a message names the current character: "'x'", or "the end".
  std::string found() const;

 private:
  Diagnostic point_at(std::size_t position, std::string_view code, std::string message) const;

  std::string_view option_;
  std::string_view text_;
  std::size_t position_ = 0;
};

/// ' ', '\t', and line ends (command lines in scripts are broken over lines).
bool is_space(char c);
/// `text` without spaces at its ends.
std::string_view trimmed(std::string_view text);
/// `text` for a terminal: control characters become '?', and at most `limit` bytes of it are shown.
std::string in_quotes(std::string_view text, std::size_t limit = 60);
/// A comma list of words, without spaces around them and without empty ones.
std::vector<std::string> parse_words(std::string_view text);

}  // namespace mo
