#include "core/graph/graph.hpp"

#include <gtest/gtest.h>

#include "core/text/printer.hpp"

namespace mo {
namespace {

Op dynamic(std::string_view name) { return Op(name, {}); }

/// op1 has two outputs; op2, op3 and op4 read them.
struct Diamond {
  Graph graph;
  Node op1 = graph.create_node(dynamic("Op1"), {}, 2, "op1");
  Node op2 = graph.create_node(dynamic("Op2"), {op1.out_port(1)}, 1, "op2");
  Node op3 = graph.create_node(dynamic("Op3"), {op1.out_port(0)}, 1, "op3");
  Node op4 = graph.create_node(dynamic("Op4"), {op2.output(), op1.out_port(1)}, 1, "op4");
};

std::string code_of(const Error& error) { return error.first().code; }

TEST(Ports, SourceAndDestinationsAreTheTwoEndsOfAnEdge) {
  const Diamond d;
  EXPECT_EQ(d.op2.in_port(0).get_source(), d.op1.out_port(1));
  EXPECT_EQ(d.op4.in_port(1).get_source(), d.op1.out_port(1));
  const auto readers = d.op1.out_port(1).get_destinations();
  ASSERT_EQ(readers.size(), 2U);
  EXPECT_EQ(readers[0], d.op2.in_port(0)) << "readers come in the order in which they were connected";
  EXPECT_EQ(readers[1], d.op4.in_port(1));
  EXPECT_EQ(d.op4.in_port(1).index(), 1U);
  EXPECT_EQ(d.op1.out_port(1).index(), 1U);
}

TEST(Ports, GetDestinationFailsUnlessThereIsExactlyOne) {
  const Diamond d;
  EXPECT_EQ(*d.op1.out_port(0).get_destination(), d.op3.in_port(0));
  EXPECT_EQ(code_of(d.op1.out_port(1).get_destination().error()), "MO-GRAPH-0001");
  EXPECT_EQ(code_of(d.op4.output().get_destination().error()), "MO-GRAPH-0002");
}

TEST(Ports, ReconnectingLikeTheGuideOfTheModelOptimizer) {
  const Diamond d;
  d.op4.in_port(1).disconnect();
  EXPECT_TRUE(d.op4.in_port(1).disconnected());
  ASSERT_TRUE(d.op3.output().connect(d.op4.in_port(1)));
  EXPECT_EQ(d.op4.in_port(1).get_source(), d.op3.output());
  EXPECT_EQ(*d.op3.output().get_destination(), d.op4.in_port(1));
}

TEST(Ports, ConnectingAPortLeavesItsFormerSource) {
  const Diamond d;
  ASSERT_TRUE(d.op4.in_port(0).connect(d.op3.output()));
  EXPECT_TRUE(d.op2.output().disconnected());
}

TEST(Ports, PortsOfTwoGraphsCannotBeConnected) {
  const Diamond a;
  const Diamond b;
  EXPECT_EQ(code_of(a.op1.out_port(0).connect(b.op4.in_port(0)).error()), "MO-GRAPH-0003");
  EXPECT_EQ(code_of(b.op4.in_port(0).get_connection().set_source(a.op1.out_port(0)).error()), "MO-GRAPH-0003");
}

TEST(Ports, AddedPortsKeepTheOthersConnected) {
  const Diamond d;
  const InPort added = d.op2.add_input_port(2);
  EXPECT_EQ(d.op2.in_port_count(), 3U);
  EXPECT_TRUE(d.op2.in_port(1).disconnected());
  EXPECT_TRUE(added.disconnected());
  EXPECT_EQ(d.op2.in_port(0).get_source(), d.op1.out_port(1));
  EXPECT_EQ(d.op1.out_port(1).get_destinations().front(), d.op2.in_port(0)) << "the order of readers survives";
  d.op1.add_output_port();
  EXPECT_EQ(d.op1.out_port_count(), 3U);
  EXPECT_EQ(d.op4.in_port(1).get_source(), d.op1.out_port(1));
  EXPECT_EQ(d.op3.in_port(0).get_source(), d.op1.out_port(0));
}

TEST(Ports, DeletedPortsKeepTheNumbersOfTheOthers) {
  const Diamond d;
  d.op4.delete_input_port(0);
  EXPECT_EQ(d.op4.in_port_count(), 2U);
  EXPECT_TRUE(d.op4.in_port(0).disconnected());
  EXPECT_EQ(d.op4.in_port(1).get_source(), d.op1.out_port(1));
  d.op4.delete_input_port(1);
  EXPECT_EQ(d.op4.in_port_count(), 0U) << "trailing empty ports vanish";
  d.op1.delete_output_port(1);
  EXPECT_EQ(d.op1.out_port_count(), 1U);
  EXPECT_FALSE(d.op1.in_port(0)) << "a port that is not there is an empty handle";
}

TEST(Ports, DataOfAnInputIsThatOfItsSource) {
  Diamond d;
  d.op1.out_port(1).data().set_type({ElementType::f32, {1, 3}});
  EXPECT_EQ(d.op2.in_port(0).data().shape(), PartialShape({1, 3}));
  d.op1.out_port(1).data().set_value(Tensor::vector<std::int64_t>({7}));
  EXPECT_EQ(d.op4.in_port(1).data().element_type(), ElementType::i64);
  EXPECT_EQ(d.op4.in_port(1).data().value()->values<std::int64_t>()[0], 7);
  EXPECT_EQ(d.op1.out_port(0).data().value(), nullptr);
}

TEST(Connections, SetSourceMovesAllReadersOfAnOutput) {
  const Diamond d;
  d.op1.out_port(1).data().add_tensor_name("t");
  ASSERT_TRUE(d.op1.out_port(1).get_connection().set_source(d.op3.output()));
  EXPECT_EQ(d.op2.in_port(0).get_source(), d.op3.output());
  EXPECT_EQ(d.op4.in_port(1).get_source(), d.op3.output());
  EXPECT_TRUE(d.op1.out_port(1).disconnected());
  EXPECT_EQ(d.op3.output().data().tensor_names(), std::vector<std::string_view>{"t"});
}

TEST(Connections, SetSourceOfAnInputMovesThatReaderOnlyAndNoName) {
  const Diamond d;
  d.op1.out_port(1).data().add_tensor_name("t");
  ASSERT_TRUE(d.op4.in_port(1).get_connection().set_source(d.op3.output()));
  EXPECT_EQ(d.op2.in_port(0).get_source(), d.op1.out_port(1));
  EXPECT_EQ(d.op4.in_port(1).get_source(), d.op3.output());
  EXPECT_EQ(d.op1.out_port(1).data().tensor_names(), std::vector<std::string_view>{"t"});
}

TEST(Connections, NamesMergeStayOrReplace) {
  for (const auto& [mode, wanted] : {std::pair{TensorNames::merge, std::vector<std::string_view>{"own", "old"}},
                                     std::pair{TensorNames::source, std::vector<std::string_view>{"own"}},
                                     std::pair{TensorNames::dest, std::vector<std::string_view>{"old"}}}) {
    const Diamond d;
    d.op3.output().data().add_tensor_name("own");
    d.op1.out_port(1).data().add_tensor_name("old");
    ASSERT_TRUE(d.op1.out_port(1).get_connection().set_source(d.op3.output(), mode));
    EXPECT_EQ(d.op3.output().data().tensor_names(), wanted);
  }
}

TEST(Connections, SetDestinationLeavesOneReader) {
  const Diamond d;
  auto connection = d.op1.out_port(1).get_connection();
  ASSERT_TRUE(connection.set_destination(d.op3.in_port(0)));
  EXPECT_TRUE(d.op2.in_port(0).disconnected());
  EXPECT_TRUE(d.op4.in_port(1).disconnected());
  EXPECT_EQ(d.op3.in_port(0).get_source(), d.op1.out_port(1));
  EXPECT_TRUE(d.op1.out_port(0).disconnected());
  ASSERT_TRUE(connection.add_destination(d.op4.in_port(1)));
  EXPECT_EQ(connection.get_destinations().size(), 2U);
  connection.remove();
  EXPECT_TRUE(d.op1.out_port(1).disconnected());
}

TEST(Connections, AnEmptyConnectionIsReported) {
  const Diamond d;
  d.op4.in_port(0).disconnect();
  auto connection = d.op4.in_port(0).get_connection();
  EXPECT_TRUE(connection.empty());
  EXPECT_EQ(code_of(connection.get_destination().error()), "MO-GRAPH-0002");
  EXPECT_EQ(code_of(connection.add_destination(d.op2.in_port(0)).error()), "MO-GRAPH-0002");
}

TEST(Graph, IterationIsInIdOrderAndSkipsErasedNodes) {
  Diamond d;
  d.graph.erase(d.op3);
  std::vector<std::string> names;
  for (const Node node : d.graph.nodes()) names.emplace_back(node.name());
  EXPECT_EQ(names, (std::vector<std::string>{"op1", "op2", "op4"}));
  EXPECT_EQ(d.graph.node_count(), 3U);
  EXPECT_TRUE(d.op1.out_port(0).disconnected());
  EXPECT_FALSE(d.op3.alive());
}

TEST(Graph, CompactKeepsEverythingButTombstones) {
  Diamond d;
  d.op4.add_source("one");
  d.op4.add_source("two");
  d.op4.set_rt_info("decompression");
  d.op2.output().data().add_tensor_name("a");
  d.op2.output().data().add_tensor_name("b");
  d.op4.add_control_input(d.op2);
  d.graph.create_result(d.op4.output(), "out");
  d.graph.erase(d.op3);
  const std::string before = to_text(d.graph);
  d.graph.compact();
  EXPECT_EQ(to_text(d.graph), before);
  EXPECT_EQ(d.graph.node_capacity(), 4U);
  const Node op4 = d.graph.find_node("op4");
  EXPECT_EQ(op4.sources(), (std::vector<std::string_view>{"one", "two"}));
  EXPECT_EQ(op4.control_inputs().front().name(), "op2");
  ASSERT_NE(op4.rt_info(), nullptr);
  EXPECT_EQ(d.graph.find_node("op2").output().data().tensor_names(), (std::vector<std::string_view>{"a", "b"}));
}

TEST(Graph, NamesOfATensorKeepTheirOrderAndComeOnce) {
  Diamond d;
  const PortData first = d.op1.out_port(0).data();
  const PortData second = d.op2.output().data();
  for (const char* name : {"b", "a", "b", "c"}) first.add_tensor_name(name);
  for (const char* name : {"d", "a"}) second.add_tensor_name(name);
  second.add_tensor_names_of(first);
  EXPECT_EQ(second.tensor_names(), (std::vector<std::string_view>{"d", "a", "b", "c"}));
  EXPECT_EQ(second.first_tensor_name(), "d");
  EXPECT_EQ(first.tensor_names(), (std::vector<std::string_view>{"b", "a", "c"}))
      << "a set that became part of another stays";
  Graph other;
  const PortData far = other.create_node(Op("Far", {}), {}).output().data();
  far.add_tensor_names_of(second);
  EXPECT_EQ(far.tensor_names(), second.tensor_names());
}

TEST(Graph, SourcesThatAreUnitedAgainAndAgainStayOneSetOfNames) {
  // Each round doubles the number of ways from the last set to the first names.
  Diamond d;
  d.op1.add_source("one");
  d.op2.add_source("two");
  for (int i = 0; i < 100; ++i) {
    d.op1.add_sources_of(d.op2);
    d.op2.add_sources_of(d.op3);
    d.op2.add_sources_of(d.op1);
    d.op3.add_source("three");
    d.op3.add_sources_of(d.op2);
  }
  EXPECT_EQ(d.op1.sources(), (std::vector<std::string_view>{"one", "three", "two"}));
  d.graph.compact();
  EXPECT_EQ(d.graph.find_node("op3").sources(), (std::vector<std::string_view>{"one", "three", "two"}));
}

TEST(Graph, CompactDropsUnusedSetsOfNames) {
  Diamond d;
  const std::size_t before = d.graph.store_bytes();
  constexpr const char* kNames[] = {"one", "two", "three"};
  for (int i = 0; i < 100000; ++i) d.op3.add_source(kNames[i % 3]);
  d.op4.add_source("four");
  d.op4.add_sources_of(d.op3);
  EXPECT_GT(d.graph.store_bytes(), before + 100000);
  d.op3.output().disconnect();
  for (const Node node : {d.op4, d.op3}) d.graph.erase(node);
  d.graph.compact();
  EXPECT_LE(d.graph.store_bytes(), before + 1000);
}

TEST(Graph, AClonePrintsTheSameAndIsIndependent) {
  Diamond d;
  d.graph.create_result(d.op4.output());
  d.op4.add_control_input(d.op3);
  d.op2.output().data().set_type({ElementType::f32, PartialShape({2})});
  const auto copy = d.graph.clone();
  EXPECT_EQ(to_text(*copy, {.types = true}), to_text(d.graph, {.types = true}));
  EXPECT_EQ(copy->find_node("op2").output_type().to_string(), "f32[2]");
  ASSERT_EQ(copy->find_node("op4").control_inputs().size(), 1U) << "control edges are no text";
  EXPECT_EQ(copy->find_node("op4").control_inputs().front(), copy->find_node("op3"));
  copy->erase(copy->find_node("op3"));
  EXPECT_TRUE(d.op3.alive());
}

TEST(Graph, TopologicalOrderPutsInputsAndControlInputsFirst) {
  Graph graph;
  const Node late = graph.create_node(dynamic("A"), std::vector<Value>(1), 1, "late");
  const Node early = graph.create_node(dynamic("B"), {}, 1, "early");
  const Node control = graph.create_node(dynamic("C"), {}, 0, "control");
  ASSERT_TRUE(late.in_port(0).connect(early.output()));
  early.add_control_input(control);
  const auto order = graph.topological_order();
  ASSERT_TRUE(order);
  std::vector<std::string_view> names;
  for (const Node& node : *order) names.push_back(node.name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"control", "early", "late"}));
}

TEST(Graph, ACycleIsAnErrorThatNamesIt) {
  Graph graph;
  const Node a = graph.create_node(dynamic("A"), std::vector<Value>(1), 1, "a");
  const Node b = graph.create_node(dynamic("B"), {a.output()}, 1, "b");
  ASSERT_TRUE(a.in_port(0).connect(b.output()));
  const auto order = graph.topological_order();
  ASSERT_FALSE(order);
  EXPECT_EQ(code_of(order.error()), "MO-GRAPH-0010");
  EXPECT_NE(order.error().first().message.find("'a' -> 'b' -> 'a'"), std::string::npos)
      << order.error().first().message;
}

TEST(Graph, AChainOfAMillionNodesNeedsNoStackAndFewBytes) {
  Graph graph;
  Value value = graph.create_parameter({ElementType::f32, {1, 8}}, "in").output();
  constexpr int kNodes = 1'000'000;
  for (int i = 0; i < kNodes; ++i)
    value = graph.create_node(dynamic("Relu"), {value}, 1, "node_" + std::to_string(i)).output();
  graph.create_result(value);
  const auto order = graph.topological_order();
  ASSERT_TRUE(order);
  EXPECT_EQ(order->size(), kNodes + 2U);
  EXPECT_LE(graph.store_bytes() / kNodes, 250U);
}

TEST(Graph, CompactMovesNodesThatHaveLostTheirPlaces) {
  Graph graph;
  const Value in = graph.create_parameter({ElementType::f32, {1, 8}}, "in").output();
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < 5000; ++i)
    nodes.push_back(graph.create_node(dynamic("Relu"), {i < 2 ? in : nodes[i / 2].output()}, 1, std::to_string(i)));
  // Ports that were added later lie behind those of all other nodes.
  for (std::size_t i = 0; i < 5000; i += 7) {
    ASSERT_TRUE(nodes[i].add_input_port().connect(in));
    ASSERT_TRUE(nodes[4999].add_input_port().connect(nodes[i].add_output_port()));
  }
  for (std::size_t i = 2500; i < 4999; ++i)
    if (i % 7 != 0) graph.erase(nodes[i]);
  graph.create_result(nodes[4999].output(), "out");
  const std::string before = to_text(graph);
  const std::size_t bytes = graph.store_bytes();
  graph.compact();
  EXPECT_EQ(to_text(graph), before);
  EXPECT_LT(graph.store_bytes(), bytes);
  EXPECT_EQ(graph.node_capacity(), graph.node_count());
  // The stores are whole: new nodes begin without a past.
  const Node added = graph.create_node(dynamic("Relu"), {graph.find_node("1").output()}, 1, "added");
  EXPECT_TRUE(added.sources().empty());
  EXPECT_TRUE(added.output().disconnected());
}

TEST(Node, AttributesByNameOfADynamicOp) {
  Graph graph;
  const Node node = graph.create_node(Op("Foo", {{"axis", 3}, {"mode", "max"}}), {}, 1, "foo");
  EXPECT_EQ(node.attr<std::int64_t>("axis"), 3);
  EXPECT_EQ(node.attr<std::string>("mode"), "max");
  EXPECT_FALSE(node.attr<std::string>("axis")) << "another kind is no value";
  EXPECT_FALSE(node.has_attr("nothing"));
  ASSERT_TRUE(node.set_attr("axis", std::int64_t{4}));
  EXPECT_EQ(node.attr<std::int64_t>("axis"), 4);
}

TEST(Node, NamesAreFoundAndMadeUnique) {
  Diamond d;
  EXPECT_EQ(d.graph.find_node("op3"), d.op3);
  EXPECT_FALSE(d.graph.find_node("op9"));
  EXPECT_EQ(d.graph.unique_name("op1"), "op1_1");
  EXPECT_EQ(d.graph.unique_name("fresh"), "fresh");
}

}  // namespace
}  // namespace mo
