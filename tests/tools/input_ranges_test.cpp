#include "tools/common/input_ranges.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "tests/core/support.hpp"
#include "tools/common/random_inputs.hpp"

namespace {

using namespace mo;
using namespace mo::tools;

/// "least..most" of the last input, or "any".
std::string range_in(const std::string& text) {
  const auto graph = test::parse_and_infer(text);
  const auto range = range_asked_of(graph->parameters().back());
  return range ? std::to_string(static_cast<int>(range->least)) + ".." + std::to_string(static_cast<int>(range->most))
               : "any";
}

TEST(InputRanges, IndicesAreInTheIndexedDimension) {
  EXPECT_EQ(range_in("graph(%d: f32[2,7], %i: i64[3]) { %y = Gather.v8(%d, %i, 1:i64) {batch_dims=0} return %y }"),
            "0..6");
  EXPECT_EQ(range_in("graph(%d: f32[2,7], %i: i64[3,1]) { %y = GatherND.v8(%d, %i) {batch_dims=0} return %y }"),
            "0..1");
  EXPECT_EQ(range_in("graph(%i: i64[3]) { %y = OneHot(%i, 5:i64, 1.0, 0.0) {axis=-1} return %y }"), "0..4");
}

TEST(InputRanges, OpsThatMoveElementsAreLookedThrough) {
  EXPECT_EQ(range_in("graph(%d: f32[2,7], %i: f32[3]) { %j = Convert(%i) {destination_type=i64} %y = Gather.v8(%d, %j, "
                     "0:i64) {batch_dims=0} return %y }"),
            "0..1");
}

TEST(InputRanges, SeveralReadersNarrowTheRange) {
  EXPECT_EQ(range_in("graph(%d: f32[2,7], %i: i64[3]) { %y = Gather.v8(%d, %i, 1:i64) {batch_dims=0} %z = "
                     "Gather.v8(%d, %i, 0:i64) {batch_dims=0} "
                     "return %y, %z }"),
            "0..1");
}

TEST(InputRanges, ArithmeticHasNoRequirements) {
  EXPECT_EQ(range_in("graph(%i: i64[3]) { %y = Add(%i, 1) return %y }"), "any");
}

TEST(InputRanges, RandomIndicesAreInRange) {
  const auto graph = test::parse_and_infer(
      "graph(%d: f32[2,7], %i: i64[300]) { %y = Gather.v8(%d, %i, 0:i64) {batch_dims=0} return %y }");
  const auto inputs = random_inputs(*graph, 3);
  ASSERT_TRUE(inputs);
  const auto indices = to_integers((*inputs)[1]);
  ASSERT_TRUE(indices);
  EXPECT_EQ(*std::min_element(indices->begin(), indices->end()), 0);
  EXPECT_EQ(*std::max_element(indices->begin(), indices->end()), 1);
}

}  // namespace
