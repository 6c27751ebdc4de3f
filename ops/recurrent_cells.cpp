#include "ops/recurrent_cells.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {
Expected<void> v0::LSTMCell::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}
Expected<void> v0::LSTMCell::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}

Expected<void> v4::LSTMCell::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}
Expected<void> v4::LSTMCell::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::lstm));
}

Expected<void> GRUCell::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::gru));
}
Expected<void> GRUCell::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::gru));
}

Expected<void> RNNCell::infer(InferContext& ctx) const {
  return infer_recurrent(ctx, recurrent_op(*this, reference::CellKind::rnn));
}
Expected<void> RNNCell::evaluate(EvalContext& ctx) const {
  return evaluate_recurrent(ctx, recurrent_op(*this, reference::CellKind::rnn));
}

void register_recurrent_cells(OpRegistry& registry) {
  registry.add<v0::LSTMCell>();
  registry.add<v4::LSTMCell>();
  registry.add<GRUCell>();
  registry.add<RNNCell>();
}

}  // namespace mo::ops
