#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "core/execution/executor.hpp"
#include "core/inference/infer.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/printer.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/support/builtins.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

/// A folder of its own with a model in ONNX text form in it.
class Conversion : public testing::Test {
 protected:
  Conversion() : folder_(fs::path(testing::TempDir()) / ("mo_convert_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "out");
  }
  ~Conversion() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Options options(const std::string& graph, int opset = 13) {
    Options o;
    o.input_model = write("m.onnxtxt", "ir_version: 8 opset_import { version: " + std::to_string(opset) +
                                           " } graph { name: \"g\" " + graph + " }");
    o.framework = "onnx";
    o.output_dir = (folder_ / "out").string();
    return o;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_ / "out"), fs::directory_iterator()));
  }
  std::string code(const Options& o) {
    DiagnosticList sink;
    const auto report = convert(o, sink);
    text_.clear();
    if (report) return "";
    for (const Diagnostic& d : report.error().items()) text_ += d.format() + "\n";
    return report.error().first().code;
  }
  std::string bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
  std::string text_;
};

const std::string kInput =
    R"(input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 3 } dim { dim_value: 4 } dim { dim_value: 4 } } } } } )";
const std::string kOutput = R"(output { name: "y" type { tensor_type { elem_type: 1 } } } )";
const std::string kRelu = kInput + kOutput + R"(node { op_type: "Relu" name: "relu" input: "x" output: "y" } )";

TEST_F(Conversion, AllUnsupportedOpsAreListedWithTheirNodesAndNothingIsWritten) {
  const Options o = options(
      kInput + kOutput +
      R"(node { op_type: "Foo" name: "n1" input: "x" output: "a" } node { op_type: "Bar" name: "n2" input: "a" output: "b" }
    node { op_type: "Baz" name: "n3" input: "b" output: "c" } node { op_type: "Foo" name: "n4" input: "c" output: "y" })");
  EXPECT_EQ(code(o), "MO-FRONT-0001");
  for (const char* part : {"op Foo is not supported: 2 nodes: 'n1', 'n4'", "op Bar is not supported: 1 node: 'n2'",
                           "op Baz is not supported: 1 node: 'n3'"})
    EXPECT_NE(text_.find(part), std::string::npos) << part << "\n" << text_;
  EXPECT_EQ(files(), 0U);
}

TEST_F(Conversion, CuttingBeforeAnUnsupportedOpConvertsTheRest) {
  Options o = options(
      kInput + kOutput +
      R"(node { op_type: "Relu" name: "good" input: "x" output: "a" } node { op_type: "Foo" name: "bad" input: "a" output: "y" })");
  o.outputs.push_back({});
  o.outputs.back().text = o.outputs.back().node = "good";
  EXPECT_EQ(code(o), "") << text_;
  EXPECT_EQ(files(), 2U);
}

TEST_F(Conversion, TheSameModelGivesTheSameBytesInAnotherFolder) {
  Options o = options(kInput + kOutput + R"(node { op_type: "Conv" name: "conv" input: "x" input: "w" output: "y" }
    initializer { name: "w" data_type: 1 dims: 2 dims: 3 dims: 1 dims: 1 float_data: [1, 2, 3, 4, 5, 6] })");
  ASSERT_EQ(code(o), "") << text_;
  const fs::path other = folder_ / "other";
  fs::create_directories(other);
  Options again = o;
  again.output_dir = other.string();
  again.given.push_back({.name = "output_dir", .text = again.output_dir, .is_path = true, .affects_ir = false});
  ASSERT_EQ(code(again), "") << text_;
  EXPECT_EQ(bytes(folder_ / "out" / "m.xml"), bytes(other / "m.xml"));
  EXPECT_EQ(bytes(folder_ / "out" / "m.bin"), bytes(other / "m.bin"));
  EXPECT_EQ(bytes(other / "m.xml").find(folder_.string()), std::string::npos)
      << "an IR tells nothing about the machine";
}

TEST_F(Conversion, MeanScaleAndReversedChannelsGoIntoTheFirstConvolution) {
  Options o = options(kInput + kOutput + R"(node { op_type: "Conv" name: "conv" input: "x" input: "w" output: "y" }
    initializer { name: "w" data_type: 1 dims: 1 dims: 3 dims: 1 dims: 1 float_data: [1, 2, 3] })");
  o.mean_values = {{{}, {1, 2, 3}}};
  o.scale_values = {{{}, {2, 4, 5}}};
  o.reverse_input_channels = true;
  DiagnosticList sink;
  const auto report = convert(o, sink);
  ASSERT_TRUE(report) << report.error().first().format();
  auto graph = ir::read_ir(report->xml_path, "", test::builtins().ops(), sink);
  ASSERT_TRUE(graph);
  EXPECT_EQ(to_text(**graph).find("Gather"), std::string::npos) << to_text(**graph);
  EXPECT_EQ(to_text(**graph).find("Multiply"), std::string::npos);
  std::vector<float> image(48);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < 16; ++i) image[c * 16 + i] = static_cast<float>(10 * c + 1);  // channels 1, 11, 21
  const auto results = execute(**graph, {Tensor::of<float>({1, 3, 4, 4}, image)});
  ASSERT_TRUE(results);
  // (21 - 1) / 2 * 1 + (11 - 2) / 4 * 2 + (1 - 3) / 5 * 3
  EXPECT_NEAR((*results)[0].values<float>()[5], 10 + 4.5 - 1.2, 1e-4);
}

TEST_F(Conversion, Fp16ModelsAreHalfAsLargeAndStillRun) {
  for (const int version : {10, 11}) {
    Options o = options(kInput + kOutput + R"(node { op_type: "Add" name: "add" input: "x" input: "w" output: "y" }
      initializer { name: "w" data_type: 1 dims: 1 dims: 3 dims: 4 dims: 4 float_data: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16] })");
    o.data_type = ElementType::f16;
    o.ir_version = version;
    DiagnosticList sink;
    const auto report = convert(o, sink);
    ASSERT_TRUE(report) << report.error().first().format();
    EXPECT_EQ(fs::file_size(report->bin_path), 96U);
    auto graph = ir::read_ir(report->xml_path, "", test::builtins().ops(), sink);
    ASSERT_TRUE(graph);
    ASSERT_TRUE(infer_graph(**graph));
    EXPECT_EQ((*graph)->results()[0].input_type(0).element_type, version == 10 ? ElementType::f16 : ElementType::f32);
  }
}

TEST_F(Conversion, FourBitConstantsNeedToKnowTheirRuntime) {
  Options o =
      options(kInput + kOutput + R"(node { op_type: "DequantizeLinear" name: "dq" input: "w" input: "s" output: "f" }
      node { op_type: "Add" name: "add" input: "x" input: "f" output: "y" }
      initializer { name: "w" data_type: 22 dims: 1 dims: 3 dims: 4 dims: 4 raw_data: "abcdefghijklmnopqrstuvwx" } initializer { name: "s" data_type: 1 float_data: [0.5] })",
              21);
  // What the releases themselves read: the high half first in 2023.0 and 2023.1, the low one in 2023.2, 2023.3 and
  // 2024.6.
  for (const char* runtime : {"", "2023.1", "2023.2", "2023.3", "2024.0"}) {
    o.target_runtime = runtime;
    DiagnosticList sink;
    const auto report = convert(o, sink);
    ASSERT_TRUE(report) << report.error().first().format();
    const bool told =
        std::any_of(sink.items.begin(), sink.items.end(), [](const Diagnostic& d) { return d.code == "MO-EMIT-0013"; });
    EXPECT_EQ(told, o.target_runtime.empty()) << runtime;
    EXPECT_EQ(bytes(report->bin_path).substr(0, 1), o.target_runtime == "2023.1" ? "\x16" : "a") << runtime;
  }
}

TEST_F(Conversion, AlignCornersWithRoundedLengthsIsNotAnInterpolate) {
  const auto resize = [&](const std::string& factor) {
    return options(kInput + kOutput + R"(node { op_type: "Relu" name: "relu" input: "x" output: "a" }
      node { op_type: "Resize" name: "resize" input: "a" input: "" input: "s" output: "y" attribute { name: "mode" s: "linear" type: STRING }
             attribute { name: "coordinate_transformation_mode" s: "align_corners" type: STRING } }
      initializer { name: "s" data_type: 1 dims: 4 float_data: [1, 1, 1, )" +
                   factor + "] }");
  };
  const auto interpolates = [&] { return bytes(folder_ / "out" / "m.xml").find("Interpolate") != std::string::npos; };
  EXPECT_EQ(code(resize("1.5")), "") << text_;
  EXPECT_TRUE(interpolates());
  EXPECT_EQ(code(resize("0.6")), "") << text_;
  EXPECT_FALSE(interpolates()) << "4 * 0.6 is no whole length: the IR computes with the rounded one";
}

TEST_F(Conversion, PlacesThatCannotBeWrittenAreRefused) {
  Options o = options(kRelu);
  o.output_dir = o.input_model;
  EXPECT_EQ(code(o), "MO-DRIVER-0002");
  o = options(kRelu);
  o.output_dir = "/proc/no/such/place";
  EXPECT_EQ(code(o), "MO-DRIVER-0003");
  o.output_dir = (folder_ / "made" / "with" / "parents").string();
  EXPECT_EQ(code(o), "") << text_;
  EXPECT_TRUE(fs::exists(folder_ / "made" / "with" / "parents" / "m.xml"));
}

TEST_F(Conversion, OptionsThatOnlyListNeedNoModelAndPrintNoMessage) {
  DiagnosticList sink;
  const auto text = [&](const Options& o) {
    const auto report = convert(o, sink);
    return report ? report->text : report.error().first().format();
  };
  Options o;
  o.list_ops = "onnx";
  const std::string ops = text(o);
  EXPECT_NE(ops.find("Softmax (1-12, 13+)"), std::string::npos) << ops.substr(0, 400);
  EXPECT_NE(ops.find("StringSplit (any)  refused: "), std::string::npos);
  o.list_ops = "tf";
  EXPECT_EQ(text(o).find("refused"), std::string::npos);
  o.list_ops = "ir";
  EXPECT_NE(text(o).find("TopK-11  opset11  2023.0"), std::string::npos);
  o.list_ops = "ir-faults";
  EXPECT_FALSE(text(o).empty());
  o.list_ops = "onnx-output";
  EXPECT_NE(text(o).find("TopK-11  written"), std::string::npos);
  EXPECT_NE(text(o).find("CTCLoss-4  refused"), std::string::npos);
  o.list_ops = "fortran";
  EXPECT_EQ(code(o), "MO-DRIVER-0005");
  Options pipeline;
  pipeline.passes.print_pipeline = true;
  EXPECT_NE(text(pipeline).find("inference:\n  ReportUnsupported\n  PartialInference\n"), std::string::npos);
  EXPECT_TRUE(sink.items.empty());
}

TEST_F(Conversion, TheTimeOfPassesIsInTheReport) {
  Options o = options(kRelu);
  DiagnosticList sink;
  EXPECT_EQ(convert(o, sink)->text, "");
  o.passes.time = true;
  const auto report = convert(o, sink);
  ASSERT_TRUE(report);
  EXPECT_NE(report->text.find(" ms  all passes\n"), std::string::npos);
}

TEST_F(Conversion, ABadExpressionForDumpAfterIsAnError) {
  Options o = options(kRelu);
  o.passes.dump_after = "(";
  EXPECT_EQ(code(o), "MO-DRIVER-0001");
}

TEST_F(Conversion, ABadExpressionForFinegrainFusingIsAnError) {
  Options o = options(kRelu);
  o.finegrain_fusing = {"conv.*", "*["};
  EXPECT_EQ(code(o), "MO-DRIVER-0001");
}

TEST_F(Conversion, RulesReportWhatTheyDidOnRequest) {
  Options o = options(kRelu);
  o.passes.explain = {"MVNFusion", "ConstantFolding"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(code(o), "") << text_;
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("MVNFusion: no node has an op that its rules start from: "), std::string::npos) << told;
  EXPECT_NE(told.find("ConstantFolding: it does not consist of rules; it changed nothing\n"), std::string::npos)
      << told;
  o.passes.explain = {"ClampFussion"};
  EXPECT_EQ(code(o), "MO-PASS-0011");
}

TEST_F(Conversion, EveryPassIsVerifiedWhenAsked) {
  Options o = options(kRelu);
  o.passes.verify_each = true;
  EXPECT_EQ(code(o), "") << text_;
}

}  // namespace
}  // namespace mo
