#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/sorting.hpp"
#include "tests/graph_transforms/transformed.hpp"

namespace mo::graph_transforms::testing {
namespace {

std::string order_of(const std::string& text) {
  const Transformed read = transformed(text, "");
  const auto order = sorted_by_execution_order(*read.graph);
  if (!order) return order.error().first().code;
  std::vector<std::string_view> names;
  for (const Node& node : *order) names.push_back(node.name());
  return fmt::format("{}", fmt::join(names, " "));
}

TEST(SortByExecutionOrder, AmongReadyNodesTheLastComesFirst) {
  EXPECT_EQ(order_of(node("add_node", "Add", "a_node b_node") + node("b_node", "Const") + node("a_node", "Const")),
            "a_node b_node add_node");
  EXPECT_EQ(order_of(node("negative", "Neg", "sqrt") + node("relu", "Relu", "const") + node("sqrt", "Sqrt", "relu") +
                     node("const", "Const")),
            "const relu sqrt negative");
  const auto consts = [](int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += node(fmt::format("c{}", i), "Const");
    return text;
  };
  EXPECT_EQ(order_of(node("add1", "Add", "add2 add3") + node("add2", "Add", "c1 c2") + node("add3", "Add", "c3 c4") +
                     consts(4)),
            "c4 c3 add3 c2 c1 add2 add1");
  EXPECT_EQ(order_of(node("add1", "Add", "add2 add3") + node("add2", "Add", "c1 c2") + node("add3", "Add", "c1 c3") +
                     consts(3)),
            "c3 c2 c1 add3 add2 add1");
}

TEST(SortByExecutionOrder, LoopsAreSortedAndOtherCyclesAreErrors) {
  EXPECT_EQ(order_of(node("next", "NextIteration", "merge") + node("merge", "Merge", "enter next") +
                     node("enter", "Enter", "x") + node("x", "Placeholder")),
            "x enter merge next");
  EXPECT_EQ(order_of(node("a", "Relu", "b") + node("b", "Relu", "a")), "MO-GTT-0020");
}

/// add = Add(a, b), output = Mul(add, placeholder).
const std::string kSmall = node("a", "Const") + node("b", "Const") + node("add", "Add", "a b") +
                           node("placeholder", "Placeholder") + node("output", "Mul", "add placeholder");

std::string matches_of(const OpTypePattern& pattern, const std::string& text = kSmall) {
  const Transformed read = transformed(text, "");
  std::vector<std::string> shown;
  for (const NodeMatch& match : find_matches(*read.graph, pattern)) {
    std::vector<std::string_view> inputs;
    for (const NodeMatch& input : match.inputs) inputs.push_back(input.node.name());
    shown.push_back(fmt::format("{}({})", match.node.name(), fmt::join(inputs, ",")));
  }
  return fmt::format("{}", fmt::join(shown, " "));
}

TEST(FindMatches, FindsPatternsOfOps) {
  EXPECT_EQ(matches_of({"Const", {}}), "b() a()");
  EXPECT_EQ(matches_of({"Add", {}}), "add()");
  EXPECT_EQ(matches_of({"Add", {{"Const", {}}, {"Const", {}}}}), "add(a,b)");
  EXPECT_EQ(matches_of({"NoSuch", {}}), "");
  EXPECT_EQ(matches_of({"Mul", {{"Add", {{"Const", {}}, {"Const", {}}}}, {"Placeholder", {}}}}),
            "output(add,placeholder)");
  EXPECT_EQ(matches_of({"Add|Mul", {}}), "add() output()");
  EXPECT_EQ(matches_of({"Mul", {{"Const", {}}, {"*", {}}}}), "");
}

TEST(FindMatches, NoNodeIsInTwoMatches) { EXPECT_EQ(matches_of({"*", {{"*", {}}, {"*", {}}}}), "add(a,b)"); }

TEST(FindMatches, ANodeMayStandForSeveralInputs) {
  EXPECT_EQ(matches_of({"Add", {{"Const", {}}, {"Const", {}}}}, node("a", "Const") + node("add", "Add", "a a")),
            "add(a,a)");
}

TEST(FindMatches, ControlInputsDoNotCount) {
  EXPECT_EQ(matches_of({"Relu", {{"Const", {}}}}, node("a", "Const") + node("b", "Const") + node("y", "Relu", "a ^b")),
            "y(a)");
}

TEST(FindMatches, NodesOfAMatchAreListedBreadthFirst) {
  const Transformed read = transformed(node("fourth", "Const") + node("second", "Relu", "fourth") +
                                           node("third", "Relu", "fourth") + node("first", "Add", "second third"),
                                       "");
  const auto matches = find_matches(*read.graph, {"Add", {{"Relu", {{"Const", {}}}}, {"Relu", {{"Const", {}}}}}});
  ASSERT_EQ(matches.size(), 1U);
  std::string names;
  for (const Node& node : matched_nodes(matches.front())) names += std::string(node.name()) + " ";
  EXPECT_EQ(names, "first second third fourth ");
}

TEST(ReplaceMatchingOpTypes, EveryNodeCanBePutAfterAnother) {
  Transformed read = transformed(kSmall, "");
  const TransformFuncContext context;
  GraphEditor editor(*read.graph, context);
  const auto changed =
      replace_matching_op_types(editor, {"*", {}}, [](const NodeMatch& match, GraphEditor& edit) -> Expected<bool> {
        const std::string name(match.node.name());
        const Node identity = edit.create("Identity", name + "_after", {});
        edit.redirect(match.node.output(), identity.output());
        edit.set_input(identity, 0, match.node.output());
        edit.rename(match.node, name + "_before_identity");
        edit.rename(identity, name);
        return true;
      });
  ASSERT_TRUE(changed);
  EXPECT_EQ(*changed, 5U);
  EXPECT_EQ(read.graph->node_count(), 10U);
  EXPECT_EQ(read.nodes_of("Add|Mul"),
            "add_before_identity = Add(a, b)\noutput_before_identity = Mul(add, placeholder)\n");
  EXPECT_EQ(read.nodes_of("Const"), "a_before_identity = Const()\nb_before_identity = Const()\n");
}

std::size_t fused(const std::string& text, const Ends& ends = {}) {
  Transformed read = transformed(text, "");
  const TransformFuncContext context{ends.inputs, ends.outputs, {}, nullptr, nullptr};
  GraphEditor editor(*read.graph, context);
  return *replace_matching_op_types(editor, {"Mul", {{"Add", {{"*", {}}, {"*", {}}}}, {"*", {}}}},
                                    [](const NodeMatch& match, GraphEditor& edit) -> Expected<bool> {
                                      edit.set_op(match.node, "AddMul");
                                      return true;
                                    });
}

TEST(ReplaceMatchingOpTypes, NodesWithOtherReadersAreNotRemoved) {
  EXPECT_EQ(fused(kSmall), 1U);
  EXPECT_EQ(fused(kSmall + node("other", "Relu", "add")), 0U);
  EXPECT_EQ(fused(kSmall + node("other", "NoOp", "^add")), 0U);
  EXPECT_EQ(fused(kSmall, {{}, {"add:0"}}), 0U);
  EXPECT_EQ(fused(kSmall + node("other", "Relu", "a")), 1U);
}

TEST(GraphEditor, AReplacementTakesNameReadersAndOrder) {
  Transformed read = transformed(node("before", "NoOp") + node("x", "Relu", "c ^before") + node("c", "Const") +
                                     node("y", "Neg", "x") + node("z", "NoOp", "^x"),
                                 "");
  const TransformFuncContext context;
  GraphEditor editor(*read.graph, context);
  editor.replace(editor.find("x"), editor.create("Elu", "new", {editor.find("c").output()}));
  EXPECT_EQ(read.nodes(), "before = NoOp()\nc = Const()\ny = Neg(x)\nz = NoOp(^x)\nx = Elu(c, ^before)\n");
  EXPECT_EQ(editor.find("x").name(), "x");
  EXPECT_EQ(editor.free_name("x"), "x_1");
}

TEST(GraphEditor, AConstantThatOthersReadIsNotChanged) {
  Transformed read = transformed(constant("c", {}, {1}) + node("x", "Relu", "c") + node("y", "Neg", "c"), "");
  const TransformFuncContext context;
  GraphEditor editor(*read.graph, context);
  editor.set_constant(editor.find("x"), 0, Tensor::scalar(2.0F));
  EXPECT_EQ(read.nodes(), "c = Const()\nx = Relu(c_1)\ny = Neg(c)\nc_1 = Const()\n");
  editor.set_constant(editor.find("x"), 0, Tensor::scalar(3.0F));
  EXPECT_EQ(read.floats("c_1"), std::vector<float>{3.0F});
  EXPECT_EQ(editor.floats_of(editor.find("x")).error().first().code, "MO-GTT-0021");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
