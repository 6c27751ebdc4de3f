#include "core/execution/executor.hpp"
#include "core/inference/infer.hpp"
#include "core/tensor/convert.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/frontends/caffe/model_files.hpp"
#include "tests/support/builtins.hpp"

namespace mo::caffe::testing {
namespace {

/// Conversions of a net without weights, or with custom layers.
class CaffeConversion : public ModelFiles {
 protected:
  Options options(const std::string& topology) const {
    Options made;
    made.framework = "caffe";
    made.caffe.input_proto = write("m.prototxt", topology);
    made.output_dir = folder_.string();
    return made;
  }
  /// The code of the first error, or "".
  std::string run(const Options& options) {
    sink_.items.clear();
    const auto report = convert(options, sink_);
    return report ? "" : report.error().first().code;
  }
  bool warned_of(std::string_view code) const {
    for (const Diagnostic& d : sink_.items)
      if (d.code == code) return true;
    return false;
  }
  /// The .xml, from the layer of that name to its end.
  std::string layer_text(const std::string& name) const {
    const std::string xml = content("m.xml");
    const std::size_t start = xml.find("name=\"" + name + "\"");
    return start == std::string::npos ? "" : xml.substr(start, xml.find("</layer>", start) - start);
  }
  /// What the converted net makes of an input.
  std::vector<double> evaluate(const std::vector<double>& input) const {
    DiagnosticList sink;
    auto graph = ir::read_ir(path("m.xml"), path("m.bin"), test::builtins().ops(), sink);
    EXPECT_TRUE(graph) << (graph ? "" : graph.error().first().format());
    if (!graph) return {};
    EXPECT_TRUE(infer_graph(**graph));
    const auto out = execute(**graph, {from_reals(ElementType::f32, {1, 2, 2, 2}, input).value()});
    EXPECT_TRUE(out) << (out ? "" : out.error().first().format());
    return out ? to_reals(out->front()).value() : std::vector<double>();
  }

  DiagnosticList sink_;
};

const std::string kSmall = "input: 'data' input_shape { dim: 1 dim: 2 dim: 2 dim: 2 } ";

TEST_F(CaffeConversion, UnknownLayersAreListedAllAtOnce) {
  const Options made = options(net(layer("a", "Foo", "data") + layer("b", "Bar", "a")));
  DiagnosticList sink;
  const auto report = convert(made, sink);
  ASSERT_FALSE(report);
  ASSERT_EQ(report.error().items().size(), 2U);
  EXPECT_EQ(report.error().first().code, "MO-FRONT-0001");
}

TEST_F(CaffeConversion, AMappedLayerBecomesACustomOp) {
  Options made = options(net(
      layer("a", "MyLayer", "data",
            "my_param { alpha: 0.5 on: true sizes: 1 sizes: 2 mode: FAST inner { beta: 3 } } blobs { data: [1, 2] }") +
      layer("b", "ReLU", "a")));
  made.caffe.custom_layers_mapping = write("map.xml",
                                           "<CustomLayers><CustomLayer NativeType=\"mylayer\" hasParam=\"True\" "
                                           "protoParamName=\"my_param\" outputShape=\"input\"/>"
                                           "<CustomLayer NativeType=\"Other\" hasParam=\"false\"/></CustomLayers>");
  ASSERT_EQ(run(made), "");
  const std::string text = layer_text("a");
  EXPECT_NE(text.find("type=\"MyLayer\" version=\"extension\""), std::string::npos) << text;
  for (const char* attribute : {"alpha=\"0.5\"", "on=\"1\"", "sizes=\"1,2\"", "mode=\"FAST\"", "beta=\"3\""})
    EXPECT_NE(text.find(attribute), std::string::npos) << text;
  made.caffe.enable_flattening_nested_params = true;
  made.caffe.disable_omitting_optional = true;
  ASSERT_EQ(run(made), "");
  EXPECT_NE(layer_text("a").find("inner__beta=\"3\""), std::string::npos);
  EXPECT_TRUE(warned_of("MO-CAFFE-0045"));
}

TEST_F(CaffeConversion, TheMappingWinsOverBuiltInLayers) {
  Options made = options(net(layer("a", "ReLU", "data", "relu_param { negative_slope: 0.5 }")));
  made.caffe.custom_layers_mapping =
      write("map.xml", "<m><CustomLayer NativeType=\"ReLU\" hasParam=\"true\" protoParamName=\"relu_param\"/></m>");
  ASSERT_EQ(run(made), "");
  EXPECT_NE(layer_text("a").find("negative_slope=\"0.5\""), std::string::npos) << layer_text("a");
  // Nothing is known of its output: IR version 10 cannot say that.
  made.ir_version = 10;
  EXPECT_EQ(run(made), "MO-BACK-0002");
}

TEST_F(CaffeConversion, NamesOfParametersThatClash) {
  Options made = options(net(layer("a", "My", "data", "my_param { type: 1 x: 1 inner { x: 2 } }")));
  made.caffe.custom_layers_mapping =
      write("map.xml", "<m><CustomLayer NativeType=\"My\" hasParam=\"true\" protoParamName=\"my_param\"/></m>");
  ASSERT_EQ(run(made), "");
  EXPECT_TRUE(warned_of("MO-CAFFE-0046"));
  EXPECT_TRUE(warned_of("MO-CAFFE-0044"));
  EXPECT_NE(layer_text("a").find("type_1=\"1\" x=\"2\""), std::string::npos) << layer_text("a");
}

/// Weights of ones.
const std::string kProduct = [] {
  std::string ones = "1";
  for (int i = 1; i < 64; ++i) ones += ", 1";
  return layer("fc", "InnerProduct", "data",
               "inner_product_param { num_output: 2 } blobs { shape { dim: 2 dim: 32 } data: [" + ones +
                   "] } blobs { data: [1, 2] }");
}();
const std::string kConvolution = layer("conv", "Convolution", "data",
                                       "convolution_param { num_output: 2 kernel_size: 1 bias_term: false } "
                                       "blobs { shape { dim: 2 dim: 2 dim: 1 dim: 1 } data: [1, 2, 3, 4] }");
std::string normalisation(std::string_view bottom, std::string_view mean = "1, 2") {
  return layer("bn", "BatchNorm", bottom,
               "blobs { data: [" + std::string(mean) + "] } blobs { data: [3, 4] } blobs { data: [1] }");
}
std::string scale(std::string_view bottom) {
  return layer("scale", "Scale", bottom,
               "scale_param { bias_term: true } blobs { data: [5, 6] } blobs { data: [7, 8] }");
}

TEST_F(CaffeConversion, FusedOutputNamesAreThoseOfTheOriginal) {
  const auto output_of = [&](const std::string& layers, bool disable_fusing = false) {
    Options made = options(net(layers));
    made.disable_fusing = disable_fusing;
    EXPECT_EQ(run(made), "") << layers;
    DiagnosticList sink;
    const auto graph = ir::read_ir(path("m.xml"), path("m.bin"), test::builtins().ops(), sink);
    return graph ? std::string((*graph)->results().front().input(0).node().name()) : "none";
  };
  EXPECT_EQ(output_of(kProduct + normalisation("fc") + scale("bn")), "fc/Fused_Add_");
  EXPECT_NE(layer_text("fc/Fused_Add_").find("names=\"fc/Fused_Add_,fc/Fused_Add_:0,scale\""), std::string::npos)
      << layer_text("fc/Fused_Add_");
  EXPECT_EQ(output_of(kProduct + scale("fc")), "fc/Fused_Add_");
  EXPECT_EQ(output_of(kConvolution + normalisation("conv") + scale("bn")), "bn/variance/Fused_Add_");
  EXPECT_EQ(output_of(kConvolution + normalisation("conv")), "bn/variance/Fused_Add_");
  EXPECT_EQ(output_of(kConvolution + normalisation("conv", "0, 0")), "bn/mean/Fused_Mul_");
  EXPECT_EQ(output_of(kConvolution + scale("conv")), "scale") << "one multiplication and one addition stay";
  EXPECT_EQ(output_of(kProduct), "fc") << "so does an addition";
  EXPECT_EQ(output_of(kProduct + normalisation("fc") + layer("relu", "ReLU", "bn")), "relu");
  EXPECT_EQ(output_of(kProduct + normalisation("fc") + layer("relu", "ReLU", "fc")), "bn/variance/Fused_Add_")
      << "somebody else reads the product";
  EXPECT_EQ(output_of(kProduct + normalisation("fc") + scale("bn"), true), "scale") << "without fusing";
}

TEST_F(CaffeConversion, InvalidMappings) {
  Options made = options(net(layer("a", "ReLU", "data")));
  const auto code = [&](const std::string& xml) {
    made.caffe.custom_layers_mapping = write("map.xml", xml);
    return run(made);
  };
  EXPECT_EQ(code("<m>"), "MO-CAFFE-0040");
  EXPECT_EQ(code("<!DOCTYPE m [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><m/>"), "MO-CAFFE-0041");
  EXPECT_EQ(code("<m><Layer NativeType=\"A\" hasParam=\"false\"/></m>"), "MO-CAFFE-0042");
  EXPECT_EQ(code("<m><CustomLayer hasParam=\"false\"/></m>"), "MO-CAFFE-0042");
  EXPECT_EQ(code("<m><CustomLayer NativeType=\"A\" hasParam=\"maybe\"/></m>"), "MO-CAFFE-0042");
  EXPECT_EQ(code("<m><CustomLayer NativeType=\"A\" hasParam=\"true\"/></m>"), "MO-CAFFE-0042");
  EXPECT_EQ(code("<m><CustomLayer NativeType=\"A\" hasParam=\"false\"/><CustomLayer NativeType=\"a\" "
                 "hasParam=\"false\"/></m>"),
            "MO-CAFFE-0042");
  EXPECT_EQ(code("<m><CustomLayer NativeType=\"A\" hasParam=\"false\" outputShape=\"large\"/></m>"), "MO-CAFFE-0042");
  EXPECT_EQ(code("<m/>"), "");
  made.caffe.custom_layers_mapping = path("none.xml");
  EXPECT_EQ(run(made), "MO-IO-0001");
}

TEST_F(CaffeConversion, AMeanImageIsSubtracted) {
  Options made = options(kSmall + layer("p", "ReLU", "data"));
  // Two channels of 4x4: 0..15 and 100..115; the middle 2x2 of the first is 5, 6, 9, 10.
  std::vector<float> image;
  for (int c = 0; c < 2; ++c)
    for (int i = 0; i < 16; ++i) image.push_back(static_cast<float>(100 * c + i));
  made.caffe.mean_file = write("mean.binaryproto", number(2, 2) + number(3, 4) + number(4, 4) + packed(image));
  const std::vector<double> input = {10, 10, 10, 10, 200, 200, 200, 200};
  ASSERT_EQ(run(made), "");
  EXPECT_EQ(evaluate(input), (std::vector<double>{5, 4, 1, 0, 95, 94, 91, 90}));
  // The first offset counts rows.
  made.caffe.mean_file_offsets = {1, 0};
  ASSERT_EQ(run(made), "");
  EXPECT_EQ(evaluate(input), (std::vector<double>{6, 5, 2, 1, 96, 95, 92, 91}));
  made.caffe.mean_file_offsets = {3, 0};
  EXPECT_EQ(run(made), "MO-PRE-0009");
  made.caffe.mean_file_offsets.reset();
  made.input_shapes = {PartialShape({1, 2, 5, 2})};
  EXPECT_EQ(run(made), "MO-PRE-0008");
}

TEST_F(CaffeConversion, InvalidMeanFiles) {
  Options made = options(kSmall + layer("p", "ReLU", "data"));
  const auto code = [&](const std::string& mean) {
    made.caffe.mean_file = write("mean.binaryproto", mean);
    return run(made);
  };
  EXPECT_EQ(code(""), "MO-IO-0020");
  EXPECT_EQ(code("\x08"), "MO-PB-0001");
  EXPECT_EQ(code(packed({1, 2, 3})), "MO-CAFFE-0050");
  EXPECT_EQ(code(number(2, 1LL << 40) + number(3, 1LL << 40) + number(4, 3) + packed({1})), "MO-CAFFE-0022");
  EXPECT_EQ(code(number(2, 3) + number(3, 1'000'000) + number(4, 1'000'000) + packed({1})), "MO-CAFFE-0023");
  Options two = options(
      "input: 'data' input: 'b' input_dim: [1,2,2,2,1,2,2,2] layer { name: 'e' type: 'Eltwise' bottom: 'data' bottom: "
      "'b' top: 'e' }");
  two.caffe.mean_file =
      write("mean.binaryproto", number(2, 2) + number(3, 2) + number(4, 2) + packed(std::vector<float>(8, 1)));
  EXPECT_EQ(run(two), "MO-PRE-0007");
}

TEST_F(CaffeConversion, MeanValuesAndScale) {
  Options made = options(kSmall + layer("p", "Power", "data", "power_param { shift: 1 }"));
  made.mean_values = {{std::nullopt, {10, 20}}};
  made.scale = 2;
  ASSERT_EQ(run(made), "");
  EXPECT_EQ(evaluate({10, 12, 14, 16, 20, 22, 24, 26}), (std::vector<double>{1, 2, 3, 4, 1, 2, 3, 4}));
  made.mean_values = {{std::nullopt, {10, 20, 30}}};
  EXPECT_NE(run(made), "");
}

TEST_F(CaffeConversion, MeanValuesOfSeveralInputs) {
  Options made = options(
      "input: 'data' input: 'b' input_dim: [1,2,2,2,1,2,2,2] layer { name: 'e' type: 'Eltwise' bottom: 'data' bottom: "
      "'b' top: 'e' } " +
      layer("r", "ReLU", "e"));
  made.mean_values = {{"b", {1, 2}}};
  ASSERT_EQ(run(made), "");
  const std::string xml = content("m.xml");
  EXPECT_NE(xml.find("name=\"data\""), std::string::npos);
  EXPECT_NE(xml.find("name=\"b\""), std::string::npos);
  made.mean_values = {{"c", {1, 2}}};
  EXPECT_NE(run(made), "");
}

TEST_F(CaffeConversion, ShapesAndBatch) {
  Options made = options("input: 'data' input_dim: [1,2,2,2] " +
                         layer("p", "Pooling", "data", "pooling_param { global_pooling: true pool: AVE }"));
  made.batch = 5;
  ASSERT_EQ(run(made), "");
  EXPECT_NE(content("m.xml").find("shape=\"5, 2, 2, 2\""), std::string::npos);
  made.batch.reset();
  made.input_shapes = {PartialShape({3, 2, 7, 9})};
  ASSERT_EQ(run(made), "");
  EXPECT_NE(content("m.xml").find("shape=\"3, 2, 7, 9\""), std::string::npos);
}

}  // namespace
}  // namespace mo::caffe::testing
