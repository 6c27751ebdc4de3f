#include "ops/bitwise.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> detail::infer_bitwise(InferContext& ctx, const BitwiseRow& row, const BroadcastRule& rule) {
  MO_ASSIGN(TensorType type, infer_pair(ctx, rule, row.elements));
  ctx.output(0, std::move(type));
  return {};
}

Expected<void> detail::evaluate_bitwise(EvalContext& ctx, BitwiseKind kind, const BroadcastRule& rule) {
  const Tensor& a = ctx.input(0);
  if (reference::bitwise_binary(kind, a, aligned(rule, a.rank(), ctx.input(1)), ctx.output(0))) return {};
  return ctx.error("MO-OPS-0112", "a shift is negative")
      .hint("input 1 counts bits; shift in the other direction instead");
}

Expected<void> BitwiseNot::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, kBooleanOrWholeNumber.accepts, kBooleanOrWholeNumber.description));
  ctx.output(0, ctx.input(0));
  return {};
}
Expected<void> BitwiseNot::evaluate(EvalContext& ctx) const {
  reference::bitwise_not(ctx.input(0), ctx.output(0));
  return {};
}

namespace {

template <std::size_t... I>
void add_bitwise_rows(OpRegistry& registry, std::index_sequence<I...>) {
  (registry.add<Bitwise<kBitwiseRows[I].kind>>(), ...);
}

}  // namespace

void register_bitwise(OpRegistry& registry) {
  add_bitwise_rows(registry, std::make_index_sequence<kBitwiseRows.size()>{});
  registry.add<BitwiseNot>();
}

}  // namespace mo::ops
