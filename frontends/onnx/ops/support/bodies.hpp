#pragma once

#include "core/registry/framework_node.hpp"
#include "frontends/onnx/ops/support/sequences.hpp"

namespace mo::onnx {

/// What an operator with bodies reads: its own inputs, then the tensors that its bodies capture, by the names of their
/// Parameters.
struct BodyInputs {
  std::vector<Value> own;
  Captures captures;

  std::vector<Value> all() const {
    std::vector<Value> values = own;
    values.insert(values.end(), captures.values.begin(), captures.values.end());
    return values;
  }
};

/// Sequences and optional values among the captured ones are unpacked in `bodies`. Error MO-FRONT-0006 when a captured
/// tensor, or one of the own inputs from number `optional` on, is not connected.
inline Expected<BodyInputs> body_inputs(const FrameworkNode& node, const std::vector<Graph*>& bodies,
                                        std::size_t optional = 0) {
  BodyInputs inputs;
  inputs.captures.names = node.attr("@captures", std::vector<std::string>());
  const std::size_t captured = std::min(inputs.captures.names.size(), node.input_count());
  inputs.captures.names.resize(captured);
  const std::size_t own = node.input_count() - captured;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    if (i >= optional && !node.has_input(i))
      return node.error("MO-FRONT-0006", "input {} is missing", i)
          .hint("the node is corrupt, or it was cut off from its input; export the model again");
    (i < own ? inputs.own : inputs.captures.values).push_back(node.input(i));
  }
  inputs.captures = unpack_captures(bodies, inputs.captures);
  return inputs;
}

/// All outputs of `made`, which has those of the framework's node.
inline Outputs outputs_of(const Node& made) {
  Outputs outputs;
  for (const OutPort& port : made.out_ports()) outputs.push_back(port);
  return outputs;
}

}  // namespace mo::onnx
