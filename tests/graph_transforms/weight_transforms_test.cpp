#include "tests/graph_transforms/transformed.hpp"

// Transforms that change weights; numbers from the definitions of the operators.
namespace mo::graph_transforms::testing {
namespace {

using Floats = std::vector<float>;
using ::testing::FloatNear;
using ::testing::Pointwise;

const Floats kInput{1, 4, 2, 5, 3, 6, -1, -4, -2, -5, -3, -6};
const Floats kFilter{1, 2, 3, 4, .1F, .2F, .3F, .4F};
const std::string kFloat = attribute("T", "type: DT_FLOAT");
const std::string kStrides = attribute("strides", "list { i: 1 i: 1 i: 1 i: 1 }");
const std::string kValid = kFloat + kStrides + attribute("padding", "s: 'VALID'");

void expect_near(const Floats& actual, const Floats& expected, float tolerance) {
  EXPECT_THAT(actual, Pointwise(FloatNear(tolerance), expected));
}

// -- quantize_weights, round_weights ----------------------------------------------------------------------------------

std::string weighted(const Floats& values) {
  return constant("w", {static_cast<std::int64_t>(values.size())}, values) + node("y", "Identity", "w ^w", kFloat);
}

std::vector<int> quantised(const Floats& values) {
  const Transformed result = transformed(weighted(values), "quantize_weights(minimum_size=1)");
  const auto bytes = result.values<std::uint8_t>("w_quantized_const");
  return {bytes.begin(), bytes.end()};
}

Floats dequantised(const Floats& values) {
  const Transformed result = transformed(weighted(values), "quantize_weights(minimum_size=1)");
  return computed(*result.graph, {"y"}).front();
}

TEST(QuantizeWeights, TheBytesAreThoseOfTheRange) {
  EXPECT_EQ(quantised(kFilter), (std::vector<int>{64, 128, 191, 255, 6, 13, 19, 26}));
  expect_near(dequantised(kFilter), {1.003922F, 2.007843F, 2.996078F, 4, .094118F, .203922F, .298039F, .407843F},
              1e-6F);
  EXPECT_EQ(quantised({-1, -4, -2, -5}), (std::vector<int>{204, 51, 153, 0}));
  expect_near(dequantised({-1, -4, -2, -5}), {-1, -4, -2, -5}, 1e-6F);
  EXPECT_EQ(quantised({-1, -.5F, 0, .5F, 1, 2}), (std::vector<int>{0, 42, 85, 128, 170, 255}));
  expect_near(dequantised({-1, -.5F, 0, .5F, 1, 2}), {-1, -.505882F, 0, .505882F, 1, 2}, 1e-6F);
  expect_near(dequantised({0, 0, 0}), {0, 0, 0}, 0);
}

TEST(QuantizeWeights, CreatesADequantizeOfTheName) {
  const Transformed result = transformed(weighted(kFilter), "quantize_weights(minimum_size=8)");
  EXPECT_EQ(result.nodes(),
            "y = Identity(w, ^w)\nw_quantized_const = Const()\nw_quantized_min = Const()\nw_quantized_max = Const()\n"
            "w = Dequantize(w_quantized_const, w_quantized_min, w_quantized_max)\n");
  EXPECT_EQ(result.find("w").attr<std::string>("mode"), "MIN_FIRST");
  EXPECT_EQ(*result.find("w_quantized_const").attribute("dtype").get_if<std::string>(), "DT_QUINT8");
  EXPECT_EQ(result.floats("w_quantized_min"), Floats{0});
  EXPECT_EQ(result.floats("w_quantized_max"), Floats{4});
  EXPECT_EQ(transformed(weighted({-1, -4, -2, -5}), "quantize_weights(minimum_size=1)").floats("w_quantized_min"),
            Floats{-5});
}

/// Small numbers beside a large one: 0 in eight bits.
const Floats kVariances = cycled({1e-6F, 1e-5F, 5}, 18);

TEST(QuantizeWeights, VariancesThatWouldBecomeZeroStay) {
  const std::string var = constant("w", {18}, kVariances);
  const std::string norm = node("x", "Placeholder") + constant("c", {18}, cycled({1, 2}, 18));
  for (const std::string& reader :
       {norm + node("y", "FusedBatchNorm", "x c c c w"),
        node("r", "Identity", "w") + norm + node("y", "BatchNormWithGlobalNormalization", "x c r c c"),
        constant("e", {}, {1e-3F}) + node("a", "AddV2", "w e") + node("y", "Rsqrt", "a"),
        norm + node("y", "RealDiv", "c w")}) {
    const Transformed result = transformed(var + reader, "quantize_weights");
    EXPECT_EQ(result.warnings, std::vector<std::string>{"MO-GTT-0071"}) << reader;
    EXPECT_EQ(result.floats("w"), kVariances) << reader;
  }
  // Nothing becomes 0 here, or nothing divides by it.
  EXPECT_EQ(transformed(constant("w", {18}, cycled({1, 2, 5}, 18)) + node("y", "Rsqrt", "w"), "quantize_weights")
                .count("Dequantize"),
            1U);
  EXPECT_EQ(transformed(var + node("y", "Neg", "w"), "quantize_weights").count("Dequantize"), 1U);
}

TEST(QuantizeWeights, SixteenElementsAreWeights) {
  EXPECT_EQ(transformed(weighted(cycled({1, 2}, 15)), "quantize_weights").count("Dequantize"), 0U);
  EXPECT_EQ(transformed(weighted(cycled({1, 2}, 16)), "quantize_weights").count("Dequantize"), 1U);
}

TEST(QuantizeWeights, SmallConstantsStay) {
  EXPECT_EQ(transformed(weighted(kFilter), "quantize_weights").count("Const"), 1U);
  EXPECT_EQ(transformed(weighted(kFilter), "quantize_weights(minimum_size=9)").count("Dequantize"), 0U);
  EXPECT_EQ(transformed(constant_of_integers("w", {2}, {1, 2}), "quantize_weights(minimum_size=1)").count("Dequantize"),
            0U);
  EXPECT_EQ(transformed(node("w", "Const"), "quantize_weights").error_code, "MO-GTT-0023");
}

Floats rounded(const Floats& values, const std::string& arguments = "") {
  return transformed(weighted(cycled(values, 16)), "round_weights(" + arguments + ")").floats("w");
}

TEST(RoundWeights, EachValueIsTheMiddleOfItsStep) {
  expect_near(rounded(kFilter),
              cycled({1.006445F, 1.99668F, 3.002148F, 4.007617F, .107617F, .199023F, .305664F, .39707F}, 16), 1e-6F);
  expect_near(rounded(kFilter, "num_steps=4"),
              cycled({.5875F, 1.5625F, 2.5375F, 4.4875F, .5875F, .5875F, .5875F, .5875F}, 16), 1e-6F);
  expect_near(rounded({5}), Floats(16, 5.009766F), 1e-6F);
  expect_near(rounded({-3}), Floats(16, -2.994141F), 1e-6F);
}

TEST(RoundWeights, SmallConstantsStayAndStepsAreChecked) {
  EXPECT_EQ(transformed(weighted(kFilter), "round_weights").floats("w"), kFilter);
  EXPECT_EQ(transformed(weighted(kFilter), "round_weights(num_steps=0)").error_code, "MO-GTT-0024");
}

// -- fold_batch_norms -------------------------------------------------------------------------------------------------

TEST(FoldBatchNorms, AFactorAfterAConvolutionIsFoldedIntoItsWeights) {
  const std::string text = constant("input", {1, 1, 6, 2}, kInput) + constant("weights", {1, 2, 2, 2}, kFilter) +
                           node("conv", "Conv2D", "input weights", kValid) + constant("mul", {2}, {2, 3}) +
                           node("output", "Mul", "conv mul", kFloat);
  const Transformed result = transformed(text, "fold_batch_norms", {{}, {"output"}});
  EXPECT_EQ(result.nodes(), "input = Const()\nweights = Const()\noutput = Conv2D(input, weights)\n");
  expect_near(result.floats("weights"), {2, 6, 6, 12, .2F, .6F, .6F, 1.2F}, 1e-6F);
  expect_near(computed(*result.graph, {"output"}).front(),
              {29.4F, 61.2F, 38.2F, 81, 39.4F, 84.6F, -29.4F, -61.2F, -38.2F, -81}, 1e-4F);
}

TEST(FoldBatchNorms, AFactorAfterAMatrixProductIsFoldedIntoItsWeights) {
  const std::string text = constant("input", {6, 2}, kInput) + constant("weights", {2, 2}, {1, 2, .3F, .4F}) +
                           node("product", "MatMul", "input weights", kFloat) + constant("mul", {2}, {2, 3}) +
                           node("output", "Mul", "product mul", kFloat);
  const Transformed result = transformed(text, "fold_batch_norms");
  EXPECT_EQ(result.count("Mul"), 0U);
  expect_near(result.floats("weights"), {2, 6, .6F, 1.2F}, 1e-6F);
  expect_near(computed(*result.graph, {"output"}).front(),
              {4.4F, 10.8F, 7, 18, 9.6F, 25.2F, -4.4F, -10.8F, -7, -18, -9.6F, -25.2F}, 1e-4F);
  const std::string transposed = attribute("transpose_b", "b: true") + kFloat;
  EXPECT_EQ(transformed(constant("input", {6, 2}, kInput) + constant("weights", {2, 2}, {1, 2, .3F, .4F}) +
                            node("product", "MatMul", "input weights", transposed) + constant("mul", {2}, {2, 3}) +
                            node("output", "Mul", "product mul", kFloat),
                        "fold_batch_norms")
                .count("Mul"),
            1U);
}

TEST(FoldBatchNorms, AFactorAfterADepthwiseConvolutionIsFoldedIntoItsWeights) {
  const std::string text = constant("input", {1, 1, 6, 2}, kInput) + constant("weights", {1, 2, 2, 2}, kFilter) +
                           node("conv", "DepthwiseConv2dNative", "input weights", kValid) +
                           constant("mul", {4}, {2, 3, 4, 5}) + node("output", "Mul", "conv mul", kFloat);
  const Transformed result = transformed(text, "fold_batch_norms");
  EXPECT_EQ(result.count("Mul"), 0U);
  expect_near(result.floats("weights"), {2, 6, 12, 20, .2F, .6F, 1.2F, 2}, 1e-6F);
  expect_near(computed(*result.graph, {"output"}).front(),
              {2.4F,  7.2F, 54,    90,    4.6F, 13.8F, 67.2F, 112,    5.8F,   17.4F,
               67.2F, 112,  -2.4F, -7.2F, -54,  -90,   -4.6F, -13.8F, -67.2F, -112},
              1e-4F);
}

/// Two branches that share their input; the first one has what `more` adds.
std::string branches(const std::string& more) {
  std::string text = constant("input", {1, 1, 6, 2}, kInput);
  for (const std::string n : {"1", "2"})
    text += constant("weights" + n, {1, 2, 2, 2}, kFilter) + node("conv" + n, "Conv2D", "input weights" + n, kValid) +
            constant("mul" + n, {2}, {2, 3}) + node("output" + n, "Mul", "conv" + n + " mul" + n, kFloat);
  return text + more;
}

TEST(FoldBatchNorms, BranchesThatShareAnInputAreAllFolded) {
  EXPECT_EQ(transformed(branches(""), "fold_batch_norms").count("Mul"), 0U);
}

TEST(FoldBatchNorms, TensorsWithOtherReadersAreKept) {
  for (const std::string shared : {"conv1", "weights1", "mul1"})
    EXPECT_EQ(transformed(branches(node("other", "Relu", shared, kFloat)), "fold_batch_norms").nodes_of("Mul"),
              "output1 = Mul(conv1, mul1)\n")
        << shared;
  EXPECT_EQ(transformed(branches(""), "fold_batch_norms", {{}, {"conv1"}}).count("Mul"), 1U);
}

TEST(FoldBatchNorms, AFactorOfAnotherShapeIsAnError) {
  const std::string text = constant("input", {1, 1, 6, 2}, kInput) + constant("weights", {1, 2, 2, 2}, kFilter) +
                           node("conv", "Conv2D", "input weights", kValid) + constant("mul", {}, {2}) +
                           node("output", "Mul", "conv mul", kFloat);
  const Transformed result = transformed(text, "fold_batch_norms");
  EXPECT_EQ(result.error_code, "MO-GTT-0025");
  EXPECT_EQ(result.error_text, "Mul constant input to batch norm has bad shape: []");
}

// -- fold_old_batch_norms ---------------------------------------------------------------------------------------------

std::string statistics(const Floats& mean, const Floats& variance, const Floats& beta, const Floats& gamma) {
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(mean.size())};
  return constant("mean", shape, mean) + constant("variance", shape, variance) + constant("beta", shape, beta) +
         constant("gamma", shape, gamma);
}
const std::string kStatistics = statistics({10, 20}, {.25F, .5F}, {.1F, .6F}, {1, 2});
const std::string kConvolution = constant("input", {1, 1, 6, 2}, kInput) + constant("weights", {1, 2, 2, 2}, kFilter) +
                                 node("conv", "Conv2D", "input weights", kValid);
const std::string kFused = kFloat + attribute("epsilon", "f: 1e-5") + attribute("is_training", "b: false");

std::string global_norm(std::string_view input, bool scales) {
  return node("output", "BatchNormWithGlobalNormalization", std::string(input) + " mean variance beta gamma",
              kFloat + attribute("variance_epsilon", "f: 1e-5") +
                  attribute("scale_after_normalization", scales ? "b: true" : "b: false"));
}
std::string fused_norm(std::string_view input, std::string_view op = "FusedBatchNorm") {
  return node("output", op, std::string(input) + " gamma beta mean variance",
              kFused + (op == "FusedBatchNorm" ? "" : attribute("U", "type: DT_FLOAT")));
}

TEST(FoldOldBatchNorms, GlobalNormalisation) {
  const Transformed result =
      transformed(kConvolution + kStatistics + global_norm("conv", false), "fold_old_batch_norms", {{}, {"output"}});
  EXPECT_EQ(result.nodes_of("Conv2D|BiasAdd|BatchNormWithGlobalNormalization"),
            "conv = Conv2D(input, weights)\noutput = BiasAdd(conv, conv_bn_offset)\n");
  expect_near(result.floats("weights"),
              {1.99996F, 2.828399F, 5.99988F, 5.656798F, .199996F, .28284F, .599988F, .56568F}, 1e-5F);
  expect_near(result.floats("conv_bn_offset"), {-19.8996F, -27.683988F}, 1e-4F);
  expect_near(computed(*result.graph, {"output"}).front(),
              {9.499812F, 1.16568F, 18.299636F, 10.499396F, 19.499612F, 12.196435F, -49.299012F, -56.533657F,
               -58.098836F, -65.867373F},
              1e-4F);
}

TEST(FoldOldBatchNorms, FusedNormalisationOfAllVersions) {
  for (const std::string_view op : {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"}) {
    const Transformed result = transformed(kConvolution + kStatistics + fused_norm("conv", op), "fold_old_batch_norms");
    EXPECT_EQ(result.count("BiasAdd"), 1U) << op;
    expect_near(result.floats("conv_bn_offset"), {-19.8996F, -55.967977F}, 1e-4F);
    expect_near(computed(*result.graph, {"output"}).front(),
                {9.499812F, 1.73136F, 18.299636F, 20.398792F, 19.499612F, 23.79287F, -49.299012F, -113.667313F,
                 -58.098836F, -132.334746F},
                2e-4F);
  }
}

TEST(FoldOldBatchNorms, DepthwiseConvolution) {
  const std::string layer = constant("input", {1, 1, 6, 2}, kInput) + constant("weights", {1, 2, 2, 2}, kFilter) +
                            node("conv", "DepthwiseConv2dNative", "input weights", kValid) +
                            statistics({10, 20, 30, 40}, {.25F, .5F, .75F, 1}, {.1F, .6F, 1.1F, 1.6F}, {1, 2, 3, 4});
  const auto first_row = [&](const std::string& norm) {
    Floats all = computed(*transformed(layer + norm, "fold_old_batch_norms").graph, {"output"}).front();
    all.resize(4);
    return all;
  };
  expect_near(first_row(global_norm("conv", true)), {-17.499648F, -49.17982F, -56.057296F, -86.39956F}, 1e-4F);
  expect_near(first_row(global_norm("conv", false)), {-17.499648F, -24.28991F, -17.952432F, -20.39989F}, 1e-4F);
}

TEST(FoldOldBatchNorms, AfterBatchToSpace) {
  const std::string text =
      constant("input", {2, 1, 3, 2}, kInput) + constant("weights", {1, 2, 2, 2}, kFilter) +
      node("conv", "Conv2D", "input weights", kValid) + constant_of_integers("block", {2}, {1, 2}) +
      constant_of_integers("crops", {2, 2}, {0, 0, 0, 1}) +
      node("space", "BatchToSpaceND", "conv block crops", kFloat) + kStatistics + fused_norm("space");
  const Transformed result = transformed(text, "fold_old_batch_norms");
  EXPECT_EQ(result.nodes_of("Conv2D|BiasAdd|BatchToSpaceND|FusedBatchNorm"),
            "conv = Conv2D(input, weights)\noutput = BatchToSpaceND(conv/biasadd, block, crops)\nconv/biasadd = "
            "BiasAdd(conv, conv_bn_offset)\n");
  expect_near(computed(*result.graph, {"output"}).front(),
              {9.499812F, 1.73136F, -49.299012F, -113.667313F, 18.299636F, 20.398792F}, 2e-4F);
}

std::string concatenated(int axis, const std::vector<std::int64_t>& input, const std::vector<std::int64_t>& filter,
                         const Floats& weights) {
  std::string text = constant("input", input, kInput);
  for (const std::string n : {"0", "1"})
    text += constant("weights" + n, filter, weights) + node("conv" + n, "Conv2D", "input weights" + n, kValid);
  return text + constant_of_integers("axis", {}, {axis}) +
         node("concat", "ConcatV2", "conv0 conv1 axis",
              kFloat + attribute("N", "i: 2") + attribute("Tidx", "type: DT_INT32")) +
         kStatistics + fused_norm("concat");
}

TEST(FoldOldBatchNorms, AfterAConcatenationOfChannels) {
  for (const int axis : {3, -1}) {
    const Transformed result =
        transformed(concatenated(axis, {1, 1, 6, 2}, {1, 2, 2, 1}, {1, 2, 3, 4}), "fold_old_batch_norms");
    EXPECT_EQ(result.nodes_of("ConcatV2|FusedBatchNorm"), "output = ConcatV2(concat_bn_in0, concat_bn_in1, axis)\n");
    expect_near(computed(*result.graph, {"output"}).front(),
                {50.099F, 43.025983F, 70.0986F, 71.309971F, -27.89944F, -67.281572F, -89.8982F, -154.961936F,
                 -109.8978F, -183.245925F},
                2e-3F);
  }
}

TEST(FoldOldBatchNorms, AfterAConcatenationOfColumns) {
  const Transformed result =
      transformed(concatenated(2, {1, 1, 12, 1}, {1, 2, 1, 2}, {1, 2, 3, 4}), "fold_old_batch_norms");
  EXPECT_EQ(result.count("FusedBatchNorm"), 0U);
  Floats first = computed(*result.graph, {"output"}).front();
  first.resize(2);
  expect_near(first, {6.09988F, -5.056798F}, 1e-4F);
}

TEST(FoldOldBatchNorms, SharedStatisticsEndTheSearch) {
  // The original never stops here.
  const std::string text = kConvolution + kStatistics + fused_norm("conv") + node("other", "Relu", "mean", kFloat) +
                           node("another", "Relu", "weights", kFloat);
  const Transformed result = transformed(text, "fold_old_batch_norms");
  EXPECT_EQ(result.count("FusedBatchNorm"), 0U);
  EXPECT_EQ(result.floats("weights"), kFilter);
  EXPECT_EQ(result.nodes_of("Conv2D|Relu"),
            "conv = Conv2D(input, weights_1)\nother = Relu(mean)\nanother = Relu(weights)\n");
  EXPECT_EQ(transformed(text + node("third", "Relu", "conv", kFloat), "fold_old_batch_norms").count("FusedBatchNorm"),
            1U);
}

TEST(FoldOldBatchNorms, StatisticsThatAreReadOrComputedStay) {
  EXPECT_EQ(transformed(kConvolution + kStatistics + fused_norm("conv") + node("m", "Relu", "output:1", kFloat),
                        "fold_old_batch_norms")
                .count("FusedBatchNorm"),
            1U);
  const std::string training =
      node("output", "FusedBatchNorm", "conv gamma beta mean variance", kFloat + attribute("is_training", "b: true"));
  EXPECT_EQ(transformed(kConvolution + kStatistics + training, "fold_old_batch_norms").count("FusedBatchNorm"), 1U);
  const std::string uneven = constant("mean", {2}, {1, 2}) + constant("variance", {1}, {1}) +
                             constant("beta", {2}, {1, 2}) + constant("gamma", {2}, {1, 2});
  EXPECT_EQ(transformed(kConvolution + uneven + fused_norm("conv"), "fold_old_batch_norms").error_code, "MO-GTT-0025");
}

// -- flatten_atrous_conv ----------------------------------------------------------------------------------------------

std::string atrous(const std::string& op, const std::vector<std::int32_t>& crops) {
  return constant("input_op", {1, 3, 3, 2},
                  {.1F, .4F, .2F, .5F, .3F, .6F, -1, -.4F, -.2F, -.5F, -.3F, -.6F, .1F, .4F, .2F, .5F, .3F, .6F}) +
         constant_of_integers("block", {2}, {2, 2}) + constant_of_integers("paddings", {2, 2}, {1, 2, 1, 2}) +
         node("to_batch", "SpaceToBatchND", "input_op block paddings", kFloat) +
         constant("weights_op", {2, 2, 2, 1}, {.1F, .2F, .3F, .4F, .1F, .2F, .3F, .4F}) +
         node("conv", op, "to_batch weights_op", kValid) + constant_of_integers("block2", {2}, {2, 2}) +
         constant_of_integers("crops", {2, 2}, crops) + node("output", "BatchToSpaceND", "conv block2 crops", kFloat);
}

TEST(FlattenAtrousConv, TheFilterIsSpread) {
  const Transformed conv = transformed(atrous("Conv2D", {0, 1, 0, 1}), "flatten_atrous_conv", {{}, {"output"}});
  EXPECT_EQ(conv.nodes(), "input_op = Const()\nweights_op = Const()\noutput = Conv2D(input_op, weights_op)\n");
  expect_near(computed(*conv.graph, {"output"}).front(), {-.26F, -.51F, -.12F, .52F, .84F, .24F, -.26F, -.51F, -.12F},
              1e-6F);
  const Transformed depthwise = transformed(atrous("DepthwiseConv2dNative", {0, 1, 0, 1}), "flatten_atrous_conv");
  expect_near(
      computed(*depthwise.graph, {"output"}).front(),
      {-.06F, -.2F, -.19F, -.32F, -.02F, -.1F, .12F, .4F, .2F, .64F, .04F, .2F, -.06F, -.2F, -.19F, -.32F, -.02F, -.1F},
      1e-6F);
}

TEST(FlattenAtrousConv, OtherPaddingsThanThoseOfSameAreKept) {
  EXPECT_EQ(transformed(atrous("Conv2D", {1, 0, 0, 1}), "flatten_atrous_conv").count("BatchToSpaceND"), 1U);
}

}  // namespace
}  // namespace mo::graph_transforms::testing
