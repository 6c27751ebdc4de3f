#include <limits>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/grid_sample.hpp"
#include "ops/mat_mul.hpp"
#include "ops/non_max_suppression.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/roi_align.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// Inputs: boxes, scores, the most boxes per class (0 when absent), the overlap (0), the least score (any).
Replacement non_max_suppression(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const ops::NonMaxSuppression op{.box_encoding = node.attr("center_point_box", false) ? ops::BoxEncoding::center : ops::BoxEncoding::corner,
                                  .sort_result_descending = false,
                                  .output_type = ElementType::i64};
  const Value most = node.input(2) ? as_scalar(rw, node.input(2)) : rw.scalar<std::int64_t>(0);
  const Value overlap = node.input(3) ? as_scalar(rw, node.input(3)) : rw.scalar(0.0F);
  // Without a threshold, every score is good enough.
  const Value score = node.input(4) ? as_scalar(rw, node.input(4)) : rw.scalar(std::numeric_limits<float>::lowest());
  return rw.create_node(op, {node.input(0), node.input(1), most, overlap, score}, 3).output(0);
}

/// `count` (a scalar) coordinates from -1 to 1: the ends of the range, or the centers of as many parts of it.
Value grid_coordinates(Rewriter& rw, const Value& count, bool ends) {
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
Replacement affine_grid(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value theta = node.input(0);
  const Value size = node.input(1);
  std::optional<std::int64_t> entries;
  if (const PartialShape& shape = size.type().shape; shape.size() == 1 && shape[0].is_known()) {
    entries = shape[0].value();
  } else if (const PartialShape& matrix = theta.type().shape; matrix.size() == 3 && matrix[1].is_known()) {
    entries = matrix[1].value() + 2;
  }
  if (!entries || (*entries != 4 && *entries != 5))
    return node.error("MO-ONNX-0229", "the number of spatial dimensions is not known to be 2 or 3")
        .hint("give the shapes of the model's inputs with --input_shape: size has 4 or 5 numbers");
  const bool ends = node.attr("align_corners", false);
  const std::int64_t spatial = *entries - 2;
  const Value lengths = as_i64(rw, size);
  const Value grid_shape = join(rw, {slice_along(rw, lengths, 0, 2, *entries), rw.integers({1})});
  // x changes fastest and comes first.
  std::vector<Value> columns;
  for (std::int64_t axis = spatial - 1; axis >= 0; --axis) {
    const Value line = grid_coordinates(rw, as_scalar(rw, slice_along(rw, lengths, 0, 2 + axis, 3 + axis)), ends);
    Integers pattern(static_cast<std::size_t>(spatial) + 1, 1);
    pattern[static_cast<std::size_t>(axis)] = -1;
    columns.push_back(rw.create(ops::Broadcast{}, rw.create(ops::Reshape{}, line, rw.integers(pattern)), grid_shape));
  }
  columns.push_back(rw.create(ops::Broadcast{}, rw.scalar(1.0F), grid_shape));
  const Value points = rw.create(ops::Reshape{}, rw.create(ops::Concat{.axis = -1}, columns), rw.integers({1, -1, spatial + 1}));
  const Value moved = rw.create(ops::MatMul{.transpose_b = true}, as_type_of(rw, points, theta), theta);
  const Value shape = join(rw, {slice_along(rw, lengths, 0, 0, 1), slice_along(rw, lengths, 0, 2, *entries), rw.integers({spatial})});
  return rw.create(ops::Reshape{}, moved, shape);
}

Expected<Op> extract_roi_align(const FrameworkNode& node, ops::RoiAlignedMode aligned) {
  const std::string mode = node.attr("mode", "avg");
  if (mode != "avg" && mode != "max") return node.error("MO-ONNX-0214", "mode is \"{}\"", mode).hint("mode is avg or max");
  return ops::ROIAlign{.pooled_h = node.attr<std::int64_t>("output_height", 1),
                       .pooled_w = node.attr<std::int64_t>("output_width", 1),
                       .sampling_ratio = node.attr<std::int64_t>("sampling_ratio", 0),
                       .spatial_scale = node.attr("spatial_scale", 1.0),
                       .mode = mode == "avg" ? ops::RoiAlignMode::avg : ops::RoiAlignMode::max,
                       .aligned_mode = aligned};
}

Expected<Op> extract_grid_sample(const FrameworkNode& node, std::string_view linear, std::string_view cubic, std::string_view default_mode) {
  const std::string mode = node.attr("mode", std::string(default_mode));
  if (mode != linear && mode != cubic && mode != "nearest")
    return node.error("MO-ONNX-0214", "mode is \"{}\"", mode).hint("mode is {}, nearest or {} in this opset", linear, cubic);
  Op op = ops::GridSample{};
  MO_TRY(op.set_attribute("align_corners", node.attr("align_corners", false)));
  MO_TRY(op.set_attribute("mode", mode == linear ? "bilinear" : mode == cubic ? "bicubic" : "nearest"));
  MO_TRY(op.set_attribute("padding_mode", node.attr("padding_mode", "zeros")));
  return op;
}

}  // namespace

/// Boxes, regions and sampling grids.
void register_detection(OperatorTable& table) {
  table.translate("NonMaxSuppression", since(10), non_max_suppression);
  // ONNX RoiAlign-10 takes coordinates as they are; RoiAlign-16 can shift them by half an element, and does so by default.
  table.extract("RoiAlign", versions(10, 15), [](const FrameworkNode& node) { return extract_roi_align(node, ops::RoiAlignedMode::asymmetric); });
  table.extract("RoiAlign", since(16), [](const FrameworkNode& node) -> Expected<Op> {
    const std::string coordinates = node.attr("coordinate_transformation_mode", "half_pixel");
    if (coordinates == "half_pixel") return extract_roi_align(node, ops::RoiAlignedMode::half_pixel_for_nn);
    if (coordinates == "output_half_pixel") return extract_roi_align(node, ops::RoiAlignedMode::asymmetric);
    return node.error("MO-ONNX-0214", "coordinate_transformation_mode is \"{}\"", coordinates).hint("it is half_pixel or output_half_pixel");
  });
  // ONNX GridSample-20 renamed the modes when it took tensors of any rank.
  table.extract("GridSample", versions(16, 19),
                [](const FrameworkNode& node) { return extract_grid_sample(node, "bilinear", "bicubic", "bilinear"); });
  table.extract("GridSample", since(20), [](const FrameworkNode& node) { return extract_grid_sample(node, "linear", "cubic", "linear"); });
  table.translate("AffineGrid", since(20), affine_grid);
}

}  // namespace mo::onnx
