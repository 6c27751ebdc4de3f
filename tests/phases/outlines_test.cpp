#include <gmock/gmock.h>

#include <set>

#include "core/pass/pass_manager.hpp"
#include "driver/builtins.hpp"

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

std::set<std::string> set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

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
      EXPECT_EQ(set_of(outline->roots), set_of(pass->roots)) << pass->name;
      EXPECT_EQ(outline->fault ? outline->fault->last : "", pass->fault ? pass->fault->last : "") << pass->name;
      outlines += pass->by_rules && !outline->rules ? 1 : 0;
    }
    EXPECT_GT(outlines, 100U);
  }
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
