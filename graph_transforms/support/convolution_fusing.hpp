#pragma once

#include "graph_transforms/engine/matching.hpp"

namespace mo::graph_transforms {

/// Copies attributes from one node into the attributes of another: `to` is its name there. Error MO-GTT-0026 when the node lacks one.
Expected<void> copy_attribute(const Node& from, std::string_view name, AttributeMap& attributes, std::string_view to = {});

/// Whether a convolution does what the fused ops do: channels last, no dilation.
bool is_plain_convolution(const Node& convolution);

}  // namespace mo::graph_transforms
