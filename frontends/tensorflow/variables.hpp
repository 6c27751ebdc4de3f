#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/graph/graph.hpp"
#include "frontends/common/hash_map.hpp"
#include "frontends/common/wire.hpp"

namespace mo::tensorflow {

class Checkpoint;

/// Whether the node stands for a variable.
bool is_variable(const Node& node);

/// Puts the values of a checkpoint in place of variables. Which tensor belongs to which variable is taken, in this
/// order, from the objects of a SavedModel of TensorFlow 2 (the variables that a function captured), from the nodes
/// that restore a model of TensorFlow 1, and from names.
class VariableBinder {
 public:
  VariableBinder();
  ~VariableBinder();

  /// Opens a checkpoint: see Checkpoint::open.
  Expected<void> open(const std::string& prefix, Links links, DiagnosticSink& sink);

  /// Learns from Restore nodes, before they are removed. `restore_op`: the node that a SaverDef names; what other nodes
  /// restore comes from checkpoints of other models. Empty, or no node of the graph: all of them are asked.
  Expected<void> find_restored(const Graph& graph, std::string_view restore_op);
  /// Learns from the SavedObjectGraph at `message` which object each captured variable is. The calls must still be
  /// there.
  Expected<void> find_captured(frontends::WireSource& source, const frontends::WireField& message, const Graph& graph);

  /// Makes a Const of every variable whose value is known. One that has none stays, with the reason in attribute
  /// "@problem". Error MO-TF-0041: the value has another type or shape than the variable.
  Expected<void> bind(Graph& graph);

  /// What the checkpoint says of a variable: its value, or why there is none.
  struct Found {
    std::optional<Tensor> value;
    std::string problem;  ///< empty also without a checkpoint
  };
  /// The value that `bind` gives. Errors: those of `bind`.
  Expected<Found> find_value(const Node& variable) const;

 private:
  struct Binding {
    std::string key;
    std::string slice;  ///< TensorFlow's shape_and_slice; empty: the whole tensor
  };
  Expected<void> bind_variable(Graph& graph, const Node& node);

  std::unique_ptr<Checkpoint> checkpoint_;
  frontends::HashMap<std::string, Binding> bindings_;  ///< by the name of the variable's node
};

}  // namespace mo::tensorflow
