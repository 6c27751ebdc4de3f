#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/multinomial.hpp"
#include "ops/random_uniform.hpp"

namespace mo::onnx {
namespace {

/// The IR's seeds are integers, ONNX's are real. Without one, runtimes draw other numbers in each run (seed 0).
std::int64_t seed_of(const FrameworkNode& node) {
  const auto seed = node.optional_attr<double>("seed");
  if (!seed || !std::isfinite(*seed)) return 0;
  constexpr double kScale = 1000;
  constexpr double kMost = 9e15;
  return static_cast<std::int64_t>(std::min(std::abs(*seed) * kScale, kMost));
}

Value uniform_numbers(Rewriter& rw, const Value& shape, float low, float high, std::int64_t seed) {
  return rw.create(ops::RandomUniform{.output_type = ElementType::f32, .global_seed = 0, .op_seed = seed}, shape,
                   rw.scalar<float>(low), rw.scalar<float>(high));
}

/// Box and Muller: mean + scale * sqrt(-2 ln u) * cos(2 pi v), u in (0, 1), v in [0, 1)
Value normal_numbers(const FrameworkNode& node, Rewriter& rw, const Value& shape) {
  const std::int64_t seed = seed_of(node);
  constexpr std::int64_t kOtherSequence = 10'000;
  const Value u = uniform_numbers(rw, shape, std::numeric_limits<float>::min(), 1, seed);
  const Value v = uniform_numbers(rw, shape, 0, 1, seed == 0 ? 0 : seed + kOtherSequence);
  const Value radius =
      rw.create(ops::Sqrt{}, rw.create(ops::Multiply{}, rw.create(ops::Log{}, u), rw.scalar<float>(-2)));
  const Value angle = rw.create(ops::Multiply{}, v, rw.scalar(2 * std::numbers::pi_v<float>));
  const Value normal = rw.create(ops::Multiply{}, radius, rw.create(ops::Cos{}, angle));
  const Value scaled = rw.create(ops::Multiply{}, normal, rw.scalar(static_cast<float>(node.attr("scale", 1.0))));
  return rw.create(ops::Add{}, scaled, rw.scalar(static_cast<float>(node.attr("mean", 0.0))));
}

/// Random numbers follow the distribution that ONNX describes; which ones come out, no specification says.
void warn_of_other_numbers(const FrameworkNode& node) {
  node.warn(node.node()
                .warning("MO-ONNX-0485",
                         "the random numbers differ from those of other runtimes; only their distribution is the same")
                .hint("feed them as an input of the model with --input if the exact values matter"));
}

/// The type that is asked for; `fallback` when none is.
Expected<ElementType> wanted_number_type(const FrameworkNode& node, ElementType fallback) {
  const auto number = node.optional_attr<std::int64_t>("dtype");
  if (!number) return fallback;
  return data_type_of_number(node, "dtype", *number);
}

/// RandomUniform and RandomNormal: the shape is an attribute, the type is f32 unless given.
Value wanted_shape(const FrameworkNode& node, Rewriter& rw) {
  return rw.integers(node.required<std::vector<std::int64_t>>("shape"));
}

Replacement random_uniform(const FrameworkNode& node, Rewriter& rw) {
  warn_of_other_numbers(node);
  MO_ASSIGN(const ElementType type, wanted_number_type(node, ElementType::f32));
  const auto low = static_cast<float>(node.attr("low", 0.0));
  const auto high = static_cast<float>(node.attr("high", 1.0));
  return as_type(rw, uniform_numbers(rw, wanted_shape(node, rw), low, high, seed_of(node)), type);
}

Replacement random_normal(const FrameworkNode& node, Rewriter& rw) {
  warn_of_other_numbers(node);
  MO_ASSIGN(const ElementType type, wanted_number_type(node, ElementType::f32));
  return as_type(rw, normal_numbers(node, rw, wanted_shape(node, rw)), type);
}

/// `numbers` with the element type that is asked for; unless one is, with that of input 0.
Replacement typed_like_input(const FrameworkNode& node, Rewriter& rw, const Value& numbers) {
  const Value x = node.input(0);
  MO_ASSIGN(const ElementType type, wanted_number_type(node, x.type().element_type));
  return type == ElementType::dynamic ? as_type_of(rw, numbers, x) : as_type(rw, numbers, type);
}

/// RandomNormalLike: shape and, unless `dtype` is set, type of the input.
Replacement random_normal_like(const FrameworkNode& node, Rewriter& rw) {
  warn_of_other_numbers(node);
  MO_TRY(node.expect_inputs(1));
  return typed_like_input(node, rw, normal_numbers(node, rw, shape_of(rw, node.input(0))));
}

Replacement random_uniform_like(const FrameworkNode& node, Rewriter& rw) {
  warn_of_other_numbers(node);
  MO_TRY(node.expect_inputs(1));
  const auto low = static_cast<float>(node.attr("low", 0.0));
  const auto high = static_cast<float>(node.attr("high", 1.0));
  return typed_like_input(node, rw, uniform_numbers(rw, shape_of(rw, node.input(0)), low, high, seed_of(node)));
}

/// Bernoulli(p) -> u < p with u in [0, 1): 1 with the probability p. (The operator's function body asks u > p, the
/// opposite of its definition.)
Replacement bernoulli(const FrameworkNode& node, Rewriter& rw) {
  warn_of_other_numbers(node);
  MO_TRY(node.expect_inputs(1));
  const Value probability = as_type(rw, node.input(0), ElementType::f32);
  const Value drawn = uniform_numbers(rw, shape_of(rw, probability), 0, 1, seed_of(node));
  return typed_like_input(node, rw, rw.create(ops::Less{}, drawn, probability));
}

/// Multinomial(x): x holds logarithms of probabilities that need not add up to 1; the same class may be drawn again.
Replacement multinomial(const FrameworkNode& node, Rewriter& rw) {
  warn_of_other_numbers(node);
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const ElementType type, wanted_number_type(node, ElementType::i32));
  const auto count = node.attr<std::int64_t>("sample_size", 1);
  return rw.create(ops::Multinomial{.convert_type = type,
                                    .with_replacement = true,
                                    .log_probs = true,
                                    .global_seed = 0,
                                    .op_seed = seed_of(node)},
                   node.input(0), rw.scalar(count));
}

}  // namespace

void register_random(OperatorTable& table) {
  table.translate("RandomUniform", since(1), random_uniform);
  table.translate("RandomNormal", since(1), random_normal);
  table.translate("RandomNormalLike", since(1), random_normal_like);
  table.translate("RandomUniformLike", since(1), random_uniform_like);
  table.translate("Bernoulli", since(15), bernoulli);
  table.translate("Multinomial", since(7), multinomial);
}

}  // namespace mo::onnx
