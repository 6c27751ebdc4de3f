#pragma once

#include "core/graph/graph.hpp"
#include "transformations/support/computed_values.hpp"

namespace mo::transformations {

/// Whether something else may read the values inside of a chain: then no kernel computes it as a whole.
enum class ChainReaders { one, any };

/// Whether the value comes from a node that `is_origin` finds, through elementwise ops or directly: at most as many as
/// one kernel of a runtime computes together. Of several computed inputs of an op, the first one counts.
template <class IsOrigin>
bool comes_through_elementwise(Value value, ChainReaders readers, const IsOrigin& is_origin) {
  constexpr int kLongestChain = 32;
  for (int i = 0; i <= kLongestChain && value; ++i) {
    const Node node = value.node();
    if (readers == ChainReaders::one && value.get_destinations().size() != 1) return false;
    if (is_origin(node)) return true;
    if (!node.op_type().traits.elementwise) return false;
    value = {};
    for (std::size_t k = 0; k < node.in_port_count() && !value; ++k)
      if (is_computed(node.input(k))) value = node.input(k);
  }
  return false;
}

}  // namespace mo::transformations
