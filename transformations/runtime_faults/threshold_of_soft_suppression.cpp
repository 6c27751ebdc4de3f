#include "ops/non_max_suppression.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// No two boxes overlap by so much.
constexpr float kNoThreshold = 2.0F;

/// NonMaxSuppression with soft_nms_sigma > 0 -> the same with an iou_threshold that no overlap reaches, since the
/// threshold has no meaning there.
Replacement without_threshold(const Node& node, Rewriter& rw) {
  const auto sigma = node.input(5) ? single_real_of(node.input(5)) : std::optional<double>(0);
  if (!sigma) return declined("whether suppression is soft is computed");
  if (!(*sigma > 0)) return declined("suppression is not soft");
  if (node.input(3) && single_real_of(node.input(3)).value_or(0) >= kNoThreshold)
    return declined("no overlap reaches the threshold");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  inputs[3] = rw.scalar(kNoThreshold);
  return rw.create_node(*node.as<ops::v5::NonMaxSuppression>(), inputs, node.out_port_count()).out_ports();
}

}  // namespace

void register_threshold_of_soft_suppression(PassRegistry& passes) {
  passes.add(
      avoid_fault("ThresholdOfSoftSuppression",
                  {.form = "NonMaxSuppression-5 with soft_nms_sigma above 0, and an iou_threshold",
                   .symptom = "boxes that overlap by more than the threshold are dropped; they should only lose score",
                   .first = "2022.1",
                   .last = "2022.1",
                   .replacement = "an iou_threshold of 2"})
          .add(lowering<ops::v5::NonMaxSuppression>("WithoutThreshold", without_threshold)));
}

}  // namespace mo::transformations
