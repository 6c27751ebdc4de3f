#pragma once

#include <string>

#include "core/graph/graph.hpp"
#include "core/op/carried_op.hpp"

namespace mo {

/// Whether the op of the node is known by name only and carried through an IR.
inline bool is_carried(const Node& node) {
  return node.op_type().dynamic && node.attr<std::string>(kCarriedVersion).has_value();
}

/// Whether outputs of the node may have no element type: those of a carried op are what its file says, and what reads
/// them follows.
inline bool may_lack_types(const Node& node) {
  if (is_carried(node)) return true;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && source.type().element_type == ElementType::dynamic) return true;
  return false;
}

}  // namespace mo
