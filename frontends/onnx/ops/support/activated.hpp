#pragma once

#include <string_view>
#include <vector>

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

namespace mo::onnx {

/// The activation of a fused operator; x itself for an empty name. Error MO-ONNX-0446 for a name that no fused operator
/// has.
Expected<Value> activated(const FrameworkNode& node, Rewriter& rw, const Value& x, std::string_view activation,
                          const std::vector<double>& parameters);

}  // namespace mo::onnx
