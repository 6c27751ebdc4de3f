#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// What becomes of a body whose nodes are put into another graph: it stays as it is, or it is used up, which saves
/// copying the ops and the graphs that they own.
enum class BodyFate : std::uint8_t { kept, used_up };

/// The nodes of a body in another graph.
struct InlinedBody {
  std::vector<Node> nodes;     ///< in topological order
  std::vector<Value> results;  ///< what the Results read, in their order
};

/// Puts what the Results of `body` need, and what has state, into `graph`, with `arguments` in place of its Parameters.
/// Names, origins, sources, tensor names, runtime information and control edges among these nodes go along; nothing is
/// inferred. Errors: MO-GRAPH-0010 (a cycle), MO-GRAPH-0014 (another number of arguments than Parameters, a Result or
/// an argument that is not connected).
Expected<InlinedBody> put_inline(Graph& body, Graph& graph, const std::vector<Value>& arguments, BodyFate fate);

}  // namespace mo
