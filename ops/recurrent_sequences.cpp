#include "ops/recurrent_sequences.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {
namespace {

RecurrentOp describe_sequence(const v0::LSTMSequence& op) {
  return {.kind = reference::CellKind::lstm,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = true,
          .direction = op.direction,
          .input_forget = op.input_forget,
          .weights_format = op.weights_format,
          .peepholes = true};
}

RecurrentOp describe_sequence(const v5::LSTMSequence& op) {
  return {.kind = reference::CellKind::lstm,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = true,
          .direction = op.direction};
}

RecurrentOp describe_sequence(const GRUSequence& op) {
  return {.kind = reference::CellKind::gru,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = true,
          .direction = op.direction,
          .linear_before_reset = op.linear_before_reset};
}

RecurrentOp describe_sequence(const RNNSequence& op) {
  return {.kind = reference::CellKind::rnn,
          .hidden_size = op.hidden_size,
          .activations = op.activations,
          .alphas = op.activations_alpha,
          .betas = op.activations_beta,
          .clip = op.clip,
          .sequence = true,
          .direction = op.direction};
}

}  // namespace

Expected<void> v0::LSTMSequence::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_sequence(*this)); }
Expected<void> v0::LSTMSequence::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_sequence(*this)); }

Expected<void> v5::LSTMSequence::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_sequence(*this)); }
Expected<void> v5::LSTMSequence::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_sequence(*this)); }

Expected<void> GRUSequence::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_sequence(*this)); }
Expected<void> GRUSequence::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_sequence(*this)); }

Expected<void> RNNSequence::infer(InferContext& ctx) const { return infer_recurrent(ctx, describe_sequence(*this)); }
Expected<void> RNNSequence::evaluate(EvalContext& ctx) const { return evaluate_recurrent(ctx, describe_sequence(*this)); }

void register_recurrent_sequences(OpRegistry& registry) {
  registry.add<v0::LSTMSequence>();
  registry.add<v5::LSTMSequence>();
  registry.add<GRUSequence>();
  registry.add<RNNSequence>();
}

}  // namespace mo::ops
