#include "ops/elementwise_unary.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/convolved.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Log(x) -> ShuffleChannels(Log(x)) in one group: a copy whose memory has no room after the channels.
Replacement copied_logarithm(const Node& node, Rewriter& rw) {
  if (!leaves_room_behind_channels(node.output_type()))
    return declined("not floating-point data of three to five dimensions, or a multiple of 16 channels");
  if (!is_convolved(node.output())) return declined("no convolution reads it");
  return copied_without_room(rw, rw.create(ops::Log{}, node.input(0)));
}

}  // namespace

void register_convolved_logarithms(PassRegistry& passes) {
  passes.add(avoid_fault("ConvolvedLogarithms",
                         {.form = "Log before a convolution, with channels that are not a multiple of 16",
                          .symptom = "NaN: the logarithm of 0 in the memory after the channels",
                          .first = "2023.3",
                          .last = "2023.3",
                          .replacement = "Log, ShuffleChannels of one group"})
                 .add(lowering<ops::Log>("ConvolvedLogarithm", copied_logarithm)));
}

}  // namespace mo::transformations
