#include "extensions/support/tensorflow_movement.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/select.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/tile.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::tensorflow {
namespace {

ElementType wanted_shape_type(const Node& node) { return node.attr<ElementType>("out_type").value_or(ElementType::i32); }

/// ShapeN(x, y, …) -> ShapeOf(x), ShapeOf(y), …
Replacement replace_shapes(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, std::max(node.in_port_count(), std::max<std::size_t>(node.out_port_count(), 1))));
  Outputs shapes;
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    shapes.push_back(node.out_port(i).disconnected() ? Value() : visible_shape(rw, node, node.input(i), wanted_shape_type(node)));
  return shapes;
}

/// Rank(x) -> the length of ShapeOf(x)
Replacement replace_rank(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, 1));
  const std::int32_t hidden = is_complex(node) ? 1 : 0;
  if (const auto rank = known_type(node.input(0)).rank()) return rw.scalar(static_cast<std::int32_t>(*rank) - hidden);
  const Value length = rw.create(ops::ShapeOf{.output_type = ElementType::i32}, shape_of(rw, node.input(0)));
  const Value rank = rw.create(ops::Squeeze{}, length, rw.integers({0}));
  return hidden == 0 ? rank : rw.create(ops::Subtract{}, rank, rw.scalar(hidden));
}

/// Size(x) -> the product of the dimensions; 1 for a scalar
Replacement replace_size(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, 1));
  return rw.create(ops::ReduceProd{}, visible_shape(rw, node, node.input(0), wanted_shape_type(node)), rw.integers({0}));
}

/// TensorFlow Squeeze: no axes mean all dimensions of 1. The hidden dimension
/// of complex numbers is none of them.
Replacement replace_squeeze(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, 1));
  Integers axes = node.attr<Integers>("axes").value_or(Integers{});
  if (axes.empty()) return rw.create(ops::Squeeze{}, node.input(0));
  for (std::int64_t& axis : axes) axis = with_hidden_axis(node, axis);
  return rw.create(ops::Squeeze{}, node.input(0), rw.integers(axes));
}

Replacement replace_complex_expand_dims(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, 2));
  MO_ASSIGN(const std::int64_t axis, constant_number(node, 1, "the axis"));
  return rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({with_hidden_axis(node, axis)}));
}

/// The hidden dimension stays where it is; the conjugate has the imaginary part
/// negated.
Replacement replace_complex_transpose(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, 2));
  const Value order = join(rw, {index_list(rw, node.input(1)), shape_of(rw, node.input(1))});
  const Value result = rw.create(ops::Transpose{}, node.input(0), order);
  if (!node.attr<bool>("conjugate").value_or(false)) return result;
  return rw.create(ops::Multiply{}, result, typed_vector(rw, node.attr<ElementType>("T").value_or(ElementType::f32), {1, -1}));
}

/// result[p[i]] = i
Replacement replace_invert_permutation(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, 1));
  const Value order = node.input(0);
  const ElementType type = node.attr<ElementType>("T").value_or(ElementType::i32);
  const Value places = as_type(rw, index_range(rw, as_scalar(rw, shape_of(rw, order))), type);
  return rw.create(ops::ScatterUpdate{}, order, order, places, rw.scalar<std::int64_t>(0));
}

/// The shape that two shapes broadcast to: ones in front of the shorter one,
/// then of each pair the one that is not 1.
Replacement replace_broadcast_args(const Node& node, Rewriter& rw) {
  MO_TRY(expect_connected(node, 2));
  const Value shapes[] = {node.input(0), node.input(1)};
  const ElementType type = node.attr<ElementType>("T").value_or(ElementType::i32);
  const Value one = typed_scalar(rw, type, 1);
  const Value lengths[] = {shape_of(rw, shapes[0]), shape_of(rw, shapes[1])};
  const Value longest = rw.create(ops::Maximum{}, lengths[0], lengths[1]);
  Value filled[2];
  for (std::size_t i = 0; i < 2; ++i) filled[i] = join(rw, {repeat(rw, one, rw.create(ops::Subtract{}, longest, lengths[i])), shapes[i]});
  return rw.create(ops::Select{}, rw.create(ops::Equal{}, filled[0], one), filled[1], filled[0]);
}

}  // namespace

/// Shapes, views and copies of tensors.
void register_shapes(PassRegistry& passes) {
  passes.add(front_replacement_op("TfShape").replace_op(replace_shapes));
  passes.add(front_replacement_op("TfShapeN").replace_op(replace_shapes));
  passes.add(front_replacement_op("TfRank").replace_op(replace_rank));
  passes.add(front_replacement_op("TfSize").replace_op(replace_size));
  passes.add(front_replacement_op("TfSqueeze").replace_op(replace_squeeze));
  passes.add(front_replacement_op("TfInvertPermutation").replace_op(replace_invert_permutation));
  passes.add(front_replacement_op("TfBroadcastArgs").replace_op(replace_broadcast_args));
  passes.add(front_replacement_op("TfPassThrough").replace_op([](const Node& node, Rewriter&) -> Replacement {
    MO_TRY(expect_connected(node, 1));
    return node.input(0);
  }));

  // Complex numbers: the same op with the hidden dimension in mind.
  passes.add(front_replacement_op("TfComplexExpandDims").replace_op(replace_complex_expand_dims));
  passes.add(front_replacement_op("TfComplexTranspose").replace_op(replace_complex_transpose));
  passes.add(front_replacement_op("TfComplexReshape").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    MO_TRY(expect_connected(node, 2));
    return rw.create(ops::Reshape{}, node.input(0), with_hidden(rw, node, node.input(1), 2));
  }));
  passes.add(front_replacement_op("TfComplexBroadcastTo").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    MO_TRY(expect_connected(node, 2));
    return rw.create(ops::Broadcast{}, node.input(0), with_hidden(rw, node, node.input(1), 2));
  }));
  passes.add(front_replacement_op("TfComplexTile").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    MO_TRY(expect_connected(node, 2));
    return rw.create(ops::Tile{}, node.input(0), with_hidden(rw, node, node.input(1), 1));
  }));
}

}  // namespace mo::front::tensorflow
