#pragma once

#include <string>
#include <vector>

#include "core/registry/framework_node.hpp"
#include "frontends/onnx/ops/support/recurrent_steps.hpp"
#include "ops/support/recurrent.hpp"

namespace mo::onnx {

/// The functions of one direction: names as the IR spells them, and alpha and beta at the place of their function.
struct CellActivations {
  std::vector<std::string> names;
  std::vector<double> alphas;
  std::vector<double> betas;

  bool operator==(const CellActivations&) const = default;
  std::vector<CellFunction> functions() const;
};

/// What LSTM, GRU and RNN have in common.
struct RecurrentLayer {
  ops::RecurrentDirection direction = ops::RecurrentDirection::forward;
  std::vector<CellActivations> activations;  ///< one for each direction
  double clip = 0;
  std::int64_t hidden = 0;
  bool batch_first = false;

  /// LSTMSequence and its like know sigmoid, tanh and relu, the same ones in both directions; for others the steps are
  /// written out.
  bool step_by_step() const;
};

/// Reads the attributes; the length of the state from the weights where no attribute tells it. Errors: MO-ONNX-0215
/// (activations), MO-ONNX-0216 (other attributes), MO-ONNX-0233 (nothing tells the length of the state).
Expected<RecurrentLayer> read_recurrent_layer(const FrameworkNode& node,
                                              const std::vector<std::string>& default_activations);

}  // namespace mo::onnx
