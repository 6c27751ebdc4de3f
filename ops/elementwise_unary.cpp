#include "ops/elementwise_unary.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/partial_arithmetic.hpp"

namespace mo::ops {

Expected<void> detail::infer_unary(InferContext& ctx, const UnaryRow& row) {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, row.elements.accepts, row.elements.description));
  ctx.output(0, ctx.input(0));
  if (auto partial = partial_unary(ctx, row.kind)) ctx.output_partial(0, *std::move(partial));
  return {};
}

Expected<void> detail::evaluate_unary(EvalContext& ctx, UnaryKind kind) {
  reference::elementwise_unary(kind, ctx.input(0), ctx.output(0));
  return {};
}

Expected<void> Round::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, kNumber.accepts, kNumber.description));
  ctx.output(0, ctx.input(0));
  return {};
}
Expected<void> Round::evaluate(EvalContext& ctx) const {
  reference::round(ctx.input(0), ctx.output(0), mode == RoundMode::half_to_even);
  return {};
}

Expected<void> Identity::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  ctx.output(0, ctx.input(0));
  return {};
}
Expected<void> Identity::evaluate(EvalContext& ctx) const {
  ctx.set_output(0, ctx.input(0));
  return {};
}

namespace {

template <std::size_t... I>
void add_unary_rows(OpRegistry& registry, std::index_sequence<I...>) {
  (registry.add<Unary<kUnaryRows[I].kind>>(), ...);
}

}  // namespace

void register_elementwise_unary(OpRegistry& registry) {
  add_unary_rows(registry, std::make_index_sequence<kUnaryRows.size()>{});
  registry.add<Round>();
  registry.add<Identity>();
}

}  // namespace mo::ops
