#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "ops/reference/convolution.hpp"
#include "ops/reference/elementwise_binary.hpp"
#include "ops/reference/exponential.hpp"
#include "ops/reference/gemm.hpp"
#include "ops/reference/lanes.hpp"
#include "ops/reference/order.hpp"
#include "ops/reference/reduce.hpp"
#include "ops/reference/stretches.hpp"
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
  for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 35})
    for (std::int64_t columns = 1; columns <= kPanelColumns; ++columns) {
      const auto left = numbers<TypeParam>(rows * kDepth);
      const std::int64_t out_stride = columns + 1;
      std::vector<TypeParam> wanted(static_cast<std::size_t>(rows * out_stride), TypeParam(42));
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t j = 0; j < columns; ++j) {
          TypeParam sum = 0;
          for (std::int64_t k = 0; k < kDepth; ++k)
            sum += left[static_cast<std::size_t>(r * kDepth + k)] * panel[static_cast<std::size_t>(k * kStride + j)];
          wanted[static_cast<std::size_t>(r * out_stride + j)] = sum;
        }
      std::vector<TypeParam> interleaved(left.size());
      interleave_rows<TypeParam>(left.data(), rows, kDepth, evenly_spaced(kDepth, 1), interleaved.data());
      for (const VectorWidth width : {VectorWidth::common, VectorWidth::avx2, VectorWidth::avx512}) {
        if (width > vector_width()) continue;
        std::vector<TypeParam> out(wanted.size(), TypeParam(42));
        multiply_panel<TypeParam>(interleaved.data(), rows, panel.data(), evenly_spaced(kDepth, kStride), out.data(),
                                  out_stride, columns, width);
        ASSERT_EQ(out, wanted) << rows << " rows, " << columns << " columns";  // nothing beyond the columns is written
      }
    }
}

struct Coordinates {
  std::int64_t z, y, x;
};
Coordinates coordinates(std::int64_t i, std::int64_t height, std::int64_t width) {
  return {i / (height * width), i / width % height, i % width};
}

/// The definition of a convolution: each result sums over channels and kernel positions upwards.
std::vector<float> convolution_by_definition(std::span<const float> data, std::span<const float> filters,
                                             const ConvolutionGeometry& g) {
  const auto& [z, y, x] = g.window.axes;
  const std::int64_t kernel = g.window.kernel_size();
  std::vector<float> out;
  for (std::int64_t plane = 0; plane < g.batch * g.groups * g.out_channels; ++plane)
    for (std::int64_t position = 0; position < g.window.out_size(); ++position) {
      const std::int64_t block = plane / g.out_channels;  // of an image and a group
      const std::int64_t o = plane % g.out_channels;
      float sum = 0;
      for (std::int64_t i = 0; i < g.in_channels; ++i)
        for (std::int64_t k = 0; k < kernel; ++k) {
          const auto at = coordinates(position, y.out, x.out);
          const auto in_kernel = coordinates(k, y.kernel, x.kernel);
          const auto seen = [&](const WindowAxisGeometry& axis, std::int64_t to, std::int64_t tap) -> std::int64_t {
            std::int64_t from = to * axis.stride - axis.pad_begin + tap * axis.dilation;
            if (g.transposed) {
              from = to + axis.pad_begin - tap * axis.dilation;
              if (from % axis.stride != 0) return -1;
              from /= axis.stride;
            }
            return from < axis.in ? from : -1;
          };
          const std::int64_t at_z = seen(z, at.z, in_kernel.z);
          const std::int64_t at_y = seen(y, at.y, in_kernel.y);
          const std::int64_t at_x = seen(x, at.x, in_kernel.x);
          if (at_z < 0 || at_y < 0 || at_x < 0) continue;
          const std::int64_t group = block % g.groups;
          const std::int64_t filter = g.transposed ? (group * g.in_channels + i) * g.out_channels + o
                                                   : (group * g.out_channels + o) * g.in_channels + i;
          const std::int64_t element = (((block * g.in_channels + i) * z.in + at_z) * y.in + at_y) * x.in + at_x;
          sum += data[static_cast<std::size_t>(element)] * filters[static_cast<std::size_t>(filter * kernel + k)];
        }
      out.push_back(sum);
    }
  return out;
}

TEST(Convolution, NeedsNoMemoryForPaddingThatIsSeenByNoFilter) {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  const std::vector<float> data{1, 2, 3, 4, 5};
  const std::vector<float> filter{7, 10, 9};
  for (const bool transposed : {false, true}) {
    ConvolutionGeometry g{.batch = 1, .in_channels = 1, .out_channels = 1, .transposed = transposed, .window = {}};
    g.window.axes[2] = {.in = 5, .out = 5, .kernel = 3, .dilation = kFar, .pad_begin = kFar, .pad_end = kFar};
    Tensor out = *Tensor::allocate(ElementType::f32, {5});
    ASSERT_TRUE(convolution(Tensor::of<float>({5}, data), Tensor::of<float>({3}, filter), out, g));
    EXPECT_EQ(std::vector(out.values<float>().begin(), out.values<float>().end()),
              (std::vector<float>{10, 20, 30, 40, 50}));
  }
}

std::string described(const ConvolutionGeometry& g) {
  std::string text = fmt::format("{}, batch {}, groups {}, channels {} to {}", g.transposed ? "transposed" : "plain",
                                 g.batch, g.groups, g.in_channels, g.out_channels);
  for (const WindowAxisGeometry& axis : g.window.axes)
    text += fmt::format("; {} to {}, kernel {}, stride {}, dilation {}, pads {} and {}", axis.in, axis.out, axis.kernel,
                        axis.stride, axis.dilation, axis.pad_begin, axis.pad_end);
  return text;
}

TEST(Convolution, IsItsDefinitionToTheBitForAnyGeometry) {
  std::mt19937 random(7);
  const auto any = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (int i = 0; i < 300; ++i) {
    ConvolutionGeometry g{.batch = any(1, 2),
                          .groups = any(1, 3),
                          .in_channels = any(1, 3),
                          .out_channels = std::array<std::int64_t, 6>{1, 2, 3, 7, 8, 17}[random() % 6],
                          .transposed = random() % 2 == 0,
                          .window = {}};
    const std::size_t rank = random() % 3 + 1;
    for (std::size_t a = 3 - rank; a < 3; ++a) {
      WindowAxisGeometry& axis = g.window.axes[a];
      axis = {.kernel = any(1, 4),
              .stride = std::array<std::int64_t, 5>{1, 1, 2, 3, 7}[random() % 5],
              .dilation = any(1, 3),
              .pad_begin = any(-1, 6),
              .pad_end = any(-1, 6)};
      const std::int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
      axis.in = any(1, a == 2 ? 50 : 4);
      if (g.transposed) {
        axis.out = (axis.in - 1) * axis.stride + extent - axis.pad_begin - axis.pad_end + any(0, 2);
        axis.out = std::max<std::int64_t>(axis.out, 1);
      } else {
        axis.in = std::max(axis.in, extent - axis.pad_begin - axis.pad_end);
        axis.out = (axis.in + axis.pad_begin + axis.pad_end - extent) / axis.stride + 1;
      }
    }
    const auto data = numbers<float>(g.batch * g.groups * g.in_channels * g.window.in_size());
    const auto filters = numbers<float>(g.groups * g.out_channels * g.in_channels * g.window.kernel_size());
    const std::int64_t count = g.batch * g.groups * g.out_channels * g.window.out_size();
    Tensor out = *Tensor::allocate(ElementType::f32, {count});
    ASSERT_TRUE(convolution(Tensor::of<float>({std::ssize(data)}, data),
                            Tensor::of<float>({std::ssize(filters)}, filters), out, g));
    const auto made = out.values<float>();
    ASSERT_EQ(std::vector(made.begin(), made.end()), convolution_by_definition(data, filters, g)) << described(g);
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

constexpr std::int64_t kMany = 2 * kStretch + 77;  // two whole stretches and a part

template <class T>
Tensor random_integers(std::int64_t count) {
  std::mt19937_64 random(static_cast<std::uint64_t>(count) + sizeof(T));
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = static_cast<T>(random());
  return Tensor::vector(values);
}

template <class T>
class Stretches : public testing::Test {};
using Integers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Stretches, Integers);

TYPED_TEST(Stretches, ArithmeticWrapsAroundInTheElementType) {
  using T = TypeParam;
  const Tensor a = random_integers<T>(kMany);
  const Tensor b = random_integers<T>(1);
  Tensor out = *Tensor::allocate(a.element_type(), a.shape());
  elementwise_binary(BinaryKind::multiply, a, b, out);
  for (std::size_t i = 0; i < a.values<T>().size(); ++i) {
    const auto product = static_cast<std::uint64_t>(a.values<T>()[i]) * static_cast<std::uint64_t>(b.values<T>()[0]);
    ASSERT_EQ(out.values<T>()[i], static_cast<T>(product)) << i;
  }
  elementwise_binary(BinaryKind::maximum, b, a, out);
  for (std::size_t i = 0; i < a.values<T>().size(); ++i)
    ASSERT_EQ(out.values<T>()[i], std::max(a.values<T>()[i], b.values<T>()[0])) << i;
}

TYPED_TEST(Stretches, TheLowestNumberOfTheElementTypeIsNotDividedByMinusOne) {
  using T = TypeParam;
  const Tensor a = Tensor::vector<T>({std::numeric_limits<T>::min(), 7});
  const Tensor b = Tensor::vector<T>({static_cast<T>(-1)});
  Tensor out = *Tensor::allocate(a.element_type(), a.shape());
  EXPECT_EQ(elementwise_binary(BinaryKind::divide_floor, a, b, out),
            std::is_signed_v<T> ? ArithmeticFault::quotient_too_large : ArithmeticFault::none);
  const Tensor zero = Tensor::vector<T>({0});
  elementwise_binary(BinaryKind::power, zero, b, out);  // 1 / 0 saturates where -1 is negative
  EXPECT_EQ(out.values<T>()[0], std::is_signed_v<T> ? std::numeric_limits<T>::max() : T(0));
}

TYPED_TEST(Stretches, SumsAndLimitsAreThoseOfThePlainLoop) {
  using T = TypeParam;
  const Tensor a = random_integers<T>(kMany);
  Tensor out = *Tensor::allocate(a.element_type(), {});
  const auto values = a.values<T>();
  ASSERT_TRUE(reduce(a, out, {true}, ReduceKind::sum));
  std::uint64_t sum = 0;
  for (const T value : values) sum += static_cast<std::uint64_t>(value);
  EXPECT_EQ(out.values<T>()[0], static_cast<T>(sum));
  ASSERT_TRUE(reduce(a, out, {true}, ReduceKind::min));
  EXPECT_EQ(out.values<T>()[0], *std::min_element(values.begin(), values.end()));
}

TYPED_TEST(Stretches, KeysAreInTheOrderOfTheElements) {
  using T = TypeParam;
  const Tensor a = random_integers<T>(60);
  std::vector<std::int64_t> keys(60);
  order_keys(a, 0, 10, 6, 6, keys.data());
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 60; ++j) ASSERT_EQ(keys[i] < keys[j], a.values<T>()[i] < a.values<T>()[j]);
}

TEST(OrderKeys, NotANumberIsLastAndZerosAreEqual) {
  const auto check = [](const auto& values) {
    const Tensor tensor = Tensor::vector(values);
    std::vector<std::int64_t> keys(values.size());
    order_keys(tensor, 0, 1, 0, tensor.element_count(), keys.data());
    for (std::size_t i = 0; i < keys.size(); ++i)
      for (std::size_t j = 0; j < keys.size(); ++j)
        EXPECT_EQ(keys[i] < keys[j], ordered_before(values[i], values[j])) << i << ' ' << j;
  };
  const std::vector<float> values{-std::numeric_limits<float>::infinity(),
                                  -2,
                                  -1e-42F,
                                  -0.0F,
                                  0,
                                  1e-42F,
                                  2,
                                  std::numeric_limits<float>::infinity(),
                                  std::nanf(""),
                                  -std::nanf("")};
  check(values);
  check(std::vector<double>(values.begin(), values.end()));
  std::vector<float16> f16;
  for (const float value : values) f16.push_back(static_cast<float16>(value));
  const Tensor tensor = Tensor::vector(f16);
  std::vector<std::int64_t> keys(f16.size());
  order_keys(tensor, 0, 1, 0, tensor.element_count(), keys.data());
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < keys.size(); ++j)
      EXPECT_EQ(keys[i] < keys[j], ordered_before(static_cast<float>(f16[i]), static_cast<float>(f16[j])));
}

}  // namespace
}  // namespace mo::ops::reference
