#include "ops/build/lengths.hpp"
#include "ops/col2im.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/sizes_of_operands.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Col2Im(x, sizes, …) -> Col2Im(Reshape(x, [0, min(sizes, 0)]), sizes, …), where 0 is "as in x": its sizes are unknown
/// then until the model runs.
Replacement columns_of_unknown_sizes(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.input_type(0).shape;
  if (!shape.is_static()) return declined("the sizes of the columns are unknown");
  const bool has_computed_image = is_computed(node.input(1));
  if (!has_computed_image && !is_computed(node.input(2)))
    return declined("the sizes of the image and of a block are constants");
  const Value sizes = build::as_i64(rw, node.input(has_computed_image ? 1 : 2));
  const Value pair =
      sizes.type().shape.is_static() ? sizes : rw.create(ops::Reshape{.special_zero = false}, sizes, rw.integers({2}));
  Value as_they_are = rw.create(ops::Minimum{}, pair, rw.integers({0}));
  if (*shape.rank() == 3) as_they_are = build::join(rw, {rw.integers({0}), as_they_are});
  std::vector<Value> inputs = inputs_of(node);
  inputs[0] = rw.create(ops::Reshape{.special_zero = true}, node.input(0), as_they_are);
  return rw.copy_with_new_inputs(node, inputs).output();
}

}  // namespace

void register_columns_of_computed_images(PassRegistry& passes) {
  passes.add(avoid_fault("ColumnsOfComputedImages",
                         {.form = "Col2Im of columns of known sizes, to computed sizes of an image or of a block",
                          .symptom = "a crash",
                          .first = "2024.6",
                          .last = "2025.4",
                          .replacement = "Reshape of the columns to sizes that are computed"})
                 .add(lowering<ops::Col2Im>("ColumnsOfUnknownSizes", columns_of_unknown_sizes)));
}

}  // namespace mo::transformations
