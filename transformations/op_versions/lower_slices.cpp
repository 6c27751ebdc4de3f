#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"
#include "ops/shape_of.hpp"
#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/strided_slice.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

RewriteRule slice() {
  return rewrite("LoweredSlice").match(op<ops::Slice>()).rule([](const Match& m, Rewriter& rw) -> Replacement {
    const Value made = as_strided_slice(m.root().node(), rw);
    return made ? Replacement(made) : Replacement::declined();
  });
}

/// Gather with indices that may be negative: constants are made non-negative, others go through Select(i < 0, i +
/// dimension, i).
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
      length = rw.create(ops::v1::Gather{}, rw.create(ops::ShapeOf{.output_type = type}, node.input(0)),
                         rw.scalar<std::int64_t>(*axis), rw.scalar<std::int64_t>(0));
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
  passes.add(graph_rewrite("LowerSlices")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(where_too_new(slice()))
                 .add(where_too_new(gather())));
}

}  // namespace mo::transformations
