#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/inference/infer.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "extensions/config/config_ops.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "ops/custom_operation.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/extensions/config_run.hpp"

namespace mo::config {
namespace {

constexpr const char* kBlockOp =
    R"([{"id": "B", "match_kind": "scope", "instances": ["net/block1/", "net/block2/"], "op": "Block",
  "custom_attributes": {"size": 3, "name_of_it": "x", "list": [1, 2], "none": null}}])";

TEST(ConfigOps, AnUnknownOpKeepsItsSubGraphForInferenceAndExecution) {
  const auto plain = parse(kBlocks);
  const auto graph = parse(kBlocks);
  ConfigRun run(kBlockOp);
  ASSERT_EQ(run.run(config_ops(test::builtins()), *graph), "changed");
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
  ASSERT_EQ(run.run(config_ops(test::builtins()), *graph), "changed");
  const Node made = graph->find_node("net/block1/c");
  EXPECT_EQ(made.type(), "SquaredDifference");
  EXPECT_EQ(made.input(0), made.input(1));
  EXPECT_FALSE(made.op_type().dynamic);
  ConfigRun wrong(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/c")",
                         R"(, "op": "SoftMax", "custom_attributes": {"axes": 1})"));
  EXPECT_EQ(wrong.run(config_ops(test::builtins()), *parse(kBlocks)), "MO-CORE-0015");
}

TEST(ConfigOps, AMisspelledOpNameIsReported) {
  for (const auto& [op, warnings] : {std::pair{"SquaredDiference", 1U}, {"Block", 0U}, {"SquaredDifference", 0U}}) {
    ConfigRun run(points(R"("net/block1/a", "net/block1/b")", R"("net/block1/c")", fmt::format(R"(, "op": "{}")", op)));
    ASSERT_EQ(run.run(config_ops(test::builtins()), *parse(kBlocks)), "changed");
    ASSERT_EQ(run.warnings().size(), warnings) << op;
    if (warnings == 0) continue;
    EXPECT_EQ(run.warnings().front(), "MO-CONFIG-0038");
    EXPECT_NE(run.diagnostics.items.front().hint_text.find("did you mean SquaredDifference?"), std::string::npos);
  }
}

TEST(ConfigOps, AnIrOfVersion10IsChannelsFirstAndALaterOneReportsItsLayout) {
  const auto layout = [](int version, const char* key, std::vector<std::string> said) {
    const auto graph = parse(kBlocks);
    for (const Node node : graph->nodes()) node.set_origin({.framework = "TensorFlow", .op = "Any"});
    ConfigRun run(fmt::format(
        R"([{{"id": "B", "match_kind": "scope", "instances": ["net/block1/", "net/block2/"], "op": "Block"{}}}])",
        key));
    run.settings.ir_version = version;
    EXPECT_EQ(run.run(config_ops(test::builtins()), *graph), "changed");
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
    return run.run(config_ops(test::builtins()), *parse(kBlocks));
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

TEST(ConfigReplacement, CustomAttributesOfAWrongKindOrNameAreReported) {
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

TEST(ConfigReplacement, ReportsMissingAndOverlappingMatches) {
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

}  // namespace
}  // namespace mo::config
