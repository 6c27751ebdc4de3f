#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "extensions/back/lowering.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"
#include "ops/shape_of.hpp"
#include "ops/slice.hpp"
#include "ops/strided_slice.hpp"

namespace mo::back {
namespace {

using namespace pattern;

/// Slice(x, start, stop, step, axes) -> StridedSlice with one entry for each dimension; axes and steps must be known.
RewriteRule slice() {
  const Pat root = op<ops::Slice>();
  return rewrite("SliceToStridedSlice").match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    const auto rank = node.input_type(0).rank();
    const auto starts = integers_of(node.input(1));
    const auto stops = integers_of(node.input(2));
    const auto steps = integers_of(node.input(3));
    if (!rank || !starts || !stops || !steps) return Replacement::declined();
    std::vector<std::int64_t> axes;
    if (node.input(4)) {
      const auto given = integers_of(node.input(4));
      if (!given) return Replacement::declined();
      axes = *given;
    } else {
      for (std::size_t i = 0; i < starts->size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    }
    const auto dims = static_cast<std::size_t>(*rank);
    std::vector<std::int64_t> begin(dims, 0);
    std::vector<std::int64_t> end(dims, 0);
    std::vector<std::int64_t> stride(dims, 1);
    ops::StridedSlice made;
    made.begin_mask.assign(dims, 1);  // opset1: 1 means that the bound is ignored
    made.end_mask.assign(dims, 1);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto axis = normalize_axis(axes[i], *rank);
      if (!axis || i >= starts->size() || i >= stops->size() || i >= steps->size()) return Replacement::declined();
      const auto a = static_cast<std::size_t>(*axis);
      // Runtimes of this generation compute in 32 bits.
      const auto limited = [](std::int64_t v) { return std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX); };
      begin[a] = limited((*starts)[i]);
      end[a] = limited((*stops)[i]);
      stride[a] = (*steps)[i];
      made.begin_mask[a] = made.end_mask[a] = 0;
      // With a negative step, a stop before the first element means "to the end", which -dimension-1 and less cannot say: ignore the bound.
      const Dimension& size = node.input_type(0).shape[a];
      if (stride[a] < 0 && size.is_known() && (*stops)[i] < -size.value()) made.end_mask[a] = 1;
    }
    return rw.create(std::move(made), node.input(0), rw.integers(begin), rw.integers(end), rw.integers(stride));
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
    if (size.is_known()) {
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

/// Slice and Gather with indices of any sign, which IR version 10 does not have, said with older ops.
void register_lower_to_v10(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerToV10").phase(Phase::back).run_after({"LowerOpSets"}).when(is_for_v10).add(slice()).add(gather()));
}

}  // namespace mo::back
