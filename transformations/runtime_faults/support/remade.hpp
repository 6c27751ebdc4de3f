#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// The outputs of a new node with the op and the inputs of `node`, after the op's bodies were changed: what they make
/// is inferred again.
inline Outputs remade(const Node& node, Rewriter& rw) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  const std::size_t outputs = node.out_port_count();
  return rw.create_node(node.take_op(), inputs, outputs).out_ports();
}

}  // namespace mo::transformations
