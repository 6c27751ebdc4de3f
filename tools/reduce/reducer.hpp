#pragma once

#include <functional>
#include <map>
#include <string>

#include "tools/reduce/model_form.hpp"

namespace mo::tools {

/// Whether a model still shows what is looked for.
using HoldsTest = std::function<Expected<bool>(const Graph& graph)>;

/// What became of a model.
struct Reduction {
  std::unique_ptr<Graph> graph;
  std::size_t tests = 0;
  std::size_t constants_kept = 0;  ///< constants whose values could not be replaced by noise
  bool names_kept = false;         ///< some names of the original are needed
  bool ended_early = false;        ///< it may become smaller with more tests
};

struct ReduceLimits {
  std::size_t tests = 2000;
  /// is asked before each test: whether to end with what there is; none: never
  std::function<bool()> over = {};
  unsigned seed = 1;
};

/// Makes a model smaller as long as `test` holds: fewer nodes (cut off at the end, at the start and in the middle, by
/// delta debugging), then no attributes that are not needed, small inputs, noise instead of weights, and meaningless
/// names. `types`: of tensors, by their names and those of their nodes, for the inputs that stand in for what was cut.
/// `model` itself holds, which the caller has seen. Errors: of `test`.
Expected<Reduction> reduce_model(const Graph& model, const ModelForm& form,
                                 const std::map<std::string, TensorType>& types, const HoldsTest& test,
                                 const ReduceLimits& limits);

}  // namespace mo::tools
