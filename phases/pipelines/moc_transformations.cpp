#include "core/registry/pass_registry.hpp"
#include "phases/pipelines/pipeline_groups.hpp"

namespace mo::transformations {
namespace {

struct MocSettings {
  /// what holds for the shapes of the inputs only may be used; the converter keeps models reshape-able
  bool use_shapes = false;
  bool low_precision_enabled = true;  ///< quantised weights stay whole numbers
  static constexpr auto attributes = Attributes{attr("use_shapes", &MocSettings::use_shapes),
                                                attr("low_precision_enabled", &MocSettings::low_precision_enabled)};
};

PassUse when_shapes(std::string pass, bool used, AttributeMap parameters = {}) {
  return PassUse(std::move(pass), true, std::move(parameters),
                 [used](const Settings& settings) { return settings.get<MocSettings>().use_shapes == used; });
}
PassUse with_shapes(std::string pass) { return when_shapes(std::move(pass), true); }
PassUse without_shapes(std::string pass) { return when_shapes(std::move(pass), false); }
PassUse with_low_precision(std::string pass) {
  return PassUse(std::move(pass), true, {},
                 [](const Settings& settings) { return settings.get<MocSettings>().low_precision_enabled; });
}

/// A transformation that asks the same question, told the answer: whichever of both fits runs.
void add_told(std::vector<PassUse>& uses, const std::string& pass) {
  for (const bool used : {true, false}) uses.push_back(when_shapes(pass, used, parameter("use_shapes", used)));
}

std::vector<PassUse> common_eliminations() {
  std::vector<PassUse> uses = {"EliminateUnsqueezeGather"};
  add_told(uses, "NopElimination");
  return uses;
}

std::vector<PassUse> common_fusions() {
  std::vector<PassUse> uses = {"ConvertScatterElementsToScatter",
                               "SoftPlusFusion",
                               "MishFusion",
                               "SwishFusion",
                               "HSwishFusion",
                               "HSigmoidFusion",
                               "NormalizeL2Fusion",
                               "ClampFusion",
                               "PadFusion",
                               "SoftmaxFusion",
                               "MVNFusion",
                               "DilatedConvolutionConverter",
                               "GeluFusion",
                               "LeakyReluFusion",
                               "RandomUniformFusion"};
  add_told(uses, "SplitConcatPairToInterpolateFusion");
  uses.push_back(with_shapes("NearestNeighborUpsamplingFusion"));
  for (const char* pass : {"DivideFusion", "SubtractFusion", "TransposeToReshape"}) uses.emplace_back(pass);
  add_told(uses, "ReshapeSequenceFusion");
  for (const char* pass : {"MatMulConstTransposesExtraction", "PReluFusion"}) uses.emplace_back(pass);
  return uses;
}

}  // namespace

/// The order is that of OpenVINO 2022.1.
void register_moc_transformations(PassRegistry& passes) {
  passes.offer(pipeline("MOCTransformations")
                   .also_called({"moc"})
                   .described("a model as it was converted",
                              "the model with the fusions that every runtime profits from",
                              "without use_shapes, dimensions of the inputs are hidden meanwhile")
                   .settings<MocSettings>()
                   .then(without_shapes("HideInputShapes"))
                   .then(PassUse("InitNodeInfo"))
                   .then(with_low_precision("DisableConvertConstantFoldingOnConstPath"))
                   .then(without_shapes("DisableShapeOfConstantFolding"))
                   .then(PassUse("RemoveConcatZeroDimInput"))
                   .then(PassUse("Validate"))
                   .then(PassUse("RemoveMultiSubGraphOpDanglingParams"))
                   .then(PassUse("DisableRandomUniformConstantFolding"))
                   .then(PassUse("ConstantFolding"))
                   .then(PassUse("Validate"))
                   .then(PassUse("FuseFilteringBoxesBySize"))
                   .then(PassUse("Validate"))
                   .then(PassUse("ConvertQuantizeDequantize"))
                   .then(PassUse("SimplifyShapeOfSubGraph"))
                   .then(without_shapes("DisableShapeOfConstantFolding"))
                   .then(PassUse("ConvertNmsGatherPathToUnsigned"))
                   .then(when_shapes("StridedSliceOptimization", true, parameter("use_shapes", true)))
                   .then(when_shapes("StridedSliceOptimization", false, parameter("use_shapes", false)))
                   .then(PassUse("BroadcastElementwiseFusion"))
                   .group("TransposeSinkingAndSplits", {"TransposeSinking", "SplitSqueezeConcatFusion"})
                   .group("CommonEliminations", common_eliminations())
                   .then(PassUse("ConstantFolding"))
                   .group("CommonFusions", common_fusions())
                   .then(PassUse("BinarizeWeights"))
                   .then(PassUse("ConvToBinaryConv"))
                   .group("BatchNormAndDivide", {"BatchNormDecomposition", "ConvertDivideWithConstant"})
                   .then(PassUse("LinOpSequenceFusion"))
                   .group("MultiplyFusions", multiply_fusions())
                   .then(PassUse("ConstantFolding"))
                   .group("FakeQuantizeFusions", fake_quantize_fusions())
                   .then(PassUse("ReverseInputChannelsFusion"))
                   .then(PassUse("AlignEltwiseInputRanks"))
                   .then(PassUse("ConstantFolding"))
                   .then(without_shapes("RestoreInputShapes"))
                   .build());
}

}  // namespace mo::transformations
