#include "frontends/onnx/ops/support/pooling.hpp"

namespace mo::onnx {
namespace {

using ops::TorchRoundingType;

/// Copies what all pooling ops have.
template <class T>
T with_window(const Window& window, TorchRoundingType rounding) {
  T op;
  op.kernel = window.kernel;
  op.strides = window.strides;
  op.pads_begin = window.pads_begin;
  op.pads_end = window.pads_end;
  op.auto_pad = window.auto_pad;
  if constexpr (requires { op.dilations; }) op.dilations = window.dilations;
  if constexpr (std::is_same_v<decltype(op.rounding_type), TorchRoundingType>)
    op.rounding_type = rounding;
  else
    op.rounding_type = rounding == TorchRoundingType::floor ? ops::RoundingType::floor : ops::RoundingType::ceil;
  return op;
}

template <class T>
Op average(const Window& window, TorchRoundingType rounding, bool exclude_pad) {
  T op = with_window<T>(window, rounding);
  op.exclude_pad = exclude_pad;
  return op;
}

}  // namespace

Expected<Window> pooling_window(const FrameworkNode& node) {
  MO_ASSIGN(Window window, read_window(node));
  if (window.kernel.empty())
    return node.error("MO-ONNX-0103", "attribute kernel_shape is missing")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return window;
}

TorchRoundingType rounding_of(const FrameworkNode& node, const Window& window) {
  if (!node.attr("ceil_mode", false) || window.auto_pad != ops::AutoPad::explicit_pads) return TorchRoundingType::floor;
  for (std::size_t i = 0; i < window.kernel.size(); ++i)
    if (window.pads_end[i] > 0 || ops::dilated(window.kernel[i], window.dilations[i]) < window.strides[i])
      return TorchRoundingType::ceil_torch;
  return TorchRoundingType::ceil;
}

Op max_pool_op(const Window& window, TorchRoundingType rounding) {
  if (rounding == TorchRoundingType::ceil_torch) return with_window<ops::v14::MaxPool>(window, rounding);
  return with_window<ops::v8::MaxPool>(window, rounding);
}

Op average_pool_op(const Window& window, TorchRoundingType rounding, bool exclude_pad) {
  // What lies beyond the padding is not an element, so it does not count even with count_include_pad; plain `ceil`
  // leaves that open.
  if (!exclude_pad && rounding == TorchRoundingType::ceil) rounding = TorchRoundingType::ceil_torch;
  if (is_dilated(window)) return average<ops::v16::AvgPool>(window, rounding, exclude_pad);
  if (rounding == TorchRoundingType::ceil_torch) return average<ops::v14::AvgPool>(window, rounding, exclude_pad);
  return average<ops::v1::AvgPool>(window, rounding, exclude_pad);
}

}  // namespace mo::onnx
