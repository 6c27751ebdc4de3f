#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "ops/reference/exponential.hpp"
#include "ops/reference/gemm.hpp"
#include "ops/reference/lanes.hpp"
#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {
namespace {

template <class C>
std::vector<C> numbers(std::int64_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<C> result(static_cast<std::size_t>(count));
  for (C& each : result)
    each = std::is_integral_v<C> ? static_cast<C>(random()) : static_cast<C>(random()) / static_cast<C>(7e8) - 3;
  return result;
}

template <class C>
class Panel : public testing::Test {};
using Types = testing::Types<float, double, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Panel, Types);

TYPED_TEST(Panel, EachSumRunsUpwardsWhateverTheSizes) {
  constexpr std::int64_t kDepth = 37;
  constexpr std::int64_t kStride = kPanelColumns + 3;
  const auto panel = numbers<TypeParam>(kDepth * kStride);
  for (const std::int64_t rows : {1, 2, 3, 4, 7, 8, 9, 15})
    for (std::int64_t columns = 1; columns <= kPanelColumns; ++columns) {
      const auto left = numbers<TypeParam>(rows * kDepth);
      const std::int64_t out_stride = columns + 1;
      std::vector<TypeParam> out(static_cast<std::size_t>(rows * out_stride), TypeParam(42));
      std::vector<TypeParam> wanted = out;
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t j = 0; j < columns; ++j) {
          TypeParam sum = 0;
          for (std::int64_t k = 0; k < kDepth; ++k)
            sum += left[static_cast<std::size_t>(r * kDepth + k)] * panel[static_cast<std::size_t>(k * kStride + j)];
          wanted[static_cast<std::size_t>(r * out_stride + j)] = sum;
        }
      multiply_panel<TypeParam>(left.data(), rows, panel.data(), panel_rows(kDepth, kStride), out.data(), out_stride,
                                columns);
      ASSERT_EQ(out, wanted) << rows << " rows, " << columns << " columns";  // nothing beyond the columns is written
    }
}

TEST(Exponential, IsTheNearestFloatWithVectorsOfEachWidth) {
  std::vector<float> in;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32U; bits += 100'003) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (x == x) in.push_back(x);
  }
  for (const VectorWidth width : {VectorWidth::common, VectorWidth::avx2, VectorWidth::avx512}) {
    if (width > vector_width()) continue;
    std::vector<float> powers(in.size());
    std::vector<float> tangents(in.size());
    const auto compute = [&, from = in.data(), count = in.size()](auto) {
      for (std::size_t i = 0; i < count; ++i) powers[i] = exponential(from[i]);
      for (std::size_t i = 0; i < count; ++i) tangents[i] = hyperbolic_tangent(from[i]);
    };
    run_vectorised(compute, width);
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(powers[i], static_cast<float>(std::exp(static_cast<double>(in[i])))) << in[i];
      ASSERT_EQ(tangents[i], static_cast<float>(std::tanh(static_cast<double>(in[i])))) << in[i];
    }
  }
}

TEST(Exponential, KnowsNoNumbersAndInfinities) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_NE(exponential(kNone), exponential(kNone));
  EXPECT_NE(hyperbolic_tangent(kNone), hyperbolic_tangent(kNone));
  EXPECT_EQ(exponential(kInfinity), kInfinity);
  EXPECT_EQ(exponential(-kInfinity), 0);
  EXPECT_EQ(hyperbolic_tangent(-kInfinity), -1);
  EXPECT_TRUE(std::signbit(hyperbolic_tangent(-0.0F)));
}

TEST(Lanes, TakeEachElementOnce) {
  for (std::int64_t count = 0; count < 30; ++count)
    EXPECT_EQ(fold_in_lanes(
                  count, std::int64_t{0}, [](std::int64_t i) { return i; }, std::plus<>(), std::plus<>()),
              count * (count - 1) / 2);
}

}  // namespace
}  // namespace mo::ops::reference
