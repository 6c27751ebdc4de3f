#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "core/attributes/codec.hpp"
#include "core/execution/recipe.hpp"
#include "core/inference/infer.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/printer.hpp"
#include "ops/squeeze.hpp"
#include "tests/core/support.hpp"

/// Numbers, lists and sizes that come out as they went in, or are refused.
namespace mo {
namespace {

TEST(Exactness, TextKeepsTheDigitsOfF64) {
  const std::string text = "graph() {\n  return 0.1234567890123:f64\n}\n";
  EXPECT_EQ(to_text(*test::parse(text)), text);
}

TEST(Exactness, ListsOfUnequalLengthAreNotALiteral) {
  const auto graph = parse_graph("graph() { return [[1, 2], [3]]:f32 }", test::builtins().ops(), {});
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().first().code, "MO-TEXT-0001");
}

TEST(Exactness, AttributesOfAnIrHaveTheDigitsThatTheyNeed) {
  EXPECT_EQ(*to_ir_text(AttributeValue(0.1234567890123)), "0.1234567890123");
  EXPECT_EQ(*to_ir_text(AttributeValue(static_cast<double>(0.1F))), "0.1") << "a float needs no more";
}

TEST(Exactness, BooleansOfAnIrMayBeDigits) {
  EXPECT_EQ(*from_ir_text(AttributeKind::boolean, "1"), AttributeValue(true));
  EXPECT_EQ(*from_ir_text(AttributeKind::boolean, "0"), AttributeValue(false));
}

TEST(Exactness, AShapeOfNumbersHasEmptyDimensionsAndUnknownOnes) {
  const auto shape = AttributeCodec<PartialShape>::decode(AttributeValue(std::vector<std::int64_t>{0, -1, 2}));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->to_string(), "[0,?,2]");
}

TEST(Exactness, NonIntegersRoundToNearestOrZero) {
  const Tensor reals = Tensor::vector(std::vector<float>{std::numeric_limits<float>::quiet_NaN(), 1e20F, -1e20F, 2.5F});
  EXPECT_EQ(*to_integers(*convert(reals, ElementType::i32)), (std::vector<std::int64_t>{0, INT32_MAX, INT32_MIN, 2}));
}

TEST(Exactness, EveryByteButZeroIsTrue) {
  auto heap = *HeapBuffer::allocate(3);
  for (int i = 0; i < 3; ++i) heap->mutable_bytes()[i] = std::byte(i);
  const Tensor truths = *Tensor::from_buffer(ElementType::boolean, {3}, heap);
  EXPECT_EQ(*to_integers(truths), (std::vector<std::int64_t>{0, 1, 1}));
}

TEST(Exactness, ATensorEndsWhereItsDataEnds) {
  const Tensor all = Tensor::vector(std::vector<float>{1, 2, 3, 4});
  EXPECT_TRUE(Tensor::from_buffer(ElementType::f32, {2}, all.buffer(), 8));
  EXPECT_FALSE(Tensor::from_buffer(ElementType::f32, {3}, all.buffer(), 8));
}

TEST(Exactness, ATensorWithoutASizeIsAnError) {
  const auto graph = test::parse("graph(%x: f32[2305843009213693952,4]) { %y = ReLU(%x) return %y }");
  const auto inferred = infer_graph(*graph);
  ASSERT_FALSE(inferred);
  EXPECT_EQ(inferred.error().first().code, "MO-CORE-0002");
}

TEST(Exactness, APartOfAStretchOfAFileIsReadFromItsPlace) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("mo_exactness_" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << "0123456789";
  const auto file = File::open(path.string());
  ASSERT_TRUE(file);
  const auto stretch = FileBuffer::create(*file, 2, 6);
  ASSERT_TRUE(stretch);
  const auto part = Tensor::from_buffer(ElementType::u8, {2}, *stretch, 3)->load();
  ASSERT_TRUE(part);
  EXPECT_EQ(*to_integers(*part), (std::vector<std::int64_t>{'5', '6'}));
  std::filesystem::remove(path);
}

TEST(Exactness, ARecipeOfAViewIsThatPart) {
  const Tensor all = Tensor::vector(std::vector<float>{1, 2, 3, 4});
  const Tensor part = *Tensor::from_buffer(ElementType::f32, {1, 2}, all.buffer(), 2 * sizeof(float));
  const auto recipe = make_recipe(ops::Squeeze{}, {part, Tensor::vector(std::vector<std::int64_t>{0})}, 1, 0,
                                  {ElementType::f32, PartialShape({2})});
  ASSERT_TRUE(recipe);
  const auto loaded = recipe->load();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->values<float>()[0], 3.0F);
  EXPECT_EQ(loaded->values<float>()[1], 4.0F);
}

}  // namespace
}  // namespace mo
