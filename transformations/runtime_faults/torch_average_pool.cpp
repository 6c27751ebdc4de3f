#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/torch_pooling.hpp"

namespace mo::transformations {
namespace {

Replacement average_with_padding(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v14::AvgPool>();
  if (op.exclude_pad || op.rounding_type != ops::TorchRoundingType::ceil_torch) return Replacement::declined();
  const Value average = average_of_padded(node, op, rw);
  if (!average) return declined("implicit padding");
  return average;
}

}  // namespace

void register_torch_average_pool(PassRegistry& passes) {
  passes.add(
      avoid_fault("TorchAveragePool",
                  {.form = "AvgPool with rounding_type ceil_torch and exclude-pad false",
                   .symptom = "a last window that sticks out of the padding is divided by the size of the kernel",
                   .first = "2024.6",
                   .last = "latest",
                   .replacement = "Pad, AvgPool with exclude-pad true"})
          .add(lowering<ops::v14::AvgPool>("AverageWithPadding", average_with_padding)));
}

}  // namespace mo::transformations
