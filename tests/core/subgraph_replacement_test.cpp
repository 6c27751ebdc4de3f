#include "core/pass/subgraph_replacement.hpp"

#include <gtest/gtest.h>

#include "core/execution/executor.hpp"
#include "core/pass/replacement_check.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

using test::Context;
using test::parse;

std::size_t count(const Graph& graph, const SubgraphPattern& pattern) {
  const auto found = find_subgraphs(graph, pattern);
  EXPECT_TRUE(found) << (found ? "" : found.error().first().format());
  return found ? found->size() : 0;
}

std::string code(const Expected<std::vector<AliasMatch>>& found) { return found ? "" : found.error().first().code; }

SubgraphPattern pair_of(std::string from, std::string to, EdgePorts ports = {}) {
  return {{{"a", {{"op", std::move(from)}}}, {"b", {{"op", std::move(to)}}}}, {{"a", "b", ports}}};
}

TEST(SubgraphSearch, FindsAllInstances) {
  const auto graph = parse(
      "graph(%x: f32[2]) { %a = ReLU(%x) %b = Sigmoid(%a) %c = ReLU(%b) %d = Sigmoid(%c) %e = Sigmoid(%c) return %d, "
      "%e }");
  EXPECT_EQ(count(*graph, pair_of("ReLU", "Sigmoid")), 3U);
  EXPECT_EQ(count(*graph, pair_of("Sigmoid", "ReLU")), 1U);
  EXPECT_EQ(count(*graph, pair_of("Sigmoid", "Sigmoid")), 0U);
}

TEST(SubgraphSearch, PortsOfEdgesAreConstraints) {
  const auto graph = parse("graph(%x: f32[2]) { %a = ReLU(%x) %b = Subtract(%x, %a) return %b }");
  EXPECT_EQ(count(*graph, pair_of("ReLU", "Subtract", {.in = 1})), 1U);
  EXPECT_EQ(count(*graph, pair_of("ReLU", "Subtract", {.in = 0})), 0U);
  EXPECT_EQ(count(*graph, pair_of("ReLU", "Subtract", {.in = 1, .out = 0})), 1U);
  EXPECT_EQ(count(*graph, pair_of("ReLU", "Subtract", {.out = 1})), 0U);
}

TEST(SubgraphSearch, AMatchIsNodeInducedUnlessExtraEdgesAreAllowed) {
  const auto graph = parse("graph(%x: f32[2]) { %a = ReLU(%x) %b = Sigmoid(%a) %c = Add(%a, %b) return %c }");
  SubgraphPattern pattern{{{"a", {{"op", "ReLU"}}}, {"b", {{"op", "Sigmoid"}}}, {"c", {{"op", "Add"}}}},
                          {{"a", "b", {}}, {"b", "c", {}}}};
  EXPECT_EQ(count(*graph, pattern), 0U) << "the edge from a to c is not in the pattern";
  pattern.allow_extra_edges = true;
  EXPECT_EQ(count(*graph, pattern), 1U);
}

TEST(SubgraphSearch, ParallelEdgesAreCounted) {
  const auto graph = parse("graph(%x: f32[2]) { %a = ReLU(%x) %b = Add(%a, %a) return %b }");
  SubgraphPattern pattern = pair_of("ReLU", "Add");
  EXPECT_EQ(count(*graph, pattern), 0U);
  pattern.edges = {{"a", "b", {.in = 0}}, {"a", "b", {.in = 1}}};
  EXPECT_EQ(count(*graph, pattern), 1U);
  pattern.edges = {{"a", "b", {}}, {"a", "b", {.in = 0}}};
  EXPECT_EQ(count(*graph, pattern), 1U) << "the edge that says less takes the port that is left";
  pattern.edges = {{"a", "b", {.in = 0}}, {"a", "b", {.in = 0}}};
  EXPECT_EQ(count(*graph, pattern), 0U);
}

TEST(SubgraphSearch, ASymmetricPatternIsFoundOnceForEachSymmetry) {
  const auto graph = parse("graph(%x: f32[2]) { %a = ReLU(%x) %b = ReLU(%x) %c = Add(%a, %b) return %c }");
  SubgraphPattern pattern{{{"p", {{"op", "ReLU"}}}, {"q", {{"op", "ReLU"}}}, {"sum", {{"op", "Add"}}}},
                          {{"p", "sum", {}}, {"q", "sum", {}}}};
  EXPECT_EQ(count(*graph, pattern), 2U);
}

TEST(SubgraphSearch, AttributesAreValuesOrPredicates) {
  const auto graph = parse(
      R"(graph(%x: f32[2,3]) { %a = SoftMax(%x) {axis=1} "first" %b = SoftMax(%a) {axis=0} "second" return %b })");
  const auto one = [&](AttributeConstraint constraint) {
    return count(*graph, {{{"s", {{"op", "SoftMax"}, std::move(constraint)}}}, {}});
  };
  EXPECT_EQ(one({"axis", std::int64_t{1}}), 1U);
  EXPECT_EQ(one({"axis", std::int64_t{2}}), 0U);
  EXPECT_EQ(one({"name", "second"}), 1U);
  EXPECT_EQ(one({"missing", "x"}), 0U);
  EXPECT_EQ(one({"missing", [](const AttributeValue& v) { return v.is_none(); }}), 2U);
  EXPECT_EQ(one({"axis", [](const AttributeValue& v) { return v == std::int64_t{0}; }}), 1U);
}

TEST(SubgraphSearch, OpsHaveTheFrameworksNamesToo) {
  const auto graph = parse(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" %b = "tf::Foo"(%a) "b" return %b })");
  graph->find_node("a").set_origin({.framework = "ONNX", .op = "Relu", .version = 11});
  EXPECT_EQ(count(*graph, pair_of("Relu", "Foo")), 1U);
  EXPECT_EQ(count(*graph, pair_of("ReLU", "tf::Foo")), 1U);
  SubgraphPattern late = pair_of("Relu", "Foo");
  late.framework_names = false;
  EXPECT_EQ(count(*graph, late), 0U);
}

TEST(SubgraphSearch, PartsOfAPatternNeedNotTouch) {
  const auto graph = parse("graph(%x: f32[2], %y: f32[2]) { %a = ReLU(%x) %b = Sigmoid(%y) return %a, %b }");
  EXPECT_EQ(count(*graph, {{{"a", {{"op", "ReLU"}}}, {"b", {{"op", "Sigmoid"}}}}, {}}), 1U);
}

TEST(SubgraphSearch, MalformedPatternsAreExplained) {
  const auto graph = parse("graph(%x: f32[2]) { %a = ReLU(%x) return %a }");
  EXPECT_EQ(code(find_subgraphs(*graph, {})), "MO-PASS-0013");
  EXPECT_EQ(code(find_subgraphs(*graph, {{{"a", {}}, {"a", {}}}, {}})), "MO-PASS-0013");
  EXPECT_EQ(code(find_subgraphs(*graph, {{{"a", {}}}, {{"a", "z", {}}}})), "MO-PASS-0013");
  EXPECT_EQ(code(find_subgraphs(*graph, {{{"a", {}}}, {{"a", "a", {}}}})), "MO-PASS-0013");
}

TEST(SubgraphSearch, AHopelessSearchEnds) {
  std::string text = "graph(%x: f32[2]) { ";
  for (int i = 0; i < 300; ++i) text += "%a" + std::to_string(i) + " = ReLU(%x) ";
  text += "return %a0 }";
  const auto graph = parse(text);
  SubgraphPattern pattern;
  for (int i = 0; i < 6; ++i) pattern.nodes.push_back({"n" + std::to_string(i), {{"op", "ReLU"}}});
  EXPECT_EQ(code(find_subgraphs(*graph, pattern)), "MO-PASS-0016");
}

/// ReLU(Sigmoid(x)) -> Tanh(x)
Pass tanh_pass() {
  return front_replacement_subgraph("TanhOfPair")
      .pattern({{"inner", {{"op", "Sigmoid"}}}, {"outer", {{"op", "ReLU"}}}}, {{"inner", "outer", {.in = 0}}})
      .replace_sub_graph([](const AliasMatch& m, Rewriter& rw) -> Expected<bool> {
        rw.replace(m["outer"], {rw.create(ops::Tanh{}, m["inner"].input(0))}, m.nodes());
        return true;
      });
}

TEST(SubgraphReplacement, ReplacesEveryInstanceAndKeepsNames) {
  const auto graph = parse(
      R"(graph(%x: f32[2]) { %a = Sigmoid(%x) %b = ReLU(%a) "one" %c = Sigmoid(%b) %d = ReLU(%c) "two" return %d })");
  Context c;
  const auto changed = run_pass(tanh_pass(), *graph, c.context);
  ASSERT_TRUE(changed) << changed.error().first().format();
  EXPECT_TRUE(*changed);
  EXPECT_EQ(graph->find_node("one").type(), "Tanh");
  EXPECT_EQ(graph->find_node("two").type(), "Tanh");
  EXPECT_EQ(graph->node_count(), 4U);
  EXPECT_FALSE(*run_pass(tanh_pass(), *graph, c.context));
}

TEST(SubgraphReplacement, GeneratedNodesAreNotNodesOfTheFramework) {
  const auto graph = parse(R"(graph(%x: f32[2]) { %a = Sigmoid(%x) %b = ReLU(%a) "one" return %b })");
  graph->find_node("one").set_origin({.framework = "ONNX", .op = "Relu", .version = 14});
  Context c;
  ASSERT_TRUE(*run_pass(tanh_pass(), *graph, c.context));
  EXPECT_TRUE(graph->find_node("one").origin().empty());
}

TEST(SubgraphReplacement, NodesWithOtherReadersStay) {
  const auto graph = parse("graph(%x: f32[2]) { %a = Sigmoid(%x) %b = ReLU(%a) return %b, %a }");
  Context c;
  EXPECT_TRUE(*run_pass(tanh_pass(), *graph, c.context));
  EXPECT_TRUE(graph->has_op("Sigmoid"));
  EXPECT_FALSE(graph->has_op("ReLU"));
}

TEST(SubgraphReplacement, TheOlderFormMapsPorts) {
  Pass pass =
      front_replacement_subgraph("OlderForm")
          .pattern({{"diff", {{"op", "Subtract"}}}, {"abs", {{"op", "Abs"}}}}, {{"diff", "abs", {}}})
          .generate_sub_graph([](const AliasMatch&, Rewriter& rw) -> Expected<GeneratedSubgraph> {
            const Node swapped = rw.create_node(ops::Subtract{}, {Value(), Value()});
            return GeneratedSubgraph{{"swapped", swapped}, {"abs", rw.create_node(ops::Abs{}, {swapped.output()})}};
          })
          .input_edges_match({{{"diff", 0}, {"swapped", 1}}, {{"diff", 1}, {"swapped", 0}}})
          .output_edges_match({{{"abs", 0}, {"abs", 0}}});
  const auto graph = parse(R"(graph(%x: f32[1], %y: f32[1]) { %a = Subtract(%x, %y) %b = Abs(%a) "out" return %b })");
  Context c;
  // Without types until then: empty inputs cannot be inferred.
  const auto changed = run_pass(pass, *graph, c.context);
  ASSERT_TRUE(changed) << changed.error().first().format();
  EXPECT_EQ(graph->find_node("out").input(0).node().input(0), graph->parameters()[1].output()) << to_text(*graph);
  EXPECT_EQ(graph->node_count(), 5U);
}

TEST(SubgraphReplacement, AWrongPortMappingIsExplained) {
  const auto run = [](PortMapping inputs, PortMapping outputs) {
    Pass pass = front_replacement_subgraph("Wrong")
                    .pattern({{"a", {{"op", "Abs"}}}}, {})
                    .generate_sub_graph([](const AliasMatch&, Rewriter& rw) -> Expected<GeneratedSubgraph> {
                      return GeneratedSubgraph{{"new", rw.create_node(ops::ReLU{}, {Value()})}};
                    })
                    .input_edges_match(std::move(inputs))
                    .output_edges_match(std::move(outputs));
    const auto graph = parse("graph(%x: f32[1]) { %a = Abs(%x) return %a }");
    Context c;
    const auto changed = run_pass(pass, *graph, c.context);
    return changed ? std::string() : changed.error().first().code;
  };
  EXPECT_EQ(run({{{"z", 0}, {"new", 0}}}, {}), "MO-PASS-0014");
  EXPECT_EQ(run({{{"a", 7}, {"new", 0}}}, {}), "MO-PASS-0014");
  EXPECT_EQ(run({}, {{{"a", 0}, {"old", 0}}}), "MO-PASS-0014");
  EXPECT_EQ(run({}, {{{"a", 0}, {"new", 3}}}), "MO-PASS-0014");
  EXPECT_EQ(run({{{"a", 0}, {"new", 0}}}, {{{"a", 0}, {"new", 0}}}), "");
}

TEST(SubgraphReplacement, AReplacerThatBreaksTheGraphIsNamed) {
  const auto broken = [](std::function<void(const AliasMatch&)> edit) {
    Pass pass = front_replacement_subgraph("Clumsy")
                    .pattern({{"a", {{"op", "Abs"}}}}, {})
                    .replace_sub_graph([edit](const AliasMatch& m, Rewriter&) -> Expected<bool> {
                      edit(m);
                      return true;
                    });
    const auto graph = parse("graph(%x: f32[1]) { %a = Abs(%x) %b = ReLU(%a) return %b }");
    Context c;
    const auto changed = run_pass(pass, *graph, c.context);
    return changed ? std::string() : changed.error().first().format();
  };
  for (const std::string& text :
       {broken([](const AliasMatch& m) { m["a"].graph().erase(m["a"]); }),
        broken([](const AliasMatch& m) { m["a"].graph().results()[0].in_port(0).disconnect(); }),
        broken([](const AliasMatch& m) { m["a"].graph().erase(m["a"].graph().results()[0]); }),
        broken([](const AliasMatch& m) {
          EXPECT_TRUE(m["a"].in_port(0).connect(m["a"].output().get_destinations()[0].node().output()));
        })}) {
    EXPECT_NE(text.find("MO-PASS-0020"), std::string::npos) << text;
    EXPECT_NE(text.find("Clumsy"), std::string::npos) << text;
  }
}

TEST(SubgraphReplacement, CleanUpAndInferenceCanBeForced) {
  const auto edit = [](std::function<Expected<bool>(Graph&)> fn) {
    return graph_pass("Edit").run([fn](Graph& g, PassContext&) { return fn(g); });
  };
  const auto graph = parse("graph(%x: f32[1]) { %a = Abs(%x) %b = ReLU(%x) return %b }");
  Context c;
  EXPECT_TRUE(*run_pass(force_clean_up(edit([](Graph&) -> Expected<bool> { return true; })), *graph, c.context));
  EXPECT_FALSE(graph->has_op("Abs"));
  EXPECT_TRUE(*run_pass(force_shape_inference(edit([](Graph& g) -> Expected<bool> {
                          g.parameters()[0].as<Parameter>()->shape = {7};
                          return true;
                        })),
                        *graph, c.context));
  EXPECT_EQ(graph->results()[0].input_type(0).shape, PartialShape({7}));
}

}  // namespace
}  // namespace mo
