#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// A port of a node.
struct NodePort {
  Node node;
  std::size_t port = 0;
  bool operator==(const NodePort&) const = default;
  /// As an input port, and as an output port.
  InPort in_port() const { return node.in_port(port); }
  OutPort out_port() const { return node.out_port(port); }
};

/// What a descriptor of kind `scope` or `points` was found to mean: nodes of the graph, where tensors from outside
/// arrive, and which tensors leave. The Model Optimizer's SubgraphMatch.
class SubgraphMatch {
 public:
  SubgraphMatch(Graph& graph, std::string id, std::string scope, AttributeMap custom_attributes)
      : graph_(&graph),
        id_(std::move(id)),
        scope_(std::move(scope)),
        custom_attributes_(std::move(custom_attributes)) {}

  Graph& graph() const { return *graph_; }
  const std::string& id() const { return id_; }
  /// The regular expression of the instance; empty for points.
  const std::string& scope() const { return scope_; }
  const AttributeMap& custom_attributes() const { return all_read_ = true, custom_attributes_; }
  /// One custom attribute, or `fallback` when the descriptor leaves it out. A value of another kind is an error of the
  /// descriptor, which the engine reports after the replacer (`failure`): MO-CONFIG-0035.
  template <class T>
  T custom_attribute(std::string_view name, T fallback) const {
    const AttributeValue* value = find_custom(name);
    if (!value) return fallback;
    auto decoded = AttributeCodec<T>::decode(*value);
    if (decoded) return *std::move(decoded);
    fail(name, decoded.error().first().message);
    return fallback;
  }
  /// One custom attribute. Errors: MO-CONFIG-0034 (the descriptor leaves it out), MO-CONFIG-0035 (of another kind).
  template <class T>
  Expected<T> required(std::string_view name) const {
    const AttributeValue* value = find_custom(name);
    if (!value) return missing(name);
    auto decoded = AttributeCodec<T>::decode(*value);
    if (decoded) return *std::move(decoded);
    return wrong(name, decoded.error().first().message);
  }
  /// The first custom attribute of a wrong kind.
  const std::optional<Diagnostic>& failure() const { return failure_; }
  /// Custom attributes that were not requested; none when all of them were requested at once.
  std::vector<std::string> unread_attributes() const;

  /// In id order.
  const std::vector<Node>& matched_nodes() const { return nodes_; }
  std::vector<std::string> matched_nodes_names() const;
  bool contains(const Node& node) const;

  /// How many inputs were found. An input whose nodes are not there is left out; the others keep their numbers.
  std::size_t inputs_count() const { return inputs_.size(); }
  std::size_t outputs_count() const { return outputs_.size(); }
  /// Where the tensor of input `i` arrives; empty when there is no such input.
  const std::vector<NodePort>& input_nodes(std::size_t i) const;
  /// Error MO-CONFIG-0024: no such input, or it arrives at several places.
  Expected<NodePort> single_input_node(std::size_t i) const;
  /// The tensor of input `i`, which a node outside makes. Error MO-CONFIG-0024.
  Expected<Value> input(std::size_t i) const;
  /// Error MO-CONFIG-0025: no such output.
  Expected<NodePort> output_node(std::size_t i) const;
  /// The matched node whose name fits the regular expression; inside of a scope, its name after the scope. An empty
  /// handle when there is none. Errors: MO-CONFIG-0020 (several nodes fit), MO-CONFIG-0011.
  Expected<Node> node_by_pattern(const std::string& pattern) const;

  /// Inputs and outputs by their numbers.
  const std::map<std::size_t, std::vector<NodePort>>& inputs() const { return inputs_; }
  const std::map<std::size_t, NodePort>& outputs() const { return outputs_; }

  // For the matching code.
  void set_nodes(std::vector<Node> nodes);
  void add_input(std::size_t i, NodePort place) { inputs_[i].push_back(place); }
  void set_output(std::size_t i, NodePort place) { outputs_[i] = place; }

 private:
  Diagnostic problem(Diagnostic diagnostic) const;
  const AttributeValue* find_custom(std::string_view name) const;
  Diagnostic missing(std::string_view name) const;
  Diagnostic wrong(std::string_view name, std::string_view text) const;
  void fail(std::string_view name, std::string_view text) const {
    if (!failure_) failure_ = wrong(name, text);
  }
  Graph* graph_;
  std::string id_;
  std::string scope_;
  AttributeMap custom_attributes_;
  std::vector<Node> nodes_;
  std::map<std::size_t, std::vector<NodePort>> inputs_;
  std::map<std::size_t, NodePort> outputs_;
  mutable std::set<std::string, std::less<>> read_;
  mutable bool all_read_ = false;
  mutable std::optional<Diagnostic> failure_;
};

}  // namespace mo
