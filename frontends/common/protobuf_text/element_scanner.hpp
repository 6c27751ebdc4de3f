#pragma once

#include <cstddef>
#include <string_view>

namespace mo::frontends {

/// A stretch of a text: [begin, end).
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

/// A field of a protobuf text whose value is in brackets: `name { … }`, `name: < … >`, `name: [ … ]`.
struct TextElement {
  TextRange name;        ///< empty when no plain name stands before the bracket
  std::size_t open = 0;  ///< of the bracket
  TextRange inner;       ///< between the brackets
  std::size_t end = 0;   ///< after the closing bracket and a separator
  bool closed = false;   ///< the brackets are a pair
};

/// Finds bracketed fields of a message, without interpreting them: knows brackets, strings and comments. Malformed text
/// also ends somewhere; its parser reports what is wrong.
class ElementScanner {
 public:
  /// `longest`: after so many characters of fields without brackets, the place before the next one is an element:
  /// empty, and not closed.
  ElementScanner(std::string_view text, TextRange range, std::size_t longest)
      : text_(text), position_(range.begin), end_(range.end), longest_(longest) {}

  /// The next field in brackets, or value in brackets of a list; false when none begins before the end. An element that
  /// is not closed ends there.
  bool next(TextElement& element);
  /// The next character that is neither blank nor comment, from `position` on; the end when there is none.
  static std::size_t skip_blank(std::string_view text, std::size_t position, std::size_t end);

 private:
  std::size_t end_of_string(std::size_t quote) const;
  std::size_t end_of_comment(std::size_t begin) const;

  std::string_view text_;
  std::size_t position_;
  std::size_t end_;
  std::size_t longest_;
};

}  // namespace mo::frontends
