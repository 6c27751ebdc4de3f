#include <limits>

#include "extensions/support/front_shapes.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/non_max_suppression.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// Inputs: boxes, scores, the most boxes per class (0 when absent), the overlap (0), the least score (any).
Replacement replace_non_max_suppression(const Node& node, Rewriter& rw) {
  if (!node.input(0) || !node.input(1)) return missing_input(node);
  const ops::NonMaxSuppression op{.box_encoding = node.attr<bool>("center").value_or(false) ? ops::BoxEncoding::center : ops::BoxEncoding::corner,
                                  .sort_result_descending = false,
                                  .output_type = ElementType::i64};
  const Value most = node.input(2) ? as_scalar(rw, node.input(2)) : rw.scalar<std::int64_t>(0);
  const Value overlap = node.input(3) ? as_scalar(rw, node.input(3)) : rw.scalar(0.0F);
  // Without a threshold, every score is good enough.
  const Value score = node.input(4) ? as_scalar(rw, node.input(4)) : rw.scalar(std::numeric_limits<float>::lowest());
  return rw.create_node(op, {node.input(0), node.input(1), most, overlap, score}, 3).output(0);
}

/// `count` (a scalar) coordinates from -1 to 1: the ends of the range, or the centers of as many parts of it.
Value coordinates(Rewriter& rw, const Value& count, bool ends) {
  const Value places =
      rw.create(ops::Convert{.destination_type = ElementType::f32},
                rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0), count, rw.scalar<std::int64_t>(1)));
  const Value real_count = rw.create(ops::Convert{.destination_type = ElementType::f32}, count);
  const Value doubled = rw.create(ops::Multiply{}, places, rw.scalar(2.0F));
  if (ends) {
    // 2 i / (count - 1) - 1; a single element is at -1.
    const Value steps = rw.create(ops::Maximum{}, rw.create(ops::Subtract{}, real_count, rw.scalar(1.0F)), rw.scalar(1.0F));
    return rw.create(ops::Subtract{}, rw.create(ops::Divide{}, doubled, steps), rw.scalar(1.0F));
  }
  const Value centers = rw.create(ops::Add{}, doubled, rw.scalar(1.0F));
  return rw.create(ops::Subtract{}, rw.create(ops::Divide{}, centers, real_count), rw.scalar(1.0F));
}

/// AffineGrid-20: theta [N, d, d + 1], size [N, C, (D,) H, W] -> [N, (D,) H, W, d], where d counts the spatial dimensions:
/// (the grid of coordinates (x, y(, z), 1) as rows) * theta^T.
Replacement replace_affine_grid(const Node& node, Rewriter& rw) {
  const Value theta = node.input(0);
  const Value size = node.input(1);
  if (!theta || !size) return missing_input(node);
  std::optional<std::int64_t> entries;
  if (const auto numbers = known_integers(size)) {
    entries = static_cast<std::int64_t>(numbers->size());
  } else if (const PartialShape& shape = size.type().shape; shape.has_rank() && shape.size() == 1 && shape[0].is_known()) {
    entries = shape[0].value();
  } else if (const PartialShape& matrix = theta.type().shape; matrix.has_rank() && matrix.size() == 3 && matrix[1].is_known()) {
    entries = matrix[1].value() + 2;
  }
  if (!entries || (*entries != 4 && *entries != 5))
    return node.error("MO-ONNX-0229", "the number of spatial dimensions is not known to be 2 or 3").hint("make size a constant with 4 or 5 numbers");
  const bool ends = node.attr<bool>("align_corners").value_or(false);
  const std::int64_t spatial = *entries - 2;
  const Value lengths = as_i64(rw, size);
  const Value grid_shape = join(rw, {slice_along(rw, lengths, 0, 2, *entries), rw.integers({1})});
  // x changes fastest and comes first.
  std::vector<Value> columns;
  for (std::int64_t axis = spatial - 1; axis >= 0; --axis) {
    const Value line = coordinates(rw, as_scalar(rw, slice_along(rw, lengths, 0, 2 + axis, 3 + axis)), ends);
    Integers pattern(static_cast<std::size_t>(spatial) + 1, 1);
    pattern[static_cast<std::size_t>(axis)] = -1;
    columns.push_back(rw.create(ops::Broadcast{}, rw.create(ops::Reshape{}, line, rw.integers(pattern)), grid_shape));
  }
  columns.push_back(rw.create(ops::Broadcast{}, rw.scalar(1.0F), grid_shape));
  const Value points = rw.create(ops::Reshape{}, rw.create(ops::Concat{.axis = -1}, columns), rw.integers({1, -1, spatial + 1}));
  const Value moved = rw.create(ops::MatMul{.transpose_b = true}, rw.create(ops::ConvertLike{}, points, theta), theta);
  const Value shape = join(rw, {slice_along(rw, lengths, 0, 0, 1), slice_along(rw, lengths, 0, 2, *entries), rw.integers({spatial})});
  return rw.create(ops::Reshape{}, moved, shape);
}

}  // namespace

void register_detection(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxNonMaxSuppression").replace_op(replace_non_max_suppression));
  passes.add(front_replacement_op("OnnxAffineGrid").replace_op(replace_affine_grid));
}

}  // namespace mo::front::onnx
