#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "ops/assign.hpp"
#include "ops/read_value.hpp"

namespace mo::onnx_emitter {

/// The state variable that a node reads or changes; empty for other nodes.
inline std::string variable_read_by(const Node& node) {
  if (const auto* const read = node.as<ops::v3::ReadValue>()) return read->variable_id;
  if (const auto* const read = node.as<ops::v6::ReadValue>()) return read->variable_id;
  return {};
}
inline std::string variable_changed_by(const Node& node) {
  if (const auto* const assign = node.as<ops::v3::Assign>()) return assign->variable_id;
  if (const auto* const assign = node.as<ops::v6::Assign>()) return assign->variable_id;
  return {};
}

/// State variables of a model: ONNX has none. Each becomes an input, named as the variable, and an output ID/next with
/// its value for the next run, after those of the model. A known initial value is the default of the input.
class Variables {
 public:
  /// Creates the inputs.
  void add_inputs(const Graph& from, Graph& made) {
    for (const Node node : from.nodes()) {
      const std::string id = variable_read_by(node);
      if (id.empty() || inputs_.contains(id)) continue;
      inputs_[id] = made.create_parameter(node.output_type(), id).out_port(0);
      if (auto value = initial_value(node)) defaults_.emplace_back(id, *std::move(value));
      order_.push_back(id);
    }
  }
  Value current(const std::string& id) const {
    const auto found = inputs_.find(id);
    return found == inputs_.end() ? Value() : found->second;
  }
  void set_next(const std::string& id, const Value& value) { next_[id] = value; }

  const std::vector<std::string>& order() const { return order_; }
  const std::map<std::string, Value>& next() const { return next_; }
  const std::vector<std::pair<std::string, Tensor>>& defaults() const { return defaults_; }

 private:
  /// A constant, or zeros where the node has no input.
  static std::optional<Tensor> initial_value(const Node& node) {
    const Value given = node.in_port_count() > 0 ? node.input(0) : Value();
    if (given) {
      const auto* const constant = given.node().as<Const>();
      return constant ? std::optional(constant->value) : std::nullopt;
    }
    const auto shape = node.output_type().shape.to_shape();
    if (!shape) return std::nullopt;
    auto zeros = Tensor::allocate(node.output_type().element_type, *shape);
    return zeros ? std::optional(*std::move(zeros)) : std::nullopt;
  }

  std::map<std::string, Value> inputs_;
  std::map<std::string, Value> next_;
  std::vector<std::string> order_;
  std::vector<std::pair<std::string, Tensor>> defaults_;
};

}  // namespace mo::onnx_emitter
