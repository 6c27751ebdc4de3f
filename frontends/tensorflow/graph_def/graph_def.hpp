#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/files/output_file.hpp"
#include "core/graph/graph.hpp"

/// GraphDefs that are rewritten and stay GraphDefs. Nothing is linked: each NodeDef is a node "tf::<op>", a Placeholder
/// too; functions stay in the library.
///
/// Attributes stand as attribute_codec.hpp says, so that rewriting needs nothing of this folder. What a graph cannot
/// say otherwise (device, library, versions, unknown fields, how a value is spelled) is kept under the names of
/// keys.hpp. A graph that was only read is written back field by field as it was. Weights stay stretches of the file
/// until they are written: the file must not be replaced before.
namespace mo::tensorflow {

/// A GraphDef file, binary or text (its first bytes tell). Errors: those of open_message, MO-TF-0003 to MO-TF-0011,
/// MO-PB-*.
Expected<std::unique_ptr<Graph>> read_graph_def(const std::string& path, DiagnosticSink& sink);
Expected<std::unique_ptr<Graph>> read_graph_def_bytes(std::string_view bytes, DiagnosticSink& sink);
/// Error MO-TF-0002 with line and column for text that is none.
Expected<std::unique_ptr<Graph>> read_graph_def_text(const std::string& text, DiagnosticSink& sink);

/// Writes the graph as a GraphDef: nodes in id order, attributes by key; the same graph gives the same bytes. Errors:
/// MO-TF-0050 (an attribute that no GraphDef can hold), MO-TF-0051 (an input without a producer), MO-TF-0055 (a node is
/// read whose name no input can spell), MO-EMIT-0001, MO-IO-0003.
Expected<void> write_graph_def(const Graph& graph, OutputFile& file);
Expected<std::string> graph_def_bytes(const Graph& graph);
/// Protobuf text. In memory: for graphs that people read. Errors as above, MO-TF-0052 for a graph of more than 2 GB.
Expected<std::string> graph_def_text(const Graph& graph);

/// Forgets which versions of TensorFlow the graph is for: `versions` and its predecessor `version`.
void drop_versions(Graph& graph);

}  // namespace mo::tensorflow
