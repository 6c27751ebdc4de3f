#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo::caffe {

/// `param_str` of a Python layer as far as layers write numbers into it: a Python dictionary, with or without braces,
/// or YAML lines, of names and numbers or lists of numbers: "'feat_stride': 16, 'scales': (8, 16)". A single number is
/// a list of one.
using PythonParameters = std::map<std::string, std::vector<double>, std::less<>>;

/// Reads `text` from front to back; the grammar has no nesting beyond one list.
class PythonParameterReader {
 public:
  explicit PythonParameterReader(std::string_view text) : text_(text) {}

  /// Error MO-CAFFE-0260 for anything other than names, numbers and lists, and for a duplicate name.
  Expected<PythonParameters> read() {
    PythonParameters parameters;
    const bool braces = take('{');
    for (skip(); at_ < text_.size() && text_[at_] != '}'; skip()) {
      const std::string name = take_name();
      if (name.empty() || !take(':')) return error("a name and ':' are expected");
      std::vector<double> numbers;
      if (take('[') || take('(')) {
        while (!take(']') && !take(')')) {
          if (!take_number(numbers)) return error("a number is expected");
          take(',');
        }
      } else if (!take_number(numbers)) {
        return error("a number or a list of numbers is expected");
      }
      if (!parameters.emplace(name, std::move(numbers)).second) return error("duplicate name");
      take(',');
    }
    if (braces && !take('}')) return error("'}' is missing");
    skip();
    if (at_ < text_.size()) return error("there is text after its end");
    return parameters;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  void skip() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// A bare or quoted word; empty when there is none.
  std::string take_name() {
    skip();
    const char quote = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"') ? text_[at_] : '\0';
    if (quote != '\0') ++at_;
    const std::size_t first = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string name(text_.substr(first, at_ - first));
    if (quote == '\0') return name;
    return take(quote) ? name : std::string();
  }
  bool take_number(std::vector<double>& numbers) {
    skip();
    const std::size_t first = at_;
    const std::string_view digits = "0123456789+-.eE";
    while (at_ < text_.size() && digits.find(text_[at_]) != std::string_view::npos) ++at_;
    const std::string number(text_.substr(first, at_ - first));
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (number.empty() || end != number.c_str() + number.size()) return false;
    numbers.push_back(value);
    return true;
  }
  Diagnostic error(std::string_view what) const {
    return mo::error("MO-CAFFE-0260", "param_str cannot be read at character {}: {}", at_ + 1, what)
        .hint("it is a Python dictionary of numbers, such as \"'feat_stride': 16\"; an extension can read more");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace mo::caffe
