#include "transformations/runtime_faults/support/quantization_arithmetic.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/binary_convolution.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/select.hpp"
#include "transformations/support/computed_values.hpp"

namespace mo::transformations {
namespace {

constexpr std::size_t kLimits = 5;  ///< the inputs after the data, up to here

Value data_in_limit_type(Rewriter& rw, const Node& node) {
  return folded_as(rw, node.input(0), node.input_type(1).element_type);
}

Value in_result_type(Rewriter& rw, const Node& node, const Value& x) {
  return folded_as(rw, x, node.output_type().element_type);
}

}  // namespace

std::optional<LimitPairs> limit_pairs(const Node& quantize) {
  const auto low = reals_of(quantize.input(1));
  const auto high = reals_of(quantize.input(2));
  if (!low || !high || low->empty() || high->empty()) return std::nullopt;
  const bool have_one_shape = quantize.input_type(1).shape == quantize.input_type(2).shape;
  if (!have_one_shape && low->size() != 1 && high->size() != 1) return std::nullopt;
  LimitPairs pairs;
  for (std::size_t i = 0; i < std::max(low->size(), high->size()); ++i) {
    const double l = (*low)[low->size() == 1 ? 0 : i];
    const double h = (*high)[high->size() == 1 ? 0 : i];
    pairs.any_ascending |= l < h;
    pairs.any_equal |= l == h;
    pairs.any_descending |= l > h;
  }
  return pairs;
}

bool has_computed_limits(const Node& quantize) {
  for (std::size_t i = 1; i < kLimits; ++i)
    if (is_computed(quantize.input(i))) return true;
  return false;
}

bool feeds_binary_convolution(const Node& quantize) {
  for (const InPort& reader : quantize.output().get_destinations())
    if (reader.node().is<ops::BinaryConvolution>()) return true;
  return false;
}

Value quantized_between_limits(Rewriter& rw, const Node& quantize, const Value& data) {
  const Value input_low = quantize.input(1);
  const Value output_low = quantize.input(3);
  const Value steps = rw.scalar_like(input_low, static_cast<double>(quantize.as<ops::FakeQuantize>()->levels - 1));
  const Value to_steps = rw.fold(ops::Divide{}, steps, rw.fold(ops::Subtract{}, quantize.input(2), input_low));
  const Value from_steps = rw.fold(ops::Divide{}, rw.fold(ops::Subtract{}, quantize.input(4), output_low), steps);
  const Value step =
      rw.fold(ops::Round{}, rw.fold(ops::Multiply{}, rw.fold(ops::Subtract{}, data, input_low), to_steps));
  return rw.fold(ops::Add{}, rw.fold(ops::Multiply{}, step, from_steps), output_low);
}

Value quantized_by_cases(Rewriter& rw, const Node& quantize) {
  const Value x = data_in_limit_type(rw, quantize);
  const Value lower = rw.fold(ops::Minimum{}, quantize.input(1), quantize.input(2));
  const Value upper = rw.fold(ops::Maximum{}, quantize.input(1), quantize.input(2));
  const Value above = rw.fold(ops::Select{}, rw.fold(ops::Less{}, upper, x), quantize.input(4),
                              quantized_between_limits(rw, quantize, x));
  return in_result_type(rw, quantize,
                        rw.fold(ops::Select{}, rw.fold(ops::LessEqual{}, x, lower), quantize.input(3), above));
}

Value quantized_by_threshold_or_cases(Rewriter& rw, const Node& quantize, const LimitPairs& pairs) {
  const bool has_two_values = quantize.as<ops::FakeQuantize>()->levels == 2 || !pairs.any_ascending;
  if (!has_two_values || pairs.any_descending) return quantized_by_cases(rw, quantize);
  // A number in the middle goes down, as halves go to the even one of 0 and 1.
  const Value half = rw.scalar_like(quantize.input(1), 0.5);
  const Value middle = rw.fold(ops::Add{}, rw.fold(ops::Multiply{}, quantize.input(1), half),
                               rw.fold(ops::Multiply{}, quantize.input(2), half));
  const Value is_high = rw.fold(ops::Less{}, middle, data_in_limit_type(rw, quantize));
  return in_result_type(rw, quantize, rw.fold(ops::Select{}, is_high, quantize.input(4), quantize.input(3)));
}

Value folded_as(Rewriter& rw, const Value& x, ElementType type) {
  return x.type().element_type == type ? x : rw.fold(ops::Convert{.destination_type = type}, x);
}

}  // namespace mo::transformations
