#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// A place where a part begins that the model computes before it.
struct CutInput {
  std::string name;       ///< as --input takes it
  std::string parameter;  ///< what the cut calls the new input
  TensorType type;        ///< as far as it is known
};

/// A part of a model.
struct Part {
  std::vector<CutInput> inputs;         ///< new ones; none: it begins where the model does
  std::vector<std::string> own_inputs;  ///< inputs of the model that it needs
  std::vector<std::string> outputs;     ///< as --output takes them
  std::size_t ops = 0;                  ///< constants not counted
};

/// Parts of the graph that need no op of `refused` (names of nodes, also inside of bodies), the largest first: what is
/// connected without them, with new inputs after them, and what lies before all of them. Parts with very many ends are
/// left out: feeding them is impractical.
std::vector<Part> parts_without(const Graph& graph, const std::vector<std::string>& refused);

}  // namespace mo::tools
