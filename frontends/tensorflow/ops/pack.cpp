#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/one_hot.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// All inputs but that of the axis, along the axis.
Replacement concatenate(const FrameworkNode& node, Rewriter& rw, std::size_t axis_input) {
  MO_TRY(expect_tensor(node));
  MO_TRY(expect_pieces(node, 1, 1));
  MO_TRY(node.expect_inputs(node.input_count()));
  MO_ASSIGN(const std::int64_t axis, known_number(node, axis_input, "the axis"));
  std::vector<Value> pieces;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    if (i == axis_input) continue;
    pieces.push_back(node.input(i));
    if (node.input_type(i).rank() == 0)
      return node.error("MO-TF-0556", "input {} is a scalar", i)
          .hint("pieces have at least one dimension; Pack puts scalars together");
  }
  if (pieces.size() == 1) return pieces.front();
  return rw.create(ops::Concat{.axis = with_hidden_axis(node, axis)}, pieces);
}

/// The axis is the first input, from ConcatV2 on the last one.
Replacement concat(const FrameworkNode& node, Rewriter& rw) { return concatenate(node, rw, 0); }
Replacement concat_2(const FrameworkNode& node, Rewriter& rw) {
  return concatenate(node, rw, std::max<std::size_t>(node.input_count(), 1) - 1);
}

/// Pack -> Unsqueeze each piece, and Concat along the new axis
Replacement pack(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(expect_pieces(node, 1, 0));
  MO_TRY(node.expect_inputs(node.input_count()));
  const std::int64_t axis = with_hidden_axis(node, node.attr<std::int64_t>("axis", 0));
  const Value axes = rw.integers({axis});
  std::vector<Value> pieces;
  for (std::size_t i = 0; i < node.input_count(); ++i)
    pieces.push_back(rw.create(ops::Unsqueeze{}, node.input(i), axes));
  return pieces.size() == 1 ? pieces.front() : rw.create(ops::Concat{.axis = axis}, pieces);
}

/// ConcatOffset(axis, shapes) -> where each piece begins: zeros, and at the axis the sum of the dimensions before.
Replacement concat_offset(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"shape_type"}, "the type of the inputs");
  MO_TRY(expect_pieces(node, 1, 1));
  MO_TRY(node.expect_inputs(node.input_count()));
  const std::size_t count = node.input_count() - 1;
  const ElementType type = node.input_type(1).element_type;
  const Value zero = typed_scalar(rw, type, 0);
  const Value rank = list_length(rw, node.input(1));
  const Value axis = rw.create(ops::FloorMod{}, as_i64(rw, as_scalar(rw, node.input(0))), rank);
  const Value mask = rw.create(ops::OneHot{.axis = -1}, axis, rank, typed_scalar(rw, type, 1), zero);
  Value offset = rw.create(ops::Multiply{}, node.input(1), zero);
  Outputs offsets = {offset};
  for (std::size_t i = 1; i < count; ++i) {
    offset = rw.create(ops::Add{}, offset, rw.create(ops::Multiply{}, node.input(i), mask));
    offsets.push_back(offset);
  }
  return offsets;
}

}  // namespace

/// Tensors put together: Concat along an axis, Pack along a new one.
void register_pack(OperatorTable& table) {
  table.translate("Concat", concat);
  table.translate("ConcatV2", concat_2);
  table.translate("Pack", pack);
  table.translate("ConcatOffset", concat_offset,
                  [](const FrameworkNode& node) { return std::max<std::size_t>(node.input_count(), 1) - 1; });
  // Pieces whose first dimension is 1.
  table.extract("ParallelConcat", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    MO_TRY(expect_pieces(node, 1, 0));
    node.ignore({"shape"}, "the shape of the result, which follows from the inputs");
    return ops::Concat{.axis = 0};
  });
}

}  // namespace mo::tensorflow
