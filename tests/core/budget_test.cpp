#include "core/support/budget.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include "core/execution/fold.hpp"
#include "core/execution/recipe.hpp"
#include "core/op/eval_context.hpp"
#include "core/tensor/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/non_zero.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

std::string exceeded_limit(const Expected<void>& result) {
  return result ? std::string() : result.error().first().code;
}

TEST(Budget, LimitsFollowFromTheInput) {
  Budget budget;
  const std::uint64_t small = budget.memory_limit();
  const std::uint64_t little_work = budget.work_limit();
  EXPECT_EQ(small, 1'500'000'000U);
  budget.add_input(1'000'000);
  EXPECT_EQ(budget.memory_limit(), small) << "the least that every model may take";
  EXPECT_EQ(budget.work_limit(), little_work + 2'000'000'000U);
  budget.add_input(1'000'000'000);
  EXPECT_EQ(budget.memory_limit(), 4'004'000'000U);
}

TEST(Budget, OptionsOverrideDerivedLimits) {
  EXPECT_EQ(Budget({.max_memory = 5'000'000}).memory_limit(), 5'000'000U);
  Budget trusted({.trusted = true});
  EXPECT_EQ(exceeded_limit(trusted.spend(std::uint64_t{1} << 62)), "");
  EXPECT_EQ(exceeded_limit(trusted.room_for(std::uint64_t{1} << 62)), "");
  EXPECT_TRUE(trusted.grow_constant(std::uint64_t{1} << 60));
  Budget both({.max_memory = 5'000'000, .trusted = true});
  EXPECT_EQ(exceeded_limit(both.room_for(6'000'000)), "MO-LIMIT-0001");
}

TEST(Budget, TensorsAreCountedWhileTheyLive) {
  Budget budget({.max_memory = 1'000'000});
  const BudgetScope scope(budget);
  {
    const auto one = Tensor::allocate(ElementType::u8, {600'000});
    ASSERT_TRUE(one);
    const auto two = Tensor::allocate(ElementType::u8, {600'000});
    ASSERT_FALSE(two);
    EXPECT_EQ(two.error().first().code, "MO-LIMIT-0001");
  }
  EXPECT_TRUE(Tensor::allocate(ElementType::u8, {600'000})) << "the first one is gone";
  EXPECT_EQ(budget.peak_bytes(), 600'000U);
}

TEST(Budget, GraphsAreCountedWhileTheyLive) {
  Budget budget({.max_memory = 3'000'000});
  const BudgetScope scope(budget);
  {
    Graph graph;
    for (int i = 0; i < 1000; ++i) graph.create_parameter({ElementType::f32, {}}, "p" + std::to_string(i));
    EXPECT_GE(budget.peak_bytes(), graph.store_bytes() / 2);
    EXPECT_EQ(exceeded_limit(spend(1)), "");
    for (int i = 0; i < 100'000; ++i)
      graph.create_parameter({ElementType::f32, {}}, "a parameter with a longer name " + std::to_string(i));
    EXPECT_EQ(exceeded_limit(spend(1)), "MO-LIMIT-0001");
  }
  EXPECT_EQ(exceeded_limit(spend(1)), "") << "the graph is gone";
}

TEST(Budget, WorkIsCountedAndTheSameOnEveryMachine) {
  Budget budget;
  EXPECT_EQ(exceeded_limit(budget.spend(budget.work_limit())), "");
  EXPECT_EQ(exceeded_limit(budget.spend(1)), "MO-LIMIT-0002");
  Budget timed({.max_seconds = 1000});
  EXPECT_EQ(exceeded_limit(timed.spend(std::uint64_t{1} << 60)), "") << "who gives a time is not limited by work";
}

TEST(Budget, TimeIsThatOfTheThread) {
  Budget budget({.max_seconds = 0.02});
  Expected<void> done;
  for (std::uint64_t steps = 0; done && steps < 1'000'000'000; ++steps) done = budget.spend(1'000'000);
  EXPECT_EQ(exceeded_limit(done), "MO-LIMIT-0003");
}

TEST(Budget, ItIsCancelledFromOutside) {
  std::atomic<bool> stop = false;
  Budget budget({.cancel = &stop});
  EXPECT_EQ(exceeded_limit(budget.spend(100'000'000)), "");
  stop = true;
  EXPECT_EQ(exceeded_limit(budget.spend(100'000'000)), "MO-LIMIT-0004");
}

TEST(Budget, WorkOutsideOfABudgetHasNoLimit) {
  EXPECT_EQ(Budget::current(), nullptr);
  EXPECT_EQ(exceeded_limit(spend(std::uint64_t{1} << 63)), "");
}

TEST(Budget, AnEmptyGraphIsSmall) {
  Budget budget;
  const BudgetScope scope(budget);
  Graph graph;
  const Node x = graph.create_parameter({ElementType::f32, {}}, "x");
  graph.create_result(x.output(), "r");
  EXPECT_LT(graph.store_bytes(), 600U);
}

TEST(Budget, ABodyTakesLessThanTwoKilobytes) {
  constexpr std::size_t kBodies = 1000;
  std::vector<std::unique_ptr<Graph>> bodies;
  bodies.reserve(kBodies);
  const std::size_t before = ::mallinfo2().uordblks;  // does not grow where a sanitizer has its own allocator
  for (std::size_t i = 0; i < kBodies; ++i) {
    auto body = std::make_unique<Graph>();
    body->create_result(body->create_parameter({ElementType::f32, {4}}, "x").output(), "r");
    bodies.push_back(std::move(body));
  }
  EXPECT_LT((::mallinfo2().uordblks - before) / kBodies, 2048U);
}

/// Per level Relu, Sigmoid and Add of the level before: 2^depth paths, 3 * depth operations.
Tensor deep_recipe(int depth, std::int64_t elements) {
  Tensor t = *Tensor::allocate(ElementType::f32, {elements});
  const TensorType type = t.type();
  for (int i = 0; i < depth; ++i) {
    const Tensor a = *make_recipe(ops::ReLU{}, {t}, 1, 0, type);
    const Tensor b = *make_recipe(ops::Abs{}, {t}, 1, 0, type);
    t = *make_recipe(ops::Add{}, {a, b}, 1, 0, type);
  }
  return t;
}

TEST(Recipes, SharedRecipesAreEvaluatedOnce) {
  Budget budget;
  const BudgetScope scope(budget);
  constexpr std::int64_t kElements = 1000;
  ASSERT_TRUE(deep_recipe(15, kElements).load());
  // 45 operations of at most three tensors; 2^15 evaluations would be 10^8.
  EXPECT_LT(budget.work(), 45 * (3 * 4 * kElements + 2 * work::kInferNode));
}

TEST(Recipes, DepthCostsNoMoreThanItsLength) {
  Budget budget;
  const BudgetScope scope(budget);
  ASSERT_TRUE(deep_recipe(200, 1000).load());
  EXPECT_LT(budget.work(), 2 * 600 * (3 * 4 * 1000 + 2 * work::kInferNode));
}

TEST(Recipes, GrowingConstantsAreCountedTogether) {
  Budget budget;
  const BudgetScope scope(budget);
  EXPECT_FALSE(may_grow_constant(600 << 20)) << "512 MB for one";
  EXPECT_TRUE(may_grow_constant(400 << 20));
  EXPECT_TRUE(may_grow_constant(400 << 20));
  EXPECT_FALSE(may_grow_constant(400 << 20)) << "1 GB for all of a small model";
  EXPECT_TRUE(may_grow_constant(100 << 20));
}

TEST(Folding, NonZeroOfAVeryLargeConstantStaysAnOperation) {
  Graph graph;
  const TensorType type{ElementType::f32, PartialShape({20'000'000})};
  const Tensor value = *make_recipe(ops::ReLU{}, {*Tensor::allocate(ElementType::f32, {20'000'000})}, 1, 0, type);
  const Node node = graph.create_node(ops::NonZero{}, {graph.create_constant(value).output()});
  const auto folded = fold_output(node, 0);
  ASSERT_TRUE(folded);
  EXPECT_TRUE(folded->empty()) << "160 MB of indices";
}

}  // namespace
}  // namespace mo
