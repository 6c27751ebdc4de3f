#include "ops/gather.hpp"

#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/gather.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/parameters.hpp"

namespace mo::ops {
namespace {

Expected<std::int64_t> normal_batch_dims(const InferContext& ctx, std::int64_t batch_dims, const PartialShape& data,
                                         const PartialShape& indices) {
  const auto rank = indices.rank();
  const std::int64_t places = rank ? *rank : 0;
  const std::int64_t normal = batch_dims < 0 && rank ? batch_dims + places : batch_dims;
  if ((rank && (normal < 0 || normal > places)) || (data.has_rank() && normal >= *data.rank() && normal > 0))
    return ctx
        .error("MO-OPS-0211", "batch_dims {} does not fit {} and {}", batch_dims, data.to_string(), indices.to_string())
        .hint("data and indices share their first batch_dims dimensions; check the ranks of the inputs");
  return normal;
}

Expected<PartialShape> gathered_shape(const InferContext& ctx, std::int64_t batch_dims) {
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& indices = ctx.input_shape(1);
  MO_ASSIGN(const std::int64_t batches, normal_batch_dims(ctx, batch_dims, data, indices));
  auto axis = ctx.integer(2);
  if (axis && data.has_rank()) {
    MO_ASSIGN(axis, normalize_axis(ctx, *axis, *data.rank()));
    if (batches > *axis)
      return ctx.error("MO-OPS-0211", "batch_dims {} is beyond axis {}", batch_dims, *axis)
          .hint("the axis comes after the batch dimensions");
  }
  if (!data.has_rank() || !indices.has_rank()) return PartialShape::unknown_rank();
  const auto batch = static_cast<std::size_t>(batches);
  if (!axis) return PartialShape::of_rank(data.size() + indices.size() - batch - 1);
  const auto place = static_cast<std::size_t>(*axis);
  std::vector<Dimension> dims(data.begin(), data.begin() + *axis);
  for (std::size_t i = 0; i < batch; ++i) {
    MO_ASSIGN(dims[i], merge_dimensions(ctx, data[i], indices[i], "the batch dimensions of data and indices"));
  }
  dims.insert(dims.end(), indices.begin() + batches, indices.end());
  dims.insert(dims.end(), data.begin() + static_cast<std::ptrdiff_t>(place) + 1, data.end());
  return PartialShape(std::move(dims));
}

Expected<void> infer_gather(InferContext& ctx, std::int64_t batch_dims) {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_integers(ctx, {1, 2}));
  MO_TRY(expect_one_element(ctx, 2, "axis"));
  MO_TRY(ctx.expect_rank(0, 1, std::numeric_limits<std::int64_t>::max()));
  MO_ASSIGN(PartialShape shape, gathered_shape(ctx, batch_dims));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

template <class T>
Expected<void> evaluate_gather(EvalContext& ctx, const T& op, bool from_back) {
  if (moves_packed_elements(ctx, T::traits.moves_elements)) return evaluate_by_ids(ctx, op);
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::int64_t given, only_integer(ctx, 2));
  MO_ASSIGN(const std::int64_t axis, checked_axis(ctx, given, data.rank()));
  MO_ASSIGN(const std::vector<std::int64_t> indices,
            checked_indices(ctx, 1, data.shape()[static_cast<std::size_t>(axis)], from_back));
  reference::gather(data, indices, axis, op.batch_dims < 0 ? op.batch_dims + ctx.input(1).rank() : op.batch_dims,
                    ctx.output(0));
  return {};
}

/// A list of indices leaves a dimension in its place; a single one removes it.
LayoutNeed gather_layout_need(const InferContext& ctx, std::int64_t batch_dims) {
  const auto rank = ctx.input(0).rank();
  const auto indices = ctx.input(1).rank();
  if (!rank || !indices || *indices > 1 || batch_dims != 0) return LayoutNeed::original;
  if (*indices == 1) return LayoutNeed::either;
  const auto axis = ctx.integer(2);
  return axis && keeps_order_without({*axis}, *rank) ? LayoutNeed::either : LayoutNeed::original;
}

}  // namespace

Expected<void> v8::Gather::infer(InferContext& ctx) const { return infer_gather(ctx, batch_dims); }
Expected<void> v8::Gather::evaluate(EvalContext& ctx) const { return evaluate_gather(ctx, *this, true); }
Expected<void> v7::Gather::evaluate(EvalContext& ctx) const { return evaluate_gather(ctx, *this, false); }

LayoutNeed v8::Gather::layout_need(const InferContext& ctx) const { return gather_layout_need(ctx, batch_dims); }

void register_gather(OpRegistry& registry) {
  registry.add<v1::Gather>();
  registry.add<v7::Gather>();
  registry.add<v8::Gather>();
}

}  // namespace mo::ops
