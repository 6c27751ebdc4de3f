#include <gtest/gtest.h>

#include "core/comparison/graph_comparison.hpp"
#include "core/text/parser.hpp"
#include "tests/support/builtins.hpp"

namespace mo {
namespace {

TEST(GraphComparison, InputsWithoutReadersCountUnlessTheyAreExcluded) {
  const auto actual = parse_graph("graph(%u: i64[7], %x: f32[2]) {\n  %y = ReLU(%x)\n  return %y\n}",
                                  test::builtins().ops(), {.infer = true});
  const auto expected =
      parse_graph("graph(%x: f32[2]) {\n  %y = ReLU(%x)\n  return %y\n}", test::builtins().ops(), {.infer = true});
  ASSERT_TRUE(actual && expected);
  const auto differences = compare_graphs(**actual, **expected);
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(differences.front().to_string(), "model: 2 inputs instead of 1");
  EXPECT_TRUE(compare_graphs(**actual, **expected, {.unread_inputs = false}).empty());
}

}  // namespace
}  // namespace mo
