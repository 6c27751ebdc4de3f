#include "graph_transforms/support/weights.hpp"

#include <algorithm>
#include <limits>

namespace mo::graph_transforms {

Expected<void> each_float_constant(Graph& graph, std::int64_t least,
                                   const std::function<Expected<void>(const Node&, const Tensor&)>& change) {
  std::vector<Node> constants;
  for (const Node node : graph.nodes())
    if (op_of(node) == "Const") constants.push_back(node);
  for (const Node& node : constants) {
    if (!node.has_attr("dtype") || !node.has_attr("value"))
      return node.error("MO-GTT-0023", "a Const without a type or a value")
          .hint("the file is corrupt: compare its checksum, and download or export it again");
    const std::optional<Tensor> value = node.attr<Tensor>("value");
    if (!value || value->element_type() != ElementType::f32 || value->element_count() < least) continue;
    MO_ASSIGN(const Tensor loaded, value->load());
    MO_TRY(change(node, loaded));
  }
  return {};
}

ValueRange range_of(std::span<const float> values) {
  ValueRange range{std::numeric_limits<float>::max(), std::numeric_limits<float>::min()};
  for (const float value : values) {
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
  }
  return range;
}

std::optional<std::int64_t> weight_columns(const Node& layer, const Tensor& weights) {
  const Shape& shape = weights.shape();
  const std::string_view op = op_of(layer);
  if (op == "MatMul") return shape.size() == 2 ? std::optional(shape[1]) : std::nullopt;
  if (shape.size() != 4) return std::nullopt;
  return op == "DepthwiseConv2dNative" ? shape[2] * shape[3] : shape[3];
}

Expected<Tensor> scaled_columns(const Tensor& weights, std::span<const float> factors) {
  MO_ASSIGN(Tensor scaled, Tensor::allocate(ElementType::f32, weights.shape()));
  const auto from = weights.values<float>();
  const auto to = scaled.mutable_values<float>();
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] * factors[i % factors.size()];
  return scaled;
}

}  // namespace mo::graph_transforms
