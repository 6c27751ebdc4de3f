#include "tools/common/tensor_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/tensor/convert.hpp"

namespace {

using namespace mo;
using namespace mo::tools;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Tensor reals(const std::vector<float>& values) { return Tensor::vector(values); }

TensorDifference difference(const Tensor& actual, const Tensor& expected, const Closeness& closeness = {1e-3, 1e-6}) {
  auto made = difference_of(actual, expected, closeness);
  EXPECT_TRUE(made);
  return *std::move(made);
}

TEST(TensorStatistics, OnlyFiniteNumbersCountForLeastMostMeanAndRms) {
  const auto made = statistics_of(reals({3, kNaN, -kInfinity, -4, kInfinity}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->nans, 1);
  EXPECT_EQ(made->infinities, 2);
  EXPECT_EQ(made->least, -4);
  EXPECT_EQ(made->most, 3);
  EXPECT_DOUBLE_EQ(made->mean, -0.5);
  EXPECT_DOUBLE_EQ(made->rms, std::sqrt(12.5));
}

TEST(TensorDifference, EqualTensorsAreClose) {
  const TensorDifference made = difference(reals({1, kNaN, kInfinity}), reals({1, kNaN, kInfinity}));
  EXPECT_TRUE(made.close());
  EXPECT_EQ(made.worst, 0);
  EXPECT_EQ(made.cosine, 1);
}

TEST(TensorDifference, TheToleranceFollowsTheScaleOfTheTensor) {
  EXPECT_TRUE(difference(reals({1000, 0.4F}), reals({1000, 0})).close()) << "what is left of rounding large terms";
  EXPECT_FALSE(difference(reals({1, 0.4F}), reals({1, 0})).close());
  EXPECT_FALSE(difference(reals({1e-4F, 2e-4F}), reals({1.1e-4F, 2e-4F})).close())
      << "small numbers are compared as strictly";
}

TEST(TensorDifference, NaNAndInfinityDifferFromNumbers) {
  EXPECT_EQ(difference(reals({1, kNaN}), reals({1, 2})).beyond, 1);
  EXPECT_EQ(difference(reals({1, kInfinity}), reals({1, -kInfinity})).beyond, 1);
}

TEST(TensorDifference, UnitsInTheLastPlaceAreThoseOfTheElementType) {
  EXPECT_EQ(difference(reals({std::nextafter(1.0F, 2.0F)}), reals({1.0F})).max_ulp, 1);
  const auto half = [](double value) { return *from_reals(ElementType::f16, {1}, {value}); };
  EXPECT_EQ(difference(half(1 + 1.0 / 1024), half(1)).max_ulp, 1);
}

TEST(TensorDifference, WholeNumbersMustBeTheSame) {
  EXPECT_FALSE(difference(Tensor::vector<std::int64_t>({1000000}), Tensor::vector<std::int64_t>({1000001})).close());
}

TEST(TensorDifference, AnotherTypeOrShapeIsSaidInWords) {
  EXPECT_EQ(difference(reals({1, 2}), reals({1})).to_string(), "f32[2] instead of f32[1]");
  EXPECT_FALSE(difference(reals({1}), Tensor::vector<std::int64_t>({1})).close());
}

}  // namespace
