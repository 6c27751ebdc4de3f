#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/files/output_file.hpp"
#include "core/graph/graph.hpp"

/// SavedModels whose graph is rewritten. The graph is that of one MetaGraph, as a GraphDef's (graph_def.hpp); all else
/// that saved_model.pb says is kept in its properties and written back. Variables and assets are files of their own,
/// which this does not touch.
namespace mo::tensorflow {

/// `tags`: those of the MetaGraph; none: the only one, or the one for serving. Errors: those of read_model for a
/// SavedModel.
Expected<std::unique_ptr<Graph>> read_saved_model_graph(const std::string& directory,
                                                        const std::vector<std::string>& tags, DiagnosticSink& sink);
/// Whether the graph is that of a SavedModel.
bool is_of_saved_model(const Graph& graph);

/// Writes saved_model.pb. Errors: MO-TF-0053 (the graph has not what a signature names any more, or what loading runs),
/// those of write_graph_def.
Expected<void> write_saved_model(const Graph& graph, OutputFile& file);
/// As saved_model.pbtxt. Error MO-TF-0052 for more than 2 GB.
Expected<std::string> saved_model_text(const Graph& graph);

/// Tensors that signatures feed and fetch: "x" for output 0 of a node, "x:1". Each once.
std::vector<std::string> signature_inputs(const Graph& graph);
std::vector<std::string> signature_outputs(const Graph& graph);
/// Nodes that run when the model is loaded, as far as the graph has them: they restore variables, make tables, name
/// assets.
std::vector<std::string> loading_nodes(const Graph& graph);

/// The graph as it is read for a conversion, with its variables: what read_graph_bytes says of a GraphDef.
Expected<std::unique_ptr<Graph>> linked_saved_model(const Graph& graph, const std::vector<Value>& outputs,
                                                    DiagnosticSink& sink);

}  // namespace mo::tensorflow
