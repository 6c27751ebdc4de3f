#pragma once

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// Real types of at most 8 bits as results.
namespace mo::onnx {

/// What the attributes of Cast, CastLike and QuantizeLinear say of results of such types.
struct SmallRealRounding {
  bool saturates = true;          ///< f8e4m3, f8e5m2: values beyond the largest become it
  std::string round_mode = "up";  ///< f8e8m0: "up", "down" or "nearest"
};

/// Reads `saturate` and `round_mode` where `type` is concerned; else they are marked as without effect. Error
/// MO-ONNX-0486 for an unknown mode.
Expected<SmallRealRounding> small_real_rounding(const FrameworkNode& node, ElementType type);

/// `x` as `type`, a small real type.
Value as_small_real(Rewriter& rw, const Value& x, ElementType type, const SmallRealRounding& rounding);

}  // namespace mo::onnx
