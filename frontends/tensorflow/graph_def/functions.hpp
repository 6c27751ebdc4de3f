#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tensorflow {

/// A function of the library as a graph of its own: nodes as they stand, and a Placeholder for each argument.
struct FunctionGraph {
  std::string name;
  std::unique_ptr<Graph> graph;
  std::vector<std::string> inputs;   ///< Placeholders of its arguments
  std::vector<std::string> outputs;  ///< what it returns ("node", "node:1"), and nodes that have to run
};

/// Calls `edit` for each function of the library in the order of the file, and puts what becomes of them into the
/// library. What is not changed stays field by field as it was. Arguments and results stay; nodes that are returned
/// keep their names. Errors: those of reading nodes and of `edit`; MO-TF-0054 (a node that is returned is gone, an
/// output whose name in functions is not known, a Placeholder that is no argument).
Expected<void> edit_functions(Graph& graph, const std::function<Expected<void>(FunctionGraph&)>& edit);

}  // namespace mo::tensorflow
