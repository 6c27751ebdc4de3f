#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

/// For runtimes with few ops, and for those who want to see what an op computes. Sequences become iterations before
/// their cells are taken apart.
void register_decompose(PassRegistry& passes) {
  passes.offer(
      pipeline("decompose")
          .described("ops that simpler ones can express", "the simpler ones", "each where its own conditions hold")
          .then(PassUse("BidirectionalSequenceDecomposition"))
          .then(PassUse("ConvertSequenceToTensorIterator"))
          .then(PassUse("LSTMCellDecomposition"))
          .then(PassUse("GRUCellDecomposition"))
          .then(PassUse("RNNCellDecomposition"))
          .then(PassUse("EinsumDecomposition"))
          .then(PassUse("BatchNormDecomposition"))
          .then(PassUse("MVN6Decomposition"))
          .then(PassUse("NormalizeL2Decomposition"))
          .then(PassUse("LogSoftmaxDecomposition"))
          .then(PassUse("SoftmaxDecomposition"))
          .then(PassUse("ReduceL1Decomposition"))
          .then(PassUse("ReduceL2Decomposition"))
          .then(PassUse("HSwishDecomposition"))
          .then(PassUse("HSigmoidDecomposition"))
          .then(PassUse("SoftPlusDecomposition"))
          .then(PassUse("SoftSignDecomposition"))
          .then(PassUse("FakeQuantizeDecomposition"))
          .then(PassUse("Gelu7Downgrade"))
          .then(PassUse("ConvertGELU"))
          .then(PassUse("ConvertReduceToPooling"))
          .then(PassUse("ConvertBroadcastToTiles"))
          .then(PassUse("ConvertMod"))
          .then(PassUse("ConvertMinimum"))
          .then(PassUse("ConvertSubtract"))
          .then(PassUse("ConvertDivide"))
          .then(PassUse("ConvertNegative"))
          .then(PassUse("ConvertDepthToSpace"))
          .then(PassUse("ConvertSpaceToDepth"))
          .then(PassUse("ConvertSpaceToBatch"))
          .then(PassUse("ConvertBatchToSpace"))
          .then(PassUse("ConvertShuffleChannels3"))
          .then(PassUse("ConvertGather0D"))
          .then(PassUse("GatherNegativeConstIndicesNormalize"))
          .then(PassUse("SimplifyCTCGreedyDecoderSeqLen"))
          .then(PassUse("ConstantFolding"))
          .build());
}

}  // namespace mo::transformations
