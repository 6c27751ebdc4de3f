#include "ops/pooling.hpp"

#include <cmath>

#include "frontends/onnx/ops/support/pooling.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"
#include "ops/roi_pooling.hpp"

namespace mo::onnx {
namespace {

/// The index of element (n, c, h, w) in a column-major image, (n * C + c) * H * W + w * H + h, computed from the
/// row-major one, (n * C + c) * H * W + h * W + w.
Value column_major(Rewriter& rw, const Value& index, const Value& x) {
  const Value height = dimension_of(rw, x, 2);
  const Value width = dimension_of(rw, x, 3);
  const Value area = rw.create(ops::Multiply{}, height, width);
  const Value in_image = rw.create(ops::FloorMod{}, index, area);
  const Value image = rw.create(ops::Subtract{}, index, in_image);
  const Value row = rw.create(ops::Divide{}, in_image, width);
  const Value column = rw.create(ops::FloorMod{}, in_image, width);
  const Value turned = rw.create(ops::Add{}, rw.create(ops::Multiply{}, column, height), row);
  return rw.create(ops::Add{}, image, turned);
}

/// MaxPool-8 and later may give the indices of the maxima in the whole tensor; with storage_order=1 as if it were
/// column-major.
Replacement max_pool(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const Window window, pooling_window(node));
  const bool turned = node.attr("storage_order", false) && window.spatial_rank() > 1 && node.output_used(1);
  if (turned && window.spatial_rank() != 2)
    return node
        .error("MO-ONNX-0108", "indices with storage_order=1 are defined for 2 spatial axes, not for {}",
               window.spatial_rank())
        .hint("export the model with storage_order=0");
  const Value x = node.input(0);
  const Node pooled = rw.create_node(max_pool_op(window, rounding_of(node, window)), {x});
  return Outputs{pooled.output(0), turned ? column_major(rw, pooled.output(1), x) : pooled.output(1)};
}

/// AveragePool-7 introduced count_include_pad, AveragePool-19 dilations.
Expected<Op> average_pool(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, pooling_window(node));
  return average_pool_op(window, rounding_of(node, window), !node.attr("count_include_pad", false));
}

Value to_the_power(Rewriter& rw, const Value& x, double exponent) {
  return rw.create(ops::Power{}, x, number_like(rw, x, exponent));
}

/// p is a real number in opset 1 and an integer since opset 2, both are read as a real number.
Expected<double> norm_of(const FrameworkNode& node) {
  const auto p = node.attr("p", 2.0);
  if (!(p > 0) || std::isinf(p))
    return node.error("MO-ONNX-0104", "p is {}, which does not define a norm", p).hint("p must be a positive number");
  return p;
}

/// LpPool(x) -> (AvgPool(|x|^p) * elements of the kernel)^(1/p). Opset 18 added dilations and ceil_mode.
Replacement lp_pool(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(Window window, pooling_window(node));
  MO_ASSIGN(const double p, norm_of(node));
  // ceil((n - k) / s) = floor((n + s - 1 - k) / s): zeros at the end do not change a norm.
  if (rounding_of(node, window) != ops::TorchRoundingType::floor)
    for (std::size_t i = 0; i < window.spatial_rank(); ++i) window.pads_end[i] += window.strides[i] - 1;
  double size = 1;
  for (const std::int64_t k : window.kernel) size *= static_cast<double>(k);
  const Value x = node.input(0);
  const Value magnitude = rw.create(ops::Abs{}, x);
  // Padding counts: `size` times the mean is the sum.
  const Value powers = p == 1 ? magnitude : to_the_power(rw, magnitude, p);
  const Value mean = rw.create(average_pool_op(window, ops::TorchRoundingType::floor, false), powers);
  const Value sum = rw.create(ops::Multiply{}, mean, number_like(rw, x, size));
  if (p == 1) return sum;
  return p == 2 ? rw.create(ops::Sqrt{}, sum) : to_the_power(rw, sum, 1 / p);
}

/// GlobalAveragePool(x) -> ReduceMean(x) over all axes but batch and channel
template <class T>
Replacement reduced_per_channel(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(T{.keep_dims = true}, node.input(0), axes_from(rw, node.input(0), 2));
}

Replacement global_lp_pool(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const double p, norm_of(node));
  if (p == 1) return reduced_per_channel<ops::ReduceL1>(node, rw);
  if (p == 2) return reduced_per_channel<ops::ReduceL2>(node, rw);
  const Value x = node.input(0);
  const Value powers = to_the_power(rw, rw.create(ops::Abs{}, x), p);
  return to_the_power(rw, rw.create(ops::ReduceSum{.keep_dims = true}, powers, axes_from(rw, x, 2)), 1 / p);
}

Expected<Op> max_roi_pool(const FrameworkNode& node) {
  const auto size = node.required<std::vector<std::int64_t>>("pooled_shape");
  if (size.size() != 2 || size[0] < 1 || size[1] < 1)
    return node.error("MO-ONNX-0102", "pooled_shape must be two positive integers")
        .hint("it holds the height and the width of the result");
  return ops::ROIPooling{.pooled_h = size[0],
                         .pooled_w = size[1],
                         .spatial_scale = node.attr("spatial_scale", 1.0),
                         .method = "max",
                         .output_size = {}};
}

}  // namespace

void register_pooling(OperatorTable& table) {
  table.translate("MaxPool", since(1), max_pool);
  table.extract("AveragePool", since(1), average_pool);
  table.translate("LpPool", since(1), lp_pool);
  table.translate("GlobalLpPool", since(1), global_lp_pool);
  table.translate("GlobalAveragePool", since(1), reduced_per_channel<ops::ReduceMean>);
  table.translate("GlobalMaxPool", since(1), reduced_per_channel<ops::ReduceMax>);
  table.extract("MaxRoiPool", since(1), max_roi_pool);
}

}  // namespace mo::onnx
