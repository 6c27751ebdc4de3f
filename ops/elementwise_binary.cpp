#include "ops/elementwise_binary.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/partial_arithmetic.hpp"

namespace mo::ops {

Expected<void> detail::infer_binary(InferContext& ctx, BinaryKind kind, const BroadcastRule& rule) {
  MO_ASSIGN(TensorType type, infer_pair(ctx, rule, kNumber));
  ctx.output(0, std::move(type));
  if (auto partial = partial_binary(ctx, kind, rule)) ctx.output_partial(0, *std::move(partial));
  return {};
}

Expected<void> detail::evaluate_binary(EvalContext& ctx, BinaryKind kind, const BroadcastRule& rule) {
  const Tensor& a = ctx.input(0);
  switch (reference::elementwise_binary(kind, a, aligned(rule, a.rank(), ctx.input(1)), ctx.output(0))) {
    case reference::ArithmeticFault::none: break;
    case reference::ArithmeticFault::division_by_zero:
      return ctx.error("MO-OPS-0100", "integer division by zero")
          .hint("input 1 holds a 0; correct its computation in the model, or divide floating-point values");
    case reference::ArithmeticFault::quotient_too_large:
      return ctx
          .error("MO-OPS-0101", "the lowest {} divided by -1 has no result in this type", to_string(a.element_type()))
          .hint("convert the inputs to a wider integer type in the model");
  }
  return {};
}

namespace {

template <std::size_t... I>
void add_binary_rows(OpRegistry& registry, std::index_sequence<I...>) {
  (registry.add<Binary<kBinaryRows[I].kind>>(), ...);
}

}  // namespace

void register_elementwise_binary(OpRegistry& registry) {
  add_binary_rows(registry, std::make_index_sequence<kBinaryRows.size()>{});
  registry.add<Divide>();
}

}  // namespace mo::ops
