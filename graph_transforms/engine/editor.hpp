#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/pass/rewriter.hpp"
#include "graph_transforms/engine/context.hpp"

namespace mo::graph_transforms {

/// The op of a framework node: "Conv2D" of "tf::Conv2D".
std::string_view op_of(const Node& node);
/// "tf" of a graph of "tf::Conv2D"; empty for a graph without nodes of a framework.
std::string_view framework_of(const Graph& graph);
/// The attributes of a framework node, to be changed.
AttributeMap& attributes_of(const Node& node);
/// Whether `op` is in `ops`, names between '|'; "*" is any.
bool is_op_of(std::string_view op, std::string_view ops);

/// Edits a graph of framework nodes by the names that its file gives them, on top of the Rewriter. What it makes
/// belongs to the framework of the graph. Not for passes of the conversion, whose nodes have no names to be kept.
class GraphEditor {
 public:
  GraphEditor(Graph& graph, const TransformFuncContext& context);

  Graph& graph() const { return rewriter_.graph(); }
  const TransformFuncContext& context() const { return context_; }

  // -- looking --------------------------------------------------------------------------------------------------------
  /// The node of that name (the last one when there are several); an empty handle when there is none.
  Node find(std::string_view name);
  /// The node of a feed or fetch: "node" or "node:1"; an empty handle when there is none.
  Node find_referred(std::string_view reference);
  /// Nodes that wait for this one although they read no tensor of it.
  const std::vector<Node>& control_readers(const Node& node);
  /// Whether anybody but `inside` reads a tensor of the node or waits for it, or the user asks for it.
  bool is_needed_outside(const Node& node, const std::vector<Node>& inside);
  /// Whether the node has exactly one reader, `reader`, at one port, and is not an output of the model.
  bool is_only_read_by(const Node& node, const Node& reader);
  /// The value of a Const. Error MO-GTT-0021 when it is none, or its value cannot be read.
  Expected<Tensor> constant_of(const Node& node) const;
  /// The same for numbers of f32, in memory. Error MO-GTT-0021 also for another type.
  Expected<Tensor> floats_of(const Node& node) const;

  // -- changing -------------------------------------------------------------------------------------------------------
  /// A node that reads `inputs`. The name must be free, or that of a node that is about to be erased.
  Node create(std::string_view op, std::string_view name, const std::vector<Value>& inputs,
              AttributeMap attributes = {}, std::size_t outputs = 1);
  /// A Const of the tensor's type, or of the one that `type` names ("DT_QUINT8").
  Node create_constant(std::string_view name, const Tensor& value, AttributeValue type = {});
  /// What `reader` reads at `port`, which is a Const, becomes `value`: the Const itself is changed when nothing else
  /// needs it, otherwise a new one takes its place there.
  void set_constant(const Node& reader, std::size_t port, const Tensor& value);
  /// Gives the node another op of the same framework; inputs and attributes stay.
  void set_op(const Node& node, std::string_view op);
  void set_input(const Node& node, std::size_t port, const Value& source);
  /// A name that no node has: `base`, `base_1` …
  std::string free_name(const std::string& base);
  void rename(const Node& node, std::string_view name);
  /// All that read `old` read `by`.
  void redirect(const Value& old, const Value& by);
  /// All that wait for `old` wait for `by`.
  void redirect_control(const Node& old, const Node& by);
  /// `by` takes the place of `old`: its name, the readers of its output 0, those that wait for it, and what it waits
  /// for. `old` is erased.
  void replace(const Node& old, const Node& by);
  void erase(const Node& node);
  /// Erases those of `nodes` that nothing needs, readers before what they read. Feeds and fetches of the model stay.
  void erase_unneeded(const std::vector<Node>& nodes);

 private:
  void index_names();
  void index_control();

  const TransformFuncContext& context_;
  Rewriter rewriter_;
  std::string domain_;
  std::unordered_map<std::string, NodeId> names_;
  bool has_names_ = false;
  std::map<NodeId, std::vector<Node>> control_readers_;
  bool has_control_ = false;
};

}  // namespace mo::graph_transforms
