#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace mo::transformations {

/// The readers of `value` that need its elements: no ShapeOf, which a runtime computes of the shape alone.
inline std::vector<InPort> readers_of_elements(const Value& value) {
  std::vector<InPort> readers = value.get_destinations();
  std::erase_if(readers, [](const InPort& reader) { return reader.node().op_type().traits.shape_of; });
  return readers;
}

}  // namespace mo::transformations
