#include <charconv>

#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"

namespace mo::front::onnx {
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
Expected<Tensor> numbers_of(const std::vector<std::string>& strings, const Shape& shape, ElementType type, std::optional<std::string>& bad) {
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

/// Convert(constant strings) -> the numbers that they spell. ONNX Cast-9: decimal and scientific notation, "inf", "nan" in any case.
/// What has strings only at conversion time needs none in the IR.
Replacement cast_of_strings(const Node& node, Rewriter& rw) {
  const auto* strings = node.input(0) ? node.input(0).node().as<Const>() : nullptr;
  if (!strings || strings->value.element_type() != ElementType::string) return Replacement::declined();
  const ElementType type = node.as<ops::Convert>()->destination_type;
  if (!is_real(type) && !is_integral(type)) return Replacement::declined();
  const auto texts = to_strings(strings->value);
  if (!texts) return Replacement(texts.error());
  std::optional<std::string> bad;
  const Shape& shape = strings->value.shape();
  auto numbers = is_real(type) ? numbers_of<double>(*texts, shape, type, bad) : numbers_of<std::int64_t>(*texts, shape, type, bad);
  if (!numbers) return Replacement(numbers.error());
  if (bad)
    return node.error("MO-ONNX-0473", "\"{}\" is cast to {}, but is no such number", bad->substr(0, 100), to_string(type))
        .hint("check the constant strings of the model");
  return rw.constant(*std::move(numbers));
}

}  // namespace

void register_string_constants(PassRegistry& passes) {
  passes.add(front_replacement_op("Convert").named("OnnxCastOfStrings").replace_op(cast_of_strings));
}

}  // namespace mo::front::onnx
