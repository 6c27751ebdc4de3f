#pragma once

#include "extensions/config/descriptor.hpp"
#include "extensions/config/sub_graph_match.hpp"

namespace mo::config {

/// What one graph holds of a descriptor.
struct FoundMatches {
  std::vector<SubgraphMatch> matches;
  /// Why instances were not found, in words: "there is no node 'a/b' (did you mean …?)".
  std::vector<std::string> misses;
};

/// All sub-graphs that a descriptor of kind scope or points means. Errors: MO-CONFIG-0020 (a pattern fits several
/// nodes), MO-CONFIG-0021 (an end point cannot be reached), MO-CONFIG-0022 (an input of the model lies inside),
/// MO-CONFIG-0013 (a node has no such port).
Expected<FoundMatches> find_matches(const Descriptor& descriptor, Graph& graph);

/// The regular expression of a node inside of a scope; just `pattern` when there is no scope.
std::string pattern_in_scope(const std::string& scope, const std::string& pattern);
Expected<std::vector<Node>> nodes_that_match(const std::vector<Node>& nodes, const std::string& pattern);
Diagnostic several_match(const std::string& pattern, const std::vector<Node>& found);

/// Nodes between the points: from the start forward up to the end points, and from everything that is not a start
/// backward. Results are excluded. Errors as find_matches.
Expected<std::vector<Node>> nodes_between(const std::vector<Node>& start, const std::vector<Node>& end);

/// Whether the nodes hang together.
bool is_connected(const std::vector<Node>& nodes);

/// Where tensors enter and leave a set of nodes: one list of places for each tensor from outside, and each tensor that
/// is read outside or has no readers. By names, then ports. Constants outside count as well.
struct Boundary {
  std::vector<std::vector<NodePort>> inputs;
  std::vector<NodePort> outputs;
};
Boundary boundary_of(const std::vector<Node>& nodes);

}  // namespace mo::config
