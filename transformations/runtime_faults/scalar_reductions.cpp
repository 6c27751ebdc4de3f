#include "ops/reshape.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// reduce(x, axes) of all dimensions -> the same with keep_dims, whose one element becomes a scalar afterwards.
Replacement reshaped_to_scalar(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  if (keeps_dimensions(kind, node) || node.output_type().rank() != 0)
    return declined("the result is not known to be a scalar");
  if (!rank || *rank == 0) return declined("the data is a scalar, or of unknown rank");
  const Value kept = reduced_with_dimensions(rw, kind, node.input(0), node.input(1));
  return rw.create(ops::Reshape{}, kept, rw.integers({}));
}

}  // namespace

void register_scalar_reductions(PassRegistry& passes) {
  passes.add(with_all_reductions(
      avoid_fault(
          "ScalarReductions",
          {.form = "reduction without keep_dims whose result is a scalar",
           .symptom = "readers take the result for a tensor of four dimensions: shapes change, or nothing is computed",
           .first = "2021.4",
           .last = "2021.4",
           .replacement = "the reduction with keep_dims, Reshape to a scalar"}),
      reshaped_to_scalar));
}

}  // namespace mo::transformations
