#include <algorithm>

#include "ops/convolution.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/sliding_window.hpp"

namespace mo::transformations {
namespace {

/// x without the last `count` elements of its last dimension, which has `length`.
Value without_last(Rewriter& rw, const Value& x, std::int64_t length, std::int64_t count) {
  const std::size_t rank = x.type().shape.size();
  ops::StridedSlice op;
  op.begin_mask.assign(rank, 1);  // 1: the bound is ignored
  op.end_mask.assign(rank, 1);
  op.end_mask.back() = 0;
  std::vector<std::int64_t> end(rank, 0);
  end.back() = length - count;
  return rw.create(std::move(op), x, rw.integers(std::vector<std::int64_t>(rank, 0)), rw.integers(end),
                   rw.integers(std::vector<std::int64_t>(rank, 1)));
}

/// [O, 1, …], or [1, O, 1, …] of one group.
template <class T>
bool are_of_one_channel(const PartialShape& filters) {
  if constexpr (std::is_same_v<T, ops::GroupConvolution>)
    return filters[0] == Dimension(1) && filters[2] == Dimension(1);
  else
    return filters[1] == Dimension(1);
}

/// convolution(x), whose windows have one place along the last dimension -> convolution without strides there of what
/// the windows see.
template <class T>
Replacement of_what_is_seen(const Node& node, Rewriter& rw) {
  T op = *node.as<T>();
  const PartialShape& data = node.input_type(0).shape;
  const PartialShape& result = node.output_type().shape;
  const auto kernel = kernel_of(node.input(1), std::is_same_v<T, ops::GroupConvolution>);
  if (!kernel || kernel->size() < 2 || !result.has_rank() || !data.has_rank())
    return declined("fewer dimensions, or unknown ones");
  const std::size_t count = kernel->size();
  const Dimension& columns = data[count + 1];
  if (result[count + 1] != Dimension(1) || !columns.is_known()) return declined("not known to make one column");
  if (result[count] == Dimension(1)) return declined("one row");
  if (!are_of_one_channel<T>(node.input_type(1).shape)) return declined("several channels");
  const auto last = ops::window_axis({op.strides, op.pads_begin, op.pads_end, op.dilations}, count - 1);
  if (last.stride == 1 || last.dilation != 1 || kernel->back() == 1) return declined("no strides, or elements apart");
  const auto pads = pads_of({op.strides, op.pads_begin, op.pads_end, op.dilations, op.auto_pad}, *kernel,
                            *spatial_dimensions(data, op.layout, count));
  if (!pads) return declined("the padding depends on unknown sizes");
  op.auto_pad = ops::AutoPad::explicit_pads;
  op.pads_begin = pads->begin;
  op.pads_end = pads->end;
  const std::int64_t unseen = columns.value() + op.pads_begin.back() + op.pads_end.back() - kernel->back();
  const std::int64_t of_data = std::max<std::int64_t>(0, unseen - op.pads_end.back());
  if (of_data >= columns.value()) return declined("the window sees padding only");
  op.pads_end.back() -= unseen - of_data;
  op.strides.back() = 1;
  const Value seen = of_data == 0 ? node.input(0) : without_last(rw, node.input(0), columns.value(), of_data);
  return rw.create(std::move(op), seen, node.input(1));
}

}  // namespace

void register_strides_of_one_column(PassRegistry& passes) {
  passes.add(
      avoid_fault("StridesOfOneColumn",
                  {.form = "Convolution of one channel with strides, whose windows have one place along the "
                           "last dimension and several along the one before",
                   .symptom = "wrong values in all rows but the first",
                   .first = "2024.6",
                   .last = "latest",
                   .replacement = "StridedSlice of the elements in the windows, Convolution without the strides"})
          .add(lowering<ops::Convolution>("OfWhatIsSeen", of_what_is_seen<ops::Convolution>))
          .add(lowering<ops::GroupConvolution>("GroupOfWhatIsSeen", of_what_is_seen<ops::GroupConvolution>)));
}

}  // namespace mo::transformations
