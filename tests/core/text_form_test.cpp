#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/tensor/convert.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "tests/support/builtins.hpp"

namespace mo {
namespace {

std::string round_trip(const std::string& text) {
  const auto graph = parse_graph(text, test::builtins().ops());
  return graph ? to_text(**graph) : graph.error().first().format();
}

TEST(TextForm, IntegersBeyondI64ReadBackAsTheyAre) {
  const auto graph =
      parse_graph("graph() { %a = Const {value=[9223372036854775809, 18446744073709551615, 1]:u64} return %a }",
                  test::builtins().ops());
  ASSERT_TRUE(graph);
  const auto values = (*graph)->results()[0].input(0).data().value()->values<std::uint64_t>();
  EXPECT_EQ(std::vector<std::uint64_t>(values.begin(), values.end()),
            (std::vector<std::uint64_t>{9223372036854775809U, 18446744073709551615U, 1U}));
  const std::string text = to_text(**graph);
  EXPECT_NE(text.find("[9223372036854775809, 18446744073709551615, 1]:u64"), std::string::npos) << text;
  EXPECT_EQ(round_trip(text), text);
}

TEST(TextForm, OpenIntervalsHaveSymbols) {
  const std::string text = round_trip("graph(%x: f32[?#1,64..#9]) { %y = ReLU(%x) return %y }");
  EXPECT_NE(text.find("(%0: f32[?#1,64..#9])"), std::string::npos) << text;
}

/// A graph of which everything counts: an operator of a framework, types, values that text would round, notes, an order
/// of nodes and readers that is not that of the text.
std::unique_ptr<Graph> graph_with_all_facts() {
  auto graph = std::make_unique<Graph>();
  graph->name = "g";
  graph->properties.set("producer", std::string("test"));
  const Node late = graph->create_node(Op("onnx::Foo", AttributeMap{}), {Value(), Value()}, 2, "foo");
  const Node x = graph->create_parameter({ElementType::f32, PartialShape{Dimension(2, 4, 1), Dimension(3)}}, "x");
  const Node c = graph->create_constant(
      Tensor::of<float>({3}, std::vector<float>{-0.0F, 0.1F, std::numeric_limits<float>::quiet_NaN()}), "c");
  const Node text = graph->create_constant(from_strings({2, 1}, {"a\"b", ""}), "t");
  EXPECT_TRUE(late.in_port(0).connect(x.output()));
  EXPECT_TRUE(late.in_port(1).connect(c.output()));
  const Node foo =
      graph->create_node(Op("onnx::Bar", AttributeMap{}), {x.output(), text.output(), c.output()}, 1, "bar");
  EXPECT_TRUE(foo.set_attr("a b", AttributeValue(std::int64_t{1})));
  // The first reader of x becomes its last one.
  late.in_port(0).disconnect();
  EXPECT_TRUE(late.in_port(0).connect(x.output()));
  late.set_origin({.framework = "ONNX", .op = "Foo", .version = 13, .derived = true, .public_name = "p"});
  late.add_source("made of");
  late.set_rt_info("@note", AttributeMap{});
  late.out_port(1).data().set_type({ElementType::i64, PartialShape::unknown_rank()});
  foo.add_control_input(late);
  graph->create_result(late.out_port(1), "r");
  graph->create_result(foo.output(), "s");
  return graph;
}

TEST(TextForm, ACompleteTextHoldsAllFacts) {
  const auto graph = graph_with_all_facts();
  const std::string text = to_text(*graph, {.complete = true});
  const auto again = parse_graph(text, test::builtins().ops());
  ASSERT_TRUE(again) << again.error().first().format() << text;
  EXPECT_EQ(to_text(**again, {.complete = true}), text);
  std::vector<std::string> names;
  for (const Node node : (*again)->nodes()) names.emplace_back(node.name());
  EXPECT_EQ(names, (std::vector<std::string>{"foo", "x", "c", "t", "bar", "r", "s"}));
  const Node x = (*again)->parameters()[0];
  EXPECT_EQ(x.output().get_destinations()[1].node().name(), "foo");
  const Node foo = (*again)->find_node("foo");
  EXPECT_EQ(foo.origin(), graph->find_node("foo").origin());
  EXPECT_EQ(foo.sources(), std::vector<std::string_view>{"made of"});
  ASSERT_NE(foo.rt_info(), nullptr);
  EXPECT_TRUE(foo.rt_info()->contains("@note"));
  EXPECT_EQ((*again)->find_node("bar").control_inputs(), std::vector<Node>{foo});
  EXPECT_FALSE((*again)->has_types());
  const Tensor& value = (*again)->find_node("c").as<Const>()->value;
  EXPECT_TRUE(std::ranges::equal(value.bytes(), graph->find_node("c").as<Const>()->value.bytes()));
}

TEST(TextForm, PlacesOfACompleteTextAreChecked) {
  const auto said = [](const std::string& places) {
    const auto graph =
        parse_graph("graph state {}(%0: f32[2] \"x\") {\n  %1 = \"a\"(%0) : f32[2]\n  return %1\n  " + places + "\n}",
                    test::builtins().ops());
    return graph ? std::string() : graph.error().first().message;
  };
  EXPECT_EQ(said("made [1, 0, 2]"), "");
  EXPECT_NE(said("made [1, 1, 2]").find("place 0 is not made once"), std::string::npos);
  EXPECT_NE(said("made [1, 0]").find("2 nodes are made, but there are 3"), std::string::npos);
  EXPECT_NE(said("made [1, 0, 3]").find("place 2 is not made once"), std::string::npos);
  EXPECT_NE(said("waits [1]").find("no pairs"), std::string::npos);
  EXPECT_NE(said("waits [1, 7]").find("no pairs"), std::string::npos);
  EXPECT_EQ(said("readers [0, 0, 1, 1, 0]"), "");
  for (const char* const wrong : {"readers [0, 0, 1, 2, 0]", "readers [0, 0, 9, 1, 0]", "readers [0, 1, 1, 1, 0]",
                                  "readers [0]", "readers [0, 0, 1, 1]", "readers [9, 0, 1, 1, 0]"})
    EXPECT_NE(said(wrong).find("does not fit the graph"), std::string::npos) << wrong;
  EXPECT_NE(said("made [x]").find("the place of a node is expected"), std::string::npos);
}

TEST(TextForm, BytesOfConstantsAreChecked) {
  const auto said = [](const std::string& value) {
    const auto graph = parse_graph("graph() { %a = Const {value=" + value + "} return %a }", test::builtins().ops());
    return graph ? std::string() : graph.error().first().message;
  };
  EXPECT_EQ(said("hex(\"0000803f\"):f32[1]"), "");
  EXPECT_NE(said("hex(\"0000803\"):f32[1]").find("8 digits are expected, not 7"), std::string::npos);
  EXPECT_NE(said("hex(\"0000x03f\"):f32[1]").find("byte 2 is not hexadecimal"), std::string::npos);
  EXPECT_NE(said("hex(\"00\"):f32[9000000000000000000, 9]").find("0 digits are expected, not 2"), std::string::npos);
  EXPECT_NE(said("hex(\"00\"):f32[?]").find("a constant needs a static shape"), std::string::npos);
  EXPECT_NE(said("strings[\"a\"]:string[2]").find("the strings do not fit their type"), std::string::npos);
}

TEST(TextForm, ElementTypesThatAreKnownByNameOnlyReadBack) {
  const std::string text =
      "graph(%0: type(\"f3e1m1\")[?,4]) {\n"
      "  %1 = Convert.v0(hex(\"0102ff\"):type(\"f3e1m1\")[7]) {destination_type=type(\"u5x3\")}\n"
      "  %2 = \"Sofa\"(%0) {types=[type(\"u5x3\"), f32]} : type(\"Mixed8\")[...]\n"
      "  return %1, %2\n"
      "}\n";
  const auto graph = parse_graph(text, test::builtins().ops());
  ASSERT_TRUE(graph) << graph.error().first().format();
  EXPECT_EQ(to_text(**graph), text);
  const auto complete = to_text(**graph, {.complete = true});
  const auto again = parse_graph(complete, test::builtins().ops());
  ASSERT_TRUE(again) << again.error().first().format() << complete;
  EXPECT_EQ(to_text(**again, {.complete = true}), complete);
  for (const char* const wrong : {"f3e1m1[1]", "type(f3e1m1)[1]", "type(\"3f\")[1]", "type(\"\")[1]", "type(\"f3\"[1]"})
    EXPECT_FALSE(parse_graph("graph(%0: " + std::string(wrong) + ") {\n  return %0\n}", test::builtins().ops()))
        << wrong;
}

TEST(TextForm, StringsKeepQuotesBackslashesAndControlCharacters) {
  const std::string name = "a \"quoted\" \\ back\nline\ttab";
  const auto graph = parse_graph("graph(%x: f32[2]) { %y = ReLU(%x) return %y }", test::builtins().ops());
  ASSERT_TRUE(graph);
  (*graph)->results()[0].input(0).node().set_name(name);
  const std::string text = to_text(**graph);
  EXPECT_NE(text.find(R"(a \"quoted\" \\ back)"), std::string::npos) << text;
  const auto again = parse_graph(text, test::builtins().ops());
  ASSERT_TRUE(again) << text;
  EXPECT_EQ((*again)->results()[0].input(0).node().name(), name);
}

TEST(TextForm, AnOpWithoutOutputsAfterANodeWithoutNameIsNotItsName) {
  const std::string text =
      "graph(%0: f32[2]) {\n  %1 = \"tf::Table\"(%0)\n  \"tf::Init\"(%1) \"init\"\n  return %0\n}\n";
  EXPECT_EQ(round_trip(text), text);
}

}  // namespace
}  // namespace mo
