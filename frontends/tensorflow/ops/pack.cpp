#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/concat.hpp"

namespace mo::tensorflow {

/// Tensors put together: Concat along an axis, Pack along a new one.
void register_pack(OperatorTable& table) {
  // The axis is the first input, from ConcatV2 on the last one.
  table.extract("Concat", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_pieces(node, 1, 1));
    return movement_op(node, "TfConcat");
  });
  table.extract("ConcatV2", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_pieces(node, 1, 1));
    return movement_op(node, "TfConcatV2");
  });
  table.extract("ConcatOffset", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_pieces(node, 1, 1));
    node.declare_outputs(node.input_count() - 1);
    return front_op("TfConcatOffset", {{"T", node.attr("shape_type", ElementType::i32)}});
  });
  table.extract("Pack", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_pieces(node, 1, 0));
    return movement_op(node, "TfPack", {{"axis", node.attr<std::int64_t>("axis", 0)}});
  });
  // Pieces whose first dimension is 1.
  table.extract("ParallelConcat", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    MO_TRY(expect_pieces(node, 1, 0));
    node.ignore({"shape"});
    return ops::Concat{.axis = 0};
  });
}

}  // namespace mo::tensorflow
