// What authors of plugins get wrong is an error of their plugin: it names plugin, pass, node and port, and nothing
// passes in silence.
#include <gtest/gtest.h>

#include <functional>

#include "core/diagnostics/exit_code.hpp"
#include "core/execution/fold.hpp"
#include "core/graph/runtime_info.hpp"
#include "core/inference/infer.hpp"
#include "core/op/define_op.hpp"
#include "core/pass/subgraph_replacement.hpp"
#include "core/registry/registry.hpp"
#include "core/tensor/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

/// Runs a pass of a plugin on a graph of `a` (ReLU), which `b` (Abs) reads; then infers it, as a conversion does.
Expected<bool> run_in_plugin(Pass pass, bool typed = false) {
  Registry registry;
  registry.set_owner("acme", false);
  registry.passes().add(std::move(pass));
  const auto graph = test::parse(R"(graph(%x: f32[2,3]) { %a = ReLU(%x) "a" %b = Abs(%a) "b" return %b })", typed);
  test::Context c;
  MO_ASSIGN(const bool changed, run_pass(registry.passes().passes().front(), *graph, c.context));
  MO_TRY(infer_graph(*graph));
  return changed;
}

/// Expects an error that is put down to the plugin, with these words.
void expect_slip(const Expected<bool>& done, std::initializer_list<const char*> words) {
  ASSERT_FALSE(done) << "nothing was said";
  const std::string text = done.error().first().format();
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " is not in\n" << text;
  EXPECT_NE(text.find(" of plugin acme"), std::string::npos) << text;
  EXPECT_EQ(exit_code_of(done.error()), ExitCode::extension_failed) << text;
}

Pass replacer(std::function<Replacement(const Node&, Rewriter&)> fn) {
  return front_replacement_op("ReLU").replace_op(std::move(fn));
}

TEST(AuthorSlips, InWhatAReplacerReturns) {
  expect_slip(run_in_plugin(replacer([](const Node& n, Rewriter& rw) { return rw.create(ops::Abs{}, n.input(7)); })),
              {"input 0 is missing", "'a'"});
  expect_slip(
      run_in_plugin(replacer([](const Node& n, Rewriter& rw) { return rw.create(ops::Add{}, n.input(0), Value{}); })),
      {"input 1 is missing", "'a'", "pass ReLU"});
  expect_slip(run_in_plugin(replacer([](const Node& n, Rewriter& rw) { return rw.create(ops::Add{}, n.input(0)); })),
              {"1 inputs, 2 expected", "'a'"});
  expect_slip(run_in_plugin(replacer([](const Node&, Rewriter&) { return Value{}; })),
              {"output 0 of ReLU is still read", "'a'", "declined()"});
  expect_slip(run_in_plugin(replacer([](const Node&, Rewriter&) { return Outputs{}; })),
              {"output 0 of ReLU is still read", "'a'"});
  expect_slip(run_in_plugin(replacer([](const Node& n, Rewriter& rw) {
                return Outputs{rw.create(ops::Abs{}, n.input(0)), rw.create(ops::Negative{}, n.input(0))};
              })),
              {"2 values were returned for a ReLU, which has 1 output", "'a'"});
}

TEST(AuthorSlips, InWhatAReplacerAsksFor) {
  expect_slip(run_in_plugin(replacer([](const Node& n, Rewriter&) -> Replacement {
                EXPECT_FALSE(n.attr<std::int64_t>("axsi"));
                return declined(*n.attr<std::int64_t>("axsi") > 0 ? "yes" : "no");
              })),
              {"attribute 'axsi' of a ReLU was used", "'a'"});
  expect_slip(run_in_plugin(replacer([](const Node& n, Rewriter&) -> Replacement {
                const Expected<Value> failed = n.error("ACME-0001", "there is no such thing");
                return *failed;
              })),
              {"value of a failed Expected was used: there is no such thing", "'a'"});
  expect_slip(
      run_in_plugin(replacer([](const Node&, Rewriter&) -> Replacement { throw std::runtime_error("thrown"); })),
      {"threw an exception: thrown", "'a'"});
  expect_slip(run_in_plugin(replacer([](const Node& n, Rewriter&) -> Replacement {
                static Graph other;
                Rewriter there(other);
                return there.create(ops::Abs{}, n.input(0));
              })),
              {"a tensor of another graph", "Abs"});
  expect_slip(run_in_plugin(replacer(
                  [](const Node& n, Rewriter&) -> Replacement { return n.error("ACME-0002", "not this one"); })),
              {"ACME-0002"});
}

Pass by_hand(std::function<void(Graph&, Rewriter&)> fn) {
  return graph_pass("ByHand").phase(Phase::front).run([fn](Graph& graph, PassContext&) -> Expected<bool> {
    Rewriter rw(graph);
    fn(graph, rw);
    return true;
  });
}

TEST(AuthorSlips, InEditsByHand) {
  expect_slip(run_in_plugin(by_hand([](Graph& g, Rewriter&) { g.find_node("b").in_port(0).disconnect(); })),
              {"input 0 is missing", "'b'", "pass ByHand"});
  expect_slip(run_in_plugin(by_hand([](Graph& g, Rewriter& rw) { rw.erase(g.find_node("a")); })),
              {"output 0 of the ReLU is still read by 'b'", "'a'", "pass ByHand"});
}

TEST(AuthorSlips, FaultsOfMoAndTheModelAreNotAttributedToAuthors) {
  const auto fine = run_in_plugin(
      replacer([](const Node& n, Rewriter& rw) -> Replacement { return rw.create(ops::Abs{}, n.input(0)); }));
  EXPECT_TRUE(fine) << fine.error().first().format();
  const auto graph = test::parse(R"(graph(%x: f32[2,3]) { %a = Add(%x) "a" return %a })");
  const auto inferred = infer_graph(*graph);
  ASSERT_FALSE(inferred);
  EXPECT_EQ(inferred.error().first().plugin_code, "");
  EXPECT_NE(exit_code_of(inferred.error()), ExitCode::extension_failed);
}

/// An op whose inference makes the slip that `kind` says.
struct Slipping {
  static constexpr OpId id{"Slipping", "acme"};
  std::int64_t kind = 0;
  static constexpr auto attributes = Attributes{attr("kind", &Slipping::kind)};
  Expected<void> infer(InferContext& ctx) const {
    if (kind == 0) return {};
    ctx.output(0, kind == 1 ? ctx.input(5) : ctx.input(0));
    if (kind == 2) ctx.output(5, ctx.input(0));
    if (kind == 3) ctx.output(0, ElementType::f32, {ctx.input_shape(0)[9]});
    return {};
  }
};

TEST(AuthorSlips, InTheInferenceOfAnOp) {
  Registry registry;
  registry.set_owner("acme", false);
  registry.ops().add<Slipping>();
  const char* const words[] = {
      "infer sets no element type for output 0", "it read input 5, which the node does not have",
      "the type of output 5 was set, but the op has 1", "dimension 9 of the shape [2] was used"};
  for (std::int64_t kind = 0; kind < 4; ++kind) {
    Graph graph;
    const Node input = graph.create_parameter({ElementType::f32, {2}}, "x");
    graph.create_result(graph.create_node(Slipping{kind}, {input.output()}, 1, "y").output());
    const auto done = infer_graph(graph);
    expect_slip(done ? Expected<bool>(true) : Expected<bool>(done.error()), {words[kind], "op Slipping", "'y'"});
  }
}

TEST(AuthorSlips, AnUnknownTypeIsNotTheFaultOfAnOpThatPassesItOn) {
  Registry registry;
  registry.set_owner("acme", false);
  registry.ops().add<Slipping>();
  Graph graph;
  const Node input = graph.create_parameter({}, "x");
  graph.create_result(graph.create_node(Slipping{4}, {input.output()}, 1, "y").output());
  EXPECT_TRUE(infer_graph(graph));
}

TEST(AuthorSlips, AMessageNumbersInputsByTheirPorts) {
  const auto graph =
      test::parse(R"(graph(%x: f32[2], %z: f32[3]) { %a = Concat(%x, %x) {axis=0} "a" return %a })", true);
  const Node a = graph->find_node("a");
  ASSERT_TRUE(a.in_port(1).connect(graph->create_node(Op("Untyped", {}), {}, 1, "u").output()));
  ASSERT_TRUE(a.add_input_port(3).connect(graph->parameters()[1].output()));
  const std::string text = a.error("MO-TEST-0001", "wrong").format();
  for (const char* line :
       {"\n  input 0 ", "\n  input 1 'u': type unknown", "\n  input 2 not connected", "\n  input 3 "})
    EXPECT_NE(text.find(line), std::string::npos) << text;
  EXPECT_NE(text.find("input 3 a Parameter: f32[3]"), std::string::npos) << text;
}

TEST(AuthorSlips, AMessageExplainsTheUnknownSizeThatItShows) {
  EXPECT_NE(error("MO-TEST-0001", "expected [2], got [?#12,3]").format().find("\n  note    ?#12 is an unknown size"),
            std::string::npos);
}

TEST(Replacers, MayMakeTheirOwnOpAgain) {
  for (const Phase phase : {Phase::front, Phase::middle}) {
    const auto graph =
        test::parse(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" %b = ReLU(%a) "b" return %b })", phase == Phase::middle);
    test::Context c;
    const Pass pass =
        front_replacement_op("ReLU").phase(phase).replace_op([](const Node& node, Rewriter& rw) -> Replacement {
          return rw.copy_with_new_inputs(node, {rw.create(ops::Negative{}, node.input(0))}).output();
        });
    const auto done = run_pass(pass, *graph, c.context);
    ASSERT_TRUE(done) << done.error().first().format();
    EXPECT_EQ(graph->node_count(), 6U) << "both were replaced, once";
  }
}

TEST(Replacers, ARuleThatMatchesItsOwnResultIsReported) {
  const auto graph = test::parse_and_infer(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" return %a })");
  test::Context c;
  const auto done = run_pass(rewrite("Grow")
                                 .match(pattern::op<ops::ReLU>(pattern::any()))
                                 .replace([](const Match& m, Rewriter& rw) -> Replacement {
                                   return rw.create(ops::ReLU{}, rw.create(ops::Negative{}, m.root().node().input(0)));
                                 }),
                             *graph, c.context);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().first().hint_text.find("its result matches again"), std::string::npos)
      << done.error().first().format();
}

TEST(Replacers, OfOneOpByTwoPluginsCoexist) {
  Registry registry;
  for (const char* plugin : {"one", "two"}) {
    registry.set_owner(plugin, false);
    registry.passes().add(replacer([](const Node&, Rewriter&) -> Replacement { return declined("a test"); }));
  }
  EXPECT_TRUE(registry.problems().empty());
  ASSERT_EQ(registry.passes().passes().size(), 2U);
  EXPECT_EQ(registry.passes().passes()[1].name, "two::ReLU");
  registry.passes().add(front_replacement_op("ReLU").named("ReLU").replace_op(
      [](const Node&, Rewriter&) -> Replacement { return declined("a test"); }));
  ASSERT_EQ(registry.problems().size(), 1U) << "a name that somebody gave stays";
  EXPECT_NE(registry.problems()[0].hint_text.find(".named("), std::string::npos);
}

TEST(Replacers, APatternReportsWhereItsSearchEnded) {
  const auto graph =
      test::parse(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" %b = Abs(%x) "b" %c = Add(%a, %b) return %c })");
  const auto why = [&](const SubgraphPattern& pattern) {
    std::string text;
    EXPECT_TRUE(find_subgraphs(*graph, pattern, &text)->empty());
    return text;
  };
  EXPECT_EQ(why({{{"r", {{"op", "ReLU"}, {"axsi", 1}}}}, {}}),
            "no node fits \"r\"; op ReLU fits 1 node; axsi fits 0 nodes");
  EXPECT_EQ(why({{{"r", {{"op", "ReLU"}}}, {"s", {{"op", "Abs"}}}}, {{"r", "s", {}}}}),
            "\"r\" may be 'a'; no node that fits \"s\" has the edges that the pattern requires");
  // --explain-pass says it.
  std::vector<std::string> told;
  test::Context c;
  c.context.explain = [&](const RuleVerdict& verdict) { told.push_back(verdict.why); };
  const Pass pass = front_replacement_subgraph("P")
                        .pattern({{"r", {{"op", "Tanh"}}}}, {})
                        .replace_sub_graph([](const AliasMatch&, Rewriter&) -> Expected<bool> { return false; });
  ASSERT_TRUE(run_pass(pass, *graph, c.context));
  EXPECT_EQ(told, std::vector<std::string>{"no node fits \"r\"; op Tanh fits 0 nodes"});
}

TEST(Replacers, AManualEditLeavesNoDeadNodes) {
  Registry registry;
  registry.set_owner("acme", false);
  registry.passes().add(graph_pass("ByHand").phase(Phase::back).run([](Graph& graph, PassContext&) -> Expected<bool> {
    MO_TRY(graph.find_node("b").in_port(0).connect(graph.parameters()[0].output()));
    return true;
  }));
  const auto graph = test::parse_and_infer(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" %b = Abs(%a) "b" return %b })");
  test::Context c;
  ASSERT_TRUE(run_pass(registry.passes().passes().front(), *graph, c.context));
  EXPECT_FALSE(graph->find_node("a"));
  EXPECT_EQ(graph->node_count(), 3U);
}

TEST(Replacers, AnImpossibleOrderIsTheFaultOfThePlugin) {
  for (const char* plugin : {"", "acme"}) {
    Pass pass = graph_pass("Mine").run_after({"Constantfolding"}).run([](Graph&, PassContext&) -> Expected<bool> {
      return false;
    });
    pass.plugin = plugin;
    PassManager manager;
    ASSERT_TRUE(manager.add(std::move(pass)));
    const auto checked = manager.check();
    ASSERT_FALSE(checked);
    EXPECT_EQ(exit_code_of(checked.error()) == ExitCode::extension_failed, *plugin != 0);
  }
}

TEST(Replacers, NodesOfAnOpHaveTheNameOfTheFrameworkOrOfTheOp) {
  const auto graph = test::parse(
      R"(graph(%x: f32[2]) { %a = "onnx::TopK"(%x) "a" %b = "com.acme::TopK"(%x) "b" %c = ReLU(%x) "c" return %a, %b, %c })");
  graph->find_node("c").set_origin({.framework = "TensorFlow", .op = "Relu"});
  EXPECT_EQ(op_nodes(*graph, "TopK").size(), 2U);
  EXPECT_EQ(op_nodes(*graph, "onnx::TopK").size(), 1U);
  EXPECT_EQ(op_nodes(*graph, "Relu"), op_nodes(*graph, "ReLU"));
}

TEST(RuntimeInfo, ANoteStaysInMemory) {
  EXPECT_FALSE(runtime_attribute_rule("@acme_scale").serialized);
  EXPECT_TRUE(runtime_attribute_rule("@acme_scale").copyable);
  EXPECT_TRUE(runtime_attribute_rule("acme_scale").serialized);
}

TEST(Rewriter, AScalarLikeATensorTakesItsTypeAtInference) {
  for (const auto* type : {"f16", "f32", "f64", "bf16", "i32", "i64", "u8"}) {
    const auto graph =
        test::parse(fmt::format(R"(graph(%x: {}[2]) {{ %r = ReLU(%x) %a = "tf::Any"(%r) "a" return %a }})", type));
    const Node a = graph->find_node("a");
    Rewriter rw(*graph);
    rw.replace(a, {rw.create(ops::Multiply{}, a.input(0), rw.scalar_like(a.input(0), 2))});
    ASSERT_FALSE(rw.error());
    ASSERT_TRUE(infer_graph(*graph)) << type;
    const Node product = graph->find_node("a");
    EXPECT_EQ(product.output_type().to_string(), fmt::format("{}[2]", type));
    const Tensor* const scalar = product.input(1).data().value();
    ASSERT_NE(scalar, nullptr) << type;
    EXPECT_EQ(to_reals(*scalar)->front(), 2);
    // Wherever what it is like comes from, it is a constant in the end.
    EXPECT_TRUE(has_constant_inputs(product.input(1).node()) && can_fold(product.input(1).node())) << type;
  }
}

}  // namespace
}  // namespace mo
