#include "ops/strided_slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/slice.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/slicing.hpp"

namespace mo::ops {
namespace {

using Bounds = std::vector<Dimension>;

/// What happens to one dimension of the data, or a dimension that is inserted.
struct Step {
  enum Kind { slice, shrink, insert } kind = slice;
  std::size_t axis = 0;   ///< of the data; not for `insert`
  std::size_t index = 0;  ///< into begin, end and strides
  bool whole = false;     ///< all of the dimension: covered by the ellipsis, or beyond the bounds
};

bool is_set(const std::vector<std::int64_t>& mask, std::size_t i) { return i < mask.size() && mask[i] != 0; }
bool any_set(const std::vector<std::int64_t>& mask) {
  return std::any_of(mask.begin(), mask.end(), [](std::int64_t m) { return m != 0; });
}

/// The steps for `count` bounds on data of `rank`, in the order of the result's dimensions. Works for infer and
/// evaluate alike.
template <class Context>
Expected<std::vector<Step>> steps_of(const StridedSlice& op, const Context& ctx, std::size_t count, std::size_t rank) {
  if (count > rank + op.new_axis_mask.size() + 1)
    return ctx.error("MO-OPS-0210", "{} bounds for data with {} dimensions", count, rank)
        .hint("check the rank of the input, or give it with --input_shape");
  std::size_t used = 0;
  std::size_t ellipses = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_set(op.ellipsis_mask, i))
      ++ellipses;
    else if (!is_set(op.new_axis_mask, i))
      ++used;
  }
  if (ellipses > 1)
    return ctx.error("MO-OPS-0210", "ellipsis_mask has {} ones", ellipses).hint("only one ellipsis has a meaning");
  if (used > rank)
    return ctx.error("MO-OPS-0210", "{} dimensions are sliced, the data has {}", used, rank)
        .hint("check the rank of the input, or give it with --input_shape");
  std::vector<Step> steps;
  std::size_t axis = 0;
  const auto rest = [&] {
    for (std::size_t left = rank - used; left > 0; --left) steps.push_back({Step::slice, axis++, 0, true});
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (is_set(op.ellipsis_mask, i))
      rest();
    else if (is_set(op.new_axis_mask, i))
      steps.push_back({Step::insert, 0, i, false});
    else
      steps.push_back({is_set(op.shrink_axis_mask, i) ? Step::shrink : Step::slice, axis++, i, false});
  }
  if (ellipses == 0) rest();
  return steps;
}

/// Begin and end with their masks applied: a masked bound is as far away as it can be.
Dimension begin_bound(const StridedSlice& op, const Bounds& begin, std::size_t i, const Dimension& stride) {
  if (!is_set(op.begin_mask, i)) return begin[i];
  if (!stride.is_known()) return {};
  return stride.value() > 0 ? 0 : std::numeric_limits<std::int64_t>::max();
}
Dimension end_bound(const StridedSlice& op, const Bounds& end, std::size_t i, const Dimension& stride) {
  if (!is_set(op.end_mask, i)) return end[i];
  if (!stride.is_known()) return {};
  return stride.value() > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

template <class Context>
Diagnostic zero_stride(const Context& ctx) {
  return ctx.error("MO-OPS-0208", "the step of a slice is 0").hint("steps are positive or negative");
}

template <class Context>
Expected<void> check_shrink(const Context& ctx, std::int64_t begin, std::int64_t size) {
  if (mo::normalize_axis(begin, size)) return {};
  return ctx.error("MO-OPS-0203", "index {} is outside [{}, {})", begin, -size, size)
      .hint("check begin where shrink_axis_mask is 1");
}

/// Runtimes refuse masks of different lengths.
Expected<void> check_masks(const StridedSlice& op, const InferContext& ctx) {
  std::size_t length = 0;
  for (const auto* mask : {&op.begin_mask, &op.end_mask, &op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask}) {
    if (mask->empty()) continue;
    if (length != 0 && mask->size() != length)
      return ctx.error("MO-OPS-0210", "there are masks of {} and of {} elements", length, mask->size())
          .hint("a mask has one number for each element of begin, or none");
    if (std::any_of(mask->begin(), mask->end(), [](std::int64_t m) { return m != 0 && m != 1; }))
      return ctx.error("MO-OPS-0210", "a mask is [{}]", fmt::format("{}", fmt::join(*mask, ", ")))
          .hint("masks are of 0 and 1");
    length = mask->size();
  }
  return {};
}

/// begin, end or strides with `count` elements: unknown elements where nothing is known.
Bounds bounds_of(const InferContext& ctx, std::size_t input, std::size_t count) {
  if (input == 3 && !ctx.has_input(3)) return Bounds(count, Dimension(1));
  auto bounds = list_elements(ctx, input);
  return bounds && bounds->size() == count ? *std::move(bounds) : Bounds(count);
}

Expected<std::optional<std::size_t>> bound_count(const InferContext& ctx) {
  std::optional<std::size_t> count;
  for (std::size_t i = 1; i <= 3; ++i) {
    if (!ctx.has_input(i)) continue;
    MO_TRY(ctx.expect_rank(i, 1, 1));
    const auto here = list_length(ctx, i);
    if (count && here && *count != *here)
      return ctx.error("MO-OPS-0209", "begin, end and strides have {} and {} elements", *count, *here)
          .hint("they name one bound for each position");
    if (here) count = here;
  }
  return count;
}

Expected<Dimension> sliced(const StridedSlice& op, const InferContext& ctx, const Step& step, const Dimension& size,
                           const Bounds& begin, const Bounds& end, const Bounds& strides) {
  const Dimension& stride = strides[step.index];
  if (stride == Dimension(0)) return zero_stride(ctx);
  const Dimension first = begin_bound(op, begin, step.index, stride);
  if (step.kind == Step::shrink) {
    if (size.is_known() && first.is_known() && !is_set(op.begin_mask, step.index))
      MO_TRY(check_shrink(ctx, first.value(), size.value()));
    return Dimension(1);
  }
  return sliced_dimension(size, first, end_bound(op, end, step.index, stride), stride);
}

}  // namespace

Expected<void> StridedSlice::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3, 4));
  MO_TRY(expect_integers(ctx, {1, 2, 3}));
  MO_TRY(check_masks(*this, ctx));
  MO_ASSIGN(const std::optional<std::size_t> count, bound_count(ctx));
  const auto known_strides = ctx.integers(3);
  if (known_strides && std::find(known_strides->begin(), known_strides->end(), 0) != known_strides->end())
    return zero_stride(ctx);
  const TensorType& data = ctx.input(0);
  if (!data.shape.has_rank() || !count) {
    PartialShape shape;
    // Without masks that change the rank, the dimensions stay and get no longer.
    if (data.shape.has_rank() && !any_set(new_axis_mask) && !any_set(shrink_axis_mask)) {
      shape = data.shape;
      for (Dimension& d : shape.dims()) d = Dimension(0, d.max());
    }
    ctx.output(0, data.element_type, std::move(shape));
    return {};
  }
  MO_ASSIGN(const std::vector<Step> steps, steps_of(*this, ctx, *count, data.shape.size()));
  const Bounds begin = bounds_of(ctx, 1, *count);
  const Bounds end = bounds_of(ctx, 2, *count);
  const Bounds strides = bounds_of(ctx, 3, *count);
  std::vector<Dimension> dims;
  for (const Step& step : steps) {
    if (step.kind == Step::insert || step.whole) {
      dims.push_back(step.whole ? data.shape[step.axis] : Dimension(1));
      continue;
    }
    MO_ASSIGN(const Dimension d, sliced(*this, ctx, step, data.shape[step.axis], begin, end, strides));
    if (step.kind == Step::slice) dims.push_back(d);
  }
  ctx.output(0, data.element_type, PartialShape(std::move(dims)));
  return {};
}

Expected<void> StridedSlice::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Shape& shape = ctx.input(0).shape();
  MO_ASSIGN(const std::vector<std::int64_t> begin, ctx.integers(1));
  MO_ASSIGN(const std::vector<std::int64_t> end, ctx.integers(2));
  std::vector<std::int64_t> strides(begin.size(), 1);
  if (ctx.has_input(3)) { MO_ASSIGN(strides, ctx.integers(3)); }
  MO_ASSIGN(const std::vector<Step> steps, steps_of(*this, ctx, begin.size(), shape.size()));
  const Bounds begins(begin.begin(), begin.end());
  const Bounds ends(end.begin(), end.end());
  std::vector<std::int64_t> first(shape.size());
  std::vector<std::int64_t> by(shape.size(), 1);
  Shape counts = shape;
  for (const Step& step : steps) {
    if (step.kind == Step::insert || step.whole) continue;
    const std::int64_t size = shape[step.axis];
    const std::int64_t stride = strides[step.index];
    if (stride == 0) return zero_stride(ctx);
    const std::int64_t from = begin_bound(*this, begins, step.index, stride).value();
    SliceRange range = slice_range(size, from, end_bound(*this, ends, step.index, stride).value(), stride);
    if (step.kind == Step::shrink) {
      const std::int64_t place = is_set(begin_mask, step.index) ? (stride > 0 ? 0 : size - 1) : from;
      MO_TRY(check_shrink(ctx, place, size));
      range = {*mo::normalize_axis(place, size), 1, 1};
    }
    first[step.axis] = range.begin;
    by[step.axis] = range.step;
    counts[step.axis] = range.count;
  }
  reference::slice(ctx.input(0), first, by, counts, ctx.output(0));
  return {};
}

LayoutNeed StridedSlice::layout_need(const InferContext& ctx) const {
  // One bound for each dimension, so that they can be reordered; those that go must not reorder the others.
  const auto rank = ctx.input(0).rank();
  const auto count = list_length(ctx, 1);
  if (!rank || !count || static_cast<std::int64_t>(*count) != *rank || any_set(new_axis_mask) || any_set(ellipsis_mask))
    return LayoutNeed::original;
  std::vector<std::int64_t> gone;
  for (std::size_t i = 0; i < *count; ++i)
    if (is_set(shrink_axis_mask, i)) gone.push_back(static_cast<std::int64_t>(i));
  return gone.empty() || keeps_order_without(gone, *rank) ? LayoutNeed::either : LayoutNeed::original;
}

void register_strided_slice(OpRegistry& registry) { registry.add<StridedSlice>(); }

}  // namespace mo::ops
