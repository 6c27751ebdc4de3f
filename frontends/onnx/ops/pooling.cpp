#include "ops/pooling.hpp"

#include <cmath>

#include "core/registry/operator_table.hpp"
#include "frontends/onnx/ops/support/window.hpp"
#include "ops/roi_pooling.hpp"

namespace mo::onnx {
namespace {

using ops::TorchRoundingType;

Expected<Window> read_pooling_window(const FrameworkNode& node) {
  MO_ASSIGN(Window window, read_window(node));
  if (window.kernel.empty()) return node.error("MO-ONNX-0103", "attribute kernel_shape is missing").hint("check how the model was exported");
  return window;
}

/// How the number of windows is rounded. SAME_* and VALID have formulas of their own, which ceil_mode does not change. Windows that would
/// start in the padding at the end are left out, as the operator's text says; where there cannot be one, plain `ceil`, which older op
/// sets have, is the same.
TorchRoundingType rounding_of(const FrameworkNode& node, const Window& window) {
  if (!node.attr("ceil_mode", false) || window.auto_pad != ops::AutoPad::explicit_pads) return TorchRoundingType::floor;
  for (std::size_t i = 0; i < window.kernel.size(); ++i)
    if (window.pads_end[i] > 0 || ops::dilated(window.kernel[i], window.dilations[i]) < window.strides[i]) return TorchRoundingType::ceil_torch;
  return TorchRoundingType::ceil;
}

/// Copies what all pooling ops have.
template <class T>
T pooling(const Window& window) {
  T op;
  op.kernel = window.kernel;
  op.strides = window.strides;
  op.pads_begin = window.pads_begin;
  op.pads_end = window.pads_end;
  op.auto_pad = window.auto_pad;
  if constexpr (requires { op.dilations; }) op.dilations = window.dilations;
  return op;
}

ops::RoundingType without_torch(TorchRoundingType rounding) {
  return rounding == TorchRoundingType::floor ? ops::RoundingType::floor : ops::RoundingType::ceil;
}

/// MaxPool-8 and later may give the indices of the maxima in the whole tensor; with storage_order=1 as if it were column-major.
Expected<Op> max_pool(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, read_pooling_window(node));
  const TorchRoundingType rounding = rounding_of(node, window);
  const bool column_major = node.attr("storage_order", false);
  if (column_major && window.kernel.size() > 1 && node.output_used(1)) {
    AttributeMap attributes = to_attributes(window);
    attributes.set("rounding_type", ops::kTorchRoundingTypeNames[static_cast<std::size_t>(rounding)]);
    return front_op("OnnxMaxPoolColumnMajor", std::move(attributes));
  }
  if (rounding == TorchRoundingType::ceil_torch) {
    auto op = pooling<ops::v14::MaxPool>(window);
    op.rounding_type = rounding;
    return op;
  }
  auto op = pooling<ops::v8::MaxPool>(window);
  op.rounding_type = without_torch(rounding);
  return op;
}

/// AveragePool-7 introduced count_include_pad, AveragePool-19 dilations.
Expected<Op> average_pool(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, read_pooling_window(node));
  const bool exclude_pad = !node.attr("count_include_pad", false);
  TorchRoundingType rounding = rounding_of(node, window);
  // What lies beyond the padding is no element, so it does not count even with count_include_pad; plain `ceil` leaves that open.
  if (!exclude_pad && rounding == TorchRoundingType::ceil) rounding = TorchRoundingType::ceil_torch;
  const auto finish = [&](auto op) -> Expected<Op> {
    op.exclude_pad = exclude_pad;
    if constexpr (std::is_same_v<decltype(op.rounding_type), TorchRoundingType>)
      op.rounding_type = rounding;
    else
      op.rounding_type = without_torch(rounding);
    return op;
  };
  if (is_dilated(window)) return finish(pooling<ops::v16::AvgPool>(window));
  if (rounding == TorchRoundingType::ceil_torch) return finish(pooling<ops::v14::AvgPool>(window));
  return finish(pooling<ops::v1::AvgPool>(window));
}

Expected<Op> lp_pool(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, read_pooling_window(node));
  AttributeMap attributes = to_attributes(window);
  const auto p = node.attr<double>("p", 2.0);
  if (!(p > 0) || std::isinf(p)) return node.error("MO-ONNX-0104", "p is {}, which makes no norm", p).hint("p must be a positive number");
  attributes.set("p", p);
  attributes.set("ceil_mode", rounding_of(node, window) != TorchRoundingType::floor);
  return front_op("OnnxLpPool", std::move(attributes));
}

Expected<Op> global_lp_pool(const FrameworkNode& node) {
  const auto p = node.attr<double>("p", 2.0);
  if (!(p > 0) || std::isinf(p)) return node.error("MO-ONNX-0104", "p is {}, which makes no norm", p).hint("p must be a positive number");
  return front_op("OnnxGlobalPool", {{"kind", "lp"}, {"p", p}});
}

Expected<Op> max_roi_pool(const FrameworkNode& node) {
  const auto size = node.required<std::vector<std::int64_t>>("pooled_shape");
  if (size.size() != 2 || size[0] < 1 || size[1] < 1)
    return node.error("MO-ONNX-0102", "pooled_shape must be two positive numbers").hint("it holds the height and the width of the result");
  return ops::ROIPooling{
      .pooled_h = size[0], .pooled_w = size[1], .spatial_scale = node.attr("spatial_scale", 1.0), .method = "max", .output_size = {}};
}

}  // namespace

void register_pooling(OperatorTable& table) {
  table.extract("MaxPool", since(1), max_pool);
  table.extract("AveragePool", since(1), average_pool);
  // p is a real number in opset 1 and an integer since opset 2, both are read as a real number; opset 18 added dilations and ceil_mode.
  table.extract("LpPool", since(1), lp_pool);
  table.extract("GlobalLpPool", since(1), global_lp_pool);
  table.extract("GlobalAveragePool", since(1), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxGlobalPool", {{"kind", "average"}}); });
  table.extract("GlobalMaxPool", since(1), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxGlobalPool", {{"kind", "max"}}); });
  table.extract("MaxRoiPool", since(1), max_roi_pool);
}

}  // namespace mo::onnx
