#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v1 {

/// Normalises `data` into probabilities along `axis` (opset1: the axis counts from the front).
struct SoftMax {
  static constexpr OpId id{"SoftMax", 1};
  std::int64_t axis = 1;
  static constexpr auto attributes = Attributes{attr("axis", &SoftMax::axis)};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_attributes = {"axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v1

namespace v8 {

/// As opset1, and a negative axis counts from the back.
struct SoftMax {
  static constexpr OpId id{"SoftMax", 8};
  std::int64_t axis = 1;
  static constexpr auto attributes = Attributes{attr("axis", &SoftMax::axis)};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_attributes = {"axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v8

using v8::SoftMax;

/// log(SoftMax(data)), computed without leaving the range of the type; a negative axis counts from the back.
struct LogSoftmax {
  static constexpr OpId id{"LogSoftmax", 5};
  std::int64_t axis = 1;
  static constexpr auto attributes = Attributes{attr("axis", &LogSoftmax::axis)};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_attributes = {"axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
