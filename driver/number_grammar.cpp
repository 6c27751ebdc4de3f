#include <charconv>
#include <cmath>
#include <unordered_set>

#include "core/command_line/option_lists.hpp"
#include "driver/option_grammar.hpp"

namespace mo {
namespace {

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
    const std::string_view digits = in.until(", \t\r\n)]([{");
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || status != std::errc() || end != digits.data() + digits.size() || value < 0 ||
        value > kMaxDimension)
      return wrong;
    offsets.push_back(value);
    return {};
  }));
  in.skip_spaces();
  if (offsets.size() != 2 || !in.at_end()) return wrong;
  return offsets;
}

}  // namespace mo
