#pragma once

#include "frontends/tensorflow/graph_def/functions.hpp"
#include "tools/transform/model_format.hpp"

namespace mo::tools {

/// The functions of a GraphDef's library as inner graphs.
inline Expected<void> edit_library(Graph& graph, const std::function<Expected<void>(InnerGraph&)>& edit) {
  return tensorflow::edit_functions(graph, [&](tensorflow::FunctionGraph& function) {
    InnerGraph inner{function.name, *function.graph, function.inputs, function.outputs};
    return edit(inner);
  });
}

}  // namespace mo::tools
