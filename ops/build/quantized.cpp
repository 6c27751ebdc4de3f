#include "ops/build/quantized.hpp"

#include <algorithm>

#include "ops/build/tensors.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::build {

Value without_zero_point(Rewriter& rw, const Value& x, const Value& zero_point, ElementType type) {
  const Value number = as_type(rw, x, type);
  return zero_point ? rw.create(ops::Subtract{}, number, as_type(rw, zero_point, type)) : number;
}

Value weights_without_zero_point(Rewriter& rw, const Value& weights, const Value& zero_point, ElementType type) {
  const auto* numbers = weights ? weights.node().as<Const>() : nullptr;
  const auto* zero_points = zero_point ? zero_point.node().as<Const>() : nullptr;
  const bool is_shifted = zero_points && !is_all_zero(zero_point);
  if (!numbers || !stays_compressed(numbers->value) || (zero_point && !zero_points) ||
      (is_shifted && zero_point.type().element_type != weights.type().element_type))
    return without_zero_point(rw, weights, zero_point, type);
  std::vector<Value> inputs = {weights, type == ElementType::i32 ? rw.scalar<std::int32_t>(1) : rw.scalar<float>(1)};
  if (is_shifted) inputs.push_back(zero_point);
  return rw.create(ops::CompressedWeights{}, inputs);
}

Node unpacked_constant(const Node& convert) {
  if (!convert.is<ops::Convert>() || !convert.input(0) || !is_real(convert.output_type().element_type)) return {};
  const Node constant = convert.input(0).node();
  const auto* const numbers = constant.as<Const>();
  if (!numbers) return {};
  return has_few_bits(numbers->value.element_type()) ? constant : Node();
}

bool has_few_bits(ElementType type) {
  return is_small_real(type) || (is_integral(type) && bit_width(type) <= 8 && bit_width(type) >= 2);
}

bool stays_compressed(const Tensor& weights) {
  // Fewer than this are not weights.
  constexpr std::int64_t kFewest = 16;
  return has_few_bits(weights.element_type()) && weights.element_count() >= kFewest;
}

bool is_all_zero(const Value& numbers) {
  const auto known = reals_of(numbers);
  return known && std::all_of(known->begin(), known->end(), [](double v) { return v == 0; });
}

}  // namespace mo::build
