#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "core/tensor/convert.hpp"
#include "core/tensor/packing.hpp"
#include "core/tensor/saturating_convert.hpp"
#include "core/tensor/small_real.hpp"

namespace mo {
namespace {

#include "tests/core/small_reals_of_openvino.inc"

struct SmallRealCase {
  ElementType type;
  std::span<const double> values;         ///< of all bit patterns
  std::span<const std::uint8_t> nearest;  ///< to kNumbers
};

const std::vector<SmallRealCase>& small_real_cases() {
  static const std::vector<SmallRealCase> all{
      {ElementType::nf4, kValuesOfNf4, kNearestNf4},          {ElementType::f4e2m1, kValuesOfF4e2m1, kNearestF4e2m1},
      {ElementType::f8e4m3, kValuesOfF8e4m3, kNearestF8e4m3}, {ElementType::f8e5m2, kValuesOfF8e5m2, kNearestF8e5m2},
      {ElementType::f8e8m0, kValuesOfF8e8m0, kNearestF8e8m0},
  };
  return all;
}

/// A tensor of 0, 1, 2 … as bit patterns.
Tensor every_pattern(ElementType type) {
  Tensor patterns = *Tensor::allocate(ElementType::u8, {std::int64_t{1} << bit_width(type)});
  const auto bytes = patterns.mutable_bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  return is_sub_byte(type) ? *packed_patterns(patterns, type) : patterns.reinterpreted(type);
}

/// Equal, or both NaN; zeros with their sign.
bool is_same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

TEST(SmallReals, have_the_values_of_openvino) {
  for (const SmallRealCase& c : small_real_cases()) {
    const std::vector<double> values = *to_reals(every_pattern(c.type));
    ASSERT_EQ(values.size(), c.values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(is_same(values[i], c.values[i])) << to_string(c.type) << " " << i << ": " << values[i];
  }
}

TEST(SmallReals, numbers_become_the_patterns_of_openvino) {
  for (const SmallRealCase& c : small_real_cases()) {
    const Tensor made = *convert(Tensor::of<float>({std::size(kNumbers)}, kNumbers), c.type);
    const Tensor patterns = is_sub_byte(c.type) ? *unpacked_patterns(made) : made;
    ASSERT_EQ(patterns.bytes().size(), c.nearest.size());
    for (std::size_t i = 0; i < c.nearest.size(); ++i)
      EXPECT_EQ(std::to_integer<int>(patterns.bytes()[i]), c.nearest[i]) << to_string(c.type) << " of " << kNumbers[i];
  }
}

TEST(SmallReals, every_value_keeps_its_pattern) {
  for (const SmallRealCase& c : small_real_cases()) {
    const Tensor all = every_pattern(c.type);
    for (const ElementType wide : {ElementType::f32, ElementType::f64}) {
      const Tensor back = *convert(*convert(all, wide), c.type);
      for (std::size_t i = 0; i < all.bytes().size(); ++i)
        if (!std::isnan(c.values[i % c.values.size()]) || is_sub_byte(c.type)) {
          EXPECT_EQ(back.bytes()[i], all.bytes()[i]) << to_string(c.type) << " " << i;
        }
    }
  }
}

TEST(SmallReals, saturation_gives_the_largest_value_instead_of_nan_and_infinity) {
  const Tensor large = Tensor::vector<double>({1e300, -1e6, 470, INFINITY, NAN});
  const auto saturated = [&](ElementType type) { return *to_reals(*convert_saturating(large, type)); };
  const std::vector<double> e4m3 = saturated(ElementType::f8e4m3);
  EXPECT_EQ((std::vector<double>{e4m3[0], e4m3[1], e4m3[2]}), (std::vector<double>{448, -448, 448}));
  EXPECT_TRUE(std::isnan(e4m3[3]) && std::isnan(e4m3[4]));
  const std::vector<double> e5m2 = saturated(ElementType::f8e5m2);
  EXPECT_EQ((std::vector<double>{e5m2[0], e5m2[1], e5m2[2], e5m2[3]}),
            (std::vector<double>{57344, -57344, 448, INFINITY}));
}

TEST(SmallReals, nan_of_either_sign_is_nan_in_f8e8m0) {
  EXPECT_EQ(nearest_small_real(ElementType::f8e8m0, std::copysign(NAN, -1.0F)), 255);
}

/// Bytes in which the runtime finds 0, 1, 2 …, found by setting one bit after the other.
TEST(Packing, lies_as_openvino_reads_it) {
  struct Case {
    ElementType type;
    std::vector<int> elements;
    std::vector<int> bytes;
  };
  for (const Case& c : std::vector<Case>{
           {ElementType::u1, {1, 0, 0, 0, 0, 0, 1, 1, 1}, {0x83, 0x80}},
           {ElementType::u2, {1, 2, 3, 0, 2}, {0x39, 0x02}},
           {ElementType::u3, {0, 1, 2, 3, 4, 5, 6, 7}, {0x1B, 0x1B, 0x0F}},
           {ElementType::u3, {7, 0, 0, 0, 4}, {0xC0, 0x00, 0x88}},
           {ElementType::u3, {0, 0, 0, 0, 0, 0, 0, 0, 5}, {0, 0, 0, 0x40, 0, 0x80}},
           {ElementType::u4, {1, 2, 3}, {0x21, 0x03}},
           {ElementType::u6, {1, 18, 35, 52}, {0x12, 0x34, 0x1B}},
           {ElementType::u6, {0, 0, 0, 0, 63}, {0, 0, 0, 0xF0, 0, 0xC0}},
           {ElementType::nf4, {1, 2, 3}, {0x21, 0x03}},
           {ElementType::f4e2m1, {15, 8}, {0x8F}},
       }) {
    SCOPED_TRACE(to_string(c.type));
    const auto count = static_cast<std::int64_t>(c.elements.size());
    const std::vector<std::int64_t> elements(c.elements.begin(), c.elements.end());
    const Tensor packed = *packed_patterns(*from_integers(ElementType::u8, {count}, elements), c.type);
    std::vector<int> bytes;
    for (const std::byte b : packed.bytes()) bytes.push_back(std::to_integer<int>(b));
    EXPECT_EQ(bytes, c.bytes);
    for (std::int64_t i = 0; i < count; ++i)
      EXPECT_EQ(sub_byte_element(packed, i), c.elements[static_cast<std::size_t>(i)]);
    EXPECT_EQ(*to_integers(*unpacked_patterns(packed)), elements);
  }
}

TEST(Packing, groups_of_three_bytes_are_complete) {
  const auto sizes = [](ElementType type) {
    std::vector<std::size_t> all;
    for (std::int64_t count = 0; count < 10; ++count) all.push_back(*byte_size(type, count));
    return all;
  };
  EXPECT_EQ(sizes(ElementType::u2), (std::vector<std::size_t>{0, 1, 1, 1, 1, 2, 2, 2, 2, 3}));
  EXPECT_EQ(sizes(ElementType::u3), (std::vector<std::size_t>{0, 3, 3, 3, 3, 3, 3, 3, 3, 6}));
  EXPECT_EQ(sizes(ElementType::u6), (std::vector<std::size_t>{0, 3, 3, 3, 3, 6, 6, 6, 6, 9}));
}

TEST(Packing, integers_are_limited_and_kept) {
  for (const ElementType type : {ElementType::u2, ElementType::u3, ElementType::u6}) {
    const std::int64_t most = (std::int64_t{1} << bit_width(type)) - 1;
    std::vector<std::int64_t> all(static_cast<std::size_t>(most) + 1);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(*to_integers(*from_integers(type, {most + 1}, all)), all) << to_string(type);
    const Tensor reals = *convert(Tensor::vector<float>({1000, -5, 1.9F}), type);
    EXPECT_EQ(*to_integers(reals), (std::vector<std::int64_t>{most, 0, 1})) << to_string(type);
  }
}

}  // namespace
}  // namespace mo
