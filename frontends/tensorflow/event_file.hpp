#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace mo::tensorflow {

/// Writes the graph of a model that was only read for TensorBoard: a file of events `events.out.tfevents.<name>` in
/// `folder`, which is made where it is missing. Nodes with operators, devices, edges and attributes; of constants the
/// type and the shape. The same graph gives the same bytes. Errors: those of OutputSet.
Expected<std::string> write_event_file(const Graph& graph, const std::string& folder, const std::string& name);

}  // namespace mo::tensorflow
