#pragma once

#include <functional>
#include <memory>

#include "core/graph/graph.hpp"
#include "core/pass/pass_manager.hpp"
#include "driver/assembly.hpp"
#include "driver/options.hpp"

namespace mo {

class WorkMeter;

/// A conversion between the model file and the IR: what it works with, and the graph on its way.
struct Conversion {
  std::unique_ptr<Assembly> assembly;  ///< outlives the graph
  std::unique_ptr<PassManager> manager;
  Settings settings;
  std::unique_ptr<Graph> graph;
};

/// Assembles what the model of `options` needs, and reads the model; nothing has changed the graph yet. `meter` outlives the conversion. Errors: of
/// plugins, options, the reader.
Expected<Conversion> begin_conversion(const Options& options, WorkMeter& meter, DiagnosticSink& sink);

/// Runs the phases up to `last`; `before_phase` is called before each. Errors: of the passes.
Expected<void> run_phases(Conversion& conversion, Phase last, DiagnosticSink& sink, const std::function<void(Phase)>& before_phase = {});

}  // namespace mo
