#include "core/comparison/closeness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "core/comparison/graph_comparison.hpp"
#include "core/support/budget.hpp"
#include "core/tensor/convert.hpp"

namespace {

using namespace mo;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Tensor reals(const std::vector<float>& values) { return Tensor::vector(values); }

TensorDifference difference(const Tensor& actual, const Tensor& expected,
                            const Closeness& closeness = closeness::kConverted.single) {
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

TEST(TensorDifference, IntegersBooleansAndStringsMustBeTheSame) {
  const auto is_close = [](const Tensor& actual, const Tensor& expected) {
    const TensorDifference made = difference(actual, expected);
    EXPECT_EQ(made.close(), made.same());
    return made.close();
  };
  EXPECT_FALSE(is_close(Tensor::vector<std::int64_t>({1000000}), Tensor::vector<std::int64_t>({1000001})));
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;  // the next integer is no other number of type double
  EXPECT_FALSE(is_close(Tensor::scalar(kLarge), Tensor::scalar(kLarge + 1)));
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(is_close(Tensor::scalar(kLargest), Tensor::scalar(kLargest - 1)));
  EXPECT_FALSE(is_close(Tensor::scalar(true), Tensor::scalar(false)));
  EXPECT_TRUE(is_close(from_strings({2}, {"a", ""}), from_strings({2}, {"a", ""})));
  EXPECT_FALSE(is_close(from_strings({1}, {"a"}), from_strings({1}, {"b"})));
}

TEST(TensorDifference, TypesThatAreKnownByNameOnlyAreComparedByByte) {
  const auto tensor = [](std::initializer_list<int> bytes) {
    auto heap = HeapBuffer::allocate(bytes.size());
    std::transform(bytes.begin(), bytes.end(), (*heap)->mutable_bytes(), [](int b) { return std::byte(b); });
    return *Tensor::from_buffer(*named_element_type("f3e1m1"), {5}, *std::move(heap));
  };
  EXPECT_TRUE(difference_of(tensor({1, 2}), tensor({1, 2}), closeness::kSame)->same());
  EXPECT_EQ(difference_of(tensor({1, 3}), tensor({1, 2}), closeness::kSame)->to_string(), "byte 1 is 3 instead of 2");
  EXPECT_EQ(difference_of(tensor({1}), tensor({1, 2}), closeness::kSame)->to_string(), "1 bytes instead of 2");
  EXPECT_FALSE(*same_bytes(tensor({1, 3}), tensor({1, 2})));
  EXPECT_EQ(statistics_of(tensor({1}))->elements, 5);
}

TEST(TensorDifference, EachScaleAllowsItsPart) {
  const auto beyond = [](const Closeness& closeness) {
    return difference(reals({100.5F, 1.5F, 0.5F}), reals({100, 1, 0}), closeness).beyond;
  };
  EXPECT_EQ(beyond(closeness::kSame), 3);
  EXPECT_EQ(beyond({.relative = 0.01}), 2);
  EXPECT_EQ(beyond({.relative = 0.01, .least_scale = 50}), 0);
  EXPECT_EQ(beyond({.relative = 0.0086, .scale = Scale::element_and_rms}), 1) << "the rms is 57.74";
  EXPECT_EQ(beyond({.relative = 0.0087, .scale = Scale::element_and_rms}), 0);
  EXPECT_EQ(beyond({.relative = 0.0049, .scale = Scale::largest}), 3);
  EXPECT_EQ(beyond({.relative = 0.005, .scale = Scale::largest}), 0);
  EXPECT_EQ(beyond({.absolute = 0.5}), 0);
  EXPECT_FALSE(difference(reals({0.1F}), reals({0}), closeness::part_of_largest(0.09)).close());
  EXPECT_TRUE(difference(reals({0.1F}), reals({0}), closeness::part_of_largest(0.11)).close());
}

TEST(TensorDifference, ScalesAreThoseOfFiniteNumbers) {
  const Tensor expected = reals({1, kInfinity});
  for (const Scale scale : {Scale::element, Scale::element_and_rms, Scale::largest}) {
    const Closeness closeness{.relative = 0.1, .scale = scale};
    EXPECT_FALSE(difference(reals({2, kInfinity}), expected, closeness).close());
    EXPECT_FALSE(difference(reals({1, 1}), expected, closeness).close());
    EXPECT_FALSE(difference(reals({1, -kInfinity}), expected, closeness).close());
  }
}

TEST(TensorDifference, OnnxAsksForAThousandth) {
  const auto is_close = [](float actual, float expected) {
    return difference(Tensor::scalar(actual), Tensor::scalar(expected), closeness::kOnnxTests).close();
  };
  EXPECT_TRUE(is_close(1.0009F, 1));
  EXPECT_FALSE(is_close(1.0011F, 1));
  EXPECT_TRUE(is_close(5e-8F, 0));
  EXPECT_FALSE(is_close(2e-7F, 0));
  EXPECT_FALSE(is_close(3e38F, kInfinity));
}

TEST(TensorDifference, TheWorstElementIsNamed) {
  EXPECT_EQ(difference(reals({1, 2.5F, 4}), reals({1, 2, 3}), closeness::kSame).place, 2);
  EXPECT_EQ(difference(reals({1, kNaN, 4}), reals({1, 2, 3}), closeness::kSame).place, 1);
  EXPECT_EQ(difference(reals({1, kNaN}), reals({1, 2})).largest(), kInfinity);
  EXPECT_EQ(difference(from_strings({2}, {"a", "c"}), from_strings({2}, {"a", "b"})).to_string(),
            "element 1 is \"c\" instead of \"b\"; 1 of 2 beyond tolerance");
  EXPECT_EQ(difference(Tensor::vector<std::int32_t>({1000001}), Tensor::vector<std::int32_t>({1000000})).to_string(),
            "element 0 is 1000001 instead of 1000000; 1 of 1 beyond tolerance");
}

TEST(TensorDifference, LargeTensorsAreComparedInStretches) {
  std::vector<float> numbers((1 << 18) + 5, 1);
  const Tensor expected = reals(numbers);
  numbers.back() = 2;
  numbers.front() = 1.5F;
  const TensorDifference made = difference(reals(numbers), expected);
  EXPECT_EQ(made.differing, 2);
  EXPECT_EQ(made.place, (1 << 18) + 4);
  EXPECT_EQ(made.expected.elements, (1 << 18) + 5);
  EXPECT_TRUE(*same_bytes(expected, expected));
  EXPECT_TRUE(*same_bytes(expected, reals(std::vector<float>((1 << 18) + 5, 1))));
  EXPECT_FALSE(*same_bytes(reals(numbers), expected));
}

TEST(TensorDifference, NoLargeFileIsInMemoryAsAWhole) {
  constexpr std::int64_t kElements = (3 << 20) + 6;
  const auto path = testing::TempDir() + "stretches.bin";
  for (const ElementType type : {*named_element_type("f3e1m1"), ElementType::u4, ElementType::u8}) {
    const std::int64_t bytes = is_named(type) ? kElements : *byte_size(type, kElements);
    const auto file_of = [&](std::int64_t changed, const std::string& name) {
      std::string content(static_cast<std::size_t>(bytes), '\1');
      if (changed >= 0) content[static_cast<std::size_t>(changed)] = '\2';
      std::ofstream(path + name, std::ios::binary) << content;
      auto buffer = FileBuffer::create(*File::open(path + name), 0, static_cast<std::uint64_t>(bytes));
      return *Tensor::from_buffer(type, {kElements}, *std::move(buffer));
    };
    const Tensor whole = file_of(-1, "1");
    const Tensor same = file_of(-1, "2");
    const Tensor other = file_of(bytes - 1, "3");
    Budget budget({.trusted = true});
    const BudgetScope scope(budget);
    EXPECT_TRUE(*same_bytes(whole, same)) << to_string(type);
    EXPECT_FALSE(*same_bytes(whole, other)) << to_string(type);
    if (is_named(type)) {
      EXPECT_TRUE(difference(same, whole).same());
      EXPECT_EQ(difference(other, whole).kind, fmt::format("byte {} is 2 instead of 1", bytes - 1));
    }
    EXPECT_LT(budget.peak_bytes(), std::uint64_t{1} << 20) << to_string(type);
    if (type == ElementType::u4) {
      EXPECT_TRUE(difference(same, whole).same());
      EXPECT_EQ(difference(other, whole).place, kElements - 2);
    }
  }
}

TEST(TensorDifference, AnotherTypeOrShapeIsDescribed) {
  EXPECT_EQ(difference(reals({1, 2}), reals({1})).to_string(), "f32[2] instead of f32[1]");
  EXPECT_EQ(difference(reals({}), reals({1})).to_string(), "f32[0] instead of f32[1]");
  EXPECT_FALSE(difference(reals({1}), Tensor::scalar(1.0F)).close());
  EXPECT_FALSE(difference(reals({1}), Tensor::vector<std::int64_t>({1})).close());
}

TEST(CompareGraphs, ConstantsAreCompared) {
  const auto differences = [](Tensor actual, Tensor expected) {
    Graph graphs[2];
    graphs[0].create_result(graphs[0].create_constant(std::move(actual)).output());
    graphs[1].create_result(graphs[1].create_constant(std::move(expected)).output());
    return compare_graphs(graphs[0], graphs[1], {.constants = true, .closeness = {.relative = 1e-5}}).size();
  };
  EXPECT_EQ(differences(from_strings({1}, {"a"}), from_strings({1}, {"a"})), 0U);
  EXPECT_EQ(differences(from_strings({1}, {"a"}), from_strings({1}, {"b"})), 1U);
  EXPECT_EQ(differences(reals({1.000001F}), reals({1})), 0U);
  EXPECT_EQ(differences(reals({1}), reals({kInfinity})), 1U) << "a part of an infinity is infinite";
}

}  // namespace
