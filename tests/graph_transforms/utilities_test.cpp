#include "graph_transforms/engine/utilities.hpp"

#include "graph_transforms/engine/extension.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/graph_transforms/transformed.hpp"

// What authors of transforms have besides patterns, as the original's guide describes it.
namespace mo::graph_transforms::testing {
namespace {

const std::string kTwoInputs =
    node("a", "Const") + node("b", "Const") + node("c", "Const") + node("add", "Add", "a b ^c");

/// The graph after renaming of inputs; or the code of the error.
std::string renamed(const std::string& text, const InputRenames& renames,
                    const std::set<std::string, std::less<>>& ignored = {}) {
  Transformed read = transformed(text, "");
  const TransformFuncContext context;
  GraphEditor editor(*read.graph, context);
  const auto done = rename_node_inputs(editor, renames, ignored);
  return done ? read.nodes_of("Add|Relu") : done.error().first().code;
}

TEST(RenameNodeInputs, NamesAreFollowedToTheirEnd) {
  EXPECT_EQ(renamed(kTwoInputs, {{"a", "b"}}), "add = Add(b, b, ^c)\n");
  EXPECT_EQ(renamed(kTwoInputs + node("d", "Const"), {{"a", "f"}, {"f", "e"}, {"e", "d:0"}}), "add = Add(d, b, ^c)\n");
  EXPECT_EQ(renamed(kTwoInputs, {{"^c", "^b"}}), "add = Add(a, b, ^b)\n");
  EXPECT_EQ(renamed(kTwoInputs, {{"c", "b"}}), "add = Add(a, b, ^c)\n");
}

TEST(RenameNodeInputs, AllOutputsOfANodeKeepTheirNumber) {
  EXPECT_EQ(renamed(node("q", "Split") + node("other", "Split") + node("add", "Add", "q:1 q:2 ^q"), {{"q:*", "other"}}),
            "add = Add(other:1, other:2, ^other)\n");
}

TEST(RenameNodeInputs, ExcludedNodesAreKept) {
  EXPECT_EQ(renamed(kTwoInputs + node("second", "Add", "a a ^c"), {{"a", "b"}, {"^c", "^a"}}, {"second"}),
            "add = Add(b, b, ^a)\nsecond = Add(a, a, ^c)\n");
}

TEST(RenameNodeInputs, MalformedInputsAreErrors) {
  EXPECT_EQ(renamed(kTwoInputs, {{"a", "b"}, {"b", "a"}}), "MO-GTT-0053");
  EXPECT_EQ(renamed(kTwoInputs, {{"a", "nobody"}}), "MO-GTT-0053");
  EXPECT_EQ(renamed(kTwoInputs, {{"a", "b:x"}}), "MO-GTT-0053");
  EXPECT_EQ(renamed(kTwoInputs, {{"a", "^b"}}), "MO-GTT-0053");
  EXPECT_EQ(renamed(kTwoInputs, {{"^c", "b"}}), "MO-GTT-0053");
  EXPECT_EQ(renamed(kTwoInputs, {{"^c", "^nobody"}}), "MO-GTT-0053");
}

TEST(MapNodesToOutputs, CountsEachReference) {
  const Transformed read = transformed(kTwoInputs + node("relu", "Relu", "a") + node("twice", "Add", "a a"), "");
  const auto readers = map_nodes_to_outputs(*read.graph);
  std::vector<std::string_view> names;
  for (const Node& reader : readers.at("a")) names.push_back(reader.name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"add", "relu", "twice", "twice"}));
  EXPECT_EQ(readers.at("c").size(), 1U);
  EXPECT_FALSE(readers.contains("relu"));
  EXPECT_EQ(map_names_to_nodes(*read.graph).at("relu"), read.find("relu"));
}

TEST(FilterGraph, OnlySelectedNodesStay) {
  Transformed read =
      transformed(kTwoInputs + node("n", "NoOp", "", attribute("x", "i: 1") + attribute("y", "i: 1")), "");
  filter_graph(*read.graph, [](const Node& node) { return op_of(node) != "Add"; });
  EXPECT_EQ(read.nodes(), "a = Const()\nb = Const()\nc = Const()\nn = NoOp()\n");
  remove_attributes(*read.graph, {"x"});
  EXPECT_FALSE(read.find("n").has_attr("x"));
  EXPECT_TRUE(read.find("n").has_attr("y"));
}

// -- passes as transforms ---------------------------------------------------------------------------------------------

struct Suffix {
  std::string text = "_x";
  static constexpr auto attributes = Attributes{attr("text", &Suffix::text)};
};

/// Calls the only pass of the registry as a transform.
Expected<void> called(const Registry& registry, Graph& graph, const TransformParameters& arguments) {
  TransformFuncContext context;
  context.params = arguments;
  return transform_of(registry.passes().passes().front())(graph, context);
}

TEST(Extension, ATransformOfAPluginGetsItsArguments) {
  Registry registry;
  register_transform(registry, "rename_all", [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    MO_ASSIGN(const std::string prefix, context.required_string("prefix"));
    for (const Node node : graph.nodes()) node.set_name(prefix + std::string(node.name()));
    return {};
  });
  EXPECT_FALSE(registry.passes().passes().front().enabled);
  Transformed read = transformed(node("a", "Const"), "");
  EXPECT_TRUE(called(registry, *read.graph, {{"prefix", {"p/"}}}));
  EXPECT_EQ(read.nodes(), "p/a = Const()\n");
  const auto failed = called(registry, *read.graph, {});
  EXPECT_EQ(failed ? "" : failed.error().first().code, "MO-GTT-0013");
}

TEST(Extension, AnyPassThatKeepsToTheFrameworkIsATransform) {
  Registry registry;
  registry.passes().add(
      graph_pass("AddSuffix").settings<Suffix>().run([](Graph& graph, PassContext& context) -> Expected<bool> {
        for (const Node node : graph.nodes())
          node.set_name(std::string(node.name()) + context.settings.get<Suffix>().text);
        return true;
      }));
  Transformed read = transformed(node("a", "Const"), "");
  EXPECT_TRUE(called(registry, *read.graph, {{"text", {"_y"}}, {"ignore_errors", {"true"}}}));
  EXPECT_EQ(read.nodes(), "a_y = Const()\n");
  EXPECT_FALSE(called(registry, *read.graph, {{"text", {"_y", "_z"}}}));
  EXPECT_FALSE(called(registry, *read.graph, {{"nobody", {"_y"}}}));
}

TEST(Extension, APassMustNotCreateOpsOfMo) {
  Registry registry;
  registry.passes().add(graph_pass("Converts").run([](Graph& graph, PassContext&) -> Expected<bool> {
    graph.find_node("b").set_op(ops::ReLU{});
    return true;
  }));
  Transformed read = transformed(node("a", "Const") + node("b", "Relu", "a"), "");
  const auto failed = called(registry, *read.graph, {});
  EXPECT_EQ(failed ? "" : failed.error().first().code, "MO-GTT-0052");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
