// One replacer serves all frameworks: an operator that becomes a single op is found by the name of the op, with the
// op's attributes.
#include <gtest/gtest.h>

#include <functional>

#include "core/pass/pass_manager.hpp"
#include "core/pass/subgraph_replacement.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "driver/builtins.hpp"
#include "driver/pipeline.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo {
namespace {

struct Inferred {
  std::unique_ptr<Graph> graph;
  std::string error;
  DiagnosticList said;
};

/// A model of `framework` as it is after inference, with a pass of a plugin.
Inferred inferred(const std::string& framework, const std::string& text, Pass pass,
                  std::function<void(PassManager&)> configure = {}) {
  Inferred made;
  Registry registry;
  register_builtins(registry, framework);
  registry.set_owner("acme", false);
  registry.passes().add(std::move(pass));
  Options options;
  auto manager = make_pipeline(registry, framework, options);
  auto graph = parse_graph(text, registry.ops());
  EXPECT_TRUE(manager && graph) << (graph ? "" : graph.error().first().format());
  if (!manager || !graph) return made;
  for (const Node node : (*graph)->nodes())
    if (node.op_type().dynamic)
      node.set_origin({.framework = framework, .op = std::string(node.type().substr(node.type().find("::") + 2))});
  if (configure) configure(**manager);
  const Settings settings = settings_of(options);
  PassContext context{made.said, settings, &(*manager)->config};
  for (const Phase phase : {Phase::extraction, Phase::front, Phase::inference})
    if (auto done = (*manager)->run(phase, **graph, context); !done) {
      made.error = done.error().first().format();
      return made;
    }
  made.graph = *std::move(graph);
  return made;
}

struct Model {
  const char* framework;
  const char* text;
};

/// Concat along axis 1, as each framework spells it.
constexpr Model kConcats[] = {
    {"onnx", R"(graph(%a: f32[2,3], %b: f32[2,4]) { %y = "onnx::Concat"(%a, %b) {@opset=13, axis=1} "y" return %y })"},
    {"tf", R"(graph(%a: f32[2,3], %b: f32[2,4]) { %y = "tf::ConcatV2"(%a, %b, 1:i32) {N=2} "y" return %y })"},
    {"caffe", R"(graph(%a: f32[2,3], %b: f32[2,4]) { %y = "caffe::Concat"(%a, %b) "y" return %y })"},
};

TEST(OpReplacers, OneNameFindsTheOperatorOfEveryFramework) {
  for (const Model& model : kConcats) {
    std::vector<std::int64_t> axes;
    const Pass pass = front_replacement_op("Concat").replace_op([&](const Node& node, Rewriter& rw) -> Replacement {
      if (node.attr<std::int64_t>("axis")) axes.push_back(*node.attr<std::int64_t>("axis"));
      return rw.create(ops::Negative{}, rw.create(ops::Concat{.axis = 1}, node.input(0), node.input(1)));
    });
    const Inferred made = inferred(model.framework, model.text, pass);
    ASSERT_TRUE(made.graph) << model.framework << ": " << made.error;
    EXPECT_EQ(axes, std::vector<std::int64_t>{1}) << model.framework << ", with the attributes of the op";
    EXPECT_TRUE(made.graph->has_op("Negative")) << model.framework << to_text(*made.graph);
    EXPECT_EQ(made.graph->find_node("y").type(), "Negative");
    EXPECT_TRUE(made.said.items.empty()) << made.said.items.front().format();
  }
}

constexpr const char* kConv2D = R"(graph(%a: f32[1,8,8,3], %w: f32[3,3,3,4]) {
  %y = "tf::Conv2D"(%a, %w) {strides=[1,1,1,1], padding="SAME", data_format="NHWC"} "y"
  %r = "tf::Relu"(%y) "r" return %r })";

TEST(OpReplacers, AnOperatorIsOfferedOnce) {
  for (const char* name : {"Conv2D", "Convolution"}) {
    std::vector<std::string> seen;
    const Pass pass = front_replacement_op(name).replace_op([&](const Node& node, Rewriter&) -> Replacement {
      seen.emplace_back(node.type());
      return declined("a test");
    });
    const Inferred made = inferred("tf", kConv2D, pass);
    ASSERT_TRUE(made.graph) << made.error;
    ASSERT_EQ(seen.size(), 1U) << name;
    EXPECT_EQ(seen[0], std::string_view(name) == "Conv2D" ? "tf::Conv2D" : "Convolution")
        << "by its framework's name, or as the op";
  }
}

TEST(OpReplacers, ReadersOfTheOpGetTheTypeOfTheReplacement) {
  // The replacement is of another shape: nothing that reads it has been inferred yet.
  const Pass pass = front_replacement_op("Convolution").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    EXPECT_EQ(node.input_type(0).to_string(), "f32[1,8,8,3]") << "inputs have types";
    return rw.create(ops::Abs{}, node.input(0));
  });
  const Inferred made = inferred("tf", kConv2D, pass);
  ASSERT_TRUE(made.graph) << made.error;
  EXPECT_EQ(made.graph->results()[0].input_type(0).to_string(), "f32[1,8,8,3]") << to_text(*made.graph);
  EXPECT_FALSE(made.graph->has_op("Convolution"));
}

TEST(OpReplacers, ABiasIsNotPartOfTheOp) {
  const Pass pass = front_replacement_op("Convolution").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    EXPECT_EQ(node.in_port_count(), 2U);
    return rw.create(ops::Abs{}, node.input(0));
  });
  const Inferred made = inferred("onnx", R"(graph(%a: f32[1,4,8,8], %w: f32[4,4,3,3], %b: f32[4]) {
    %y = "onnx::Conv"(%a, %w, %b) {@opset=13, kernel_shape=[3,3]} "y" return %y })",
                                 pass);
  ASSERT_TRUE(made.graph) << made.error;
  EXPECT_EQ(made.graph->results()[0].input_type(0).to_string(), "f32[1,4,8,8]")
      << "the bias sees the new shape: " << to_text(*made.graph);
  EXPECT_FALSE(made.graph->has_op("Convolution"));
  EXPECT_TRUE(made.graph->has_op("Add"));
}

TEST(OpReplacers, ADecompositionIsNotAnOp) {
  int found = 0;
  const Pass pass = front_replacement_op("Multiply").replace_op([&](const Node&, Rewriter&) -> Replacement {
    ++found;
    return declined("a test");
  });
  const Inferred made = inferred("tf", R"(graph(%a: f32[2,3]) { %y = "tf::Xlogy"(%a, %a) "y" return %y })", pass);
  ASSERT_TRUE(made.graph) << made.error;
  EXPECT_EQ(found, 0) << to_text(*made.graph);
}

TEST(OpReplacers, ObeySwitches) {
  const auto pass = [] {
    return front_replacement_op("Concat").replace_op(
        [](const Node& node, Rewriter& rw) -> Replacement { return rw.create(ops::Abs{}, node.input(0)); });
  };
  const Inferred off =
      inferred("tf", kConcats[1].text, pass(), [](PassManager& manager) { manager.config.disable("Concat"); });
  ASSERT_TRUE(off.graph) << off.error;
  EXPECT_TRUE(off.graph->has_op("Concat"));
  const Inferred truth = inferred("tf", kConcats[1].text, pass(), [](PassManager& manager) {
    manager.may_run = [](const Pass& one) { return one.plugin.empty(); };
  });
  ASSERT_TRUE(truth.graph) << truth.error;
  EXPECT_TRUE(truth.graph->has_op("Concat"));
}

TEST(OpReplacers, AWarningGivesTheFrameworksNameOfTheOp) {
  // A pattern sees the nodes of the framework only.
  const Pass pass = front_replacement_subgraph("Mine")
                        .pattern({{"c", {{"op", "Convolution"}}}, {"r", {{"op", "ReLU"}}}}, {{"c", "r", {}}})
                        .replace_sub_graph([](const AliasMatch&, Rewriter&) -> Expected<bool> { return false; });
  const Inferred made = inferred("tf", kConv2D, pass);
  ASSERT_TRUE(made.graph) << made.error;
  ASSERT_EQ(made.said.items.size(), 1U);
  EXPECT_EQ(made.said.items[0].code, "MO-PLUGIN-0028");
  const std::string text = made.said.items[0].format();
  EXPECT_NE(text.find("in this model Convolution comes from Conv2D"), std::string::npos) << text;
  EXPECT_NE(text.find("no node fits \"c\""), std::string::npos) << text;
}

}  // namespace
}  // namespace mo
