#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace mo::onnx {

/// What the model calls output `index` of a node: the first one with a name is called like the node, the others keep
/// their names while the node keeps its own. Empty for an output that is left out.
std::string tensor_name(const Node& node, std::size_t index);

}  // namespace mo::onnx
