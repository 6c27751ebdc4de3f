#include "ops/pooling.hpp"

#include <algorithm>

#include "extensions/support/front.hpp"
#include "extensions/support/window.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"

namespace mo::front::onnx {
namespace {

Value to_the_power(Rewriter& rw, const Value& x, double exponent) { return rw.create(ops::Power{}, x, number_like(rw, x, exponent)); }

/// GlobalAveragePool(x) -> ReduceMean(x) over all axes but batch and channel; GlobalMaxPool and GlobalLpPool likewise.
Replacement global_pool(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value axes = axes_from(rw, x, 2);
  const std::string kind = node.attr<std::string>("kind").value_or("");
  if (kind == "average") return rw.create(ops::ReduceMean{.keep_dims = true}, x, axes);
  if (kind == "max") return rw.create(ops::ReduceMax{.keep_dims = true}, x, axes);
  const double p = node.attr<double>("p").value_or(2.0);
  if (p == 1) return rw.create(ops::ReduceL1{.keep_dims = true}, x, axes);
  if (p == 2) return rw.create(ops::ReduceL2{.keep_dims = true}, x, axes);
  const Value sum = rw.create(ops::ReduceSum{.keep_dims = true}, to_the_power(rw, rw.create(ops::Abs{}, x), p), axes);
  return to_the_power(rw, sum, 1 / p);
}

/// The mean in each window; padding counts, so that `size` times the mean is the sum.
Value mean_with_padding(Rewriter& rw, const Value& x, const Window& window) {
  const bool dilated = std::any_of(window.dilations.begin(), window.dilations.end(), [](std::int64_t d) { return d != 1; });
  const auto fill = [&](auto op) {
    op.kernel = window.kernel;
    op.strides = window.strides;
    op.pads_begin = window.pads_begin;
    op.pads_end = window.pads_end;
    op.auto_pad = window.auto_pad;
    op.exclude_pad = false;
    return op;
  };
  if (!dilated) return rw.create(fill(ops::v1::AvgPool{}), x);
  auto op = fill(ops::v16::AvgPool{});
  op.dilations = window.dilations;
  return rw.create(std::move(op), x);
}

/// LpPool(x) -> (AvgPool(|x|^p) * elements of the kernel)^(1/p)
Replacement lp_pool(const Node& node, Rewriter& rw) {
  Window window = window_of(node);
  const double p = node.attr<double>("p").value_or(2.0);
  // ceil((n - k) / s) = floor((n + s - 1 - k) / s): zeros at the end do not change a norm.
  if (node.attr<bool>("ceil_mode").value_or(false))
    for (std::size_t i = 0; i < window.spatial_rank(); ++i) window.pads_end[i] += window.strides[i] - 1;
  double size = 1;
  for (const std::int64_t k : window.kernel) size *= static_cast<double>(k);
  const Value x = node.input(0);
  const Value magnitude = rw.create(ops::Abs{}, x);
  const Value mean = mean_with_padding(rw, p == 1 ? magnitude : to_the_power(rw, magnitude, p), window);
  const Value sum = rw.create(ops::Multiply{}, mean, number_like(rw, x, size));
  if (p == 1) return sum;
  return p == 2 ? rw.create(ops::Sqrt{}, sum) : to_the_power(rw, sum, 1 / p);
}

template <class T>
Node make_max_pool(Rewriter& rw, const Value& x, const Window& window, decltype(T::rounding_type) rounding) {
  return rw.create_node(T{.kernel = window.kernel,
                          .strides = window.strides,
                          .pads_begin = window.pads_begin,
                          .pads_end = window.pads_end,
                          .auto_pad = window.auto_pad,
                          .dilations = window.dilations,
                          .rounding_type = rounding},
                        {x});
}

/// MaxPool with storage_order=1: the index of element (n, c, h, w) is that of a column-major image, (n * C + c) * H * W + w * H + h,
/// computed from the row-major one, (n * C + c) * H * W + h * W + w.
Replacement max_pool_column_major(const Node& node, Rewriter& rw) {
  const Window window = window_of(node);
  if (window.spatial_rank() != 2)
    return node.error("MO-ONNX-0108", "indices with storage_order=1 are defined for 2 spatial axes, not for {}", window.spatial_rank())
        .hint("export the model with storage_order=0");
  const Value x = node.input(0);
  const std::string rounding = node.attr<std::string>("rounding_type").value_or("floor");
  const Node pooled = rounding == "ceil_torch"
                          ? make_max_pool<ops::v14::MaxPool>(rw, x, window, ops::TorchRoundingType::ceil_torch)
                          : make_max_pool<ops::v8::MaxPool>(rw, x, window, rounding == "ceil" ? ops::RoundingType::ceil : ops::RoundingType::floor);
  const Value index = pooled.output(1);
  const Value height = dimension_of(rw, x, 2);
  const Value width = dimension_of(rw, x, 3);
  const Value area = rw.create(ops::Multiply{}, height, width);
  const Value in_image = rw.create(ops::FloorMod{}, index, area);
  const Value image = rw.create(ops::Subtract{}, index, in_image);
  const Value row = rw.create(ops::Divide{}, in_image, width);
  const Value column = rw.create(ops::FloorMod{}, in_image, width);
  const Value turned = rw.create(ops::Add{}, rw.create(ops::Multiply{}, column, height), row);
  return Outputs{pooled.output(0), rw.create(ops::Add{}, image, turned)};
}

}  // namespace

void register_pooling(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxGlobalPool").replace_op(global_pool));
  passes.add(front_replacement_op("OnnxLpPool").replace_op(lp_pool));
  passes.add(front_replacement_op("OnnxMaxPoolColumnMajor").replace_op(max_pool_column_major));
}

}  // namespace mo::front::onnx
