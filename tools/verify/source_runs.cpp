#include "tools/verify/source_runs.hpp"

#include <algorithm>

#include "tools/common/numbers.hpp"
#include "tools/verify/fused_fault.hpp"
#include "tools/verify/run_account.hpp"

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
  give_inputs(job_, graph_, inputs, frozen_);
  job_.tensors = output_names(graph_);
  MO_ASSIGN(const EngineRun run, engine_->run(job_));
  return true_outputs(run, graph_);
}

Expected<Truth> SourceRuns::tensors(const std::vector<Tensor>& inputs, const Graph& other) {
  if (engine_ == nullptr) return true_tensors(graph_, inputs, other, how_);
  give_inputs(job_, graph_, inputs, frozen_);
  job_.tensors = shared_names(graph_, other);
  MO_ASSIGN(const EngineRun run, engine_->run(job_));
  return true_tensors(run, graph_);
}

Expected<SourceRun> SourceRuns::run(const InputPlan& plan, unsigned seed, const UnknownSizes& sizes) {
  const AttributeValue* const symbols = graph_.properties.find("dim_params");
  const auto* const names = symbols ? symbols->get_if<std::vector<std::string>>() : nullptr;
  const std::vector<Shape> chosen =
      instantiated(sizes.as_needed ? plan.needed : plan.shapes, names ? *names : std::vector<std::string>(), sizes);
  const std::vector<Node> parameters = graph_.parameters();
  SourceRun run;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (!plan.shapes[i].is_static()) run.sizes.emplace_back(parameters[i].name(), chosen[i]);
  const auto done = fill(run, seed, chosen);
  if (!done) return with_sizes(done.error(), run.sizes);
  return run;
}

Expected<void> SourceRuns::fill(SourceRun& run, unsigned seed, const std::vector<Shape>& shapes) {
  const RunAccount account(budget_);
  MO_ASSIGN(run.inputs, random_inputs(graph_, seed, shapes));
  // Engines may take sizes that mean nothing, which our executor refuses; and it is ours that computes the IR.
  if (engine_ != nullptr && !run.sizes.empty()) MO_TRY(true_outputs(graph_, run.inputs, how_));
  MO_ASSIGN(run.outputs, outputs(run.inputs));
  return {};
}

Error with_sizes(const Error& problem, const ChosenSizes& sizes) {
  std::vector<Diagnostic> items = problem.items();
  if (!sizes.empty())
    items.front().add_note(
        fmt::format("with sizes that were chosen for this check: {}; --input_shape gives others", to_string(sizes)));
  return Error(std::move(items));
}

Expected<EngineCheck> check_in_engine(Engine& engine, EngineJob job, const Graph& graph,
                                      const std::vector<Tensor>& inputs, const Truth& outputs,
                                      const Tolerances& tolerances, const ExecutorOptions& how,
                                      const std::function<Expected<Check>(const Graph&)>& own) {
  give_inputs(job, graph, inputs);
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
  const Truth tensors = true_tensors(inside, graph);
  MO_ASSIGN(const std::vector<Tensor> shown, computed_outputs(inside, graph, engine.title()));
  MO_ASSIGN(const Check unfused, compare_outputs(graph, shown, outputs, tolerances));
  if (unfused.verdict == Verdict::different) {
    MO_TRY(find_layer(graph, inputs, tensors, tolerances, how, made.check));
    if (made.check.layer) present_as_of_engine(*made.check.layer);
    return made;
  }
  const auto wrong = std::find_if(made.check.outputs.begin(), made.check.outputs.end(),
                                  [](const OutputCheck& output) { return output.compared && !output.close; });
  const Node result = graph.results()[static_cast<std::size_t>(wrong - made.check.outputs.begin())];
  MO_ASSIGN(made.check.layer, find_fused_fault(engine, job, graph, tensors, result.input(0), tolerances.of(graph)));
  return made;
}

}  // namespace mo::tools
