#include <limits>

#include "extensions/support/front_shapes.hpp"
#include "ops/broadcast.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/squeeze.hpp"
#include "ops/tile.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

using Integers = std::vector<std::int64_t>;

/// Flatten(x, axis) -> Reshape(x, [product of the dimensions in front of axis, -1])
Value flatten(Rewriter& rw, const Value& x, std::int64_t axis) {
  if (axis == 0) return rw.create(ops::Reshape{}, x, rw.integers({1, -1}));
  if (axis == 1) return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, -1}));
  const Value front = slice_along(rw, shape_of(rw, x), 0, 0, axis);
  const Value rows = rw.create(ops::ReduceProd{.keep_dims = true}, front, rw.integers({0}));
  return rw.create(ops::Reshape{}, x, join(rw, {rows, rw.integers({-1})}));
}

/// Tile-1: `count` copies along `axis` -> Tile with ones for all other axes.
Value tile_along_axis(Rewriter& rw, const Value& x, const Value& count, const Value& axis) {
  const Value ones = repeat(rw, rw.scalar<std::int64_t>(1), rank_length(rw, x));
  const Value repeats = rw.create(ops::v3::ScatterElementsUpdate{}, ones, as_length(rw, as_i64(rw, axis)), as_length(rw, as_i64(rw, count)),
                                  rw.scalar<std::int64_t>(0));
  return rw.create(ops::Tile{}, x, repeats);
}

}  // namespace

void register_shape(PassRegistry& passes) {
  // Shape(x, start, end) -> ShapeOf(x)[start:end]
  passes.add(front_replacement_op("OnnxShape").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0)) return missing_input(node);
    return slice_along(rw, shape_of(rw, node.input(0)), 0, node.attr<std::int64_t>("start").value_or(0),
                       node.attr<std::int64_t>("end").value_or(kToTheEnd));
  }));
  // Size(x) -> the product of the dimensions; 1 for a scalar
  passes.add(front_replacement_op("OnnxSize").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0)) return missing_input(node);
    return rw.create(ops::ReduceProd{}, shape_of(rw, node.input(0)), rw.integers({0}));
  }));
  passes.add(front_replacement_op("OnnxReshape").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0)) return missing_input(node);
    return rw.create(ops::Reshape{.special_zero = true}, node.input(0), rw.integers(node.attr<Integers>("shape").value_or(Integers{})));
  }));
  passes.add(front_replacement_op("OnnxFlatten").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0)) return missing_input(node);
    return flatten(rw, node.input(0), node.attr<std::int64_t>("axis").value_or(1));
  }));
  passes.add(front_replacement_op("OnnxSqueeze").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    if (!x) return missing_input(node);
    const auto axes = node.attr<Integers>("axes");
    return axes ? rw.create(ops::Squeeze{}, x, rw.integers(*axes)) : rw.create(ops::Squeeze{}, x);
  }));
  passes.add(front_replacement_op("OnnxUnsqueeze").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0)) return missing_input(node);
    return rw.create(ops::Unsqueeze{}, node.input(0), rw.integers(node.attr<Integers>("axes").value_or(Integers{})));
  }));
  // Without an order the dimensions are reversed, which is what an empty order means in the IR.
  passes.add(front_replacement_op("OnnxTranspose").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0)) return missing_input(node);
    return rw.create(ops::Transpose{}, node.input(0), rw.integers(node.attr<Integers>("perm").value_or(Integers{})));
  }));
  passes.add(front_replacement_op("OnnxTileAlongAxis").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0) || !node.input(1) || !node.input(2)) return missing_input(node);
    return tile_along_axis(rw, node.input(0), node.input(1), node.input(2));
  }));
  // ConstantOfShape(shape) -> Broadcast(value, shape)
  passes.add(front_replacement_op("OnnxConstantOfShape").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const auto value = node.attr<Tensor>("value");
    if (!node.input(0) || !value) return missing_input(node);
    return rw.create(ops::Broadcast{}, rw.constant(*value), node.input(0));
  }));
}

}  // namespace mo::front::onnx
