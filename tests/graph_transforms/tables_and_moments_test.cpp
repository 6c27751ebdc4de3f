#include <filesystem>

#include "tests/frontends/tensorflow/checkpoint_folder.hpp"
#include "tests/graph_transforms/transformed.hpp"

// Transforms that were in TensorFlow for some versions only, or proposed for it.
namespace mo::graph_transforms::testing {
namespace {

using Row = std::vector<float>;
using ::testing::FloatNear;
using ::testing::Pointwise;

const std::string kOfFloats = attribute("T", "type: DT_FLOAT");
std::string placeholder_of(const std::vector<std::int64_t>& shape) {
  std::string dims;
  for (const std::int64_t size : shape) dims += fmt::format("dim {{ size: {} }} ", size);
  return node("x", "Placeholder", "",
              attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { " + dims + "}"));
}

// -- sparsify_gather --------------------------------------------------------------------------------------------------

const std::string kGatherTypes = attribute("Tparams", "type: DT_FLOAT") + attribute("Tindices", "type: DT_INT64");
const std::string kIds = node("ids", "Placeholder", "",
                              attribute("dtype", "type: DT_INT64") + attribute("shape", "shape { dim { size: 3 } }"));
const std::string kRead = node("w/read", "Identity", "w", kOfFloats);
const std::string kGather = kIds + kRead + node("gather", "Gather", "w/read ids", kGatherTypes);
const std::string kColumn = constant("w", {4, 1}, {.2F, .000001F, 1.2F, .001F});

TEST(SparsifyGather, WeightsBecomeATable) {
  const Transformed result = transformed(kColumn + kGather, "sparsify_gather", {{"ids"}, {"gather"}});
  EXPECT_EQ(
      result.nodes(),
      "ids = Placeholder()\nw/indices = Const()\nw/values = Const()\nw/HashTable = HashTable()\n"
      "w/InitializeTable = InitializeTable(w/HashTable, w/indices, w/values)\ngroup_deps = "
      "NoOp(^w/InitializeTable)\ngather/Const = Const()\n"
      "gather/ExpandDims/Const = Const()\ngather/LookupTableFind = LookupTableFind(w/HashTable, ids, gather/Const)\n"
      "gather = ExpandDims(gather/LookupTableFind, gather/ExpandDims/Const)\n");
  EXPECT_EQ(result.values<std::int64_t>("w/indices"), (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(result.floats("w/values"), (Row{.2F, 1.2F, .001F}));
}

TEST(SparsifyGather, TheTableGivesTheSameNumbers) {
  const Tensor ids = Tensor::vector<std::int64_t>({2, 1, 0});
  const auto numbers = [&](const std::string& transforms) {
    return computed(*transformed(kColumn + kGather, transforms, {{"ids"}, {"gather"}}).graph, {"gather"}, {ids})
        .front();
  };
  EXPECT_THAT(numbers("sparsify_gather"), Pointwise(FloatNear(1e-5F), numbers("")));
}

TEST(SparsifyGather, GathersOfOneColumnShareItsTable) {
  const std::string axis = constant_of_integers("axis", {}, {0});
  const std::string second =
      node("second", "GatherV2", "w/read ids axis", kGatherTypes + attribute("Taxis", "type: DT_INT32"));
  const Transformed result = transformed(kColumn + kGather + axis + second, "sparsify_gather(group_init_node=init)");
  EXPECT_EQ(result.count("HashTable"), 1U);
  EXPECT_EQ(
      result.nodes_of("LookupTableFind|NoOp|Identity|GatherV2|Gather"),
      "init = NoOp(^w/InitializeTable)\ngather/LookupTableFind = LookupTableFind(w/HashTable, ids, gather/Const)\n"
      "second/LookupTableFind = LookupTableFind(w/HashTable, ids, second/Const)\n");
  EXPECT_FALSE(result.find("w"));
  EXPECT_FALSE(result.find("axis"));
}

TEST(SparsifyGather, AnExistingGroupIsExtendedAndZerosLeaveOneEntry) {
  const Transformed result =
      transformed(constant("w", {2, 1}, {0, 0}) + kGather +
                      "node { name: 'a' op: 'NoOp' } node { name: 'group_deps' op: 'NoOp' input: '^a' }",
                  "sparsify_gather");
  EXPECT_EQ(result.nodes_of("NoOp"), "a = NoOp()\ngroup_deps = NoOp(^a, ^w/InitializeTable)\n");
  EXPECT_EQ(result.floats("w/values"), Row{0});
}

TEST(SparsifyGather, IndicesOf32BitsAreWidened) {
  const std::string types = attribute("Tparams", "type: DT_FLOAT") + attribute("Tindices", "type: DT_INT32");
  const std::string ids = node("ids", "Placeholder", "", attribute("dtype", "type: DT_INT32"));
  EXPECT_EQ(
      transformed(kColumn + ids + kRead + node("gather", "Gather", "w/read ids", types), "sparsify_gather")
          .nodes_of("Cast|LookupTableFind"),
      "gather/Cast = Cast(ids)\ngather/LookupTableFind = LookupTableFind(w/HashTable, gather/Cast, gather/Const)\n");
}

TEST(SparsifyGather, VariablesComeFromTheCheckpoint) {
  const tensorflow::testing::Folder folder;
  tensorflow::testing::BundleWriter writer;
  writer.add("w", tensorflow::DT_FLOAT, {2, 1}, tensorflow::testing::bytes_of(Row{.5F, 0}));
  writer.add("whole", tensorflow::DT_FLOAT, {4, 1}, tensorflow::testing::bytes_of(Row{9, 9, 0, .25F}));
  writer.write(folder / "model");
  const std::string call = fmt::format("sparsify_gather(input_checkpoint=\"{}\")", (folder / "model").string());
  const auto variable = [](const std::string& name) {
    return node(name, "VariableV2", "", attribute("dtype", "type: DT_FLOAT"));
  };
  // By its own name, without the number of the part.
  EXPECT_EQ(transformed(variable("w") + kGather, call).values<std::int64_t>("w/indices"), std::vector<std::int64_t>{0});
  const std::string part = variable("w/part_0") + kIds + node("read", "Identity", "w/part_0", kOfFloats) +
                           node("gather", "Gather", "read ids", kGatherTypes);
  EXPECT_EQ(transformed(part, call).floats("w/part_0/values"), Row{.5F});
  // By what restores it, which goes with it.
  const auto texts = [](const std::string& name, const std::string& text) {
    return node(name, "Const", "",
                attribute("dtype", "type: DT_STRING") +
                    attribute("value", "tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: '" +
                                           text + "' }"));
  };
  const std::string restored = texts("file", "f") + texts("names", "whole") + texts("slices", "4 1 2,2:0,1") +
                               node("restore", "RestoreV2", "file names slices") +
                               node("assign", "Assign", "w restore", kOfFloats);
  const Transformed result = transformed(variable("w") + restored + kGather, call);
  EXPECT_EQ(result.values<std::int64_t>("w/indices"), std::vector<std::int64_t>{1});
  EXPECT_EQ(result.floats("w/values"), Row{.25F});
  EXPECT_EQ(result.nodes_of("VariableV2|Assign"), "");
}

TEST(SparsifyGather, OtherWeightsAreRefused) {
  EXPECT_EQ(transformed(constant("w", {2, 2}, {1, 2, 3, 4}) + kGather, "sparsify_gather").error_code, "MO-GTT-0050");
  EXPECT_EQ(transformed(constant_of_integers("w", {2, 1}, {1, 2}) + kGather, "sparsify_gather").error_code,
            "MO-GTT-0050");
  const std::string second = constant_of_integers("axis", {}, {1}) + kIds + kRead +
                             node("gather", "GatherV2", "w/read ids axis", kGatherTypes);
  EXPECT_EQ(transformed(kColumn + second, "sparsify_gather").error_code, "MO-GTT-0050");
  EXPECT_EQ(transformed(node("w", "VariableV2") + kGather, "sparsify_gather").error_code, "MO-GTT-0050");
  EXPECT_EQ(transformed(node("w", "VariableV2") + kGather, "sparsify_gather(input_checkpoint=\"/nowhere/model\")")
                .error_code.substr(0, 6),
            "MO-TF-");
}

// -- fuse_remote_graph and its like -----------------------------------------------------------------------------------

TEST(RemoteGraphs, AreRefusedWithTheReason) {
  for (const char* name :
       {"fuse_remote_graph", "place_remote_graph_arguments", "rewrite_quantized_stripped_model_for_hexagon"})
    EXPECT_EQ(transformed(kColumn, name).error_code, "MO-GTT-0051") << name;
  EXPECT_EQ(transformed(kColumn, "fuse_remote_graph(ignore_errors=true)").warnings,
            std::vector<std::string>{"MO-GTT-0006"});
}

// -- fold_moments -----------------------------------------------------------------------------------------------------

const std::string kKeeps = kOfFloats + attribute("Tidx", "type: DT_INT32") + attribute("keep_dims", "b: true");
const std::string kAxes = constant_of_integers("axes", {2}, {1, 2});
const std::string kMean = placeholder_of({1, 2, 2, 2}) + kAxes + node("mean", "Mean", "x axes", kKeeps);
const std::string kVariance = node("variance", "Mean", "squares axes", kKeeps);
const std::string kTail = node("y", "Sub", "mean variance", kOfFloats);
const Tensor kPixels = Tensor::of<float>({1, 2, 2, 2}, std::vector<float>{1, 2, 3, 5, 8, 13, 21, 34});

TEST(FoldMoments, EachSpellingOfTheVarianceIsFound) {
  const std::string stop = node("stop", "StopGradient", "mean", kOfFloats);
  const std::string difference = node("d", "Sub", "x mean", kOfFloats);
  for (const std::string& squares : {stop + node("squares", "SquaredDifference", "x stop", kOfFloats),
                                     node("squares", "SquaredDifference", "x mean", kOfFloats),
                                     difference + node("squares", "Mul", "d d", kOfFloats),
                                     difference + node("squares", "Square", "d", kOfFloats)}) {
    const std::string text = kMean + squares + kVariance + kTail;
    const Transformed result = transformed(text, "fold_moments", {{"x"}, {"y"}});
    EXPECT_EQ(
        result.nodes(),
        "x = Placeholder()\naxes = Const()\ny = Sub(mean_moments, mean_moments:1)\nmean_moments = Moments(x, axes)\n");
    EXPECT_THAT(computed(*result.graph, {"y"}, {kPixels}).front(),
                Pointwise(FloatNear(1e-4F), computed(*transformed(text, "").graph, {"y"}, {kPixels}).front()));
  }
}

TEST(FoldMoments, ValuesThatAreNotAVarianceStay) {
  const auto stays = [](const std::string& text, const Ends& ends = {}) {
    EXPECT_EQ(transformed(text, "fold_moments", ends).count("Moments"), 0U);
  };
  const std::string squares = node("squares", "SquaredDifference", "x mean", kOfFloats);
  stays(kMean + constant_of_integers("other", {2}, {0, 1}) + squares +
        node("variance", "Mean", "squares other", kKeeps));
  stays(kMean + squares + node("variance", "Mean", "squares axes", kOfFloats));
  stays(kMean + node("squares", "SquaredDifference", "mean x", kOfFloats) + kVariance);
  stays(kMean + node("n", "Neg", "x", kOfFloats) + node("squares", "SquaredDifference", "n mean", kOfFloats) +
        kVariance);
  stays(kMean + node("d", "Sub", "x mean", kOfFloats) + node("squares", "Mul", "d x", kOfFloats) + kVariance);
  stays(kMean + squares + kVariance, {{}, {"mean"}});
  stays(kMean + squares + kVariance, {{}, {"variance"}});
}

// -- fold_batch_norms_algebraic ---------------------------------------------------------------------------------------

const std::string kParameters =
    constant("gamma", {2}, {2, 3}) + constant("beta", {2}, {10, 20}) + constant("epsilon", {}, {1});
/// x * scale + (beta - mean * scale), of tensors called "data", "mean" and "variance".
std::string spelled_out(const std::string& sum_inputs = "scaled shift",
                        const std::string& sub_inputs = "beta scaled_mean") {
  return kParameters + node("sum", "Add", "variance epsilon", kOfFloats) + node("root", "Rsqrt", "sum", kOfFloats) +
         node("scale", "Mul", "root gamma", kOfFloats) + node("scaled", "Mul", "data scale", kOfFloats) +
         node("scaled_mean", "Mul", "mean scale", kOfFloats) + node("shift", "Sub", sub_inputs, kOfFloats) +
         node("y", "AddV2", sum_inputs, kOfFloats);
}
const std::string kChannelStatistics = constant("mean", {2}, {1, 2}) + constant("variance", {2}, {3, 8});
const std::string kPointConvolution =
    placeholder_of({1, 1, 2, 1}) + constant("weights", {1, 1, 1, 2}, {1, 2}) +
    node("data", "Conv2D", "x weights",
         kOfFloats + attribute("strides", "list { i: 1 i: 1 i: 1 i: 1 }") + attribute("padding", "s: 'VALID'"));

TEST(FoldBatchNormsAlgebraic, ConstantStatisticsGiveAFusedBatchNorm) {
  const std::string text = kPointConvolution + kChannelStatistics + spelled_out();
  const Transformed result = transformed(text, "fold_batch_norms_algebraic", {{"x"}, {"y"}});
  EXPECT_EQ(result.nodes_of("FusedBatchNorm|Mul|Sub|Add|AddV2|Rsqrt"),
            "y = FusedBatchNorm(data, gamma, beta, mean, variance)\n");
  EXPECT_EQ(result.find("y").attr<bool>("is_training"), false);
  EXPECT_EQ(result.find("y").attr<double>("epsilon"), 1);
  const Tensor pixels = Tensor::of<float>({1, 1, 2, 1}, std::vector<float>{1, 4});
  const Row expected{10, 20, 13, 26};
  EXPECT_THAT(computed(*result.graph, {"y"}, {pixels}).front(), Pointwise(FloatNear(1e-4F), expected));
  const Transformed folded = transformed(text, "fold_batch_norms_algebraic fold_old_batch_norms", {{"x"}, {"y"}});
  EXPECT_EQ(folded.nodes_of("FusedBatchNorm|BiasAdd"), "y = BiasAdd(data, data_bn_offset)\n");
  EXPECT_THAT(computed(*folded.graph, {"y"}, {pixels}).front(), Pointwise(FloatNear(1e-4F), expected));
}

TEST(FoldBatchNormsAlgebraic, ComputedStatisticsGiveAnInstanceNorm) {
  const std::string moments = kAxes + node("mean", "Mean", "data axes", kKeeps) +
                              node("squares", "SquaredDifference", "data mean", kOfFloats) + kVariance;
  const std::string data = placeholder_of({1, 2, 2, 2}) + node("data", "Relu", "x", kOfFloats);
  for (const std::string sum : {"scaled shift", "shift scaled"}) {
    const std::string text = data + moments + spelled_out(sum);
    const Transformed result = transformed(text, "fold_moments fold_batch_norms_algebraic", {{"x"}, {"y"}});
    EXPECT_EQ(
        result.nodes_of("InstanceNorm|Mul|Sub|Moments|Mean"),
        "mean_moments = Moments(data, axes)\ny = InstanceNorm(data, gamma, beta, mean_moments, mean_moments:1)\n");
    EXPECT_THAT(computed(*result.graph, {"y"}, {kPixels}).front(),
                Pointwise(FloatNear(1e-4F), computed(*transformed(text, "").graph, {"y"}, {kPixels}).front()));
  }
}

TEST(FoldBatchNormsAlgebraic, OtherArithmeticStays) {
  const auto stays = [](const std::string& text) {
    EXPECT_EQ(transformed(text, "fold_batch_norms_algebraic", {{"x"}, {"y"}}).nodes_of("FusedBatchNorm|InstanceNorm"),
              "");
  };
  stays(kPointConvolution + kChannelStatistics + spelled_out("scaled shift", "scaled_mean beta"));
  // not certainly an image
  stays(placeholder_of({1, 2}) + node("data", "Relu", "x", kOfFloats) + kChannelStatistics + spelled_out());
  stays(kPointConvolution + constant("mean", {1, 2}, {1, 2}) + constant("variance", {1, 2}, {3, 8}) + spelled_out());
}

}  // namespace
}  // namespace mo::graph_transforms::testing
