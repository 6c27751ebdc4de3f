#include <cmath>

#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/weights.hpp"

namespace mo::graph_transforms {
namespace {

constexpr std::int64_t kLeast = 16;  ///< smaller constants are not weights

Expected<Tensor> rounded(const Tensor& weights, std::int32_t steps) {
  const auto from = weights.values<float>();
  ValueRange range = range_of(from);
  // A range of one value has no steps.
  if (range.min == range.max) {
    if (std::abs(range.min) < 1e-6F)
      range.max = range.min + 1;
    else
      range.max = range.min > 0 ? 2 * range.min : range.min / 2;
  }
  MO_ASSIGN(Tensor result, Tensor::allocate(ElementType::f32, weights.shape()));
  const auto to = result.mutable_values<float>();
  const float width = (range.max - range.min) / static_cast<float>(steps);
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = range.min + width * (std::floor((from[i] - range.min) / width) + 0.5F);
  return result;
}

}  // namespace

/// Each weight becomes the middle of the step that it lies in; `num_steps` (256) divide the range of a constant. The
/// size stays, but packs well.
void register_round_weights(TransformRegistry& registry) {
  registry.register_transform(
      "round_weights", Scope::any, Numbers::quantised,
      [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
        MO_ASSIGN(const std::int32_t steps, context.one_int32("num_steps", 256));
        if (steps < 1)
          return error("MO-GTT-0024", "num_steps is {}, and must be at least 1", steps).hint("write num_steps=256");
        return each_float_constant(graph, kLeast, [&](const Node& node, const Tensor& weights) -> Expected<void> {
          MO_ASSIGN(Tensor value, rounded(weights, steps));
          attributes_of(node).set("value", std::move(value));
          return {};
        });
      });
  registry.describe("round_weights", {"Rounds weights to few different values, which compress well",
                                      {{"num_steps", "integer", "256", "number of values in each constant"}}});
}

}  // namespace mo::graph_transforms
