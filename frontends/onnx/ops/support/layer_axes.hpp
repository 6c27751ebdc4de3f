#pragma once

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

namespace mo::onnx {

/// The axes of input 0 from the attribute `axis` on (-1 without it), as LayerNormalization counts them. Error
/// MO-ONNX-0112 for an axis outside of the tensor.
Expected<Value> layer_axes(const FrameworkNode& node, Rewriter& rw);

}  // namespace mo::onnx
