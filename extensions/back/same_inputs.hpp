#pragma once

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"

namespace mo::back {

/// What `node` reads, port by port; a port without a source is an empty value.
inline std::vector<Value> inputs_of(const Node& node) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return inputs;
}

/// `op` on the inputs of `node`; only outputs that both classes have.
inline Replacement on_same_inputs(const Node& node, Rewriter& rw, Op op, std::size_t outputs = 1) {
  const Node made = rw.create_node(std::move(op), inputs_of(node), outputs);
  Outputs values;
  for (std::size_t i = 0; i < outputs; ++i) values.push_back(made.output(i));
  return values;
}

}  // namespace mo::back
