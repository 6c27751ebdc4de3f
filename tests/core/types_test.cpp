#include <gtest/gtest.h>

#include "core/tensor/convert.hpp"
#include "core/tensor/half.hpp"
#include "core/tensor/saturating_convert.hpp"
#include "core/tensor/small_real.hpp"
#include "core/types/partial_shape.hpp"

namespace mo {
namespace {

const Dimension kUnknown = Dimension::unknown();

TEST(ElementTypes, NamesReadBackAndSizesFit) {
  for (const ElementType type : all_element_types()) EXPECT_EQ(element_type_from(to_string(type)), type);
  EXPECT_FALSE(element_type_from("float"));
  EXPECT_EQ(byte_size(ElementType::i4, 3), 2U);
  EXPECT_EQ(byte_size(ElementType::u1, 9), 2U);
  EXPECT_EQ(byte_size(ElementType::boolean, 5), 5U);
  EXPECT_FALSE(byte_size(ElementType::f64, INT64_MAX / 4)) << "overflow";
  EXPECT_FALSE(byte_size(ElementType::string, 1));
  EXPECT_FALSE(byte_size(ElementType::f32, -1));
}

TEST(ElementTypes, OthersAreKnownByNameOnly) {
  const auto type = named_element_type("f3e1m1");
  ASSERT_TRUE(type);
  EXPECT_TRUE(is_named(*type));
  EXPECT_EQ(named_element_type("f3e1m1"), type) << "one name is one type";
  EXPECT_NE(named_element_type("F3E1M1"), type);
  EXPECT_EQ(to_string(*type), "f3e1m1");
  EXPECT_FALSE(element_type_from("f3e1m1")) << "who asks for known types is not given others";
  EXPECT_EQ(bit_width(*type), 0U);
  EXPECT_FALSE(byte_size(*type, 1));
  EXPECT_TRUE(has_own_size(*type));
  for (const auto kind : {is_real, is_small_real, is_integral, is_signed}) EXPECT_FALSE(kind(*type));
  EXPECT_EQ(named_element_type("f32"), ElementType::f32);
  for (const ElementType known : all_element_types()) EXPECT_FALSE(is_named(known));
  for (const char* const wrong : {"", "3f", "_f", "f 3", "f\n", "f\"", "f.3", "a_name_of_more_than_thirty_two_ch"})
    EXPECT_FALSE(named_element_type(wrong)) << wrong;
  EXPECT_TRUE(is_type_name("a_name_of_just_thirty_two_chars_"));
  EXPECT_EQ(to_string(static_cast<ElementType>(255)), "unknown") << "a number without a name";
}

TEST(Dimensions, IntervalArithmeticSaturates) {
  const Dimension a(2, 4);
  EXPECT_EQ((a + Dimension(1)).to_string(), "3..5");
  EXPECT_EQ((a * Dimension(3)).to_string(), "6..12");
  EXPECT_EQ((a - Dimension(3)).to_string(), "0..1");
  EXPECT_EQ((Dimension(5, 9) - Dimension(1, 3)).to_string(), "2..8")
      << "the least minus the most, the most minus the least";
  EXPECT_EQ((kUnknown + Dimension(1)).to_string(), "1..");
  EXPECT_EQ((Dimension(0) * kUnknown).to_string(), "0");
  EXPECT_EQ(a.ceil_div(3).to_string(), "1..2");
  EXPECT_EQ((Dimension(INT64_MAX - 1, INT64_MAX - 1) + Dimension(5)).max(), Dimension::kNoLimit);
}

TEST(Dimensions, MergeKeepsWhatBothKnow) {
  EXPECT_EQ(Dimension(2, 8).merge(Dimension(4, 10))->to_string(), "4..8");
  EXPECT_EQ(kUnknown.merge(Dimension(3))->value(), 3);
  EXPECT_EQ(kUnknown.merge(Dimension::unknown(7))->symbol(), 7U) << "whichever of the two has a name";
  EXPECT_FALSE(Dimension(3).merge(Dimension(4)));
  EXPECT_TRUE(Dimension::unknown(7).same_value(Dimension::unknown(7)));
  EXPECT_FALSE(kUnknown.same_value(kUnknown));
}

struct BroadcastCase {
  PartialShape a, b;
  std::string want;  ///< empty: contradiction
};

TEST(Broadcast, FollowsNumpyAlsoWhereDimensionsAreUnknown) {
  const BroadcastCase cases[] = {
      {{2, 3}, {3}, "[2,3]"},
      {{2, 1}, {1, 5}, "[2,5]"},
      {PartialShape(Shape{}), {4}, "[4]"},
      {{2, 3}, {4}, ""},
      {{kUnknown}, {5}, "[5]"},
      {{kUnknown}, {1}, "[?]"},
      {{kUnknown}, {kUnknown}, "[?]"},
      {{Dimension(2, 8)}, {5}, "[5]"},
      {{Dimension(2, 4)}, {5}, ""},
      {{0}, {1}, "[0]"},
      {{0}, {kUnknown}, "[0]"},
      {PartialShape::unknown_rank(), {1}, "[...]"},
  };
  for (const BroadcastCase& c : cases) {
    const auto got = broadcast(c.a, c.b);
    EXPECT_EQ(got ? got->to_string() : "", c.want) << c.a.to_string() << " with " << c.b.to_string();
    const auto swapped = broadcast(c.b, c.a);
    EXPECT_EQ(swapped ? swapped->to_string() : "", c.want) << "swapped";
  }
  const PartialShape batch({Dimension::unknown(3), 4});
  EXPECT_EQ((*broadcast(batch, batch))[0].symbol(), 3U) << "a symbol survives";
}

TEST(Shapes, ElementCountIsChecked) {
  EXPECT_EQ(element_count(Shape{}), 1);
  EXPECT_EQ(element_count(Shape{2, 0, INT64_MAX}), 0);
  EXPECT_FALSE(element_count(Shape{INT64_MAX, 2}));
  EXPECT_FALSE(element_count(Shape{-1}));
}

TEST(Tensors, SharesBytesAndChecksBounds) {
  const Tensor t = Tensor::of<float>({2, 2}, std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(t.reshaped({4}).buffer(), t.buffer());
  EXPECT_EQ(Tensor::from_buffer(ElementType::f32, {5}, t.buffer()).error().first().code, "MO-CORE-0003");
  EXPECT_EQ(Tensor::from_buffer(ElementType::f32, {1}, t.buffer(), 17).error().first().code, "MO-CORE-0003");
  EXPECT_EQ(Tensor::allocate(ElementType::f32, {INT64_MAX, 2}).error().first().code, "MO-CORE-0002");
  EXPECT_EQ(HeapBuffer::allocate(UINT64_MAX / 2).error().first().code, "MO-CORE-0001");
}

TEST(Convert, SaturatesTruncatesAndPacks) {
  const Tensor reals = Tensor::vector<float>({1.9F, -1.9F, 300.F, -300.F, NAN, INFINITY});
  EXPECT_EQ(*to_integers(*convert(reals, ElementType::i8)), (std::vector<std::int64_t>{1, -1, 127, -128, 0, 127}));
  EXPECT_EQ(*to_integers(*convert(reals, ElementType::u8)), (std::vector<std::int64_t>{1, 0, 255, 0, 0, 255}));
  EXPECT_EQ(*to_integers(*convert(reals, ElementType::boolean)), (std::vector<std::int64_t>{1, 1, 1, 1, 1, 1}));
  const Tensor packed = *convert(Tensor::vector<std::int64_t>({-8, 7, 3}), ElementType::i4);
  EXPECT_EQ(packed.byte_size(), 2U);
  EXPECT_EQ(*to_integers(packed), (std::vector<std::int64_t>{-8, 7, 3}));
  const Tensor bits = *convert(Tensor::vector<std::int64_t>({1, 0, 0, 0, 0, 0, 0, 0, 1}), ElementType::u1);
  EXPECT_EQ(std::to_integer<int>(bits.bytes()[0]), 0x80) << "the first element is the most significant bit";
  EXPECT_EQ(*to_reals(*convert(Tensor::vector<float>({1.0F / 3}), ElementType::f16)),
            std::vector<double>{0.333251953125});
  EXPECT_EQ(convert(from_strings({1}, {"a"}), ElementType::f32).error().first().code, "MO-CORE-0004");
}

/// The least and the largest number of a type.
std::pair<long double, long double> limits_of(ElementType type) {
  if (type == ElementType::boolean) return {0, 1};
  if (type == ElementType::f16) return {-65504, 65504};
  if (type == ElementType::bf16) return {-3.3895313892515355e38L, 3.3895313892515355e38L};
  if (type == ElementType::f32) return {-std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  if (type == ElementType::f64) return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  if (type == ElementType::f8e8m0) return {std::ldexp(1.0L, -127), std::ldexp(1.0L, 127)};
  if (is_small_real(type)) {
    const std::span<const float> values = std::span(small_real_values(type)).first(std::size_t{1} << bit_width(type));
    float most = 0;
    for (const float value : values) most = std::isfinite(value) ? std::max(most, value) : most;
    return {-most, most};
  }
  const long double count = std::ldexp(1.0L, static_cast<int>(bit_width(type)));
  return is_signed(type) ? std::pair(-count / 2, count / 2 - 1) : std::pair(0.0L, count - 1);
}

/// The two limits of a type, exactly.
Tensor tensor_of_limits(ElementType type) {
  if (type == ElementType::u64) return Tensor::vector<std::uint64_t>({0, std::numeric_limits<std::uint64_t>::max()});
  const auto [least, most] = limits_of(type);
  if (holds_reals(type)) return *from_reals(type, {2}, {static_cast<double>(least), static_cast<double>(most)});
  return *from_integers(type, {2}, {static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)});
}

std::vector<long double> exact_numbers(const Tensor& tensor) {
  if (tensor.element_type() == ElementType::u64) {
    const auto numbers = tensor.values<std::uint64_t>();
    return {numbers.begin(), numbers.end()};
  }
  if (holds_reals(tensor.element_type())) {
    const std::vector<double> numbers = *to_reals(tensor);
    return {numbers.begin(), numbers.end()};
  }
  const std::vector<std::int64_t> numbers = *to_integers(tensor);
  return {numbers.begin(), numbers.end()};
}

TEST(SaturatingConvert, LimitsEveryTypeToEveryOther) {
  int pairs = 0;
  for (const ElementType from : all_element_types())
    for (const ElementType to : all_element_types()) {
      if (from == ElementType::string || to == ElementType::string) continue;
      const Tensor given = tensor_of_limits(from);
      const std::vector<long double> numbers = exact_numbers(given);
      const auto made = convert_saturating(given, to);
      ASSERT_TRUE(made) << to_string(from) << " to " << to_string(to);
      const std::vector<long double> results = exact_numbers(*made);
      const auto [least, most] = limits_of(to);
      for (std::size_t i = 0; i < 2; ++i) {
        const long double wanted =
            to == ElementType::boolean ? (numbers[i] != 0 ? 1 : 0) : std::clamp(numbers[i], least, most);
        // Whole numbers that a real type does not have are rounded.
        const long double part = is_real(to) ? 128 : to == ElementType::f8e8m0 ? 2 : 8;
        // 2^-127 is 0 in most types.
        const long double error = 1e-30L + (holds_reals(to) ? std::abs(wanted) / part : 0);
        EXPECT_NEAR(static_cast<double>(results[i] - wanted), 0, static_cast<double>(error))
            << to_string(from) << " to " << to_string(to) << ", limit " << i;
      }
      ++pairs;
    }
  EXPECT_EQ(pairs, 24 * 24);
}

TEST(SaturatingConvert, KeepsInfinitiesOfRealTypes) {
  const Tensor infinities = Tensor::vector<double>({-INFINITY, INFINITY});
  EXPECT_EQ(*to_reals(*convert_saturating(infinities, ElementType::f16)), (std::vector<double>{-INFINITY, INFINITY}));
  EXPECT_EQ(*to_integers(*convert_saturating(infinities, ElementType::i4)), (std::vector<std::int64_t>{-8, 7}));
}

TEST(Convert, LimitsRealsToTypesOfLessThanAByte) {
  const Tensor reals = Tensor::vector<float>({20, -20, 300, -300});
  EXPECT_EQ(*to_integers(*convert(reals, ElementType::i4)), (std::vector<std::int64_t>{7, -8, 7, -8}));
  EXPECT_EQ(*to_integers(*convert(reals, ElementType::u4)), (std::vector<std::int64_t>{15, 0, 15, 0}));
}

TEST(Strings, PackedFormReadsBackAndIsChecked) {
  const Tensor t = from_strings({2}, {"héllo", ""});
  EXPECT_EQ(*to_strings(t), (std::vector<std::string>{"héllo", ""}));
  auto heap = HeapBuffer::allocate(8);
  (*heap)->mutable_bytes()[0] = std::byte{9};
  EXPECT_EQ(to_strings(*Tensor::from_buffer(ElementType::string, {9}, *heap)).error().first().code, "MO-CORE-0003");
}

}  // namespace
}  // namespace mo
