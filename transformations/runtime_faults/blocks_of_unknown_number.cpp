#include "ops/batch_to_space.hpp"
#include "ops/space_to_batch.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/sizes_of_operands.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// As many blocks and margins as the data has dimensions. The runtime has kernels for 4 and 5, which do not ask.
Replacement blocks(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  if (!rank || *rank == 4 || *rank == 5) return declined("the rank of the data is unknown, or has a kernel");
  return with_sizes(node, 1, 3, {*rank}, rw);
}

}  // namespace

void register_blocks_of_unknown_number(PassRegistry& passes) {
  passes.add(avoid_fault("BlocksOfUnknownNumber", {.form = "SpaceToBatch or BatchToSpace with an unknown number of "
                                                           "blocks, and another number of dimensions than 4 or 5",
                                                   .symptom = "not compiled",
                                                   .first = "2023.3",
                                                   .last = "latest",
                                                   .replacement = "Reshape of the lists to the rank of the data"})
                 .add(lowering<ops::SpaceToBatch>("NumberOfSpaceToBatchBlocks", blocks))
                 .add(lowering<ops::BatchToSpace>("NumberOfBatchToSpaceBlocks", blocks)));
}

}  // namespace mo::transformations
