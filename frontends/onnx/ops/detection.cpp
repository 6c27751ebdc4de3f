#include <limits>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/grid_sampling.hpp"
#include "ops/build/term.hpp"
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
  const ops::NonMaxSuppression op{
      .box_encoding = node.attr("center_point_box", false) ? ops::BoxEncoding::center : ops::BoxEncoding::corner,
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
  const Value places = rw.create(ops::Convert{.destination_type = ElementType::f32},
                                 rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0),
                                           count, rw.scalar<std::int64_t>(1)));
  const Value real_count = rw.create(ops::Convert{.destination_type = ElementType::f32}, count);
  const Value doubled = rw.create(ops::Multiply{}, places, rw.scalar(2.0F));
  if (ends) {
    // 2 i / (count - 1) - 1; a single element is at -1.
    const Value steps =
        rw.create(ops::Maximum{}, rw.create(ops::Subtract{}, real_count, rw.scalar(1.0F)), rw.scalar(1.0F));
    return rw.create(ops::Subtract{}, rw.create(ops::Divide{}, doubled, steps), rw.scalar(1.0F));
  }
  const Value centers = rw.create(ops::Add{}, doubled, rw.scalar(1.0F));
  return rw.create(ops::Subtract{}, rw.create(ops::Divide{}, centers, real_count), rw.scalar(1.0F));
}

/// AffineGrid-20: theta [N, d, d + 1], size [N, C, (D,) H, W] -> [N, (D,) H, W, d], where d counts the spatial
/// dimensions: (the grid of coordinates (x, y(, z), 1) as rows) * theta^T.
Replacement affine_grid(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value theta = node.input(0);
  const Value size = node.input(1);
  std::optional<std::int64_t> entries;
  if (const PartialShape& shape = size.type().shape; shape.size() == 1 && shape[0].is_known()) {
    entries = shape[0].value();
  } else if (const PartialShape& matrix = theta.type().shape; matrix.size() == 3) {
    // [N, d, d + 1]; what follows depends on d: how many coordinates there are.
    if (matrix[1].is_known())
      entries = matrix[1].value() + 2;
    else if (matrix[2].is_known())
      entries = matrix[2].value() + 1;
  }
  if (!entries || (*entries != 4 && *entries != 5))
    return node.error("MO-ONNX-0229", "the number of spatial dimensions is not known to be 2 or 3")
        .hint("give the shapes of the model's inputs with --input_shape: size has 4 or 5 values");
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
  const Value points =
      rw.create(ops::Reshape{}, rw.create(ops::Concat{.axis = -1}, columns), rw.integers({1, -1, spatial + 1}));
  const Value moved = rw.create(ops::MatMul{.transpose_b = true}, as_type_of(rw, points, theta), theta);
  const Value shape =
      join(rw, {slice_along(rw, lengths, 0, 0, 1), slice_along(rw, lengths, 0, 2, *entries), rw.integers({spatial})});
  return rw.create(ops::Reshape{}, moved, shape);
}

/// Samples of the bins along one axis: for each region `bins * samples` of them, and where each lies between two
/// elements.
struct BinSamples {
  Term low;     ///< index of the element before: [regions, bins * samples] (i64)
  Term high;    ///< of the one after
  Term share;   ///< how near the one after is: 0 to 1 (real); the one before has the rest
  Term inside;  ///< whether the sample is on the image at all
};

/// ONNX RoiAlign: a sample less than one element outside of the image is moved to its border. `first` and `last` are
/// the ends of the regions [regions] in elements.
BinSamples bin_samples(Rewriter& rw, const Term& first, const Term& last, std::int64_t bins, std::int64_t samples,
                       const Term& size, bool at_least_one) {
  const Term length = at_least_one ? larger(last - first, 1) : last - first;
  std::vector<float> offsets;
  for (std::int64_t i = 0; i < bins * samples; ++i)
    offsets.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(bins * samples));
  const Term place = first.unsqueezed({1}) +
                     length.unsqueezed({1}) * term(rw, as_type_of(rw, rw.constant(Tensor::vector(offsets)), first));
  const Term end = size.as(first.type()) - 1;
  const Term on_image = smaller(larger(place, 0), end);
  const Term low = floored(on_image);
  return {low.as(ElementType::i64), smaller(low + 1, end).as(ElementType::i64), on_image - low,
          both(greater_equal(place, -1), less_equal(place, size.as(first.type())))};
}

/// ONNX RoiAlign with mode max: the largest of all (corner * its bilinear weight) in a bin. The IR's op takes the
/// largest of their sums.
Replacement largest_weighted_corners(const FrameworkNode& node, Rewriter& rw, std::int64_t height, std::int64_t width,
                                     std::int64_t samples, double scale, double shift) {
  if (samples < 1)
    return node.error("MO-ONNX-0478", "mode max with a number of samples that depends on each region")
        .hint("give sampling_ratio, as the number of samples must be the same for all regions here");
  const Value x = node.input(0);
  const Term corners = term(rw, node.input(1)) * scale - shift;
  const auto column = [&](std::int64_t i) { return Term(rw, column_of(rw, corners, i), corners.type()); };
  const auto length = [&](std::int64_t axis) { return Term(rw, dimension_of(rw, x, axis), ElementType::i64); };
  const bool at_least_one = shift == 0;
  const BinSamples rows = bin_samples(rw, column(1), column(3), height, samples, length(2), at_least_one);
  const BinSamples columns = bin_samples(rw, column(0), column(2), width, samples, length(3), at_least_one);
  // [regions, C, H * W]
  const Value images = rw.create(ops::Gather{}, x, node.input(2), rw.scalar<std::int64_t>(0));
  const Value flat = rw.create(ops::Reshape{.special_zero = true}, images, rw.integers({0, 0, -1}));
  const Term inside = both(rows.inside.unsqueezed({2}), columns.inside.unsqueezed({1}));
  const auto weighted = [&](bool below, bool behind) {
    const Term row = (below ? rows.high : rows.low).unsqueezed({2});
    const Term place = row * length(3) + (behind ? columns.high : columns.low).unsqueezed({1});
    const Value places = rw.create(ops::Reshape{.special_zero = true}, place, rw.integers({0, -1}));
    const Term weight = (below ? rows.share : 1 - rows.share).unsqueezed({2}) *
                        (behind ? columns.share : 1 - columns.share).unsqueezed({1});
    const Value weights =
        rw.create(ops::Reshape{.special_zero = true}, choose(inside, weight, 0), rw.integers({0, 1, -1}));
    return Term(rw, rw.create(ops::Gather{.batch_dims = 1}, flat, places, rw.scalar<std::int64_t>(2)), corners.type()) *
           Term(rw, weights, corners.type());
  };
  const Term best = larger(larger(weighted(false, false), weighted(false, true)),
                           larger(weighted(true, false), weighted(true, true)));
  const Value bins =
      rw.create(ops::Reshape{.special_zero = true}, best, rw.integers({0, 0, height, samples, width, samples}));
  return rw.create(ops::ReduceMax{.keep_dims = false}, bins, rw.integers({3, 5}));
}

Replacement roi_align(const FrameworkNode& node, Rewriter& rw, ops::RoiAlignedMode aligned) {
  MO_TRY(node.expect_inputs(3));
  const std::string mode = node.attr("mode", "avg");
  if (mode != "avg" && mode != "max")
    return node.error("MO-ONNX-0214", "mode is \"{}\"", mode).hint("mode is avg or max");
  const auto height = node.attr<std::int64_t>("output_height", 1);
  const auto width = node.attr<std::int64_t>("output_width", 1);
  const auto samples = node.attr<std::int64_t>("sampling_ratio", 0);
  const double scale = node.attr("spatial_scale", 1.0);
  constexpr std::int64_t kMost = 1 << 16;
  if (height < 1 || width < 1 || height > kMost || width > kMost || samples > kMost)
    return node.error("MO-ONNX-0102", "the result has {} x {} bins of {} samples", height, width, samples)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (mode == "max")
    return largest_weighted_corners(node, rw, height, width, samples, scale,
                                    aligned == ops::RoiAlignedMode::asymmetric ? 0 : 0.5);
  const ops::ROIAlign op{{.pooled_h = height, .pooled_w = width, .sampling_ratio = samples, .spatial_scale = scale},
                         aligned};
  return rw.create(op, node.input(0), node.input(1), node.input(2));
}

Expected<Op> grid_sample_op(const FrameworkNode& node, std::string_view linear, std::string_view cubic,
                            std::string_view default_mode) {
  const std::string mode = node.attr("mode", std::string(default_mode));
  if (mode != linear && mode != cubic && mode != "nearest")
    return node.error("MO-ONNX-0214", "mode is \"{}\"", mode)
        .hint("mode is {}, nearest or {} in this opset", linear, cubic);
  Op op = ops::GridSample{};
  MO_TRY(op.set_attribute("align_corners", node.attr("align_corners", false)));
  MO_TRY(op.set_attribute("mode", mode == linear ? "bilinear" : mode == cubic ? "bicubic" : "nearest"));
  MO_TRY(op.set_attribute("padding_mode", node.attr("padding_mode", "zeros")));
  return op;
}

/// GridSample-20 takes any number of spatial dimensions, the IR's op two.
Replacement grid_sample(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(Op op, grid_sample_op(node, "linear", "cubic", "linear"));
  const PartialShape& data = node.input_type(0).shape;
  const PartialShape& grid = node.input_type(1).shape;
  const auto rank = data.has_rank() ? data.rank() : grid.rank();
  if (!rank || *rank == 4) return rw.create(std::move(op), node.input(0), node.input(1));
  const std::int64_t axes = *rank - 2;
  constexpr std::int64_t kMostAxes = 3;
  const auto whole = [&](const PartialShape& shape) { return !shape.has_rank() || shape.rank() == rank; };
  if (axes < 1 || axes > kMostAxes || !whole(data) || !whole(grid) ||
      (grid.has_rank() && !grid[axes + 1].compatible(axes)))
    return node
        .error("MO-ONNX-0483", "data of shape {} is sampled by a grid of shape {}", data.to_string(), grid.to_string())
        .hint("both have the same number of dimensions, from 3 to 5, and the grid's last one counts the spatial ones");
  return build::sampled_by_grid(rw, node.input(0), node.input(1), *op.as<ops::GridSample>(),
                                static_cast<std::size_t>(axes));
}

}  // namespace

/// Boxes, regions and sampling grids.
void register_detection(OperatorTable& table) {
  table.translate("NonMaxSuppression", since(10), non_max_suppression);
  // ONNX RoiAlign-10 takes coordinates as they are; RoiAlign-16 can shift them by half an element, and does so by
  // default.
  table.translate("RoiAlign", versions(10, 15), [](const FrameworkNode& node, Rewriter& rw) {
    return roi_align(node, rw, ops::RoiAlignedMode::asymmetric);
  });
  table.translate("RoiAlign", since(16), [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    const std::string coordinates = node.attr("coordinate_transformation_mode", "half_pixel");
    if (coordinates == "half_pixel") return roi_align(node, rw, ops::RoiAlignedMode::half_pixel_for_nn);
    if (coordinates == "output_half_pixel") return roi_align(node, rw, ops::RoiAlignedMode::asymmetric);
    return node.error("MO-ONNX-0214", "coordinate_transformation_mode is \"{}\"", coordinates)
        .hint("it is half_pixel or output_half_pixel");
  });
  // ONNX GridSample-20 renamed the modes when it took tensors of any rank.
  table.extract("GridSample", versions(16, 19),
                [](const FrameworkNode& node) { return grid_sample_op(node, "bilinear", "bicubic", "bilinear"); });
  table.translate("GridSample", since(20), grid_sample);
  table.translate("AffineGrid", since(20), affine_grid);
}

}  // namespace mo::onnx
