#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/quantization_arithmetic.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();

/// Limits as multiples of a step: `lowest` to `highest`, both whole numbers, so that 0 is a level.
struct Levels {
  std::vector<double> step, steps_of_one, lowest, highest;
};

/// The levels of one pair of limits. Nothing when 0 is none of them, which no dequantised tensor has.
bool add_levels(Levels& levels, double low, double high, double steps) {
  double step = (high - low) / steps;
  const double lowest = std::round(low / step);
  if (!(step > 0) || !std::isfinite(step) || std::abs(low / step - lowest) > 1e-3) return false;
  const double highest = lowest + steps;
  // A step that f32 rounds up may lead out of its range.
  const double furthest = std::max(std::abs(lowest), std::abs(highest));
  step = std::min(step, static_cast<double>(std::nextafter(static_cast<float>(kLargest / furthest), 0.0F)));
  levels.step.push_back(step);
  levels.steps_of_one.push_back(1 / step);
  levels.lowest.push_back(lowest);
  levels.highest.push_back(highest);
  return true;
}

bool is_wide(const std::vector<double>& low, const std::vector<double>& high, double steps) {
  for (std::size_t i = 0; i < low.size(); ++i)
    if ((high[i] - low[i]) * steps > kLargest) return true;
  return false;
}

/// FakeQuantize(x) -> min(max(round(x / step), lowest), highest) * step
Replacement quantization_by_steps(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::FakeQuantize>();
  const auto low = reals_of(node.input(1));
  const auto high = reals_of(node.input(2));
  const auto shape = node.input_type(1).shape.to_shape();
  const auto steps = static_cast<double>(op.levels - 1);
  if (!low || !high || !shape || node.input_type(1) != node.input_type(2) ||
      node.input_type(1).element_type != ElementType::f32)
    return Replacement::declined();
  if (!is_wide(*low, *high, steps)) return Replacement::declined();
  if (op.auto_broadcast != ops::AutoBroadcast::numpy) return declined("the limits are aligned with the data");
  if (reals_of(node.input(3)) != low || reals_of(node.input(4)) != high)
    return declined("the limits of the result are others");
  Levels levels;
  for (std::size_t i = 0; i < low->size(); ++i)
    if (!add_levels(levels, (*low)[i], (*high)[i], steps)) return declined("0 is not a level");
  const auto numbers = [&](const std::vector<double>& values) {
    auto tensor = from_reals(ElementType::f32, *shape, values);
    if (!tensor) rw.fail(std::move(tensor).error());
    return tensor ? rw.constant(*std::move(tensor)) : Value();
  };
  const Value x = folded_as(rw, node.input(0), ElementType::f32);
  const Value step = rw.fold(ops::Round{}, rw.fold(ops::Multiply{}, x, numbers(levels.steps_of_one)));
  const Value limited =
      rw.fold(ops::Minimum{}, rw.fold(ops::Maximum{}, step, numbers(levels.lowest)), numbers(levels.highest));
  return folded_as(rw, rw.fold(ops::Multiply{}, limited, numbers(levels.step)), node.output_type().element_type);
}

/// Of constants that become f16 nothing is wide any more.
RewriteRule in_full_precision(RewriteRule rule) {
  rule.replace = [replace = std::move(rule.replace)](const Match& m, Rewriter& rw, PassContext& context) {
    return context.settings.compress_to_fp16 ? Replacement::declined() : replace(m, rw, context);
  };
  return rule;
}

}  // namespace

void register_wide_fake_quantize(PassRegistry& passes) {
  passes.add(avoid_fault("WideFakeQuantize",
                         {.form = "FakeQuantize of a range that f32 cannot hold times the number of levels",
                          .symptom = "infinite, or NaN",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "Round, Maximum, Minimum and Multiply, whose levels are integers"})
                 .add(in_full_precision(lowering<ops::FakeQuantize>("QuantizationBySteps", quantization_by_steps))));
}

}  // namespace mo::transformations
