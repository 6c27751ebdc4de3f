#pragma once

#include <string>

namespace mo {

class Graph;

/// How a graph is printed. The defaults give the canonical text that tests compare.
struct TextOptions {
  bool types = false;           ///< `: f32[1,3]` after every statement
  bool names = true;            ///< friendly names and tensor names
  bool runtime_info = true;     ///< runtime attributes; layouts that follow from the model are left out
  bool elide_constants = true;  ///< constants of more than 16 elements as `elided(…)`
  /// Everything that the graph holds, with origins, types, all bytes of constants and the order in which nodes were
  /// made: a pass does the same to the graph that `parse_graph` makes of it. The other options have no effect.
  bool complete = false;
};

/// The text form of a graph (docs/text_form.md). Values are renumbered, so equal graphs print equally.
std::string to_text(const Graph& graph, const TextOptions& options = {});

}  // namespace mo
