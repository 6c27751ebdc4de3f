#include <algorithm>

#include "ops/build/tensors.hpp"
#include "ops/col2im.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/non_max_suppression.hpp"
#include "ops/roi_align.hpp"
#include "ops/roi_pooling.hpp"
#include "ops/sparse_fill_empty_rows.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/sizes_of_operands.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using Places = std::vector<std::int64_t>;

/// As many bounds as the masks have numbers.
Replacement bounds(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::StridedSlice>();
  std::size_t count = 0;
  for (const Places* mask : {&op.begin_mask, &op.end_mask, &op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask})
    count = std::max(count, mask->size());
  if (count == 0) return declined("no mask says how many bounds there are");
  return with_sizes(node, 1, 3, {static_cast<std::int64_t>(count)}, rw);
}

Replacement sizes_of_images(const Node& node, Rewriter& rw) { return with_sizes(node, 1, 2, {2}, rw); }
Replacement boxes(const Node& node, Rewriter& rw) { return with_sizes(node, 1, 1, {-1, 4}, rw); }
Replacement boxes_of_images(const Node& node, Rewriter& rw) { return with_sizes(node, 1, 1, {-1, 5}, rw); }

/// Boxes [batch, count, 5] with known columns only.
Replacement turned_boxes(const Node& node, Rewriter& rw) {
  if (!is_open(node, 0)) return declined("the columns are known");
  std::vector<Value> inputs = inputs_of(node);
  inputs[0] = rw.create(ops::Reshape{.special_zero = true}, inputs[0], rw.integers({0, -1, 5}));
  return rw.copy_with_new_inputs(node, inputs).out_ports();
}

/// A list of values of known rank only.
Replacement values_of_matrix(const Node& node, Rewriter& rw) {
  if (node.input_type(0).shape.has_rank()) return declined("the rank of the values is known");
  std::vector<Value> inputs = inputs_of(node);
  inputs[0] = rw.create(ops::Reshape{.special_zero = false}, inputs[0], rw.integers({-1}));
  return rw.copy_with_new_inputs(node, inputs).out_ports();
}

/// An order that may be empty, which reverses the dimensions -> the first elements of it and of the reversed order.
Replacement order(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  if (!rank || *rank < 2 || !is_open(node, 1))
    return declined("the number of dimensions is unknown, or the order's is known");
  Places places;
  Places reversed;
  for (std::int64_t place = 0; place < *rank; ++place) {
    places.push_back(place);
    reversed.push_back(*rank - 1 - place);
  }
  const Value given = build::as_type(rw, node.input(1), ElementType::i64);
  const Value both = rw.create(ops::Concat{.axis = 0}, given, rw.integers(reversed));
  return rw.create(ops::Transpose{}, node.input(0),
                   rw.create(ops::v1::Gather{}, both, rw.integers(places), rw.scalar<std::int64_t>(0)));
}

}  // namespace

void register_operands_of_unknown_sizes(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "OperandsOfUnknownSizes",
          {.form = "StridedSlice with an unknown number of bounds, Transpose of places, Col2Im of sizes, ROIAlign, "
                   "ROIPooling or NMSRotated of columns of boxes, SparseFillEmptyRows of values",
           .symptom = "the model is not read or not compiled, although the op has one such number",
           .first = "2022.1",
           .last = "latest",
           .replacement = "Reshape of the operand to the number that it has; an order that may be empty is completed"})
          .add(lowering<ops::StridedSlice>("NumberOfBounds", bounds))
          .add(lowering<ops::Transpose>("NumberOfPlaces", order))
          .add(lowering<ops::Col2Im>("NumberOfSizes", sizes_of_images))
          .add(lowering<ops::v3::ROIAlign>("ColumnsOfROIAlign3", boxes))
          .add(lowering<ops::v9::ROIAlign>("ColumnsOfROIAlign9", boxes))
          .add(lowering<ops::ROIPooling>("ColumnsOfROIPooling", boxes_of_images))
          .add(lowering<ops::NMSRotated>("ColumnsOfNMSRotated", turned_boxes))
          .add(lowering<ops::SparseFillEmptyRows>("RankOfSparseValues", values_of_matrix)));
}

}  // namespace mo::transformations
