#include "ops/slice.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/slice.hpp"
#include "ops/reference/strided_copy.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/slicing.hpp"

namespace mo::ops {
namespace {

/// The slice inputs start, stop, step and axes begin at input `first`.
Expected<PartialShape> sliced_shape(const InferContext& ctx, std::size_t first) {
  MO_TRY(expect_integers(ctx, {first, first + 1, first + 2, first + 3}));
  for (std::size_t i = first; i < std::min(first + 4, ctx.input_count()); ++i) MO_TRY(ctx.expect_rank(i, 1, 1));
  const PartialShape& shape = ctx.input_shape(0);
  std::optional<std::size_t> length;
  for (std::size_t i = first; i < first + 4; ++i) {
    if (!ctx.has_input(i)) continue;
    const auto here = list_length(ctx, i);
    if (length && here && *length != *here)
      return ctx.error("MO-OPS-0209", "start, stop, step and axes have {} and {} elements", *length, *here)
          .hint("they name one bound for each sliced axis");
    if (here) length = here;
  }
  const auto steps = list_elements(ctx, first + 2);
  if (steps && std::find(steps->begin(), steps->end(), Dimension(0)) != steps->end())
    return ctx.error("MO-OPS-0208", "the step of a slice is 0").hint("steps are positive or negative");
  if (!shape.has_rank()) return PartialShape::unknown_rank();
  if (length && *length > shape.size())
    return ctx.error("MO-OPS-0209", "{} axes are sliced, the data has {} dimensions", *length, shape.size())
        .hint("check the rank of the input");

  PartialShape result = shape;
  std::vector<std::int64_t> axes;
  if (ctx.has_input(first + 3)) {
    const auto given = ctx.integers(first + 3);
    if (!given || !length) {
      for (Dimension& d : result.dims()) d = Dimension(0, d.max());
      return result;
    }
    MO_ASSIGN(axes, normalize_axes(ctx, *given, *shape.rank()));
  } else {
    const auto count = static_cast<std::int64_t>(length.value_or(shape.size()));
    for (std::int64_t i = 0; i < count; ++i) axes.push_back(i);
  }
  const auto starts = list_elements(ctx, first);
  const auto stops = list_elements(ctx, first + 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Dimension& d = result[static_cast<std::size_t>(axes[i])];
    const auto bound = [i](const std::optional<std::vector<Dimension>>& list) {
      return list && i < list->size() ? (*list)[i] : Dimension();
    };
    d = sliced_dimension(d, bound(starts), bound(stops), bound(steps));
  }
  return result;
}

struct Ranges {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> step;
  Shape counts;
};

/// What to take of each dimension. Inference has checked lengths, axes and steps.
Expected<Ranges> ranges_of(const EvalContext& ctx, std::size_t first) {
  const Shape& shape = ctx.input(0).shape();
  Ranges ranges{std::vector<std::int64_t>(shape.size()), std::vector<std::int64_t>(shape.size(), 1), shape};
  MO_ASSIGN(const std::vector<std::int64_t> starts, ctx.integers(first));
  MO_ASSIGN(const std::vector<std::int64_t> stops, ctx.integers(first + 1));
  MO_ASSIGN(const std::vector<std::int64_t> steps, ctx.integers(first + 2));
  std::vector<std::int64_t> axes;
  if (ctx.has_input(first + 3)) { MO_ASSIGN(axes, ctx.integers(first + 3)); }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    MO_ASSIGN(const std::int64_t axis,
              checked_axis(ctx, axes.empty() ? static_cast<std::int64_t>(i) : axes[i], ctx.input(0).rank()));
    const auto d = static_cast<std::size_t>(axis);
    const SliceRange range = slice_range(shape[d], starts[i], stops[i], steps[i]);
    ranges.first[d] = range.begin;
    ranges.step[d] = range.step;
    ranges.counts[d] = range.count;
  }
  return ranges;
}

}  // namespace

Expected<void> Slice::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4, 5));
  MO_ASSIGN(PartialShape shape, sliced_shape(ctx, 1));
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> Slice::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  MO_ASSIGN(const Ranges ranges, ranges_of(ctx, 1));
  reference::slice(ctx.input(0), ranges.first, ranges.step, ranges.counts, ctx.output(0));
  return {};
}

Expected<void> SliceScatter::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(5, 6));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  MO_ASSIGN(const PartialShape part, sliced_shape(ctx, 2));
  MO_TRY(merge_shapes(ctx, ctx.input_shape(1), part, "the updates and the slice"));
  ctx.output(0, type, ctx.input_shape(0));
  return {};
}

Expected<void> SliceScatter::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  MO_ASSIGN(const Ranges ranges, ranges_of(ctx, 2));
  reference::copy_all(ctx.input(0), ctx.output(0));
  reference::slice_assign(ctx.input(1), ranges.first, ranges.step, ranges.counts, ctx.output(0));
  return {};
}

void register_slice(OpRegistry& registry) {
  registry.add<Slice>();
  registry.add<SliceScatter>();
}

}  // namespace mo::ops
