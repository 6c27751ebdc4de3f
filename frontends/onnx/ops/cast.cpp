#include <charconv>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/small_reals.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::onnx {
namespace {

/// The whole text as a number; nothing when it is none or does not fit.
template <class T>
std::optional<T> parsed(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

/// The numbers that the strings spell; the first string that spells none is kept in `bad`.
template <class T>
Expected<Tensor> numbers_of(const std::vector<std::string>& strings, const Shape& shape, ElementType type,
                            std::optional<std::string>& bad) {
  std::vector<T> numbers;
  for (const std::string& text : strings) {
    const auto number = parsed<T>(text);
    if (!number && !bad) bad = text;
    numbers.push_back(number.value_or(T{}));
  }
  MO_ASSIGN(Tensor narrow, convert(Tensor::of<T>(shape, numbers), type));
  if constexpr (std::is_integral_v<T>) {
    MO_ASSIGN(const std::vector<std::int64_t> kept, to_integers(narrow));
    for (std::size_t i = 0; i < kept.size() && !bad; ++i)
      if (kept[i] != numbers[i]) bad = strings[i];
  }
  return narrow;
}

/// Known strings -> the numbers that they spell. ONNX Cast-9: decimal and scientific notation, "inf", "nan" in any
/// case. What has strings only at conversion time needs none in the IR.
Replacement cast_of_strings(const FrameworkNode& node, Rewriter& rw, const Tensor& strings, ElementType type) {
  MO_ASSIGN(const std::vector<std::string> texts, to_strings(strings));
  std::optional<std::string> bad;
  const Shape& shape = strings.shape();
  MO_ASSIGN(Tensor numbers, is_real(type) ? numbers_of<double>(texts, shape, type, bad)
                                          : numbers_of<std::int64_t>(texts, shape, type, bad));
  if (bad)
    return node
        .error("MO-ONNX-0473", "\"{}\" is cast to {}, but is not a value of that type", bad->substr(0, 100),
               to_string(type))
        .hint("check the constant strings of the model");
  return rw.constant(std::move(numbers));
}

/// Numbers beyond the range of a type below 8 bits keep their lowest bits, as ONNX's reference does; where runtimes
/// convert, they stop at its ends.
Value lowest_bits(Rewriter& rw, const Value& x, ElementType type) {
  const std::int32_t count = 1 << bit_width(type);
  const std::int32_t low = type == ElementType::i4 ? -count / 2 : 0;
  const Value whole = as_type(rw, x, ElementType::i32);
  const Value counted =
      rw.create(ops::FloorMod{}, rw.create(ops::Subtract{}, whole, rw.scalar(low)), rw.scalar<std::int32_t>(count));
  return as_type(rw, rw.create(ops::Add{}, counted, rw.scalar(low)), type);
}

bool is_packed_integer(ElementType type) { return is_integral(type) && bit_width(type) < 8; }

Replacement cast_to(const FrameworkNode& node, Rewriter& rw, ElementType type) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const SmallRealRounding rounding, small_real_rounding(node, type));
  if (type == ElementType::string)
    return node.error("MO-ONNX-0204", "numbers cannot be cast to strings")
        .hint("cut the model before this node with --output");
  Value x = node.input(0);
  const ElementType from = x.type().element_type;
  const Tensor* known = x.data().value();
  if (known && from == ElementType::string && (is_real(type) || is_integral(type)))
    return cast_of_strings(node, rw, *known, type);
  if (from == type) return x;
  // Runtimes convert small reals to reals only.
  if (is_small_real(from) && !is_real(type)) x = as_type(rw, x, ElementType::f32);
  if (is_small_real(type)) return as_small_real(rw, x, type, rounding);
  if (is_packed_integer(type) && bit_width(from) > bit_width(type) && from != ElementType::boolean)
    return lowest_bits(rw, x, type);
  return rw.create(ops::Convert{.destination_type = type}, x);
}

/// The type is that of input 1, whose values do not matter.
Replacement cast_like(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const ElementType type = node.input_type(1).element_type;
  if (is_packed_integer(type) || is_small_real(type) || is_small_real(node.input_type(0).element_type))
    return cast_to(node, rw, type);
  MO_TRY(small_real_rounding(node, type));
  return rw.create(ops::ConvertLike{}, node.input(0), node.input(1));
}

Replacement cast_to_named_type(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const ElementType type, data_type_of_name(node, "to", node.required<std::string>("to")));
  return cast_to(node, rw, type);
}

Replacement cast_to_numbered_type(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const ElementType type, data_type_of_number(node, "to", node.required<std::int64_t>("to")));
  return cast_to(node, rw, type);
}

}  // namespace

void register_cast(OperatorTable& table) {
  table.translate("Cast", versions(1, 5), cast_to_named_type);
  table.translate("Cast", versions(6, 18), cast_to_numbered_type);
  table.translate("Cast", since(19), cast_to_numbered_type);  // with `saturate`
  table.translate("CastLike", since(15), cast_like);
}

}  // namespace mo::onnx
