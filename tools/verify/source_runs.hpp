#pragma once

#include <functional>

#include "tools/verify/check.hpp"
#include "tools/verify/engine_truth.hpp"
#include "tools/verify/inputs.hpp"
#include "tools/verify/sizes.hpp"

namespace mo::tools {

/// One run of the source.
struct SourceRun {
  ChosenSizes sizes;  ///< empty: all were known
  std::vector<Tensor> inputs;
  Truth outputs;
};

/// What computes the source: our executor, or an engine.
class SourceRuns {
 public:
  /// `engine` may be null; what is referred to must outlive the object. `frozen`: inputs of `job` that are constants of
  /// `graph`.
  SourceRuns(const Graph& graph, const BudgetOptions& budget, const ExecutorOptions& how, Engine* engine, EngineJob job,
             std::vector<EngineTensor> frozen)
      : graph_(graph), budget_(budget), how_(how), engine_(engine), job_(std::move(job)), frozen_(std::move(frozen)) {}

  /// Random inputs of these shapes, with sizes in place of what is unknown, and what the source computes of them.
  /// Errors as of `outputs`, with the sizes.
  Expected<SourceRun> run(const InputPlan& plan, unsigned seed, const UnknownSizes& sizes);
  /// Errors: of the execution, or of the engine.
  Expected<Truth> outputs(const std::vector<Tensor>& inputs);
  /// What is inside, as far as `other` has tensors of the same name.
  Expected<Truth> tensors(const std::vector<Tensor>& inputs, const Graph& other);

  /// Whether other inputs may do better after an error: not when the engine has ended.
  bool may_go_on() const { return engine_ == nullptr || engine_->is_running(); }

 private:
  Expected<void> fill(SourceRun& run, unsigned seed, const std::vector<Shape>& shapes);

  const Graph& graph_;
  const BudgetOptions& budget_;
  const ExecutorOptions& how_;
  Engine* engine_;
  EngineJob job_;
  std::vector<EngineTensor> frozen_;
};

/// `problem` with the sizes that it came with.
Error with_sizes(const Error& problem, const ChosenSizes& sizes);

/// What came of an IR in an engine.
struct EngineCheck {
  Check check;
  bool only_engine_differs = false;  ///< our executor computes the IR as the model
};

/// Compares what the engine computes of the IR of `job` with `outputs`. Where that differs, `own`, a check in our
/// executor, tells whose doing it is: it differs as well (the conversion's), or each layer is compared with that of the
/// engine. Errors: of both.
Expected<EngineCheck> check_in_engine(Engine& engine, EngineJob job, const Graph& graph,
                                      const std::vector<Tensor>& inputs, const Truth& outputs,
                                      const Tolerances& tolerances, const ExecutorOptions& how,
                                      const std::function<Expected<Check>(const Graph&)>& own);

}  // namespace mo::tools
