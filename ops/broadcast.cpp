#include "ops/broadcast.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/expand.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {
namespace {

enum class Alignment { last, listed, at_axis, both_ways };

Alignment alignment_of(v1::BroadcastMode mode) {
  return mode == v1::BroadcastMode::numpy  ? Alignment::last
         : mode == v1::BroadcastMode::pdpd ? Alignment::at_axis
                                           : Alignment::listed;
}
Alignment alignment_of(v3::BroadcastMode mode) {
  switch (mode) {
    case v3::BroadcastMode::numpy: return Alignment::last;
    case v3::BroadcastMode::bidirectional: return Alignment::both_ways;
    case v3::BroadcastMode::pdpd: return Alignment::at_axis;
    default: return Alignment::listed;
  }
}

/// The dimension of the target at which each data dimension lies, or nothing when they do not fit in.
std::optional<std::vector<std::size_t>> places_of(Alignment alignment, std::int64_t axis, std::size_t rank,
                                                  std::size_t target_rank, const std::vector<std::int64_t>& mapping) {
  std::vector<std::size_t> places(rank);
  if (alignment == Alignment::listed) {
    if (mapping.size() != rank) return std::nullopt;
    for (std::size_t i = 0; i < rank; ++i) {
      if (mapping[i] < 0 || mapping[i] >= static_cast<std::int64_t>(target_rank) ||
          (i > 0 && mapping[i] <= mapping[i - 1]))
        return std::nullopt;
      places[i] = static_cast<std::size_t>(mapping[i]);
    }
    return places;
  }
  if (rank > target_rank) return std::nullopt;
  std::size_t first = target_rank - rank;
  if (alignment == Alignment::at_axis && axis != -1) {
    if (axis < 0 || axis > static_cast<std::int64_t>(first)) return std::nullopt;
    first = static_cast<std::size_t>(axis);
  }
  for (std::size_t i = 0; i < rank; ++i) places[i] = first + i;
  return places;
}

Diagnostic misfit(const InferContext& ctx, const PartialShape& data, const PartialShape& target) {
  return ctx.error("MO-OPS-0213", "{} cannot be broadcast to {}", data.to_string(), target.to_string())
      .hint(
          "each dimension must be 1 or that of the target (and axes_mapping must name one target dimension for each, "
          "in order); check --input_shape");
}

Expected<PartialShape> stretched(const InferContext& ctx, const PartialShape& data, PartialShape target,
                                 const std::vector<std::size_t>& places) {
  const PartialShape wanted = target;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Dimension& t = target[places[i]];
    if (!data[i].compatible(1) && !data[i].compatible(t)) return misfit(ctx, data, wanted);
    if (!t.is_known() && !data[i].compatible(1)) t = t.merge(data[i]).value_or(data[i]);
  }
  return target;
}

Expected<void> infer_broadcast(InferContext& ctx, Alignment alignment, std::int64_t axis) {
  MO_TRY(ctx.expect_inputs(alignment == Alignment::listed ? 3 : 2, 3));
  MO_TRY(expect_integers(ctx, {2}));
  // Where axes mean nothing, opset1 has a third input all the same: a scalar by default.
  if (alignment == Alignment::listed) MO_TRY(ctx.expect_rank(2, 1, 1));
  const TensorType& data = ctx.input(0);
  MO_ASSIGN(PartialShape target, described_shape(ctx, 1));
  if (alignment == Alignment::both_ways) {
    MO_ASSIGN(target, broadcast_shapes(ctx, data.shape, target));
  } else if (target.has_rank() && data.shape.has_rank()) {
    const auto mapping = alignment == Alignment::listed ? ctx.integers(2) : std::vector<std::int64_t>();
    if (mapping) {
      const auto places = places_of(alignment, axis, data.shape.size(), target.size(), *mapping);
      if (!places) return misfit(ctx, data.shape, target);
      MO_ASSIGN(target, stretched(ctx, data.shape, std::move(target), *places));
    }
  }
  ctx.output(0, data.element_type, std::move(target));
  return {};
}

template <class T>
Expected<void> evaluate_broadcast(EvalContext& ctx, const T& op) {
  if (moves_packed_elements(ctx, T::traits.moves_elements)) return evaluate_by_ids(ctx, op);
  const Alignment alignment = alignment_of(op.mode);
  std::vector<std::int64_t> mapping;
  if (alignment == Alignment::listed) { MO_ASSIGN(mapping, ctx.integers(2)); }
  const auto places = places_of(alignment, op.axis, ctx.input(0).shape().size(), ctx.output(0).shape().size(), mapping);
  MO_ASSERT(places.has_value(), "inference has checked how the shapes fit");
  reference::stretch(ctx.input(0), *places, ctx.output(0));
  return {};
}

}  // namespace

Expected<void> v1::Broadcast::infer(InferContext& ctx) const { return infer_broadcast(ctx, alignment_of(mode), axis); }
Expected<void> v1::Broadcast::evaluate(EvalContext& ctx) const { return evaluate_broadcast(ctx, *this); }

Expected<void> v3::Broadcast::infer(InferContext& ctx) const { return infer_broadcast(ctx, alignment_of(mode), axis); }
Expected<void> v3::Broadcast::evaluate(EvalContext& ctx) const { return evaluate_broadcast(ctx, *this); }

LayoutNeed v1::Broadcast::layout_need(const InferContext&) const {
  return alignment_of(mode) == Alignment::last ? LayoutNeed::either : LayoutNeed::original;
}
LayoutNeed v3::Broadcast::layout_need(const InferContext&) const {
  const Alignment alignment = alignment_of(mode);
  return alignment == Alignment::last || alignment == Alignment::both_ways ? LayoutNeed::either : LayoutNeed::original;
}

void register_broadcast(OpRegistry& registry) {
  registry.add<v1::Broadcast>();
  registry.add<v3::Broadcast>();
}

}  // namespace mo::ops
