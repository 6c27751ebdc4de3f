#include "core/attributes/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mo {
namespace {

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

Diagnostic unreadable(std::string_view text, AttributeKind kind) {
  return error("MO-CORE-0013", "\"{}\" is not {}", text, to_string(kind));
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() ? std::optional<T>(value) : std::nullopt;
}

/// Comma separated items; an empty text is an empty list.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> items;
  text = trim(text);
  if (text.empty()) return items;
  while (true) {
    const std::size_t comma = text.find(',');
    items.push_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}

std::optional<Dimension> parse_dimension(std::string_view text) {
  if (text == "?" || text == "-1") return Dimension::unknown();
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto v = parse_number<std::int64_t>(text);
    return v && *v >= 0 ? std::optional<Dimension>(*v) : std::nullopt;
  }
  const std::string_view low = text.substr(0, dots);
  const std::string_view high = text.substr(dots + 2);
  const auto min = low.empty() ? std::optional<std::int64_t>(0) : parse_number<std::int64_t>(low);
  const auto max = high.empty() ? std::optional<std::int64_t>(Dimension::kNoLimit) : parse_number<std::int64_t>(high);
  if (!min || !max || *min < 0 || *max < *min) return std::nullopt;
  return Dimension(*min, *max);
}

template <class T>
Expected<AttributeValue> parse_list(AttributeKind kind, std::string_view text) {
  std::vector<T> values;
  for (const std::string_view item : split(text)) {
    const auto v = parse_number<T>(item);
    if (!v) return unreadable(text, kind);
    values.push_back(*v);
  }
  return AttributeValue(std::move(values));
}

Expected<AttributeValue> parse_shape(std::string_view text) {
  if (trim(text) == "...") return AttributeValue(PartialShape::unknown_rank());
  std::vector<Dimension> dims;
  for (const std::string_view item : split(text)) {
    const auto dim = parse_dimension(item);
    if (!dim) return unreadable(text, AttributeKind::shape);
    dims.push_back(*dim);
  }
  return AttributeValue(PartialShape(std::move(dims)));
}

}  // namespace

std::string_view to_string(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::boolean: return "a boolean";
    case AttributeKind::integer: return "an integer";
    case AttributeKind::real: return "a number";
    case AttributeKind::string: return "a string";
    case AttributeKind::enumeration: return "a word";
    case AttributeKind::element_type: return "an element type";
    case AttributeKind::shape: return "a shape";
    case AttributeKind::integers: return "a list of integers";
    case AttributeKind::reals: return "a list of numbers";
    case AttributeKind::strings: return "a list of strings";
    case AttributeKind::tensor: return "a tensor";
    case AttributeKind::body: return "a graph";
    case AttributeKind::list: return "a list";
    case AttributeKind::record: return "a record";
  }
  return "a value";
}

Diagnostic wrong_kind(std::string_view wanted, const AttributeValue& got) {
  return error("MO-CORE-0010", "{} is expected, not {}", wanted, got.kind_name());
}

Diagnostic wrong_choice(const std::string& got, std::span<const std::string_view> choices) {
  return error("MO-CORE-0014", "\"{}\" is not one of {}", got, fmt::join(choices, ", "));
}

Expected<PartialShape> AttributeCodec<PartialShape>::decode(const AttributeValue& v) {
  if (const auto* shape = v.get_if<PartialShape>()) return *shape;
  const auto dims = AttributeCodec<std::vector<std::int64_t>>::decode(v);
  if (!dims) return wrong_kind(to_string(kind), v);
  PartialShape shape = PartialShape::of_rank(dims->size());
  for (std::size_t i = 0; i < dims->size(); ++i)
    if ((*dims)[i] >= 0) shape[i] = (*dims)[i];
  return shape;
}

Expected<bool> AttributeCodec<bool>::decode(const AttributeValue& v) {
  if (const auto* p = v.get_if<bool>()) return *p;
  if (const auto* p = v.get_if<std::int64_t>(); p && (*p == 0 || *p == 1)) return *p == 1;
  return wrong_kind(to_string(kind), v);
}

Expected<double> AttributeCodec<double>::decode(const AttributeValue& v) {
  if (const auto* p = v.get_if<double>()) return *p;
  if (const auto* p = v.get_if<std::int64_t>()) return static_cast<double>(*p);
  return wrong_kind(to_string(kind), v);
}

Expected<std::vector<std::int64_t>> AttributeCodec<std::vector<std::int64_t>>::decode(const AttributeValue& v) {
  if (const auto* p = v.get_if<std::vector<std::int64_t>>()) return *p;
  if (const auto* p = v.get_if<AttributeList>(); p && p->empty()) return std::vector<std::int64_t>();
  return wrong_kind(to_string(kind), v);
}

Expected<std::vector<double>> AttributeCodec<std::vector<double>>::decode(const AttributeValue& v) {
  if (const auto* p = v.get_if<std::vector<double>>()) return *p;
  if (const auto* p = v.get_if<std::vector<std::int64_t>>()) return std::vector<double>(p->begin(), p->end());
  return wrong_kind(to_string(kind), v);
}

Expected<std::vector<std::string>> AttributeCodec<std::vector<std::string>>::decode(const AttributeValue& v) {
  if (const auto* p = v.get_if<std::vector<std::string>>()) return *p;
  if (const auto* p = v.get_if<std::vector<std::int64_t>>(); p && p->empty()) return std::vector<std::string>();
  return wrong_kind(to_string(kind), v);
}

std::string shortest_real(double value) {
  const auto narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) == value || std::isnan(value)) return fmt::format("{}", narrow);
  return fmt::format("{}", value);
}

Expected<std::string> to_ir_text(const AttributeValue& value) {
  const auto real = [](double v) -> Expected<std::string> {
    if (!std::isfinite(v))
      return error("MO-CORE-0012", "{} cannot be written to an IR", v).hint("runtimes cannot read inf and nan");
    return shortest_real(v);
  };
  if (const auto* v = value.get_if<bool>()) return std::string(*v ? "true" : "false");
  if (const auto* v = value.get_if<std::int64_t>()) return fmt::format("{}", *v);
  if (const auto* v = value.get_if<double>()) return real(*v);
  if (const auto* v = value.get_if<std::string>()) return *v;
  if (const auto* v = value.get_if<ElementType>()) return std::string(to_string(*v));
  if (const auto* v = value.get_if<std::vector<std::int64_t>>()) return fmt::format("{}", fmt::join(*v, ", "));
  if (const auto* v = value.get_if<std::vector<std::string>>()) return fmt::format("{}", fmt::join(*v, ", "));
  if (const auto* v = value.get_if<std::vector<double>>()) {
    std::string text;
    for (const double item : *v) {
      MO_ASSIGN(const std::string number, real(item));
      text += (text.empty() ? "" : ", ") + number;
    }
    return text;
  }
  if (const auto* v = value.get_if<PartialShape>()) {
    if (!v->has_rank()) return std::string("...");
    std::string text;
    for (std::size_t i = 0; i < v->size(); ++i) {
      const Dimension& d = (*v)[i];
      text += (i == 0 ? "" : ", ") + Dimension(d.min(), d.max()).to_string();  // symbols stay inside
    }
    return text;
  }
  return error("MO-CORE-0012", "{} cannot be written to an IR attribute", value.kind_name());
}

Expected<AttributeValue> from_ir_text(AttributeKind kind, std::string_view text) {
  switch (kind) {
    case AttributeKind::boolean: {
      std::string lower(trim(text));
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
      if (lower == "true" || lower == "1") return AttributeValue(true);
      if (lower == "false" || lower == "0") return AttributeValue(false);
      return unreadable(text, kind);
    }
    case AttributeKind::integer: {
      const auto v = parse_number<std::int64_t>(text);
      return v ? Expected<AttributeValue>(AttributeValue(*v)) : unreadable(text, kind);
    }
    case AttributeKind::real: {
      const auto v = parse_number<double>(text);
      return v && std::isfinite(*v) ? Expected<AttributeValue>(AttributeValue(*v)) : unreadable(text, kind);
    }
    case AttributeKind::string: return AttributeValue(text);
    case AttributeKind::enumeration: {
      std::string lower(trim(text));  // IR: words compare case-insensitively
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
      return AttributeValue(std::move(lower));
    }
    case AttributeKind::element_type: {
      const auto v = element_type_from(trim(text));
      return v ? Expected<AttributeValue>(AttributeValue(*v)) : unreadable(text, kind);
    }
    case AttributeKind::shape: return parse_shape(text);
    case AttributeKind::integers: return parse_list<std::int64_t>(kind, text);
    case AttributeKind::reals: return parse_list<double>(kind, text);
    case AttributeKind::strings: {
      std::vector<std::string> values;
      for (const std::string_view item : split(text)) values.emplace_back(item);
      return AttributeValue(std::move(values));
    }
    default: return unreadable(text, kind);
  }
}

}  // namespace mo
