// The examples of docs/extending.md, each on a TensorFlow graph of its form: the replaced graph gives the numbers of
// the original one.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>
#include <regex>

#include "core/text/printer.hpp"
#include "examples/replacers/hard_swish_points.cpp"
#include "examples/replacers/mvn.cpp"
#include "examples/replacers/squared_difference.cpp"
#include "examples/replacers/subtract.cpp"
#include "extensions/config/config_update.hpp"
#include "tests/extensions/converted_graph.hpp"

namespace mo::test {
namespace {

Options with_config(const std::string& file) {
  Options options;
  options.transformations_config = std::string(MO_SOURCE_DIR) + "/examples/replacers/" + file;
  return options;
}

TEST(Examples, SquaredDifference) {
  const std::string text =
      placeholder("a", {2, 3}) + placeholder("b", {2, 3}) + node("y", "SquaredDifference", {"a", "b"});
  const Converted plain = convert_graph(text, {});
  std::vector<Pass> passes;
  passes.push_back(examples::squared_difference());
  const Converted replaced = convert_graph(text, std::move(passes));
  ASSERT_TRUE(plain.graph && replaced.graph) << plain.error << replaced.error;
  EXPECT_FALSE(replaced.graph->has_op("SquaredDifference"));
  EXPECT_EQ(replaced.graph->find_node("y").type(), "Multiply");
  expect_same_numbers(*plain.graph, *replaced.graph);
}

/// With a constant like a tensor whose type only inference finds.
TEST(Examples, ConstantsLikeATensorInsideOfTheModelAreConstants) {
  for (const char* type : {"DT_FLOAT", "DT_INT32", "DT_HALF"}) {
    const std::string text = std::regex_replace(
        placeholder("a", {2, 3}) + placeholder("b", {2, 3}) + node("e", "Abs", {"b"}) + node("y", "Sub", {"a", "e"}),
        std::regex("DT_FLOAT"), type);
    std::vector<Pass> passes;
    passes.push_back(front_replacement_op("Sub").replace_op([](const Node& sub, Rewriter& rw) -> Replacement {
      return rw.create(ops::Add{}, sub.input(0),
                       rw.create(ops::Multiply{}, sub.input(1), rw.scalar_like(sub.input(1), -1)));
    }));
    const Converted plain = convert_graph(text, {}, {}, Phase::back);
    const Converted replaced = convert_graph(text, std::move(passes), {}, Phase::finish);
    ASSERT_TRUE(plain.graph && replaced.graph) << plain.error << replaced.error;
    EXPECT_EQ(replaced.graph->find_node("y").type(), "Add");
    EXPECT_FALSE(replaced.graph->has_op("ScalarLike")) << to_text(*replaced.graph);
    expect_same_numbers(*plain.graph, *replaced.graph);
  }
}

TEST(Examples, Subtract) {
  const std::string text = placeholder("a", {2, 3}) + placeholder("b", {3}) + node("y", "Sub", {"a", "b"});
  const Converted plain = convert_graph(text, {});
  std::vector<Pass> passes;
  passes.push_back(examples::subtract());
  const Converted replaced = convert_graph(text, std::move(passes));
  ASSERT_TRUE(plain.graph && replaced.graph) << plain.error << replaced.error;
  EXPECT_EQ(replaced.graph->find_node("y").type(), "Add");
  expect_same_numbers(*plain.graph, *replaced.graph);
}

struct Normalisation {
  std::vector<int> shape = {1, 3, 4, 2};
  bool channels_last = true;
  std::vector<int> mean_axes = {1, 2};
  bool stop_gradient = true;
  bool training = false;
};

std::string normalisation(const Normalisation& made) {
  const std::string keep = "attr { key: 'keep_dims' value { b: true } } attr { key: 'Tidx' value { type: DT_INT32 } } ";
  const std::string squeeze = "attr { key: 'squeeze_dims' value { list { i: 0 " +
                              std::string(made.channels_last ? "i: 1 i: 2" : "i: 2 i: 3") + " } } } ";
  const std::string attributes = "attr { key: 'epsilon' value { f: 0.01 } } attr { key: 'is_training' value { b: " +
                                 std::string(made.training ? "true" : "false") +
                                 " } } attr { key: 'data_format' value { s: '" +
                                 std::string(made.channels_last ? "NHWC" : "NCHW") + "' } } ";
  return placeholder("x", made.shape) + integers("axes", made.mean_axes) +
         integers("image_axes", made.channels_last ? std::vector{1, 2} : std::vector{2, 3}) +
         node("mean", "Mean", {"x", "axes"}, keep) +
         (made.stop_gradient ? node("stop", "StopGradient", {"mean"}) : "") +
         node("sqdiff", "SquaredDifference", {"x", made.stop_gradient ? "stop" : "mean"}) +
         node("variance", "Mean", {"sqdiff", "image_axes"}, keep) + node("m", "Squeeze", {"mean"}, squeeze) +
         node("v", "Squeeze", {"variance"}, squeeze) + reals("gamma", {2, 3}) + reals("beta", {0.5, -1}) +
         node("fbn", "FusedBatchNorm", {"x", "gamma", "beta", "m", "v"}, attributes) + node("y", "Relu", {"fbn"});
}

std::vector<Pass> mvn_passes() {
  std::vector<Pass> passes;
  passes.push_back(examples::mvn("MvnOfBatchNorm", false));
  passes.push_back(examples::mvn("MvnOfBatchNormWithStopGradient", true));
  passes.push_back(examples::mvn_without_axes());
  return passes;
}

/// The graph after its own inference, and the finished one; the numbers are those of the model.
void expect_mvn(const Normalisation& model) {
  const std::string text = normalisation(model);
  const Converted plain = convert_graph(text, {});
  const Converted inferred = convert_graph(text, mvn_passes());
  const Converted replaced = convert_graph(text, mvn_passes(), {}, Phase::back);
  ASSERT_TRUE(plain.graph && replaced.graph && inferred.graph) << plain.error << replaced.error << inferred.error;
  EXPECT_TRUE(inferred.graph->has_op("MvnWithAxes"));
  EXPECT_FALSE(replaced.graph->has_op("MvnWithAxes"));
  EXPECT_FALSE(replaced.graph->has_op("SquaredDifference")) << to_text(*replaced.graph);
  EXPECT_TRUE(replaced.graph->has_op("MVN"));
  expect_same_numbers(*plain.graph, *replaced.graph);
}

TEST(Examples, MvnWithACustomInferenceFunction) { expect_mvn({}); }

TEST(Examples, MvnOfAGraphWithoutStopGradient) { expect_mvn({.stop_gradient = false}); }

TEST(Examples, MvnOfAnImageAsWideAsItHasChannels) {
  expect_mvn({.shape = {1, 2, 3, 2}, .channels_last = false, .mean_axes = {2, 3}});
  expect_mvn({.shape = {1, 3, 2, 2}});
}

TEST(Examples, ATrainingStepIsNotAnMvnOfTheGivenMoments) {
  const Converted kept = convert_graph(normalisation({.training = true}), mvn_passes());
  ASSERT_TRUE(kept.graph) << kept.error;
  EXPECT_FALSE(kept.graph->has_op("MvnWithAxes"));
}

TEST(Examples, ItsInferenceFunctionRefusesOtherAxes) {
  const Converted wrong = convert_graph(normalisation({.mean_axes = {1}}), mvn_passes());
  EXPECT_NE(wrong.error.find("EXAMPLE-0002"), std::string::npos) << wrong.error;
}

/// Two blocks of four branches that read one tensor.
std::string inception() {
  std::string text = placeholder("x", {1, 4, 4, 2}) + node("InceptionV4/Mixed_5a/concat", "Identity", {"x"});
  std::string source = "InceptionV4/Mixed_5a/concat";
  for (const std::string block : {"InceptionV4/Mixed_5b/", "InceptionV4/Mixed_5c/"}) {
    text += node(block + "Branch_0/Conv2d_0a_1x1/Relu", "Relu", {source}) +
            node(block + "Branch_1/Conv2d_0a_1x1/Sigmoid", "Sigmoid", {source}) +
            node(block + "Branch_2/Conv2d_0a_1x1/Tanh", "Tanh", {source}) +
            node(block + "Branch_3/Relu6", "Relu6", {source});
    text += integers(block + "concat/axis", {3}, true);
    text += node(block + "concat", "ConcatV2",
                 {block + "Branch_0/Conv2d_0a_1x1/Relu", block + "Branch_1/Conv2d_0a_1x1/Sigmoid",
                  block + "Branch_2/Conv2d_0a_1x1/Tanh", block + "Branch_3/Relu6", block + "concat/axis"},
                 "attr { key: 'N' value { i: 4 } } attr { key: 'Tidx' value { type: DT_INT32 } } ");
    source = block + "concat";
  }
  return text + node("logits", "Softsign", {source});
}

TEST(Examples, InceptionBlocksBecomeOneOpEach) {
  const Converted plain = convert_graph(inception(), {});
  const Converted replaced = convert_graph(inception(), {}, with_config("inception_block.json"));
  ASSERT_TRUE(plain.graph && replaced.graph) << plain.error << replaced.error;
  EXPECT_EQ(replaced.warnings, std::vector<std::string>{"MO-CONFIG-0037"})
      << "the configuration says nothing of layouts";
  const Node first = replaced.graph->find_node("InceptionV4/Mixed_5b/concat");
  ASSERT_TRUE(first) << to_text(*replaced.graph);
  EXPECT_EQ(first.type(), "InceptionBlock");
  EXPECT_EQ(first.attr<std::int64_t>("attr2_key"), 123456);
  EXPECT_EQ(first.in_port_count(), 1U);
  EXPECT_EQ(first.output_type(0).to_string(), "f32[1,4,4,8]") << "by inference of what it replaced";
  EXPECT_FALSE(replaced.graph->has_op("Tanh"));
  expect_same_numbers(*plain.graph, *replaced.graph);
}

/// The blocks of Inception V4: four branches that end in a convolution. `size`: of the image; each branch makes a
/// quarter of the channels.
std::string inception_v4(int size, int channels) {
  const auto filter = [](const std::string& name, int in, int out) {
    return "node { name: '" + name +
           "' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: "
           "DT_FLOAT " +
           "tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: " + std::to_string(in) +
           " } dim { size: " + std::to_string(out) + " } } float_val: 0.0625 float_val: -0.5 float_val: 0.25 } } } }\n";
  };
  const std::string same =
      "attr { key: 'padding' value { s: 'SAME' } } attr { key: 'strides' value { list { i: [1, 1, 1, 1] } } } ";
  std::string text = placeholder("x", {1, size, size, channels}) + node("InceptionV4/Mixed_5a/concat", "Relu", {"x"});
  std::string source = "InceptionV4/Mixed_5a/concat";
  for (const std::string block : {"InceptionV4/Mixed_5b/", "InceptionV4/Mixed_5c/"}) {
    text += node(block + "Branch_3/AvgPool_0a_3x3/AvgPool", "AvgPool", {source},
                 same + "attr { key: 'ksize' value { list { i: [1, 3, 3, 1] } } } ");
    std::vector<std::string> ends;
    for (int i = 0; i < 4; ++i) {
      const std::string branch = block + "Branch_" + std::to_string(i) + "/Conv2d_0a_1x1/";
      text += filter(branch + "weights", channels, channels / 4);
      text += node(branch + "Conv2D", "Conv2D",
                   {i == 3 ? block + "Branch_3/AvgPool_0a_3x3/AvgPool" : source, branch + "weights"}, same);
      text += node(branch + "Tanh", "Tanh", {branch + "Conv2D"});
      ends.push_back(branch + "Tanh");
    }
    ends.push_back(block + "concat/axis");
    text += integers(block + "concat/axis", {3}, true);
    text += node(block + "concat", "ConcatV2", ends,
                 "attr { key: 'N' value { i: 4 } } attr { key: 'Tidx' value { type: DT_INT32 } } ");
    source = block + "concat";
  }
  return text + integers("axes", {1, 2}) +
         node("logits", "Mean", {source, "axes"},
              "attr { key: 'keep_dims' value { b: false } } attr { key: 'Tidx' value { type: DT_INT32 } } ");
}

TEST(Examples, LayersThatNeedChannelsFirstGetThem) {
  const std::string model = inception_v4(35, 384);
  const Converted as_in_the_model = convert_graph(model, {}, with_config("inception_block.json"), Phase::back);
  const Converted made = convert_graph(model, {}, with_config("inception_block_channels_first.json"), Phase::back);
  ASSERT_TRUE(as_in_the_model.graph && made.graph) << as_in_the_model.error << made.error;
  for (const std::string block : {"InceptionV4/Mixed_5b/concat", "InceptionV4/Mixed_5c/concat"}) {
    const Node node = made.graph->find_node(block);
    ASSERT_TRUE(node) << to_text(*made.graph);
    EXPECT_EQ(node.input_type(0).to_string(), "f32[1,384,35,35]");
    EXPECT_EQ(node.output_type(0).to_string(), "f32[1,384,35,35]");
    EXPECT_EQ(as_in_the_model.graph->find_node(block).output_type(0).to_string(), "f32[1,35,35,384]");
  }
  std::size_t transposes = 0;
  for (const Node node : made.graph->nodes()) transposes += node.type() == "Transpose" ? 1U : 0U;
  EXPECT_EQ(transposes, 1U) << "at the input of the model:\n" << to_text(*made.graph);
}

TEST(Examples, TheLayoutOfALayerChangesNoNumbers) {
  const std::string model = inception_v4(5, 8);
  const Converted plain = convert_graph(model, {}, {}, Phase::back);
  Options options = with_config("inception_block_channels_first.json");
  for (const bool op_by_op : {false, true}) {
    options.tensorflow.disable_nhwc_to_nchw = op_by_op;
    for (const Phase last : {Phase::inference, Phase::middle, Phase::back}) {
      const Converted made = convert_graph(model, {}, options, last);
      ASSERT_TRUE(plain.graph && made.graph) << plain.error << made.error;
      EXPECT_EQ(made.graph->find_node("InceptionV4/Mixed_5b/concat").output_type(0).to_string(),
                last == Phase::inference ? "f32[1,5,5,8]" : "f32[1,8,5,5]");
      expect_same_numbers(*plain.graph, *made.graph);
    }
  }
}

/// A descriptor that replaces `scope` by `op`.
Options with_descriptor(const std::string& scope, const std::string& rest) {
  const std::string file = testing::TempDir() + "/mo_descriptor_" + std::to_string(::getpid()) + ".json";
  std::ofstream(file) << R"([{"id": "any", "match_kind": "scope", "instances": [")" << scope << "\"], " << rest << "}]";
  Options options;
  options.transformations_config = file;
  return options;
}

TEST(Examples, OnlyTensorsOfTheRankOfTheImageChangeTheirLayout) {
  const std::string mean =
      "attr { key: 'keep_dims' value { b: false } } attr { key: 'Tidx' value { type: DT_INT32 } } ";
  const std::string model = placeholder("x", {1, 3, 4, 2}) + placeholder("z", {1, 3, 4, 2}) + placeholder("s", {4, 2}) +
                            node("block/sum", "AddV2", {"x", "z"}) + node("block/scaled", "Mul", {"block/sum", "s"}) +
                            integers("block/axes", {1}) +
                            node("block/mean", "Mean", {"block/scaled", "block/axes"}, mean) +
                            node("y", "Relu", {"block/scaled"}) + node("m", "Relu", {"block/mean"});
  const Converted plain = convert_graph(model, {}, {}, Phase::back);
  const Converted made =
      convert_graph(model, {}, with_descriptor("block/", R"("op": "Fused", "layout": "channels_first")"), Phase::back);
  ASSERT_TRUE(plain.graph && made.graph) << plain.error << made.error;
  Node fused;
  for (const Node node : made.graph->nodes())
    if (node.type() == "Fused") fused = node;
  ASSERT_TRUE(fused) << to_text(*made.graph);
  std::string types;
  for (std::size_t i = 0; i < fused.in_port_count(); ++i) types += fused.input_type(i).to_string() + " ";
  types += "->";
  for (const OutPort& port : fused.out_ports()) types += " " + port.type().to_string();
  EXPECT_EQ(types, "f32[4,2] f32[1,2,3,4] f32[1,2,3,4] -> f32[1,4,2] f32[1,2,3,4]")
      << "inputs in the order of the names inside";
  expect_same_numbers(*plain.graph, *made.graph);
}

TEST(Examples, AnOpThatMoKnowsHasItsOwnRuleOfLayouts) {
  const std::string model =
      placeholder("x", {1, 3, 4, 2}) + node("block/y", "Relu", {"x"}) + node("y", "Tanh", {"block/y"});
  const Converted made =
      convert_graph(model, {}, with_descriptor("block/", R"("op": "Sigmoid", "layout": "channels_first")"));
  EXPECT_NE(made.error.find("MO-CONFIG-0029"), std::string::npos) << made.error;
}

TEST(Examples, TheUpdateFindsTheFourBranches) {
  DiagnosticList sink;
  auto graph = tensorflow::read_graph_text(inception(), sink);
  ASSERT_TRUE(graph);
  const auto document = config::read_json(std::string(MO_SOURCE_DIR) + "/examples/replacers/inception_block.json");
  ASSERT_TRUE(document);
  const auto updated = config::updated_config(*document, "c.json", **graph, sink);
  ASSERT_TRUE(updated) << updated.error().first().format();
  const config::JsonValue* inputs = updated->items[0].find("inputs");
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->items.size(), 1U);
  ASSERT_EQ(inputs->items[0].items.size(), 4U);
  EXPECT_EQ(inputs->items[0].items[3].find("node")->text, "Branch_3/Relu6$");
  EXPECT_EQ(updated->items[0].find("outputs")->items[0].find("node")->text, "concat$");
}

TEST(Examples, Points) {
  const std::string text =
      placeholder("x", {2, 3}) + node("block/in", "Identity", {"x"}) + reals("block/three", {3}, true) +
      reals("block/sixth", {1.0F / 6}, true) + node("block/add", "AddV2", {"block/in", "block/three"}) +
      node("block/relu6", "Relu6", {"block/add"}) + node("block/scale", "Mul", {"block/relu6", "block/sixth"}) +
      node("block/out", "Mul", {"block/in", "block/scale"}) + node("y", "Softsign", {"block/out"});
  const Converted plain = convert_graph(text, {});
  std::vector<Pass> passes;
  passes.push_back(examples::hard_swish_points());
  const Converted replaced = convert_graph(text, std::move(passes), with_config("hard_swish_points.json"));
  ASSERT_TRUE(plain.graph && replaced.graph) << plain.error << replaced.error;
  EXPECT_EQ(replaced.graph->find_node("block/out").type(), "HSwish");
  expect_same_numbers(*plain.graph, *replaced.graph);
}

TEST(Examples, NamesInsideOfLoopsAreThoseOfTheFramework) {
  const std::string frame = "attr { key: 'frame_name' value { s: 'f' } } ";
  const std::string text =
      placeholder("x", {2}) + node("w/enter", "Enter", {"x"}, frame) +
      node("w/merge", "Merge", {"w/enter", "w/next"}, "attr { key: 'N' value { i: 2 } } ") +
      reals("limit", {100}, true) +
      node("w/limit", "Enter", {"limit"}, frame + "attr { key: 'is_constant' value { b: true } } ") +
      integers("all", {0}) +
      "node { name: 'w/all' op: 'Enter' input: 'all' attr { key: 'T' value { type: DT_INT32 } } " + frame +
      "attr { key: 'is_constant' value { b: true } } }\n" +
      node("w/sum", "Sum", {"w/merge", "w/all"}, "attr { key: 'Tidx' value { type: DT_INT32 } } ") +
      node("w/less", "Less", {"w/sum", "w/limit"}) + "node { name: 'w/cond' op: 'LoopCond' input: 'w/less' }\n" +
      node("w/switch", "Switch", {"w/merge", "w/cond"}) + node("w/body/exp", "Exp", {"w/switch:1"}) +
      node("w/body/plus", "AddV2", {"w/body/exp", "w/switch:1"}) + node("w/next", "NextIteration", {"w/body/plus"}) +
      node("w/exit", "Exit", {"w/switch"}) + node("y", "Relu", {"w/exit"});
  const std::string json = testing::TempDir() + "/mo_loop_config.json";
  std::ofstream(json)
      << R"([{"id": "any", "op": "Grow", "layout": "model", "match_kind": "scope", "instances": ["w/body/"]}])";
  Options options;
  options.transformations_config = json;
  const Converted plain = convert_graph(text, {});
  const Converted replaced = convert_graph(text, {}, options);
  ASSERT_TRUE(plain.graph && replaced.graph) << plain.error << replaced.error;
  EXPECT_TRUE(replaced.warnings.empty());
  EXPECT_NE(to_text(*replaced.graph).find("\"Grow\""), std::string::npos) << to_text(*replaced.graph);
  expect_same_numbers(*plain.graph, *replaced.graph);
}

}  // namespace
}  // namespace mo::test
