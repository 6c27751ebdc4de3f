#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/multinomial.hpp"
#include "ops/random_uniform.hpp"

/// The numbers differ from those of other runtimes; only their distribution is the same.
namespace mo::onnx_emitter {
namespace {

/// Without a seed a runtime draws other numbers in each run, which is what two seeds of 0 mean in the IR.
void set_seed(AttributeMap& attributes, std::int64_t global_seed, std::int64_t op_seed) {
  const std::int64_t seed = op_seed != 0 ? op_seed : global_seed;
  if (seed != 0) attributes.set("seed", static_cast<double>(seed));
}

/// Numbers of [low, high) in a real type that the operators have.
Value uniform_reals(Translation& t, ElementType type, double low, double high) {
  const auto& op = *t.node.as<ops::RandomUniform>();
  AttributeMap attributes{{"dtype", type}, {"low", low}, {"high", high}};
  set_seed(attributes, op.global_seed, op.op_seed);
  if (const auto shape = constant_integers_of(t.node.input(0))) {
    attributes.set("shape", *shape);
    return t.op("RandomUniform", {}, std::move(attributes));
  }
  const Value like = t.op("ConstantOfShape", {t.input_i64(0)});
  return t.op("RandomUniformLike", {like}, std::move(attributes));
}

/// floor(u * (high - low)) + low for u of [0, 1) in f64, never more than the last number.
Expected<Outputs> uniform_integers(Translation& t, ElementType type) {
  const auto low = single_integer_of(t.node.input(1));
  const auto high = single_integer_of(t.node.input(2));
  if (!low || !high) return t.refused("its limits are computed");
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (*low < -kMost || *high > kMost || *low >= *high) return t.refused("limits that are far apart");
  const auto count = static_cast<double>(*high - *low);
  const Value u = uniform_reals(t, ElementType::f64, 0, 1);
  const Value steps = t.op("Floor", {t.op("Mul", {u, t.scalar(ElementType::f64, count)})});
  const Value offset = t.op("Min", {steps, t.scalar(ElementType::f64, count - 1)});
  const Value number = t.op("Add", {offset, t.scalar(ElementType::f64, static_cast<double>(*low))});
  return Outputs{t.cast(number, type)};
}

/// Limits are attributes; computed ones scale numbers of [0, 1).
Expected<Outputs> random_uniform(Translation& t) {
  const ElementType type = t.node.as<ops::RandomUniform>()->output_type;
  if (!is_real(type)) return uniform_integers(t, type);
  const ElementType drawn = type == ElementType::bf16 ? ElementType::f32 : type;
  const auto low = single_real_of(t.node.input(1));
  const auto high = single_real_of(t.node.input(2));
  if (low && high) {
    const Value numbers = uniform_reals(t, drawn, *low, *high);
    return Outputs{drawn == type ? numbers : t.cast(numbers, type)};
  }
  const auto limit = [&](std::size_t i) { return t.op("Reshape", {sizes::typed_input(t, i, drawn), t.integers({})}); };
  const Value least = limit(1);
  const Value range = t.op("Sub", {limit(2), least});
  const Value numbers = t.op("Add", {t.op("Mul", {uniform_reals(t, drawn, 0, 1), range}), least});
  return Outputs{drawn == type ? numbers : t.cast(numbers, type)};
}

/// The operator draws with replacement, from logarithms of probabilities, which need not add up to 1.
Expected<Outputs> multinomial(Translation& t) {
  const auto& op = *t.node.as<ops::Multinomial>();
  const auto count = single_integer_of(t.node.input(1));
  if (!count) return t.refused("its number of samples is computed");
  if (!op.with_replacement && *count > 1) return t.refused("samples without replacement");
  Value logarithms = sizes::typed_input(t, 0, ElementType::f32);
  if (!op.log_probs) logarithms = t.op("Log", {logarithms});
  AttributeMap attributes{{"sample_size", *count}, {"dtype", op.convert_type}};
  set_seed(attributes, op.global_seed, op.op_seed);
  return Outputs{t.op("Multinomial", {logarithms}, std::move(attributes))};
}

}  // namespace

void register_random(OnnxForms& table) {
  table.add<ops::RandomUniform>(random_uniform);
  table.add<ops::Multinomial>(multinomial);
}

}  // namespace mo::onnx_emitter
