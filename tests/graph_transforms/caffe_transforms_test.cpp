#include "frontends/caffe/net_parameter/net_parameter.hpp"
#include "tests/frontends/caffe/model_files.hpp"
#include "tests/graph_transforms/transformed.hpp"

// Transforms that know no ops of TensorFlow, on Caffe nets.
namespace mo::graph_transforms::testing {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointwise;

/// A net in its two files, and what came of it.
struct CaffeNet {
  std::string text;
  std::string weights;
};
struct CaffeRun {
  Transformed result;
  CaffeNet net;
};

std::unique_ptr<Graph> read_caffe(const CaffeNet& net) {
  auto graph = caffe::read_net_parameter_bytes(net.text, net.weights);
  EXPECT_TRUE(graph) << graph.error().first().format();
  return graph ? *std::move(graph) : std::make_unique<Graph>();
}

CaffeRun run_caffe(const CaffeNet& net, const std::string& transforms, const Ends& named = {}) {
  CaffeRun made;
  made.result = transformed_model(read_caffe(net), transforms, named);
  if (!made.result.error_code.empty()) return made;
  const auto text = caffe::topology_text(*made.result.graph);
  if (!text) {
    made.result.error_code = text.error().first().code;
    made.result.error_text = text.error().first().message;
    return made;
  }
  made.net.text = *text;
  if (!caffe::has_weight_file(*made.result.graph)) return made;
  const auto weights = caffe::weights_bytes(*made.result.graph);
  EXPECT_TRUE(weights) << weights.error().first().format();
  made.net.weights = weights ? *weights : "";
  return made;
}

/// What came of a net has the same outputs, when it is read again from its files.
void expect_same_numbers(const CaffeNet& net, const CaffeNet& changed, const std::string& output, const Tensor& x,
                         float tolerance = 1e-5F) {
  const auto before = computed(*read_caffe(net), {output}, {x}).front();
  EXPECT_THAT(computed(*read_caffe(changed), {output}, {x}).front(), Pointwise(FloatNear(tolerance), before));
}

std::string caffe_layer(const std::string& name, const std::string& type, const std::string& bottom,
                        const std::string& top, const std::string& more = "") {
  return fmt::format("layer {{ name: \"{}\" type: \"{}\" bottom: \"{}\" top: \"{}\" {} }}\n", name, type, bottom, top,
                     more);
}
const std::string kNetInput = "name: \"n\"\ninput: \"data\" input_shape { dim: 1 dim: 2 dim: 1 dim: 2 }\n";
const Tensor kTwoChannelPixels = Tensor::of<float>({1, 2, 1, 2}, std::vector<float>{1, -2, 3, 4});
const std::string kNoTransform = "rename_op(old_op_name=Nobody, new_op_name=Nothing)";

/// A .caffemodel: layers of the current form with blobs of these numbers.
struct StoredBlob {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};
std::string stored_layer(const std::string& name, const std::vector<StoredBlob>& blobs, const std::string& more = "") {
  std::string content = caffe::testing::bytes(1, name) + caffe::testing::bytes(2, "T");
  for (const StoredBlob& blob : blobs)
    content += caffe::testing::bytes(7, caffe::testing::packed(blob.values) + caffe::testing::shape(blob.shape));
  return caffe::testing::bytes(100, content + more);
}
const std::string kOneByOne = "convolution_param { num_output: 2 kernel_size: 1 bias_term: false }";
const StoredBlob kStoredWeights{{2, 2, 1, 1}, {1, 2, 3, -1}};
/// Convolution, BatchNorm and Scale in place, ReLU in place.
const CaffeNet kNormalisedNet{kNetInput + caffe_layer("conv", "Convolution", "data", "conv", kOneByOne) +
                                  caffe_layer("bn", "BatchNorm", "conv", "conv") +
                                  caffe_layer("scale", "Scale", "conv", "conv", "scale_param { bias_term: true }") +
                                  caffe_layer("relu", "ReLU", "conv", "conv"),
                              stored_layer("conv", {kStoredWeights}, caffe::testing::bytes(106, "\x08\x02")) +
                                  stored_layer("bn", {{{2}, {2, 4}}, {{2}, {8, 18}}, {{1}, {2}}}) +
                                  stored_layer("scale", {{{2}, {3, 5}}, {{2}, {0.5F, -0.25F}}})};

// -- reading and writing ----------------------------------------------------------------------------------------------

TEST(NetParameter, UnchangedPartsAreWrittenCharacterByCharacter) {
  const std::string text =
      "# a comment\nname: 'n' force_backward: true ;\n"
      "layer { name: 'data' type: 'Data' top: 'data' top: 'label' include { phase: TRAIN } data_param { source: "
      "\"a\\\"b\" } }\n"
      "layer { name: 'data' type: 'Input' top: 'data' input_param < shape: { dim: [1, 2, 1, 2] } > }\n"
      "  # of the layer\nlayer{name:'c' type:'Convolution' bottom:'data' top:'c' [fork.field]: 7 "
      "convolution_param{num_output:0x2 kernel_size:1}\n"
      "  param { lr_mult: 1e-3 } }  # behind\nlayer { name: 'loss' type: 'SoftmaxWithLoss' bottom: 'c' bottom: 'label' "
      "include { phase: TRAIN } }\n"
      "state { level: 0 }\n# the end";
  const std::string weights =
      caffe::testing::bytes(1, "n") +
      stored_layer("c", {kStoredWeights, {{2}, {1, 2}}}, caffe::testing::bytes(900, "of a fork")) +
      stored_layer("c_split", {}) + caffe::testing::bytes(2000, "unknown");
  const CaffeRun made = run_caffe({text, weights}, kNoTransform);
  EXPECT_EQ(made.net.text, text);
  EXPECT_EQ(made.net.weights, weights);
}

TEST(NetParameter, LayersInOneListAreWrittenOneByOne) {
  const std::string text =
      "input: 'data' input_shape { dim: 1 dim: 2 }\nlayer: [{ name: 'a' type: 'ReLU' bottom: 'data' top: 'a' }, { "
      "name: 'b' type: 'TanH' bottom: 'a' "
      "top: 'b' }]\n";
  const CaffeRun made = run_caffe({text, ""}, kNoTransform);
  EXPECT_THAT(made.net.text,
              HasSubstr("layer {\n  name: \"a\"\n  type: \"ReLU\"\n  bottom: \"data\"\n  top: \"a\"\n}\n"));
  EXPECT_THAT(made.result.nodes(), HasSubstr("b = TanH(a)\n"));
}

TEST(NetParameter, BadNetsAreRefused) {
  const auto code = [](const std::string& text) {
    const auto graph = caffe::read_net_parameter_bytes(text, "");
    return graph ? std::string() : std::string(graph.error().first().code);
  };
  EXPECT_EQ(code("layer {"), "MO-CAFFE-0001");
  EXPECT_EQ(code("name: 'n'"), "MO-CAFFE-0004");
  EXPECT_EQ(code(kNetInput + caffe_layer("a", "ReLU", "dada", "a")), "MO-CAFFE-0007");
  EXPECT_EQ(code(kNetInput + caffe_layer("a", "ReLU", "data", "a") + caffe_layer("b", "ReLU", "data", "a")),
            "MO-CAFFE-0006");
}

// -- names of blobs ---------------------------------------------------------------------------------------------------

TEST(CaffeTransforms, LayersInPlaceStayInPlaceUnderOtherNames) {
  const std::string text = kNetInput + caffe_layer("conv", "Power", "data", "conv", "power_param { scale: 2 }") +
                           caffe_layer("relu", "ReLU", "conv", "conv") + caffe_layer("y", "TanH", "conv", "y");
  const CaffeRun made = run_caffe({text, ""}, "obfuscate_names");
  EXPECT_THAT(made.net.text, HasSubstr("  name: \"1\"\n  type: \"ReLU\"\n  bottom: \"0\"\n  top: \"0\"\n"));
  EXPECT_THAT(made.net.text, HasSubstr("  name: \"y\"\n  type: \"TanH\"\n  bottom: \"0\"\n  top: \"y\"\n"));
  expect_same_numbers({text, ""}, made.net, "y", kTwoChannelPixels);
  // One of the layers of a blob keeps its name, and the blob so, too.
  const CaffeRun renamed = run_caffe({text, ""}, "rename_node(old_node_name=conv, new_node_name=power)");
  EXPECT_THAT(renamed.net.text,
              HasSubstr("  name: \"power\"\n  type: \"Power\"\n  bottom: \"data\"\n  top: \"conv\"\n"));
}

TEST(CaffeTransforms, ALayerIsNotInPlaceAnyMoreIfTheOverwrittenBlobIsReadLater) {
  // `early` reads the blob before relu writes over it. Sorting puts the one that became ready last first, which is
  // `relu`'s reader.
  const std::string text = kNetInput + caffe_layer("p", "Power", "data", "p", "power_param { scale: 2 }") +
                           caffe_layer("early", "TanH", "p", "early") + caffe_layer("relu", "ReLU", "p", "p") +
                           "layer { name: 'y' type: 'Concat' bottom: 'p' bottom: 'early' top: 'y' }\n";
  const CaffeRun logged = run_caffe({text, ""}, "insert_logging(op=Power)");
  EXPECT_THAT(logged.net.text, HasSubstr("type: \"Split\"\n  bottom: \"p_1\"\n  top: \"p_output\""));
  EXPECT_THAT(logged.net.text, HasSubstr("type: \"ReLU\"\n  bottom: \"p_1\"\n  top: \"p\""));
  expect_same_numbers({text, ""}, logged.net, "y", kTwoChannelPixels);
  expect_same_numbers({text, ""}, run_caffe({text, ""}, "sort_by_execution_order").net, "y", kTwoChannelPixels);
  EXPECT_EQ(computed(*read_caffe(logged.net), {"p_output"}, {kTwoChannelPixels}).front(),
            (std::vector<float>{2, -4, 6, 8}));
}

TEST(CaffeTransforms, ABlobMeansItsFinalContent) {
  const std::string text = kNetInput + caffe_layer("conv", "Power", "data", "blob") +
                           caffe_layer("relu", "ReLU", "blob", "blob") + caffe_layer("y", "TanH", "blob", "y");
  EXPECT_EQ(run_caffe({text, ""}, "strip_unused_nodes", {{}, {"blob"}}).result.nodes(),
            "data = Placeholder()\nconv = Power(data)\nrelu = ReLU(conv)\n");
  EXPECT_EQ(run_caffe({text, ""}, "strip_unused_nodes", {{}, {"conv"}}).result.nodes(),
            "data = Placeholder()\nconv = Power(data)\n");
  EXPECT_EQ(run_caffe({text, ""}, "strip_unused_nodes", {{}, {"nobody"}}).result.error_code, "MO-GTT-0018");
}

// -- parts of nets ----------------------------------------------------------------------------------------------------

TEST(CaffeTransforms, LayersOfTrainingFollowNamesAndAreStripped) {
  const std::string text =
      "layer { name: 'data' type: 'Data' top: 'data' top: 'label' include { phase: TRAIN } }\n"
      "layer { name: 'data' type: 'Input' top: 'data' input_param { shape { dim: 1 dim: 4 } } include { phase: TEST } "
      "}\n" +
      caffe_layer("fc", "Power", "data", "fc") + caffe_layer("y", "Softmax", "fc", "y") +
      "layer { name: 'loss' type: 'SoftmaxWithLoss' bottom: 'fc' bottom: 'label' include { phase: TRAIN } }\n";
  const CaffeRun renamed = run_caffe({text, ""}, "rename_node(old_node_name=fc, new_node_name=z)");
  EXPECT_THAT(renamed.net.text, HasSubstr("  type: \"SoftmaxWithLoss\"\n  bottom: \"z\"\n  bottom: \"label\"\n"));
  const CaffeRun stripped = run_caffe({text, ""}, "strip_unused_nodes");
  EXPECT_THAT(stripped.net.text, Not(HasSubstr("TRAIN")));
  EXPECT_THAT(stripped.net.text, HasSubstr("phase: TEST"));
}

TEST(CaffeTransforms, AFeedInTheMiddleBecomesAnInput) {
  const CaffeNet net{kNetInput + caffe_layer("a", "Power", "data", "a") + caffe_layer("y", "TanH", "a", "y"), ""};
  const CaffeRun made = run_caffe(net, "strip_unused_nodes(shape=\"1,3\")", {{"a"}, {"y"}});
  EXPECT_THAT(made.net.text, HasSubstr("  name: \"a\"\n  type: \"Input\"\n  top: \"a\"\n  input_param {\n    shape {\n "
                                       "     dim: 1\n      dim: 3\n"));
  EXPECT_THAT(made.net.text, Not(HasSubstr("data")));
  EXPECT_EQ(computed(*read_caffe(made.net), {"y"}, {Tensor::of<float>({1, 3}, std::vector<float>{0, 0, 0})}).front(),
            (std::vector<float>{0, 0, 0}));
}

TEST(CaffeTransforms, EqualLayersAreMergedAndOthersAreRemoved) {
  const CaffeNet net{kNetInput + caffe_layer("a", "Power", "data", "a") + caffe_layer("b", "Power", "data", "b") +
                         caffe_layer("drop", "Dropout", "b", "b") +
                         "layer { name: 'y' type: 'Eltwise' bottom: 'a' bottom: 'b' top: 'y' }\n",
                     ""};
  const CaffeRun made = run_caffe(net, "remove_nodes(op=Dropout) merge_duplicate_nodes");
  EXPECT_EQ(made.result.nodes(), "data = Placeholder()\na = Power(data)\ny = Eltwise(a, a)\n");
  EXPECT_THAT(made.net.text, HasSubstr("  bottom: \"a\"\n  bottom: \"a\"\n"));
  expect_same_numbers(net, made.net, "y", kTwoChannelPixels);
}

TEST(CaffeTransforms, OpsAndParametersAreChangedInTheText) {
  const CaffeNet net{kNetInput + caffe_layer("a", "Pooling", "data", "a", "pooling_param { pool: MAX kernel_size: 1 }"),
                     ""};
  EXPECT_THAT(run_caffe(net, "rename_op(old_op_name=Pooling, new_op_name=MyPooling)").net.text,
              HasSubstr("type: \"MyPooling\""));
  const std::string text = run_caffe(net,
                                     "rename_attribute(old_attribute_name=\"pooling_param.kernel_size\", "
                                     "new_attribute_name=\"pooling_param.kernel_w\") "
                                     "remove_attribute(attribute_name=\"pooling_param.pool\")")
                               .net.text;
  EXPECT_THAT(text, HasSubstr("  pooling_param {\n    kernel_w: 1\n  }\n"));
}

// -- old forms --------------------------------------------------------------------------------------------------------

const std::string kOld =
    "input: 'data' input_dim: 1 input_dim: 2 input_dim: 1 input_dim: 2\n"
    "layers { layer { name: 'c' type: 'conv' num_output: 2 kernelsize: 1 biasterm: false } bottom: 'data' top: 'c' }\n"
    "layers { layer { name: 'r' type: 'relu' } bottom: 'c' top: 'c' }\n";
/// The blob has four sizes, as old files have.
const std::string kOldWeights = caffe::testing::bytes(
    2, caffe::testing::bytes(
           1, caffe::testing::bytes(1, "c") + caffe::testing::bytes(2, "conv") +
                  caffe::testing::bytes(50, caffe::testing::number(1, 2) + caffe::testing::number(2, 2) +
                                                caffe::testing::number(3, 1) + caffe::testing::number(4, 1) +
                                                caffe::testing::packed({1, 2, 3, -1}))) +
           caffe::testing::bytes(2, "data") + caffe::testing::bytes(3, "c"));

TEST(CaffeTransforms, OldFormsAreKept) {
  EXPECT_EQ(run_caffe({kOld, kOldWeights}, kNoTransform).net.weights, kOldWeights);
  EXPECT_EQ(run_caffe({kOld, kOldWeights}, kNoTransform).net.text, kOld);
  const CaffeRun made = run_caffe({kOld, kOldWeights}, "obfuscate_names round_weights(num_steps=4)", {{}, {"r"}});
  EXPECT_THAT(made.net.text, HasSubstr("  layer {\n    name: \"1\"\n    type: \"conv\"\n    num_output: 2\n"));
  EXPECT_THAT(made.net.text, HasSubstr("layer { name: 'r' type: 'relu' } bottom: 'c' top: 'c' }"));
  EXPECT_EQ(made.net.weights.size(), kOldWeights.size());  // rounded numbers in the same form
  expect_same_numbers({kOld, kOldWeights}, made.net, "r", kTwoChannelPixels, 2);
  const CaffeRun retyped = run_caffe({kOld, kOldWeights}, "rename_op(old_op_name=ReLU, new_op_name=TanH)");
  EXPECT_THAT(retyped.net.text, HasSubstr("type: \"tanh\""));
  EXPECT_EQ(run_caffe({kOld, kOldWeights}, "rename_op(old_op_name=ReLU, new_op_name=PReLU)").result.error_code,
            "MO-CAFFE-0061");
  const std::string v1 =
      "input: 'data' input_dim: 1 input_dim: 2 input_dim: 1 input_dim: 2\nlayers { name: 'r' type: RELU bottom: 'data' "
      "top: 'r' }\n";
  EXPECT_THAT(run_caffe({v1, ""}, "rename_op(old_op_name=ReLU, new_op_name=TanH)").net.text, HasSubstr("type: TANH"));
  EXPECT_EQ(run_caffe({v1, ""}, "rename_op(old_op_name=ReLU, new_op_name=PReLU)").result.error_code, "MO-CAFFE-0061");
}

TEST(CaffeTransforms, InputsOfOldFormsAreFieldsOfTheNet) {
  const CaffeRun made = run_caffe({kOld, kOldWeights}, "strip_unused_nodes(shape=\"1,2,1,2\")", {{"c"}, {"r"}});
  EXPECT_THAT(made.net.text, HasSubstr("input: \"c\"\ninput_shape {\n  dim: 1\n  dim: 2\n  dim: 1\n  dim: 2\n}\n"));
  EXPECT_EQ(computed(*read_caffe(made.net), {"r"}, {kTwoChannelPixels}).front(), (std::vector<float>{1, 0, 3, 4}));
}

// -- weights ----------------------------------------------------------------------------------------------------------

TEST(CaffeTransforms, BatchNormalisationIsFoldedIntoThePrecedingLayer) {
  const CaffeRun made = run_caffe(kNormalisedNet, "fold_batch_norms");
  EXPECT_EQ(made.result.nodes_of("Convolution|BatchNorm|Scale|ReLU"),
            "scale = Convolution(data, conv/blob_0, conv_bias)\nrelu = ReLU(scale)\n");
  EXPECT_THAT(made.net.text,
              HasSubstr("  top: \"conv\"\n  convolution_param {\n    num_output: 2\n    kernel_size: 1\n  }\n"));
  EXPECT_THAT(made.net.weights, Not(HasSubstr("\x08\x02")));  // its parameters were others
  expect_same_numbers(kNormalisedNet, made.net, "relu", kTwoChannelPixels);
  // (x + 0) / sqrt(4 + 1e-5) is half of x: 2 / 2 is the mean of channel 0, 8 / 2 its variance.
  EXPECT_NEAR(made.result.floats("conv/blob_0")[0], 1.5, 1e-4);
  EXPECT_NEAR(made.result.floats("conv_bias")[0], 0.5 - 1 / 2.0 * 3, 1e-4);
}

TEST(CaffeTransforms, FoldOldBatchNormsLeavesScales) {
  const CaffeRun made = run_caffe(kNormalisedNet, "fold_old_batch_norms");
  EXPECT_EQ(made.result.nodes_of("Convolution|BatchNorm|Scale"),
            "bn = Convolution(data, conv/blob_0, conv_bias)\nscale = Scale(bn, scale/blob_0, scale/blob_1)\n");
  expect_same_numbers(kNormalisedNet, made.net, "relu", kTwoChannelPixels);
}

TEST(CaffeTransforms, NormalisationsThatLearnAreNotFolded) {
  CaffeNet net = kNormalisedNet;
  net.text = kNetInput + caffe_layer("conv", "Convolution", "data", "conv", kOneByOne) +
             caffe_layer("bn", "BatchNorm", "conv", "conv", "batch_norm_param { use_global_stats: false }");
  EXPECT_EQ(run_caffe(net, "fold_batch_norms").result.count("BatchNorm"), 1U);
}

TEST(CaffeTransforms, FactorsAlongAnotherAxisAreNotFolded) {
  CaffeNet net = kNormalisedNet;
  net.text = kNetInput + caffe_layer("conv", "Convolution", "data", "conv", kOneByOne) +
             caffe_layer("scale", "Scale", "conv", "conv", "scale_param { axis: 3 bias_term: true }");
  EXPECT_EQ(run_caffe(net, "fold_batch_norms").result.count("Scale"), 1U);
}

TEST(CaffeTransforms, MatricesOfOldFilesAreFolded) {
  const std::string inner = "inner_product_param { num_output: 2 }";
  const CaffeNet net{"input: 'data' input_shape { dim: 1 dim: 4 }\n" +
                         caffe_layer("fc", "InnerProduct", "data", "fc", inner) + caffe_layer("s", "Scale", "fc", "s"),
                     stored_layer("fc", {{{1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}}, {{1, 1, 1, 2}, {1, 2}}}) +
                         stored_layer("s", {{{2}, {2, 3}}})};
  const CaffeRun made = run_caffe(net, "fold_batch_norms");
  EXPECT_EQ(made.result.floats("fc/blob_0"), (std::vector<float>{2, 4, 6, 8, 15, 18, 21, 24}));
  EXPECT_EQ(made.result.floats("fc/blob_1"), (std::vector<float>{2, 6}));
  expect_same_numbers(net, made.net, "s", Tensor::of<float>({1, 4}, std::vector<float>{1, -1, 2, 3}));
}

TEST(CaffeTransforms, SharedWeightsAreNotFolded) {
  const std::string shared = kOneByOne + " param { name: 'w' }";
  const CaffeNet net{kNetInput + caffe_layer("a", "Convolution", "data", "a", shared) +
                         caffe_layer("b", "Convolution", "a", "b", shared) + caffe_layer("s", "Scale", "b", "s"),
                     stored_layer("a", {kStoredWeights}) + stored_layer("s", {{{2}, {2, 3}}})};
  const CaffeRun made = run_caffe(net, "fold_batch_norms merge_duplicate_nodes");
  EXPECT_EQ(made.result.nodes_of("Convolution|Scale"),
            "a = Convolution(data, a/blob_0)\nb = Convolution(a, a/blob_0)\ns = Scale(b, s/blob_0)\n");
  EXPECT_EQ(made.net.weights, net.weights);
  expect_same_numbers(net, made.net, "s", kTwoChannelPixels);
}

/// As exporters from other frameworks write it.
TEST(CaffeTransforms, WeightsWithANameThatOneLayerUsesAreFolded) {
  const CaffeNet net{kNetInput +
                         caffe_layer("a", "Convolution", "data", "a", kOneByOne + " param { name: 'a_weight' }") +
                         caffe_layer("s", "Scale", "a", "s", "param { name: 's_gamma' }"),
                     stored_layer("a", {kStoredWeights}) + stored_layer("s", {{{2}, {2, 3}}})};
  const CaffeRun made = run_caffe(net, "fold_batch_norms");
  EXPECT_EQ(made.result.count("Scale"), 0U);
  expect_same_numbers(net, made.net, "s", kTwoChannelPixels);
}

TEST(CaffeTransforms, WeightsInTheTextAreChangedThere) {
  const CaffeNet net{kNetInput +
                         caffe_layer("c", "Convolution", "data", "c",
                                     kOneByOne + " blobs { shape { dim: [2, 2, 1, 1] } data: [1, 2, 3, -1] }") +
                         caffe_layer("s", "Scale", "c", "s", "blobs { shape { dim: 2 } data: [2, 3] }"),
                     ""};
  const CaffeRun made = run_caffe(net, "fold_batch_norms");
  EXPECT_THAT(made.net.text, HasSubstr("    data: 2\n    data: 4\n    data: 9\n    data: -3\n"));
  EXPECT_EQ(made.result.count("Scale"), 0U);
}

TEST(CaffeTransforms, LayersThatOnlyTheWeightsHaveAreStripped) {
  const CaffeNet net{kNetInput + caffe_layer("c", "Convolution", "data", "c", kOneByOne),
                     stored_layer("c", {kStoredWeights}) + stored_layer("auxiliary", {{{1}, {1}}})};
  EXPECT_EQ(run_caffe(net, "sort_by_execution_order").net.weights, net.weights);
  EXPECT_EQ(run_caffe(net, "strip_unused_nodes").net.weights, stored_layer("c", {kStoredWeights}));
}

TEST(CaffeTransforms, TransformsWithoutCaffeLayersAreRefused) {
  EXPECT_EQ(run_caffe(kNormalisedNet, "fold_constants").result.error_code, "MO-GTT-0058");
  EXPECT_EQ(run_caffe(kNormalisedNet, "quantize_weights").result.error_code, "MO-GTT-0059");
  EXPECT_EQ(run_caffe(kNormalisedNet, "quantize_nodes").result.error_code, "MO-GTT-0055");
}

TEST(CaffeTransforms, ANetWithoutItsInputIsNotWritten) {
  const std::unique_ptr<Graph> graph = read_caffe({kNetInput + caffe_layer("a", "ReLU", "data", "a"), ""});
  graph->erase(graph->find_node("data"));
  const auto text = caffe::topology_text(*graph);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().first().code, "MO-CAFFE-0062");
}

TEST(CaffeTransforms, UnknownOutputsAreRefused) {
  const std::unique_ptr<Graph> graph = read_caffe({kNetInput + caffe_layer("a", "ReLU", "data", "a"), ""});
  const auto done = caffe::add_net_outputs(*graph, {"b"});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().first().code, "MO-CAFFE-0063");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
