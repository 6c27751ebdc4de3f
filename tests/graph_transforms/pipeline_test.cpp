#include "graph_transforms/engine/pipeline.hpp"

#include "tests/graph_transforms/transformed.hpp"
#include "tools/transform/verification.hpp"

namespace mo::graph_transforms::testing {
namespace {

const std::string kChain = node("x", "Placeholder") + node("y", "Identity", "x") + node("z", "Relu", "y");

TEST(Pipeline, AnUnknownTransformIsAnErrorThatNamesTheNearest) {
  const Transformed result = transformed(kChain, "rename_opp");
  EXPECT_EQ(result.error_code, "MO-GTT-0001");
  EXPECT_EQ(result.error_text, "Transform 'rename_opp' not recognized");
}

TEST(Pipeline, TransformsAreAppliedInTheirOrder) {
  EXPECT_EQ(transformed(kChain,
                        "rename_op(old_op_name=Relu, new_op_name=Relu6) rename_op(old_op_name=Relu6, new_op_name=Elu)")
                .nodes(),
            "x = Placeholder()\ny = Identity(x)\nz = Elu(y)\n");
}

TEST(Pipeline, IgnoredErrorsLeaveTheGraphAsItWas) {
  const std::string failing = "remove_nodes(op=Identity, max_inputs=x";
  EXPECT_EQ(transformed(kChain, failing + ")").error_code, "MO-GTT-0011");
  EXPECT_EQ(transformed(kChain, failing + ", ignore_errors=false)").error_code, "MO-GTT-0011");
  const Transformed ignored =
      transformed(kChain, failing + ", ignore_errors=TRUE) rename_op(old_op_name=Relu, new_op_name=Elu)");
  EXPECT_EQ(ignored.nodes(), "x = Placeholder()\ny = Identity(x)\nz = Elu(y)\n");
  EXPECT_EQ(ignored.warnings, std::vector<std::string>{"MO-GTT-0006"});
  EXPECT_EQ(transformed(kChain, failing + ", ignore_errors=foo)").error_code, "MO-GTT-0004");
  EXPECT_EQ(transformed(kChain, failing + ", ignore_errors=1)").error_code, "MO-GTT-0004");
}

TEST(Pipeline, ArgumentsWithoutEffectAreReported) {
  using Codes = std::vector<std::string>;
  EXPECT_EQ(transformed(kChain, "round_weights(num_step=3)").warnings, Codes{"MO-GTT-0064"});
  EXPECT_EQ(transformed(kChain, "round_weights(num_steps=3)").warnings, Codes());
  EXPECT_EQ(transformed(kChain, "remove_device(device=x)").warnings, Codes{"MO-GTT-0064"});
  EXPECT_EQ(transformed(kChain, "remove_nodes(op=Identity, ignore_errors=true)").warnings, Codes());
}

TEST(Pipeline, NamesWithoutCounterpartAreReported) {
  using Codes = std::vector<std::string>;
  for (const char* transform :
       {"remove_nodes(op=Identiti)", "rename_op(old_op_name=Nope, new_op_name=Relu)",
        "rename_node(old_node_name=nobody, new_node_name=new)", "remove_attribute(attribute_name=nope)",
        "remove_attribute(attribute_name=T, op_name=Nope)",
        "rename_attribute(old_attribute_name=nope, new_attribute_name=new)"})
    EXPECT_EQ(transformed(kChain + node("w", "Elu", "z", attribute("T", "type: DT_FLOAT")), transform).warnings,
              Codes{"MO-GTT-0065"})
        << transform;
  // Recipes name ops that a graph may lack.
  EXPECT_EQ(transformed(kChain, "remove_nodes(op=Identity, op=CheckNumerics)").warnings, Codes());
}

TEST(Pipeline, ARegisteredTransformMayLeaveAnEmptyGraph) {
  TransformRegistry registry;
  registry.register_transform("clear", [](Graph& graph, const TransformFuncContext&) -> Expected<void> {
    for (const Node node : graph.nodes()) graph.erase(node);
    return {};
  });
  Graph graph;
  graph.create_node(Op("tf::Const", AttributeMap{}), {}, 1, "c");
  ASSERT_TRUE(TransformRun(registry).run(graph, {{"clear", {}}}, {}));
  EXPECT_EQ(graph.node_count(), 0U);
}

/// Erases the node of the name that the argument gives.
TransformRegistry with_erasing() {
  TransformRegistry registry;
  registry.register_transform("erase", [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    graph.erase(graph.find_node(context.params.at("name").front()));
    return {};
  });
  return registry;
}

TEST(Pipeline, InputsThatReferToNothingAreAnError) {
  Graph graph;
  const Node x = graph.create_node(Op("tf::Const", AttributeMap{}), {}, 1, "x");
  graph.create_node(Op("tf::Add", AttributeMap{}), {x.output(), x.output()}, 1, "y");
  const TransformRegistry erasing = with_erasing();
  const auto done = TransformRun(erasing).run(graph, {{"erase", {{"name", {"x"}}}}}, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().items().size(), 2U);
  EXPECT_EQ(done.error().first().code, "MO-GTT-0005");
  EXPECT_NE(done.error().first().message.find("Invalid input x for node y"), std::string::npos);
}

TEST(Pipeline, LosingAnOutputIsAnErrorUnlessTheOriginalIsRequested) {
  for (const Grammar grammar : {Grammar::lenient, Grammar::original}) {
    Graph graph;
    graph.create_node(Op("tf::Const", AttributeMap{}), {}, 1, "x");
    TransformFuncContext context;
    context.output_names = {"x:0"};
    const TransformRegistry erasing = with_erasing();
    const auto done = TransformRun(erasing, grammar).run(graph, {{"erase", {{"name", {"x"}}}}}, context);
    EXPECT_EQ(done ? "" : done.error().first().code, grammar == Grammar::lenient ? "MO-GTT-0007" : "");
  }
}

TEST(Pipeline, ATransformThatIsRegisteredTwiceIsAProblem) {
  TransformRegistry registry = with_erasing();
  registry.register_transform("erase", {});
  ASSERT_EQ(registry.problems().size(), 1U);
  EXPECT_EQ(registry.problems().front().code, "MO-GTT-0002");
}

TEST(Verification, ToleranceIsWhatTheTransformsMayDo) {
  TransformRegistry registry;
  register_all(registry);
  const auto tolerance = [&](const std::string& transforms) {
    return tools::closeness_of(*parse_transforms(transforms), registry).relative;
  };
  EXPECT_EQ(tolerance("remove_device sort_by_execution_order merge_duplicate_nodes"), 0);
  EXPECT_EQ(tolerance("strip_unused_nodes fold_constants"), 1e-4);
  EXPECT_EQ(tolerance("of_a_plugin"), 1e-4);
  EXPECT_EQ(tolerance("fold_constants quantize_weights remove_device"), 0.5);
  EXPECT_EQ(tolerance("freeze_requantization_ranges"), 0.5);
}

}  // namespace
}  // namespace mo::graph_transforms::testing
