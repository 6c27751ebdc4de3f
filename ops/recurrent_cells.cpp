#include "ops/recurrent_cells.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {
namespace {

RecurrentOp describe_cell(const v0::LSTMCell& op) {
  return {.kind = reference::CellKind::lstm,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = false,
          .input_forget = op.input_forget,
          .weights_format = op.weights_format,
          .peepholes = true};
}

RecurrentOp describe_cell(const v4::LSTMCell& op) {
  return {.kind = reference::CellKind::lstm,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = false};
}

RecurrentOp describe_cell(const GRUCell& op) {
  return {.kind = reference::CellKind::gru,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = false,
          .linear_before_reset = op.linear_before_reset};
}

RecurrentOp describe_cell(const RNNCell& op) {
  return {.kind = reference::CellKind::rnn,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = false};
}

}  // namespace

Expected<void> v0::LSTMCell::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_cell(*this)); }
Expected<void> v0::LSTMCell::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_cell(*this)); }

Expected<void> v4::LSTMCell::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_cell(*this)); }
Expected<void> v4::LSTMCell::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_cell(*this)); }

Expected<void> GRUCell::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_cell(*this)); }
Expected<void> GRUCell::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_cell(*this)); }

Expected<void> RNNCell::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_cell(*this)); }
Expected<void> RNNCell::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_cell(*this)); }

void register_recurrent_cells(OpRegistry& registry) {
  registry.add<v0::LSTMCell>();
  registry.add<v4::LSTMCell>();
  registry.add<GRUCell>();
  registry.add<RNNCell>();
}

}  // namespace mo::ops
