#include "ops/reduce.hpp"
#include "ops/soft_max.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/views.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A reduction over dimensions of size 1 alone, for which the runtime gives the same elements other dimensions.
bool reduces_only_ones(const Node& node) {
  if (!node.is<ops::ReduceMax>() && !node.is<ops::ReduceMean>() && !node.is<ops::ReduceSum>()) return false;
  const auto before = node.input_type(0).shape.element_count();
  return before && before == node.output_type().shape.element_count();
}

/// SoftMax(Transpose(Reshape(x))), where something else reads x, -> SoftMax(Reshape(x)), if the Transpose moves only
/// dimensions of size 1. Likewise for all chains of ops that give other dimensions, reductions of dimensions of size 1
/// among them. The runtime joins Reshapes itself.
template <OpLike T>
Replacement of_one_view(const Node& node, Rewriter& rw) {
  Value source = node.input(0);
  int views = 0;
  bool has_other = false;
  bool is_shared = false;
  for (; is_view(source.node()) || moves_only_ones(source.node()) || reduces_only_ones(source.node()); ++views) {
    has_other |= !is_view(source.node());
    source = source.node().input(0);
    is_shared |= !source.has_one_destination();
  }
  if (views < 2 || !has_other) return declined("not of several views, one of which is a Transpose or a reduction");
  if (!is_shared) return declined("nothing else reads what the views are of");
  const Value view = viewed_as(rw, source, node.input_type(0).shape);
  if (!view) return declined("several sizes are unknown");
  return rw.create(*node.as<T>(), view);
}

}  // namespace

void register_soft_max_of_views(PassRegistry& passes) {
  passes.add(avoid_fault("SoftMaxOfViews", {.form = "SoftMax of a Transpose or a reduction of dimensions of size 1, of "
                                                    "or before another view, of a tensor that another op reads, too",
                                            .symptom = "it overwrites the tensor before the other op reads it",
                                            .first = "2021.4",
                                            .last = "2022.3",
                                            .replacement = "one Reshape"})
                 .add(lowering<ops::v1::SoftMax>("OfOneView", of_one_view<ops::v1::SoftMax>))
                 .add(lowering<ops::v8::SoftMax>("OfOneViewV8", of_one_view<ops::v8::SoftMax>)));
}

}  // namespace mo::transformations
