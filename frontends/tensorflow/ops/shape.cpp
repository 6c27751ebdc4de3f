#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/reduce.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"

namespace mo::tensorflow {
namespace {

ElementType shape_element_type(const FrameworkNode& node) { return node.attr("out_type", ElementType::i32); }

/// Shape(x) -> ShapeOf(x)
Replacement tensor_shape(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return visible_shape(rw, node, node.input(0), shape_element_type(node));
}

/// ShapeN(x, y, …) -> ShapeOf(x), ShapeOf(y), …
Replacement tensor_shapes(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(expect_pieces(node, 1, 0));
  MO_TRY(node.expect_inputs(std::max(node.input_count(), node.output_count())));
  Outputs results(node.output_count());
  for (std::size_t i = 0; i < results.size(); ++i)
    if (node.output_used(i)) results[i] = visible_shape(rw, node, node.input(i), shape_element_type(node));
  return results;
}

/// Rank(x) -> the number of dimensions, or the length of ShapeOf(x)
Replacement tensor_rank(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(1));
  const std::int32_t hidden = is_complex(node) ? 1 : 0;
  if (const auto known = node.input_type(0).rank()) return rw.scalar(static_cast<std::int32_t>(*known) - hidden);
  const Value length = rw.create(ops::ShapeOf{.output_type = ElementType::i32}, shape_of(rw, node.input(0)));
  const Value all = rw.create(ops::Squeeze{}, length, rw.integers({0}));
  return hidden == 0 ? all : rw.create(ops::Subtract{}, all, rw.scalar(hidden));
}

/// Size(x) -> the product of the dimensions; 1 for a scalar
Replacement tensor_size(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::ReduceProd{}, visible_shape(rw, node, node.input(0), shape_element_type(node)),
                   rw.integers({0}));
}

}  // namespace

/// What a tensor is like: shape, rank, size.
void register_shape(OperatorTable& table) {
  table.translate("Shape", tensor_shape);
  table.translate("ShapeN", tensor_shapes, [](const FrameworkNode& node) { return node.input_count(); });
  table.translate("Rank", tensor_rank);
  table.translate("Size", tensor_size);
}

}  // namespace mo::tensorflow
