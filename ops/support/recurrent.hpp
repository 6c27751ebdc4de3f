#pragma once

#include "core/op.hpp"
#include "ops/reference/recurrent.hpp"

namespace mo::ops {

using RecurrentDirection = reference::Direction;

/// Order of the four gates in the weights of opset1's LSTM: forget, input, cell, output.
enum class LstmWeightsFormat { fico, icof, ifco, ifoc, iofc };
inline constexpr std::array<std::string_view, 5> kLstmWeightsFormatNames{"fico", "icof", "ifco", "ifoc", "iofc"};
constexpr const auto& names_of(LstmWeightsFormat) { return kLstmWeightsFormatNames; }

/// The attributes that all recurrent ops have, and where their inputs are.
struct RecurrentOp {
  reference::CellKind kind;
  std::int64_t hidden_size;
  const std::vector<std::string>& activations;
  const std::vector<double>& alphas;
  const std::vector<double>& betas;
  double clip;
  bool sequence = false;
  RecurrentDirection direction = RecurrentDirection::forward;
  bool linear_before_reset = false;
  bool input_forget = false;
  LstmWeightsFormat weights_format = LstmWeightsFormat::fico;
  bool peepholes = false;  ///< the class has an optional last input of peephole weights
};

/// The attributes of an op of this kind; a sequence has a direction, and only LSTM of opset1 has peepholes.
template <class Op>
RecurrentOp recurrent_op(const Op& op, reference::CellKind kind) {
  RecurrentOp described{.kind = kind,
                        .hidden_size = op.hidden_size,
                        .activations = op.activations,
                        .alphas = op.activations_alpha,
                        .betas = op.activations_beta,
                        .clip = op.clip};
  if constexpr (requires { op.direction; }) {
    described.sequence = true;
    described.direction = op.direction;
  }
  if constexpr (requires { op.linear_before_reset; }) described.linear_before_reset = op.linear_before_reset;
  if constexpr (requires { op.weights_format; }) {
    described.input_forget = op.input_forget;
    described.weights_format = op.weights_format;
    described.peepholes = true;
  }
  return described;
}

/// Errors: MO-OPS-0420 (hidden size), MO-OPS-0421 (activations), MO-OPS-0422 (shapes that do not fit), MO-OPS-0424
/// (clip).
Expected<void> infer_recurrent(InferContext& ctx, const RecurrentOp& op);
/// Errors: MO-OPS-0423 (sequence lengths outside of the data), MO-OPS-0425 (peephole weights).
Expected<void> evaluate_recurrent(EvalContext& ctx, const RecurrentOp& op);

}  // namespace mo::ops
