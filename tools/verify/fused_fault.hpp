#pragma once

#include <optional>

#include "tools/verify/check.hpp"
#include "tools/verify/engine_truth.hpp"

namespace mo::tools {

/// Finds the layer from which on an engine computes an IR differently where asking for all tensors hides it: what must
/// be given out is not fused. Asks for one tensor at a time, so that everything before it stays fused: by bisection
/// over what leads to `output`, then against the edges. `right` are the tensors of the run that showed all of them.
/// Nothing when it does not show then either. Errors: of the engine.
Expected<std::optional<LayerCheck>> find_fused_fault(Engine& engine, EngineJob job, const Graph& graph,
                                                     const Truth& right, const Value& output,
                                                     const Closeness& closeness);

}  // namespace mo::tools
