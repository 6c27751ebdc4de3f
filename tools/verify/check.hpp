#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/comparison/closeness.hpp"
#include "tools/verify/truth.hpp"

namespace mo::tools {

/// How close numbers must be, by what they were computed with, and whether outputs may have their channels elsewhere
/// than the source's.
struct Tolerances {
  ClosenessByType numbers = closeness::kConverted;
  bool outputs_may_move = true;  ///< IR version 10 has channels in front, and other models their own order
  /// Of a model that has constants or computes tensors of f16 or bf16, that for half the digits.
  const Closeness& of(const Graph& graph) const;
};

/// One output of a model that was checked.
struct OutputCheck {
  std::string name;
  std::string source_node;  ///< that makes it in the source, and its op; empty when unknown
  std::string source_op;
  bool compared = false;  ///< there is a true value for it
  bool close = false;
  std::string moved;  ///< channels stand elsewhere than in the source: "f32[1,2,8,8] instead of f32[1,8,8,2]"
  TensorDifference difference;
};

/// A tensor of the checked model that has another value than it should although what it is computed from is right.
struct LayerCheck {
  std::string layer;   ///< node of the checked model
  std::string type;    ///< its op
  std::string tensor;  ///< name that both models have
  std::string source_node;
  std::string source_op;
  /// nodes of the source: those that the layer stands for, and those after what is right there
  std::vector<std::string> sources;
  std::vector<std::string>
      /// layers between it and the tensors that are right, itself included: one of them, or one that is missing, is
      /// wrong
      region;
  std::vector<std::string> right_inputs;  ///< layers and inputs that those tensors come from
  TensorDifference difference;
};

enum class Verdict {
  equal,
  /// equal but for what rounding decides: each layer computes the same from the same inputs, but one that jumps (Round,
  /// TopK …) got inputs
  unstable,
  ///< that differ in the last digits
  different,
};

/// What became of one comparison.
struct Check {
  Verdict verdict = Verdict::equal;
  std::vector<OutputCheck> outputs;
  /// the first one that differs (different), or the one that jumps (unstable)
  std::optional<LayerCheck> layer;
  std::size_t compared = 0;  ///< tensors inside that both models name, when they were looked at
};

/// Compares the outputs of `graph` with their true values. Outputs without a name in common belong together by their
/// order. Errors: of the execution, MO-VERIFY-0004 (no output has a true value).
Expected<Check> check_outputs(const Graph& graph, const std::vector<Tensor>& inputs, const Truth& outputs,
                              const Tolerances& tolerances, const ExecutorOptions& how);

/// The same for outputs that were computed elsewhere. Error MO-VERIFY-0004.
Expected<Check> compare_outputs(const Graph& graph, const std::vector<Tensor>& computed, const Truth& outputs,
                                const Tolerances& tolerances);

/// Finds the layer where the numbers part, after `check_outputs` said that they do; sharpens the verdict. `tensors`
/// holds true values of what is inside. Two runs: one as it is, and one in lock-step, where each tensor that is close
/// gets its true value before it is read, so that no layer inherits what others did. Errors: of the execution.
Expected<void> find_layer(const Graph& graph, const std::vector<Tensor>& inputs, const Truth& tensors,
                          const Tolerances& tolerances, const ExecutorOptions& how, Check& check);

/// The value of `expected` as a tensor that looks like `like`: channels moved to where that has them, element type
/// converted. Nothing when it cannot be the same tensor. Where both layouts fit, the plain one comes first.
Expected<std::vector<Tensor>> readings_of(const Tensor& expected, const Tensor& like);

}  // namespace mo::tools
