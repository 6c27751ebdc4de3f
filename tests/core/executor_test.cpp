#include "core/execution/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

#include "core/execution/recipe.hpp"
#include "core/inference/evaluate.hpp"
#include "core/op/define_op.hpp"
#include "core/op/kernel_table.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

using test::parse;

std::string code_of(const Expected<std::vector<Tensor>>& result) { return result ? "" : result.error().first().code; }

TEST(Executor, RunsInTopologicalOrderAndReturnsResultsInTheirOrder) {
  const auto graph =
      parse("graph(%x: f32[2], %y: f32[2]) { %a = Subtract(%x, %y) %b = Multiply(%a, %a) return %b, %x }");
  const auto results = execute(*graph, {Tensor::vector<float>({5, 1}), Tensor::vector<float>({2, 3})});
  ASSERT_TRUE(results);
  EXPECT_EQ(*to_reals((*results)[0]), (std::vector<double>{9, 4}));
  EXPECT_EQ(*to_reals((*results)[1]), (std::vector<double>{5, 1}));
}

TEST(Executor, RefusesWhatDoesNotFit) {
  const auto graph = parse("graph(%x: f32[2]) { %a = ReLU(%x) return %a }");
  EXPECT_EQ(code_of(execute(*graph, {})), "MO-EXEC-0002");
  EXPECT_EQ(code_of(execute(*graph, {Tensor::vector<float>({1, 2, 3})})), "MO-EXEC-0002");
  EXPECT_EQ(code_of(execute(*graph, {Tensor::vector<double>({1, 2})})), "MO-EXEC-0002");
  const auto unknown = parse(R"(graph(%x: f32[2]) { %a = "Foo"(%x) return %a })");
  EXPECT_EQ(code_of(execute(*unknown, {Tensor::vector<float>({1, 2})})), "MO-EXEC-0001");
  const auto open = parse("graph(%x: f32[2]) { return %x }");
  open->results()[0].in_port(0).disconnect();
  EXPECT_EQ(code_of(execute(*open, {Tensor::vector<float>({1, 2})})), "MO-EXEC-0004");
}

/// Announces an output and forgets to fill it.
struct Forgetful {
  static constexpr OpId id{"Forgetful", "test"};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const {
    ctx.output(0, ElementType::f32, PartialShape({Dimension()}));
    return {};
  }
  Expected<void> evaluate(EvalContext&) const { return {}; }
};

TEST(Executor, AnOpWithoutResultIsNamed) {
  const Forgetful op;
  EXPECT_EQ(code_of(evaluate_op(OpType::of<Forgetful>(), &op, {Tensor::scalar<float>(1)}, 1)), "MO-EXEC-0003");
}

TEST(Executor, FasterKernelsAreAskedFirstAndMayDecline) {
  const auto graph = parse("graph(%x: f32[2]) { %a = ReLU(%x) %b = Abs(%a) return %b }");
  KernelTable kernels;
  kernels.add(OpType::of<ops::ReLU>(), [](const void*, EvalContext& ctx) -> Expected<bool> {
    // An output of an element-wise op holds anything at first: a kernel writes all of it.
    std::ranges::fill(ctx.output(0).mutable_values<float>(), 42.0F);
    return true;
  });
  kernels.add(OpType::of<ops::Abs>(), [](const void*, EvalContext&) -> Expected<bool> { return false; });
  const auto results = execute(*graph, {Tensor::vector<float>({-1, -2})}, {.kernels = &kernels});
  ASSERT_TRUE(results);
  EXPECT_EQ(*to_reals((*results)[0]), (std::vector<double>{42, 42}));
}

TEST(Executor, WhatIsStillReadIsNotOverwritten) {
  const auto graph = parse(
      "graph(%x: f32[2], %y: f32[2]) { %a = Subtract(%x, %y) %b = Abs(%a) %c = Multiply(%b, %b) %d = Add(%a, %c) "
      "%e = Add(%d, [1, 1]) return %b, %e, %x }");
  const std::vector<Tensor> inputs = {Tensor::vector<float>({1, -2}), Tensor::vector<float>({3, 1})};
  for (int run = 0; run < 2; ++run) {
    const auto results = execute(*graph, inputs);
    ASSERT_TRUE(results);
    EXPECT_EQ(*to_reals((*results)[0]), (std::vector<double>{2, 3}));
    EXPECT_EQ(*to_reals((*results)[1]), (std::vector<double>{3, 7}));
    EXPECT_EQ(*to_reals((*results)[2]), (std::vector<double>{1, -2}));
  }
}

TEST(Executor, AnElementwiseOpWritesOverAnInputThatIsNotReadAnyMore) {
  KernelTable kernels;
  kernels.add(OpType::of<ops::ReLU>(), [](const void*, EvalContext& ctx) -> Expected<bool> {
    const bool same = ctx.input(0).bytes().data() == ctx.output(0).bytes().data();
    std::ranges::fill(ctx.output(0).mutable_values<float>(), same ? 1.0F : 2.0F);
    return true;
  });
  for (const auto& [text, wanted] : {std::pair("graph(%x: f32[2]) { %a = Abs(%x) %b = ReLU(%a) return %b }", 1.0),
                                     std::pair("graph(%x: f32[2]) { %a = Abs(%x) %b = ReLU(%a) return %b, %a }", 2.0),
                                     std::pair("graph(%x: f32[2]) { %b = ReLU(%x) return %b }", 2.0)}) {
    const auto graph = parse(text);
    const auto results = execute(*graph, {Tensor::vector<float>({-1, -2})}, {.kernels = &kernels});
    ASSERT_TRUE(results);
    EXPECT_EQ(*to_reals((*results)[0]), (std::vector<double>{wanted, wanted})) << text;
  }
}

TEST(Executor, LargeTensorsArePermutedAsSmallOnes) {
  // Large enough for two threads, and no dimension is a whole number of tiles.
  const auto graph = parse("graph(%x: i32[3,5,127,301]) { %t = Transpose(%x, [3, 2, 0, 1]:i64) return %t }");
  std::vector<std::int32_t> numbers(3 * 5 * 127 * 301);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto results = execute(*graph, {Tensor::of<std::int32_t>({3, 5, 127, 301}, numbers)});
  ASSERT_TRUE(results);
  const auto found = results->front().values<std::int32_t>();
  std::size_t wrong = 0;
  std::size_t at = 0;
  for (std::int32_t o = 0; o < 301; ++o)
    for (std::int32_t i = 0; i < 127; ++i)
      for (std::int32_t h = 0; h < 3; ++h)
        for (std::int32_t w = 0; w < 5; ++w) wrong += found[at++] != ((h * 5 + w) * 127 + i) * 301 + o ? 1U : 0U;
  EXPECT_EQ(wrong, 0U);
}

TEST(Recipes, AreComputedWhenLoadedAndDeepChainsAtOnce) {
  Tensor t = Tensor::vector<float>({1, 2});
  const TensorType type = t.type();
  for (int i = 0; i < 200; ++i) {
    auto next = make_recipe(ops::Add{}, {t, Tensor::scalar<float>(1)}, 1, 0, type);
    ASSERT_TRUE(next);
    t = *std::move(next);
    EXPECT_LE(t.buffer()->recipe_depth(), 48U);
  }
  EXPECT_FALSE(t.in_memory());
  EXPECT_EQ(*to_reals(*t.load()), (std::vector<double>{201, 202}));
}

TEST(Executor, ChangesNoBodyAndRunsInSeveralThreads) {
  const auto graph = test::parse_and_infer(R"(graph(%c: boolean[], %x: f32[?]) {
  %y = If(%c, %x) {then_body=graph(%a: f32[?]) { %b = ReLU(%a) return %b }, else_body=graph(%a: f32[?]) { %b = Abs(%a) return %b },
    then_input_map=[{input=1, parameter=0}], else_input_map=[{input=1, parameter=0}], then_output_map=[{output=0, result=0}],
    else_output_map=[{output=0, result=0}]}
  return %y
})");
  const std::string before = to_text(*graph, {.types = true});
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::vector<float> numbers(static_cast<std::size_t>(1 + (i + t) % 7), -2.0F);
        const auto results = execute(*graph, {Tensor::scalar<bool>(i % 2 == 0), Tensor::vector(numbers)});
        if (results && results->front().element_count() == static_cast<std::int64_t>(numbers.size()) &&
            to_reals(results->front())->front() == (i % 2 == 0 ? 0.0 : 2.0))
          ++right;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 200);
  EXPECT_EQ(to_text(*graph, {.types = true}), before) << "the body's Parameter stays f32[?]";
}

}  // namespace
}  // namespace mo
