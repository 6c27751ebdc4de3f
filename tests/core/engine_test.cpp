#include <gtest/gtest.h>

#include <algorithm>

#include "core/graph/op_walk.hpp"
#include "ops/pattern.hpp"
#include "tests/core/support.hpp"

/// What the engine looks at, what it leaves out, and what it tells about it.
namespace mo {
namespace {

using test::Context;
using test::parse_and_infer;

std::vector<std::string> names_of(OpWalk& walk) {
  std::vector<std::string> names;
  while (const Node node = walk.next()) names.emplace_back(node.name());
  return names;
}

std::function<bool(const OpType&)> ops_named(std::vector<std::string> names) {
  return [names = std::move(names)](const OpType& type) {
    return std::find(names.begin(), names.end(), type.name) != names.end();
  };
}

constexpr std::string_view kMixed = R"(graph(%x: f32[2]) {
  %a = ReLU(%x) "a" %b = Abs(%a) "b" %c = Sigmoid(%b) "c" %d = ReLU(%c) "d" %e = Abs(%d) "e"
  return %e
})";

TEST(OpWalk, VisitsTheNodesOfSomeOpsInIdOrder) {
  const auto graph = parse_and_infer(kMixed);
  OpWalk walk(*graph, ops_named({"Abs", "ReLU"}));
  EXPECT_EQ(names_of(walk), (std::vector<std::string>{"a", "b", "d", "e"}));
}

TEST(OpWalk, SkipsNodesErasedAheadAndNodesCreatedMeanwhile) {
  const auto graph = parse_and_infer(kMixed);
  OpWalk walk(*graph, ops_named({"Abs"}));
  EXPECT_EQ(walk.next().name(), "b");
  graph->erase(graph->find_node("e"));
  graph->create_node(ops::Abs{}, {graph->find_node("d").output()}, 1, "new");
  EXPECT_FALSE(walk.next());
  OpWalk again(*graph, ops_named({"Abs"}));
  EXPECT_EQ(names_of(again), (std::vector<std::string>{"b", "new"})) << "the next walk knows both";
}

TEST(OpWalk, VisitsNodesAheadThatGetTheOp) {
  const auto graph = parse_and_infer(kMixed);
  OpWalk walk(*graph, ops_named({"Abs"}));
  EXPECT_EQ(walk.next().name(), "b");
  graph->find_node("a").set_op(ops::Abs{});
  graph->find_node("d").set_op(ops::Abs{});
  graph->find_node("e").set_op(ops::ReLU{});
  graph->find_node("e").set_op(ops::Abs{});
  EXPECT_EQ(names_of(walk), (std::vector<std::string>{"d", "e"})) << "each once, a lies behind";
  OpWalk again(*graph, ops_named({"Abs"}));
  EXPECT_EQ(names_of(again), (std::vector<std::string>{"a", "b", "d", "e"}));
}

TEST(OpWalk, SurvivesCompactAndAdopt) {
  const auto graph = parse_and_infer(kMixed);
  { OpWalk first(*graph, ops_named({"Abs"})); }
  graph->erase(graph->find_node("e"));
  graph->compact();
  OpWalk compacted(*graph, ops_named({"Abs"}));
  EXPECT_EQ(names_of(compacted), std::vector<std::string>{"b"});
  Graph other;
  other.adopt(parse_and_infer("graph(%x: f32[2]) { %a = Abs(%x) \"other\" return %a }"));
  OpWalk adopted(other, ops_named({"Abs"}));
  EXPECT_EQ(names_of(adopted), std::vector<std::string>{"other"});
}

TEST(Graph, KnowsWhichOpsItHas) {
  const auto graph = parse_and_infer(kMixed);
  EXPECT_TRUE(graph->has_op("Sigmoid"));
  const std::uint32_t before = graph->op_arrivals();
  graph->find_node("c").set_op(ops::Abs{});
  EXPECT_FALSE(graph->has_op("Sigmoid"));
  EXPECT_EQ(graph->op_arrivals(), before) << "Abs was there already";
  graph->find_node("c").set_op(ops::Exp{});
  EXPECT_NE(graph->op_arrivals(), before);
}

/// Abs(e) -> e, and how often `e` was asked for.
RewriteRule counted_abs(int& asked, const Pat& inner) {
  const Pat e = inner;
  return rewrite("AbsOf")
      .match(pattern::op<ops::Abs>(e).where([&asked](const Value&) { return ++asked, true; }))
      .rule([=](const Match& m, Rewriter&) { return m[e]; });
}

TEST(Engine, LooksAtNoNodeWhenAnOpThatTheRuleNeedsIsAbsent) {
  const auto graph = parse_and_infer(kMixed);
  Context c;
  int asked = 0;
  EXPECT_FALSE(*run_rules({counted_abs(asked, pattern::op<ops::Tanh>())}, *graph, c.context));
  EXPECT_EQ(asked, 0) << "there is no Tanh";
  EXPECT_FALSE(*run_rules({counted_abs(asked, pattern::constant())}, *graph, c.context));
  EXPECT_EQ(asked, 0) << "there is no Const";
  EXPECT_FALSE(*run_rules({counted_abs(asked, pattern::any_of(pattern::op<ops::Exp>(), pattern::op<ops::Sigmoid>()))},
                          *graph, c.context));
  EXPECT_EQ(asked, 2) << "one of the alternatives may occur";
}

TEST(Engine, ARuleIsTriedAgainOnceAnotherCreatedItsOp) {
  // Sigmoid -> Exp, Exp(Exp) -> Tanh: no Exp at first.
  const auto graph = parse_and_infer("graph(%x: f32[2]) { %a = Sigmoid(%x) %b = Sigmoid(%a) return %b }");
  const Pat x = pattern::any();
  const Pat y = pattern::any();
  const RewriteRule first =
      rewrite("First").match(pattern::op<ops::Sigmoid>(x)).rule([=](const Match& m, Rewriter& rw) {
        return rw.create(ops::Exp{}, m[x]);
      });
  const RewriteRule second =
      rewrite("Second").match(pattern::op<ops::Exp>(pattern::op<ops::Exp>(y))).rule([=](const Match& m, Rewriter& rw) {
        return rw.create(ops::Tanh{}, m[y]);
      });
  Context c;
  EXPECT_TRUE(*run_rules({second, first}, *graph, c.context));
  EXPECT_EQ(graph->results().front().input(0).node().type(), "Tanh");
}

TEST(Engine, APassIsNotRunOnGraphsWithoutTheOpsThatItLooksFor) {
  int runs = 0;
  const auto count = [&runs](Graph&, PassContext&) -> Expected<bool> { return ++runs, false; };
  const Pass pass = graph_pass("Counting").looks_for<ops::Tanh, ops::Exp>().run(count);
  const auto without = parse_and_infer(kMixed);
  const auto with = parse_and_infer("graph(%x: f32[2]) { %a = Exp(%x) return %a }");
  Context c;
  EXPECT_FALSE(*run_pass(pass, *without, c.context));
  EXPECT_EQ(runs, 0);
  EXPECT_FALSE(*run_pass(pass, *with, c.context));
  EXPECT_EQ(runs, 1);

  const auto body = parse_and_infer(R"(graph(%x: f32[2], %c: boolean[]) {
    %y = If(%c, %x) {then_body=graph(%a: f32[2]) { %b = Tanh(%a) return %b }, else_body=graph(%a: f32[2]) { %b = Abs(%a) return %b },
      then_input_map=[{input=1, parameter=0}], else_input_map=[{input=1, parameter=0}],
      then_output_map=[{output=0, result=0}], else_output_map=[{output=0, result=0}]}
    return %y
  })");
  EXPECT_FALSE(*run_pass(pass, *body, c.context));
  EXPECT_EQ(runs, 2) << "the branch that has it";
  EXPECT_FALSE(*run_pass(graph_pass("Whole").only_top_level().looks_for<ops::Tanh>().run(count), *body, c.context));
  EXPECT_EQ(runs, 3) << "a pass that descends by itself is run for what is inside";
}

/// What the rules of a pass tell.
std::vector<std::string> explained(Pass pass, Graph& graph) {
  std::vector<std::string> lines;
  PassManager manager;
  manager.config.explain({pass.name});
  manager.on_verdict = [&](const RuleVerdict& verdict) { lines.push_back(to_string(verdict)); };
  EXPECT_TRUE(manager.add(std::move(pass)));
  Context c;
  for (const Phase phase : kPhases) EXPECT_TRUE(manager.run(phase, graph, c.context));
  return lines;
}

TEST(Explaining, ARuleReportsTheDeepestPartialMatch) {
  const auto graph = parse_and_infer(
      R"(graph(%x: f32[2], %y: f32[2,3]) { %r = ReLU(%x) "r" %s = Sigmoid(%r) "s" %a = Abs(%s) "a" %b = Abs(%y) "b" return %a, %b })");
  const auto explain = [&](const Pat& pattern) {
    return explained(rewrite("P").match(pattern).replace(
                         [](const Match&, Rewriter&) -> Replacement { return declined("it is a test"); }),
                     *graph);
  };
  using namespace pattern;
  const Pat e = any();
  EXPECT_EQ(explain(op<ops::Abs>(op<ops::Sigmoid>(op<ops::Tanh>()))),
            (std::vector<std::string>{"P at 'a' (Abs): no match after 2 tensors, at 'r' (ReLU): expected Tanh",
                                      "P at 'b' (Abs): no match after 1 tensor, at Parameter: expected Sigmoid"}));
  EXPECT_EQ(explain(op<ops::Abs>(e.rank(1)))[1],
            "P at 'b' (Abs): no match after 1 tensor, at Parameter: expected rank 1, got f32[2,3]");
  EXPECT_EQ(explain(op<ops::Abs>(constant()))[0],
            "P at 'a' (Abs): no match after 1 tensor, at 's' (Sigmoid): expected Const");
  EXPECT_EQ(explain(op<ops::Abs>(e.where([](const Value&) { return false; }, "a lucky number")))[0],
            "P at 'a' (Abs): no match after 1 tensor, at 's' (Sigmoid): expected a lucky number, got f32[2]");
  EXPECT_EQ(explain(op<ops::Abs>(e, any()))[0],
            "P at 'a' (Abs): no match after 1 tensor, at 'a' (Abs): expected 2 inputs, got 1");
  EXPECT_EQ(explain(op<ops::Abs>(any_of(op<ops::Tanh>(), op<ops::Sigmoid>(op<ops::Exp>()))))[0],
            "P at 'a' (Abs): no match after 3 tensors, at 'r' (ReLU): expected Exp")
      << "of the alternative that came furthest";
  EXPECT_EQ(explain(op<ops::Abs>(e))[0], "P at 'a' (Abs): declined: it is a test");
}

TEST(Explaining, ConstantsAndRepeatedTensors) {
  const auto graph = parse_and_infer(
      R"(graph(%x: f32[2], %y: f32[2]) { %m = Multiply(%x, 3) "m" %d = Divide(%x, %y) "d" return %m, %d })");
  using namespace pattern;
  const Pat e = any();
  const auto decline = [](const Match&, Rewriter&) -> Replacement { return Replacement::declined(); };
  EXPECT_EQ(explained(rewrite("P").match(op<ops::Multiply>(e, 0.5)).replace(decline), *graph),
            std::vector<std::string>{
                "P at 'm' (Multiply): no match after 2 tensors, at Const: expected all elements 0.5, got f32[]: 3"});
  EXPECT_EQ(explained(rewrite("P").match(e / e).replace(decline), *graph),
            std::vector<std::string>{
                "P at 'd' (Divide): no match after 2 tensors, at Parameter: expected the tensor of Parameter again"});
  EXPECT_EQ(explained(rewrite("P").match(op<ops::Multiply>()).replace(decline), *graph),
            std::vector<std::string>{"P at 'm' (Multiply): declined"});
}

TEST(Explaining, ReplacementsRuleNamesAndPassesWithoutReasons) {
  const auto graph = parse_and_infer(R"(graph(%x: f32[2]) { %a = Abs(%x) "a" return %a })");
  const Pat e = pattern::any();
  const RewriteRule rule = rewrite("Rule").match(pattern::op<ops::Abs>(e)).rule([=](const Match& m, Rewriter& rw) {
    return rw.create(ops::Exp{}, m[e]);
  });
  const auto decline = [](const Match&, Rewriter&) -> Replacement { return Replacement::declined(); };
  EXPECT_EQ(explained(graph_rewrite("Pass").add(rule), *graph),
            std::vector<std::string>{"Pass: Rule at 'a' (Abs): replaced"});
  EXPECT_EQ(explained(rewrite("Pass").match(pattern::op<ops::Tanh>(e)).replace(decline), *graph),
            std::vector<std::string>{"Pass: no node has an op that its rules start from: Tanh"});
  EXPECT_EQ(explained(graph_pass("Pass").run([](Graph&, PassContext&) -> Expected<bool> { return false; }), *graph),
            std::vector<std::string>{"Pass: it does not consist of rules; it changed nothing"});
  EXPECT_EQ(
      explained(rewrite("Pass").match(pattern::op<ops::Add>(e, e)).disabled_by_default().replace(decline), *graph),
      std::vector<std::string>{"Pass: it does not run: it is disabled, or not among those of --only-pass"});
}

TEST(Explaining, NamesOfPassesAreChecked) {
  PassManager manager;
  manager.config.explain({"Misspelt"});
  const auto checked = manager.check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().first().code, "MO-PASS-0011");
}

TEST(Explaining, NothingIsRecordedByDefault) {
  const auto graph = parse_and_infer(R"(graph(%x: f32[2]) { %a = Abs(%x) return %a })");
  PassManager manager;
  int told = 0;
  manager.on_verdict = [&](const RuleVerdict&) { ++told; };
  ASSERT_TRUE(
      manager.add(rewrite("Asked").match(pattern::op<ops::Abs>()).replace([](const Match&, Rewriter&) -> Replacement {
        return declined("always");
      })));
  Context c;
  ASSERT_TRUE(manager.run(Phase::middle, *graph, c.context));
  EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace mo
