#include <atomic>

#include "core/support/budget.hpp"
#include "core/tensor/convert.hpp"
#include "tests/frontends/caffe/model_files.hpp"

namespace mo::caffe::testing {
namespace {

using Names = std::vector<std::string_view>;

TEST(CaffeNet, LayersCountAgainstTheBudget) {
  const std::atomic<bool> stop = true;
  Budget budget({.cancel = &stop});
  const BudgetScope scope(budget);
  const Read read = read_text(net(layer("r", "ReLU", "data")));
  ASSERT_FALSE(read.graph);
  EXPECT_EQ(read.graph.error().first().code, "MO-LIMIT-0004");
  EXPECT_GE(budget.work(), work::kReadNode);
}

TEST(CaffeNet, LayersNamesAndAttributes) {
  const Read read = read_text(
      net(layer("c", "Convolution", "data",
                "param { lr_mult: 1 } param { lr_mult: 2 } convolution_param { num_output: 1 kernel_size: 3 "
                "kernel_size: 1 bias_term: "
                "false weight_filler { type: 'xavier' } } blobs { shape { dim: 1 dim: 2 dim: 3 dim: 1 } data: "
                "[1,2,3,4,5,6] }") +
          layer("p", "Pooling", "c",
                "pooling_param { pool: AVE } x_param { a { b: 1 } r { s: 1.5 } r { s: 2 } m: [1, 2.5] t: 'u' t: V }")));
  ASSERT_TRUE(read.graph) << read.text();
  const Graph& graph = **read.graph;
  EXPECT_EQ(graph.name, "n");
  ASSERT_EQ(graph.parameters().size(), 1U);
  EXPECT_EQ(graph.parameters()[0].output_type().to_string(), "f32[1,2,4,4]");
  const Node c = read.node("c");
  EXPECT_EQ(c.type(), "caffe::Convolution");
  EXPECT_EQ(c.framework(), "Caffe Convolution");
  EXPECT_EQ(c.attr<std::int64_t>("@blobs"), 1);
  EXPECT_EQ(c.attr<std::int64_t>("convolution_param.num_output"), 1);
  EXPECT_EQ(c.attr<std::vector<std::int64_t>>("convolution_param.kernel_size"), (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(c.attr<bool>("convolution_param.bias_term"), false);
  EXPECT_FALSE(c.has_attr("param"));
  EXPECT_FALSE(c.has_attr("type"));
  ASSERT_EQ(c.in_port_count(), 2U);
  EXPECT_EQ(c.input(1).node().name(), "c/blob_0");
  EXPECT_EQ(c.input_type(1).to_string(), "f32[1,2,3,1]");
  const Node p = read.node("p");
  EXPECT_EQ(p.attr<std::string>("pooling_param.pool"), "AVE");
  EXPECT_EQ(p.attr<std::int64_t>("x_param.a.b"), 1);
  EXPECT_EQ(p.attr<std::vector<double>>("x_param.m"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(p.attr<std::vector<std::string>>("x_param.t"), (std::vector<std::string>{"u", "V"}));
  const AttributeValue records = p.attribute("x_param.r");
  ASSERT_TRUE(records.holds<AttributeList>());
  EXPECT_EQ(*(*records.get_if<AttributeList>())[1].map()->find("s"), AttributeValue(std::int64_t{2}));
  ASSERT_EQ(graph.results().size(), 1U);
  EXPECT_EQ(graph.results()[0].input(0), p.output());
}

TEST(CaffeNet, InPlaceChainsReadTheLastProducer) {
  const Read read = read_text(
      net("layer { name: 'a' type: 'A' bottom: 'data' top: 'x' } layer { name: 'r' type: 'ReLU' bottom: 'x' top: 'x' }"
          "layer { name: 's' type: 'S' bottom: 'x' top: 'x' } layer { name: 'e' type: 'E' bottom: 'x' bottom: 'data' "
          "top: 'y' }"));
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ(read.node("r").input(0), read.node("a").output());
  EXPECT_EQ(read.node("s").input(0), read.node("r").output());
  EXPECT_EQ(read.node("e").input(0), read.node("s").output());
  // Who asks for blob x gets what is in it in the end.
  EXPECT_TRUE(read.node("a").output().data().tensor_names().empty());
  EXPECT_EQ(read.node("s").output().data().tensor_names(), (Names{"x"}));
}

TEST(CaffeNet, SeveralTopsAndUnreadBlobsAreResults) {
  const Read read = read_text(
      net("layer { name: 's' type: 'Slice' bottom: 'data' top: 'x' top: 'y' top: 'z' } " + layer("r", "ReLU", "y")));
  ASSERT_TRUE(read.graph) << read.text();
  const auto results = (*read.graph)->results();
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].input(0), read.node("s").output(0));
  EXPECT_EQ(results[1].input(0), read.node("s").output(2));
  EXPECT_EQ(results[2].input(0), read.node("r").output());
}

TEST(CaffeNet, InputsInAllForms) {
  const auto types = [](const std::string& text) {
    const Read read = read_text(text + layer("r", "ReLU", "data"));
    std::string found = read.text();
    if (read.graph)
      for (const Node& parameter : (*read.graph)->parameters())
        found += std::string(parameter.name()) + ":" + parameter.output_type().to_string() + " ";
    return found;
  };
  EXPECT_EQ(types("input: 'data' input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8 "), "data:f32[1,3,8,8] ");
  EXPECT_EQ(types("input: 'data' input: 'info' input_shape { dim: 1 dim: 3 } input_shape { dim: [1, 3] } "),
            "data:f32[1,3] info:f32[1,3] ");
  EXPECT_EQ(types("input: 'data' input: 'b' input_dim: [1,2,3,4,5,6,7,8] "), "data:f32[1,2,3,4] b:f32[5,6,7,8] ");
  EXPECT_EQ(types("layer { name: 'i' type: 'Input' top: 'data' top: 'b' input_param { shape { dim: 1 dim: -1 } } } "),
            "data:f32[1,?] b:f32[1,?] ");
  EXPECT_EQ(types("layer { name: 'd' type: 'Data' top: 'data' top: 'label' data_param { batch_size: 2 } "
                  "transform_param { crop_size: 9 mean_value: 1 "
                  "mean_value: 2 mean_value: 3 } } "),
            "data:f32[2,3,9,9] ");
  EXPECT_EQ(types("layer { name: 'd' type: 'ImageData' top: 'data' image_data_param { batch_size: 2 new_height: 4 "
                  "new_width: 5 is_color: false } } "),
            "d:f32[2,1,4,5] ");
  EXPECT_EQ(types("layer { name: 'd' type: 'MemoryData' top: 'data' top: 'l' memory_data_param { batch_size: 2 "
                  "channels: 3 height: 4 width: 5 } } "),
            "data:f32[2,3,4,5] ");
  EXPECT_EQ(types("layer { name: 'd' type: 'DummyData' top: 'data' dummy_data_param { num: 1 channels: 2 height: 3 "
                  "width: 4 } } "),
            "d:f32[1,2,3,4] ");
  EXPECT_EQ(types("layer { name: 'd' type: 'HDF5Data' top: 'data' hdf5_data_param { batch_size: 2 } } "),
            "d:f32[...] ");
}

TEST(CaffeNet, LabelsAreNotInputs) {
  const std::string data = "layer { name: 'd' type: 'Data' top: 'data' top: 'label' data_param { batch_size: 2 } } ";
  const Read read = read_text(data + layer("fc", "ReLU", "data") +
                              "layer { name: 'loss' type: 'SoftmaxWithLoss' bottom: 'fc' bottom: 'label' top: 'loss' }"
                              "layer { name: 'acc' type: 'Accuracy' bottom: 'fc' bottom: 'label' top: 'acc' } layer { "
                              "name: 'q' type: 'Silence' bottom: 'label' }");
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ((*read.graph)->parameters().size(), 1U);
  EXPECT_EQ(read.node("loss").in_port_count(), 1U);
  EXPECT_FALSE(read.node("q"));
  // A label that something else reads is an input; an image without readers is not.
  const Read embedded = read_text(data + layer("e", "Embed", "label"));
  ASSERT_EQ((*embedded.graph)->parameters().size(), 1U);
  EXPECT_EQ((*embedded.graph)->parameters()[0].name(), "label");
}

TEST(CaffeNet, PhaseRules) {
  const auto layers = [](const std::string& rule, const std::string& state = "") {
    const Read read = read_text(net(state + layer("a", "A", "data") + layer("b", "B", "a", rule)));
    return read.graph ? read.node("b") ? "in" : "out" : read.code();
  };
  EXPECT_EQ(layers("include { phase: TEST }"), "in");
  EXPECT_EQ(layers("include { phase: TRAIN }"), "out");
  EXPECT_EQ(layers("include { phase: 1 }"), "in");
  EXPECT_EQ(layers("exclude { phase: TRAIN }"), "in");
  EXPECT_EQ(layers("exclude { phase: TEST }"), "out");
  EXPECT_EQ(layers("include { min_level: 1 }"), "out");
  EXPECT_EQ(layers("include { max_level: 0 }"), "in");
  EXPECT_EQ(layers("include { min_level: 1 }", "state { level: 2 }"), "in");
  EXPECT_EQ(layers("include { stage: 'deploy' }"), "out");
  EXPECT_EQ(layers("include { stage: 'deploy' not_stage: 'x' }", "state { stage: 'deploy' }"), "in");
  EXPECT_EQ(layers("include { not_stage: 'deploy' }", "state { stage: 'deploy' }"), "out");
  EXPECT_EQ(layers("include { phase: TRAIN } include { phase: TEST }"), "in");
  EXPECT_EQ(layers("include { phase: TEST } exclude { phase: TRAIN }"), "MO-CAFFE-0008");
  EXPECT_EQ(layers("include { phase: DEPLOY }"), "MO-CAFFE-0008");
}

TEST(CaffeNet, OlderFormsAreUpgraded) {
  const Read v1 = read_text(
      "input: 'data' input_dim: [1,2,4,4] layers { name: 'c' type: CONVOLUTION bottom: 'data' top: 'c' blobs_lr: 1 "
      "convolution_param { "
      "num_output: 3 } } layers { name: 'i' type: 14 bottom: 'c' top: 'i' param: 'w' } layers { name: 'o' type: NEWER "
      "bottom: 'i' top: 'o' }");
  ASSERT_TRUE(v1.graph) << v1.text();
  EXPECT_EQ(v1.node("c").type(), "caffe::Convolution");
  EXPECT_EQ(v1.node("i").type(), "caffe::InnerProduct");
  EXPECT_EQ(v1.node("o").type(), "caffe::NEWER");  // reported with all other unknown layers
  const Read v0 = read_text(
      "input: 'data' input_dim: [1,2,4,4] layers { layer { name: 'pad' type: 'padding' pad: 2 } bottom: 'data' top: "
      "'pad' } layers { layer { name: "
      "'c' type: "
      "'conv' num_output: 3 kernelsize: 5 biasterm: false blobs { num: 1 channels: 1 height: 1 width: 2 data: [1, 2] } "
      "} bottom: 'pad' top: 'c' } "
      "layers { "
      "layer { name: 'p' type: 'pool' pool: AVE kernelsize: 2 stride: 2 } bottom: 'c' top: 'p' }");
  ASSERT_TRUE(v0.graph) << v0.text();
  const Node c = v0.node("c");
  EXPECT_EQ(c.type(), "caffe::Convolution");
  EXPECT_EQ(c.attr<std::int64_t>("convolution_param.num_output"), 3);
  EXPECT_EQ(c.attr<std::int64_t>("convolution_param.kernel_size"), 5);
  EXPECT_EQ(c.attr<std::int64_t>("convolution_param.pad"), 2);
  EXPECT_EQ(c.attr<bool>("convolution_param.bias_term"), false);
  EXPECT_EQ(c.input_type(1).to_string(), "f32[1,1,1,2]");
  EXPECT_EQ(c.input(0).node().name(), "data");
  EXPECT_EQ(v0.node("p").attr<std::string>("pooling_param.pool"), "AVE");
  EXPECT_FALSE(v0.node("pad"));
  EXPECT_EQ(read_text("input: 'data' input_dim: 1 layers { layer { name: 'p' type: 'padding' pad: 2 } bottom: 'data' "
                      "top: 'p' } layers { layer { name: 'r' type: "
                      "'relu' } bottom: 'p' top: 'r' }")
                .code(),
            "MO-CAFFE-0014");
}

TEST(CaffeNet, SharedWeightsComeFromTheirOwner) {
  const std::string share = "param { name: 'w' }";
  const std::string w = "blobs { shape { dim: 2 } data: [1, 2] }";
  const Read read = read_text(net(layer("a", "PReLU", "data", share + w) + layer("b", "PReLU", "data", share)));
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ(read.node("b").attr<std::int64_t>("@blobs"), 1);
  EXPECT_EQ(to_reals(read.node("b").input(1).node().as<Const>()->value).value(), (std::vector<double>{1, 2}));
  EXPECT_EQ(read_text(net(layer("a", "PReLU", "data", share + w) +
                          layer("b", "PReLU", "data", share + "blobs { data: [1, 2, 3] }")))
                .code(),
            "MO-CAFFE-0035");
}

TEST(CaffeNet, BlobsInText) {
  const auto shape_of = [](const std::string& blob) {
    const Read read = read_text(net(layer("a", "A", "data", "blobs { " + blob + " }")));
    return read.graph ? read.node("a").input_type(1).to_string() : read.code();
  };
  EXPECT_EQ(shape_of("data: 1 data: 2"), "f32[2]");
  EXPECT_EQ(shape_of("shape { dim: 2 dim: 1 } double_data: [1, 2]"), "f32[2,1]");
  EXPECT_EQ(shape_of("num: 1 channels: 2 height: 1 width: 1 data: [1, nan]"), "f32[1,2,1,1]");
  EXPECT_EQ(shape_of("shape { dim: 3 } data: [1, 2]"), "MO-CAFFE-0023");
  EXPECT_EQ(shape_of("num: -1 channels: 2 height: 1 width: 1 data: [1, 2]"), "MO-CAFFE-0022");
  EXPECT_EQ(shape_of("shape { dim: 4294967296 dim: 4294967296 } data: 1"), "MO-CAFFE-0022");
  EXPECT_EQ(shape_of("diff: 1"), "MO-CAFFE-0024");
}

TEST(CaffeNet, ErrorsNameThePlace) {
  EXPECT_EQ(read_text(net(layer("a", "A", "dato"))).code(), "MO-CAFFE-0007");
  EXPECT_NE(read_text(net(layer("a", "A", "dato"))).text().find("did you mean 'data'"), std::string::npos);
  EXPECT_NE(read_text(net(layer("a", "A", "dato"))).text().find("line 2"), std::string::npos);
  EXPECT_EQ(read_text(net("layer { name: 'a' type: 'A' bottom: 'data' top: 'x' top: 'x' }")).code(), "MO-CAFFE-0006");
  EXPECT_EQ(read_text(net(layer("a", "A", "data") + layer("a", "A", "data"))).code(), "MO-CAFFE-0006");
  EXPECT_EQ(read_text(net(layer("data", "A", "data") + layer("b", "A", "data"))).code(), "");
  EXPECT_EQ(read_text(net("layer { name: 'a' bottom: 'data' top: 'x' }")).code(), "MO-CAFFE-0005");
  EXPECT_EQ(read_text(net("layer { name: 7 type: 'A' }")).code(), "MO-CAFFE-0002");
  EXPECT_EQ(read_text(net("layer: 7")).code(), "MO-CAFFE-0002");
  EXPECT_EQ(read_text(net(layer("a", "A", "data", "p { x: 1 x: 'y' }"))).code(), "MO-CAFFE-0002");
  EXPECT_EQ(read_text(net("layers { name: 'a' type: 999 bottom: 'data' top: 'x' }")).code(), "MO-CAFFE-0003");
  EXPECT_EQ(read_text("net: 'train.prototxt' base_lr: 0.1").code(), "MO-CAFFE-0004");
  EXPECT_EQ(read_text("input: 'data' input_dim: -5 " + layer("a", "A", "data")).code(), "MO-CAFFE-0010");
  EXPECT_EQ(read_text("input: 'data' input: 'b' input_dim: 1 " + layer("a", "A", "data")).code(), "MO-CAFFE-0010");
  EXPECT_EQ(read_text("input: 'data' input_shape { dim: 1 } input_shape { dim: 1 } " + layer("a", "A", "data")).code(),
            "MO-CAFFE-0010");
  EXPECT_EQ(
      read_text("layer { type: 'Input' top: 'a' top: 'b' top: 'c' input_param { shape { dim: 1 } shape { dim: 1 } } }")
          .code(),
      "MO-CAFFE-0010");
  EXPECT_EQ(read_text("layer { type: 'Input' name: 'a' }").code(), "MO-CAFFE-0010");
  EXPECT_EQ(read_text(layer("a", "A", "data")).code(), "MO-CAFFE-0012");
  const Read trained = read_text(
      "layer { name: 'd' type: 'Data' top: 'data' include { phase: TRAIN } } layer { name: 'd' type: 'Data' top: "
      "'data' "
      "include { phase: TEST stage: 'x' } } " +
      layer("a", "A", "data"));
  ASSERT_TRUE(trained.graph) << trained.text();
  EXPECT_TRUE(trained.warned_of("MO-CAFFE-0015"));
  EXPECT_EQ((*trained.graph)->parameters().size(), 1U);
  const Read unknown = read_text("input: 'data' " + layer("a", "A", "data"));
  EXPECT_TRUE(unknown.graph);
  EXPECT_TRUE(unknown.warned_of("MO-CAFFE-0011"));
  EXPECT_TRUE(read_text(net(layer("a", "A", "data") + "layers { name: 'b' type: RELU }")).warned_of("MO-CAFFE-0013"));
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "p" + std::to_string(i) + ": 1 ";
  EXPECT_EQ(read_text(net(layer("a", "A", "data", many))).code(), "MO-CAFFE-0009");
}

}  // namespace
}  // namespace mo::caffe::testing
