#include "driver/option_grammar.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/command_line/option_text.hpp"

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

/// A list from the opening to the closing bracket, its items separated by commas, spaces or both. `item` reads one.
template <class Item>
Expected<void> parse_list(OptionText& in, std::string_view code, std::string_view what, Item item) {
  const std::size_t open_at = in.position();
  const char close = in.peek() == '(' ? ')' : ']';
  in.advance();
  in.skip_spaces();
  if (in.accept({&close, 1})) return {};
  while (true) {
    if (in.at_end())
      return in.error_at(open_at, code, "this bracket is not closed").hint("add '{}' after the last {}", close, what);
    MO_TRY(item());
    const bool spaces = in.skip_spaces();
    if (in.accept({&close, 1})) return {};
    if (in.at_end()) continue;
    const bool comma = in.accept(",");
    if (!comma && !spaces)
      return in.error_here(code, "{} after a {}", in.found(), what)
          .hint("separate with commas or spaces, and close with '{}'", close);
    in.skip_spaces();
    if (comma && (in.peek() == ',' || in.peek() == close))
      return in.error_here(code, "a {} is missing here", what).hint("remove the extra comma");
  }
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

/// Tells when the same text was seen before.
class Duplicates {
 public:
  Expected<void> check(const OptionText& in, std::size_t position, const std::string& name) {
    if (seen_.insert(name).second) return {};
    return in.error_at(position, "MO-CLI-0014", "{} is listed twice", in_quotes(name)).hint("keep one of them");
  }

 private:
  std::unordered_set<std::string> seen_;
};

/// Entries separated by commas, up to the end; `entry(start)` reads one. An empty text has none.
template <class Entry>
Expected<void> parse_entries(OptionText& in, std::string_view code, Entry entry) {
  if (trimmed(in.text()).empty()) return {};
  while (true) {
    in.skip_spaces();
    MO_TRY(entry(in.position()));
    in.skip_spaces();
    if (in.at_end()) return {};
    if (!in.accept(","))
      return in.error_here(code, "{} where a comma or the end should be", in.found())
          .hint("separate the entries by commas");
  }
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

Expected<double> parse_number(OptionText& in, std::string_view stops) {
  const std::size_t start = in.position();
  std::string_view text = in.until(stops);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return in.error_at(start, "MO-CLI-0015", "{} is not a number", text.empty() ? in.found() : in_quotes(text))
        .hint("write numbers as 127.5 or 1e-3");
  return value;
}

/// One list of numbers; at the opening bracket.
Expected<std::vector<double>> parse_numbers(OptionText& in) {
  std::vector<double> values;
  MO_TRY(parse_list(in, "MO-CLI-0015", "number", [&]() -> Expected<void> {
    MO_ASSIGN(const double value, parse_number(in, ", \t\r\n)]([{"));
    values.push_back(value);
    return {};
  }));
  return values;
}

/// Divisors must not be 0.
Expected<void> check_divisors(OptionText& in, std::size_t position, const ChannelValues& list) {
  if (in.option() != "--scale_values") return {};
  for (const double value : list.values)
    if (value == 0)
      return in.error_at(position, "MO-CLI-0016", "a channel would be divided by 0")
          .hint("use 1 for a channel that stays as it is");
  return {};
}

/// `1,2,3` without brackets.
Expected<std::vector<ChannelValues>> parse_bare_numbers(OptionText& in) {
  ChannelValues list;
  const std::size_t start = in.position();
  while (true) {
    in.skip_spaces();
    MO_ASSIGN(const double value, parse_number(in, ", \t\r\n"));
    list.values.push_back(value);
    const bool spaces = in.skip_spaces();
    if (in.at_end()) break;
    if (!in.accept(",") && !spaces)
      return in.error_here("MO-CLI-0015", "{} after a number", in.found()).hint("write (1,2,3)");
  }
  MO_TRY(check_divisors(in, start, list));
  return std::vector<ChannelValues>{std::move(list)};
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

Expected<std::vector<ChannelValues>> parse_channel_values(std::string_view option, std::string_view text) {
  OptionText in(option, text);
  std::vector<ChannelValues> lists;
  // "()" is what the original's help calls the default.
  if (trimmed(text).empty() || trimmed(text) == "()" || trimmed(text) == "[]") return lists;
  if (text.find_first_of("([") == std::string_view::npos) return parse_bare_numbers(in);
  if (const std::string_view lists_only = trimmed(text); lists_only.ends_with(','))
    in = OptionText(option, lists_only.substr(0, lists_only.size() - 1));
  Duplicates duplicates;
  MO_TRY(parse_entries(in, "MO-CLI-0015", [&](std::size_t start) -> Expected<void> {
    ChannelValues list;
    const std::string_view name = in.until("([,");
    if (in.at_end() || in.peek() == ',')
      return in.error_at(start, "MO-CLI-0015", "a list in brackets is missing")
          .hint("write (1,2,3) or name(1,2,3) for each input");
    if (!name.empty()) {
      list.name = std::string(name);
      MO_TRY(duplicates.check(in, start, *list.name));
    }
    if (!lists.empty() && lists.front().name.has_value() != list.name.has_value())
      return in.error_at(start, "MO-CLI-0015", "lists with and without a name are mixed")
          .hint("name all inputs, or none");
    const std::size_t open_at = in.position();
    MO_ASSIGN(list.values, parse_numbers(in));
    if (list.values.empty())
      return in.error_at(open_at, "MO-CLI-0015", "the list is empty").hint("write one number for each channel");
    MO_TRY(check_divisors(in, open_at, list));
    lists.push_back(std::move(list));
    return {};
  }));
  return lists;
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

Expected<std::int64_t> parse_batch(std::string_view text) {
  const std::string_view digits = trimmed(text);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || status != std::errc() || end != digits.data() + digits.size() || value < 1 ||
      value > kMaxDimension)
    return OptionText("--batch", text)
        .error_here("MO-CLI-0026", "{} is not a batch size", in_quotes(text))
        .hint("give a number from 1 to {}; for a batch of any size use --input_shape with -1", kMaxDimension);
  return value;
}

Expected<double> parse_real(std::string_view option, std::string_view text) {
  OptionText in(option, text);
  in.skip_spaces();
  return parse_number(in, "");
}

Expected<std::vector<std::int64_t>> parse_offsets(std::string_view option, std::string_view text) {
  OptionText in(option, text);
  in.skip_spaces();
  std::vector<std::int64_t> offsets;
  const Diagnostic wrong = in.error_here("MO-CLI-0005", "two whole numbers are needed, not less than 0")
                               .hint("write (x,y), for example (10,20)");
  if (in.peek() != '(' && in.peek() != '[') return wrong;
  MO_TRY(parse_list(in, "MO-CLI-0005", "number", [&]() -> Expected<void> {
    if (!is_digit(in.peek())) return wrong;
    MO_ASSIGN(const std::int64_t value, parse_bound(in));
    offsets.push_back(value);
    return {};
  }));
  in.skip_spaces();
  if (offsets.size() != 2 || !in.at_end()) return wrong;
  return offsets;
}

}  // namespace mo
