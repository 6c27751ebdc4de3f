#include "core/registry/registry.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "core/op/define_op.hpp"

namespace mo {
namespace {

Extractor giving(std::string op) {
  return [op = std::move(op)](const FrameworkNode&) -> Expected<Op> { return Op(op, {}); };
}

std::string extracted(const OperatorTable& table, std::int64_t version) {
  const OperatorTable::Row* row = table.find("Softmax", version);
  if (!row) return "nothing";
  Graph graph;
  const Node node = graph.create_node(Op("x::Softmax", {}), {});
  const auto op = row->extract(FrameworkNode(node));
  return op ? std::string(op->type().name) : op.error().first().code;
}

Pass pass(const std::string& name, bool changes) {
  return graph_pass(name).run([changes](Graph&, PassContext&) -> Expected<bool> { return changes; });
}

struct Plain {
  static constexpr OpId id{"Plain", 1};
  std::int64_t axis = 0;
  static constexpr auto attributes = Attributes{attr("axis", &Plain::axis)};
  Expected<void> infer(InferContext&) const { return {}; }
};
struct Derived : Plain {};
struct Other {
  static constexpr OpId id{"Plain", 1};
  double axis = 0;
  static constexpr auto attributes = Attributes{attr("axis", &Other::axis)};
  Expected<void> infer(InferContext&) const { return {}; }
};

TEST(RegistryOwners, AnOverriddenExtractorKeepsItsOtherVersions) {
  Registry registry;
  OperatorTable& table = registry.operators("x");
  table.extract("Softmax", versions(1, 12), giving("Rows"));
  table.extract("Softmax", since(13), giving("Axis"));
  registry.set_owner("plugin", true);
  table.extract("Softmax", versions(11, 14), giving("Own"));
  EXPECT_EQ(extracted(table, 10), "Rows");
  EXPECT_EQ(extracted(table, 11), "Own");
  EXPECT_EQ(extracted(table, 14), "Own");
  EXPECT_EQ(extracted(table, 15), "Axis");
  EXPECT_EQ(table.find("Softmax", 12)->owner.name, "plugin");
  EXPECT_TRUE(table.find("Softmax", 12)->owner.overrides);
  EXPECT_EQ(table.find("Softmax", 15)->owner.name, "mo");
  EXPECT_TRUE(registry.problems().empty());
}

TEST(RegistryOwners, OverridingIsForBuiltInThingsOnly) {
  Registry registry;
  registry.passes().add(pass("Fusion", false));
  registry.set_owner("first", true);
  registry.passes().add(pass("Fusion", true));
  registry.operators("x").extract("Softmax", giving("First"));
  EXPECT_TRUE(registry.problems().empty());
  EXPECT_EQ(registry.passes().owner_of("Fusion").name, "first");
  registry.set_owner("second", true);
  registry.passes().add(pass("Fusion", false));
  registry.operators("x").extract("Softmax", giving("Second"));
  ASSERT_EQ(registry.problems().size(), 2U);
  EXPECT_EQ(registry.problems()[0].code, "MO-PLUGIN-0021");
  EXPECT_EQ(registry.problems()[0].message, "pass Fusion is registered twice: by first and by second");
  EXPECT_EQ(registry.problems()[1].code, "MO-CORE-0021");
  EXPECT_EQ(registry.passes().passes().size(), 1U);
}

TEST(RegistryOwners, APluginMayAddARefusedOperatorWithoutOverriding) {
  Registry registry;
  OperatorTable& table = registry.operators("x");
  const auto refusing = [](const FrameworkNode& node) -> Expected<Op> { return node.error("MO-FRONT-0001", "no"); };
  table.refuse("Softmax", refusing);
  registry.set_owner("plugin", false);
  table.extract("Softmax", since(13), giving("Own"));
  EXPECT_EQ(extracted(table, 12), "MO-FRONT-0001");
  EXPECT_EQ(extracted(table, 13), "Own");
  EXPECT_TRUE(table.problems().empty());
  registry.set_owner(kBuiltIn, false);
  table.extract("Softmax", versions(1, 12), giving("Rows"));
  EXPECT_EQ(table.problems().size(), 1U);
}

TEST(RegistryOwners, PromisedRowsAndOpsAreBuiltInAlsoWhenAPluginReadsThem) {
  Registry registry;
  registry.promise_ops([](OpRegistry& ops) { ops.add<Plain>(); });
  static constexpr std::array<Part<OperatorTable>, 1> parts{
      {{"softmax", [](OperatorTable& table) { table.extract("Softmax", giving("Promised")); }}}};
  OperatorTable& table = registry.operators("x");
  int calls = 0;
  table.before_each([&](const FrameworkNode&) { ++calls; });
  table.promise(parts, "Softmax\t0\n");
  registry.set_owner("plugin", true);
  const Registry& read = registry;
  ASSERT_NE(read.ops().find("Plain", 1), nullptr);
  EXPECT_EQ(read.ops().owner_of(OpType::of<Plain>()).name, "mo");
  EXPECT_EQ(read.find_operators("x")->find("Softmax", 1)->owner.name, "mo");
  EXPECT_EQ(extracted(table, 1), "Promised");
  EXPECT_EQ(calls, 1);
  table.extract("Softmax", since(13), giving("Own"));
  EXPECT_EQ(extracted(table, 12), "Promised");
  EXPECT_EQ(extracted(table, 13), "Own");
  EXPECT_TRUE(registry.problems().empty());
}

TEST(RegistryOwners, APromisedPartMayKeepTheTableToLookUpOthers) {
  Registry registry;
  static constexpr std::array<Part<OperatorTable>, 2> parts{
      {{"outer",
        [](OperatorTable& table) {
          table.extract("Softmax", [&table](const FrameworkNode& node) -> Expected<Op> {
            const OperatorTable::Row* inner = table.find("Inner", 1);
            return inner ? inner->extract(node) : node.error("MO-TEST-0001", "no Inner");
          });
        }},
       {"inner", [](OperatorTable& table) { table.extract("Inner", giving("Inner")); }}}};
  OperatorTable& table = registry.operators("x");
  table.promise(parts, "Inner\t1\nSoftmax\t0\n");
  EXPECT_EQ(extracted(table, 1), "Inner");
}

TEST(RegistryOwners, WithoutOverridingBothOwnersAreNamed) {
  Registry registry;
  registry.ops().add<Plain>();
  registry.set_owner("plugin", false);
  registry.ops().add<Derived>();
  ASSERT_EQ(registry.problems().size(), 1U);
  EXPECT_EQ(registry.problems()[0].message, "op Plain (class v1) is registered twice: by mo and by plugin");
}

TEST(RegistryOwners, AnOpIsOverriddenByOneOfItsLayout) {
  Registry registry;
  registry.ops().add<Plain>();
  registry.set_owner("plugin", true);
  registry.ops().add<Other>();
  ASSERT_EQ(registry.problems().size(), 1U);
  EXPECT_EQ(registry.problems()[0].code, "MO-PLUGIN-0023");
  registry.ops().add<Derived>();
  EXPECT_EQ(registry.problems().size(), 1U);
  EXPECT_EQ(registry.ops().find("Plain", 1), &OpType::of<Derived>());
  EXPECT_TRUE(registry.ops().owner_of(OpType::of<Plain>()).overrides);
}

TEST(RegistryOwners, ExceptionsOfPluginsBecomeErrors) {
  Registry registry;
  registry.set_owner("plugin", false);
  registry.operators("x").extract("Softmax",
                                  [](const FrameworkNode&) -> Expected<Op> { throw std::runtime_error("no"); });
  EXPECT_EQ(extracted(registry.operators("x"), 1), "MO-PLUGIN-0020");
  registry.passes().add(graph_pass("Thrower")
                            .when([](const Graph&, const PassContext&) -> bool { throw 1; })
                            .run([](Graph&, PassContext&) -> Expected<bool> { return true; }));
  Graph graph;
  DiagnosticList diagnostics;
  const Settings settings;
  PassContext context{diagnostics, settings};
  const auto done = run_pass(registry.passes().passes().front(), graph, context);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().first().code, "MO-PLUGIN-0020");
  EXPECT_NE(done.error().first().message.find("pass Thrower of plugin plugin"), std::string::npos);
}

TEST(RegistryOwners, AFrameworkNeedsANameAndAReader) {
  Registry registry;
  registry.add(Frontend{"x", "X", {}, {}});
  ASSERT_EQ(registry.problems().size(), 1U);
  EXPECT_EQ(registry.problems()[0].code, "MO-PLUGIN-0024");
  const auto read = [](const std::string&, const Settings&, DiagnosticSink&) -> Expected<std::unique_ptr<Graph>> {
    return std::unique_ptr<Graph>();
  };
  registry.set_owner("plugin", false);
  registry.add(Frontend{"x", "X", {".x"}, read});
  DiagnosticList diagnostics;
  EXPECT_EQ(registry.frontends().at("x").read("path", {}, diagnostics).error().first().code, "MO-PLUGIN-0025");
  registry.set_owner("another", true);
  registry.add(Frontend{"x", "X", {".x"}, read});
  ASSERT_EQ(registry.problems().size(), 2U);
  EXPECT_EQ(registry.problems()[1].code, "MO-PLUGIN-0022");
}

}  // namespace
}  // namespace mo
