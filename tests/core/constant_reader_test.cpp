#include "core/execution/constant_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/execution/recipe.hpp"
#include "core/files/output_set.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/reduce.hpp"
#include "ops/transpose.hpp"
#include "tests/core/support.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

class ConstantReaders : public testing::Test {
 protected:
  ConstantReaders() {
    std::string pattern = (fs::temp_directory_path() / "mo_constants_XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~ConstantReaders() override { fs::remove_all(folder_); }

  /// f32 values of a pattern, in a file.
  Tensor in_file(Shape shape) {
    std::vector<float> values(static_cast<std::size_t>(*element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 2654435761U) >> 20) / 64 - 30;
    const fs::path path = folder_ / ("weights" + std::to_string(files_++));
    std::ofstream(path, std::ios::binary)
        .write("skip", 4)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 4));
    const auto buffer = FileBuffer::create(*File::open(path.string()), 4, values.size() * 4);
    EXPECT_TRUE(buffer);
    return *Tensor::from_buffer(ElementType::f32, std::move(shape), *buffer);
  }
  static Tensor factors(Shape shape) {
    std::vector<float> values(static_cast<std::size_t>(*element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5F + static_cast<float>(i % 37);
    return Tensor::of<float>(std::move(shape), values);
  }
  template <class T>
  static Tensor recipe(T op, std::vector<Tensor> inputs, ElementType type, Shape shape) {
    return *make_recipe(std::move(op), std::move(inputs), 1, 0, {type, PartialShape(std::move(shape))});
  }
  static Tensor times(const Tensor& a, const Tensor& b) {
    return recipe(ops::Multiply{}, {a, b}, ElementType::f32, a.shape());
  }
  static Tensor transposed(const Tensor& a, const std::vector<std::int64_t>& order) {
    Shape shape;
    for (const std::int64_t axis : order) shape.push_back(a.shape()[static_cast<std::size_t>(axis)]);
    return recipe(ops::Transpose{}, {a, Tensor::vector(order)}, a.element_type(), std::move(shape));
  }

  /// The bytes that the reader gives are those of the loaded tensor, in every order, and in a file.
  void expect_same(const Tensor& tensor, bool by_rows) {
    const auto rows = RecipeRows::open(tensor);
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->has_value(), by_rows);
    if (by_rows) { EXPECT_LT((*rows)->piece_rows(), (*rows)->row_count()) << "one piece is the whole"; }
    const auto loaded = tensor.load();
    ASSERT_TRUE(loaded);
    const auto expected = loaded->bytes();
    const auto reader = ConstantReader::open(tensor);
    ASSERT_TRUE(reader);
    ASSERT_EQ(reader->size(), expected.size());
    std::vector<std::byte> part;
    for (std::size_t i = 1; i < 12; ++i) {
      const std::size_t offset = i * 7919 * 104729 % expected.size();
      part.assign(std::min<std::size_t>(i * i * 9000, expected.size() - offset), std::byte{});
      ASSERT_TRUE(reader->read(offset, part));
      ASSERT_TRUE(std::ranges::equal(part, expected.subspan(offset, part.size()))) << offset << ", " << part.size();
    }
    const std::unique_ptr<OutputSet> set = OutputSet::in_memory({"file"});
    OutputFile* file = *set->open(0);
    ASSERT_TRUE(reader->append_to(*file));
    part.assign(expected.size(), std::byte{});
    ASSERT_TRUE(file->read_back(0, part));
    EXPECT_TRUE(std::ranges::equal(part, expected));
  }

  fs::path folder_;
  int files_ = 0;
};

TEST_F(ConstantReaders, ReadFilesAndMemory) {
  expect_same(in_file({300, 1000}), false);
  expect_same(factors({3, 5}), false);
}

TEST_F(ConstantReaders, EvaluateElementwiseStepsByRows) {
  const Tensor weights = in_file({256, 48, 7, 9});
  expect_same(times(weights, factors({256, 1, 1, 1})), true);
  expect_same(times(weights, factors({1, 48, 1, 1})), true);
  expect_same(times(weights, Tensor::scalar<float>(3)), true);
  expect_same(times(weights, factors({1, 1, 1, 1})), true);
  expect_same(times(times(weights, factors({256, 1, 1, 1})), times(weights, weights)), true);
  expect_same(recipe(ops::Convert{.destination_type = ElementType::f16}, {times(weights, weights)}, ElementType::f16,
                     weights.shape()),
              true);
  expect_same(recipe(ops::FakeQuantize{.levels = 16},
                     {weights, Tensor::scalar<float>(-9), factors({256, 1, 1, 1}), Tensor::scalar<float>(0),
                      factors({1, 48, 1, 1})},
                     ElementType::f32, weights.shape()),
              true);
}

TEST_F(ConstantReaders, CountRowsAlongSeveralDimensions) {
  const Tensor weights = in_file({1, 4, 300, 400});
  expect_same(times(weights, factors({1, 4, 300, 1})), true);
  expect_same(times(weights, factors({1, 1, 1, 400})), true);
  expect_same(times(weights, factors({1, 1, 300, 1})), true);  // four large rows
}

TEST_F(ConstantReaders, EvaluateWhatSeveralStepsReadOnce) {
  Tensor t = in_file({600, 600});
  t = times(times(t, t), t);
  expect_same(times(t, t), true);
  for (int i = 0; i < 30; ++i) t = times(t, t);  // 2^30 rows if each reader evaluated its own
  expect_same(t, false);
}

TEST_F(ConstantReaders, PermuteByRows) {
  const Tensor weights = in_file({3, 3, 90, 410});
  const Tensor turned = transposed(weights, {3, 2, 0, 1});
  expect_same(turned, true);
  expect_same(times(turned, factors({410, 1, 1, 1})), true);
  expect_same(transposed(times(weights, factors({1, 1, 1, 410})), {3, 2, 0, 1}), true);
  expect_same(transposed(weights, {2, 3, 0, 1}), true);
  expect_same(transposed(in_file({700, 600}), {1, 0}), true);
}

TEST_F(ConstantReaders, LoadWhatHasNoRows) {
  const Tensor weights = in_file({600, 600});
  expect_same(recipe(ops::ReduceSum{.keep_dims = true}, {in_file({600, 600, 4}), Tensor::scalar<std::int64_t>(2)},
                     ElementType::f32, {600, 600, 1}),
              false);
  expect_same(times(weights, factors({600})), false);  // of lower rank
  expect_same(times(times(weights, factors({600})), factors({600, 1})), true);
  expect_same(times(weights.reshaped({3600, 100}), factors({3600, 1})), true);
  const Tensor scaled = times(weights, factors({600, 1}));
  expect_same(times(scaled.reshaped({3600, 100}), factors({3600, 1})), true);  // the inner one as a whole
  expect_same(scaled.reshaped({3600, 100}), true);
  expect_same(times(in_file({40, 40}), factors({40, 1})), false);  // too small
}

}  // namespace
}  // namespace mo
