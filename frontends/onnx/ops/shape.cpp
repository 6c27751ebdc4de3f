#include "core/registry/operator_table.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// Axes that moved from an attribute to an input in opset 13.
Expected<Op> with_axes(const FrameworkNode& node, std::string_view front) {
  if (const auto axes = node.optional_attr<std::vector<std::int64_t>>("axes")) return front_op(front, {{"axes", *axes}});
  return front_op(front);
}

Expected<Op> extract_flatten(const FrameworkNode& node) {
  const std::int64_t axis = node.attr<std::int64_t>("axis", 1);
  if (axis < 0 && node.version() < 11)
    return node.error("MO-ONNX-0200", "axis {} counts from the back", axis).hint("Flatten takes negative axes from opset 11 on");
  return front_op("OnnxFlatten", {{"axis", axis}});
}

}  // namespace

/// Shapes and dimensions: what a tensor is like, and views of it.
void register_shape(OperatorTable& table) {
  table.extract("Shape", versions(1, 14), [](const FrameworkNode&) -> Expected<Op> { return ops::ShapeOf{.output_type = ElementType::i64}; });
  // ONNX Shape-15: only the dimensions from `start` to `end`.
  table.extract("Shape", since(15), [](const FrameworkNode& node) -> Expected<Op> {
    const std::int64_t start = node.attr<std::int64_t>("start", 0);
    const std::int64_t end = node.attr("end", std::numeric_limits<std::int64_t>::max());
    if (start == 0 && end == std::numeric_limits<std::int64_t>::max()) return ops::ShapeOf{.output_type = ElementType::i64};
    return front_op("OnnxShape", {{"start", start}, {"end", end}});
  });
  table.extract("Size", since(1), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxSize"); });

  // A 0 in the target copies the dimension of the input; from opset 14 on `allowzero` makes it an empty dimension.
  table.extract("Reshape", versions(1, 4), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs"});
    return front_op("OnnxReshape", {{"shape", node.required<std::vector<std::int64_t>>("shape")}});
  });
  table.extract("Reshape", versions(5, 13), [](const FrameworkNode&) -> Expected<Op> { return ops::Reshape{.special_zero = true}; });
  table.extract("Reshape", since(14),
            [](const FrameworkNode& node) -> Expected<Op> { return ops::Reshape{.special_zero = !node.attr("allowzero", false)}; });

  table.extract("Flatten", versions(1, 8), extract_flatten);
  table.extract("Flatten", versions(9, 10), extract_flatten);
  table.extract("Flatten", since(11), extract_flatten);

  table.extract("Squeeze", versions(1, 12), [](const FrameworkNode& node) { return with_axes(node, "OnnxSqueeze"); });
  table.extract("Squeeze", since(13), [](const FrameworkNode&) -> Expected<Op> { return ops::Squeeze{}; });
  table.extract("Unsqueeze", versions(1, 12), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxUnsqueeze", {{"axes", node.required<std::vector<std::int64_t>>("axes")}});
  });
  table.extract("Unsqueeze", since(13), [](const FrameworkNode&) -> Expected<Op> { return ops::Unsqueeze{}; });
}

}  // namespace mo::onnx
