#include "ops/support/axes.hpp"

#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<std::optional<std::vector<std::int64_t>>> axes_from_input(const InferContext& ctx, std::size_t i,
                                                                   const PartialShape& data) {
  using Result = std::optional<std::vector<std::int64_t>>;
  MO_TRY(expect_element_type(ctx, i, is_integral, "an integer"));
  MO_TRY(ctx.expect_rank(i, 0, 1));
  const auto axes = ctx.integers(i);
  if (!axes) return Result();
  if (axes->empty()) return Result(std::vector<std::int64_t>());
  const auto rank = data.rank();
  if (!rank) return Result();
  MO_ASSIGN(std::vector<std::int64_t> normal, normalize_axes(ctx, *axes, *rank));
  return Result(std::move(normal));
}

std::vector<bool> mark_axes(const std::vector<std::int64_t>& axes, std::int64_t rank) {
  std::vector<bool> marks(static_cast<std::size_t>(rank));
  for (const std::int64_t axis : axes)
    if (const auto normal = mo::normalize_axis(axis, rank)) marks[static_cast<std::size_t>(*normal)] = true;
  return marks;
}

Expected<std::vector<bool>> marked_axes(const EvalContext& ctx, std::size_t i, std::int64_t rank) {
  MO_ASSIGN(const std::vector<std::int64_t> axes, ctx.integers(i));
  return mark_axes(axes, rank);
}

}  // namespace mo::ops
