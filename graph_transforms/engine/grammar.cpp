#include "graph_transforms/engine/grammar.hpp"

#include <algorithm>

namespace mo::graph_transforms {
namespace {

// ASCII only, whatever the locale says.
constexpr bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
constexpr bool is_bare(char c) { return is_name(c) || c == '-' || c == '.' || c == '/'; }
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Parser {
 public:
  Parser(std::string_view text, Grammar grammar) : rest_(text), grammar_(grammar) {}

  Expected<std::vector<TransformCall>> parse() {
    std::vector<TransformCall> calls;
    for (;;) {
      skip_blanks();
      if (rest_.empty()) return calls;
      TransformCall call;
      call.name = take_while(is_name);
      if (call.name.empty())
        return expected("transform name", "write name(argument=value, …), and names of letters, digits and _");
      if (take("(")) {
        MO_ASSIGN(const bool is_closed, parse_arguments(call.parameters));
        if (!is_closed) return calls;
      }
      calls.push_back(std::move(call));
    }
  }

 private:
  /// False when the text ends before the ")", which only the original lets pass.
  Expected<bool> parse_arguments(TransformParameters& parameters) {
    while (!rest_.empty()) {
      if (take(")")) return true;
      take(",");
      skip_blanks();
      const std::string name = take_while(is_name);
      if (name.empty())
        return expected("parameter name",
                        "there is no blank before a comma or a parenthesis, and no comma behind the last argument");
      if (!take("=")) return expected("=", "write name=value without blanks");
      if (rest_.empty()) break;
      MO_ASSIGN(std::string value, parse_value());
      parameters[name].push_back(std::move(value));
    }
    if (grammar_ == Grammar::original) return false;
    return expected(")", "close the parenthesis of the last transform");
  }

  Expected<std::string> parse_value() {
    constexpr std::string_view kHint =
        "put a value with other characters than letters, digits and _-./ into double quotes: name=\"x:0\"";
    std::string value;
    if (take("\"")) {
      std::size_t end = 0;
      while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
      if (end >= rest_.size()) return expected("parameter name", "close the double quotes");
      value = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
    } else {
      value = take_while(is_bare);
      if (value.empty()) return expected("parameter name", kHint);
    }
    // Quotes that a shell was meant to take.
    take("\"");
    take("'");
    return value;
  }

  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  std::string take_while(bool (*fits)(char)) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), fits);
    std::string taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  void skip_blanks() {
    for (;;) {
      while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
      if (grammar_ == Grammar::original || !(take("\\\n") || take("\\\r\n"))) return;
    }
  }

  Diagnostic expected(std::string_view what, std::string_view hint) const {
    constexpr std::size_t kShown = 200;
    return error("MO-GTT-0003", "Looking for {}, but found {}", what,
                 rest_.empty() ? "the end" : rest_.substr(0, kShown))
        .hint("{}", hint);
  }

  std::string_view rest_;
  Grammar grammar_;
};

}  // namespace

Expected<std::vector<TransformCall>> parse_transforms(std::string_view text, Grammar grammar) {
  return Parser(text, grammar).parse();
}

}  // namespace mo::graph_transforms
