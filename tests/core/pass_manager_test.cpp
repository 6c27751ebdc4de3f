#include <gtest/gtest.h>

#include "core/pass/pass_manager.hpp"
#include "core/text/printer.hpp"
#include "ops/pattern.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

using test::Context;
using test::parse;
using test::parse_and_infer;

Pass nothing(const std::string& name) {
  return graph_pass(name).run([](Graph&, PassContext&) -> Expected<bool> { return false; });
}

TEST(PassManager, OrderFollowsEdgesThenNames) {
  PassManager manager;
  Pass c = nothing("C");
  c.before = {"A"};
  Pass b = nothing("B");
  b.after = {"A"};
  ASSERT_TRUE(manager.add(b) && manager.add(c) && manager.add(nothing("A")) && manager.add(nothing("D")));
  std::string names;
  for (const unsigned seed : {0U, 1U, 2U, 3U}) {
    manager.shuffle_ties = seed;
    const auto order = manager.order(Phase::middle);
    ASSERT_TRUE(order);
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < order->size(); ++i) place[(*order)[i]->name] = i;
    EXPECT_LT(place["C"], place["A"]);
    EXPECT_LT(place["A"], place["B"]);
    if (seed == 0)
      for (const Pass* pass : *order) names += pass->name;
  }
  EXPECT_EQ(names, "CABD");
}

TEST(PassManager, UnknownNamesCyclesAndDuplicatesAreErrors) {
  PassManager manager;
  ASSERT_TRUE(manager.add(nothing("A")));
  EXPECT_EQ(manager.add(nothing("A")).error().first().code, "MO-PASS-0010");
  Pass lost = nothing("B");
  lost.after = {"Aa"};
  ASSERT_TRUE(manager.add(lost));
  const auto unknown = manager.check();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().first().code, "MO-PASS-0011");
  EXPECT_NE(unknown.error().first().hint_text.find("did you mean 'A'?"), std::string::npos);

  PassManager cyclic;
  Pass one = nothing("One");
  one.after = {"Two"};
  Pass two = nothing("Two");
  two.after = {"One"};
  ASSERT_TRUE(cyclic.add(one) && cyclic.add(two));
  Pass behind = nothing("Behind");  // stuck, but no part of the cycle
  behind.after = {"One"};
  ASSERT_TRUE(cyclic.add(behind));
  const auto cycle = cyclic.check();
  EXPECT_EQ(cycle.error().first().code, "MO-PASS-0012");
  EXPECT_NE(cycle.error().first().message.find("One -> Two"), std::string::npos) << cycle.error().first().message;

  PassManager config;
  ASSERT_TRUE(config.add(nothing("A")));
  config.config.disable("Nothing");
  EXPECT_EQ(config.check().error().first().code, "MO-PASS-0011");
}

TEST(PassManager, EdgesAcrossPhasesHoldOrAreErrorsThatNameBoth) {
  PassManager manager;
  Pass late = nothing("Late");
  late.phase = Phase::back;
  late.after = {"Early", "MiddleFinish", "FrontStart"};
  ASSERT_TRUE(manager.add(nothing("Early")) && manager.add(late));
  EXPECT_TRUE(manager.check());
  Pass impossible = nothing("Impossible");
  impossible.after = {"Late"};
  ASSERT_TRUE(manager.add(impossible));
  const auto refused = manager.check();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().first().code, "MO-PASS-0011");
  EXPECT_NE(refused.error().first().message.find(
                "pass Impossible of phase middle cannot run after Late, which phase back has"),
            std::string::npos);
}

TEST(PassManager, AnchorsAreTheBeginAndTheEndOfAPhase) {
  PassManager manager;
  Pass first = nothing("Zfirst");
  first.before = {"PreMiddleStart"};
  Pass last = nothing("Alast");
  last.after = {"PostMiddleStart"};
  Pass usual = nothing("Usual");
  usual.after = {"MiddleStart"};
  usual.before = {"BackStart"};
  ASSERT_TRUE(manager.add(first) && manager.add(last) && manager.add(usual) && manager.add(nothing("M")));
  const auto ordered = manager.order(Phase::middle);
  ASSERT_TRUE(ordered);
  std::vector<std::string> names;
  for (const Pass* pass : *ordered) names.push_back(pass->name);
  EXPECT_EQ(names, (std::vector<std::string>{"Zfirst", "M", "Usual", "Alast"}));
}

TEST(PassManager, ReportsAReplacerOfAPluginOnlyIfItFoundNothing) {
  for (const char* op : {"ReLU", "Sub"}) {
    Pass pass = front_replacement_op(op).replace_op(
        [](const Node& node, Rewriter&) -> Replacement { return Outputs{node.input(0)}; });
    pass.plugin = "mine";
    PassManager manager;
    ASSERT_TRUE(manager.add(std::move(pass)));
    const auto graph = parse_and_infer("graph(%x: f32[2]) { %a = ReLU(%x) %b = Abs(%a) return %b }");
    Context c;
    ASSERT_TRUE(manager.run(Phase::front, *graph, c.context));
    ASSERT_TRUE(manager.run(Phase::inference, *graph, c.context)) << "the op may still come out of a translation";
    const bool told = !c.diagnostics.items.empty() && c.diagnostics.items.front().code == "MO-PLUGIN-0028";
    EXPECT_EQ(told, std::string_view(op) == "Sub") << op;
  }
}

TEST(PassManager, ConfigConditionAndTimings) {
  PassManager manager;
  int runs = 0;
  const auto counting = [&](std::string name) {
    return graph_pass(std::move(name)).run([&](Graph&, PassContext&) -> Expected<bool> { return ++runs, false; });
  };
  Pass off = counting("Off");
  off.enabled = false;
  Pass conditional = counting("Conditional");
  conditional.condition = [](const Graph& g, const PassContext&) { return g.node_count() > 100; };
  ASSERT_TRUE(manager.add(counting("On")) && manager.add(off) && manager.add(conditional) &&
              manager.add(counting("Disabled")));
  manager.config.disable("Disabled");
  const auto graph = parse_and_infer("graph(%x: f32[2]) { return %x }");
  Context c;
  ASSERT_TRUE(manager.run(Phase::middle, *graph, c.context));
  EXPECT_EQ(runs, 1);
  manager.config.enable("Off");
  ASSERT_TRUE(manager.run(Phase::middle, *graph, c.context));
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(manager.timings().front().name, "Conditional");
  manager.config.set_callback("On", [](const Node& n) { return n.is<Parameter>(); });
  EXPECT_TRUE(manager.config.leaves_alone("On", graph->parameters()[0]));
  EXPECT_FALSE(manager.config.leaves_alone("Off", graph->parameters()[0]));
}

TEST(PassManager, VerifyEachFindsWrongClaimsAndBrokenGraphs) {
  const auto graph = parse_and_infer(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" return %a })");
  Context c;
  PassManager lying;
  lying.verify_each = true;
  ASSERT_TRUE(lying.add(graph_pass("Liar").run(
      [](Graph& g, PassContext&) -> Expected<bool> { return g.find_node("a").set_name("b"), false; })));
  EXPECT_EQ(lying.run(Phase::middle, *graph, c.context).error().first().code, "MO-PASS-0021");
  PassManager breaking;
  breaking.verify_each = true;
  ASSERT_TRUE(breaking.add(graph_pass("Breaker").run(
      [](Graph& g, PassContext&) -> Expected<bool> { return g.erase(g.find_node("b")), true; })));
  const auto broken = breaking.run(Phase::middle, *graph, c.context);
  EXPECT_EQ(broken.error().first().code, "MO-PASS-0020");
  EXPECT_NE(broken.error().first().phase.find("after Breaker"), std::string::npos);
}

TEST(PassManager, ErrorsSayWhichPassRan) {
  const auto graph = parse_and_infer("graph(%x: f32[2]) { return %x }");
  Context c;
  PassManager manager;
  ASSERT_TRUE(manager.add(
      graph_pass("Failing").run([](Graph&, PassContext&) -> Expected<bool> { return error("MO-TEST-0001", "no"); })));
  EXPECT_EQ(manager.run(Phase::middle, *graph, c.context).error().first().phase, "middle, while running Failing");
}

}  // namespace
}  // namespace mo
