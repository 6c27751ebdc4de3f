#include "core/graph/copying.hpp"

#include <gtest/gtest.h>

#include "core/graph/bodies.hpp"
#include "core/graph/dead_nodes.hpp"
#include "core/pass/graph_copier.hpp"

namespace mo {
namespace {

Op op_named(std::string_view name) { return Op(name, {}); }
std::string error_code(const Error& error) { return error.first().code; }

TEST(GraphCopier, CopiesTheNodesThatComputeATensorUpToItsStandIns) {
  Graph from;
  const Node x = from.create_parameter({}, "x");
  const Node before = from.create_node(op_named("Before"), {x.output()}, 1, "before");
  const Node shared = from.create_node(op_named("Shared"), {before.output()}, 2, "shared");
  const Node sum = from.create_node(op_named("Sum"), {shared.output(0), shared.output(1)}, 1, "sum");
  sum.output().data().add_tensor_name("sum:0");
  Graph to;
  const Node y = to.create_parameter({}, "y");
  GraphCopier copier(to);
  copier.map(before.output(), y.output());
  const auto copied = copier.copy(sum.output());
  ASSERT_TRUE(copied);
  EXPECT_EQ(to.node_count(), 3U);
  EXPECT_EQ(copied->node().name(), "sum");
  EXPECT_EQ(copied->data().tensor_names().front(), "sum:0");
  EXPECT_EQ(copied->node().input(0).node(), copied->node().input(1).node());
  EXPECT_EQ(copied->node().input(0).node().input(0), y.output());
}

TEST(GraphCopier, ControlEdgesAreCopiedOnRequest) {
  Graph from;
  const Node pivot = from.create_node(op_named("Pivot"), {}, 1, "pivot");
  const Node other = from.create_node(op_named("Other"), {}, 1, "other");
  const Node node = from.create_node(op_named("Node"), {}, 1, "node");
  node.add_control_input(pivot);
  node.add_control_input(other);
  Graph to;
  GraphCopier copier(to);
  copier.keep_control([](const Node& before) { return before.is("Pivot"); });
  const auto copied = copier.copy(node.output());
  ASSERT_TRUE(copied);
  ASSERT_EQ(copied->node().control_inputs().size(), 1U);
  EXPECT_EQ(copied->node().control_inputs().front().name(), "pivot");
}

TEST(GraphCopier, RefusesCyclesAndParametersWithoutAStandIn) {
  Graph from;
  const Node x = from.create_parameter({}, "x");
  const Node a = from.create_node(op_named("A"), {Value()}, 1, "a");
  const Node b = from.create_node(op_named("B"), {a.output()}, 1, "b");
  ASSERT_TRUE(a.in_port(0).connect(b.output()));
  Graph to;
  GraphCopier copier(to);
  EXPECT_EQ(error_code(copier.copy(b.output()).error()), "MO-GRAPH-0011");
  copier.explain_cycles([](const Node& node) { return node.error("MO-TEST-0001", "{} goes around", node.name()); });
  EXPECT_EQ(error_code(copier.copy(b.output()).error()), "MO-TEST-0001");
  EXPECT_EQ(error_code(copier.copy(x.output()).error()), "MO-GRAPH-0012");
}

TEST(RemoveDeadNodes, KeepsResultsParametersAndRequestedNodes) {
  Graph graph;
  graph.create_parameter({}, "unread");
  const Node kept = graph.create_node(op_named("A"), {}, 1, "kept");
  const Node control = graph.create_node(op_named("A"), {}, 1, "control");
  graph.create_node(op_named("A"), {}, 1, "dead");
  kept.add_control_input(control);
  graph.create_result(kept.output(), "result");
  EXPECT_TRUE(remove_dead_nodes(graph));
  EXPECT_EQ(graph.node_count(), 4U);
  EXPECT_FALSE(remove_dead_nodes(graph));
  Needs less{.parameters = false, .effects = false, .control = [](const Node&) { return false; }, .further = {}};
  EXPECT_TRUE(remove_dead_nodes(graph, less));
  EXPECT_EQ(graph.node_count(), 2U);
}

TEST(WithBodies, ListsOwnersFirst) {
  Graph graph;
  Body outer;
  Body inner;
  inner.graph().name = "inner";
  outer.graph().name = "outer";
  outer.graph().create_node(Op("Owner", {{"body", std::move(inner)}}), {}, 1, "owner of inner");
  graph.create_node(Op("Owner", {{"body", std::move(outer)}}), {}, 1, "owner of outer");
  const auto graphs = with_owners(graph);
  ASSERT_EQ(graphs.size(), 3U);
  EXPECT_EQ(graphs[1].graph->name, "outer");
  EXPECT_EQ(graphs[2].graph->name, "inner");
  EXPECT_EQ(graphs[2].outer, 1U);
  EXPECT_EQ(graphs[2].owner.name(), "owner of inner");
  EXPECT_EQ(with_bodies(graph).size(), 3U);
}

std::unique_ptr<Graph> body_of(std::string_view name) {
  auto body = std::make_unique<Graph>();
  body->name = name;
  return body;
}

std::vector<std::string> names_of(const std::vector<Graph*>& graphs) {
  std::vector<std::string> names;
  for (const Graph* const graph : graphs) names.push_back(graph->name);
  return names;
}

/// The list is kept between calls: whatever changes a body must be seen.
TEST(Bodies, TheListFollowsEveryChange) {
  using Names = std::vector<std::string>;
  Graph graph;
  graph.name = "top";
  const Node owner = graph.create_node(Op("a", AttributeMap{}), {});
  EXPECT_EQ(names_of(with_bodies(graph)), Names{"top"});
  EXPECT_TRUE(owner.set_attr("body", AttributeValue(Body(body_of("one")))));
  EXPECT_EQ(names_of(with_bodies(graph)), (Names{"top", "one"}));
  EXPECT_EQ(names_of(with_bodies(graph)), (Names{"top", "one"}));
  EXPECT_TRUE(owner.set_attr("body", AttributeValue(Body(body_of("two")))));
  EXPECT_EQ(names_of(with_bodies(graph)), (Names{"top", "two"}));
  AttributeMap attributes;
  attributes.set("body", AttributeValue(Body(body_of("inner"))));
  Graph& two = *with_bodies(graph)[1];
  const Node inside = two.create_node(Op("b", std::move(attributes)), {});
  EXPECT_EQ(names_of(with_bodies(graph)), (Names{"top", "two", "inner"}));
  two.erase(inside);
  EXPECT_EQ(names_of(with_bodies(graph)), (Names{"top", "two"}));
  auto other = std::make_unique<Graph>();
  other->name = "other";
  graph.adopt(std::move(other));
  EXPECT_EQ(names_of(with_bodies(graph)), Names{"other"});
}

}  // namespace
}  // namespace mo
