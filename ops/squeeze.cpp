#include "ops/squeeze.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/reinterpret.hpp"

namespace mo::ops {
namespace {

PartialShape without(const PartialShape& shape, const std::vector<bool>& removed) {
  std::vector<Dimension> dims;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!removed[i]) dims.push_back(shape[i]);
  return PartialShape(std::move(dims));
}

PartialShape without_ones(const PartialShape& shape) {
  std::vector<bool> removed(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].is_known() && shape[i].compatible(1)) return PartialShape::unknown_rank();
    removed[i] = shape[i] == Dimension(1);
  }
  return without(shape, removed);
}

Expected<PartialShape> squeezed(const InferContext& ctx, const PartialShape& shape, bool skip) {
  if (!shape.has_rank()) return PartialShape::unknown_rank();
  if (!ctx.has_input(1) || list_length(ctx, 1) == 0) return without_ones(shape);
  const auto axes = ctx.integers(1);
  if (!axes) {
    const auto count = list_length(ctx, 1);
    if (skip || count != 1 || shape.size() == 0) return PartialShape::unknown_rank();
    return PartialShape::of_rank(shape.size() - 1);  // one axis, not known which
  }
  std::vector<bool> removed(shape.size());
  for (const std::int64_t axis : *axes) {
    MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, axis, *shape.rank()));
    const Dimension& d = shape[static_cast<std::size_t>(place)];
    if (skip && !d.is_known() && d.compatible(1)) return PartialShape::unknown_rank();
    if (!d.compatible(1)) {
      if (skip) continue;
      return ctx.error("MO-OPS-0205", "dimension {} of {} is not 1 and cannot be removed", place, shape.to_string())
          .hint("check the axes, or override the shape with --input_shape");
    }
    removed[static_cast<std::size_t>(place)] = true;
  }
  return without(shape, removed);
}

Expected<void> infer_squeeze(InferContext& ctx, bool skip) {
  MO_TRY(ctx.expect_inputs(1, 2));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(ctx.expect_rank(1, 0, 1));
  MO_ASSIGN(PartialShape shape, squeezed(ctx, ctx.input_shape(0), skip));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

}  // namespace

Expected<void> Squeeze::infer(InferContext& ctx) const { return infer_squeeze(ctx, false); }
Expected<void> Squeeze::evaluate(EvalContext& ctx) const { return share_input(ctx); }

Expected<void> v15::Squeeze::infer(InferContext& ctx) const { return infer_squeeze(ctx, allow_axis_skip); }
Expected<void> v15::Squeeze::evaluate(EvalContext& ctx) const { return share_input(ctx); }

LayoutNeed Squeeze::layout_need(const InferContext& ctx) const {
  const PartialShape& data = ctx.input_shape(0);
  if (!data.has_rank()) return LayoutNeed::original;
  auto gone = ctx.has_input(1) ? ctx.integers(1) : std::vector<std::int64_t>();
  if (!gone) return LayoutNeed::original;
  if (gone->empty())
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!data[i].is_known()) return LayoutNeed::original;
      if (data[i] == Dimension(1)) gone->push_back(static_cast<std::int64_t>(i));
    }
  return gone->empty() || keeps_order_without(*gone, *data.rank()) ? LayoutNeed::either : LayoutNeed::original;
}
LayoutNeed v15::Squeeze::layout_need(const InferContext& ctx) const {
  return allow_axis_skip ? LayoutNeed::original : ops::Squeeze{}.layout_need(ctx);
}

void register_squeeze(OpRegistry& registry) {
  registry.add<Squeeze>();
  registry.add<v15::Squeeze>();
}

}  // namespace mo::ops
