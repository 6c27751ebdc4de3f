#include <gtest/gtest.h>

#include "core/pass/pass_manager.hpp"
#include "core/text/printer.hpp"
#include "ops/pattern.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

using test::Context;
using test::parse;
using test::parse_and_infer;
using test::square_rule;

TEST(Pattern, ARepeatedCaptureIsTheSameTensor) {
  const auto same = parse_and_infer("graph(%x: f32[2], %y: f32[2]) { %a = Multiply(%x, %x) return %a }");
  const auto other = parse_and_infer("graph(%x: f32[2], %y: f32[2]) { %a = Multiply(%x, %y) return %a }");
  Context c;
  EXPECT_TRUE(*run_rules({square_rule()}, *same, c.context));
  EXPECT_FALSE(*run_rules({square_rule()}, *other, c.context));
}

TEST(Pattern, BacktracksIntoTheOtherOrderOfAnInnerCommutativeOp) {
  using namespace pattern;
  const Pat x = any();
  const Pat y = any();
  const Matcher matcher((x + y) * x);
  const auto graph =
      parse_and_infer("graph(%p: f32[2], %q: f32[2]) { %s = Add(%p, %q) %a = Multiply(%s, %q) return %a }");
  const auto match = matcher.match(graph->results().front().input(0));
  ASSERT_TRUE(match) << "x must become q although p fits first";
  EXPECT_EQ((*match)[x], graph->parameters()[1].output());
}

TEST(Pattern, ConstraintsAreAttachedToTensors) {
  using namespace pattern;
  const Pat x = any().rank(2).element_type(ElementType::f32);
  const Matcher matcher(op<ops::ReLU>(x).one_use());
  const auto root = [](const Graph& g) { return g.results().front().input(0); };
  EXPECT_TRUE(matcher.match(root(*parse_and_infer("graph(%p: f32[2,2]) { %a = ReLU(%p) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: f32[2]) { %a = ReLU(%p) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: f16[2,2]) { %a = ReLU(%p) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: f32[2,2]) { %a = ReLU(%p) return %a, %a }"))));
  EXPECT_FALSE(Matcher(op<ops::ReLU>(any()))
                   .match(root(*parse_and_infer("graph(%p: f32[2,2]) { %a = Sigmoid(%p) return %a }"))));
  EXPECT_TRUE(Matcher(op(ops::Clamp{.min = 0, .max = 6}, any()))
                  .match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Clamp(%p) {min=0, max=6} return %a }"))));
  EXPECT_FALSE(Matcher(op(ops::Clamp{.min = 0, .max = 6}, any()))
                   .match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Clamp(%p) {min=0, max=5} return %a }"))));
}

TEST(Pattern, NumbersAreConstantsThatEqualThemEverywhere) {
  using namespace pattern;
  const Matcher matcher(any() * 0.1);
  const auto root = [](const Graph& g) { return g.results().front().input(0); };
  EXPECT_TRUE(matcher.match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Multiply(%p, 0.1) return %a }"))))
      << "0.1 rounded to f32";
  EXPECT_TRUE(
      matcher.match(root(*parse_and_infer("graph(%p: f16[2]) { %a = Multiply([0.1, 0.1]:f16, %p) return %a }"))));
  EXPECT_FALSE(
      matcher.match(root(*parse_and_infer("graph(%p: f32[2]) { %a = Multiply(%p, [0.1, 0.2]:f32) return %a }"))));
  EXPECT_FALSE(matcher.match(root(*parse_and_infer("graph(%p: i64[2]) { %a = Multiply(%p, 0) return %a }"))))
      << "0 is not 0.1 cut off";
}

TEST(Pattern, AlternativesAndOptionalOpsTellWhichOneMatched) {
  using namespace pattern;
  const Pat x = any();
  const Pat with = op<ops::ReLU>(x);
  const Matcher matcher(op<ops::Sigmoid>(any_of(with, x)));
  const auto plain = parse_and_infer("graph(%p: f32[2]) { %a = Sigmoid(%p) return %a }");
  const auto relu = parse_and_infer("graph(%p: f32[2]) { %r = ReLU(%p) %a = Sigmoid(%r) return %a }");
  const auto a = matcher.match(plain->results().front().input(0));
  const auto b = matcher.match(relu->results().front().input(0));
  ASSERT_TRUE(a && b);
  EXPECT_FALSE(a->find(with));
  EXPECT_TRUE(b->find(with));
  EXPECT_EQ((*b)[x], relu->parameters()[0].output());
  EXPECT_EQ(b->nodes().size(), 2U);
}

TEST(Pattern, ALatticeThatInvitesBacktrackingEndsSoon) {
  using namespace pattern;
  Pat p = any();
  for (int i = 0; i < 24; ++i) p = p + any();
  auto graph = std::make_unique<Graph>();
  Value v = graph->create_parameter({ElementType::f32, {2}}).output();
  for (int i = 0; i < 24; ++i) v = graph->create_node(ops::Add{}, {v, v}).output();
  const Matcher matcher(op<ops::ReLU>(p + 1.0));
  EXPECT_FALSE(matcher.match(graph->create_node(ops::ReLU{}, {v}).output()));
}

}  // namespace
}  // namespace mo
