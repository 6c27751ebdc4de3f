#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

/// What runtimes of 2021.4 did, in the same order.
void register_common_optimizations_2021_4(PassRegistry& passes) {
  passes.offer(
      pipeline("common_2021_4")
          .described("a model as a runtime of 2021.4 reads it", "the model in the ops that most of its plugins have",
                     "of AlgebraicSimplification, the rules about Gather and ShapeOf")
          .then(PassUse("InitNodeInfo"))
          .then(PassUse("ConstantFolding"))
          .then(PassUse("RemoveFilteringBoxesBySize"))
          .then(PassUse("ConvertQuantizeDequantize"))
          .then(PassUse("WeightsDequantizeToFakeQuantize"))
          .then(PassUse("ConstantFolding"))
          .then(PassUse("StridedSliceOptimization"))
          .then(PassUse("BroadcastElementwiseFusion"))
          .group("TransposeSinkingAndSplits", {"TransposeSinking", "SplitSqueezeConcatFusion"})
          .group("CommonEliminations", {"EliminateUnsqueezeGather", "AlgebraicSimplification", "NopElimination"})
          .then(PassUse("ConstantFolding"))
          .group("CommonFusions",
                 {"ConvertScatterElementsToScatter", "DepthToSpaceFusion", "SoftPlusFusion", "MishFusion",
                  "SwishFusion", "ShuffleChannelsFusion", "HSwishFusion", "HSigmoidFusion", "NormalizeL2Fusion",
                  "ClampFusion", "PadFusion", "SoftmaxFusion", "MVNFusion", "SpaceToBatchFusion", "BatchToSpaceFusion",
                  "DilatedConvolutionConverter", "GeluFusion", "TransposeToReshape"})
          .then(off("ConvertPadToGroupConvolution"))
          .then(off("ConvertInterpolate1ToInterpolate4"))
          .then(PassUse("BinarizeWeights"))
          .then(PassUse("ConvToBinaryConv"))
          .group("CommonDecompositions", {"Gelu7Downgrade",
                                          "BidirectionalSequenceDecomposition",
                                          "ReduceL1Decomposition",
                                          "ReduceL2Decomposition",
                                          "HSwishDecomposition",
                                          "HSigmoidDecomposition",
                                          "LogSoftmaxDecomposition",
                                          "ConvertReduceToPooling",
                                          "ConvertBroadcastToTiles",
                                          "ConvertMod",
                                          "ConvertGELU",
                                          "ConvertMinimum",
                                          "ConvertSubtract",
                                          "ConvertDivide",
                                          "ConvertNegative",
                                          "ConvertDepthToSpace",
                                          "ConvertSpaceToDepth",
                                          "BatchNormDecomposition",
                                          "MVN6Decomposition",
                                          "SimplifyCTCGreedyDecoderSeqLen",
                                          "EinsumDecomposition",
                                          "GatherNegativeConstIndicesNormalize"})
          .then(PassUse("ConstantFolding"))
          .then(PassUse("LinOpSequenceFusion"))
          .group("ConvFusions", {"ConvolutionMultiplyFusion", "GroupConvolutionMultiplyFusion",
                                 "ConvolutionBackpropDataMultiplyFusion", "GroupConvolutionBackpropDataMultiplyFusion"})
          .then(PassUse("ConstantFolding"))
          .then(PassUse("ConvertGather7ToGather1"))
          .then(off("ConvertGather1ToGather7"))
          .group("FakeQuantizeFusions", {"FakeQuantizeMulFusion", "FakeQuantizeReshapeFusion",
                                         "PullTransposeThroughFQUp", "ReluFakeQuantizeFusion"})
          .build());
}

}  // namespace mo::transformations
