#include "ops/support/auto_broadcast.hpp"

#include <algorithm>

#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// Where a pdpd operand of `b_rank` dimensions starts in a shape of `a_rank` dimensions.
std::int64_t first_axis(std::int64_t axis, std::int64_t a_rank, std::int64_t b_rank) {
  return axis == -1 ? a_rank - b_rank : axis;
}

/// IR broadcast rules, pdpd: trailing ones of the second shape do not count.
std::size_t without_trailing_ones(const PartialShape& shape) {
  std::size_t size = shape.size();
  while (size > 0 && shape[size - 1] == Dimension(1)) --size;
  return size;
}

Expected<PartialShape> stretch_to_first(const InferContext& ctx, std::int64_t axis, const PartialShape& a,
                                        const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return a;
  const auto misfit = [&] {
    return ctx.error("MO-OPS-0103", "shape {} does not fit into {} at axis {}", b.to_string(), a.to_string(), axis)
        .hint("with auto_broadcast=pdpd the second shape must be a part of the first, each dimension equal or 1");
  };
  const std::int64_t start = first_axis(axis, *a.rank(), *b.rank());
  const std::size_t count = without_trailing_ones(b);
  if (start < 0 || start > *a.rank() || static_cast<std::int64_t>(count) > *a.rank() - start) return misfit();
  PartialShape result = a;
  for (std::size_t i = 0; i < count; ++i) {
    Dimension& dim = result[static_cast<std::size_t>(start) + i];
    if (b[i] == Dimension(1)) continue;
    const auto merged = dim.merge(b[i]);
    if (merged && !b[i].compatible(Dimension(1)))
      dim = *merged;
    else if (!merged && !b[i].compatible(Dimension(1)))
      return misfit();
  }
  return result;
}

}  // namespace

Expected<PartialShape> combine_shapes(const InferContext& ctx, const BroadcastRule& rule, const PartialShape& a,
                                      const PartialShape& b) {
  switch (rule.mode) {
    case AutoBroadcast::numpy: return broadcast_shapes(ctx, a, b);
    case AutoBroadcast::pdpd: return stretch_to_first(ctx, rule.axis, a, b);
    case AutoBroadcast::none:
    case AutoBroadcast::explicit_: break;
  }
  if (auto merged = a.merge(b)) return *std::move(merged);
  return ctx.error("MO-OPS-0102", "shapes {} and {} differ", a.to_string(), b.to_string())
      .hint("auto_broadcast=\"{}\" requires equal shapes; use \"numpy\" to broadcast",
            names_of(rule.mode)[static_cast<std::size_t>(rule.mode)]);
}

Expected<TensorType> infer_pair(const InferContext& ctx, const BroadcastRule& rule, const ElementKind& kind) {
  MO_TRY(ctx.expect_inputs(2));
  for (const std::size_t i : {0, 1}) MO_TRY(expect_element_type(ctx, i, kind.accepts, kind.description));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  MO_ASSIGN(PartialShape shape, combine_shapes(ctx, rule, ctx.input_shape(0), ctx.input_shape(1)));
  return TensorType{type, std::move(shape)};
}

Tensor aligned(const BroadcastRule& rule, std::int64_t rank, const Tensor& b) {
  if (rule.mode != AutoBroadcast::pdpd) return b;
  const std::int64_t start = first_axis(rule.axis, rank, b.rank());
  const std::size_t count = without_trailing_ones(PartialShape(b.shape()));
  MO_ASSERT(start >= 0 && start <= rank && static_cast<std::int64_t>(count) <= rank - start,
            "pdpd shapes were not inferred");
  Shape shape(static_cast<std::size_t>(rank), 1);
  std::copy_n(b.shape().begin(), count, shape.begin() + start);
  return b.reshaped(std::move(shape));
}

}  // namespace mo::ops
