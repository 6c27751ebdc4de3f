#pragma once

#include <span>
#include <string_view>

#include "core/graph/graph.hpp"

namespace mo::test {

/// A way in which models differ that mean the same: what a pass does to an example it should do to the example varied
/// so.
struct Variation {
  std::string_view name;
  /// says whether there was something to vary; the graph is to be inferred again
  bool (*apply)(Graph& graph);
};

std::span<const Variation> variations();

}  // namespace mo::test
