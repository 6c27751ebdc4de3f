#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/mvn.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/convolved.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Over each plane, or all planes of an image: the runtime has an op for it. Of other axes it makes single steps
/// (ConvolvedQuotients).
bool is_over_planes(std::vector<std::int64_t> axes, std::int64_t rank) {
  for (std::int64_t& axis : axes) axis = normalize_axis(axis, rank).value_or(axis);
  for (std::int64_t plane = 2; plane < rank; ++plane)
    if (std::count(axes.begin(), axes.end(), plane) == 0) return false;
  return std::count(axes.begin(), axes.end(), 0) == 0;
}

/// MVN(x) -> ShuffleChannels(MVN(x)) in one group: a copy whose memory has no room after the channels.
template <OpLike T>
Replacement copied_normalization(const Node& node, Rewriter& rw) {
  const TensorType& type = node.output_type();
  if (!leaves_room_behind_channels(type))
    return declined("not floating-point data of three to five dimensions, or a multiple of 16 channels");
  std::optional<std::vector<std::int64_t>> axes;
  if constexpr (std::is_same_v<T, ops::v6::MVN>) {
    axes = integers_of(node.input(1));
    if (!axes) return declined("computed axes");
  } else if (!node.as<T>()->reduction_axes.empty()) {
    axes = node.as<T>()->reduction_axes;
  }
  if (axes && !is_over_planes(*axes, *type.rank())) return declined("not over whole planes");
  if (!is_convolved(node.output())) return declined("no convolution reads it");
  std::vector<Value> inputs{node.input(0)};
  if (node.in_port_count() > 1) inputs.push_back(node.input(1));
  return copied_without_room(rw, rw.create_node(*node.as<T>(), inputs).output());
}

}  // namespace

void register_convolved_normalization(PassRegistry& passes) {
  passes.add(avoid_fault("ConvolvedNormalization",
                         {.form = "MVN over planes before a convolution, with channels that are not a multiple of 16",
                          .symptom = "NaN at times: what was in the memory after the channels",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "MVN, ShuffleChannels of one group"})
                 .add(lowering<ops::v0::MVN>("ConvolvedMvn2", copied_normalization<ops::v0::MVN>))
                 .add(lowering<ops::v6::MVN>("ConvolvedMvn6", copied_normalization<ops::v6::MVN>)));
}

}  // namespace mo::transformations
