#include <gtest/gtest.h>

#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "tests/support/builtins.hpp"
#include "transformations/catalogue.hpp"

/// What the text form of graphs does not show: runtime attributes, fused names, and duplicate names.
namespace mo::transformations {
namespace {

std::unique_ptr<Graph> parse(const std::string& text) {
  auto graph = parse_graph(text, test::builtins().ops(), {.infer = true});
  EXPECT_TRUE(graph) << graph.error().first().format();
  return graph ? *std::move(graph) : std::make_unique<Graph>();
}

bool run(Graph& graph, std::initializer_list<const char*> passes) {
  DiagnosticList diagnostics;
  const Settings settings;
  LibraryRun run(catalogue(), diagnostics, settings);
  bool changed = false;
  for (const char* const pass : passes) {
    const auto done = run.run(pass, graph);
    EXPECT_TRUE(done) << pass << ": " << done.error().first().format();
    changed = done && *done;
  }
  return changed;
}

bool has_mark(const Node& node, std::string_view key) { return node.rt_info() && node.rt_info()->find(key); }

const char* const kCompressed = R"(graph(%x: f32[?,2]) {
  %c = Convert([1, 2]:f16) {destination_type=f32} "c"
  %y = Multiply(%x, %c) "y"
  return %y
})";

TEST(LibraryFoldingMarks, DecompressionIsKeptFromFoldingUntilItIsAllowedAgain) {
  const auto graph = parse(kCompressed);
  graph->find_node("c").set_rt_info("decompression");
  EXPECT_FALSE(run(*graph, {"DisableDecompressionConvertConstantFolding", "ConstantFolding"}));
  ASSERT_TRUE(graph->find_node("c").is("Convert"));
  EXPECT_TRUE(has_mark(graph->find_node("c"), "disable_constant_folding"));
  EXPECT_FALSE(run(*graph, {"DisableDecompressionConvertConstantFolding"})) << "the mark is not new";
  EXPECT_TRUE(run(*graph, {"EnableDecompressionConvertConstantFolding", "ConstantFolding"}));
  EXPECT_TRUE(graph->find_node("y").input(1).node().is<Const>());
}

TEST(LibraryFoldingMarks, OtherConvertsAreFolded) {
  const auto graph = parse(kCompressed);
  EXPECT_FALSE(run(*graph, {"DisableDecompressionConvertConstantFolding"}));
  EXPECT_FALSE(run(*graph, {"EnableDecompressionConvertConstantFolding"}));
  EXPECT_TRUE(run(*graph, {"ConstantFolding"}));
}

TEST(LibraryConstantFolding, ReadersOfTheConstantGetTheAttributesOfTheFoldedNode) {
  const auto graph = parse(kCompressed);
  graph->find_node("c").set_rt_info("affinity", {});
  EXPECT_TRUE(run(*graph, {"ConstantFolding"}));
  EXPECT_TRUE(has_mark(graph->find_node("y"), "affinity"));
  EXPECT_EQ(graph->find_node("y").input(1).node().name(), "c");
}

TEST(LibraryConstantFolding, OutputsOfOneNodeAreDistinguishedByTheirNumbers) {
  const auto graph = parse(R"(graph(%x: f32[?]) {
  %a, %b = Split([1, 2]:f32, 0:i64) {num_splits=2} "s"
  %y = Add(%x, %a) "y"
  %z = Multiply(%y, %b) "z"
  return %z
})");
  EXPECT_TRUE(run(*graph, {"ConstantFolding"}));
  EXPECT_EQ(graph->find_node("y").input(1).node().name(), "s.0");
  EXPECT_EQ(graph->find_node("z").input(1).node().name(), "s.1");
  const auto half = parse(
      "graph(%x: f32[?]) {\n  %a, %b = Split([1, 2]:f32, 0:i64) {num_splits=2} \"s\"\n  %y = Add(%x, %b) \"y\"\n  "
      "return %y\n}");
  EXPECT_TRUE(run(*half, {"ConstantFolding"}));
  EXPECT_EQ(half->find_node("y").input(1).node().name(), "s.1");
}

TEST(LibraryNodeInfo, NodesWithoutFusedNamesGetTheirOwn) {
  const auto graph = parse("graph(%x: f32[2]) {\n  %y = ReLU(%x) \"y\"\n  return %y\n}");
  EXPECT_FALSE(run(*graph, {"InitNodeInfo"})) << "names alone change no model";
  EXPECT_EQ(graph->find_node("y").sources(), std::vector<std::string_view>{"y"});
  graph->find_node("y").set_name("other");
  run(*graph, {"InitNodeInfo"});
  EXPECT_EQ(graph->find_node("other").sources(), std::vector<std::string_view>{"y"});
}

TEST(LibraryNodeInfo, AttributesOfOlderVersionsGetTheCurrentNames) {
  for (const char* const pass : {"FixRtInfo", "InitNodeInfo"}) {
    const auto graph = parse("graph(%x: f32[2]) {\n  %y = ReLU(%x) \"y\"\n  return %y\n}");
    AttributeMap fields;
    fields.set("value", std::string("cpu"));
    graph->find_node("y").set_rt_info("PrimitivesPriority", fields);
    EXPECT_TRUE(run(*graph, {pass})) << pass;
    EXPECT_FALSE(has_mark(graph->find_node("y"), "PrimitivesPriority")) << pass;
    ASSERT_TRUE(has_mark(graph->find_node("y"), "primitives_priority")) << pass;
    const AttributeMap* const found = graph->find_node("y").rt_info()->find("primitives_priority")->map();
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(*found, fields);
    EXPECT_FALSE(run(*graph, {pass})) << pass;
  }
}

TEST(LibraryTransposeEltwise, MovesBeforePreprocessing) {
  const std::string text = R"(graph(%x: f32[?,4,4,3]) {
  %a = Subtract(%x, [[[[1, 2, 3]]]]:f32) "a"
  %t = Transpose(%a, [0, 3, 1, 2]:i64) "t"
  %y = ReLU(%t)
  return %y
})";
  const auto other = parse(text);
  EXPECT_FALSE(run(*other, {"TransposeEltwise"})) << "not marked";
  const auto graph = parse(text);
  graph->find_node("a").set_rt_info("preprocessing");
  EXPECT_TRUE(run(*graph, {"TransposeEltwise"}));
  EXPECT_EQ(to_text(*graph, {.elide_constants = false}), to_text(*parse(R"(graph(%x: f32[?,4,4,3]) {
  %m = Transpose(%x, [0, 3, 1, 2]:i64) rt {preprocessing={}}
  %t = Subtract(%m, [[[[1]], [[2]], [[3]]]]:f32) "t" rt {preprocessing={}}
  %y = ReLU(%t)
  return %y
})"),
                                                                 {.elide_constants = false}));
  EXPECT_TRUE(has_mark(graph->find_node("t"), "preprocessing")) << "the next Transpose moves, too";
}

TEST(LibraryTransposeEltwise, KeepsTensorsWithOtherReadersAndConstantsOfOtherRanks) {
  for (const char* const text : {"graph(%x: f32[?,4,3]) {\n  %a = Subtract(%x, [1, 2, 3]:f32) \"a\"\n  %t = "
                                 "Transpose(%a, [0, 2, 1]:i64)\n  %y = ReLU(%t)\n  return %y\n}",
                                 "graph(%x: f32[?,4], %z: f32[1,4]) {\n  %a = Subtract(%x, %z) \"a\"\n  %t = "
                                 "Transpose(%a, [1, 0]:i64)\n  %y = ReLU(%t)\n  return %y\n}"}) {
    const auto graph = parse(text);
    graph->find_node("a").set_rt_info("preprocessing");
    EXPECT_FALSE(run(*graph, {"TransposeEltwise"})) << text;
  }
}

std::vector<std::string> names_of(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node node : graph.nodes())
    if (!node.name().empty()) names.emplace_back(node.name());
  return names;
}

TEST(LibraryNameCollisions, LaterNodesGetNumbers) {
  const auto graph = parse(R"(graph(%x: f32[2] "x") {
  %a = ReLU(%x) "a"
  %b = Exp(%a) "b"
  %c = Abs(%b) "c"
  %d = Sign(%c) "d"
  return %d "r"
})");
  for (const char* const name : {"b", "c"}) graph->find_node(name).set_name("a");
  EXPECT_TRUE(run(*graph, {"ResolveNameCollisions"}));
  EXPECT_EQ(names_of(*graph), (std::vector<std::string>{"x", "a", "a_2", "a_3", "d", "r"}));
  EXPECT_FALSE(run(*graph, {"ResolveNameCollisions"}));
}

TEST(LibraryNameCollisions, InputsAndOutputsKeepTheirNames) {
  const auto graph = parse(R"(graph(%x: f32[2] "in") {
  %a = ReLU(%x) "a"
  %b = Exp(%a) "b"
  %c = Abs(%b) "c"
  return %c "r"
})");
  graph->find_node("a").set_name("c");
  graph->find_node("b").set_name("in");
  EXPECT_TRUE(run(*graph, {"ResolveNameCollisions"}));
  EXPECT_EQ(names_of(*graph), (std::vector<std::string>{"in", "c_2", "in_2", "c", "r"}));
}

}  // namespace
}  // namespace mo::transformations
