#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "extensions/custom_ops/shape_expression.hpp"

namespace mo::custom_ops {

/// Recursive descent; parentheses and brackets nest at most kMaxNesting deep.
class ShapeParser {
 public:
  explicit ShapeParser(std::string_view text) : text_(text) {}

  Expected<ShapeExpression> run() {
    if (text_.size() > kMaxExpressionLength) return fail("the expression is too long");
    MO_ASSIGN(const int root, sum());
    skip_space();
    if (at_ < text_.size()) return fail("an operator or the end is missing here");
    expression_.root_ = root;
    expression_.text_ = text_;
    return std::move(expression_);
  }

 private:
  using Kind = ShapeExpression::Kind;
  static constexpr int kMaxNesting = 32;

  Diagnostic fail(std::string_view what) const {
    return error("MO-CONFIG-0101", "\"{}\": {}, at character {}", text_.substr(0, 80), what, at_ + 1)
        .hint(
            "shapes are written like \"in0\", \"[in0[0], attrs.depth, ...in0[2:]]\" or \"[...]\"; docs/custom_ops.md "
            "has all of it");
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool next_is(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  std::string_view word() {
    skip_space();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return text_.substr(start, at_ - start);
  }
  int add(Kind kind, std::vector<int> children = {}, std::int64_t number = 0, std::string name = {}) {
    expression_.terms_.push_back({kind, number, std::move(name), std::move(children)});
    return static_cast<int>(expression_.terms_.size()) - 1;
  }

  Expected<int> sum() {
    if (++nesting_ > kMaxNesting) return fail("it is nested too deep");
    MO_ASSIGN(int left, factors());
    while (true) {
      skip_space();
      const Kind kind = next_is('+') ? Kind::add : Kind::subtract;
      if (!next_is('+') && !next_is('-')) break;
      ++at_;
      MO_ASSIGN(const int right, factors());
      left = add(kind, {left, right});
    }
    --nesting_;
    return left;
  }

  Expected<int> factors() {
    MO_ASSIGN(int left, signed_term());
    while (next_is('*') || next_is('/') || next_is('%')) {
      const Kind kind = text_[at_] == '*' ? Kind::multiply : text_[at_] == '/' ? Kind::divide : Kind::modulo;
      ++at_;
      MO_ASSIGN(const int right, signed_term());
      left = add(kind, {left, right});
    }
    return left;
  }

  Expected<int> signed_term() {
    bool negative = false;
    while (next_is('-')) {
      ++at_;
      negative = !negative;
    }
    MO_ASSIGN(const int term, refined());
    return negative ? add(Kind::negate, {term}) : term;
  }

  /// The suffixes of a term: [index], [from:to], .rank, .size, .product, .value
  Expected<int> refined() {
    MO_ASSIGN(int term, primary());
    while (true) {
      if (next_is('[')) {
        ++at_;
        MO_ASSIGN(term, subscript(term));
      } else if (next_is('.') && !text_.substr(at_).starts_with("...")) {
        ++at_;
        const std::string_view name = word();
        if (name == "rank" || name == "size") {
          term = add(Kind::length, {term});
        } else if (name == "product") {
          term = add(Kind::product, {term});
        } else if (name == "value") {
          ShapeExpression::Term& input = expression_.terms_[static_cast<std::size_t>(term)];
          if (input.kind != Kind::input) return fail("only an input has a value");
          input.kind = Kind::input_value;
        } else {
          return fail(fmt::format("\".{}\" is not known; there are .rank, .size, .product and .value", name));
        }
      } else {
        return term;
      }
    }
  }

  Expected<int> subscript(int list) {
    int first = -1;
    if (!next_is(':')) { MO_ASSIGN(first, sum()); }
    if (take("]")) return add(Kind::index, {list, first});
    if (!take(":")) return fail("a ] is missing here");
    int last = -1;
    if (!next_is(']')) { MO_ASSIGN(last, sum()); }
    if (!take("]")) return fail("a ] is missing here");
    return add(Kind::slice, {list, first, last});
  }

  Expected<int> primary() {
    skip_space();
    if (at_ >= text_.size()) return fail("something is missing here");
    const char c = text_[at_];
    if (take("?")) return add(Kind::unknown);
    if (take("(")) {
      MO_ASSIGN(const int inner, sum());
      if (!take(")")) return fail("a ) is missing here");
      return inner;
    }
    if (take("[")) return list();
    if (std::isdigit(static_cast<unsigned char>(c))) return literal();
    if (std::isalpha(static_cast<unsigned char>(c))) return named();
    return fail("this is not a number, input, attribute or list");
  }

  Expected<int> literal() {
    std::int64_t number = 0;
    const auto [end, cause] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (cause != std::errc()) return fail("the number is too large");
    at_ = static_cast<std::size_t>(end - text_.data());
    return add(Kind::number, {}, number);
  }

  Expected<int> list() {
    std::vector<int> elements;
    if (take("]")) return add(Kind::list);
    do {
      if (take("...")) {
        if (next_is(']') && elements.empty()) {
          ++at_;
          return add(Kind::unknown_list);
        }
        MO_ASSIGN(const int spread, sum());
        elements.push_back(add(Kind::spread, {spread}));
      } else {
        MO_ASSIGN(const int element, sum());
        elements.push_back(element);
      }
    } while (take(","));
    if (!take("]")) return fail("a comma or ] is missing here");
    return add(Kind::list, std::move(elements));
  }

  Expected<int> named() {
    const std::size_t start = at_;
    const std::string_view name = word();
    if (name == "attrs") {
      if (!take(".")) return fail("the name of an attribute is missing: attrs.NAME");
      const std::string_view attribute = word();
      if (attribute.empty()) return fail("the name of an attribute is missing: attrs.NAME");
      return add(Kind::attribute, {}, 0, std::string(attribute));
    }
    if (name.starts_with("in") && name.size() > 2) {
      std::int64_t number = 0;
      const auto [end, cause] = std::from_chars(name.data() + 2, name.data() + name.size(), number);
      if (cause == std::errc() && end == name.data() + name.size()) return add(Kind::input, {}, number);
    }
    constexpr std::pair<std::string_view, Kind> kFunctions[] = {{"min", Kind::minimum},
                                                                {"max", Kind::maximum},
                                                                {"ceil_div", Kind::ceil_divide},
                                                                {"broadcast", Kind::broadcast}};
    for (const auto& [function, kind] : kFunctions)
      if (name == function) {
        if (!take("(")) return fail("a ( is missing here");
        MO_ASSIGN(const int first, sum());
        if (!take(",")) return fail(fmt::format("{} expects two arguments", function));
        MO_ASSIGN(const int second, sum());
        if (!take(")")) return fail("a ) is missing here");
        return add(kind, {first, second});
      }
    at_ = start;
    return fail(
        fmt::format("\"{}\" is not known; there are in0, in1 …, attrs.NAME, min, max, ceil_div and broadcast", name));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  ShapeExpression expression_;
};

Expected<ShapeExpression> ShapeExpression::parse(std::string_view text) { return ShapeParser(text).run(); }

}  // namespace mo::custom_ops
