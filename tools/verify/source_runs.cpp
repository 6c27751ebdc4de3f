#include "tools/verify/source_runs.hpp"

namespace mo::tools {
namespace {

/// The tensors of the engine stood as the true ones while the layer was searched.
void present_as_of_engine(LayerCheck& layer) {
  std::swap(layer.difference.actual, layer.difference.expected);
  layer.source_node.clear();
  layer.source_op.clear();
  layer.sources.clear();
}

}  // namespace

Expected<Truth> SourceRuns::outputs(const std::vector<Tensor>& inputs) {
  if (engine_ == nullptr) return true_outputs(graph_, inputs, how_);
  give_inputs(job_, graph_, inputs, options_);
  job_.tensors = output_names(graph_);
  MO_ASSIGN(const EngineRun run, engine_->run(job_));
  return true_outputs(run, graph_);
}

Expected<Truth> SourceRuns::tensors(const std::vector<Tensor>& inputs, const Graph& other) {
  if (engine_ == nullptr) return true_tensors(graph_, inputs, other, how_);
  give_inputs(job_, graph_, inputs, options_);
  job_.tensors = shared_names(graph_, other);
  MO_ASSIGN(const EngineRun run, engine_->run(job_));
  return true_tensors(run, graph_);
}

Expected<EngineCheck> check_in_engine(Engine& engine, EngineJob job, const Graph& graph, const std::vector<Tensor>& inputs, const Truth& outputs,
                                      const Tolerances& tolerances, const ExecutorOptions& how,
                                      const std::function<Expected<Check>(const Graph&)>& own) {
  give_inputs(job, graph, inputs, {});
  MO_ASSIGN(const EngineRun run, engine.run(job));
  MO_ASSIGN(const std::vector<Tensor> computed, computed_outputs(run, graph, engine.title()));
  EngineCheck made;
  MO_ASSIGN(made.check, compare_outputs(graph, computed, outputs, tolerances));
  if (made.check.verdict != Verdict::different) return made;
  MO_ASSIGN(Check ours, own(graph));
  if (ours.verdict == Verdict::different) {
    made.check.layer = std::move(ours.layer);
    made.check.compared = ours.compared;
    return made;
  }
  made.only_engine_differs = true;
  job.tensors = inner_names(graph);
  MO_ASSIGN(const EngineRun inside, engine.run(job));
  MO_TRY(find_layer(graph, inputs, true_tensors(inside, graph), tolerances, how, made.check));
  if (made.check.layer) present_as_of_engine(*made.check.layer);
  return made;
}

}  // namespace mo::tools
