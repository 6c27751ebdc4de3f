#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/comparison/closeness.hpp"
#include "core/comparison/graph_matching.hpp"

namespace mo {

enum class ChangeKind : std::uint8_t {
  removed,
  added,
  op,         ///< another op, or another class of it
  name,       ///< another name, of the node or of a tensor
  attribute,  ///< also runtime attributes
  input,      ///< another source; also nodes that must run before
  type,       ///< element type or shape of an output
  value,      ///< elements of a constant
  order,      ///< of inputs or outputs of the model
  property,   ///< of the model: producer, versions, metadata
};

std::string_view to_string(ChangeKind kind);

/// One difference between two graphs.
struct GraphChange {
  ChangeKind kind = ChangeKind::attribute;
  Node before;         ///< none: added, or about the model
  Node after;          ///< none: removed, or about the model
  std::string inside;  ///< the way to the body: "Loop 'l', body 0"; empty for the outermost graph
  std::string what;    ///< "pads", "input 0", "output 1"; may be empty
  std::string from;    ///< as text; empty: there was none
  std::string to;
  std::optional<TensorDifference> elements;  ///< of a value of the same type

  /// "Conv 'c': attribute pads: [0, 0] -> [1, 1]".
  std::string to_string() const;
};

struct ChangeOptions {
  bool names = true;  ///< otherwise nodes are found by structure, and other names, also of what was fused, do not count
  bool order = true;  ///< of inputs and outputs of the model
  bool constants = true;   ///< elements
  bool properties = true;  ///< of the model
};

/// All differences, those of single nodes in the order of `before`, then those that were added. Nodes are paired as
/// match_graphs does, bodies by their order; unread control inputs count as inputs do. Errors: of reading weights.
Expected<std::vector<GraphChange>> changes_between(const Graph& before, const Graph& after,
                                                   const ChangeOptions& options = {});

}  // namespace mo
