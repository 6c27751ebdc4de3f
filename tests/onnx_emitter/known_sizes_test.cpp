#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/files/input_files.hpp"
#include "driver/onnx_output.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "tests/onnx_emitter/model_text.hpp"

namespace mo::onnx_emitter {
namespace {

/// The file that is written of a graph, as text, or the first error.
std::string written(const std::string& text) {
  const auto graph = graph_of(text);
  if (!graph) return "";
  const std::string path = testing::TempDir() + "known_sizes.onnx";
  const InputFiles inputs;
  DiagnosticList sink;
  if (const auto report = write_onnx_file(path, Options{}, *graph, nullptr, inputs, sink); !report)
    return report.error().first().format();
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  const auto model = onnx::model_to_text(bytes);
  return model ? *model : model.error().first().format();
}

// ONNX Runtime 1.24 follows sizes as i64 through a Cast, and refuses Range of reals then.
TEST(OnnxOfKnownSizes, WhatShapesTellIsAConstant) {
  const std::string model = written(R"(graph(%x: f32[2,3] "x") {
    %s = ShapeOf(%x)
    %n = Gather(%s, [1]:i64, 0:i64)
    %f = Convert(%n) {destination_type=f32}
    %q = Squeeze(%f, [0]:i64)
    %r = Range(0:f32, %q, 1:f32) {output_type=f32} "r"
    %y = Add(%x, %r) "y"
    return %y
  })");
  for (const char* const op : {"Shape", "Gather", "Cast", "Range"}) EXPECT_EQ(count_of(model, op), 0U) << model;
  EXPECT_EQ(count_of(model, "Add"), 1U) << model;
}

TEST(OnnxOfKnownSizes, WhatASizeThatIsNotKnownIsInStaysComputed) {
  const std::string model = written(R"(graph(%x: f32[?,3] "x") {
    %s = ShapeOf(%x)
    %n = Gather(%s, 0:i64, 0:i64)
    %m = Gather(%s, 1:i64, 0:i64)
    return %n, %m
  })");
  EXPECT_EQ(count_of(model, "Shape"), 1U) << model;
  EXPECT_EQ(count_of(model, "Gather"), 1U) << model;
}

TEST(OnnxOfKnownSizes, ConstantsThatNoShapeIsInStayAsTheyAre) {
  const std::string model = written(R"(graph(%x: f32[2] "x") {
    %s = ShapeOf(%x)
    %w = Convert([1, 2]:f16) {destination_type=f32}
    %y = Add(%x, %w)
    return %y, %s
  })");
  EXPECT_EQ(count_of(model, "Cast"), 1U) << model;
  EXPECT_EQ(count_of(model, "Shape"), 0U) << model;
}

TEST(OnnxOfKnownSizes, AnOutputThatIsKnownKeepsItsName) {
  const std::string model = written(R"(graph(%x: f32[2,3] "x") {
    %s = ShapeOf(%x) "node" @["sizes"]
    return %s
  })");
  EXPECT_TRUE(has(model, "output: \"sizes\"")) << model;
}

TEST(OnnxOfKnownSizes, AStateThatBeginsWithComputedZerosHasADefault) {
  const std::string model = written(R"(graph(%x: f32[2,3] "x") {
    %s = ShapeOf(%x)
    %z = Broadcast(0:f32, %s)
    %h = ReadValue(%z) {variable_id="h"}
    %y = Add(%x, %h) "y"
    %a = Assign(%y) {variable_id="h"}
    return %y, %a
  })");
  const std::size_t initializer = model.find("initializer {");
  ASSERT_NE(initializer, std::string::npos) << model;
  EXPECT_NE(model.find("name: \"h\"", initializer), std::string::npos) << model;
}

}  // namespace
}  // namespace mo::onnx_emitter
