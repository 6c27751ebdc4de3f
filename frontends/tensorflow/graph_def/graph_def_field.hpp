#pragma once

#include <memory>

#include "core/graph/graph.hpp"
#include "frontends/common/encoding.hpp"

namespace mo::tensorflow {

/// A GraphDef that is part of another message; what read_graph_def says of a file.
Expected<std::unique_ptr<Graph>> read_graph_def_field(frontends::WireSource& source,
                                                      const frontends::WireField& message, DiagnosticSink& sink);
/// The graph as a GraphDef; weights stay where they are. Errors: those of write_graph_def.
Expected<frontends::Encoding> graph_def_encoding(const Graph& graph);

}  // namespace mo::tensorflow
