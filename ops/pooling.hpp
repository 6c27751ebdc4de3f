#pragma once

#include "core/op.hpp"
#include "core/op/data_layout.hpp"
#include "ops/support/window.hpp"

namespace mo::ops {

/// What all poolings have: a window that slides over the spatial dimensions of [N, C, spatial…].
struct SlidingWindow {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  AutoPad auto_pad = AutoPad::explicit_pads;
  static constexpr auto attributes =
      Attributes{attr("kernel", &SlidingWindow::kernel), attr("strides", &SlidingWindow::strides),
                 attr("pads_begin", &SlidingWindow::pads_begin), attr("pads_end", &SlidingWindow::pads_end),
                 attr("auto_pad", &SlidingWindow::auto_pad)};
};

namespace v1 {

/// Mean of the elements in the window. With `exclude_pad` padding does not count.
struct AvgPool : SlidingWindow {
  static constexpr OpId id{"AvgPool", 1};
  bool exclude_pad = false;
  RoundingType rounding_type = RoundingType::floor;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes = Attributes{SlidingWindow::attributes, attr("exclude-pad", &AvgPool::exclude_pad),
                                                attr("rounding_type", &AvgPool::rounding_type),
                                                attr("layout", &AvgPool::layout).internal().optional()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Largest element in the window.
struct MaxPool : SlidingWindow {
  static constexpr OpId id{"MaxPool", 1};
  RoundingType rounding_type = RoundingType::floor;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{SlidingWindow::attributes, attr("rounding_type", &MaxPool::rounding_type),
                 attr("layout", &MaxPool::layout).internal().optional()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v1

/// What MaxPool has since opset8: dilations, and a second output with the index of each maximum in the data flattened
/// from `axis` on.
struct IndexedWindow : SlidingWindow {
  static constexpr OpTraits traits{.outputs = 2};
  std::vector<std::int64_t> dilations;
  ElementType index_element_type = ElementType::i64;
  std::int64_t axis = 0;
  static constexpr auto attributes =
      Attributes{SlidingWindow::attributes, attr("dilations", &IndexedWindow::dilations).optional(),
                 attr("index_element_type", &IndexedWindow::index_element_type), attr("axis", &IndexedWindow::axis)};
};

namespace v8 {

struct MaxPool : IndexedWindow {
  static constexpr OpId id{"MaxPool", 8};
  RoundingType rounding_type = RoundingType::floor;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{IndexedWindow::attributes, attr("rounding_type", &MaxPool::rounding_type),
                 attr("layout", &MaxPool::layout).internal().optional()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v8

namespace v14 {

/// As opset1, with rounding `ceil_torch`.
struct AvgPool : SlidingWindow {
  static constexpr OpId id{"AvgPool", 14};
  bool exclude_pad = false;
  TorchRoundingType rounding_type = TorchRoundingType::floor;
  static constexpr auto attributes = Attributes{SlidingWindow::attributes, attr("exclude-pad", &AvgPool::exclude_pad),
                                                attr("rounding_type", &AvgPool::rounding_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// As opset8, with rounding `ceil_torch`.
struct MaxPool : IndexedWindow {
  static constexpr OpId id{"MaxPool", 14};
  TorchRoundingType rounding_type = TorchRoundingType::floor;
  static constexpr auto attributes =
      Attributes{IndexedWindow::attributes, attr("rounding_type", &MaxPool::rounding_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v14

namespace v16 {

/// As opset14, with dilations.
struct AvgPool : SlidingWindow {
  static constexpr OpId id{"AvgPool", 16};
  std::vector<std::int64_t> dilations;
  bool exclude_pad = false;
  TorchRoundingType rounding_type = TorchRoundingType::floor;
  static constexpr auto attributes =
      Attributes{SlidingWindow::attributes, attr("dilations", &AvgPool::dilations).optional(),
                 attr("exclude-pad", &AvgPool::exclude_pad), attr("rounding_type", &AvgPool::rounding_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v16

using v1::AvgPool;
using v8::MaxPool;

/// Mean over windows that divide the spatial dimensions of [N, C, spatial…] evenly into input 1 (a shape of the spatial
/// dimensions).
struct AdaptiveAvgPool {
  static constexpr OpId id{"AdaptiveAvgPool", 8};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.shape_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// As AdaptiveAvgPool with the largest element, and its index in the flattened spatial dimensions as second output.
struct AdaptiveMaxPool {
  static constexpr OpId id{"AdaptiveMaxPool", 8};
  ElementType index_element_type = ElementType::i64;
  static constexpr auto attributes = Attributes{attr("index_element_type", &AdaptiveMaxPool::index_element_type)};
  static constexpr OpTraits traits{.outputs = 2, .shape_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
