#include "core/proto_text/printing.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mo::proto_text {
namespace {

/// A string in quotes: characters that are not printable ASCII become an escape in octal digits, which any character
/// may follow.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else if (byte < 0x20 || byte >= 0x7F)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out + "\"";
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return fmt::format("{}", value);
}

// As deep as messages are nested, which the parser bounds.
void print_value(std::string_view name, const Value& value, int indent, std::string& out) {
  const std::string margin(2 * static_cast<std::size_t>(indent), ' ');
  out.append(margin).append(name);
  if (const auto* inner = std::get_if<std::unique_ptr<Message>>(&value)) {
    out += " {\n";
    for (const Field& field : (*inner)->fields)
      for (const Value& one : field.values) print_value(field.name, one, indent + 1, out);
    out.append(margin).append("}\n");
    return;
  }
  out += ": ";
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    out += fmt::format("{}", *integer);
  else if (const auto* real = std::get_if<double>(&value))
    out += number(*real);
  else if (const auto* flag = std::get_if<bool>(&value))
    out += *flag ? "true" : "false";
  else if (const auto* word = std::get_if<Word>(&value))
    out += word->text;
  else
    out += quoted(std::get<std::string>(value));
  out += '\n';
}

}  // namespace

std::string print(std::string_view name, const Value& value, int indent) {
  std::string out;
  print_value(name, value, indent, out);
  return out;
}

}  // namespace mo::proto_text
