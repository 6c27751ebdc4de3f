#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/inlining.hpp"

namespace mo {

/// All edits of a graph by passes go through a Rewriter. It infers new nodes at once when the graph has types, and on
/// `replace` moves readers, friendly name, tensor names, provenance and control edges, and erases what became dead.
/// Passes never do this by hand.
///
/// Errors of inference are kept (`error`) and reported by the engine with the name of the pass; values made after an
/// error are usable but have no types.
class Rewriter {
 public:
  /// `bodies`: how graphs that new nodes own are inferred (see infer_node).
  explicit Rewriter(Graph& graph, BodyInference* bodies = nullptr) : graph_(&graph), bodies_(bodies) {}

  Graph& graph() const { return *graph_; }

  // -- making nodes ---------------------------------------------------------------------------------------------------
  /// A node with as many outputs as its op has; the value is the first one.
  template <class... V>
  Value create(Op op, const Value& first, const V&... more) {
    const Value inputs[] = {first, more...};
    return create_node(std::move(op), inputs).output();
  }
  Value create(Op op, const std::vector<Value>& inputs) { return create_node(std::move(op), inputs).output(); }
  /// `output_count` is needed for ops with a varying number of outputs (Split); 0 takes that of the op.
  Node create_node(Op op, std::span<const Value> inputs, std::size_t output_count = 0);
  Node create_node(Op op, std::initializer_list<Value> inputs, std::size_t output_count = 0) {
    return create_node(std::move(op), std::span<const Value>(inputs.begin(), inputs.size()), output_count);
  }
  /// As `create`, and computed at once when all inputs are constants (large results become recipes): weights that
  /// passes change.
  template <class... V>
  Value fold(Op op, const Value& first, const V&... more) {
    const Value inputs[] = {first, more...};
    return fold_node(create_node(std::move(op), inputs));
  }
  Value constant(Tensor tensor);
  template <class T>
  Value scalar(T value) {
    return constant(Tensor::scalar<T>(value));
  }
  /// A vector of i64: axes, shapes, sizes.
  Value integers(const std::vector<std::int64_t>& values) { return constant(Tensor::vector(values)); }
  /// A scalar of the element type of `like`; while that is unknown (front phase), an op that inference makes such a
  /// constant (ScalarLike).
  Value scalar_like(const Value& like, double value);

  /// A node of the same op and attributes with other inputs, and as many outputs; without a name. nGraph's
  /// copy_with_new_inputs.
  Node copy_with_new_inputs(const Node& node, std::span<const Value> inputs);
  Node copy_with_new_inputs(const Node& node, std::initializer_list<Value> inputs) {
    return copy_with_new_inputs(node, std::span<const Value>(inputs.begin(), inputs.size()));
  }
  /// What the Results of `body` read, as tensors of this graph: the nodes that make it are put here, and inferred when
  /// the graph has types; `arguments` take the place of the Parameters. `fate`: whether the body is still needed.
  /// Errors: those of put_inline, and of inference.
  Expected<std::vector<Value>> inline_body(Graph& body, const std::vector<Value>& arguments,
                                           BodyFate fate = BodyFate::kept);

  // -- editing --------------------------------------------------------------------------------------------------------
  /// `replacements[i]` takes the place of output `i` of `old`; an empty one is allowed if the output has no readers. A
  /// replacement that was made by this rewriter gets the friendly name of `old`, and so does a node without one. `old`
  /// and everything that only it needed are erased. `merged` are further nodes that the replacement stands for (the
  /// rest of a match).
  void replace(const Node& old, const Outputs& replacements, const std::vector<Node>& merged = {});
  /// All readers of `old` read `by` from now on; nodes stay (until they are dead), tensor names move.
  void replace_uses(const Value& old, const Value& by);
  /// Puts a new node between `value` and all that read it: `op` gets `value` as input 0 and `more` after it. Tensor
  /// names stay with `value`.
  template <class... V>
  Value insert_node(const Value& value, Op op, const V&... more) {
    const std::vector<InPort> readers = value.get_destinations();
    const Value made = create(std::move(op), value, more...);
    for (const InPort& reader : readers) set_input(reader.node(), reader.index(), made);
    return made;
  }
  /// Gives `node` another friendly name; Misuse when another node of the graph has it.
  void rename(const Node& node, std::string_view name);
  /// Connects input `i` of `node` to `source`, then infers the node again.
  void set_input(const Node& node, std::size_t i, const Value& source);
  /// Tells that attributes of `node` were changed: infers it again.
  void changed(const Node& node);
  /// Erases `node` and what only it needed; Misuse when it is still read.
  void erase(const Node& node);

  /// From now on a replacement may be of another type: what reads it has not been inferred yet.
  void let_types_change() { types_may_change_ = true; }

  // -- for the engine -------------------------------------------------------------------------------------------------
  bool has_changed() const { return changed_; }
  const std::optional<Error>& error() const { return error_; }
  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }
  /// The error, which is then forgotten.
  std::optional<Error> take_error() { return std::exchange(error_, std::nullopt); }
  /// Nodes made since the last call.
  std::vector<Node> take_created();
  /// Nodes whose inputs changed since the last call, or which became the only readers of a tensor: they may match now.
  std::vector<Node> take_touched();

 private:
  void infer(const Node& node);
  void let_go(const Node& node);
  Value fold_node(const Node& node);
  void take_over(const Node& old, const Outputs& replacements, const std::vector<Node>& merged);
  bool is_new(const Node& node) const;

  Graph* graph_;
  BodyInference* bodies_;
  std::vector<Node> created_;  ///< since the last replacement
  std::vector<Node> all_created_;
  std::vector<Node> touched_;
  bool changed_ = false;
  bool types_may_change_ = false;
  std::optional<Error> error_;
};

/// Erases `node` if it has no readers, and then its sources likewise. Parameters, Results and stateful ops stay.
/// O(erased). `left`, when given, gets the tensors that lost a reader and stay.
void erase_if_dead(const Node& node, std::vector<Value>* left = nullptr);

}  // namespace mo
