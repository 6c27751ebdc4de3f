#include <limits>
#include <numbers>

#include "extensions/support/front.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/multinomial.hpp"
#include "ops/random_uniform.hpp"

namespace mo::front::onnx {
namespace {

double number(const Node& node, std::string_view name, double fallback) { return node.attr<double>(name).value_or(fallback); }

/// The shape attribute, or the shape of input 0 (…Like).
Value shape_wanted(const Node& node, Rewriter& rw) {
  const auto shape = node.attr<std::vector<std::int64_t>>("shape");
  return shape ? rw.integers(*shape) : shape_of(rw, node.input(0));
}

Value uniform(Rewriter& rw, const Value& shape, float low, float high, std::int64_t seed) {
  return rw.create(ops::RandomUniform{.output_type = ElementType::f32, .global_seed = 0, .op_seed = seed}, shape, rw.scalar<float>(low),
                   rw.scalar<float>(high));
}

/// Numbers drawn as f32 in the type that was asked for.
Value in_wanted_type(const Node& node, Rewriter& rw, const Value& numbers) {
  const auto type = node.attr<ElementType>("type");
  if (type == ElementType::f32) return numbers;
  return type ? as_type(rw, numbers, *type) : as_type_of(rw, numbers, node.input(0));
}

Replacement random_uniform(const Node& node, Rewriter& rw) {
  const auto seed = node.attr<std::int64_t>("seed").value_or(0);
  const auto low = static_cast<float>(number(node, "low", 0));
  const auto high = static_cast<float>(number(node, "high", 1));
  return in_wanted_type(node, rw, uniform(rw, shape_wanted(node, rw), low, high, seed));
}

/// Box and Muller: mean + scale * sqrt(-2 ln u) * cos(2 pi v), u in (0, 1), v in [0, 1)
Replacement random_normal(const Node& node, Rewriter& rw) {
  const auto seed = node.attr<std::int64_t>("seed").value_or(0);
  constexpr std::int64_t kOtherSequence = 10'000;
  const Value shape = shape_wanted(node, rw);
  const Value u = uniform(rw, shape, std::numeric_limits<float>::min(), 1, seed);
  const Value v = uniform(rw, shape, 0, 1, seed == 0 ? 0 : seed + kOtherSequence);
  const Value radius = rw.create(ops::Sqrt{}, rw.create(ops::Multiply{}, rw.create(ops::Log{}, u), rw.scalar<float>(-2)));
  const Value angle = rw.create(ops::Multiply{}, v, rw.scalar(2 * std::numbers::pi_v<float>));
  const Value normal = rw.create(ops::Multiply{}, radius, rw.create(ops::Cos{}, angle));
  const Value scaled = rw.create(ops::Multiply{}, normal, rw.scalar(static_cast<float>(number(node, "scale", 1))));
  return in_wanted_type(node, rw, rw.create(ops::Add{}, scaled, rw.scalar(static_cast<float>(number(node, "mean", 0)))));
}

/// Multinomial(x): x holds logarithms of probabilities that need not add up to 1; the same class may be drawn again.
Replacement multinomial(const Node& node, Rewriter& rw) {
  return rw.create(ops::Multinomial{.convert_type = node.attr<ElementType>("type").value_or(ElementType::i32),
                                    .with_replacement = true,
                                    .log_probs = true,
                                    .global_seed = 0,
                                    .op_seed = node.attr<std::int64_t>("seed").value_or(0)},
                   node.input(0), rw.scalar<std::int64_t>(node.attr<std::int64_t>("sample_size").value_or(1)));
}

}  // namespace

void register_random(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxRandomUniform").replace_op(random_uniform));
  passes.add(front_replacement_op("OnnxRandomNormal").replace_op(random_normal));
  passes.add(front_replacement_op("OnnxMultinomial").replace_op(multinomial));
}

}  // namespace mo::front::onnx
