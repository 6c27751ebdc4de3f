#include "driver/option_grammar.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "core/command_line/option_lists.hpp"

namespace mo {
namespace {

/// Ports and rank never need more digits; longer numbers belong to names.
constexpr std::size_t kMaxPortDigits = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_port(std::string_view text) {
  if (text.empty() || text.size() > kMaxPortDigits) return false;
  for (const char c : text)
    if (!is_digit(c)) return false;
  return true;
}

int port_value(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// Digits at the current place as a dimension.
Expected<std::int64_t> parse_bound(OptionText& in) {
  const std::size_t start = in.position();
  while (is_digit(in.peek())) in.advance();
  const std::string_view digits = in.text().substr(start, in.position() - start);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc() || end != digits.data() + digits.size() || value > kMaxDimension)
    return in.error_at(start, "MO-CLI-0011", "the dimension is too large")
        .hint("a dimension is at most {}", kMaxDimension);
  return value;
}

constexpr std::string_view kDimensionHint =
    "a dimension is a number, -1 or ? when it is not known, or a range such as 1..8";

/// `5`, `-1`, `?`, `2..8`, `2..`, `..8`.
Expected<Dimension> parse_dimension(OptionText& in) {
  const std::size_t start = in.position();
  if (in.accept("?")) return Dimension::unknown();
  const std::string_view rest = in.text().substr(start);
  if (rest.starts_with("-1") && (rest.size() == 2 || !is_digit(rest[2]))) {
    in.advance(2);
    return Dimension::unknown();
  }
  if (!is_digit(in.peek()) && !rest.starts_with(".."))
    return in.error_here("MO-CLI-0011", "{} where a dimension should be", in.found()).hint("{}", kDimensionHint);
  std::int64_t low = 0;
  if (is_digit(in.peek())) {
    MO_ASSIGN(low, parse_bound(in));
    if (!in.accept("..")) return Dimension(low);
    if (!is_digit(in.peek())) return Dimension(low, Dimension::kNoLimit);
  } else {
    in.advance(2);
    if (!is_digit(in.peek()))
      return in.error_at(start, "MO-CLI-0011", "a range without limits").hint("{}", kDimensionHint);
  }
  MO_ASSIGN(const std::int64_t high, parse_bound(in));
  if (high < low)
    return in.error_at(start, "MO-CLI-0011", "the range {}..{} is empty", low, high)
        .hint("the smaller limit comes first");
  return Dimension(low, high);
}

/// At the opening bracket.
Expected<PartialShape> parse_shape(OptionText& in) {
  const std::string_view rest = in.text().substr(in.position());
  for (const std::string_view any : {"[...]", "(...)"})
    if (rest.starts_with(any)) {
      in.advance(any.size());
      return PartialShape::unknown_rank();
    }
  std::vector<Dimension> dims;
  MO_TRY(parse_list(in, "MO-CLI-0011", "dimension", [&]() -> Expected<void> {
    MO_ASSIGN(Dimension dimension, parse_dimension(in));
    dims.push_back(dimension);
    return {};
  }));
  return PartialShape(std::move(dims));
}

/// At '{'. The original knows f64, f32, f16, i64, i32, u8 and boolean; every type of the IR is understood.
Expected<ElementType> parse_type(OptionText& in) {
  in.advance();
  in.skip_spaces();
  const std::size_t start = in.position();
  const std::string_view name = in.until("}");
  if (in.at_end())
    return in.error_at(start - 1, "MO-CLI-0012", "this bracket is not closed").hint("add '}}' after the type");
  in.advance();
  const auto type = element_type_from(name);
  if (!type || *type == ElementType::dynamic) {
    std::vector<std::string_view> names;
    for (const ElementType known : all_element_types()) names.push_back(to_string(known));
    return in.error_at(start, "MO-CLI-0012", "{} is not an element type", in_quotes(name))
        .hint("use one of: {}", fmt::join(names, ", "));
  }
  return *type;
}

/// After "->": `5`, `True` or `[1 2 3]`, up to the next comma.
Expected<FrozenValue> parse_value(OptionText& in) {
  in.skip_spaces();
  FrozenValue value;
  if (in.peek() == '[') {
    value.is_list = true;
    MO_TRY(parse_list(in, "MO-CLI-0013", "value", [&]() -> Expected<void> {
      const std::string_view item = in.until(", \t\r\n][");
      if (item.empty())
        return in.error_here("MO-CLI-0013", "{} where a value should be", in.found()).hint("write [1 2 3]");
      value.items.emplace_back(item);
      return {};
    }));
    return value;
  }
  const std::size_t start = in.position();
  const std::string_view item = in.until(",");
  if (item.empty())
    return in.error_at(start, "MO-CLI-0013", "the value after '->' is missing").hint("write name->5 or name->[1 2 3]");
  if (const std::size_t stray = item.find_first_of("[]{}"); stray != std::string_view::npos)
    return in.error_at(start + stray, "MO-CLI-0013", "a bracket inside a value")
        .hint("a list is written name->[1 2 3]");
  value.items.emplace_back(item);
  return value;
}

/// A name up to a delimiter: ',', a bracket, or "->"; '-' and '>' alone belong to the name.
Expected<PortedName> parse_name(OptionText& in, std::string_view code) {
  constexpr std::string_view kStops = ",[]{}";
  const std::size_t start = in.position();
  while (!in.at_end() && kStops.find(in.peek()) == std::string_view::npos && !in.starts_with("->")) in.advance();
  const std::string_view name = trimmed(in.text().substr(start, in.position() - start));
  if (name.empty())
    return in.error_at(start, code, "{} where a name should be", in.found())
        .hint("separate the names by single commas");
  return ported_name(name);
}

/// What may follow a name in --input: shape and type in any order, each at most once, then the value.
Expected<void> parse_input_suffixes(OptionText& in, InputSpec& input) {
  while (true) {
    in.skip_spaces();
    if (in.peek() == '[') {
      if (input.shape)
        return in.error_here("MO-CLI-0010", "a second shape for {}", in_quotes(input.text))
            .hint("separate the inputs by commas");
      MO_ASSIGN(input.shape, parse_shape(in));
    } else if (in.peek() == '{') {
      if (input.type)
        return in.error_here("MO-CLI-0010", "a second type for {}", in_quotes(input.text))
            .hint("separate the inputs by commas");
      MO_ASSIGN(input.type, parse_type(in));
    } else if (in.accept("->")) {
      MO_ASSIGN(input.value, parse_value(in));
      return {};
    } else {
      return {};
    }
  }
}

}  // namespace

PortedName ported_name(std::string_view text) {
  PortedName name{std::string(text), std::string(text), std::nullopt, std::nullopt};
  std::string_view rest = text;
  if (const std::size_t colon = rest.find(':');
      colon != std::string_view::npos && colon + 1 < rest.size() && is_port(rest.substr(0, colon))) {
    name.in_port = port_value(rest.substr(0, colon));
    rest.remove_prefix(colon + 1);
  }
  if (const std::size_t colon = rest.rfind(':');
      colon != std::string_view::npos && colon > 0 && is_port(rest.substr(colon + 1))) {
    name.out_port = port_value(rest.substr(colon + 1));
    rest = rest.substr(0, colon);
  }
  name.node = rest;
  return name;
}

Expected<std::vector<InputSpec>> parse_inputs(std::string_view text) {
  OptionText in("--input", text);
  std::vector<InputSpec> inputs;
  std::unordered_map<std::string, std::size_t> known;
  MO_TRY(parse_entries(in, "MO-CLI-0010", [&](std::size_t start) -> Expected<void> {
    InputSpec input;
    MO_ASSIGN(static_cast<PortedName&>(input), parse_name(in, "MO-CLI-0010"));
    MO_TRY(parse_input_suffixes(in, input));
    const auto [at, is_new] = known.try_emplace(input.text, inputs.size());
    if (is_new)
      inputs.push_back(std::move(input));
    else if (inputs[at->second] != input)
      return in.error_at(start, "MO-CLI-0014", "{} is listed twice, with different properties", in_quotes(input.text))
          .hint("keep one of them");
    return {};
  }));
  return inputs;
}

Expected<std::vector<OutputSpec>> parse_outputs(std::string_view text) {
  OptionText in("--output", text);
  std::vector<OutputSpec> outputs;
  std::unordered_set<std::string> known;
  MO_TRY(parse_entries(in, "MO-CLI-0010", [&](std::size_t) -> Expected<void> {
    OutputSpec output;
    MO_ASSIGN(static_cast<PortedName&>(output), parse_name(in, "MO-CLI-0010"));
    if (known.insert(output.text).second) outputs.push_back(std::move(output));
    return {};
  }));
  return outputs;
}

Expected<std::vector<PartialShape>> parse_shapes(std::string_view text) {
  OptionText in("--input_shape", text);
  std::vector<PartialShape> shapes;
  MO_TRY(parse_entries(in, "MO-CLI-0011", [&](std::size_t) -> Expected<void> {
    if (in.peek() != '[' && in.peek() != '(')
      return in.error_here("MO-CLI-0011", "{} where a shape should begin", in.found())
          .hint("write shapes in brackets: [1,3,224,224],(1,10)");
    MO_ASSIGN(PartialShape shape, parse_shape(in));
    shapes.push_back(std::move(shape));
    return {};
  }));
  return shapes;
}

Expected<std::vector<FrozenPlaceholder>> parse_frozen_placeholders(std::string_view text) {
  OptionText in("--freeze_placeholder_with_value", text);
  std::vector<FrozenPlaceholder> placeholders;
  MO_TRY(parse_entries(in, "MO-CLI-0017", [&](std::size_t) -> Expected<void> {
    FrozenPlaceholder placeholder;
    MO_ASSIGN(static_cast<PortedName&>(placeholder), parse_name(in, "MO-CLI-0017"));
    if (!in.accept("->"))
      return in.error_here("MO-CLI-0017", "{} where '->' and a value should be", in.found())
          .hint("write name->5 or name->[1 2 3]");
    MO_ASSIGN(placeholder.value, parse_value(in));
    placeholders.push_back(std::move(placeholder));
    return {};
  }));
  return placeholders;
}

}  // namespace mo
