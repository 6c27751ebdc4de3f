#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// How a picture of a graph looks. The defaults and the meanings are those of nGraph's VisualizeTree and its
/// environment variables.
struct VisualizeOptions {
  bool shapes = false;        ///< VISUALIZE_TREE_OUTPUT_SHAPES: "[1,3,?]" of each output
  bool types = false;         ///< VISUALIZE_TREE_OUTPUT_TYPES: "{f32}" before it
  bool ports = false;         ///< VISUALIZE_TREE_IO: a line for each input and output
  bool member_names = false;  ///< VISUALIZE_TREE_MEMBERS_NAME: "friendly_name: …", "name: …", "type_name: …"
  bool runtime_info = false;  ///< VISUALIZE_TREE_RUNTIME_INFO
  std::size_t constant_elements = 7;  ///< VISUALIZE_TREE_CONST_MAX_ELEMENTS
  bool min_max_denormal = false;      ///< VISUALIZE_TREE_MIN_MAX_DENORMAL
  bool edge_labels = false;           ///< VISUALIZE_TREE_EDGE_LABELS: " 0 -> <input> "
  bool edge_jumps = false;            ///< VISUALIZE_TREE_EDGE_JUMP_DISTANCE: "jump=<distance>", without edge_labels
  std::size_t longest_edge = 20;      ///< longer ones are cut into a pair of Send and Receive
  /// For people instead of nGraph's look: rounded boxes of op, name and the outputs that are read, a box for each
  /// Parameter (nGraph repeats it for each reader), no Send and Receive; ops that read each other stand below each
  /// other, constants beside them (nGraph leaves the places to Graphviz).
  bool compact = false;
  bool constants = true;    ///< also Const nodes; without them, `around` does not go through one to its other readers
  bool origin_ops = false;  ///< compact: ops by the names of the framework that the nodes come from
  bool bodies = false;      ///< graphs inside of nodes as clusters (nGraph leaves them out)
  /// Only nodes whose name is in this list, and those at most `neighbours` edges away. Empty: all.
  std::vector<std::string> around;
  std::size_t neighbours = 2;
  std::size_t most_nodes = 0;  ///< 0: any number; otherwise the so many that are nearest to the outputs
  /// May add attributes of the dot language to a node: `style=filled`, `fillcolor=…`.
  std::function<void(const Node&, std::vector<std::string>& attributes)> modify;
  /// Text after the label of nodes of some types.
  std::map<std::string, std::function<std::string(const Node&)>, std::less<>> details;
};

/// The graph in the dot language of Graphviz.
std::string visualize_tree(const Graph& graph, const VisualizeOptions& options = {});

}  // namespace mo
