#include "core/text/attribute_parser.hpp"

#include "core/text/literal.hpp"

namespace mo::text {
namespace {

constexpr int kMaxNesting = 64;

}  // namespace

Expected<AttributeValue> AttributeParser::attribute() {
  if (++nesting_ > kMaxNesting) return lexer_.error("values are nested too deeply");
  auto value = attribute_inside();
  --nesting_;
  return value;
}

Expected<AttributeMap> AttributeParser::record() {
  AttributeMap map;
  MO_TRY(lexer_.expect_symbol("{"));
  if (lexer_.take_if_symbol("}")) return map;
  do {
    if (lexer_.peek().kind != TokenKind::word && lexer_.peek().kind != TokenKind::string)
      return lexer_.error("the name of an attribute is expected, not \"{}\"", lexer_.peek().text);
    const std::string name = lexer_.take().text;
    MO_TRY(lexer_.expect_symbol("="));
    MO_ASSIGN(AttributeValue value, attribute());
    map.set(name, std::move(value));
  } while (lexer_.take_if_symbol(","));
  MO_TRY(lexer_.expect_symbol("}"));
  return map;
}

Expected<AttributeValue> AttributeParser::attribute_inside() {
  const Token& token = lexer_.peek();
  if (token.kind == TokenKind::string) return AttributeValue(lexer_.take().text);
  if (lexer_.is_symbol("{")) {
    MO_ASSIGN(AttributeMap map, record());
    return AttributeValue(std::move(map));
  }
  if (token.kind == TokenKind::word) {
    if (lexer_.take_if_word("true")) return AttributeValue(true);
    if (lexer_.take_if_word("false")) return AttributeValue(false);
    if (lexer_.take_if_word("none")) return AttributeValue();
    if (lexer_.take_if_word("shape")) {
      MO_ASSIGN(PartialShape shape, parse_shape(lexer_));
      return AttributeValue(std::move(shape));
    }
    if (token.text == "graph") {
      MO_ASSIGN(std::unique_ptr<Graph> body, body_());
      return AttributeValue(Body(std::move(body)));
    }
    MO_ASSIGN(const auto type, parse_element_type(lexer_));
    if (type) return AttributeValue(*type);
  }
  if (lexer_.is_symbol("[")) return list();
  return number_or_tensor();
}

Expected<AttributeValue> AttributeParser::number_or_tensor() {
  MO_ASSIGN(auto parsed, parse_literal(lexer_, allow_elided_));
  if (auto* tensor = std::get_if<Tensor>(&parsed)) return AttributeValue(std::move(*tensor));
  const Literal& literal = std::get<Literal>(parsed);
  if (literal.shape.empty())
    return literal.real ? AttributeValue(literal.reals.front()) : AttributeValue(literal.integers.front());
  if (literal.shape.size() > 1) return lexer_.error("nested lists need an element type: [[1, 2]]:f32");
  return literal.real ? AttributeValue(literal.reals) : AttributeValue(literal.integers);
}

/// A list of numbers may turn out to be a tensor (`[1, 2]:i64`); any other list is read item by item.
Expected<AttributeValue> AttributeParser::list() {
  const Lexer start = lexer_;
  lexer_.take();
  const bool numbers = lexer_.peek().kind == TokenKind::number || lexer_.is_symbol("[") || lexer_.is_symbol("]") ||
                       lexer_.is(TokenKind::word, "inf") || lexer_.is(TokenKind::word, "nan");
  if (numbers) {
    lexer_ = start;
    if (auto value = number_or_tensor()) return value;
    lexer_ = start;
    lexer_.take();
  }
  AttributeList items;
  std::vector<std::string> strings;
  if (!lexer_.take_if_symbol("]")) {
    do {
      MO_ASSIGN(AttributeValue item, attribute());
      if (const auto* text = item.get_if<std::string>()) strings.push_back(*text);
      items.push_back(std::move(item));
    } while (lexer_.take_if_symbol(","));
    MO_TRY(lexer_.expect_symbol("]"));
  }
  if (!items.empty() && strings.size() == items.size()) return AttributeValue(std::move(strings));
  return AttributeValue(std::move(items));
}

}  // namespace mo::text
