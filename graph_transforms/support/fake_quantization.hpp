#pragma once

#include "graph_transforms/engine/matching.hpp"

namespace mo::graph_transforms {

/// f(g(x)) -> FakeQuant after x instead of after f, for operators that keep or narrow the range of what they read: then
/// the layer that makes x, and not the pooling after it, is quantised with the trained range.
Expected<void> hoist_fake_quantizations(GraphEditor& editor);

/// FakeQuantWithMinMaxVars(x, min, max) with constant ends -> Dequantize(Requantize(QuantizeV2(x, min, max), min,
/// max)).
Expected<void> convert_fake_quantizations(GraphEditor& editor);

}  // namespace mo::graph_transforms
