#include <fmt/format.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "tests/support/builtins.hpp"
#include "transformations/catalogue.hpp"

// Callbacks of the configuration for single nodes reach transformations that are functions, too. (Of rules, the engine
// asks: tests/core/library_test.cpp.)

namespace mo::transformations::callbacks {
namespace {

/// A graph with two nodes that the pass changes, "kept" and "other".
struct FunctionCase {
  const char* pass;
  const char* graph;
};

constexpr FunctionCase kCases[] = {
    {"AddOldApiMapToParameters", R"(graph(%x: f32[2] "kept", %z: f32[2] "other") { %y = Add(%x, %z) return %y })"},
    {"ChangePlaceholderTypes", R"(graph(%x: i64[2] "kept", %z: i64[2] "other") { %y = Add(%x, %z) return %y })"},
    {"ConstantFolding", R"(graph(%x: f32[2]) {
  %a = Exp([1, 2]:f32) "kept"
  %b = Exp([3, 4]:f32) "other"
  %c = Add(%x, %a)
  %y = Add(%c, %b)
  return %y
})"},
    {"ConvertNmsGatherPathToUnsigned", R"(graph(%b: f32[1,6,4], %c: f32[1,1,6], %x: f32[6]) {
  %i, %s, %n = NonMaxSuppression.v5(%b, %c, 3:i64, 0.5, 0.0) {box_encoding="corner"}
  %f = Reshape(%i, [-1]:i64)
  %y = Gather.v8(%x, %f, 0:i64) "kept"
  %z = Gather.v8(%x, %f, 0:i64) "other"
  return %y, %z
})"},
    {"DisableConvertConstantFoldingOnConstPath", R"(graph(%x: f32[2]) {
  %a = Convert([3, 4]:i8) {destination_type=f32} "kept"
  %b = Convert([5, 6]:i8) {destination_type=f32} "other"
  %c = Multiply(%x, %a)
  %y = Multiply(%c, %b)
  return %y
})"},
    {"DisableDecompressionConvertConstantFolding", R"(graph(%x: f32[2]) {
  %a = Convert([3, 4]:f16) {destination_type=f32} "kept" rt {decompression={}}
  %b = Convert([5, 6]:f16) {destination_type=f32} "other" rt {decompression={}}
  %c = Add(%x, %a)
  %y = Add(%c, %b)
  return %y
})"},
    {"DisableRandomUniformConstantFolding", R"(graph(%x: f32[2]) {
  %a = RandomUniform([2]:i64, 0:f32, 1:f32) {output_type=f32} "kept"
  %b = RandomUniform([2]:i64, 0:f32, 1:f32) {output_type=f32} "other"
  %c = Add(%x, %a)
  %y = Add(%c, %b)
  return %y
})"},
    {"DisableShapeOfConstantFolding", R"(graph(%x: f32[2,3]) {
  %a = ShapeOf(%x) "kept"
  %b = ShapeOf(%x) "other"
  %y = Add(%a, %b)
  return %y
})"},
    {"EnableDecompressionConvertConstantFolding", R"(graph(%x: f32[2]) {
  %a = Convert([3, 4]:f16) {destination_type=f32} "kept" rt {decompression={}, disable_constant_folding={}}
  %b = Convert([5, 6]:f16) {destination_type=f32} "other" rt {decompression={}, disable_constant_folding={}}
  %c = Add(%x, %a)
  %y = Add(%c, %b)
  return %y
})"},
    {"FindBatch", R"(graph(%x: f32[1,3] "kept", %z: f32[1,3] "other") {
  %a = MatMul(%x, [[1], [2], [3]]:f32)
  %b = MatMul(%z, [[1], [2], [3]]:f32)
  return %a, %b
})"},
    {"FixRtInfo", R"(graph(%x: f32[2]) {
  %a = Exp(%x) "kept" rt {PrimitivesPriority={value="a"}}
  %y = Exp(%a) "other" rt {PrimitivesPriority={value="b"}}
  return %y
})"},
    {"GroupedStridedSliceOptimizer", R"(graph(%x: f32[4], %z: f32[4]) {
  %a = StridedSlice(%x, [0]:i64, [2]:i64, [1]:i64) {begin_mask=[0], end_mask=[0]} "kept"
  %b = StridedSlice(%x, [2]:i64, [4]:i64, [1]:i64) {begin_mask=[0], end_mask=[0]}
  %c = StridedSlice(%z, [0]:i64, [2]:i64, [1]:i64) {begin_mask=[0], end_mask=[0]} "other"
  %d = StridedSlice(%z, [2]:i64, [4]:i64, [1]:i64) {begin_mask=[0], end_mask=[0]}
  %e = Add(%a, %b)
  %f = Add(%c, %d)
  return %e, %f
})"},
    {"HideInputShapes", R"(graph(%x: f32[2] "kept", %z: f32[2] "other") { %a = Exp(%x) %b = Exp(%z) return %a, %b })"},
    {"InitMasks", R"(graph(%x: f32[2,2]) {
  %a = MatMul(%x, [[1, 0], [2, 0]]:f32) "kept"
  %y = MatMul(%a, [[1, 0], [2, 0]]:f32) "other"
  return %y
})"},
    {"LowLatency", R"(graph(%x: f32[2,3], %s: f32[2,1]) {
  %y = TensorIterator(%x, %s) {body=graph(%a: f32[2,1], %h: f32[2,1] "h") { %t = Add(%a, %h) return %t }, input_map=[{input=0, parameter=0, axis=1}, {input=1, parameter=1}], output_map=[{output=0, result=0}], back_edges=[{result=0, parameter=1}]} "kept"
  %z = TensorIterator(%x, %s) {body=graph(%a: f32[2,1], %h: f32[2,1] "h") { %t = Add(%a, %h) return %t }, input_map=[{input=0, parameter=0, axis=1}, {input=1, parameter=1}], output_map=[{output=0, result=0}], back_edges=[{result=0, parameter=1}]} "other"
  return %y, %z
})"},
    {"LowLatency2", R"(graph(%x: f32[2,1], %s: f32[2,1]) {
  %y = TensorIterator(%x, %s) {body=graph(%a: f32[2,1], %h: f32[2,1] "h") { %t = Add(%a, %h) return %t }, input_map=[{input=0, parameter=0, axis=1}, {input=1, parameter=1}], output_map=[{output=0, result=0}], back_edges=[{result=0, parameter=1}]} "kept"
  %z = TensorIterator(%x, %s) {body=graph(%a: f32[2,1], %h: f32[2,1] "h") { %t = Add(%a, %h) return %t }, input_map=[{input=0, parameter=0, axis=1}, {input=1, parameter=1}], output_map=[{output=0, result=0}], back_edges=[{result=0, parameter=1}]} "other"
  return %y, %z
})"},
    {"MarkPrecisionSensitiveDivides", R"(graph(%x: f32[?,2]) {
  %s = ShapeOf.v3(%x) {output_type=i64}
  %f = Convert(%s) {destination_type=f32}
  %d = Divide(%f, [1, 2]:f32) "kept"
  %e = Divide(%d, [1, 2]:f32) "other"
  %t = Convert(%e) {destination_type=i64}
  %y = Broadcast.v3(0.5:f32, %t)
  return %y
})"},
    {"MarkPrecisionSensitiveSubgraphs", R"(graph(%x: f32[?,2]) {
  %a = Const {value=[1, 2]:f32} "kept"
  %b = Const {value=[1, 2]:f32} "other"
  %s = ShapeOf.v3(%x) {output_type=i64}
  %f = Convert(%s) {destination_type=f32}
  %d = Divide(%f, %a)
  %e = Divide(%d, %b)
  %t = Convert(%e) {destination_type=i64}
  %y = Broadcast.v3(0.5:f32, %t)
  return %y
})"},
    {"RemoveMultiSubGraphOpDanglingParams", R"(graph(%c: boolean[], %x: f32[2], %z: f32[3]) {
  %y = If(%c, %x, %z) {then_body=graph(%a: f32[2], %b: f32[3]) { %r = ReLU(%a) return %r }, else_body=graph(%a: f32[2], %b: f32[3]) { %e = Exp(%a) return %e }, then_input_map=[{input=1, parameter=0}, {input=2, parameter=1}], then_output_map=[{output=0, result=0}], else_input_map=[{input=1, parameter=0}, {input=2, parameter=1}], else_output_map=[{output=0, result=0}]} "kept"
  %w = If(%c, %x, %z) {then_body=graph(%a: f32[2], %b: f32[3]) { %r = ReLU(%a) return %r }, else_body=graph(%a: f32[2], %b: f32[3]) { %e = Exp(%a) return %e }, then_input_map=[{input=1, parameter=0}, {input=2, parameter=1}], then_output_map=[{output=0, result=0}], else_input_map=[{input=1, parameter=0}, {input=2, parameter=1}], else_output_map=[{output=0, result=0}]} "other"
  return %y, %w
})"},
    {"ReverseInputChannelsFusion", R"(graph(%x: f32[1,3,4,4]) {
  %g = Gather(%x, [2, 1, 0]:i64, 1:i64) "kept"
  %y = Convolution(%g, random(1):f32[2,3,1,1]) {strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0], pads_end=[0, 0]}
  %h = Gather(%x, [2, 1, 0]:i64, 1:i64) "other"
  %z = Convolution(%h, random(2):f32[2,3,1,1]) {strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0], pads_end=[0, 0]}
  return %y, %z
})"},
    {"SharedShapeOf", R"(graph(%x: f32[?]) {
  %a = ShapeOf(%x) "first"
  %b = ShapeOf(%x) "kept"
  %c = ShapeOf(%x) "other"
  %d = Add(%a, %b)
  %y = Add(%d, %c)
  return %y
})"},
    {"SharedSqueeze", R"(graph(%x: f32[?,1]) {
  %a = Squeeze.v0(%x, [1]:i64) "first"
  %b = Squeeze.v0(%x, [1]:i64) "kept"
  %c = Squeeze.v0(%x, [1]:i64) "other"
  %d = Add(%a, %b)
  %y = Add(%d, %c)
  return %y
})"},
    {"SharedStridedSliceEraser", R"(graph(%x: f32[?]) {
  %a = StridedSlice(%x, [1]:i64, [3]:i64, [1]:i64) {begin_mask=[0], end_mask=[0]} "first"
  %b = StridedSlice(%x, [1]:i64, [3]:i64, [1]:i64) {begin_mask=[0], end_mask=[0]} "kept"
  %c = StridedSlice(%x, [1]:i64, [3]:i64, [1]:i64) {begin_mask=[0], end_mask=[0]} "other"
  %d = Add(%a, %b)
  %y = Add(%d, %c)
  return %y
})"},
    {"InitNodeInfo", R"(graph(%x: f32[2]) {
  %a = Exp(%x) "kept"
  %y = Exp(%a) "other"
  return %y
})"},
};

std::unique_ptr<Graph> parse(const std::string& text) {
  auto graph = parse_graph(text, test::builtins().ops(), {.infer = true});
  EXPECT_TRUE(graph) << (graph ? "" : graph.error().first().format());
  return graph ? *std::move(graph) : std::make_unique<Graph>();
}

void run(Graph& graph, const char* pass, std::function<bool(const Node&)> keeps = {}) {
  DiagnosticList diagnostics;
  const Settings settings;
  LibraryRun run(catalogue(), diagnostics, settings);
  if (keeps) run.config.set_callback(pass, std::move(keeps));
  const auto done = run.run(pass, graph);
  EXPECT_TRUE(done) << pass << ": " << (done ? "" : done.error().first().format());
}

/// All that a pass could change at the node of that name.
std::string look_of(const Graph& graph, std::string_view name) {
  const Node node = graph.find_node(name);
  if (!node) return "gone";
  std::string text = fmt::format("{} -> {}", node.type(), node.output_type().to_string());
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    text += fmt::format(", {} of {}", node.input(i).node().type(), node.input_type(i).to_string());
  if (const AttributeMap* const info = node.rt_info())
    for (const AttributeMap::Item& item : *info) text += fmt::format(", rt {}", item.name);
  for (const std::string_view source : node.sources()) text += fmt::format(", made of {}", source);
  for (const Graph* const body : node.bodies()) text += "\n" + to_text(*body);
  // Symbols of unknown dimensions are numbered anew by each inference.
  RE2::GlobalReplace(&text, "#[0-9]+", "");
  return text;
}

TEST(LibraryCallbacks, KeepSingleNodesOfFunctions) {
  for (const auto& [pass, text] : kCases) {
    SCOPED_TRACE(pass);
    const auto before = parse(text);
    const auto changed = parse(text);
    run(*changed, pass);
    const auto kept = parse(text);
    run(*kept, pass, [](const Node& node) { return node.name() == "kept"; });
    EXPECT_NE(look_of(*changed, "kept"), look_of(*before, "kept")) << "without a callback";
    EXPECT_EQ(look_of(*kept, "kept"), look_of(*before, "kept"));
    EXPECT_EQ(look_of(*kept, "other"), look_of(*changed, "other")) << "the callback does not name it";
    EXPECT_NE(look_of(*kept, "other"), look_of(*before, "other"));
  }
}

TEST(LibraryCallbacks, FunctionsQueryCallbacksOrDeclareWhyNot) {
  for (const Pass* const pass : catalogue().passes()) {
    const bool is_function = !pass->rules && pass->steps.empty();
    const bool is_tested =
        std::any_of(std::begin(kCases), std::end(kCases), [&](const FunctionCase& c) { return c.pass == pass->name; });
    EXPECT_EQ(pass->asks_nodes, is_tested) << pass->name;
    EXPECT_EQ(is_function, pass->asks_nodes != !pass->whole_graph.empty()) << pass->name;
  }
}

TEST(LibraryCallbacks, ValuesComputedFromAKeptNodeAreNotFoldedEither) {
  const auto graph =
      parse("graph(%x: f32[2]) { %a = Exp([1, 2]:f32) \"kept\" %b = Exp(%a) \"behind\" %y = Add(%x, %b) return %y }");
  run(*graph, "ConstantFolding", [](const Node& node) { return node.name() == "kept"; });
  EXPECT_TRUE(graph->find_node("behind").is("Exp"));
}

TEST(LibraryCallbacks, KeptNodesAreExplained) {
  const auto graph = parse("graph(%x: f32[2]) { %a = Exp([1, 2]:f32) \"kept\" %y = Add(%x, %a) return %y }");
  DiagnosticList diagnostics;
  const Settings settings;
  LibraryRun run(catalogue(), diagnostics, settings);
  run.config.set_callback("", [](const Node&) { return true; });
  run.config.explain({"ConstantFolding"});
  std::vector<std::string> told;
  run.on_verdict = [&](const RuleVerdict& verdict) { told.push_back(to_string(verdict)); };
  ASSERT_TRUE(run.run("ConstantFolding", *graph));
  EXPECT_EQ(told, std::vector<std::string>{
                      "ConstantFolding at 'kept' (Exp): declined: the configuration leaves this node alone"});
}

}  // namespace
}  // namespace mo::transformations::callbacks
