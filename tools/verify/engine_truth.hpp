#pragma once

#include "driver/options.hpp"
#include "tools/verify/engine.hpp"
#include "tools/verify/truth.hpp"

namespace mo::tools {

/// The model of `options` as a job for an engine that computes the source; without inputs. Error MO-VERIFY-0013: no
/// such model is computed by that engine, or the options ask for computations that only the IR has.
Expected<EngineJob> job_of_source(const Options& options, const EngineRequest& request);

/// Adds to `found` the constants that `options` made of inputs of the model, for an engine that still has them as
/// inputs. To be asked after each pass: what is folded away later is gone from the graph.
void find_frozen_inputs(const Graph& graph, const Options& options, std::vector<EngineTensor>& found);

/// Gives `job` the inputs of `graph`: those of its Parameters, and those that are frozen.
void give_inputs(EngineJob& job, const Graph& graph, const std::vector<Tensor>& inputs,
                 const std::vector<EngineTensor>& frozen = {});

/// The names by which an engine may know a tensor: those of the tensor, else that of its node, with the port where the
/// node has several.
std::vector<std::string> names_of(const Value& value);

/// The names by which an engine may know the outputs of a graph, and whatever is inside of it.
std::vector<std::string> output_names(const Graph& graph);
std::vector<std::string> inner_names(const Graph& graph);

/// What the engine computed, as tensors of `graph`. Outputs are found by name, else by order; the others by name.
Truth true_outputs(const EngineRun& run, const Graph& graph);
Truth true_tensors(const EngineRun& run, const Graph& graph);

/// The outputs of an IR that an engine has computed, in the order and with the ranks of `graph`. Error MO-VERIFY-0011:
/// some are not there.
Expected<std::vector<Tensor>> computed_outputs(const EngineRun& run, const Graph& graph, const std::string& engine);

}  // namespace mo::tools
