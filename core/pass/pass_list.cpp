#include "core/pass/pass_list.hpp"

#include <charconv>
#include <optional>

namespace mo {
namespace {

// ASCII only, whatever the locale says.
constexpr bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class PassListParser {
 public:
  PassListParser(std::string_view text, const PassListStyle& style, const PassListProblem& problem)
      : text_(text), style_(style), problem_(problem) {}

  Expected<std::vector<PassCall>> parse() {
    std::vector<PassCall> calls;
    for (;;) {
      skip(style_.is_strict ? "" : ",");
      if (at_end()) return calls;
      const std::size_t start = at_;
      PassCall call;
      call.name = word(style_.name_marks);
      if (call.name.empty()) return expected(PassListPart::name);
      const bool is_open = take('(')                        ? (close_ = ')', true)
                           : !style_.is_strict && take('[') ? (close_ = ']', true)
                                                            : false;
      if (is_open) {
        MO_ASSIGN(const bool is_closed, parse_arguments(call));
        if (!is_closed) return calls;
      }
      call.text = text_.substr(start, at_ - start);
      calls.push_back(std::move(call));
    }
  }

 private:
  /// False when the text ends before the call does, and that is not an error.
  Expected<bool> parse_arguments(PassCall& call) {
    for (;;) {
      if (!style_.is_strict) skip(close_ == ')' ? ",;" : ";");
      if (at_end()) break;
      if (take(close_)) return true;
      if (style_.is_strict) {
        take(',');
        skip("");
      }
      PassCall::Argument argument;
      MO_TRY(parse_key(argument));
      if (at_end()) break;
      MO_TRY(parse_value(argument));
      call.arguments.push_back(std::move(argument));
    }
    if (style_.drops_open_call) return false;
    return expected(PassListPart::close);
  }

  Expected<void> parse_key(PassCall::Argument& argument) {
    const std::size_t start = at_;
    argument.key = word(style_.name_marks);
    if (!argument.key.empty() && take('=')) return {};
    if (style_.is_strict) return expected(argument.key.empty() ? PassListPart::key : PassListPart::equals_sign);
    argument.key.clear();
    at_ = start;
    return {};
  }

  Expected<void> parse_value(PassCall::Argument& argument) {
    if (close_ == ')' && take('"')) {
      argument.is_quoted = true;
      MO_ASSIGN(argument.value, quoted());
    } else if (!style_.is_strict && !at_end() && text_[at_] == '{') {
      const std::size_t end = text_.find('}', at_);
      if (end == std::string_view::npos) return expected(PassListPart::value);
      argument.value = text_.substr(at_, end + 1 - at_);
      at_ = end + 1;
    } else {
      argument.value = close_ == ')' ? word(style_.value_marks) : value_in_brackets();
      if (argument.value.empty()) return expected(PassListPart::value);
    }
    // Quotes that a shell was meant to take.
    if (style_.is_strict) {
      take('"');
      take('\'');
    }
    return {};
  }

  Expected<std::string> quoted() {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return expected(PassListPart::end_of_quote);
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }

  /// Up to ";" or "]". Empty with quotation marks, which the original takes for a part of the value.
  std::string value_in_brackets() {
    const std::size_t end = std::min(text_.find_first_of(";[]", at_), text_.size());
    const std::string_view value = text_.substr(at_, end - at_);
    for (const std::string_view mark :
         {"\"", "'", "`", "\u2018", "\u2019", "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb"})
      if (value.find(mark) != std::string_view::npos) return {};
    at_ = end;
    return std::string(value);
  }

  bool at_end() const { return at_ == text_.size(); }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string word(std::string_view marks) {
    const std::size_t start = at_;
    while (!at_end() && (is_alphanumeric(text_[at_]) || marks.find(text_[at_]) != std::string_view::npos)) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }
  /// Skips blanks, continued lines and `separators`.
  void skip(std::string_view separators) {
    for (; !at_end(); ++at_) {
      if (is_blank(text_[at_]) || separators.find(text_[at_]) != std::string_view::npos) continue;
      const std::string_view rest = text_.substr(at_);
      if (!style_.reads_continued_lines || !(rest.starts_with("\\\n") || rest.starts_with("\\\r\n"))) return;
    }
  }
  Diagnostic expected(PassListPart part) const { return problem_(part, at_, close_); }

  std::string_view text_;
  const PassListStyle& style_;
  const PassListProblem& problem_;
  std::size_t at_ = 0;
  char close_ = ')';
};

/// The number that all of `text` is.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, cause] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || cause != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

AttributeValue value_of(const PassCall::Argument& argument) {
  const std::string& text = argument.value;
  if (argument.is_quoted) return text;
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  if (const auto integer = number<std::int64_t>(text)) return *integer;
  if (const auto real = number<double>(text)) return *real;
  return text;
}

}  // namespace

Expected<std::vector<PassCall>> parse_pass_list(std::string_view text, const PassListStyle& style,
                                                const PassListProblem& problem) {
  return PassListParser(text, style, problem).parse();
}

Expected<AttributeMap> settings_in(const PassCall& call, const Pass& pass) {
  AttributeMap settings;
  std::size_t next = 0;
  for (const PassCall::Argument& argument : call.arguments) {
    if (argument.key.empty() && next >= pass.parameters.size())
      return error("MO-PASS-0022", "{} has {} settings, but another value was given", pass.name, pass.parameters.size())
          .hint("`mo opt --describe {}` lists its settings", pass.name);
    const std::string& key = argument.key.empty() ? pass.parameters[next++] : argument.key;
    if (settings.contains(key))
      return error("MO-PASS-0026", "{}: the setting {} is given twice", pass.name, key).hint("leave one of them out");
    settings.set(key, value_of(argument));
  }
  return settings;
}

}  // namespace mo
