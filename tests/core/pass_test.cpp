#include <gtest/gtest.h>

#include "core/inference/infer.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "ops/pattern.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

using test::Context;
using test::parse;
using test::parse_and_infer;

/// x * x -> x + x, where both factors are the same tensor.
RewriteRule square_rule() {
  const Pat x = pattern::any();
  return rewrite("Square").match(pattern::op<ops::Multiply>(x, x)).rule([=](const Match& m, Rewriter& rw) {
    return rw.create(ops::Add{}, m[x], m[x]);
  });
}

TEST(Pattern, ARepeatedCaptureIsTheSameTensor) {
  const auto same = parse_and_infer("graph(%x: f32[2], %y: f32[2]) { %a = Multiply(%x, %x) return %a }");
  const auto other = parse_and_infer("graph(%x: f32[2], %y: f32[2]) { %a = Multiply(%x, %y) return %a }");
  Context c;
  EXPECT_TRUE(*run_rules({square_rule()}, *same, c.context));
  EXPECT_FALSE(*run_rules({square_rule()}, *other, c.context));
}

TEST(Pattern, BacktracksIntoTheOtherOrderOfAnInnerCommutativeOp) {
  using namespace pattern;
  const Pat x = any();
  const Pat y = any();
  const Matcher matcher((x + y) * x);
  const auto graph =
      parse_and_infer("graph(%p: f32[2], %q: f32[2]) { %s = Add(%p, %q) %a = Multiply(%s, %q) return %a }");
  const auto match = matcher.match(graph->results().front().input(0));
  ASSERT_TRUE(match) << "x must become q although p fits first";
  EXPECT_EQ((*match)[x], graph->parameters()[1].output());
}

TEST(Pattern, ConstraintsSitOnWhatTheyConstrain) {
  using namespace pattern;
  const Pat x = any().rank(2).element_type(ElementType::f32);
  const Matcher matcher(op<ops::ReLU>(x).one_use());
  const auto root = [](const Graph& g) { return g.results().front().input(0); };
  EXPECT_TRUE(matcher.match(root(*parse_and_infer("graph(%p: f32[2,2]) { %a = ReLU(%p) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: f32[2]) { %a = ReLU(%p) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: f16[2,2]) { %a = ReLU(%p) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: f32[2,2]) { %a = ReLU(%p) return %a, %a }"))));
  EXPECT_FALSE(Matcher(op<ops::ReLU>(any()))
                   .match(root(*parse_and_infer("graph(%p: f32[2,2]) { %a = Sigmoid(%p) return %a }"))));
  EXPECT_TRUE(Matcher(op(ops::Clamp{.min = 0, .max = 6}, any()))
                  .match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Clamp(%p) {min=0, max=6} return %a }"))));
  EXPECT_FALSE(Matcher(op(ops::Clamp{.min = 0, .max = 6}, any()))
                   .match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Clamp(%p) {min=0, max=5} return %a }"))));
}

TEST(Pattern, NumbersAreConstantsThatEqualThemEverywhere) {
  using namespace pattern;
  const Matcher matcher(any() * 0.1);
  const auto root = [](const Graph& g) { return g.results().front().input(0); };
  EXPECT_TRUE(matcher.match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Multiply(%p, 0.1) return %a }"))))
      << "0.1 rounded to f32";
  EXPECT_TRUE(
      matcher.match(root(*parse_and_infer("graph(%p: f16[2]) { %a = Multiply([0.1, 0.1]:f16, %p) return %a }"))));
  EXPECT_FALSE(
      matcher.match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Multiply(%p, [0.1, 0.2]:f32) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: i64[2]) { %a = Multiply(%p, 0) return %a }"))))
      << "0 is not 0.1 cut off";
}

TEST(Pattern, AlternativesAndOptionalOpsTellWhichOneWasTaken) {
  using namespace pattern;
  const Pat x = any();
  const Pat with = op<ops::ReLU>(x);
  const Matcher matcher(op<ops::Sigmoid>(any_of(with, x)));
  const auto plain = parse_and_infer("graph(%p: f32[2]) { %a = Sigmoid(%p) return %a }");
  const auto relu = parse_and_infer("graph(%p: f32[2]) { %r = ReLU(%p) %a = Sigmoid(%r) return %a }");
  const auto a = matcher.match(plain->results().front().input(0));
  const auto b = matcher.match(relu->results().front().input(0));
  ASSERT_TRUE(a && b);
  EXPECT_FALSE(a->find(with));
  EXPECT_TRUE(b->find(with));
  EXPECT_EQ((*b)[x], relu->parameters()[0].output());
  EXPECT_EQ(b->nodes().size(), 2U);
}

TEST(Pattern, ALatticeThatInvitesBacktrackingEndsSoon) {
  using namespace pattern;
  Pat p = any();
  for (int i = 0; i < 24; ++i) p = p + any();
  auto graph = std::make_unique<Graph>();
  Value v = graph->create_parameter({ElementType::f32, {2}}).output();
  for (int i = 0; i < 24; ++i) v = graph->create_node(ops::Add{}, {v, v}).output();
  const Matcher matcher(op<ops::ReLU>(p + 1.0));
  EXPECT_FALSE(matcher.match(graph->create_node(ops::ReLU{}, {v}).output()));
}

TEST(Rewriter, MovesNamesTensorNamesProvenanceAndErasesTheDead) {
  const auto graph = parse_and_infer(
      R"(graph(%x: f32[2]) { %r = ReLU(%x) "inner" %a = Multiply(%r, %r) "block/out" @["t1", "t2"] %b = Sigmoid(%a) "after" return %b })");
  graph->find_node("inner").add_source("inner");
  graph->find_node("block/out").add_source("block/out");
  graph->find_node("block/out").set_origin({.framework = "ONNX", .op = "Mul", .version = 13});
  Context c;
  const Pat r = pattern::op<ops::ReLU>();
  const RewriteRule rule =
      rewrite("Both").match(pattern::op<ops::Multiply>(r, r)).rule([=](const Match& m, Rewriter& rw) {
        return rw.create(ops::Abs{}, m.node(r).input(0));
      });
  ASSERT_TRUE(*run_rules({rule}, *graph, c.context));
  const Node made = graph->find_node("block/out");
  ASSERT_TRUE(made && made.is<ops::Abs>());
  EXPECT_EQ(made.output().data().tensor_names(), (std::vector<std::string_view>{"t1", "t2"}));
  EXPECT_EQ(made.framework(), "ONNX Mul, opset 13");
  EXPECT_EQ(made.sources(), (std::vector<std::string_view>{"block/out", "inner"})) << "of everything that matched";
  EXPECT_FALSE(graph->find_node("inner")) << "nobody else read it";
  EXPECT_EQ(made.output_type().to_string(), "f32[2]") << "new nodes are inferred at once";
}

TEST(Rewriter, AReplacementTakesOverControlEdgesAndProvenance) {
  const auto graph = parse_and_infer(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" %b = Abs(%x) "b" return %a, %b })");
  const Node before = graph->find_node("a");
  const Node replaced = graph->find_node("b");
  replaced.add_control_input(before);
  replaced.add_source("of the model");
  Rewriter rw(*graph);
  const Value inner = rw.create(ops::Abs{}, graph->parameters()[0].output());
  rw.replace(replaced, Outputs{rw.create(ops::Sigmoid{}, inner)});
  const Node made = graph->find_node("b");
  ASSERT_TRUE(made && made.is<ops::Sigmoid>());
  ASSERT_EQ(made.control_inputs().size(), 1U);
  EXPECT_EQ(made.control_inputs().front(), before);
  EXPECT_EQ(made.sources(), (std::vector<std::string_view>{"of the model"}));
  EXPECT_EQ(made.input(0).node().sources(), (std::vector<std::string_view>{"of the model"}))
      << "of every node that was made";
}

TEST(Rewriter, AReplacementOfAnotherTypeIsAnError) {
  const auto graph = parse_and_infer("graph(%x: f32[2], %y: f32[3]) { %a = ReLU(%x) return %a, %y }");
  Context c;
  const Value other = graph->parameters()[1].output();
  const RewriteRule rule = rewrite("Wrong").match(pattern::op<ops::ReLU>()).rule([=](const Match&, Rewriter& rw) {
    return rw.create(ops::Abs{}, other);
  });
  const auto result = run_rules({rule}, *graph, c.context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().first().code, "MO-PASS-0003");
}

TEST(Rewriter, AnOutputThatIsReadNeedsAReplacement) {
  const auto graph = parse(R"(graph(%x: f32[2]) { %a, %b = "Two"(%x) return %a, %b })");
  Context c;
  const Pass pass = front_replacement_op("Two").replace_op(
      [](const Node& node, Rewriter&) -> Replacement { return Outputs{node.input(0)}; });
  const auto result = run_pass(pass, *graph, c.context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().first().code, "MO-PASS-0002");
}

/// The numbers of nodes that a front replacer of `op` visits.
int visits(Graph& graph, const std::string& op, Phase phase = Phase::front) {
  Context c;
  int found = 0;
  const Pass pass = front_replacement_op(op).phase(phase).replace_op([&](const Node&, Rewriter&) -> Replacement {
    ++found;
    return Replacement::declined();
  });
  EXPECT_TRUE(run_pass(pass, graph, c.context));
  EXPECT_EQ(c.context.search.found, found > 0);
  return found;
}

TEST(Replacers, FindNodesByTheFrameworksNameOrByThatOfTheOp) {
  const auto graph = parse(
      R"(graph(%x: f32[2]) { %a = Subtract(%x, %x) "a" %b = "tf::Sub"(%a, %x) "b" %c = "com.microsoft::Gelu"(%b) "c" return %c })");
  graph->find_node("a").set_origin({.framework = "TensorFlow", .op = "Sub"});  // as extraction leaves it
  graph->find_node("b").set_origin({.framework = "TensorFlow", .op = "Sub"});
  EXPECT_EQ(visits(*graph, "Sub"), 2) << "extracted or not";
  EXPECT_EQ(visits(*graph, "Subtract"), 1);
  EXPECT_EQ(visits(*graph, "tf::Sub"), 1) << "the whole name is that of a node which was not extracted";
  EXPECT_EQ(visits(*graph, "Gelu"), 1);
  EXPECT_EQ(visits(*graph, "com.microsoft::Gelu"), 1);
  EXPECT_EQ(visits(*graph, "Su"), 0);
  EXPECT_EQ(visits(*graph, "Sub", Phase::middle), 0) << "behind inference there are ops only";
}

TEST(Replacers, WhatTheyMakeHasNoNameOfTheFramework) {
  const auto graph = parse(R"(graph(%x: f32[2]) { %a = "tf::Sub"(%x, %x) "a" return %a })");
  graph->find_node("a").set_origin({.framework = "TensorFlow", .op = "Sub"});
  Context c;
  const Pass pass = front_replacement_op("Sub").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return rw.create(ops::Subtract{}, node.input(0), node.input(1));
  });
  ASSERT_TRUE(run_pass(pass, *graph, c.context)) << "it does not replace its own replacement";
  const Node made = graph->find_node("a");
  ASSERT_TRUE(made && made.is<ops::Subtract>());
  EXPECT_EQ(made.framework(), "TensorFlow Sub") << "for messages";
  EXPECT_EQ(visits(*graph, "Sub"), 0);
  EXPECT_EQ(visits(*graph, "Subtract"), 1);
}

TEST(Rewriter, RulesThatUndoEachOtherEndWithAnError) {
  const auto graph = parse_and_infer("graph(%x: f32[2]) { %a = ReLU(%x) return %a }");
  Context c;
  const auto swap = [](auto from, auto to, const char* name) {
    return rewrite(name).match(pattern::op<decltype(from)>(pattern::any())).rule([to](const Match& m, Rewriter& rw) {
      return rw.create(to, m.root().node().input(0));
    });
  };
  const auto result =
      run_rules({swap(ops::ReLU{}, ops::Abs{}, "A"), swap(ops::Abs{}, ops::ReLU{}, "B")}, *graph, c.context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().first().code, "MO-PASS-0004");
}

/// Sigmoid(Exp(Abs(x))) -> Tanh(x), and ReLU -> Abs.
std::vector<RewriteRule> rules_of_two_depths() {
  using namespace pattern;
  const Pat x = any();
  const Pat y = any();
  return {
      rewrite("Deep").match(op<ops::Sigmoid>(op<ops::Exp>(op<ops::Abs>(x)))).rule([=](const Match& m, Rewriter& rw) {
        return rw.create(ops::Tanh{}, m[x]);
      }),
      rewrite("Flat").match(op<ops::ReLU>(y)).rule([=](const Match& m, Rewriter& rw) {
        return rw.create(ops::Abs{}, m[y]);
      })};
}

TEST(Rewriter, LooksAgainAtRootsAsFarAwayAsThePatternIsDeep) {
  for (const RuleOrder order : {RuleOrder::creation, RuleOrder::forward, RuleOrder::backward}) {
    const auto graph = parse_and_infer("graph(%x: f32[2]) { %r = ReLU(%x) %e = Exp(%r) %s = Sigmoid(%e) return %s }");
    Context c;
    ASSERT_TRUE(*run_rules(rules_of_two_depths(), *graph, c.context, order));
    EXPECT_TRUE(graph->results().front().input(0).node().is<ops::Tanh>())
        << "when ReLU became Abs, Sigmoid had been visited: order " << int(order);
  }
}

TEST(Rewriter, LooksAgainAtTheReaderThatIsLeftOfATensor) {
  using namespace pattern;
  const Pat x = any();
  const RewriteRule alone =
      rewrite("Alone").match(op<ops::Exp>(op<ops::Abs>(x).one_use())).rule([=](const Match& m, Rewriter& rw) {
        return rw.create(ops::Tanh{}, m[x]);
      });
  const RewriteRule other = rewrite("Other").match(op<ops::Sigmoid>()).rule([](const Match& m, Rewriter& rw) {
    return rw.create(ops::ReLU{}, m.root().node().input(0).node().input(0));
  });
  const auto graph = parse_and_infer("graph(%x: f32[2]) { %a = Abs(%x) %e = Exp(%a) %s = Sigmoid(%a) return %e, %s }");
  Context c;
  ASSERT_TRUE(*run_rules({alone, other}, *graph, c.context));
  EXPECT_TRUE(graph->results().front().input(0).node().is<ops::Tanh>());
}

/// A tensor with many readers behind a long chain of changes: far readers are visited once for all changes, not once
/// for each.
TEST(Rewriter, ATensorWithManyReadersIsVisitedOnceForAllChangesBeforeIt) {
  constexpr int kReaders = 1000;
  auto graph = std::make_unique<Graph>();
  Value x = graph->create_parameter({ElementType::f32, {2}}).output();
  for (int i = 0; i < 200; ++i) x = graph->create_node(ops::ReLU{}, {x}).output();
  x = graph->create_node(ops::Exp{}, {x}).output();
  for (int i = 0; i < kReaders; ++i) graph->create_result(graph->create_node(ops::Sigmoid{}, {x}).output());
  int visits = 0;
  using namespace pattern;
  const RewriteRule count =
      rewrite("Count").match(op<ops::Sigmoid>()).rule([&](const Match&, Rewriter&) -> Replacement {
        ++visits;
        return Replacement::declined();
      });
  std::vector<RewriteRule> rules = rules_of_two_depths();
  rules.erase(rules.begin());
  rules.push_back(count);
  rules.push_back(rewrite("Deepest")
                      .match(op<ops::Tanh>(op<ops::Tanh>(op<ops::Tanh>(op<ops::Tanh>(any())))))
                      .rule([](const Match&, Rewriter&) { return Replacement::declined(); }));
  Context c;
  ASSERT_TRUE(*run_rules(rules, *graph, c.context, RuleOrder::backward));
  EXPECT_LE(visits, 3 * kReaders);
}

TEST(Rewriter, FoldComputesConstantsAtOnce) {
  const auto graph = parse_and_infer("graph(%x: f32[2]) { %a = ReLU(%x) return %a }");
  Rewriter rw(*graph);
  const Value sum = rw.fold(ops::Add{}, rw.scalar<float>(1), rw.scalar<float>(2));
  ASSERT_TRUE(sum.node().is<Const>());
  EXPECT_EQ(sum.node().as<Const>()->value.values<float>()[0], 3.0F);
  EXPECT_FALSE(rw.fold(ops::Add{}, sum, graph->parameters()[0].output()).node().is<Const>());
}

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

/// Runs a slip of an author as a pass over x -> a -> b, and gives the error back.
Diagnostic slip(const std::function<void(Graph&, Rewriter&)>& author) {
  const auto graph = parse_and_infer(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" %b = Abs(%a) "b" return %b })");
  Context c;
  const Pass pass = graph_pass("Slip").run([&](Graph& g, PassContext&) -> Expected<bool> {
    Rewriter rw(g);
    author(g, rw);
    return true;
  });
  const auto result = run_pass(pass, *graph, c.context);
  return result ? Diagnostic() : result.error().first();
}

TEST(Slips, AbsentPortsAndNodesAreErrorsOfThePass) {
  const Diagnostic in = slip([](Graph& g, Rewriter&) { g.find_node("a").in_port(7).disconnect(); });
  EXPECT_EQ(in.code, "MO-PASS-0030");
  EXPECT_EQ(in.node, "a");
  EXPECT_NE(in.message.find("pass Slip: input port 7 was used, but the node has 1"), std::string::npos) << in.message;
  const Diagnostic out = slip([](Graph& g, Rewriter&) { g.find_node("a").out_port(2).get_destinations(); });
  EXPECT_NE(out.message.find("output port 2 was used, but the node has 1"), std::string::npos) << out.message;
  EXPECT_EQ(slip([](Graph& g, Rewriter&) { g.find_node("missing").type(); }).code, "MO-PASS-0030");
  EXPECT_EQ(slip([](Graph& g, Rewriter&) {
              Value().type();
              static_cast<void>(g);
            }).code,
            "MO-PASS-0030");
  const Diagnostic erased = slip([](Graph& g, Rewriter&) {
    const Node b = g.find_node("b");
    g.erase(b);
    b.type();
  });
  EXPECT_NE(erased.message.find("an erased node was used"), std::string::npos) << erased.message;
  EXPECT_EQ(slip([](Graph& g, Rewriter& rw) { rw.rename(g.find_node("a"), "b"); }).code, "MO-PASS-0030");
}

TEST(Slips, WhatPortsChangedIsInferredAgainBehindThePass) {
  const auto graph =
      parse_and_infer(R"(graph(%x: f32[2], %y: f32[5,7]) { %a = ReLU(%x) "a" %b = Abs(%a) "b" return %b })");
  Context c;
  const Pass pass = graph_pass("Reconnect").run([](Graph& g, PassContext&) -> Expected<bool> {
    MO_TRY(g.find_node("a").in_port(0).get_connection().set_source(g.parameters()[1].output()));
    return true;
  });
  ASSERT_TRUE(run_pass(pass, *graph, c.context));
  EXPECT_EQ(graph->find_node("b").output_type().to_string(), "f32[5,7]");
}

TEST(Rewriter, InsertsCopiesAndRenames) {
  const auto graph = parse_and_infer(
      R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" @["t"] %b = Abs(%a) "b" %c = Elu(%a) {alpha=2} "c" return %b, %c })");
  Rewriter rw(*graph);
  const Value inserted = rw.insert_node(graph->find_node("a").output(), ops::Sigmoid{});
  EXPECT_EQ(graph->find_node("b").input(0), inserted);
  EXPECT_EQ(graph->find_node("c").input(0), inserted);
  EXPECT_EQ(inserted.node().input(0), graph->find_node("a").output());
  EXPECT_EQ(graph->find_node("a").output().data().tensor_names(), (std::vector<std::string_view>{"t"}));
  const Node copy = rw.copy_with_new_inputs(graph->find_node("c"), {graph->parameters()[0].output()});
  EXPECT_EQ(copy.attr<double>("alpha"), 2);
  EXPECT_EQ(copy.output_type().to_string(), "f32[2]");
  rw.rename(graph->find_node("a"), "other");
  EXPECT_TRUE(graph->find_node("other"));
  EXPECT_FALSE(rw.error());
}

TEST(PassManager, TellsOfAReplacerOfAPluginOnlyWhenItFoundNothing) {
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

TEST(PassManager, VerifyEachFindsLiarsAndBrokenGraphs) {
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

TEST(Passes, RunInsideBodiesToo) {
  auto graph = std::make_unique<Graph>();
  auto body = parse_and_infer("graph(%x: f32[2]) { %a = Multiply(%x, %x) return %a }");
  const Node owner = graph->create_node(Op("Owner", {{"body", Body(std::move(body))}}), {}, 1, "owner");
  graph->create_result(owner.output());
  Context c;
  const Pass pass = graph_rewrite("Squares").add(square_rule());
  ASSERT_TRUE(*run_pass(pass, *graph, c.context));
  EXPECT_NE(to_text(*owner.bodies().front()).find("Add"), std::string::npos);
}

}  // namespace
}  // namespace mo
