#pragma once

#include "driver/model_graph.hpp"
#include "tools/inspect/facts.hpp"

namespace mo::tools {

/// `facts_as_read` of a model whose framework is known: with the framework's name, the ops that it does not define, and
/// the built-in configurations that fit.
ModelFacts facts_of_model(Graph& graph, const Assembly& assembly);

/// Of a model in memory, with what inference found. What a framework does not define is not told: its nodes may be ops
/// already.
ModelFacts facts_of_model(const ModelGraph& model);

}  // namespace mo::tools
