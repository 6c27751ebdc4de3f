#pragma once

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

namespace mo::onnx {

/// Softmax (or its logarithm) of x seen as a matrix, whose columns are the dimensions from `axis` on together: ONNX
/// Softmax up to opset 12. Error MO-FRONT-0011 for an axis outside of the tensor.
Expected<Value> softmax_of_rows(const FrameworkNode& node, Rewriter& rw, const Value& x, std::int64_t axis, bool log);

}  // namespace mo::onnx
