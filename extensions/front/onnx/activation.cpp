#include <algorithm>
#include <cmath>

#include "extensions/support/front.hpp"
#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"

namespace mo::front::onnx {
namespace {

/// Celu(x) -> alpha * Elu(x / alpha); max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) in general
Replacement celu(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const double alpha = node.attr<double>("alpha").value_or(1);
  if (alpha == 1) return rw.create(ops::Elu{.alpha = 1}, x);
  if (alpha == 0 || !std::isfinite(alpha))
    return node.error("MO-ONNX-0122", "alpha is {}", alpha).hint("Celu divides by alpha: it must be a number other than 0");
  const Value scaled = rw.create(ops::Divide{}, x, number_like(rw, x, alpha));
  if (alpha > 0) return rw.create(ops::Multiply{}, rw.create(ops::Elu{.alpha = 1}, scaled), number_like(rw, x, alpha));
  const Value rise = rw.create(ops::Subtract{}, rw.create(ops::Exp{}, scaled), number_like(rw, x, 1));
  const Value below = rw.create(ops::Minimum{}, rw.create(ops::Multiply{}, rise, number_like(rw, x, alpha)), number_like(rw, x, 0));
  return rw.create(ops::Add{}, rw.create(ops::ReLU{}, x), below);
}

/// ThresholdedRelu(x) -> x where x > alpha, else 0
Replacement thresholded_relu(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value above = rw.create(ops::Greater{}, x, number_like(rw, x, node.attr<double>("alpha").value_or(1)));
  return rw.create(ops::Select{}, above, x, number_like(rw, x, 0));
}

/// Shrink(x) -> x + bias where x < -lambd, x - bias where x > lambd, else 0
Replacement shrink(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const double lambd = node.attr<double>("lambd").value_or(0.5);
  const double bias = node.attr<double>("bias").value_or(0);
  const Value offset = number_like(rw, x, bias);
  const Value below = rw.create(ops::Less{}, x, number_like(rw, x, -lambd));
  const Value above = rw.create(ops::Greater{}, x, number_like(rw, x, lambd));
  const Value high = rw.create(ops::Select{}, above, bias == 0 ? x : rw.create(ops::Subtract{}, x, offset), number_like(rw, x, 0));
  return rw.create(ops::Select{}, below, bias == 0 ? x : rw.create(ops::Add{}, x, offset), high);
}

/// PRelu-7 broadcasts the slope by numpy rules. The IR's PReLU does the same except for a vector, which it may take as one slope per
/// channel: then PRelu(x, slope) -> max(x, 0) + slope * min(x, 0).
Replacement prelu(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value slope = node.input(1);
  const auto slope_rank = known_type(slope).rank();
  if (has_one_element(slope) || (slope_rank && *slope_rank != 1)) return rw.create(ops::PReLU{}, x, slope);
  if (const auto rank = known_type(x).rank(); rank && slope_rank) {
    if (*rank < 2) return rw.create(ops::PReLU{}, x, slope);
    return rw.create(ops::PReLU{}, x, rw.create(ops::Reshape{}, slope, rw.integers({1, -1})));
  }
  const Value below = rw.create(ops::Minimum{}, x, number_like(rw, x, 0));
  return rw.create(ops::Add{}, rw.create(ops::ReLU{}, x), rw.create(ops::Multiply{}, below, slope));
}

/// The only element of a real constant.
std::optional<double> real_bound(const Value& bound) {
  if (!bound || !is_real(known_type(bound).element_type)) return std::nullopt;
  const auto numbers = known_reals(bound);
  return numbers && numbers->size() == 1 && std::isfinite(numbers->front()) ? std::optional(numbers->front()) : std::nullopt;
}

/// Clip(x, min, max) -> Clamp(x) for two real constants, else min(max(x, low), high): one bound alone must let infinity through, and
/// integers have more digits than attributes. With min > max the result is max.
Replacement clip(const Node& node, Rewriter& rw) {
  Value x = node.input(0);
  const Value low = node.input(1);
  const Value high = node.input(2);
  const auto low_number = real_bound(low);
  const auto high_number = real_bound(high);
  if (low_number && high_number && *low_number <= *high_number) return rw.create(ops::Clamp{.min = *low_number, .max = *high_number}, x);
  if (!low && !high) return x;
  if (low) x = rw.create(ops::Maximum{}, x, low);
  return high ? rw.create(ops::Minimum{}, x, high) : x;
}

}  // namespace

void register_activation(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxCelu").replace_op(celu));
  passes.add(front_replacement_op("OnnxThresholdedRelu").replace_op(thresholded_relu));
  passes.add(front_replacement_op("OnnxShrink").replace_op(shrink));
  passes.add(front_replacement_op("OnnxPRelu").replace_op(prelu));
  passes.add(front_replacement_op("OnnxClip").replace_op(clip));
}

}  // namespace mo::front::onnx
