#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Pooling of regions [count, 5] (batch, x1, y1, x2, y2) of data [N, C, H, W]: writes [count, channels, bins_y,
/// bins_x]; `channels` unknown: C. Errors: MO-OPS-0450 (bins), MO-OPS-0453 (regions).
Expected<void> infer_roi_pooling(InferContext& ctx, std::optional<std::int64_t> channels, std::int64_t bins_y,
                                 std::int64_t bins_x);

/// Data and regions as f32 once they were checked. Errors: MO-OPS-0451 (batch of a region), MO-OPS-0452 (not finite),
/// MO-OPS-0453 (empty data).
struct RoiTensors {
  Tensor data;
  Tensor rois;
  Tensor out;  ///< f32, zeros
};
Expected<RoiTensors> roi_tensors(EvalContext& ctx);
/// Sets output 0 from the f32 result.
Expected<void> set_roi_output(EvalContext& ctx, const Tensor& out);

}  // namespace mo::ops
