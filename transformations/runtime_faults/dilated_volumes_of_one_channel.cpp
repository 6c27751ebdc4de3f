#include <algorithm>

#include "ops/concat.hpp"
#include "ops/convolution.hpp"
#include "ops/squeeze.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A filter of three spatial dimensions, of one channel that makes one channel, whose elements are apart along the
/// first or the second.
template <class T>
bool is_faulty(const T& op, const PartialShape& filters) {
  constexpr std::size_t kSpatial = 3;
  if (op.dilations.size() != kSpatial || !filters.has_rank()) return false;
  const auto is_one = [](const Dimension& size) { return size == Dimension(1); };
  const auto spatial = filters.end() - static_cast<std::ptrdiff_t>(kSpatial);
  return std::all_of(filters.begin(), spatial, is_one) && (op.dilations[0] != 1 || op.dilations[1] != 1);
}

/// convolution(x, w) -> the first channel of convolution(x, [w, w]).
Value first_of_two_channels(ops::Convolution op, const Value& data, const Value& filters, Rewriter& rw) {
  const Value twice = rw.fold(ops::Concat{.axis = 0}, filters, filters);
  const Value both = rw.create(std::move(op), data, twice);
  return rw.create(ops::StridedSlice{.begin_mask = {1, 0}, .end_mask = {1, 0}}, both, rw.integers({0, 0}),
                   rw.integers({0, 1}), rw.integers({1, 1}));
}

Replacement convolution(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Convolution>();
  if (!is_faulty(op, node.input_type(1).shape)) return declined("not a dilated volume of one channel that makes one");
  return first_of_two_channels(op, node.input(0), node.input(1), rw);
}

Replacement group_convolution(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::GroupConvolution>();
  if (!is_faulty(op, node.input_type(1).shape)) return declined("not a dilated volume of one channel that makes one");
  const Value filters = rw.fold(ops::Squeeze{}, node.input(1), rw.integers({0}));
  return first_of_two_channels({op.strides, op.pads_begin, op.pads_end, op.dilations, op.auto_pad}, node.input(0),
                               filters, rw);
}

}  // namespace

void register_dilated_volumes_of_one_channel(PassRegistry& passes) {
  passes.add(
      avoid_fault("DilatedVolumesOfOneChannel",
                  {.form = "Convolution of three spatial dimensions, dilated along the first or the second, of "
                           "one channel that makes one channel",
                   .symptom = "wrong values, from outside of the data; from 2022.3 on where sizes are unknown, from "
                              "2023.3 on without AVX-512",
                   .first = "2022.1",
                   .last = "latest",
                   .replacement = "Convolution that makes two channels, StridedSlice"})
          .add(lowering<ops::Convolution>("DilatedConvolution", convolution))
          .add(lowering<ops::GroupConvolution>("DilatedGroupConvolution", group_convolution)));
}

}  // namespace mo::transformations
