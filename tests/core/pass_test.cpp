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
using test::square_rule;

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

TEST(Replacers, CreatedNodesHaveNoNameOfTheFramework) {
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

TEST(Rewriter, VisitsRootsWithinTheDepthOfThePatternAgain) {
  for (const RuleOrder order : {RuleOrder::creation, RuleOrder::forward, RuleOrder::backward}) {
    const auto graph = parse_and_infer("graph(%x: f32[2]) { %r = ReLU(%x) %e = Exp(%r) %s = Sigmoid(%e) return %s }");
    Context c;
    ASSERT_TRUE(*run_rules(rules_of_two_depths(), *graph, c.context, order));
    EXPECT_TRUE(graph->results().front().input(0).node().is<ops::Tanh>())
        << "when ReLU became Abs, Sigmoid had been visited: order " << int(order);
  }
}

TEST(Rewriter, VisitsTheLastReaderOfATensorAgain) {
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

/// A tensor with many readers after a long chain of changes: far readers are visited once for all changes, not once
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

TEST(Slips, NodesChangedThroughPortsAreInferredAgainAfterThePass) {
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
