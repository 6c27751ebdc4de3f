#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "extensions/back/lowering.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"
#include "ops/shape_of.hpp"
#include "ops/slice.hpp"
#include "ops/strided_slice.hpp"

namespace mo::back {
namespace {

using namespace pattern;

/// One list with an element of `given` at each of `places`, `blank` elsewhere: a constant, or put together when the model runs.
Value spread(Rewriter& rw, const Value& given, const std::vector<std::size_t>& places, std::size_t count, std::int64_t blank) {
  if (given.node().is<Const>()) {
    const auto numbers = integers_of(given);
    if (!numbers || numbers->size() < places.size()) return {};
    std::vector<std::int64_t> all(count, blank);
    // Runtimes of this generation compute in 32 bits.
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = std::clamp<std::int64_t>((*numbers)[i], INT32_MIN, INT32_MAX);
    return rw.integers(all);
  }
  const Value list = given.type().element_type == ElementType::i64 ? given : rw.create(ops::Convert{.destination_type = ElementType::i64}, given);
  std::vector<std::int64_t> order(count, static_cast<std::int64_t>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) order[places[i]] = static_cast<std::int64_t>(i);
  const Value with_blank = rw.create(ops::Concat{.axis = 0}, list, rw.integers({blank}));
  return rw.create(ops::v1::Gather{}, with_blank, rw.integers(order), rw.scalar<std::int64_t>(0));
}

/// Slice(x, start, stop, step, axes) -> StridedSlice with one entry for each dimension; axes and steps must be known. Computed bounds stay
/// computed, so that the model can be reshaped.
RewriteRule slice() {
  const Pat root = op<ops::Slice>();
  return rewrite("SliceToStridedSlice").match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    const auto rank = node.input_type(0).rank();
    const auto stops = integers_of(node.input(2));
    const auto steps = integers_of(node.input(3));
    const PartialShape& starts = node.input_type(1).shape;
    if (!rank || !steps || !starts.has_rank() || starts.size() != 1 || !starts[0].is_known()) return Replacement::declined();
    const auto count = static_cast<std::size_t>(starts[0].value());
    std::vector<std::int64_t> axes;
    if (node.input(4)) {
      const auto given = integers_of(node.input(4));
      if (!given) return Replacement::declined();
      axes = *given;
    } else {
      for (std::size_t i = 0; i < count; ++i) axes.push_back(static_cast<std::int64_t>(i));
    }
    const auto dims = static_cast<std::size_t>(*rank);
    std::vector<std::int64_t> stride(dims, 1);
    std::vector<std::size_t> places;
    ops::StridedSlice made;
    made.begin_mask.assign(dims, 1);  // opset1: 1 means that the bound is ignored
    made.end_mask.assign(dims, 1);
    if (axes.size() != count || steps->size() != count) return Replacement::declined();
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto axis = normalize_axis(axes[i], *rank);
      if (!axis) return Replacement::declined();
      const auto a = static_cast<std::size_t>(*axis);
      places.push_back(a);
      stride[a] = (*steps)[i];
      made.begin_mask[a] = made.end_mask[a] = 0;
      if (stride[a] > 0) continue;
      // With a negative step, a stop before the first element means "to the end", which -dimension-1 and less cannot say: ignore the bound.
      const Dimension& size = node.input_type(0).shape[a];
      if (!stops) return Replacement::declined();
      if (size.is_known() && (*stops)[i] < -size.value()) made.end_mask[a] = 1;
    }
    const Value begin = spread(rw, node.input(1), places, dims, 0);
    const Value end = spread(rw, node.input(2), places, dims, 0);
    if (!begin || !end) return Replacement::declined();
    return rw.create(std::move(made), node.input(0), begin, end, rw.integers(stride));
  });
}

/// Gather with indices that may be negative: constants are made non-negative, others go through Select(i < 0, i + dimension, i).
RewriteRule gather() {
  const Pat root = op<ops::v8::Gather>();
  return rewrite("GatherWithoutNegativeIndices").match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    const auto rank = node.input_type(0).rank();
    const auto axes = integers_of(node.input(2));
    const auto axis = rank && axes && axes->size() == 1 ? normalize_axis(axes->front(), *rank) : std::nullopt;
    if (!axis) return Replacement::declined();
    const std::int64_t batch_dims = node.as<ops::v8::Gather>()->batch_dims;
    Value indices = node.input(1);
    const ElementType type = indices.type().element_type;
    const Dimension& size = node.input_type(0).shape[static_cast<std::size_t>(*axis)];
    Value length;
    // A list of lengths has as many as there are axes, whatever shape the model gets.
    if (size.is_known() && (node.input(0).node().is<Const>() || node.input(0).node().op_type().traits.shape_of)) {
      auto tensor = from_integers(type, {}, {size.value()});
      if (!tensor) return std::move(tensor).error();
      length = rw.constant(*std::move(tensor));
    } else {
      length = rw.create(ops::v1::Gather{}, rw.create(ops::ShapeOf{.output_type = type}, node.input(0)), rw.scalar<std::int64_t>(*axis),
                         rw.scalar<std::int64_t>(0));
    }
    auto zero = from_integers(type, {}, {0});
    if (!zero) return std::move(zero).error();
    const Value negative = rw.fold(ops::Less{}, indices, rw.constant(*std::move(zero)));
    indices = rw.fold(ops::Select{}, negative, rw.fold(ops::Add{}, indices, length), indices);
    ops::v7::Gather gather;
    gather.batch_dims = batch_dims < 0 ? batch_dims + node.input_type(1).rank().value_or(0) : batch_dims;
    return rw.create(gather, node.input(0), indices, node.input(2));
  });
}

}  // namespace

/// Slice and Gather with indices of any sign, which came with op set 8, said with older ops.
void register_lower_slices(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerSlices").phase(Phase::back).run_after({"LowerOpSets"}).add(where_too_new(slice())).add(where_too_new(gather())));
}

}  // namespace mo::back
