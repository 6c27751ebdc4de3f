#pragma once

#include <cstdint>
#include <string>

#include "core/graph/graph.hpp"

namespace mo::onnx {

/// What the model calls output `index` of a node: the first one with a name is called like the node, the others keep
/// their names while the node keeps its own. Empty for an output that is left out.
std::string tensor_name(const Node& node, std::size_t index);

/// Says whether the tensors of a graph are called as they were: a sum over the names, in no order.
std::int64_t fingerprint_of_names(const Graph& graph);

/// The list that a value holds; null when it is absent or another value.
inline const AttributeList* list_of(const AttributeValue* value) {
  return value ? value->get_if<AttributeList>() : nullptr;
}

/// The name in an entry of the lists that a graph keeps of its inputs, outputs and tensors.
inline const std::string& name_in(const AttributeValue& entry) {
  return *entry.get_if<AttributeList>()->front().get_if<std::string>();
}

}  // namespace mo::onnx
