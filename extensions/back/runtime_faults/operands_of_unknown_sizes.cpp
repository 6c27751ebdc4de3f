#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/col2im.hpp"
#include "ops/reshape.hpp"
#include "ops/roi_align.hpp"
#include "ops/roi_pooling.hpp"

namespace mo::back {
namespace {

using Sizes = std::vector<std::int64_t>;

/// The last dimension of input `i` is not known.
bool is_open(const Node& node, std::size_t i) {
  if (i >= node.in_port_count() || !node.input(i)) return false;
  const PartialShape& shape = node.input_type(i).shape;
  return !shape.has_rank() || shape.size() == 0 || !shape[shape.size() - 1].is_known();
}

/// `node` with the inputs from `first` to `last` that are open reshaped to `sizes`, which its definition gives them.
Replacement with_sizes(const Node& node, std::size_t first, std::size_t last, const Sizes& sizes, Rewriter& rw) {
  std::vector<Value> inputs = inputs_of(node);
  bool any = false;
  for (std::size_t i = first; i <= last; ++i) {
    if (!is_open(node, i)) continue;
    inputs[i] = rw.create(ops::Reshape{.special_zero = false}, inputs[i], rw.integers(sizes));
    any = true;
  }
  if (!any) return declined("the sizes are known");
  return rw.copy_with_new_inputs(node, inputs).output();
}

/// As many bounds as the masks have numbers.
Replacement bounds(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::StridedSlice>();
  std::size_t count = 0;
  for (const Sizes* mask : {&op.begin_mask, &op.end_mask, &op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask})
    count = std::max(count, mask->size());
  if (count == 0) return declined("no mask says how many bounds there are");
  return with_sizes(node, 1, 3, {static_cast<std::int64_t>(count)}, rw);
}

Replacement sizes_of_images(const Node& node, Rewriter& rw) { return with_sizes(node, 1, 2, {2}, rw); }
Replacement boxes(const Node& node, Rewriter& rw) { return with_sizes(node, 1, 1, {-1, 4}, rw); }
Replacement boxes_of_images(const Node& node, Rewriter& rw) { return with_sizes(node, 1, 1, {-1, 5}, rw); }

}  // namespace

void register_operands_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("OperandsOfUnknownSizes",
                         {.form = "StridedSlice with an unknown number of bounds, Col2Im of sizes, ROIAlign or ROIPooling of columns of boxes",
                          .symptom = "the model is not read or not compiled, although the op has one such number",
                          .first = "2022.1",
                          .last = "latest",
                          .replacement = "Reshape of the operand to the number that it has"})
                 .add(lowering<ops::StridedSlice>("NumberOfBounds", bounds))
                 .add(lowering<ops::Col2Im>("NumberOfSizes", sizes_of_images))
                 .add(lowering<ops::v3::ROIAlign>("ColumnsOfROIAlign3", boxes))
                 .add(lowering<ops::v9::ROIAlign>("ColumnsOfROIAlign9", boxes))
                 .add(lowering<ops::ROIPooling>("ColumnsOfROIPooling", boxes_of_images)));
}

}  // namespace mo::back
