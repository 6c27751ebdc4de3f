#pragma once

#include <map>

#include "core/graph/graph.hpp"
#include "phases/middle/layout/labels.hpp"

namespace mo::phases::layout {

/// Which labels the inputs and outputs of a graph have.
enum class Interface {
  original,        ///< as the model has them: IR v11, and the bodies of sub-graph ops
  channels_first,  ///< images (rank 4 and 5) are channels-first: IR v10
};

/// Whether only channels-last ops are made channels-first, or everything that is cheaper that way.
enum class Extent { region, op_by_op };

/// How a node takes part.
struct Group {
  enum Role : std::uint8_t {
    none,       ///< everything that it reads and makes is original
    labelled,   ///< its ports of `rank` share the label of `vertex`
    transpose,  ///< input: label of `vertex`, output: label of `output_vertex`
    bracketed,  ///< a channels-last op of a rank that has no labels: gets Transposes of its own
  } role = none;
  std::uint8_t rank = 0;
  LabelProblem::Vertex vertex = LabelProblem::kOriginal;
  LabelProblem::Vertex output_vertex = LabelProblem::kOriginal;
};

/// What a graph asks for, as a problem about labels, and the answer.
struct Plan {
  std::vector<Group> groups;  ///< by node id
  LabelProblem problem;
  std::vector<Label> labels;  ///< by vertex
  /// Parameters and Results of rank 4 and 5 that are images: what IR v10 makes channels-first, unless their layout was
  /// chosen. In id order.
  std::vector<Node> images;

  const Group& group(const Node& node) const { return groups[node.id().index]; }
  /// The vertex that decides the label of a tensor; kOriginal for all ranks but 4 and 5.
  LabelProblem::Vertex vertex_of(const Value& value) const;
  Label label_of(const Value& value) const { return labels[vertex_of(value)]; }
};

/// 4 or 5: the ranks that have labels.
bool has_labels(const Value& value);
/// What moving the channels of a tensor costs: its elements; next to nothing when only dimensions of size 1 are passed.
std::uint64_t transpose_cost(const PartialShape& shape);

/// Whether runtimes of this IR version compute `node`, of rank 4 or 5, only when it is channels-first, and it is not:
/// LayoutRule::asks_up_to.
bool asks_for_channels_first(const Node& node, int ir_version);

/// Puts the nodes of a graph (not of its bodies) into groups and finds the labels. Error MO-LAYOUT-0001 for a
/// channels-last op whose rank is not known.
Expected<Plan> make_plan(const Graph& graph, Interface interface, Extent extent, int ir_version);

}  // namespace mo::phases::layout
