#pragma once

#include "frontends/onnx/ops/support/window.hpp"
#include "ops/pooling.hpp"

namespace mo::onnx {

/// The attributes of a pooling. Errors: as read_window, MO-ONNX-0103 without kernel_shape.
Expected<Window> pooling_window(const FrameworkNode& node);

/// How the number of windows is rounded (attribute ceil_mode). SAME_* and VALID have formulas of their own, which
/// ceil_mode does not change. Windows that would start in the padding at the end are left out, as the operator's text
/// says; where there cannot be one, plain `ceil`, which older op sets have, is the same.
ops::TorchRoundingType rounding_of(const FrameworkNode& node, const Window& window);

/// The oldest op that says it.
Op max_pool_op(const Window& window, ops::TorchRoundingType rounding);
Op average_pool_op(const Window& window, ops::TorchRoundingType rounding, bool exclude_pad);

}  // namespace mo::onnx
