#include "phases/back/boundary_names.hpp"

#include "core/graph/model_ends.hpp"
#include "phases/back/finish.hpp"
#include "tests/phases/support.hpp"

namespace mo::phases {
namespace {

using test::parse;
using test::run;

std::vector<std::string> names_of(const Value& tensor) {
  std::vector<std::string> names;
  for (const std::string_view name : tensor.data().tensor_names()) names.emplace_back(name);
  return names;
}

Settings version(int ir_version) {
  Settings settings;
  settings.ir_version = ir_version;
  return settings;
}

TEST(BoundaryNames, TheNodeBeforeAResultGetsThePublicName) {
  const auto graph = parse(R"(graph(%x: f32[?,2] "x" @["x"]) {
  %y = ReLU(%x) "relu" @["y"]
  %z = Abs(%y) "y" @["z"]
  return %y "y/sink_port_0", %z "z/sink_port_0"
})");
  const std::vector<Node> results = graph->results();
  set_public_name(results[0], "y");
  EXPECT_TRUE(run(boundary_names(), *graph).changed);
  EXPECT_EQ(results[0].input(0).node().name(), "y");
  EXPECT_TRUE(run(unique_names(), *graph).changed);
  EXPECT_EQ(results[0].input(0).node().name(), "y") << "before other nodes of that name";
  EXPECT_EQ(results[1].input(0).node().name(), "y_1");
}

TEST(BoundaryNames, AnInputGetsItsPublicName) {
  const auto graph = parse("graph(%x: f32[2] \"x\" @[\"x:0\"]) {\n  %y = ReLU(%x) \"y\" @[\"y\"]\n  return %y\n}");
  set_public_name(graph->parameters().front(), "x:0");
  EXPECT_TRUE(run(boundary_names(), *graph).changed);
  EXPECT_EQ(graph->parameters().front().name(), "x:0");
  EXPECT_FALSE(run(boundary_names(), *graph).changed);
}

constexpr std::string_view kSplit = R"(graph(%x: f32[4] "x" @["x"]) {
  %a, %b = Split(%x, 0:i64) {num_splits=2} "split" @["a"] @["b"]
  return %a "a/sink_port_0", %b "b/sink_port_0"
})";

TEST(BoundaryNames, OutputsOfOneNodeGetNodesOfTheirOwnInVersion10) {
  const auto graph = parse(kSplit, true);
  for (const Node& result : graph->results()) set_public_name(result, result.input(0).data().first_tensor_name());
  ASSERT_EQ(run(boundary_names(), *graph, version(10)).code, "");
  for (const Node& result : graph->results()) {
    EXPECT_EQ(result.input(0).node().type(), "Add");
    EXPECT_EQ(names_of(result.input(0)), std::vector<std::string>{std::string(result.input(0).node().name())});
  }
}

TEST(BoundaryNames, OutputsOfANodeThatIsCalledSoKeepItInVersion11) {
  const auto graph = parse(kSplit, true);
  for (const Node& result : graph->results()) set_public_name(result, "split");
  EXPECT_FALSE(run(boundary_names(), *graph).changed);
  for (const Node& result : graph->results()) set_public_name(result, "array");
  EXPECT_TRUE(run(boundary_names(), *graph).changed);
  EXPECT_EQ(graph->results().front().input(0).node().type(), "Convert");
}

TEST(BoundaryNames, EveryEndHasATensorName) {
  const auto graph = parse(R"(graph(%x: f32[4] "x") {
  %y = ReLU(%x) "conv"
  %z = Abs(%y) "relu" @["conv", "more"]
  return %y "y", %z "z"
})");
  EXPECT_TRUE(run(boundary_names(), *graph).changed);
  EXPECT_EQ(names_of(graph->parameters().front().output()), std::vector<std::string>{"x"});
  EXPECT_EQ(names_of(graph->results()[0].input(0)), std::vector<std::string>{"conv"}) << "a later layer had it";
  EXPECT_EQ(names_of(graph->results()[1].input(0)), std::vector<std::string>{"more"});
}

TEST(BoundaryNames, TensorsOfTensorFlowAreAlsoFoundWithoutTheirPort) {
  const auto graph =
      parse("graph(%x: f32[2] \"x\" @[\"x:0\"]) {\n  %y = ReLU(%x) \"y\" @[\"y:0\", \"out\"]\n  return %y\n}");
  graph->parameters().front().set_origin({.framework = "TensorFlow", .op = "Placeholder"});
  graph->results().front().set_origin({.framework = "TensorFlow", .part = "output"});
  EXPECT_TRUE(run(boundary_names(), *graph).changed);
  EXPECT_EQ(names_of(graph->parameters().front().output()), (std::vector<std::string>{"x:0", "x"}));
  EXPECT_EQ(names_of(graph->results().front().input(0)), (std::vector<std::string>{"y:0", "out", "y"}));
}

}  // namespace
}  // namespace mo::phases
