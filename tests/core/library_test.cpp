#include "core/pass/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparison/graph_comparison.hpp"
#include "core/graph/runtime_info.hpp"
#include "core/inference/infer.hpp"
#include "core/rewrite.hpp"
#include "core/text/printer.hpp"
#include "core/text/visualize_tree.hpp"
#include "ops/activations.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/core/support.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// From(x) -> To(x), by a rule that is called like the pass.
template <OpLike From, OpLike To>
Pass exchange_pass(std::string name) {
  const Pat x = pattern::any();
  return rewrite(std::move(name)).match(pattern::op<From>(x)).replace([=](const Match& m, Rewriter& rw) -> Replacement {
    return rw.create(To{}, m[x]);
  });
}

class Library : public testing::Test {
 protected:
  Library() {
    library.add(exchange_pass<ops::Abs, ops::Exp>("AbsToExp"));
    library.add(exchange_pass<ops::Exp, ops::Log>("ExpToLog"));
    library.add(exchange_pass<ops::Log, ops::Sqrt>("LogToSqrt"));
    library.add(pipeline("OneAfterTheOther").then(PassUse("AbsToExp")).then(PassUse("ExpToLog")).build());
    library.add(pipeline("Together").group("Together", {"AbsToExp", "ExpToLog", off("LogToSqrt")}).build());
    library.add(pipeline("Nested").group("Outer", {"Together"}).then(PassUse("LogToSqrt")).build());
  }

  std::string run(const std::string& pass,
                  const std::string& text = "graph(%x: f32[2]) { %y = Abs(%x) \"y\" return %y }") {
    const auto graph = parse_and_infer(text);
    if (auto done = runner.run(pass, *graph); !done) return done.error().first().code;
    std::string ops;
    const std::vector<Node> order = *graph->topological_order();
    for (const Node& node : order)
      if (!node.is<Parameter>() && !node.is<Result>()) ops += std::string(node.type()) + " ";
    return ops;
  }

  PassLibrary library;
  DiagnosticList diagnostics;
  Settings settings;
  LibraryRun runner{library, diagnostics, settings};
};

TEST_F(Library, RunsTransformationsAloneInGroupsAndInPipelines) {
  EXPECT_TRUE(library.check());
  EXPECT_EQ(run("AbsToExp"), "Exp ");
  EXPECT_EQ(run("OneAfterTheOther"), "Log ");
  EXPECT_EQ(run("Together"), "Log ") << "what a rule made is looked at next";
  EXPECT_EQ(run("Nested"), "Sqrt ") << "a group inside of a group is flattened";
}

TEST_F(Library, RulesWithNamesAreTransformations) {
  const Pat x = pattern::any();
  const auto exchange = [&](const char* name, auto from, auto to) {
    return rewrite(name).match(pattern::op<decltype(from)>(x)).rule([=](const Match& m, Rewriter& rw) -> Replacement {
      return rw.create(to, m[x]);
    });
  };
  library.add(graph_rewrite("Both")
                  .described("Abs, Sqrt", "Exp, Log")
                  .add(exchange("BothOfAbs", ops::Abs{}, ops::Exp{}))
                  .add(exchange("BothOfSqrt", ops::Sqrt{}, ops::Log{})));
  EXPECT_TRUE(library.check());
  constexpr const char* kText = "graph(%x: f32[2]) { %a = Abs(%x) %y = Sqrt(%a) return %y }";
  EXPECT_EQ(run("Both", kText), "Exp Log ");
  EXPECT_EQ(run("BothOfAbs", kText), "Exp Sqrt ");
  runner.config.disable("BothOfAbs");
  EXPECT_EQ(run("Both", kText), "Abs Log ");
  library.add(exchange_pass<ops::Abs, ops::Exp>("BothOfSqrt"));
  EXPECT_EQ(library.check().error().first().code, "MO-PASS-0010") << "a rule's name is taken as well";
}

TEST_F(Library, ConfigurationReachesWhatIsInside) {
  runner.config.disable("ExpToLog");
  EXPECT_EQ(run("OneAfterTheOther"), "Exp ");
  EXPECT_EQ(run("Nested"), "Exp ");
  runner.config.enable("ExpToLog");
  runner.config.enable("LogToSqrt");
  EXPECT_EQ(run("Together"), "Sqrt ") << "what is off by default runs when it is enabled by name";
  runner.config.disable("Together");
  EXPECT_EQ(run("Together"), "Abs ");
  EXPECT_EQ(run("OneAfterTheOther"), "Log ") << "its members are not";
}

TEST_F(Library, OnlyChoosesAmongWhatIsInside) {
  runner.config.only({"ExpToLog"});
  EXPECT_EQ(run("OneAfterTheOther"), "Abs ");
  EXPECT_EQ(run("OneAfterTheOther", "graph(%x: f32[2]) { %y = Exp(%x) return %y }"), "Log ");
}

TEST_F(Library, CallbacksAreAskedForEveryRule) {
  const auto named_y = [](const Node& node) { return node.name() == "y"; };
  runner.config.set_callback("AbsToExp", named_y);
  EXPECT_EQ(run("AbsToExp"), "Abs ");
  EXPECT_EQ(run("Together"), "Abs ") << "also inside of a group";
  EXPECT_EQ(run("AbsToExp", "graph(%x: f32[2]) { %y = Abs(%x) \"z\" return %y }"), "Exp ");
  runner.config.set_callback("", [](const Node&) { return true; });
  runner.config.set_callback("AbsToExp", [](const Node&) { return false; });
  EXPECT_EQ(run("OneAfterTheOther"), "Exp ") << "that of a pass comes before that of all";
  runner.config.set_callback("Together", [](const Node&) { return false; });
  runner.config.set_callback("AbsToExp", named_y);
  EXPECT_EQ(run("Together"), "Abs ") << "that of a member comes before that of its group";
}

TEST_F(Library, FunctionsAskTheSameCallbacks) {
  library.add(graph_pass("Marks").asks_nodes().run([](Graph& graph, PassContext& context) -> Expected<bool> {
    for (const Node node : graph.nodes())
      if (node.is<ops::Abs>() && !context.skips(node)) node.set_rt_info("seen");
    return true;
  }));
  const auto marked = [&] {
    const auto graph = parse_and_infer("graph(%x: f32[2]) { %a = Abs(%x) \"a\" %y = Abs(%a) \"y\" return %y }");
    EXPECT_TRUE(runner.run("Marks", *graph));
    std::string names;
    for (const Node node : graph->nodes())
      if (node.rt_info()) names += node.name();
    return names;
  };
  EXPECT_EQ(marked(), "ay");
  runner.config.set_callback("", [](const Node& node) { return node.name() == "y"; });
  EXPECT_EQ(marked(), "a");
  runner.config.set_callback("Marks", [](const Node& node) { return node.name() == "a"; });
  EXPECT_EQ(marked(), "y") << "that of the pass comes before that of all";
}

TEST_F(Library, CallbacksAreAskedOnceForEachMatch) {
  int asked = 0;
  const auto count = [&asked](const Node&) { return ++asked, false; };
  runner.config.set_callback("AbsToExp", count);
  run("AbsToExp");
  EXPECT_EQ(asked, 1);
  asked = 0;
  run("Together");
  EXPECT_EQ(asked, 1) << "also inside of a group";
}

TEST_F(Library, ReportsWhatRan) {
  std::vector<std::string> told;
  runner.after_pass = [&](const PassEvent& event) -> Expected<void> {
    told.push_back(fmt::format("{}{} {}", std::string(static_cast<std::size_t>(event.depth), '-'), event.pass.name,
                               event.changed));
    return {};
  };
  run("OneAfterTheOther");
  EXPECT_THAT(told, ElementsAre("-AbsToExp true", "-ExpToLog true", "OneAfterTheOther true"));
}

TEST_F(Library, NamesAreChecked) {
  EXPECT_EQ(run("AbsToEx"), "MO-PASS-0011");
  PassLibrary twice;
  twice.add(exchange_pass<ops::Abs, ops::Exp>("A"));
  twice.add(exchange_pass<ops::Abs, ops::Exp>("A"));
  EXPECT_EQ(twice.check().error().first().code, "MO-PASS-0010");
  PassLibrary unknown;
  unknown.add(pipeline("P").then(PassUse("Missing")).build());
  EXPECT_EQ(unknown.check().error().first().code, "MO-PASS-0011");
  PassLibrary cycle;
  cycle.add(pipeline("P").then(PassUse("Q")).build());
  cycle.add(pipeline("Q").then(PassUse("P")).build());
  EXPECT_EQ(cycle.check().error().first().code, "MO-PASS-0012");
  PassLibrary group;
  group.add(graph_pass("Whole").run([](Graph&, PassContext&) -> Expected<bool> { return false; }));
  group.add(pipeline("P").group("G", {"Whole"}).build());
  EXPECT_EQ(group.check().error().first().code, "MO-PASS-0024");
  PassLibrary directions;
  directions.add(exchange_pass<ops::Abs, ops::Exp>("A"));
  directions.add(rewrite("B")
                     .order(RuleOrder::backward)
                     .match(pattern::op<ops::Exp>())
                     .replace([](const Match&, Rewriter&) -> Replacement { return declined("only looks"); }));
  directions.add(pipeline("P").group("G", {"A", "B"}).build());
  EXPECT_EQ(directions.check().error().first().code, "MO-PASS-0024") << "one traversal cannot go both ways";
}

struct Repeat {
  std::int64_t times = 1;
  static constexpr auto attributes = Attributes{attr("times", &Repeat::times)};
};

TEST_F(Library, ParametersAreSettingsOfOneStep) {
  std::vector<std::int64_t> seen;
  library.add(graph_pass("Repeats").settings<Repeat>().run([&](Graph&, PassContext& context) -> Expected<bool> {
    seen.push_back(context.settings.get<Repeat>().times);
    return false;
  }));
  library.add(pipeline("P").then("Repeats", {{"times", std::int64_t{3}}}).then(PassUse("Repeats")).build());
  run("P");
  EXPECT_THAT(seen, ElementsAre(3, 1));
  library.add(pipeline("Wrong").then("Repeats", {{"tims", std::int64_t{3}}}).build());
  EXPECT_EQ(run("Wrong"), "MO-PASS-0022");
}

TEST_F(Library, RulesRunAtOneNode) {
  const auto graph = parse_and_infer("graph(%x: f32[2]) { %a = Abs(%x) \"a\" %y = Abs(%a) \"y\" return %y }");
  PassContext context{diagnostics, settings};
  const auto replaced = apply_rules(*library.find("AbsToExp")->rules, graph->find_node("y"), context);
  ASSERT_TRUE(replaced);
  EXPECT_TRUE(*replaced);
  EXPECT_EQ(graph->find_node("a").type(), "Abs");
  EXPECT_EQ(graph->find_node("y").type(), "Exp");
}

TEST_F(Library, BackwardRulesVisitReadersFirst) {
  std::vector<std::string> met;
  const Pat x = pattern::any();
  library.add(rewrite("Backward")
                  .order(RuleOrder::backward)
                  .match(pattern::op<ops::Abs>(x))
                  .replace([&](const Match& m, Rewriter&) -> Replacement {
                    met.emplace_back(m.root().node().name());
                    return declined("only looks");
                  }));
  run("Backward", "graph(%x: f32[2]) { %a = Abs(%x) \"a\" %y = Abs(%a) \"y\" return %y }");
  EXPECT_THAT(met, ElementsAre("y", "a"));
  met.clear();
  library.add(pipeline("BackwardGroup").group("BackwardGroup", {"Backward"}).build());
  library.add(pipeline("OuterGroup").group("OuterGroup", {"BackwardGroup"}).build());
  run("OuterGroup", "graph(%x: f32[2]) { %a = Abs(%x) \"a\" %y = Abs(%a) \"y\" return %y }");
  EXPECT_THAT(met, ElementsAre("y", "a")) << "a group goes as its members do";
}

TEST(RuntimeInfo, FollowsReplacements) {
  PassLibrary library;
  library.add(exchange_pass<ops::Abs, ops::Exp>("AbsToExp"));
  DiagnosticList diagnostics;
  const Settings settings;
  LibraryRun runner(library, diagnostics, settings);
  const auto graph =
      parse_and_infer("graph(%x: f32[2]) { %y = Abs(%x) \"y\" rt {mine={value=\"7\"}, decompression={}} return %y }");
  ASSERT_TRUE(runner.run("AbsToExp", *graph));
  EXPECT_THAT(to_text(*graph), HasSubstr("Exp.v0(%0) \"y\" rt {mine={value=\"7\"}}"))
      << "marks of one node stay behind";
}

TEST(RuntimeInfo, DropsWhatSourcesDisagreeAbout) {
  const auto graph = parse_and_infer(
      "graph(%x: f32[2]) { %a = Abs(%x) \"a\" rt {same={value=\"1\"}, other={value=\"1\"}}"
      " %b = Abs(%a) \"b\" rt {same={value=\"1\"}, other={value=\"2\"}} return %b }");
  const std::vector<Node> sources = {graph->find_node("a"), graph->find_node("b")};
  const AttributeMap merged = merged_runtime_info(sources);
  EXPECT_TRUE(merged.contains("same"));
  EXPECT_FALSE(merged.contains("other"));
}

std::vector<std::string> differences(const char* actual, const char* expected, const CompareOptions& options = {}) {
  std::vector<std::string> texts;
  for (const GraphDifference& difference :
       compare_graphs(*parse_and_infer(actual), *parse_and_infer(expected), options))
    texts.push_back(difference.to_string());
  return texts;
}

TEST(Comparison, PrintsThePathToADifference) {
  constexpr const char* kAbs = "graph(%x: f32[2]) { %a = Abs(%x) \"a\" %y = Exp(%a) \"y\" return %y }";
  EXPECT_THAT(differences(kAbs, kAbs), ElementsAre());
  EXPECT_THAT(differences(kAbs, "graph(%x: f32[2]) { %a = Sqrt(%x) \"a\" %y = Exp(%a) \"y\" return %y }"),
              ElementsAre("output 0 <- Result '' <- input 0 <- Exp 'y' <- input 0: Abs.v0 'a' instead of Sqrt.v0 'a'"));
  EXPECT_THAT(differences(kAbs, "graph(%x: f32[2]) { %y = Exp(%x) return %y }"),
              ElementsAre(HasSubstr("Abs.v0 'a' instead of Parameter")));
}

TEST(Comparison, EachPartIsSwitchable) {
  constexpr const char* kOne =
      "graph(%x: f32[2]) { %y = Clamp(%x) {min=0.0, max=6.0} \"y\" @[\"t\"] rt {mine={}} return %y }";
  constexpr const char* kOther = "graph(%x: f32[2]) { %y = Clamp(%x) {min=0.0, max=1.0} \"z\" @[\"u\"] return %y }";
  EXPECT_THAT(differences(kOne, kOther), ElementsAre());
  EXPECT_THAT(differences(kOne, kOther, {.attributes = true}), ElementsAre(HasSubstr("attribute max differs")));
  EXPECT_THAT(differences(kOne, kOther, {.names = true}), ElementsAre(HasSubstr("'y' computes it instead of 'z'")));
  EXPECT_THAT(differences(kOne, kOther, {.tensor_names = true}), ElementsAre(HasSubstr("other tensor names")));
  EXPECT_THAT(differences(kOne, kOther, {.runtime_info = true}), ElementsAre(HasSubstr("runtime attributes")));
  constexpr const char* kConstant = "graph(%x: f32[2]) { %y = Abs(%x) return %y }";
  EXPECT_THAT(differences(kConstant, "graph(%x: f16[2]) { %y = Abs(%x) return %y }", {.element_types = false}),
              ElementsAre());
  EXPECT_FALSE(differences(kConstant, "graph(%x: f16[2]) { %y = Abs(%x) return %y }").empty());
  EXPECT_FALSE(differences(kConstant, "graph(%x: f32[3]) { %y = Abs(%x) return %y }").empty());
}

TEST(VisualizeTree, DrawsNodesAndCopiesOfInputs) {
  const auto graph = parse_and_infer("graph(%x: f32[2,?] \"in\") { %y = Abs(%x) \"y\" return %y \"out\" }");
  const std::string plain = visualize_tree(*graph);
  EXPECT_THAT(plain, HasSubstr("digraph ngraph\n{\n"));
  EXPECT_THAT(plain, HasSubstr("shape=box color=black label=\"y\\nAbs_"));
  EXPECT_THAT(plain, HasSubstr("color=crimson penwidth=1.5"));
  EXPECT_THAT(plain, HasSubstr("CLONE_0 [shape=\"box\" style=\"dashed\" color=\"blue\" label=\"in\\n{f32}[2,?]\"]"));
  EXPECT_THAT(visualize_tree(*graph, {.shapes = true, .types = true}), HasSubstr("\\nAbs\\n{f32}[2,?]\""));
  EXPECT_THAT(visualize_tree(*graph, {.edge_labels = true}), HasSubstr("[label=\" 0 -> 0 \"]"));
  EXPECT_THAT(visualize_tree(*graph, {.member_names = true}), HasSubstr("friendly_name: y\\nname: "));
  VisualizeOptions highlighted;
  highlighted.modify = [](const Node& node, std::vector<std::string>& attributes) {
    if (node.name() == "y") attributes.emplace_back("fillcolor=red");
  };
  EXPECT_THAT(visualize_tree(*graph, highlighted), HasSubstr("fillcolor=red"));
}

TEST(VisualizeTree, CutsLongEdgesAndBoundsTheSize) {
  std::string text = "graph(%x: f32[2]) { %n0 = Abs(%x) \"first\" ";
  for (int i = 1; i <= 30; ++i) text += fmt::format("%n{} = Abs(%n{}) \"n{}\" ", i, i - 1, i);
  const auto graph = parse_and_infer((text + "%y = Add(%n30, %n0) \"sum\" return %y }").c_str());
  EXPECT_THAT(visualize_tree(*graph), HasSubstr("label=\"Send[sum]\""));
  EXPECT_THAT(visualize_tree(*graph), HasSubstr("label=\"Receive[first]\""));
  const std::string near = visualize_tree(*graph, {.around = {"n5"}, .neighbours = 1});
  EXPECT_THAT(near, HasSubstr("label=\"n6"));
  EXPECT_THAT(near, testing::Not(HasSubstr("label=\"n8")));
  EXPECT_THAT(visualize_tree(*graph, {.most_nodes = 3}), testing::Not(HasSubstr("label=\"n20")));
}

TEST(VisualizeTree, ABoundedPictureHasWhatIsNearestToTheOutputs) {
  const auto graph = parse_and_infer(
      "graph(%x: f32[2]) { %a = Abs(%x) \"far\" %b = Exp(%a) \"b\" %c = Log(%b) \"left\" %d = Sin(%x) \"right\" %y = "
      "Add(%c, %d) \"y\" return %y }");
  const std::string tail = visualize_tree(*graph, {.most_nodes = 4});
  EXPECT_THAT(tail, HasSubstr("label=\"left"));
  EXPECT_THAT(tail, HasSubstr("label=\"right"));
  EXPECT_THAT(tail, testing::Not(HasSubstr("label=\"b")));
}

TEST(VisualizeTree, ShowsTheFirstElementsOfConstants) {
  const auto graph = parse_and_infer(
      "graph(%x: i64[1], %z: f32[9]) { %a = Add(%x, [9223372036854775807]:i64) %b = Add(%z, [1, 2.5, 3, 4, 5, 6, 7, 8, "
      "9]:f32) return %a, %b }");
  EXPECT_THAT(visualize_tree(*graph), HasSubstr("value: [9223372036854775807]"));
  EXPECT_THAT(visualize_tree(*graph), HasSubstr("value: [1, 2.5, 3, 4, 5, 6, 7, ...]"));
  EXPECT_THAT(visualize_tree(*graph, {.constant_elements = 9}), HasSubstr("value: [1, 2.5, 3, 4, 5, 6, 7, 8, \\n9]"));
  EXPECT_THAT(visualize_tree(*graph, {.min_max_denormal = true}), HasSubstr("(min: 1, max: 9, denormals: 0)"));
}

TEST(VisualizeTree, CompactPicturesHaveABoxForEachNodeAndWhatIsRead) {
  const auto graph = parse_and_infer(
      "graph(%x: f32[2,?] \"in\") { %a, %b = Split(%x, 0:i64) {num_splits=2} \"parts\" %y = Multiply(%a, [3]:f32) \"y "
      "<&>\" %z = Abs(%x) \"z\" return %y, %z }");
  const std::string drawn = visualize_tree(*graph, {.shapes = true, .compact = true});
  EXPECT_THAT(drawn, HasSubstr("<<b>Split</b><br/><font point-size=\"9\" color=\"#5d6b7e\">parts</font><br/><font "
                               "point-size=\"8\" color=\"#5d6b7e\">1×?</font>>"));
  EXPECT_THAT(drawn, HasSubstr("y &lt;&amp;&gt;"));
  EXPECT_THAT(drawn, HasSubstr("value: [3]"));
  EXPECT_THAT(drawn, testing::Not(HasSubstr("label=\"in")));
  const std::string bare = visualize_tree(*graph, {.compact = true, .constants = false});
  EXPECT_THAT(bare, testing::Not(HasSubstr("CLONE")));
}

/// A shared constant does not make its readers neighbours.
TEST(VisualizeTree, NeighboursAreNotReachedThroughHiddenConstants) {
  const auto graph = parse_and_infer(
      "graph(%x: f32[2], %y: f32[2]) { %c = Const() {value=[3]:f32} \"shared\" %a = Multiply(%x, %c) \"left\" %b = "
      "Multiply(%y, %c) \"right\" return %a, %b }");
  VisualizeOptions options{.compact = true, .constants = true, .around = {"left"}};
  EXPECT_THAT(visualize_tree(*graph, options), HasSubstr("right"));
  options.constants = false;
  EXPECT_THAT(visualize_tree(*graph, options), testing::Not(HasSubstr("right")));
}

TEST(VisualizeTree, KeepsEdgesThatPassOtherNodesStraight) {
  const auto graph = parse_and_infer(
      "graph(%x: f32[2]) { %a = Abs(%x) \"a\" %b = Exp(%a) \"b\" %c = Log(%b) \"c\" %y = Add(%a, %c) \"y\" return %y "
      "}");
  const std::string straight = visualize_tree(*graph, {.compact = true});
  EXPECT_THAT(straight, testing::ContainsRegex("Abs_[0-9]+ -> Add_[0-9]+\\[weight=24\\]"));
  EXPECT_THAT(straight, testing::ContainsRegex("Abs_[0-9]+ -> Exp_[0-9]+\\[weight=8\\]"));
  EXPECT_THAT(visualize_tree(*graph), testing::Not(HasSubstr("weight=")));
}

}  // namespace
}  // namespace mo::test
