#include <gtest/gtest.h>

#include "core/pass/pass_manager.hpp"
#include "core/pass/subgraph_replacement.hpp"
#include "ops/pattern.hpp"
#include "ops/slice.hpp"
#include "ops/top_k.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

Value first_output(const Graph& graph) { return graph.results().front().input(0); }

TEST(Matching, InputsAtTheEndThatAreNotConnectedDoNotCount) {
  using namespace pattern;
  const auto graph =
      test::parse_and_infer("graph(%x: f32[4]) { %a = Slice(%x, [0]:i64, [2]:i64, [1]:i64, _) return %a }");
  EXPECT_EQ(first_output(*graph).node().in_port_count(), 5U);
  EXPECT_TRUE(Matcher(op<ops::Slice>(any(), any(), any(), any())).match(first_output(*graph)));
  EXPECT_FALSE(Matcher(op<ops::Slice>(any(), any(), any())).match(first_output(*graph)));
}

TEST(Matching, APatternOfOneOutputIsNotThatOfAnother) {
  using namespace pattern;
  const auto graph = test::parse_and_infer("graph(%x: f32[4]) { %a, %b = TopK.v11(%x, 2:i64) {axis=0} return %a, %b }");
  const Matcher second(op<ops::v11::TopK>().output(1));
  EXPECT_FALSE(second.match(graph->results()[0].input(0)));
  EXPECT_TRUE(second.match(graph->results()[1].input(0)));
}

TEST(Matching, AnIntegerInAConstraintIsTheSameNumberInARealAttribute) {
  const auto graph = test::parse("graph(%x: f32[2]) { %a = Elu(%x) {alpha=2.0} return %a }");
  const auto found = [&](AttributeValue wanted) {
    return find_subgraphs(*graph, {{{"e", {{"op", "Elu"}, {"alpha", std::move(wanted)}}}}, {}})->size();
  };
  EXPECT_EQ(found(std::int64_t{2}), 1U);
  EXPECT_EQ(found(2.0), 1U);
  EXPECT_EQ(found(std::int64_t{3}), 0U);
}

TEST(Matching, BeforeExtractionNodesHaveTheNamesOfTheFramework) {
  const auto graph = test::parse(R"(graph(%x: f32[2]) { %b = "tf::Sub"(%x, %x) "b" return %b })");
  graph->find_node("b").set_origin({.framework = "TensorFlow", .op = "Sub"});
  test::Context c;
  int found = 0;
  const Pass pass =
      front_replacement_op("Sub").phase(Phase::extraction).replace_op([&](const Node&, Rewriter&) -> Replacement {
        ++found;
        return Replacement::declined();
      });
  EXPECT_TRUE(run_pass(pass, *graph, c.context));
  EXPECT_EQ(found, 1);
}

TEST(OnlyPass, StepsThatEveryConversionNeedsRunAllTheSame) {
  PassConfig config;
  config.only({"Wanted"});
  const auto runs = [&](std::string name, Phase phase) {
    return config.runs(
        graph_pass(std::move(name)).phase(phase).run([](Graph&, PassContext&) -> Expected<bool> { return false; }));
  };
  EXPECT_TRUE(runs("Wanted", Phase::middle));
  EXPECT_FALSE(runs("Other", Phase::middle));
  EXPECT_TRUE(runs("Step", Phase::inference));
}

TEST(EraseIfDead, NodesWithEffectsStay) {
  const auto graph = test::parse_and_infer(
      R"(graph(%x: f32[2]) { %r = ReLU(%x) %a = Assign.v6(%r) {variable_id="v"} "a" return %x })");
  const Node assign = graph->find_node("a");
  ASSERT_TRUE(assign && assign.op_type().traits.stateful);
  erase_if_dead(assign);
  EXPECT_TRUE(assign.alive());
}

}  // namespace
}  // namespace mo
