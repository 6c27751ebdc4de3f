#include <algorithm>

#include "core/graph/values.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/runtime_faults/support/views.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A Reshape to as many dimensions, or a Transpose that is as good as one.
bool is_reshaped(const InPort& reader) {
  const Node node = reader.node();
  if (reader.index() != 0) return false;
  return node.is<ops::Reshape>() ? node.output_type().rank() == node.input_type(0).rank() : moves_only_ones(node);
}

/// reduce(x, axes) -> squeeze(reduce(x, axes) with keep_dims, axes).
Replacement squeezed(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  const auto axes = integers_of(node.input(1));
  if (keeps_dimensions(kind, node) || !node.output_type().rank() || !axes)
    return declined("with keep_dims, or of unknown rank or axes");
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(), is_reshaped))
    return declined("no Reshape to as many dimensions reads it, nor a Transpose of dimensions of size 1");
  return rw.create(ops::Squeeze{}, reduced_with_dimensions(rw, kind, node.input(0), node.input(1)), rw.integers(*axes));
}

}  // namespace

void register_rearranged_reductions(PassRegistry& passes) {
  passes.add(with_all_reductions(
      avoid_fault("RearrangedReductions", {.form = "reduction without keep_dims, read by a Reshape to as many "
                                                   "dimensions or a Transpose of dimensions of size 1",
                                           .symptom = "the result has the shape of the reduction",
                                           .first = "2024.6",
                                           .last = "latest",
                                           .replacement = "the reduction with keep_dims, Squeeze"}),
      squeezed));
}

}  // namespace mo::transformations
