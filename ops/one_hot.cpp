#include "ops/one_hot.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/one_hot.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {
namespace {

Expected<void> infer_one_hot(InferContext& ctx, std::int64_t axis) {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(expect_integers(ctx, {0}));
  MO_TRY(expect_scalar(ctx, 2));
  MO_TRY(expect_scalar(ctx, 3));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {2, 3}));
  MO_ASSIGN(const Dimension depth, described_size(ctx, 1));
  if (depth.max() < 1)
    return ctx.error("MO-OPS-0005", "depth is {}, expected a positive size", depth.to_string())
        .hint("correct the computation of this value, and export the model again");
  PartialShape shape = ctx.input_shape(0);
  if (shape.has_rank()) {
    MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, axis, *shape.rank() + 1));
    shape.dims().insert(shape.dims().begin() + place, depth);
  }
  ctx.output(0, type, std::move(shape));
  return {};
}

template <class T>
Expected<void> evaluate_one_hot(EvalContext& ctx, const T& op, bool from_back) {
  if (moves_packed_elements(ctx, T::traits.moves_elements)) return evaluate_by_ids(ctx, op);
  Tensor& out = ctx.output(0);
  const std::int64_t axis = *mo::normalize_axis(op.axis, out.rank());
  MO_ASSIGN(std::vector<std::int64_t> indices, ctx.integers(0));
  if (from_back)
    for (std::int64_t& index : indices)
      if (index < 0) index += out.shape()[static_cast<std::size_t>(axis)];
  reference::one_hot(indices, axis, ctx.input(2), ctx.input(3), out);
  return {};
}

}  // namespace

Expected<void> OneHot::infer(InferContext& ctx) const { return infer_one_hot(ctx, axis); }
Expected<void> OneHot::evaluate(EvalContext& ctx) const { return evaluate_one_hot(ctx, *this, false); }

Expected<void> v16::OneHot::infer(InferContext& ctx) const { return infer_one_hot(ctx, axis); }
Expected<void> v16::OneHot::evaluate(EvalContext& ctx) const {
  return evaluate_one_hot(ctx, *this, negative_indices_mode == NegativeIndices::normalize);
}

void register_one_hot(OpRegistry& registry) {
  registry.add<OneHot>();
  registry.add<v16::OneHot>();
}

}  // namespace mo::ops
