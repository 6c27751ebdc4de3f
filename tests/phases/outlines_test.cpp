#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "core/pass/pass_manager.hpp"
#include "driver/builtins.hpp"
#include "driver/outlines/needed_ops.hpp"

namespace mo {
namespace {

std::vector<std::string> ordered_names(PassManager& manager, Registry& registry) {
  std::set<std::string> known;
  for (const Pass& pass : registry.passes().passes()) known.insert(pass.name);
  std::deque<Pass> passes = registry.passes().take();
  // Steps of the driver are not there.
  const std::set<std::string> anchors = {"FrontStart",   "FrontFinish",     "PreMiddleStart", "MiddleStart",
                                         "MiddleFinish", "PostMiddleStart", "BackStart",      "BackFinish"};
  const auto is_unknown = [&](const std::string& name) { return !known.contains(name) && !anchors.contains(name); };
  for (Pass& pass : passes) {
    std::erase_if(pass.after, is_unknown);
    std::erase_if(pass.before, is_unknown);
  }
  EXPECT_TRUE(manager.add(std::move(passes)));
  const auto order = manager.order();
  EXPECT_TRUE(order) << (order ? "" : order.error().first().message);
  if (!order) return {};
  std::vector<std::string> names;
  for (const Pass* pass : *order) names.push_back(pass->name);
  return names;
}

/// A graph with one node of each op, which need not make sense: of ops, patterns ask only whether they are there.
std::unique_ptr<Graph> graph_of(const std::vector<std::string>& ops, const OpRegistry& registry) {
  auto graph = std::make_unique<Graph>();
  for (const std::string& op : ops)
    if (const OpType* type = registry.newest(op)) graph->create_node(Op(*type), {});
  return graph;
}

bool may_occur(const Pass& pass, const Graph& graph) {
  return std::any_of(pass.rules->begin(), pass.rules->end(), [&](const RewriteRule& rule) {
    return rule.framework_names ||
           ((!rule.matcher || rule.matcher->may_occur_in(graph)) &&
            (rule.root_types.empty() || std::any_of(rule.root_types.begin(), rule.root_types.end(),
                                                    [&](const std::string& type) { return graph.has_op(type); })));
  });
}

TEST(Outlines, HaveThePlaceAndTheOpsOfTheirPasses) {
  if (is_selective_build()) GTEST_SKIP();
  for (const LinkedFrontend& frontend : linked_frontends()) {
    Registry whole;
    Registry outlined;
    register_builtins(whole, frontend.name, BuiltinPasses::of_conversions);
    register_builtins(outlined, frontend.name, BuiltinPasses::outlined);
    PassManager manager;
    PassManager manager_of_outlines;
    EXPECT_EQ(ordered_names(manager, whole), ordered_names(manager_of_outlines, outlined));
    std::size_t outlines = 0;
    const auto order = manager.order();
    ASSERT_TRUE(order);
    for (const Pass* pass : *order) {
      const Pass* const outline = manager_of_outlines.find(pass->name);
      ASSERT_NE(outline, nullptr) << pass->name;
      EXPECT_EQ(outline->phase, pass->phase) << pass->name;
      EXPECT_EQ(outline->enabled, pass->enabled) << pass->name;
      EXPECT_EQ(outline->into_bodies, pass->into_bodies) << pass->name;
      EXPECT_EQ(outline->by_rules, pass->by_rules) << pass->name;
      EXPECT_EQ(outline->looks_for, pass->looks_for) << pass->name;
      EXPECT_EQ(outline->fault ? outline->fault->last : "", pass->fault ? pass->fault->last : "") << pass->name;
      outlines += pass->by_rules && !outline->rules ? 1 : 0;
    }
    EXPECT_GT(outlines, 100U);
  }
}

// An outline must not hold back a pass that would find something, and is of use only where it holds back the others.
TEST(Outlines, RunThePassesWhoseRulesFindTheirOps) {
  if (is_selective_build()) GTEST_SKIP();
  Registry whole;
  Registry outlined;
  register_builtins(whole, usual_framework(), BuiltinPasses::of_conversions);
  register_builtins(outlined, usual_framework(), BuiltinPasses::outlined);
  const std::vector<std::vector<std::string>> models = {
      {},
      {"Const", "MatMul", "Add", "ReLU"},
      {"Const", "Convolution", "Multiply", "Add", "ReLU", "Clamp", "Divide"},
      {"Const", "ReduceMean", "Subtract", "Power", "Add", "Sqrt", "Divide", "Multiply"},
      {"Const", "Exp", "Erf", "Tanh", "Sigmoid", "Softplus", "Multiply", "Add", "Divide"},
      {"Const", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Gather", "Concat", "ShapeOf", "StridedSlice"},
      {"Const", "FakeQuantize", "Convert", "Maximum", "Minimum", "Round", "Subtract", "Multiply"},
      {"Loop", "If", "TensorIterator", "LSTMSequence", "Interpolate", "Pad", "Select", "TopK"}};
  std::size_t held_back = 0;
  std::size_t held_in_vain = 0;
  for (const std::vector<std::string>& ops : models) {
    const std::unique_ptr<Graph> graph = graph_of(ops, whole.ops());
    DiagnosticList diagnostics;
    const Settings settings;
    const PassContext context{diagnostics, settings};
    for (const Pass& pass : whole.passes().passes()) {
      if (!pass.by_rules) continue;
      const auto outline = std::find_if(outlined.passes().passes().begin(), outlined.passes().passes().end(),
                                        [&](const Pass& other) { return other.name == pass.name; });
      ASSERT_NE(outline, outlined.passes().passes().end()) << pass.name;
      if (outline->rules) continue;  // no outline
      const bool runs = !outline->condition || outline->condition(*graph, context);
      if (may_occur(pass, *graph)) {
        EXPECT_TRUE(runs) << pass.name << " in a graph of " << fmt::format("{}", fmt::join(ops, ", "));
      } else {
        held_back += runs ? 0 : 1;
        held_in_vain += runs ? 1 : 0;
      }
    }
  }
  EXPECT_GT(held_back, 50 * (held_in_vain + 1));
}

TEST(Outlines, OfNeededOpsAreReadAsTheyAreWritten) {
  if (is_selective_build()) GTEST_SKIP();
  Registry registry;
  register_builtins(registry, usual_framework());
  const auto graph = graph_of({"Add", "Multiply"}, registry.ops());
  for (const std::string_view held : {"", "Add", "Add&Multiply", "(Add|Exp)", "(Exp|Add)", "(Exp&Erf|Add)",
                                      "Add&(Exp|Multiply)", "(Exp|Erf&Add|Add)&Multiply"})
    EXPECT_TRUE(has_needed_ops(held, *graph)) << held;
  for (const std::string_view missed : {"Exp", "Ad", "Addd", "Add&Exp", "(Exp&Add|Erf)", "Add&(Exp|Erf)",
                                        "(Add|Exp)&Erf", "(Exp|(Erf|Exp)&Add|Exp&Multiply)"})
    EXPECT_FALSE(has_needed_ops(missed, *graph)) << missed;
}

TEST(Outlines, OfFaultsThatAReleaseDoesNotHaveAreLeftOut) {
  if (is_selective_build()) GTEST_SKIP();
  const auto count = [](std::string_view release) {
    Registry registry;
    register_builtins(registry, usual_framework(), BuiltinPasses::outlined, release);
    return registry.passes().passes().size();
  };
  EXPECT_EQ(count("2021.4"), count(""));
  EXPECT_LT(count("latest"), count("2023.3"));
  EXPECT_LT(count("2023.3"), count(""));
}

TEST(Outlines, FindTheOperatorsOfTheWholeTable) {
  if (is_selective_build()) GTEST_SKIP();
  for (const LinkedFrontend& frontend : linked_frontends()) {
    Registry whole;
    Registry outlined;
    register_builtins(whole, frontend.name);
    register_builtins(outlined, frontend.name, BuiltinPasses::outlined);
    const OperatorTable& all = *whole.find_operators(std::string(frontend.name));
    const OperatorTable& promised = *outlined.find_operators(std::string(frontend.name));
    for (const auto& [op, rows] : all.rows()) {
      for (const OperatorTable::Row& row : rows) {
        const OperatorTable::Row* const found = promised.find(op, row.versions.first);
        ASSERT_NE(found, nullptr) << op;
        EXPECT_EQ(found->versions.last, row.versions.last) << op;
        EXPECT_EQ(found->refuses, row.refuses) << op;
      }
      EXPECT_EQ(promised.find(op + "x", 1), all.find(op + "x", 1));
    }
    EXPECT_EQ(promised.find("", 1), nullptr);
    EXPECT_EQ(promised.rows().size(), all.rows().size());
    EXPECT_TRUE(promised.problems().empty());
  }
}

}  // namespace
}  // namespace mo
