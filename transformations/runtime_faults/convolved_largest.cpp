#include "core/graph/values.hpp"
#include "ops/top_k.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/convolved.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// TopK(x) -> ShuffleChannels(TopK(x)) in one group: a copy whose memory has no room after the channels. Indices are
/// integers, which times 0 are 0.
template <OpLike T>
Replacement copied_largest(const Node& node, Rewriter& rw) {
  const TensorType& type = node.output_type(0);
  if (!leaves_room_behind_channels(type))
    return declined("not floating-point data of three to five dimensions, or a multiple of 16 channels");
  if (normalize_axis(node.as<T>()->axis, *type.rank()) != 1) return declined("not along the channels");
  if (!is_convolved(node.output(0))) return declined("no convolution reads it");
  Outputs outputs = rw.create_node(*node.as<T>(), {node.input(0), node.input(1)}).out_ports();
  outputs[0] = copied_without_room(rw, outputs[0]);
  return outputs;
}

}  // namespace

void register_convolved_largest(PassRegistry& passes) {
  passes.add(avoid_fault("ConvolvedLargest",
                         {.form = "TopK along the channels before a convolution, with channels that are not a multiple "
                                  "of 16",
                          .symptom = "NaN at times: what was in the memory after the channels",
                          .first = "2022.1",
                          .last = "2023.3",
                          .replacement = "TopK, ShuffleChannels of one group"})
                 .add(lowering<ops::v1::TopK>("ConvolvedLargest1", copied_largest<ops::v1::TopK>))
                 .add(lowering<ops::v3::TopK>("ConvolvedLargest3", copied_largest<ops::v3::TopK>))
                 .add(lowering<ops::v11::TopK>("ConvolvedLargest11", copied_largest<ops::v11::TopK>)));
}

}  // namespace mo::transformations
