#include "core/registry/pass_registry.hpp"
#include "phases/pipelines/pipeline_groups.hpp"

namespace mo::transformations {
namespace {

PassUse moc_for_runtimes() {
  AttributeMap parameters = parameter("use_shapes", true);
  parameters.set("low_precision_enabled", false);
  return PassUse("MOCTransformations", true, std::move(parameters));
}

std::vector<PassUse> common_decompositions() {
  return {"Gelu7Downgrade",
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
          off("NormalizeL2Decomposition"),
          "SimplifyCTCGreedyDecoderSeqLen",
          "EinsumDecomposition",
          off("SoftmaxDecomposition"),
          "SoftSignDecomposition",
          "GatherNegativeConstIndicesNormalize",
          "DropoutWithRandomUniformReplacer",
          "TransposeReshapeEliminationForMatmul"};
}

}  // namespace

/// What runtimes of 2022.1 do before they look at a model themselves, in the same order.
void register_common_optimizations(PassRegistry& passes) {
  passes.offer(pipeline("CommonOptimizations")
                   .also_called({"common"})
                   .described("a model as a runtime reads it", "the model in the ops that most plugins have",
                              "MOCTransformations with use_shapes first")
                   .then(PassUse("DisableDecompressionConvertConstantFolding"))
                   .then(moc_for_runtimes())
                   .then(PassUse("ConvertCompressedOnlyToLegacy"))
                   .then(PassUse("MarkPrecisionSensitiveDivides"))
                   .then(PassUse("WeightsDequantizeToFakeQuantize"))
                   .group("CommonFusions",
                          {"DepthToSpaceFusion", "ShuffleChannelsFusion", "SpaceToBatchFusion", "BatchToSpaceFusion",
                           "InterpolateSequenceFusion", "SkipGatherBeforeTransposeAndReshape"})
                   .then(PassUse("ConcatReduceFusion"))
                   .then(off("ConvertPadToGroupConvolution"))
                   .then(off("ConvertInterpolate1ToInterpolate4"))
                   .group("CommonDecompositions", common_decompositions())
                   .then(PassUse("ConstantFolding"))
                   .then(PassUse("LinOpSequenceFusion"))
                   .then(PassUse("UnrollIf"))
                   .group("MultiplyFusions", multiply_fusions())
                   .then(PassUse("ConstantFolding"))
                   .then(PassUse("ConvertGather8ToGather7"))
                   .then(PassUse("ConvertGather7ToGather1"))
                   .then(off("ConvertGather1ToGather7"))
                   .then(off("ConvertGather7ToGather8"))
                   .then(PassUse("ConvertDeformableConv8To1"))
                   .then(PassUse("ConvertSoftMax8ToSoftMax1"))
                   .then(off("ConvertSoftMax1ToSoftMax8"))
                   .then(PassUse("ConvertMaxPool8ToMaxPool1"))
                   .then(off("ConvertMaxPool1ToMaxPool8"))
                   .then(PassUse("ConvertPriorBox8To0"))
                   .then(off("ConvertDetectionOutput1ToDetectionOutput8"))
                   .then(PassUse("ConvertDetectionOutput8ToDetectionOutput1"))
                   .then(off("ConvertROIAlign3To9"))
                   .then(PassUse("ConvertROIAlign9To3"))
                   .group("FakeQuantizeFusions", fake_quantize_fusions())
                   .then(PassUse("StridesOptimization"))
                   .then(PassUse("Validate"))
                   .build());
}

}  // namespace mo::transformations
