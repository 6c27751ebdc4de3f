#pragma once

#include "graph_transforms/engine/matching.hpp"

namespace mo::graph_transforms {

/// Two Requantize with a Dequantize and a QuantizeV2 between them, the second to a trained range -> one Requantize from
/// the 32-bit numbers to that range.
Expected<void> merge_adjacent_requantizations(GraphEditor& editor);

/// QuantizeV2(Dequantize(q, min, max), Min(…), Max(…)) of the same tensor -> q, min, max.
Expected<void> remove_redundant_quantizations(GraphEditor& editor);

}  // namespace mo::graph_transforms
