#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph_transforms/engine/editor.hpp"

/// Helpers of the original tool for its authors, in terms of nodes and edges.
namespace mo::graph_transforms {

/// Nodes by name; of several with one name the last. MapNamesToNodes.
std::map<std::string, Node, std::less<>> map_names_to_nodes(const Graph& graph);

/// Maps each node name to the nodes that read a tensor of it or wait for it, in the order of the graph, once for each
/// edge. MapNodesToOutputs.
std::map<std::string, std::vector<Node>, std::less<>> map_nodes_to_outputs(const Graph& graph);

/// Erases all nodes that `keeps` rejects. Their readers read nothing then, which the engine reports after the
/// transform. FilterGraphDef.
void filter_graph(Graph& graph, const std::function<bool(const Node&)>& keeps);

/// Takes the attributes of these names from all nodes. RemoveAttributes.
void remove_attributes(Graph& graph, const std::vector<std::string>& names);

/// References to change in the inputs of nodes: "x" (its output 0), "x:1", "^x" (waiting for x) or "x:*" (all of these,
/// which keep their output) -> what is read instead. The names of nodes do not change.
using InputRenames = std::map<std::string, std::string, std::less<>>;

/// Replaces references again and again until none is to be replaced; nodes of `ignored` keep theirs. RenameNodeInputs.
/// Errors: MO-GTT-0053 (the renames go round in a circle, a new name is that of no node, or a tensor would become
/// something to wait for).
Expected<void> rename_node_inputs(GraphEditor& editor, const InputRenames& renames,
                                  const std::set<std::string, std::less<>>& ignored = {});

}  // namespace mo::graph_transforms
