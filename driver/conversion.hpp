#pragma once

#include <functional>
#include <memory>
#include <string>

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
  std::string text = {};  ///< of Report
  /// the phase back, which prepares a version of the IR, is left out
  bool to_onnx = false;
};

/// Observes a conversion, for callers that need more than its result. What is not set is not called and costs nothing.
struct ConversionWatch {
  /// The model was read, and no pass has changed the graph yet. May set the hooks of the manager; those that are set
  /// already must be called by them.
  std::function<void(Conversion&)> read = {};
  /// The graph before each phase, also when a later one fails.
  std::function<void(Phase, Conversion&)> before_phase = {};
  /// The graph as it will be written.
  std::function<void(Conversion&)> before_writing = {};
  /// Where the bytes of a constant lie in the .bin; equal constants share their place. In the order of the layers,
  /// bodies after the graph that holds them.
  std::function<void(const Node& constant, std::uint64_t offset, std::uint64_t bytes)> constant_written = {};
  /// The files are there, and the graph still is.
  std::function<void(Conversion&)> written = {};
};

/// Assembles what the model of `options` needs, and reads the model; nothing has changed the graph yet. `meter`
/// outlives the conversion. `only_runs`: the passes are not looked into. Errors: of plugins, options, the reader.
Expected<Conversion> begin_conversion(const Options& options, WorkMeter& meter, DiagnosticSink& sink,
                                      bool only_runs = false);

/// Goes on with a conversion that was left in between: `parse` gives the graph, made of the ops that it is told. The
/// options are those of the conversion, but for the model. Errors: of plugins, options, `parse`.
Expected<Conversion> resume_conversion(
    const Options& options, const std::string& framework,
    const std::function<Expected<std::unique_ptr<Graph>>(const OpRegistry& ops)>& parse, DiagnosticSink& sink);

/// Keeps a conversion until the process ends, and does not take it apart then: for programs that are about to end.
void leave(Conversion conversion);

/// Runs the phases up to `last`. Errors: of the passes.
Expected<void> run_phases(Conversion& conversion, Phase last, DiagnosticSink& sink, const ConversionWatch& watch = {});

}  // namespace mo
