#include "frontends/onnx/ops/support/layer_axes.hpp"

#include "frontends/onnx/ops/support/translate.hpp"

namespace mo::onnx {

Expected<Value> layer_axes(const FrameworkNode& node, Rewriter& rw) {
  constexpr std::int64_t kMostDimensions = 64;
  const auto axis = node.attr<std::int64_t>("axis", -1);
  const std::int64_t rank = node.input_type(0).shape.rank().value_or(kMostDimensions);
  if (axis < -rank || axis >= rank)
    return node.error("MO-ONNX-0112", "axis {} is outside of the tensor", axis)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (axis >= 0) return axes_from(rw, node.input(0), axis);
  std::vector<std::int64_t> numbers;
  for (std::int64_t a = axis; a < 0; ++a) numbers.push_back(a);
  return rw.integers(numbers);
}

}  // namespace mo::onnx
