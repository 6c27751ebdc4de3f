#include "ops/comparison.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {

Expected<void> detail::infer_comparison(InferContext& ctx, const BroadcastRule& rule) {
  MO_ASSIGN(TensorType type, infer_pair(ctx, rule, kAny));
  ctx.output(0, ElementType::boolean, std::move(type.shape));
  return {};
}

Expected<void> detail::evaluate_comparison(EvalContext& ctx, ComparisonKind kind, const BroadcastRule& rule) {
  const Tensor& a = ctx.input(0);
  return reference::compare(kind, a, aligned(rule, a.rank(), ctx.input(1)), ctx.output(0));
}

namespace {

template <std::size_t... I>
void add_comparison_rows(OpRegistry& registry, std::index_sequence<I...>) {
  (registry.add<Comparison<kComparisonRows[I].kind>>(), ...);
}

}  // namespace

void register_comparison(OpRegistry& registry) {
  add_comparison_rows(registry, std::make_index_sequence<kComparisonRows.size()>{});
}

}  // namespace mo::ops
