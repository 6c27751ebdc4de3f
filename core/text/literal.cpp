#include "core/text/literal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <random>

#include "core/tensor/convert.hpp"

namespace mo::text {

std::optional<std::int64_t> integer_of(const std::string& text) {
  std::int64_t value = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, status] = std::from_chars(begin, text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> real_of(const std::string& text) {
  double value = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, status] = std::from_chars(begin, text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

namespace {

Expected<Dimension> parse_dimension(Lexer& lexer) {
  std::int64_t min = 0;
  std::int64_t max = Dimension::kNoLimit;
  if (!lexer.take_if_symbol("?")) {
    const auto low = lexer.peek().kind == TokenKind::number ? integer_of(lexer.peek().text) : std::nullopt;
    if (!low || *low < 0) return lexer.error("a dimension is expected, not \"{}\"", lexer.peek().text);
    lexer.take();
    min = *low;
    if (!lexer.take_if_symbol("..")) {
      max = min;
    } else if (lexer.peek().kind == TokenKind::number) {
      const auto high = integer_of(lexer.peek().text);
      if (!high || *high < min) return lexer.error("an upper limit of at least {} is expected", min);
      lexer.take();
      max = *high;
    }
  }
  Dimension::Symbol symbol = 0;
  if (lexer.take_if_symbol("#")) {
    const auto number = lexer.peek().kind == TokenKind::number ? integer_of(lexer.peek().text) : std::nullopt;
    if (!number || *number <= 0 || *number > 0xFFFFFF) return lexer.error("the number of a symbol is expected");
    lexer.take();
    symbol = static_cast<Dimension::Symbol>(*number);
  }
  return Dimension(min, max, symbol);
}

}  // namespace

Expected<std::optional<ElementType>> parse_element_type(Lexer& lexer) {
  if (lexer.peek().kind != TokenKind::word) return std::optional<ElementType>();
  if (const auto known = element_type_from(lexer.peek().text)) {
    lexer.take();
    return known;
  }
  Lexer ahead = lexer;
  if (!ahead.take_if_word("type") || !ahead.take_if_symbol("(")) return std::optional<ElementType>();
  lexer = ahead;
  const Token name = lexer.take();
  if (name.kind != TokenKind::string || !is_type_name(name.text))
    return lexer.at(name.offset,
                    fmt::format("the name of an element type in quotes is expected, not \"{}\"", name.text));
  const auto type = named_element_type(name.text);
  if (!type) return lexer.at(name.offset, "there are too many element types that are known by name only");
  MO_TRY(lexer.expect_symbol(")"));
  return type;
}

Expected<TensorType> parse_type(Lexer& lexer) {
  if (lexer.peek().kind != TokenKind::word) return lexer.error("a type such as f32[1,3] is expected");
  MO_ASSIGN(const auto element, parse_element_type(lexer));
  if (!element) return lexer.error("\"{}\" is not an element type", lexer.peek().text);
  MO_ASSIGN(PartialShape shape, parse_shape(lexer));
  return TensorType{*element, std::move(shape)};
}

Expected<PartialShape> parse_shape(Lexer& lexer) {
  MO_TRY(lexer.expect_symbol("["));
  if (lexer.take_if_symbol("...")) {
    MO_TRY(lexer.expect_symbol("]"));
    return PartialShape::unknown_rank();
  }
  std::vector<Dimension> dims;
  if (lexer.take_if_symbol("]")) return PartialShape(dims);
  do {
    MO_ASSIGN(const Dimension dim, parse_dimension(lexer));
    dims.push_back(dim);
  } while (lexer.take_if_symbol(","));
  MO_TRY(lexer.expect_symbol("]"));
  return PartialShape(std::move(dims));
}

Expected<Tensor> typed(const Literal& literal, ElementType type) {
  if (literal.real || (literal.large && type != ElementType::u64))
    return from_reals(type, literal.shape, literal.reals);
  if (literal.large)
    return Tensor::of<std::uint64_t>(literal.shape,
                                     std::vector<std::uint64_t>(literal.integers.begin(), literal.integers.end()));
  return from_integers(type, literal.shape, literal.integers);
}

namespace {

/// An integer that only u64 holds.
std::optional<std::uint64_t> unsigned_of(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

Expected<void> numbers(Lexer& lexer, Literal& literal, std::size_t level) {
  if (level > 16) return lexer.error("a literal has too many dimensions");
  if (!lexer.is_symbol("[")) {
    if (level != literal.shape.size()) return lexer.error("the lists of a literal differ in depth");
    const Token token = lexer.take();
    const auto integer = token.kind == TokenKind::number ? integer_of(token.text) : std::nullopt;
    const auto real = token.kind == TokenKind::number || token.text == "inf" || token.text == "nan"
                          ? real_of(token.text)
                          : std::nullopt;
    if (!real) return lexer.at(token.offset, fmt::format("a number is expected, not \"{}\"", token.text));
    const auto large = integer ? std::nullopt : unsigned_of(token.text);
    literal.real = literal.real || (!integer && !large);
    literal.large = literal.large || large;
    literal.integers.push_back(integer.value_or(static_cast<std::int64_t>(large.value_or(0))));
    literal.reals.push_back(*real);
    return {};
  }
  lexer.take();
  const bool first = literal.integers.empty() && literal.shape.size() == level;
  if (first) literal.shape.push_back(-1);
  std::int64_t count = 0;
  if (!lexer.take_if_symbol("]")) {
    do {
      MO_TRY(numbers(lexer, literal, level + 1));
      ++count;
    } while (lexer.take_if_symbol(","));
    MO_TRY(lexer.expect_symbol("]"));
  }
  if (level >= literal.shape.size()) return lexer.error("the lists of a literal differ in depth");
  if (literal.shape[level] == -1) literal.shape[level] = count;
  if (literal.shape[level] != count) return lexer.error("the lists of a literal differ in length");
  return {};
}

/// `type[shape]` of a constant, whose sizes are known.
Expected<std::pair<ElementType, Shape>> static_type(Lexer& lexer) {
  MO_ASSIGN(const TensorType type, parse_type(lexer));
  std::optional<Shape> shape = type.shape.to_shape();
  if (!shape) return lexer.error("a constant needs a static shape");
  return std::pair(type.element_type, *std::move(shape));
}

/// The bytes that `digits` are, two of them for each one.
Expected<Tensor> tensor_of_bytes(const Lexer& lexer, const Token& digits, ElementType type, const Shape& shape) {
  const auto count = element_count(shape);
  const auto size = is_named(type) && count ? std::optional(digits.text.size() / 2)
                    : count                 ? byte_size(type, *count)
                                            : std::nullopt;
  // Before anything is allocated: a declared size is not trusted.
  if (!size || digits.text.size() != 2 * *size)
    return lexer.at(digits.offset,
                    fmt::format("{} digits are expected, not {}", size ? 2 * *size : 0, digits.text.size()));
  MO_ASSIGN(std::shared_ptr<HeapBuffer> heap, HeapBuffer::allocate(*size));
  const std::span<std::byte> bytes(heap->mutable_bytes(), *size);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::uint8_t byte = 0;
    const char* const begin = digits.text.data() + 2 * i;
    if (const auto [end, status] = std::from_chars(begin, begin + 2, byte, 16); end != begin + 2)
      return lexer.at(digits.offset, fmt::format("byte {} is not hexadecimal", i));
    bytes[i] = static_cast<std::byte>(byte);
  }
  return Tensor::from_buffer(type, shape, std::move(heap));
}

Expected<Tensor> made_tensor(Lexer& lexer, bool allow_elided) {
  const Token kind = lexer.take();
  if (kind.text == "strings") {
    std::vector<std::string> items;
    MO_TRY(lexer.expect_symbol("["));
    if (!lexer.take_if_symbol("]")) {
      do {
        if (lexer.peek().kind != TokenKind::string) return lexer.error("a string is expected");
        items.push_back(lexer.take().text);
      } while (lexer.take_if_symbol(","));
      MO_TRY(lexer.expect_symbol("]"));
    }
    Shape shape = {static_cast<std::int64_t>(items.size())};
    if (lexer.take_if_symbol(":")) {
      MO_ASSIGN(const auto type, static_type(lexer));
      shape = type.second;
      if (type.first != ElementType::string || element_count(shape) != static_cast<std::int64_t>(items.size()))
        return lexer.at(kind.offset, "the strings do not fit their type");
    }
    return from_strings(std::move(shape), items);
  }
  if (kind.text != "splat" && kind.text != "random" && kind.text != "elided" && kind.text != "hex")
    return lexer.at(kind.offset, fmt::format("a value or a literal is expected, not \"{}\"", kind.text));
  MO_TRY(lexer.expect_symbol("("));
  // The digits of `elided(…)` may look like words or numbers.
  const Token argument = lexer.take();
  while (kind.text == "elided" && !lexer.is_symbol(")") && lexer.peek().kind != TokenKind::end) lexer.take();
  MO_TRY(lexer.expect_symbol(")"));
  MO_TRY(lexer.expect_symbol(":"));
  MO_ASSIGN(const auto type, static_type(lexer));
  const auto& [element_type, shape] = type;
  if (kind.text == "elided") {
    if (!allow_elided) return lexer.at(kind.offset, "the values of this constant were left out when it was printed");
    if (!is_named(element_type)) return Tensor::allocate(element_type, shape);
    MO_ASSIGN(BufferPtr none, HeapBuffer::allocate(0));
    return Tensor::from_buffer(element_type, shape, std::move(none));
  }
  if (kind.text == "hex") return tensor_of_bytes(lexer, argument, element_type, shape);
  const auto number = real_of(argument.text);
  if (!number) return lexer.at(argument.offset, "a number is expected");
  const auto count = element_count(shape);
  if (!count || *count > 100'000'000) return lexer.at(kind.offset, "the constant is too large");
  std::vector<double> values(static_cast<std::size_t>(*count), *number);
  if (kind.text == "random") {
    std::mt19937 engine(static_cast<std::uint32_t>(*number));
    // Not std::uniform_real_distribution: its results differ between standard libraries.
    for (double& v : values)
      v = holds_reals(element_type) ? static_cast<double>(engine()) / 2147483648.0 - 1.0
                                    : static_cast<double>(engine() % 10);
  }
  return from_reals(element_type, shape, values);
}

}  // namespace

Expected<std::variant<Literal, Tensor>> parse_literal(Lexer& lexer, bool allow_elided) {
  using Result = std::variant<Literal, Tensor>;
  if (lexer.peek().kind == TokenKind::word && lexer.peek().text != "inf" && lexer.peek().text != "nan") {
    MO_ASSIGN(Tensor tensor, made_tensor(lexer, allow_elided));
    return Result(std::move(tensor));
  }
  Literal literal;
  MO_TRY(numbers(lexer, literal, 0));
  if (!lexer.take_if_symbol(":")) return Result(std::move(literal));
  MO_ASSIGN(const auto type, parse_element_type(lexer));
  if (!type) return lexer.error("\"{}\" is not an element type", lexer.peek().text);
  MO_ASSIGN(Tensor tensor, typed(literal, *type));
  return Result(std::move(tensor));
}

}  // namespace mo::text
