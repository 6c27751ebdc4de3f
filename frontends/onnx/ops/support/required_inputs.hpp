#pragma once

#include <initializer_list>

#include "core/registry/framework_node.hpp"

namespace mo::onnx {

/// Error MO-FRONT-0006 unless these inputs are connected: for operators with optional inputs before required ones.
inline Expected<void> require_inputs(const FrameworkNode& node, std::initializer_list<std::size_t> inputs) {
  for (const std::size_t i : inputs)
    if (!node.has_input(i))
      return node.error("MO-FRONT-0006", "input {} is missing", i)
          .hint("the node is corrupt, or it was cut off from its input; export the model again");
  return {};
}

}  // namespace mo::onnx
