#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/graph/builtin_ops.hpp"
#include "core/graph/name_sets.hpp"
#include "core/graph/node.hpp"
#include "core/graph/op_index.hpp"
#include "core/graph/store.hpp"
#include "core/graph/tables.hpp"

namespace mo {

/// A computation graph: nodes with ports, in chunked stores addressed by 32-bit ids; erasing leaves a tombstone.
///
/// Iteration is in id order, which is the order of creation (file order after reading): everything derived from it is
/// deterministic. Nothing here recurses over the graph. Handles (Node, ports) refer to the graph by address: a graph
/// does not move. Parameters and Results are nodes; their order is the order of the model's inputs and outputs.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  /// Takes the content of another graph in place of its own; all handles into either become invalid.
  void adopt(std::unique_ptr<Graph> other);
  /// A deep copy with ids compacted; tensors share their buffers.
  std::unique_ptr<Graph> clone() const;
  /// The same, with the nodes created in this order, which has each of them once.
  std::unique_ptr<Graph> clone(std::span<const Node> order) const;

  /// Name of the model ("torch_jit", file stem).
  std::string name;
  /// What the reader found beside the nodes (producer, versions, metadata): kept so that a model that was only read can
  /// be written back.
  AttributeMap properties;

  // -- building -------------------------------------------------------------------------------------------------------
  /// A node with `inputs` connected (an empty Value leaves that port disconnected) and `output_count` outputs.
  Node create_node(Op op, std::span<const Value> inputs, std::size_t output_count = 1, std::string_view node_name = {});
  Node create_node(Op op, std::initializer_list<Value> inputs, std::size_t output_count = 1,
                   std::string_view node_name = {}) {
    return create_node(std::move(op), std::span<const Value>(inputs.begin(), inputs.size()), output_count, node_name);
  }
  Node create_parameter(const TensorType& type, std::string_view node_name = {});
  Node create_result(const Value& value, std::string_view node_name = {});
  Node create_constant(Tensor tensor, std::string_view node_name = {});
  /// Disconnects the node from everything and removes it. Its readers are left with empty ports. O(ports).
  void erase(const Node& node);

  // -- looking --------------------------------------------------------------------------------------------------------
  std::size_t node_count() const { return alive_; }
  /// One more than the largest node id; for side tables.
  std::uint32_t node_capacity() const { return nodes_.size(); }
  std::uint32_t value_capacity() const { return values_.size(); }
  Node node(NodeId id) const { return {const_cast<Graph*>(this), id}; }
  /// The first living node of that name; an empty handle when there is none. O(nodes).
  Node find_node(std::string_view node_name) const;
  /// All living nodes in id order. Nodes made while iterating are visited too; erasing is allowed.
  class NodeRange;
  NodeRange nodes() const;
  /// All nodes of one op: `for (auto [node, softmax] : graph.each<ops::SoftMax>())`. O(1) when there is none.
  template <OpLike T>
  class EachRange;
  template <OpLike T>
  EachRange<T> each() const;
  /// The living nodes that own graphs, in id order. O(nodes that ever did).
  std::vector<Node> body_owners() const;
  /// Whether some living node has an op of this name. O(classes of that name).
  bool has_op(std::string_view op_name) const { return ops_.has(op_name); }
  /// Whether some living node has an op for which `wanted` holds. O(number of different ops).
  template <class Predicate>
  bool has_op_type(Predicate wanted) const {
    return ops_.any(wanted);
  }
  /// Another number whenever an op comes that no node had.
  std::uint32_t op_arrivals() const { return ops_.arrivals(); }
  /// Whether `wanted` holds for the origin of some node, perhaps one that is erased. O(number of different operators).
  template <class Predicate>
  bool has_origin(Predicate wanted) const {
    return origins_.any(names_, wanted);
  }
  /// Parameters and Results in the model's order.
  std::vector<Node> parameters() const;
  std::vector<Node> results() const;
  /// Puts the Parameters (or Results) into another order; `ordered` holds exactly the present ones (asserted).
  void reorder_parameters(const std::vector<Node>& ordered);
  void reorder_results(const std::vector<Node>& ordered);

  /// Every node after its inputs and control inputs; among free choices, id order. Error MO-GRAPH-0010 for a cycle,
  /// which it prints.
  Expected<std::vector<Node>> topological_order() const;

  /// Whether types were inferred: from then on the rewriter infers every new node at once.
  bool has_types() const { return has_types_; }
  void set_has_types(bool on) { has_types_ = on; }
  /// A symbol that no dimension of this graph has yet.
  Dimension::Symbol new_symbol() { return symbols_.fresh(); }
  /// Symbols up to `symbol` are in use (a reader that gave them out).
  void reserve_symbols(Dimension::Symbol symbol) { symbols_.reserve(symbol); }
  SizeSymbols& size_symbols() { return symbols_; }
  void drop_control_edges() { control_inputs_.clear(); }

  /// Renumbers nodes, ports and values without the tombstones. All handles and ids become invalid. O(size of the
  /// graph).
  void compact();
  /// Bytes of the stores (payloads of ops and tensors not counted).
  std::size_t store_bytes() const;

  // -- what passes did by hand ----------------------------------------------------------------------------------------
  /// Nodes whose inputs were changed through ports and connections since the last call, in a graph that has types. The
  /// engine infers them again, and what depends on them, when the pass is over; the rewriter's own edits are not among
  /// them.
  std::vector<Node> take_edited();
  /// Nodes that lost an input since the last call because its producer was erased, with the name of that producer.
  std::vector<std::pair<Node, std::string>> take_orphans();
  /// While it lives, edits are not noted: the rewriter infers what it changes itself.
  class QuietEdits;
  /// While it lives, nodes that are made, and nodes whose inputs change, remember who did it: a pass of a plugin, to
  /// which their errors are attributed.
  class Editor;
  /// "pass Fuse of plugin acme"; empty when the node is what mo or the model made it.
  const std::string& editor_of(const Node& node) const;

  NameTable& names() { return names_; }
  /// To be given to many nodes.
  OriginId intern_origin(const Origin& origin) {
    return origin == Origin{} ? OriginId{} : origins_.intern(names_, origin);
  }
  /// A name that no node has: `base`, or `base_1`, `base_2` …
  std::string unique_name(std::string_view base) const;

 private:
  friend class Node;
  friend class InPort;
  friend class OutPort;
  friend class PortData;
  friend class OpWalk;

  struct NodeRecord {
    const OpType* type = nullptr;  ///< null: erased
    void* payload = nullptr;
    NameId name;
    OriginId origin;
    NameSetId sources;  ///< provenance
    std::uint32_t first_use = 0;
    std::uint32_t use_count = 0;
    std::uint32_t first_value = 0;
    std::uint32_t value_count = 0;
  };
  struct UseRecord {
    ValueId value;
    NodeId user;
    UseId next;
    UseId previous;
  };
  struct ValueRecord {
    NodeId producer;
    UseId first_use;
    UseId last_use;
    TypeId type;
    NameSetId tensor_names;
    std::uint32_t known = 0xFFFFFFFFU;  ///< index into known_
  };
  struct Known {
    Tensor value;
    std::shared_ptr<const PartialValue> partial;
  };

  void link(UseId use, ValueId value);
  template <class Nodes>
  std::unique_ptr<Graph> copy_of(const Nodes& order) const;
  void unlink(UseId use);
  Known& known(ValueId value);
  void note_edit(NodeId reader) {
    if (quiet_ > 0) return;
    note_editor(reader);
    if (has_types_) by_hand().edited.push_back(reader);
  }
  void note_editor(NodeId node) {
    if (by_hand_ && !by_hand_->editor.empty()) by_hand_->editors[node] = by_hand_->editor;
  }
  /// Remembers the node if it owns graphs.
  void note_bodies(NodeId id);
  /// The texts of a set, in its order.
  std::vector<std::string_view> names_of(NameSetId set) const;
  /// Tells the index that the node gets another op.
  void retype(NodeId id, const OpType& to) {
    ops_.remove(*nodes_[id.index].type);
    ops_.add(to, id);
    if (ops_.walks_ > 0) ops_.retyped_.push_back(id);
  }

  /// Those of `ids` that are not erased.
  std::vector<Node> living(const std::vector<NodeId>& ids) const;

  ChunkedStore<NodeRecord> nodes_;
  ChunkedStore<UseRecord> uses_;
  ChunkedStore<ValueRecord> values_;
  std::vector<Known> known_;
  std::vector<std::uint32_t> free_known_;
  NameTable names_;
  TypeTable types_;
  OriginTable origins_;
  NameSets name_sets_;
  std::map<NodeId, std::vector<NodeId>> control_inputs_;
  std::map<NodeId, AttributeMap> rt_info_;
  std::vector<NodeId> parameters_;  ///< and some that are erased, until `compact`
  std::vector<NodeId> results_;     ///< the same
  /// nodes that had bodies when they were made or changed; some may have lost them
  std::vector<NodeId> body_owners_;
  OpIndex ops_;
  std::size_t alive_ = 0;
  struct Orphan {
    UseId use;
    NameId producer;
  };
  /// What passes did by hand; few graphs have it, and bodies are many.
  struct ByHand {
    std::vector<NodeId> edited;
    std::vector<Orphan> orphans;
    std::map<NodeId, std::string> editors;
    std::string editor;  ///< who is at work; empty: mo
  };
  ByHand& by_hand() {
    if (!by_hand_) by_hand_ = std::make_unique<ByHand>();
    return *by_hand_;
  }
  std::unique_ptr<ByHand> by_hand_;
  int quiet_ = 0;
  bool has_types_ = false;
  SizeSymbols symbols_;
};

class Graph::QuietEdits {
 public:
  explicit QuietEdits(Graph& graph) : graph_(graph) { ++graph_.quiet_; }
  ~QuietEdits() { --graph_.quiet_; }
  QuietEdits(const QuietEdits&) = delete;
  QuietEdits& operator=(const QuietEdits&) = delete;

 private:
  Graph& graph_;
};

class Graph::Editor {
 public:
  Editor(Graph& graph, std::string who)
      : graph_(graph), before_(std::exchange(graph.by_hand().editor, std::move(who))) {}
  ~Editor() { graph_.by_hand().editor = std::move(before_); }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

 private:
  Graph& graph_;
  std::string before_;
};

class Graph::NodeRange {
 public:
  class Iterator {
   public:
    Iterator(Graph* graph, std::uint32_t index) : graph_(graph), index_(index) { skip(); }
    Node operator*() const { return {graph_, NodeId{index_}}; }
    Iterator& operator++() {
      ++index_;
      skip();
      return *this;
    }
    /// The end is wherever the store ends by then.
    bool operator!=(const Iterator&) const { return index_ < graph_->nodes_.size(); }

   private:
    void skip() {
      while (index_ < graph_->nodes_.size() && graph_->nodes_[index_].type == nullptr) ++index_;
    }
    Graph* graph_;
    std::uint32_t index_;
  };

  explicit NodeRange(Graph* graph, std::uint32_t first = 0) : graph_(graph), first_(first) {}
  Iterator begin() const { return {graph_, first_}; }
  Iterator end() const { return {graph_, graph_->nodes_.size()}; }

 private:
  Graph* graph_;
  std::uint32_t first_;
};

inline Graph::NodeRange Graph::nodes() const { return NodeRange(const_cast<Graph*>(this)); }

template <OpLike T>
class Graph::EachRange {
 public:
  class Iterator {
   public:
    explicit Iterator(NodeRange::Iterator at, NodeRange::Iterator end) : at_(at), end_(end) { skip(); }
    std::pair<Node, T&> operator*() const { return {*at_, *(*at_).template as<T>()}; }
    Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    void skip() {
      while (at_ != end_ && !(*at_).template is<T>()) ++at_;
    }
    NodeRange::Iterator at_;
    NodeRange::Iterator end_;
  };

  explicit EachRange(NodeRange range) : range_(range) {}
  Iterator begin() const { return Iterator(range_.begin(), range_.end()); }
  Iterator end() const { return Iterator(range_.end(), range_.end()); }

 private:
  NodeRange range_;
};

template <OpLike T>
Graph::EachRange<T> Graph::each() const {
  constexpr OpId id = T::id;
  return EachRange<T>(NodeRange(const_cast<Graph*>(this), has_op(id.type) ? 0 : nodes_.size()));
}

}  // namespace mo

#include "core/graph/access.hpp"
