#include <gtest/gtest.h>

#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/text/parser.hpp"
#include "tests/support/builtins.hpp"
#include "transformations/catalogue.hpp"

// What transformations leave at nodes for each other and for runtimes: the text form does not show it.

namespace mo::test {
namespace {

std::unique_ptr<Graph> parsed(const std::string& text) {
  auto graph = parse_graph(text, builtins().ops());
  EXPECT_TRUE(graph) << (graph ? "" : graph.error().first().format());
  EXPECT_TRUE(infer_graph(**graph));
  (*graph)->set_has_types(true);
  return *std::move(graph);
}

void run(Graph& graph, const std::string& pass) {
  DiagnosticList diagnostics;
  const Settings settings;
  const auto done = LibraryRun(transformations::catalogue(), diagnostics, settings).run(pass, graph);
  EXPECT_TRUE(done) << (done ? "" : done.error().first().format());
}

/// The field of a mark at the node of that name: "" without the field, "none" without the mark.
std::string mark(const Graph& graph, const std::string& node, const std::string& attribute,
                 const std::string& field = "value") {
  const AttributeMap* const info = graph.find_node(node).rt_info();
  const AttributeValue* const fields = info ? info->find(attribute) : nullptr;
  if (!fields) return "none";
  const AttributeValue* const value = fields->map() ? fields->map()->find(field) : nullptr;
  const auto* const text = value ? value->get_if<std::string>() : nullptr;
  return text ? *text : "";
}

constexpr const char* kShapeComputation = R"(graph(%x: f32[?,2] "x") {
  %s = ShapeOf.v3(%x) {output_type=i64}
  %f = Convert(%s) {destination_type=f32}
  %d = Divide(%f, [1, 2]:f32) "of a shape"
  %t = Convert(%d) {destination_type=i64}
  %y = Broadcast.v3(0.5:f32, %t)
  %z = Divide(%x, 3) "of numbers"
  return %y, %z
})";

TEST(LibraryMarks, DividesOfShapesAreKept) {
  const auto graph = parsed(kShapeComputation);
  run(*graph, "MarkPrecisionSensitiveDivides");
  EXPECT_EQ(mark(*graph, "of a shape", "nonconvertable_divide"), "");
  EXPECT_EQ(mark(*graph, "of numbers", "nonconvertable_divide"), "none");
}

TEST(LibraryMarks, ConstantsOfShapesAreKept) {
  const auto graph = parsed(kShapeComputation);
  run(*graph, "MarkPrecisionSensitiveSubgraphs");
  std::size_t marked = 0;
  for (const auto [node, constant] : graph->each<Const>())
    if (node.rt_info() && node.rt_info()->find("disable_fp16_compression")) {
      ++marked;
      EXPECT_EQ(constant.value.shape(), Shape{2});
    }
  EXPECT_EQ(marked, 1U);
}

TEST(LibraryMarks, InputsOfCompressedModelsKeepTheirOldType) {
  const auto graph = parsed(R"(graph(%x: f32[2] "x", %z: f64[2] "z", %i: i64[2] "i") {
  %a = Add(%x, [1, 0.5]:f32)
  %b = Exp(%z)
  %c = Abs(%i)
  return %a, %b, %c
})");
  run(*graph, "CompressFloatConstants");
  EXPECT_EQ(mark(*graph, "x", "old_api_map_element_type"), "f16");
  EXPECT_EQ(mark(*graph, "z", "old_api_map_element_type"), "f16");
  EXPECT_EQ(mark(*graph, "i", "old_api_map_element_type"), "none");
  std::size_t decompressions = 0;
  for (const Node node : graph->nodes())
    if (node.is("Convert") && node.rt_info() && node.rt_info()->find("decompression")) ++decompressions;
  EXPECT_EQ(decompressions, 1U);
}

TEST(LibraryMarks, PlaceholdersKnowTheTypesOfTheOlderInterface) {
  const auto graph = parsed(R"(graph(%a: i64[?] "a", %b: u8[2] "b", %c: f16[2] "c", %d: f16[2] "d") {
  %x = Abs(%a)
  %y = Add(%b, %b)
  %z = Convert(%c) {destination_type=f32}
  %s = ShapeOf.v3(%c) {output_type=i64}
  %e = Exp(%d)
  return %x, %y, %z, %s, %e
})");
  run(*graph, "ChangePlaceholderTypes");
  EXPECT_EQ(mark(*graph, "a", "old_api_map_element_type"), "i32");
  EXPECT_EQ(mark(*graph, "b", "old_api_map_element_type"), "f32");
  EXPECT_EQ(mark(*graph, "c", "old_api_map_element_type"), "f32");
  EXPECT_EQ(mark(*graph, "d", "old_api_map_element_type"), "none");
}

TEST(LibraryMarks, MasksAreRemovedByPruning) {
  const auto graph = parsed(R"(graph(%x: f32[?,2]) {
  %a = MatMul(%x, [[1, 0, 2], [3, 0, 4]]:f32) "a"
  %y = MatMul(%a, [[1, 2], [3, 4], [5, 6]]:f32)
  return %y
})");
  run(*graph, "InitMasks");
  EXPECT_EQ(mark(*graph, "a", "channel_mask"), "");
  run(*graph, "PropagateMasks");
  run(*graph, "ShrinkWeights");
  EXPECT_EQ(mark(*graph, "a", "channel_mask"), "none");
  EXPECT_EQ(graph->find_node("a").output_type().shape.size(), 2U);
  EXPECT_EQ(graph->find_node("a").output_type().shape[1], Dimension(2));
}

}  // namespace
}  // namespace mo::test
