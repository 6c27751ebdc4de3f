#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "extensions/back/support/views.hpp"

namespace mo::back {
namespace {

/// Reshape(Squeeze(x)), where something else reads the Squeeze, -> Reshape(x) to the same shape. Likewise for all ops that give other dimensions.
Replacement view_of_source(const Node& node, Rewriter& rw) {
  const Value view = node.input(0);
  if (!is_view(view.node()) || view.has_one_destination()) return declined("not of a view that another op reads");
  const PartialShape& shape = node.output_type().shape;
  if (!shape.has_rank() || shape.size() == 0) return declined("the rank of the result is unknown, or it is a scalar");
  std::vector<std::int64_t> sizes;
  for (const Dimension& size : shape) sizes.push_back(size.is_known() ? size.value() : -1);
  if (std::count(sizes.begin(), sizes.end(), -1) > 1) return declined("several sizes are unknown");
  if (std::count(sizes.begin(), sizes.end(), 0) > 0) return declined("no elements");
  // The first dimension as in the source, where it is the same: the IR still takes another batch.
  const Value source = view.node().input(0);
  const PartialShape& from = source.type().shape;
  const bool keeps_batch = from.has_rank() && from.size() > 0 && from[0] == shape[0];
  if (keeps_batch) sizes[0] = 0;
  return rw.create(ops::Reshape{.special_zero = keeps_batch}, source, rw.integers(sizes));
}

}  // namespace

void register_views_of_shared_views(PassRegistry& passes) {
  passes.add(avoid_fault("ViewsOfSharedViews", {.form = "Reshape, Squeeze or Unsqueeze of what one of them makes, and another op reads, too",
                                                .symptom = "an op that reads one of both overwrites what the reader of the other gets",
                                                .first = "2023.3",
                                                .last = "2023.3",
                                                .replacement = "Reshape of the input of the first"})
                 .add(lowering<ops::Reshape>("ReshapeOfSource", view_of_source))
                 .add(lowering<ops::Squeeze>("SqueezeOfSource", view_of_source))
                 .add(lowering<ops::Unsqueeze>("UnsqueezeOfSource", view_of_source)));
}

}  // namespace mo::back
