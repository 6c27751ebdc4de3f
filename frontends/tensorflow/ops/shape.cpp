#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/shape_of.hpp"

namespace mo::tensorflow {

/// What a tensor is like: shape, rank, size.
void register_shape(OperatorTable& table) {
  table.extract("Shape", [](const FrameworkNode& node) -> Expected<Op> {
    const auto type = node.attr("out_type", ElementType::i32);
    if (has_complex_elements(node)) return movement_op(node, "TfShape", {{"out_type", type}});
    return ops::ShapeOf{.output_type = type};
  });
  table.extract("ShapeN", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_pieces(node, 1, 0));
    node.declare_outputs(node.input_count());
    return movement_op(node, "TfShapeN", {{"out_type", node.attr("out_type", ElementType::i32)}});
  });
  table.extract("Rank", [](const FrameworkNode& node) { return movement_op(node, "TfRank"); });
  table.extract("Size", [](const FrameworkNode& node) { return movement_op(node, "TfSize", {{"out_type", node.attr("out_type", ElementType::i32)}}); });
}

}  // namespace mo::tensorflow
