#include <algorithm>
#include <cmath>

#include "core/registry/operator_table.hpp"
#include "frontends/onnx/ops/support/data_type_attribute.hpp"

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

Expected<AttributeMap> random_attributes(const FrameworkNode& node, std::string_view first, std::string_view second, double first_value,
                                         double second_value) {
  AttributeMap attributes{
      {"seed", seed_of(node)}, {std::string(first), node.attr(first, first_value)}, {std::string(second), node.attr(second, second_value)}};
  if (const auto number = node.optional_attr<std::int64_t>("dtype")) {
    MO_ASSIGN(const ElementType type, data_type_of_number(node, "dtype", *number));
    attributes.set("type", type);
  }
  return attributes;
}

/// RandomUniform and RandomNormal: the shape is an attribute, the type is f32 unless given.
Expected<Op> with_shape(const FrameworkNode& node, std::string_view name, Expected<AttributeMap> attributes) {
  if (!attributes) return std::move(attributes).error();
  if (!attributes->contains("type")) attributes->set("type", ElementType::f32);
  attributes->set("shape", node.required<std::vector<std::int64_t>>("shape"));
  return front_op(name, *std::move(attributes));
}

}  // namespace

/// Random numbers follow the distribution that ONNX describes; which ones come out, no specification says.
void register_random(OperatorTable& table) {
  table.extract("RandomUniform", since(1),
            [](const FrameworkNode& node) { return with_shape(node, "OnnxRandomUniform", random_attributes(node, "low", "high", 0, 1)); });
  table.extract("RandomNormal", since(1),
            [](const FrameworkNode& node) { return with_shape(node, "OnnxRandomNormal", random_attributes(node, "mean", "scale", 0, 1)); });
  table.extract("RandomNormalLike", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, random_attributes(node, "mean", "scale", 0, 1));
    return front_op("OnnxRandomNormal", std::move(attributes));
  });
  // ONNX's own tests compare what these two draw, number by number; the second is in the function body of the first.
  for (const std::string_view op : {"Bernoulli", "RandomUniformLike"})
    table.refuse(std::string(op), [op](const FrameworkNode& node) -> Expected<Op> {
      return node.error("MO-ONNX-0470", "{} draws random numbers, and those of an IR are others: what it gives could not be checked", op)
          .hint("cut the model behind '{}' with --input, or provide the operator in an extension", node.name());
    });
  table.extract("Multinomial", since(7), [](const FrameworkNode& node) -> Expected<Op> {
    constexpr std::int64_t kInt32 = 6;
    MO_ASSIGN(const ElementType type, data_type_of_number(node, "dtype", node.attr("dtype", kInt32)));
    return front_op("OnnxMultinomial", {{"seed", seed_of(node)}, {"sample_size", node.attr<std::int64_t>("sample_size", 1)}, {"type", type}});
  });
}

}  // namespace mo::onnx
