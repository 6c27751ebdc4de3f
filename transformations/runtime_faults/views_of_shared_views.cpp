#include "transformations/runtime_faults/support/views.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Reshape(Squeeze(x)), where something else reads the Squeeze, -> Reshape(x) to the same shape. Likewise for all ops
/// that give other dimensions.
Replacement view_of_source(const Node& node, Rewriter& rw) {
  const Value view = node.input(0);
  if (!is_view(view.node()) || view.has_one_destination()) return declined("not of a view that another op reads");
  const Value made = viewed_as(rw, view.node().input(0), node.output_type().shape);
  return made ? Replacement(made)
              : declined("the rank or several sizes of the result are unknown, or it is a scalar or without elements");
}

}  // namespace

void register_views_of_shared_views(PassRegistry& passes) {
  passes.add(avoid_fault("ViewsOfSharedViews",
                         {.form = "Reshape, Squeeze or Unsqueeze of what one of them makes, and another op reads, too",
                          .symptom = "an op that reads one of both overwrites what the reader of the other gets",
                          .first = "2023.3",
                          .last = "2023.3",
                          .replacement = "Reshape of the input of the first"})
                 .add(lowering<ops::Reshape>("ReshapeOfSource", view_of_source))
                 .add(lowering<ops::Squeeze>("SqueezeOfSource", view_of_source))
                 .add(lowering<ops::Unsqueeze>("UnsqueezeOfSource", view_of_source)));
}

}  // namespace mo::transformations
