#include "core/graph/inlining.hpp"

#include "core/registry/framework_node.hpp"
#include "core/text/printer.hpp"
#include "tests/core/support.hpp"

namespace mo::test {
namespace {

constexpr std::string_view kBody = R"(graph(%a: f32[2], %b: f32[2]) {
  %dead = Exp(%a)
  %s = Subtract(%a, %b) "difference" @["t"]
  %n = Negative(%s)
  return %n, %b
})";

TEST(Inlining, PutsWhatTheResultsNeedInPlaceOfTheBody) {
  const auto body = parse(kBody);
  const auto graph = parse("graph(%x: f32[2], %y: f32[2]) { return %x }");
  const Value x = graph->parameters()[0].output();
  const Value y = graph->parameters()[1].output();
  const auto inlined = put_inline(*body, *graph, {y, x}, BodyFate::kept);
  ASSERT_TRUE(inlined);
  ASSERT_EQ(inlined->nodes.size(), 2U);
  EXPECT_EQ(inlined->nodes[0].name(), "difference");
  EXPECT_EQ(inlined->nodes[0].input(0), y);
  EXPECT_EQ(inlined->nodes[0].output().data().tensor_names().front(), "t");
  ASSERT_EQ(inlined->results.size(), 2U);
  EXPECT_EQ(inlined->results[0], inlined->nodes[1].output());
  EXPECT_EQ(inlined->results[1], x);
  EXPECT_EQ(to_text(*body), to_text(*parse(kBody))) << "the body stays as it is";
}

TEST(Inlining, KeepsControlEdgesAndNodesWithEffects) {
  const auto body = parse(R"(graph(%a: f32[2]) {
    %dead = Exp(%a)
    %first = Abs(%a) "first"
    %then = ReLU(%first) "then"
    %kept = Assign.v6(%a) {variable_id="v"} "effect"
    return %then
  })");
  body->find_node("then").add_control_input(body->find_node("first"));
  const auto graph = parse("graph(%x: f32[2]) { return %x }");
  const auto inlined = put_inline(*body, *graph, {graph->parameters()[0].output()}, BodyFate::kept);
  ASSERT_TRUE(inlined);
  EXPECT_EQ(inlined->nodes.size(), 3U) << "all but the dead one";
  EXPECT_TRUE(graph->find_node("effect")) << "no Result needs it, and yet it does something";
  ASSERT_EQ(graph->find_node("then").control_inputs().size(), 1U);
  EXPECT_EQ(graph->find_node("then").control_inputs().front(), graph->find_node("first"));
}

TEST(Inlining, AnotherNumberOfArgumentsIsAnError) {
  const auto body = parse(kBody);
  const auto graph = parse("graph(%x: f32[2]) { return %x }");
  const auto inlined = put_inline(*body, *graph, {graph->parameters()[0].output()}, BodyFate::used_up);
  ASSERT_FALSE(inlined);
  EXPECT_EQ(inlined.error().first().code, "MO-GRAPH-0014");
}

TEST(Inlining, ARewriterInfersWhatItPutsInline) {
  const auto body = parse(kBody);
  const auto graph = parse_and_infer("graph(%x: f32[2]) { return %x }");
  const Value x = graph->parameters()[0].output();
  Rewriter rewriter(*graph);
  const auto results = rewriter.inline_body(*body, {x, x}, BodyFate::used_up);
  ASSERT_TRUE(results);
  EXPECT_EQ(results->front().type().to_string(), "f32[2]");
}

TEST(FrameworkNodes, ABodyIsMovedOutOfItsAttribute) {
  const auto graph = parse(R"(graph(%x: f32[2]) {
  %y = "x::Loop"(%x) {body=graph(%a: f32[2]) { return %a }, limit=3}
  return %y
})");
  const Node node = graph->results()[0].input(0).node();
  const Graph* const before = node.bodies().front();
  const FrameworkNode view(node);
  const Body body = view.take_body("body");
  EXPECT_EQ(&body.graph(), before) << "not a copy";
  EXPECT_EQ(node.bodies().front()->node_count(), 0U);
  EXPECT_FALSE(view.failure());
  EXPECT_EQ(view.take_body("limit").graph().node_count(), 0U);
  ASSERT_TRUE(view.failure());
  EXPECT_EQ(view.failure()->code, "MO-FRONT-0003");
  const FrameworkNode other(node);
  EXPECT_EQ(other.take_body("condition").graph().node_count(), 0U);
  EXPECT_EQ(other.failure()->code, "MO-FRONT-0004");
}

}  // namespace
}  // namespace mo::test
