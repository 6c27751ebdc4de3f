#pragma once

#include <algorithm>
#include <vector>

#include "core/graph/graph.hpp"
#include "ops/if.hpp"

namespace mo::transformations {

/// The Result of a branch of an If that becomes `output` and no other one; empty when there is none.
inline Node result_of(const Graph& body, const std::vector<ops::OutputMap>& maps, std::size_t output) {
  const auto found = std::find_if(maps.begin(), maps.end(),
                                  [&](const auto& map) { return map.output == static_cast<std::int64_t>(output); });
  if (found == maps.end()) return {};
  const auto outputs =
      std::count_if(maps.begin(), maps.end(), [&](const auto& map) { return map.result == found->result; });
  return outputs == 1 ? body.results()[static_cast<std::size_t>(found->result)] : Node();
}

}  // namespace mo::transformations
