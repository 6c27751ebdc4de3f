#pragma once

#include "core/pass/pass_manager.hpp"
#include "driver/model_graph.hpp"

namespace mo::tools {

/// The model as it computes in its framework: known ops, nothing fused, in its own layout; with the preprocessing that the options ask for, which is
/// part of what the IR is to compute. `read` is shown what was read, before the first pass, and `changed` the graph after each pass that changed it.
Expected<ModelGraph> load_truth(const Options& options, DiagnosticSink& sink, const std::function<void(Conversion&)>& read = {},
                                const std::function<void(const Graph&)>& changed = {});

/// Whether a pass runs on the way to `load_truth`.
bool makes_truth(const Pass& pass);

}  // namespace mo::tools
