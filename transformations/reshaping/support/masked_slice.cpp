#include "transformations/reshaping/support/masked_slice.hpp"

#include <limits>

#include "core/graph/values.hpp"
#include "transformations/support/slice_plans.hpp"

namespace mo::transformations {

void MaskedSlice::extend(std::size_t count) {
  if (begin.size() >= count) return;
  begin.resize(count, 0);
  end.resize(count, 0);
  stride.resize(count, 1);
  op.begin_mask.resize(count, 1);
  op.end_mask.resize(count, 1);
  for (auto* mask : {&op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask}) mask->resize(count, 0);
}

void MaskedSlice::shrink(std::size_t axis) {
  extend(axis + 1);
  if (op.begin_mask[axis] != 0) begin[axis] = 0;
  // No end counted from the back lies after the last element.
  end[axis] = begin[axis] == -1 ? std::numeric_limits<std::int64_t>::max() : begin[axis] + 1;
  stride[axis] = 1;
  op.begin_mask[axis] = op.end_mask[axis] = 0;
  op.shrink_axis_mask[axis] = 1;
}

Value MaskedSlice::create(Rewriter& rw, const Value& data) const {
  return rw.create(ops::StridedSlice(op), data, rw.integers(begin), rw.integers(end), rw.integers(stride));
}

std::optional<MaskedSlice> masked_slice(const Node& node) {
  const auto* op = node.as<ops::StridedSlice>();
  if (!op || any_set(op->new_axis_mask) || any_set(op->shrink_axis_mask) || any_set(op->ellipsis_mask))
    return std::nullopt;
  const auto begin = constant_integers_of(node.input(1));
  const auto end = constant_integers_of(node.input(2));
  const auto stride =
      node.input(3) ? constant_integers_of(node.input(3)) : std::vector<std::int64_t>(begin ? begin->size() : 0, 1);
  if (!begin || !end || !stride || begin->size() != end->size() || begin->size() != stride->size()) return std::nullopt;
  MaskedSlice slice{*begin, *end, *stride, *op};
  // Masks may be shorter than the bounds: what they do not speak of is not masked.
  for (auto* mask : {&slice.op.begin_mask, &slice.op.end_mask, &slice.op.new_axis_mask, &slice.op.shrink_axis_mask,
                     &slice.op.ellipsis_mask})
    mask->resize(begin->size(), 0);
  return slice;
}

}  // namespace mo::transformations
