#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {

/// A pattern of nodes by their ops, as a tree: {"Conv2D|MatMul", {{"*"}, {"Const"}}}.
///
/// `op` is "*" (any), the name of an op, or several of them between '|'. Without `inputs`, those of the node are not
/// looked at; with them, the node has exactly that many tensor inputs, each of which matches. Control inputs and
/// numbers of ports do not count.
struct OpTypePattern {
  std::string op;
  std::vector<OpTypePattern> inputs;
};

/// What a pattern was found to be: the node, and matches of the inputs that the pattern lists.
struct NodeMatch {
  Node node;
  std::vector<NodeMatch> inputs;
};

/// The nodes of a match, each once, breadth first from its head.
std::vector<Node> matched_nodes(const NodeMatch& match);

/// All matches, heads in order of execution. No node takes part in two of them, not even one that a "*" stands for:
/// matches that come later leave out what is taken. O(size of the graph · size of the pattern).
std::vector<NodeMatch> find_matches(const Graph& graph, const OpTypePattern& pattern);

struct ReplaceOptions {
  /// Also matches with inner nodes that are read outside of the match, or are outputs of the model; the callback takes
  /// care of them.
  bool allow_inconsistencies = false;
};

/// Changes the graph around one match, or leaves it alone; says whether it did.
using ReplaceFunc = std::function<Expected<bool>(const NodeMatch& match, GraphEditor& editor)>;

/// Calls `replace` for the matches of a pattern in the order of the file. A match is skipped when one of the nodes that
/// its pattern names by op, but the head and constants, is read outside of the match or is an output of the model: what
/// replaces it would take that away. Afterwards matched nodes without readers are erased. Gives the number of matches
/// that were changed.
Expected<std::size_t> replace_matching_op_types(GraphEditor& editor, const OpTypePattern& pattern,
                                                const ReplaceFunc& replace, const ReplaceOptions& options = {});
/// The same again and again until nothing matches any more: matches overlap where branches share an input.
Expected<std::size_t> replace_all_matching_op_types(GraphEditor& editor, const OpTypePattern& pattern,
                                                    const ReplaceFunc& replace, const ReplaceOptions& options = {});

}  // namespace mo::graph_transforms
