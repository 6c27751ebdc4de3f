#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/inference/infer.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "extensions/config/config_ops.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/config/config_update.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "extensions/config/matching.hpp"
#include "ops/custom_operation.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/support/builtins.hpp"

namespace mo::config {
namespace {

std::unique_ptr<Graph> parse(std::string_view text) {
  auto graph = parse_graph(text, test::builtins().ops());
  EXPECT_TRUE(graph) << (graph ? "" : graph.error().first().format());
  return graph ? *std::move(graph) : nullptr;
}

std::vector<Descriptor> descriptors(const std::string& text) {
  const auto document = parse_json(text, "c.json");
  EXPECT_TRUE(document) << (document ? "" : document.error().first().format());
  auto read = read_descriptors(*document, "c.json");
  EXPECT_TRUE(read) << (read ? "" : read.error().first().format());
  return read ? std::move(read->descriptors) : std::vector<Descriptor>();
}

/// A pass and the descriptors that it sees.
struct ConfigRun {
  explicit ConfigRun(const std::string& json) { settings.set(Replacements{descriptors(json)}); }
  std::string run(const Pass& pass, Graph& graph) {
    const auto changed = run_pass(pass, graph, context);
    if (!changed) return changed.error().first().code;
    return *changed ? "changed" : "unchanged";
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> codes;
    for (const Diagnostic& d : diagnostics.items) codes.push_back(d.code);
    return codes;
  }
  DiagnosticList diagnostics;
  Settings settings;
  PassContext context{diagnostics, settings, nullptr};
};

/// Two blocks of one form behind each other, with an input each, a constant inside, and a side branch.
constexpr std::string_view kBlocks = R"(graph(%x: f32[4] "x") {
  %p = ReLU(%x) "net/start"
  %a = Sigmoid(%p) "net/block1/a"
  %b = Tanh(%p) "net/block1/b"
  %k = Const {value=2:f32} "net/block1/k"
  %c = Add(%a, %b) "net/block1/c"
  %d = Multiply(%c, %k) "net/block1/d"
  %e = Sigmoid(%d) "net/block2/a"
  %f = Tanh(%d) "net/block2/b"
  %l = Const {value=3:f32} "net/block2/k"
  %g = Add(%e, %f) "net/block2/c"
  %h = Multiply(%g, %l) "net/block2/d"
  return %h "out"
})";

std::string code_of(const Expected<FoundMatches>& found) { return found ? "" : found.error().first().code; }

TEST(ScopeMatching, PatternsAreAnchoredAtTheStartOnly) {
  const auto graph = parse(kBlocks);
  const auto d = descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1", "block1", ".*block2/"],
    "inputs": [[{"node": "a$", "port": 0}, {"node": "b$", "port": 0}], [{"node": "d$", "port": 1}]], "outputs": [{"node": "d", "port": 0}]}])");
  const auto found = find_matches(d[0], *graph);
  ASSERT_TRUE(found) << found.error().first().format();
  ASSERT_EQ(found->matches.size(), 2U);
  EXPECT_EQ(found->misses.size(), 1U) << "\"block1\" is no beginning of a name";
  const SubgraphMatch& match = found->matches[0];
  EXPECT_EQ(match.matched_nodes_names(),
            (std::vector<std::string>{"net/block1/a", "net/block1/b", "net/block1/k", "net/block1/c", "net/block1/d"}));
  EXPECT_EQ(match.scope(), "net/block1");
  EXPECT_EQ(match.inputs_count(), 2U);
  EXPECT_EQ(match.input_nodes(0).size(), 2U);
  EXPECT_EQ(match.single_input_node(0).error().first().code, "MO-CONFIG-0024");
  EXPECT_EQ(match.single_input_node(9).error().first().code, "MO-CONFIG-0024");
  EXPECT_EQ(match.single_input_node(1)->node.name(), "net/block1/d");
  EXPECT_EQ(match.input(0)->node().name(), "net/start");
  EXPECT_EQ(match.output_node(0)->node.name(), "net/block1/d");
  EXPECT_EQ(match.output_node(1).error().first().code, "MO-CONFIG-0025");
  EXPECT_EQ(match.node_by_pattern("c$")->name(), "net/block1/c");
  EXPECT_FALSE(*match.node_by_pattern("q"));
  EXPECT_EQ(match.node_by_pattern(".").error().first().code, "MO-CONFIG-0020");
}

TEST(ScopeMatching, APatternThatFitsTwoNodesIsAnError) {
  const auto graph = parse(kBlocks);
  const auto found = find_matches(descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1"],
    "outputs": [{"node": "[ab]$", "port": 0}]}])")[0],
                                  *graph);
  EXPECT_EQ(code_of(found), "MO-CONFIG-0020");
  EXPECT_EQ(found.error().first().location, "c.json:1:2");
}

TEST(ScopeMatching, WithoutANodeForAnInputNothingMatches) {
  const auto graph = parse(kBlocks);
  const auto found = find_matches(descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1"],
    "inputs": [[{"node": "nowhere$", "port": 0}]]}])")[0],
                                  *graph);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->matches.empty());
  EXPECT_EQ(code_of(find_matches(descriptors(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1"],
    "inputs": [[{"node": "a$", "port": 5}]]}])")[0],
                                 *graph)),
            "MO-CONFIG-0013");
}

std::string points(std::string_view starts, std::string_view ends, std::string_view more = "") {
  return R"([{"id": "P", "match_kind": "points", "instances": {"start_points": [)" + std::string(starts) +
         R"(], "end_points": [)" + std::string(ends) + "]}" + std::string(more) + "}]";
}

TEST(PointsMatching, TakesWhatLiesBetweenAndWhatThatNeeds) {
  const auto graph = parse(kBlocks);
  const auto found =
      find_matches(descriptors(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/d")"))[0], *graph);
  ASSERT_TRUE(found) << found.error().first().format();
  EXPECT_EQ(found->matches[0].matched_nodes_names(),
            (std::vector<std::string>{"net/block1/a", "net/block1/b", "net/block1/k", "net/block1/c", "net/block1/d"}));
  EXPECT_EQ(found->matches[0].single_input_node(1)->node.name(), "net/block1/b");
  EXPECT_EQ(found->matches[0].output_node(0)->node.name(), "net/block1/d");
  EXPECT_EQ(found->matches[0].scope(), "");
}

TEST(PointsMatching, PointsMayStandOutside) {
  const auto graph = parse(kBlocks);
  const auto found = find_matches(
      descriptors(points(R"("net/start")", R"("net/block2/a")",
                         R"(, "include_inputs_to_sub_graph": false, "include_outputs_to_sub_graph": false)"))[0],
      *graph);
  ASSERT_TRUE(found) << found.error().first().format();
  EXPECT_EQ(found->matches[0].matched_nodes_names(),
            (std::vector<std::string>{"net/block1/a", "net/block1/b", "net/block1/k", "net/block1/c", "net/block1/d"}));
  EXPECT_EQ(found->matches[0].input_nodes(0).size(), 2U);
  EXPECT_EQ(found->matches[0].output_node(0)->node.name(), "net/block1/d");
}

TEST(PointsMatching, ItsErrorsNameTheNode) {
  const auto graph = parse(kBlocks);
  const auto unreached =
      find_matches(descriptors(points(R"("net/block2/a")", R"("net/block1/c", "net/block2/c")"))[0], *graph);
  EXPECT_EQ(code_of(unreached), "MO-CONFIG-0021");
  EXPECT_EQ(unreached.error().first().node, "net/block1/c");
  const auto inside = find_matches(descriptors(points(R"("net/block1/a")", R"("net/block1/c")"))[0], *graph);
  EXPECT_EQ(code_of(inside), "MO-CONFIG-0022");
  EXPECT_NE(inside.error().first().format().find("net/start - net/block1/b"), std::string::npos)
      << inside.error().first().format();
  const auto missing = find_matches(descriptors(points(R"("net/block1/aa")", R"("net/block1/c")"))[0], *graph);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->misses,
            std::vector<std::string>{
                "there is no node 'net/block1/aa', which is a start point (did you mean 'net/block1/a'?)"});
}

constexpr const char* kBlockOp =
    R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/", "net/block2/"], "op": "Block",
  "custom_attributes": {"size": 3, "name_of_it": "x", "list": [1, 2], "none": null}}])";

TEST(ConfigOps, AnUnknownOpKeepsItsSubGraphForInferenceAndExecution) {
  const auto plain = parse(kBlocks);
  const auto graph = parse(kBlocks);
  ConfigRun run(kBlockOp);
  ASSERT_EQ(run.run(config_ops(test::builtins().ops()), *graph), "changed");
  EXPECT_TRUE(run.warnings().empty());
  EXPECT_EQ(graph->node_count(), 5U) << to_text(*graph);
  const Node block = graph->find_node("net/block1/d");
  EXPECT_EQ(block.type(), "Block");
  EXPECT_EQ(block.in_port_count(), 1U);
  EXPECT_EQ(block.attr<std::int64_t>("size"), 3);
  EXPECT_FALSE(block.has_attr("none"));
  EXPECT_NE(ops::hidden_body(block), nullptr);
  ASSERT_TRUE(infer_graph(*graph));
  EXPECT_EQ(graph->results()[0].input_type(0).to_string(), "f32[4]");
  const Tensor input = Tensor::of<float>({4}, std::vector<float>{-1, 0, 0.5, 2});
  const auto want = execute(*plain, {input});
  const auto got = execute(*graph, {input});
  ASSERT_TRUE(want && got) << (got ? "" : got.error().first().format());
  EXPECT_TRUE(difference_of((*got)[0], (*want)[0], closeness::kSame)->same());
}

TEST(ConfigOps, ARegisteredOpIsThatOp) {
  const auto graph = parse(kBlocks);
  ConfigRun run(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/c")", R"(, "op": "SquaredDifference")"));
  ASSERT_EQ(run.run(config_ops(test::builtins().ops()), *graph), "changed");
  const Node made = graph->find_node("net/block1/c");
  EXPECT_EQ(made.type(), "SquaredDifference");
  EXPECT_EQ(made.input(0), made.input(1));
  EXPECT_FALSE(made.op_type().dynamic);
  ConfigRun wrong(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/c")",
                         R"(, "op": "SoftMax", "custom_attributes": {"axes": 1})"));
  EXPECT_EQ(wrong.run(config_ops(test::builtins().ops()), *parse(kBlocks)), "MO-CORE-0015");
}

TEST(ConfigOps, ANameThatIsNearlyThatOfAnOpIsTold) {
  for (const auto& [op, warnings] : {std::pair{"SquaredDiference", 1U}, {"Block", 0U}, {"SquaredDifference", 0U}}) {
    ConfigRun run(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/c")", fmt::format(R"(, "op": "{}")", op)));
    ASSERT_EQ(run.run(config_ops(test::builtins().ops()), *parse(kBlocks)), "changed");
    ASSERT_EQ(run.warnings().size(), warnings) << op;
    if (warnings == 0) continue;
    EXPECT_EQ(run.warnings().front(), "MO-CONFIG-0038");
    EXPECT_NE(run.diagnostics.items.front().hint_text.find("did you mean SquaredDifference?"), std::string::npos);
  }
}

TEST(ConfigOps, AnIrOfVersion10IsChannelsFirstAndALaterOneSaysWhatItIs) {
  const auto layout = [](int version, const char* key, std::vector<std::string> said) {
    const auto graph = parse(kBlocks);
    for (const Node node : graph->nodes()) node.set_origin({.framework = "TensorFlow", .op = "Any"});
    ConfigRun run(fmt::format(
        R"([{{"id": "B", "match_kind": "scope", "instances": ["net/block1/", "net/block2/"], "op": "Block"{}}}])",
        key));
    run.settings.ir_version = version;
    EXPECT_EQ(run.run(config_ops(test::builtins().ops()), *graph), "changed");
    EXPECT_EQ(run.warnings(), said) << version << key;
    return graph->find_node("net/block1/d").has_attr(ops::kModelLayoutAttribute) ? "channels first" : "as the model";
  };
  EXPECT_STREQ(layout(10, "", {}), "channels first");
  EXPECT_STREQ(layout(11, "", {"MO-CONFIG-0037"}), "as the model") << "told once, not for each instance";
  for (const int version : {10, 11}) {
    EXPECT_STREQ(layout(version, R"(, "layout": "model")", {}), "as the model");
    EXPECT_STREQ(layout(version, R"(, "layout": "channels_first")", {}), "channels first");
  }
}

TEST(ConfigOps, WhatWouldBeLostIsAnError) {
  const auto code = [](const std::string& json) {
    ConfigRun run(json);
    return run.run(config_ops(test::builtins().ops()), *parse(kBlocks));
  };
  // c has two inputs; port 1 of it would be lost.
  EXPECT_EQ(code(points(R"("net/block1/c")", R"("net/block1/d")", R"(, "op": "X")")), "MO-CONFIG-0023");
  EXPECT_EQ(
      code(
          R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/"], "op": "X", "inputs": [[{"node": "a$", "port": 0}]]}])"),
      "MO-CONFIG-0019");
  EXPECT_EQ(code(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/"], "op": "X",
    "inputs": [[{"node": "a$", "port": 0}, {"node": "b$", "port": 0}, {"node": "d$", "port": 1}]]}])"),
            "MO-CONFIG-0019");
  EXPECT_EQ(
      code(
          R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/"], "op": "X", "custom_attributes": {"a": {"b": 1}}}])"),
      "MO-CONFIG-0018");
  EXPECT_EQ(
      code(
          R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/"], "op": "X", "outputs": [{"node": "a$", "port": 0}]}])"),
      "changed")
      << "what is read elsewhere stays as it was";
  EXPECT_EQ(
      code(
          R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/"], "op": "X", "outputs": [{"node": "a$", "port": 0}, {"node": "q", "port": 0}, {"node": "d$", "port": 0}]}])"),
      "MO-CONFIG-0025");
}

TEST(ConfigReplacement, GeneratesOncePerMatchAndMovesNames) {
  const auto graph = parse(kBlocks);
  ConfigRun run(
      R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/", "net/block2/"], "custom_attributes": {"k": 7},
    "inputs": [[{"node": "a$", "port": 0}, {"node": "b$", "port": 0}]], "outputs": [{"node": "d$", "port": 0}]}])");
  std::size_t calls = 0;
  const Pass pass = config_replacement("B").generate([&](SubgraphMatch& match, Rewriter& rw) -> Replacement {
    ++calls;
    EXPECT_EQ(match.custom_attribute<std::int64_t>("k", 0), 7);
    EXPECT_EQ(match.custom_attribute<std::int64_t>("q", 5), 5);
    const auto input = match.input(0);
    if (!input) return input.error();
    return rw.create(ops::Abs{}, *input);
  });
  EXPECT_EQ(run.run(pass, *graph), "changed");
  EXPECT_EQ(calls, 2U);
  EXPECT_EQ(graph->node_count(), 5U) << to_text(*graph);
  EXPECT_EQ(graph->find_node("net/block2/d").type(), "Abs");
  EXPECT_EQ(graph->find_node("net/block2/d").framework(), "");
}

TEST(ConfigReplacement, CustomAttributesOfAWrongKindOrNameAreTold) {
  const auto reads = [](auto read) {
    return config_replacement("B").generate([read](SubgraphMatch& match, Rewriter& rw) -> Replacement {
      if (const auto error = read(match)) return *error;
      return rw.create(ops::Abs{}, *match.input(0));
    });
  };
  const auto run = [&](const std::string& custom, const Pass& pass, std::vector<std::string> warnings = {}) {
    ConfigRun one(
        R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/"], "custom_attributes": )" + custom +
        R"(, "inputs": [[{"node": "a$", "port": 0}, {"node": "b$", "port": 0}]], "outputs": [{"node": "d$", "port": 0}]}])");
    const std::string end = one.run(pass, *parse(kBlocks));
    EXPECT_EQ(one.warnings(), warnings) << custom;
    return end;
  };
  using MaybeError = std::optional<Error>;
  const Pass with_fallback = reads(
      [](SubgraphMatch& match) -> MaybeError { return match.custom_attribute<double>("eps", 1.0), std::nullopt; });
  EXPECT_EQ(run(R"({"eps": 0.5})", with_fallback), "changed");
  EXPECT_EQ(run("{}", with_fallback), "changed") << "the fallback is for a missing one";
  EXPECT_EQ(run(R"({"eps": "0.5"})", with_fallback), "MO-CONFIG-0035");
  EXPECT_EQ(run(R"({"esp": 0.5})", with_fallback, {"MO-CONFIG-0036"}), "changed");
  const Pass required = reads([](SubgraphMatch& match) -> MaybeError {
    const auto eps = match.required<double>("eps");
    return eps ? MaybeError() : eps.error();
  });
  EXPECT_EQ(run(R"({"eps": 0.5})", required), "changed");
  EXPECT_EQ(run(R"({"esp": 0.5})", required), "MO-CONFIG-0034");
  EXPECT_EQ(run(R"({"eps": [1]})", required), "MO-CONFIG-0035");
  const Pass all = reads([](SubgraphMatch& match) -> MaybeError { return match.custom_attributes(), std::nullopt; });
  EXPECT_EQ(run(R"({"esp": 0.5})", all), "changed") << "who takes them all reads them all";
}

TEST(ConfigReplacement, SaysWhenNothingMatchesOrMatchesOverlap) {
  const auto pass = [] {
    return config_replacement("B").generate([](SubgraphMatch& match, Rewriter& rw) -> Replacement {
      const auto place = match.output_node(0);
      if (!place) return place.error();
      return rw.create(ops::Abs{}, *match.input(0));
    });
  };
  const std::string ports = R"("inputs": [[{"node": "a$", "port": 0}]], "outputs": [{"node": "d$", "port": 0}]}])";
  ConfigRun missing(R"([{"id": "B", "match_kind": "scope", "instances": ["nett/"], )" + ports);
  EXPECT_EQ(missing.run(pass(), *parse(kBlocks)), "unchanged");
  EXPECT_EQ(missing.warnings(), std::vector<std::string>{"MO-CONFIG-0026"});
  ConfigRun overlapping(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/", ".*block1/"], )" + ports);
  EXPECT_EQ(overlapping.run(pass(), *parse(kBlocks)), "changed");
  EXPECT_EQ(overlapping.warnings(), std::vector<std::string>{"MO-CONFIG-0028"});
  ConfigRun apart(R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/[ak]"]}])");
  EXPECT_EQ(apart.run(pass(), *parse(kBlocks)), "MO-CONFIG-0025");
  EXPECT_EQ(apart.warnings(), std::vector<std::string>{"MO-CONFIG-0027"});
  ConfigRun general(R"([{"id": "B", "match_kind": "general"}])");
  EXPECT_EQ(general.run(pass(), *parse(kBlocks)), "MO-CONFIG-0017");
}

TEST(ConfigReplacement, AnOutputWithoutReplacementMustNotBeRead) {
  ConfigRun run(
      R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/"], "outputs": [{"node": "d$", "port": 0}]}])");
  const Pass nothing = config_replacement("B").generate([](SubgraphMatch&, Rewriter& rw) -> Replacement {
    return Outputs{Value(), rw.scalar(1.0F)};
  });
  EXPECT_EQ(run.run(nothing, *parse(kBlocks)), "MO-CONFIG-0025");
  const Pass empty =
      config_replacement("B").generate([](SubgraphMatch&, Rewriter&) -> Replacement { return Outputs{Value()}; });
  EXPECT_EQ(run.run(empty, *parse(kBlocks)), "MO-PASS-0002");
  const Pass clumsy = config_replacement("B").generate([](SubgraphMatch& match, Rewriter& rw) -> Replacement {
    match.graph().erase(match.output_node(0)->node);
    return Outputs{rw.scalar(1.0F)};
  });
  EXPECT_EQ(run.run(clumsy, *parse(kBlocks)), "MO-PASS-0020");
}

TEST(ConfigReplacement, GeneralReplacersSeeTheGraph) {
  const auto graph = parse(kBlocks);
  ConfigRun run(R"([{"id": "G", "match_kind": "general", "custom_attributes": {"to": "renamed"}}])");
  const Pass pass = config_replacement("G").transform_graph([](Graph& g, const AttributeMap& custom) -> Expected<bool> {
    g.find_node("net/start").set_name(*custom.find("to")->get_if<std::string>());
    return true;
  });
  EXPECT_EQ(run.run(pass, *graph), "changed");
  EXPECT_TRUE(graph->find_node("renamed"));
  ConfigRun other(R"([{"id": "G", "match_kind": "scope", "instances": ["x"]}])");
  EXPECT_EQ(other.run(pass, *graph), "MO-CONFIG-0017");
}

TEST(ConfigIds, EachNeedsAReplacerOrAnOp) {
  PassManager manager;
  ASSERT_TRUE(
      manager.add(graph_pass("FreezeInputs").phase(Phase::extraction).run([](Graph&, PassContext&) -> Expected<bool> {
        return false;
      })));
  for (Pass& pass : replacement_anchors({})) ASSERT_TRUE(manager.add(std::move(pass)));
  ASSERT_TRUE(manager.add(config_replacement("Known").transform_graph(
      [](Graph&, const AttributeMap&) -> Expected<bool> { return false; })));
  EXPECT_TRUE(check_ids(descriptors(R"([{"id": "Known", "match_kind": "general"}])"), manager));
  EXPECT_TRUE(check_ids(descriptors(kBlockOp), manager));
  const auto unknown = check_ids(
      descriptors(R"([{"id": "Knwon", "match_kind": "general"}, {"id": "FreezeInputs", "match_kind": "general"}])"),
      manager);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().items().size(), 2U);
  EXPECT_EQ(unknown.error().first().code, "MO-CONFIG-0009");
  EXPECT_NE(unknown.error().first().hint_text.find("Known"), std::string::npos);
}

/// A folder with a configuration in it.
class ConfigUpdate : public testing::Test {
 protected:
  ConfigUpdate() : folder_(std::filesystem::path(testing::TempDir()) / ("mo_config_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ConfigUpdate() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "c.json").string(); }
  std::string update(const std::string& text) {
    std::ofstream(path()) << text;
    const auto graph = parse(kBlocks);
    const auto done = update_config_file(path(), *graph, sink_);
    if (!done) return done.error().first().code;
    std::ifstream in(path());
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::filesystem::path folder_;
  DiagnosticList sink_;
};

TEST_F(ConfigUpdate, FillsInInputsAndOutputsAndKeepsTheRest) {
  const std::string text = update(
      R"([{"match_kind": "scope", "id": "B", "op": "X", "instances": ["net/block1", "net/block2"], "mine": {"z": 1.50, "a": []}}])");
  EXPECT_EQ(text, R"([
    {
        "custom_attributes": {},
        "id": "B",
        "inputs": [
            [
                {
                    "node": "a$",
                    "port": 0
                },
                {
                    "node": "b$",
                    "port": 0
                }
            ]
        ],
        "instances": [
            "net/block1",
            "net/block2"
        ],
        "match_kind": "scope",
        "mine": {
            "a": [],
            "z": 1.50
        },
        "op": "X",
        "outputs": [
            {
                "node": "d$",
                "port": 0
            }
        ]
    }
]
)");
  const std::string again = update(text);
  EXPECT_EQ(again, text);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()), 1)
      << "nothing unfinished is left";
}

TEST_F(ConfigUpdate, KeysThatAreThereStay) {
  const std::string text =
      update(R"([{"match_kind": "scope", "id": "B", "instances": ["net/block1/"], "inputs": []}])");
  EXPECT_NE(text.find("\"inputs\": []"), std::string::npos) << text;
  EXPECT_NE(text.find("\"node\": \"d$\""), std::string::npos) << text;
  const std::string points_text = update(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/d")"));
  EXPECT_NE(points_text.find("\"include_inputs_to_sub_graph\": true"), std::string::npos);
  EXPECT_EQ(points_text.find("\"inputs\""), std::string::npos);
}

TEST_F(ConfigUpdate, ItsFailuresLeaveTheFile) {
  EXPECT_EQ(update("[{]"), "MO-CONFIG-0002");
  EXPECT_EQ(update(R"([{"match_kind": "scope", "id": "B", "instances": [".*block"]}])"), "MO-CONFIG-0031")
      << "it fits two places";
  EXPECT_EQ(update(R"([{"match_kind": "scope", "id": "B", "instances": ["net/block1/.$"]}])"), "MO-CONFIG-0031")
      << "no part of a name ends there";
  sink_.items.clear();
  EXPECT_NE(update(R"([{"match_kind": "general", "id": "B"}, {"match_kind": "scope", "id": "B", "instances": ["q"]}])")
                .find("general"),
            std::string::npos);
  ASSERT_EQ(sink_.items.size(), 2U);
  EXPECT_EQ(sink_.items[0].code, "MO-CONFIG-0030");
  EXPECT_EQ(sink_.items[1].code, "MO-CONFIG-0026");
  if (::geteuid() != 0) {  // root may write everything
    std::filesystem::permissions(path(), std::filesystem::perms::owner_read);
    const auto graph = parse(kBlocks);
    const auto done = update_config_file(path(), *graph, sink_);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().first().code, "MO-CONFIG-0032");
  }
}

TEST(ConfigPatterns, NamesAreQuoted) {
  const auto graph =
      parse(R"x(graph(%x: f32[4] "x") { %a = ReLU(%x) "s/a.b(1)" %b = ReLU(%x) "s/aXb(1)" return %a, %b })x");
  DiagnosticList sink;
  const auto document = parse_json(R"([{"match_kind": "scope", "id": "B", "instances": ["s"]}])", "c.json");
  const auto made = updated_config(*document, "c.json", *graph, sink);
  ASSERT_TRUE(made) << made.error().first().format();
  EXPECT_NE(to_json_text(*made).find(R"x("a\\.b\\(1\\)$")x"), std::string::npos) << to_json_text(*made);
}

}  // namespace
}  // namespace mo::config
