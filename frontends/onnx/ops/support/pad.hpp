#pragma once

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

namespace mo::onnx {

/// x with `pads` (all begins, then all ends) around it, along `axes`, which may be empty: along all. `value` (of one
/// element) may be empty: zeros. `mode` is constant, reflect, edge or wrap. Errors: MO-ONNX-0226 for another mode,
/// MO-ONNX-0225 and MO-ONNX-0212 about pads of the mode wrap.
Replacement pad_tensor(const FrameworkNode& node, Rewriter& rw, const Value& x, const Value& pads, const Value& value,
                       const Value& axes, const std::string& mode);

/// Numbers for some axes as numbers for all: zero where an axis is not named. Axes may count from the back.
Value for_all_axes(Rewriter& rw, const Value& x, const Value& numbers, const Value& axes);

}  // namespace mo::onnx
