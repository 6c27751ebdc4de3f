#pragma once

#include "driver/assembly.hpp"
#include "tools/inspect/facts.hpp"

namespace mo::tools {

/// `facts_as_read` of a model whose framework is known: with the framework's name, the ops that it does not define, and the built-in configurations that
/// fit.
ModelFacts facts_of_model(Graph& graph, const Assembly& assembly);

}  // namespace mo::tools
