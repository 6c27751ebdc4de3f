#pragma once

#include "core/pass/pass_manager.hpp"
#include "driver/model_graph.hpp"

namespace mo::tools {

/// What replacers of plugins and of configurations do is left out of the truth, like all else that a conversion does to
/// a model; it is only kept where the model has no meaning without them.
enum class Replacers { left_out, kept };

/// The model as it computes in its framework: known ops, nothing fused, in its own layout; with the preprocessing that
/// the options ask for, which is part of what the IR is to compute. `read` is shown what was read, before the first
/// pass, and `changed` the graph after each pass that changed it.
Expected<ModelGraph> load_truth(const Options& options, Replacers replacers, DiagnosticSink& sink,
                                const std::function<void(Conversion&)>& read = {},
                                const std::function<void(const Graph&)>& changed = {});

/// Whether a pass runs on the way to `load_truth`. Extractors, translators and ops of plugins are not passes: they say
/// what a model means.
bool makes_truth(const Pass& pass, Replacers replacers);

/// Whether the options bring replacers.
bool has_replacers(const Options& options);

}  // namespace mo::tools
