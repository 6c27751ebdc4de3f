#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "frontends/tensorflow/variables.hpp"

namespace mo::tensorflow {

/// A model whose variables are in a checkpoint, as a GraphDef that can be rewritten (graph_def.hpp): what freezing
/// begins with.
struct UnfrozenModel {
  std::unique_ptr<Graph> graph;  ///< nothing but its GraphDef
  std::unique_ptr<VariableBinder> variables;
  std::vector<std::string> inputs;   ///< of all signatures: "node" or "node:1"
  std::vector<std::string> outputs;  ///< of all signatures
};

/// Reads the model that `model` names: a GraphDef with `checkpoint`, a MetaGraph, or a SavedModel. What says which part
/// of it is meant, but `tags`, is not looked at. Errors: those of read_model while nothing is linked.
Expected<UnfrozenModel> read_unfrozen_model(const ModelSource& model, DiagnosticSink& sink);

/// Forgets the library of functions.
void drop_library(Graph& graph);

}  // namespace mo::tensorflow
