#include "phases/front/cutting.hpp"

#include "core/tensor/convert.hpp"
#include "phases/front/batch_size.hpp"
#include "tests/phases/support.hpp"

namespace mo::phases {
namespace {

using test::parse;
using test::run;

constexpr std::string_view kModel = R"(graph(%x: f32[1,3,?] "x" @["x"], %u: i64[2] "u") {
  %a = "onnx::A"(%x, [1, 2]:f32) "a" @["t:0"]
  %b, %c = "onnx::Two"(%a, %x) "two" @["b"] @["c"]
  %d = "onnx::D"(%b, %c, %u) "d" @["d"]
  return %d "d/sink_port_0"
})";

Place place(std::string name, std::optional<int> in = {}, std::optional<int> out = {}) {
  return {name, {{name, in, out}}};
}
InputCut cut(Place where) { return {std::move(where), {}, {}, {}, false}; }

TEST(OutputCut, ByTensorNodeAndPort) {
  for (const auto& [where, names] :
       {std::pair{place("c"), std::vector<std::string>{"c/sink_port_0"}},
        std::pair{place("two", {}, 0), std::vector<std::string>{"b/sink_port_0"}},
        std::pair{place("two"), std::vector<std::string>{"b/sink_port_0", "c/sink_port_0"}},
        std::pair{place("d", 0), std::vector<std::string>{"b/sink_port_0"}}}) {
    const auto graph = parse(kModel);
    const auto result = run(output_cut({where}), *graph);
    ASSERT_EQ(result.code, "") << result.text;
    std::vector<std::string> got;
    for (const Node& r : graph->results()) got.emplace_back(r.name());
    EXPECT_EQ(got, names);
    EXPECT_FALSE(graph->find_node("d")) << "what the outputs do not need is gone";
  }
}

TEST(OutputCut, TriesTheReadingsInOrder) {
  const auto graph = parse(kModel);
  const Place where{"t:0", {{"t:0", {}, {}}, {"t", {}, 0}}};
  ASSERT_EQ(run(output_cut({where}), *graph).code, "");
  EXPECT_EQ(graph->results().front().input(0).node().name(), "a");
}

TEST(OutputCut, ANameOfANodeAndOfAnotherNodesTensorIsReported) {
  const auto graph = parse(
      "graph(%x: f32[1] \"x\") {\n  %a = \"onnx::A\"(%x) \"y\" @[\"t\"]\n  %b = \"onnx::B\"(%a) \"b\" @[\"y\"]\n  "
      "return %b\n}");
  const auto result = run(output_cut({place("y")}), *graph);
  ASSERT_EQ(result.code, "") << result.text;
  EXPECT_EQ(graph->results().front().input(0).node().name(), "b") << "the model's output";
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].code, "MO-CUT-0006");
}

TEST(OutputCut, UnknownNamesAndPortsAreErrorsWithTheNearestName) {
  const auto graph = parse(kModel);
  const auto unknown = run(output_cut({place("twoo")}), *graph);
  EXPECT_EQ(unknown.code, "MO-CUT-0001");
  EXPECT_NE(unknown.text.find("did you mean 'two'?"), std::string::npos);
  const auto far_off = run(output_cut({place("probabilities")}), *graph);
  EXPECT_EQ(far_off.text.find("did you mean"), std::string::npos) << "no name is near\n" << far_off.text;
  EXPECT_NE(far_off.text.find("the model's output is: d"), std::string::npos) << far_off.text;
  const auto input = run(input_cut("InputCut", {cut(place("data_input"))}, {}), *graph);
  EXPECT_NE(input.text.find("the model's inputs are: x, u"), std::string::npos) << input.text;
  EXPECT_EQ(run(output_cut({place("two", 5)}), *graph).code, "MO-CUT-0002");
}

// As tf2onnx writes models: the output "s" is a tensor of the last node, and a node in between is called so.
constexpr std::string_view kTwoOfOneName = R"(graph(%x: f32[2] "x" @["x"]) {
  %a = "onnx::Sigmoid"(%x) "s" @["a"]
  %b = "onnx::Relu"(%a) "last" @["s"]
  %c = "onnx::Neg"(%b) "a" @["c"]
  return %b "s/sink_port_0"
})";

TEST(OutputCut, OutputsOfTheModelPrecedeNodesOfThatName) {
  const auto graph = parse(kTwoOfOneName);
  const auto result = run(output_cut({place("s")}), *graph);
  EXPECT_EQ(graph->results().front().input(0).node().name(), "last");
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics.front().code, "MO-CUT-0006");
  EXPECT_NE(result.diagnostics.front().format().find("for the node write s:0"), std::string::npos)
      << result.diagnostics.front().format();
}

TEST(OutputCut, TheOriginalDecidesBetweenANodeAndATensorInsideOfTheModel) {
  for (const auto& [names, found] : {std::pair{CutNames::onnx_2021, "a"}, std::pair{CutNames::onnx_2024, "s"}}) {
    const auto graph = parse(kTwoOfOneName);
    ASSERT_EQ(run(output_cut({place("a")}, names), *graph).code, "");
    EXPECT_EQ(graph->results().front().input(0).node().name(), found);
  }
}

TEST(OutputCut, TheFirstOutputOfANodeMayBeWrittenForATensor) {
  const auto graph = parse(kModel);
  ASSERT_EQ(run(output_cut({Place{"c:0", {{"c:0", {}, {}}, {"c", {}, 0}}}}), *graph).code, "");
  EXPECT_EQ(graph->results().front().input(0), graph->find_node("two").output(1));
}

TEST(OutputCut, NodesOfTheFrameworkHaveOutputsWithoutReaders) {
  const auto graph = parse("graph(%x: f32[2] \"x\") {\n  %y = \"tf::TopKV2\"(%x, 1:i32) \"y\"\n  return %y\n}");
  ASSERT_EQ(run(output_cut({place("y", {}, 1)}), *graph).code, "");
  EXPECT_EQ(graph->results().front().input(0).index(), 1U);
  EXPECT_EQ(run(output_cut({place("y", {}, 1 << 20)}), *graph).code, "MO-CUT-0002");
}

TEST(InputCut, AtATensorGivesAParameterWithItsName) {
  const auto graph = parse(kModel);
  InputCut where = cut(place("b"));
  where.shape = PartialShape({1, 2});
  where.element_type = ElementType::f16;
  ASSERT_EQ(run(input_cut("InputCut", {where, cut(place("c"))}, {}), *graph).code, "");
  const Node made = graph->find_node("two/placeholder_out_port_0");
  ASSERT_TRUE(made);
  EXPECT_EQ(made.output().type().to_string(), "f16[1,2]");
  EXPECT_EQ(made.output().data().tensor_names(), std::vector<std::string_view>{"b"});
  EXPECT_FALSE(graph->find_node("two"));
  EXPECT_FALSE(graph->find_node("x")) << "an input that nobody reads any more is none";
  EXPECT_EQ(graph->parameters().size(), 3U);
}

TEST(InputCut, AtAnInputPortAndAtTheOnlyDataPort) {
  const auto graph = parse(kModel);
  ASSERT_EQ(run(input_cut("InputCut", {cut(place("two", 0))}, {}), *graph).code, "");
  ASSERT_TRUE(graph->find_node("two/placeholder_port_0"));
  EXPECT_EQ(graph->find_node("two/placeholder_port_0").output().data().first_tensor_name(), "0:two");
  EXPECT_TRUE(graph->find_node("x")) << "the second port still reads it";
  const auto other = parse(kModel);
  ASSERT_EQ(run(input_cut("InputCut", {cut(place("a"))}, {}), *other).code, "") << "the other input of a is a constant";
  EXPECT_TRUE(other->find_node("a/placeholder_port_0"));
  EXPECT_EQ(run(input_cut("InputCut", {cut(place("d"))}, {}), *other).code, "MO-CUT-0003");
}

TEST(InputCut, InputsHaveTheOrderInWhichTheyAreNamed) {
  const auto graph = parse("graph(%x: f32[2] \"x\", %y: f32[2] \"y\", %z: f32[2] \"z\") { return %x, %y, %z }");
  ASSERT_EQ(run(input_cut("InputCut", {cut(place("z")), cut(place("x")), cut(place("z", {}, 0))}, {}), *graph).code,
            "");
  std::vector<std::string_view> names;
  for (const Node& parameter : graph->parameters()) names.push_back(parameter.name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"z", "x", "y"})) << "y is still read";
}

TEST(InputCut, ShapesTypesAndTheirErrors) {
  const auto graph = parse(kModel);
  ASSERT_EQ(run(input_cut("InputCut", {}, {PartialShape({2, 3, 4}), PartialShape({5})}), *graph).code, "");
  EXPECT_EQ(graph->find_node("x").output().type().to_string(), "f32[2,3,4]");
  EXPECT_EQ(run(input_cut("InputCut", {}, {PartialShape({2})}), *graph).code, "MO-CUT-0004");
  EXPECT_EQ(run(input_cut("InputCut", {cut(place("x"))}, {PartialShape({2}), PartialShape({2})}), *graph).code,
            "MO-CUT-0004");
}

TEST(BatchSize, IsDimensionNOfALayoutOrTheFirstOne) {
  const auto after = [](std::vector<LayoutRequest> layouts) {
    const auto graph = parse(kModel);
    EXPECT_EQ(run(batch_size(7, std::move(layouts)), *graph).code, "");
    return graph->find_node("x").output().type().to_string() + " " + graph->find_node("u").output().type().to_string();
  };
  const auto of_x = [](std::vector<std::string> names) {
    return std::vector<LayoutRequest>{{"x", Layout(std::move(names)), {}}};
  };
  EXPECT_EQ(after({}), "f32[7,3,?] i64[7]");
  EXPECT_EQ(after(of_x({"C", "N", "H"})), "f32[1,7,?] i64[7]") << "the other input has no layout";
  EXPECT_EQ(after(of_x({"", "C", "H"})), "f32[7,3,?] i64[7]") << "a dimension in front without a name may be the batch";
  EXPECT_EQ(after(of_x({"C", "H", "W"})), "f32[1,3,?] i64[7]") << "this input has no batch";
  EXPECT_EQ(run(batch_size(7, {{"nobody", Layout({"N"}), {}}}), *parse(kModel)).code, "MO-PRE-0001");
}

TEST(InputCut, FrozenValuesBecomeConstants) {
  const auto frozen = [](const std::string& name, std::vector<std::string> items, bool list) {
    InputCut c = cut(place(name));
    c.value = std::move(items);
    c.value_is_list = list;
    return c;
  };
  const auto graph = parse(kModel);
  ASSERT_EQ(run(input_cut("FreezeInputs", {frozen("u", {"3"}, false)}, {}), *graph).code, "");
  const Node u = graph->find_node("u");
  ASSERT_TRUE(u.is<Const>());
  EXPECT_EQ(*to_integers(u.as<Const>()->value), (std::vector<std::int64_t>{3, 3})) << "one number fills the shape";
  const auto list = parse(kModel);
  ASSERT_EQ(run(input_cut("FreezeInputs", {frozen("u", {"3", "-4"}, true)}, {}), *list).code, "");
  EXPECT_EQ(*to_integers(list->find_node("u").as<Const>()->value), (std::vector<std::int64_t>{3, -4}));
  EXPECT_EQ(run(input_cut("FreezeInputs", {frozen("u", {"3", "4", "5"}, true)}, {}), *parse(kModel)).code,
            "MO-CUT-0005");
  const auto open = parse(kModel);
  ASSERT_EQ(run(input_cut("FreezeInputs", {frozen("x", {"1", "2", "3", "4", "5", "6"}, true)}, {}), *open).code, "");
  EXPECT_EQ(open->find_node("x").as<Const>()->value.shape(), (Shape{1, 3, 2}))
      << "the list tells the size that is not known";
  EXPECT_EQ(run(input_cut("FreezeInputs", {frozen("x", {"1", "2", "3", "4"}, true)}, {}), *parse(kModel)).code,
            "MO-CUT-0005");
  EXPECT_EQ(run(input_cut("FreezeInputs", {frozen("u", {"three"}, false)}, {}), *parse(kModel)).code, "MO-CUT-0005");
}

}  // namespace
}  // namespace mo::phases
