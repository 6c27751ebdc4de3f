#include "core/registry/left_out.hpp"

#include <gtest/gtest.h>

#include "core/pass/pass_manager.hpp"
#include "core/registry/framework_node.hpp"

namespace mo {
namespace {

TEST(LeftOut, AnOperatorIsKnownAndRefused) {
  OperatorTable table;
  leave_out(table, "Softmax", VersionRange{});
  const OperatorTable::Row* row = table.find("Softmax", 13);
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(row->refuses);
  Graph graph;
  const Node node = graph.create_node(Op("onnx::Softmax", AttributeMap{}), {});
  const auto op = row->extract(FrameworkNode(node));
  ASSERT_FALSE(op);
  EXPECT_EQ(op.error().first().code, "MO-FRONT-0012");
}

TEST(LeftOut, VersionsOfAnotherFileStay) {
  OperatorTable table;
  table.extract("Swish", since(24), [](const FrameworkNode&) -> Expected<Op> { return Op("Swish", AttributeMap{}); });
  leave_out(table, "Swish", versions(1, 23));
  EXPECT_TRUE(table.problems().empty());
  ASSERT_NE(table.find("Swish", 23), nullptr);
  EXPECT_TRUE(table.find("Swish", 23)->refuses);
  ASSERT_NE(table.find("Swish", 24), nullptr);
  EXPECT_FALSE(table.find("Swish", 24)->refuses);
}

TEST(LeftOut, AnOmittedPassKeepsItsPlaceInTheOrder) {
  PassRegistry registry;
  leave_out(registry, {"B", Phase::middle, true, {"C"}, {"A"}});
  leave_out(registry, {"OnDemand", Phase::middle, false, {}, {}});
  PassManager manager;
  for (const char* name : {"A", "C"})
    ASSERT_TRUE(manager.add(graph_pass(name).run([](Graph&, PassContext&) -> Expected<bool> { return false; })));
  for (Pass& pass : registry.take()) ASSERT_TRUE(manager.add(std::move(pass)));
  const auto order = manager.order(Phase::middle);
  ASSERT_TRUE(order) << order.error().first().format();
  std::string names;
  for (const Pass* pass : *order) names += pass->name + " ";
  EXPECT_LT(names.find("C "), names.find("B "));
  EXPECT_LT(names.find("B "), names.find("A "));

  Graph graph;
  DiagnosticList diagnostics;
  const Settings settings;
  PassContext context{diagnostics, settings, &manager.config};
  const auto done = manager.run(Phase::middle, graph, context);
  ASSERT_TRUE(done) << done.error().first().format();
  EXPECT_EQ(graph.node_count(), 0U);
}

TEST(LeftOut, APassThatTheUserAsksForIsRefused) {
  PassRegistry registry;
  leave_out(registry, {"OnDemand", Phase::middle, false, {}, {}});
  Graph graph;
  DiagnosticList diagnostics;
  const Settings settings;
  PassContext context{diagnostics, settings, nullptr};
  const auto done = registry.passes().front().run(graph, context);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().first().code, "MO-PASS-0031");
}

}  // namespace
}  // namespace mo
