#include "ops/recurrent_sequences.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {
Expected<void> v0::LSTMSequence::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}
Expected<void> v0::LSTMSequence::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}

Expected<void> v5::LSTMSequence::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}
Expected<void> v5::LSTMSequence::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}

Expected<void> GRUSequence::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::gru));
}
Expected<void> GRUSequence::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::gru));
}

Expected<void> RNNSequence::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::rnn));
}
Expected<void> RNNSequence::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::rnn));
}

void register_recurrent_sequences(OpRegistry& registry) {
  registry.add<v0::LSTMSequence>();
  registry.add<v5::LSTMSequence>();
  registry.add<GRUSequence>();
  registry.add<RNNSequence>();
}

}  // namespace mo::ops
