#include "ops/split.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/squeeze.hpp"

namespace mo::tensorflow {
namespace {

/// The axis at input `i`. One that counts from the back past the hidden dimension of complex numbers must be known.
Expected<Value> split_axis(const FrameworkNode& node, Rewriter& rw, std::size_t i) {
  if (!is_complex(node)) return node.input(i);
  MO_ASSIGN(const std::int64_t axis, known_number(node, i, "the axis"));
  return rw.scalar(with_hidden_axis(node, axis));
}

Outputs parts_of(const FrameworkNode& node, const Node& split) {
  Outputs parts;
  for (std::size_t i = 0; i < node.output_count(); ++i) parts.push_back(split.output(i));
  return parts;
}

/// Split(axis, x)
Replacement split(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const std::int64_t count, part_count(node, "num_split"));
  node.ignore_input(0, "the axis, which a single part does not need");
  if (count == 1) return node.input(1);
  MO_ASSIGN(const Value axis, split_axis(node, rw, 0));
  return parts_of(
      node, rw.create_node(ops::Split{.num_splits = count}, {node.input(1), axis}, static_cast<std::size_t>(count)));
}

/// SplitV(x, lengths, axis), where one length may be -1: what is left
Replacement split_by_lengths(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const std::int64_t count, part_count(node, "num_split"));
  MO_ASSIGN(const Value axis, split_axis(node, rw, 2));
  if (const auto lengths = node.input_type(1).shape.element_count(); lengths && *lengths != count)
    return node.error("MO-TF-0552", "num_split is {}, and there are {} lengths", count, *lengths)
        .hint("each part has one length");
  return parts_of(node, rw.create_node(ops::VariadicSplit{}, {node.input(0), axis, node.input(1)},
                                       static_cast<std::size_t>(count)));
}

/// Unpack(x) -> Split, and each part without the axis
Replacement unpack(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const std::int64_t count, part_count(node, "num"));
  const std::int64_t axis = with_hidden_axis(node, node.attr<std::int64_t>("axis", 0));
  const Value axes = rw.integers({axis});
  if (count == 1) return rw.create(ops::Squeeze{}, node.input(0), axes);
  const Node split = rw.create_node(ops::Split{.num_splits = count}, {node.input(0), rw.scalar(axis)},
                                    static_cast<std::size_t>(count));
  Outputs parts(node.output_count());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (node.output_used(i)) parts[i] = rw.create(ops::Squeeze{}, split.output(i), axes);
  return parts;
}

}  // namespace

/// A tensor cut into parts along an axis; Unpack drops the axis.
void register_split(OperatorTable& table) {
  table.translate("Split", split, outputs_in("num_split"));
  table.translate("SplitV", split_by_lengths, outputs_in("num_split"));
  table.translate("Unpack", unpack, outputs_in("num"));
}

}  // namespace mo::tensorflow
