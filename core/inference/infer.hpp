#pragma once

#include "core/graph/graph.hpp"

namespace mo {

/// Values of at most this many bytes are computed while inferring; larger ones are left to folding, which makes recipes
/// of them.
inline constexpr std::uint64_t kSmallValueBytes = std::uint64_t{64} * 1024;

/// Infers one node from what is known of its inputs: sets types and known values of its output ports, bodies included.
/// Unknown dimensions of the outputs get symbols, so that later shape computations recognise them. Ops without a struct
/// keep the types they have. `bodies`: how graphs that the node owns are inferred; as they are without one. Errors:
/// those of the op, with the node filled in.
Expected<void> infer_node(const Node& node, BodyInference* bodies = nullptr);

/// Whether inference leaves the outputs of the node as its creator set them: an op without a struct, or one that
/// refuses an element type that mo knows by name only.
bool keeps_declared_types(const Node& node);

/// What is known of the Results of a graph whose Parameters have these facts, in order; all facts lie beside the graph,
/// which does not change: several threads may ask at once. Errors as infer_node, MO-GRAPH-0010.
Expected<std::vector<TensorFact>> infer_beside(const Graph& graph, const std::vector<TensorFact>& inputs);
/// Infers bodies so: for execution, and for code that does not change the graph.
BodyInference& bodies_beside();

/// Infers the nodes again whose inputs were changed through ports and connections (`Graph::take_edited`), and what
/// depends on them as far as types or values change. The engine calls it after every pass. Errors as infer_node. O(1)
/// when nothing was edited, else O(nodes).
Expected<void> infer_edited(Graph& graph);

/// Infers all nodes in topological order. Errors: of the first node that fails; MO-GRAPH-0010 for a cycle.
Expected<void> infer_graph(Graph& graph);

}  // namespace mo
