#include "onnx_emitter/operator_types.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace mo::onnx_emitter {
namespace {

struct Row {
  std::string_view type;
  std::int64_t first_opset;
  std::string_view inputs;
  std::string_view outputs;
  std::string_view parameters;  ///< "T = f32 -bf16; I = i64"
};

constexpr Row kRows[] = {
#include "onnx_emitter/operator_types.inc"
};

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

/// The versions of an operator, the oldest one first.
std::span<const Row> versions_of(std::string_view type) {
  struct ByType {
    bool operator()(const Row& row, std::string_view name) const { return row.type < name; }
    bool operator()(std::string_view name, const Row& row) const { return name < row.type; }
  };
  const auto [first, last] = std::equal_range(std::begin(kRows), std::end(kRows), type, ByType{});
  return {first, last};
}

std::span<const ElementType> wider_types(ElementType type) {
  using enum ElementType;
  static constexpr ElementType kBoolean[] = {u8, i32, i64, f32};
  static constexpr ElementType kI4[] = {i8, i16, i32, i64, f32, f64};
  static constexpr ElementType kU4[] = {u8, i8, u16, i16, i32, u32, i64, u64, f32, f64};
  static constexpr ElementType kF8[] = {f16, f32, f64};
  static constexpr ElementType kU8[] = {u16, i16, i32, u32, i64, u64, f32, f64};
  static constexpr ElementType kU16[] = {u32, i32, i64, u64, f32, f64};
  static constexpr ElementType kU32[] = {u64, i64, f64};
  static constexpr ElementType kReal[] = {f32, f64};
  switch (type) {
    case boolean: return kBoolean;
    case i4: return kI4;
    case i8: return std::span(kI4).subspan(1);
    case i16: return std::span(kI4).subspan(2);
    case i32: {
      static constexpr ElementType kI32[] = {i64, f64};
      return kI32;
    }
    case u2:
    case u3:
    case u4:
    case u6: return kU4;
    case u8: return kU8;
    case u16: return kU16;
    case u32: return kU32;
    case f4e2m1:
    case f8e4m3:
    case f8e5m2: return kF8;
    case nf4:
    case f8e8m0:
    case f16:
    case bf16: return kReal;
    case f32: return std::span(kReal).subspan(1);
    case f64: return std::span(kReal).first(1);
    default: return {};
  }
}

}  // namespace

bool OperatorTypes::holds_all_of(ElementType wide, ElementType narrow) {
  const std::span<const ElementType> wider = wider_types(narrow);
  return narrow != ElementType::f64 && std::find(wider.begin(), wider.end(), wide) != wider.end();
}

std::optional<OperatorTypes> OperatorTypes::find(std::string_view type, std::int64_t opset) {
  const Row* found = nullptr;
  for (const Row& row : versions_of(type))
    if (row.first_opset <= opset) found = &row;
  if (!found) return std::nullopt;
  OperatorTypes types;
  types.inputs_ = split(found->inputs, " ");
  types.outputs_ = split(found->outputs, " ");
  for (const std::string_view part : split(found->parameters, "; ")) {
    const auto sides = split(part, " = ");
    std::map<ElementType, Support>& own = types.parameters_[sides[0]];
    for (std::string_view name : split(sides[1], " ")) {
      const bool lacks = name.front() == '-';
      if (lacks) name.remove_prefix(1);
      if (const auto known = element_type_from(name)) own[*known] = lacks ? Support::schema : Support::kernel;
    }
  }
  return types;
}

std::int64_t OperatorTypes::first_opset(std::string_view type, std::size_t i, ElementType element_type) {
  for (const Row& row : versions_of(type)) {
    const auto types = find(type, row.first_opset);
    if (types->support(types->input(i), element_type) != Support::none) return row.first_opset;
  }
  return 0;
}

std::string_view OperatorTypes::at(const std::vector<std::string_view>& names, std::size_t i) {
  if (names.empty()) return {};
  std::string_view name = names[std::min(i, names.size() - 1)];
  const bool repeats = name.ends_with('*');
  if (repeats) name.remove_suffix(1);
  if (i >= names.size() && !repeats) return {};
  return name.ends_with('?') ? std::string_view() : name;
}

Support OperatorTypes::support(std::string_view parameter, ElementType type) const {
  const auto own = parameters_.find(parameter);
  if (own == parameters_.end()) return element_type_from(parameter) == type ? Support::kernel : Support::none;
  const auto found = own->second.find(type);
  return found == own->second.end() ? Support::none : found->second;
}

std::optional<ElementType> OperatorTypes::only_type(std::string_view parameter) const {
  const auto own = parameters_.find(parameter);
  if (own == parameters_.end()) return element_type_from(parameter);
  if (own->second.size() != 1) return std::nullopt;
  return own->second.begin()->first;
}

const OperatorTypes* Operators::find(std::string_view type) {
  auto known = known_.find(type);
  if (known == known_.end()) known = known_.emplace(type, OperatorTypes::find(type, opset)).first;
  return known->second ? &*known->second : nullptr;
}

std::optional<ElementType> OperatorTypes::wider(std::string_view parameter, ElementType type) const {
  for (const ElementType candidate : wider_types(type))
    if (support(parameter, candidate) == Support::kernel) return candidate;
  return std::nullopt;
}

}  // namespace mo::onnx_emitter
