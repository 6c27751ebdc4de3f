#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {

/// Origin of a Parameter that stands for a tensor of the graph around an inner graph. The writer of ONNX models does
/// not list it among the inputs; the emitter gives it the name of that tensor.
inline constexpr std::string_view kCapturedTensor = "captured tensor";

inline bool is_captured(const Node& node) { return node.is<Parameter>() && node.origin().part == kCapturedTensor; }

/// An inner graph of an operator, as long as it is built: the body of Loop, a branch of If.
class InnerGraph {
 public:
  explicit InnerGraph(const Translation& outer) : operators_(outer.inside(*graph_)) { graph_->set_has_types(true); }

  /// Creates the operators of this graph.
  Translation& operators() { return operators_; }

  /// Adds an input.
  Value add_input(const TensorType& type, std::string_view name) {
    inputs_.push_back(graph_->create_parameter(without_symbols({type, {}, {}}).type, name));
    return inputs_.back().output();
  }

  /// Returns the tensor that stands for one of the graph around this one; empty for an empty one.
  Value captured(const Value& outer) {
    if (!outer) return {};
    const auto known = std::find(outer_.begin(), outer_.end(), outer);
    if (known != outer_.end()) return captured_[static_cast<std::size_t>(known - outer_.begin())].output();
    const Node parameter = graph_->create_parameter({outer.type().element_type, {}});
    parameter.set_origin({.framework = "ONNX", .part = kCapturedTensor});
    outer_.push_back(outer);
    captured_.push_back(parameter);
    return parameter.output();
  }

  /// Adds an output. Only tensors that an operator of this graph gives can be outputs, each of them once: others get an
  /// Identity.
  void add_output(Value value, const TensorType& type) {
    const Node source = value.node();
    if (source.is<Parameter>() || source.is<Const>() ||
        std::find(outputs_.begin(), outputs_.end(), value) != outputs_.end())
      value = operators_.op("Identity", {value});
    value.data().set_type(without_symbols({type, {}, {}}).type);
    graph_->create_result(value);
    outputs_.push_back(value);
  }

  /// Creates an operator of `outer` with these graphs as attributes, which are finished then.
  static Outputs create(Translation& outer, std::string_view type, std::vector<Value> inputs, std::size_t outputs,
                        const std::vector<std::pair<std::string_view, InnerGraph*>>& graphs) {
    std::vector<Value> captures;
    for (const auto& [attribute, graph] : graphs)
      for (const Value& value : graph->outer_)
        if (std::find(captures.begin(), captures.end(), value) == captures.end()) captures.push_back(value);
    AttributeMap attributes;
    for (const auto& [attribute, graph] : graphs) outer.add_problem_of(graph->operators_);
    for (const auto& [attribute, graph] : graphs) attributes.set(attribute, Body(graph->finished(captures)));
    if (!captures.empty()) attributes.set("@captures", std::vector<std::string>(captures.size()));
    inputs.insert(inputs.end(), captures.begin(), captures.end());
    return outer.ops(type, std::move(inputs), outputs, std::move(attributes));
  }

 private:
  /// The graph, in which all captured tensors of the operator have Parameters, in this order: the emitter tells them
  /// apart by their places.
  std::unique_ptr<Graph> finished(const std::vector<Value>& captures) {
    std::vector<Node> parameters = inputs_;
    for (const Value& outer : captures) parameters.push_back(captured(outer).node());
    graph_->reorder_parameters(parameters);
    return std::move(graph_);
  }

  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  std::vector<Node> inputs_;
  std::vector<Value> outer_;    ///< captured tensors in the graph around
  std::vector<Node> captured_;  ///< their Parameters
  std::vector<Value> outputs_;
  Translation operators_;
};

/// Takes the captured tensors that no inner graph of an operator reads from its inputs. The operator is not of use in
/// an InnerGraph any more.
inline void drop_unread_captures(const Node& owner) {
  AttributeValue* const attribute = owner.change_attribute("@captures");
  if (!attribute) return;
  const std::size_t count = std::as_const(*attribute).get_if<std::vector<std::string>>()->size();
  const std::size_t first = owner.in_port_count() - count;
  std::vector<Value> read(count);
  for (Graph* const inner : owner.bodies()) {
    std::size_t place = 0;
    for (const Node& parameter : inner->parameters())
      if (is_captured(parameter)) {
        if (parameter.out_port(0).destination_count() > 0) read[place] = owner.input(first + place);
        ++place;
      }
  }
  for (Graph* const inner : owner.bodies()) {
    std::size_t place = 0;
    for (const Node& parameter : inner->parameters())
      if (is_captured(parameter) && !read[place++]) inner->erase(parameter);
  }
  for (std::size_t i = count; i-- > 0;) owner.delete_input_port(first + i);
  std::erase(read, Value());
  for (std::size_t i = 0; i < read.size(); ++i) static_cast<void>(owner.add_input_port(first + i).connect(read[i]));
  *attribute = AttributeValue(std::vector<std::string>(read.size()));
}

}  // namespace mo::onnx_emitter
