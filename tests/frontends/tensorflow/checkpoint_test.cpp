#include "frontends/tensorflow/checkpoint/checkpoint.hpp"

#include <numeric>

#include "core/tensor/convert.hpp"
#include "frontends/tensorflow/checkpoint/object_graph.hpp"
#include "tests/e2e/shared_models.hpp"
#include "tests/frontends/tensorflow/checkpoint_folder.hpp"

namespace mo::tensorflow::testing {
namespace {

using namespace std::string_literals;

using Layout = std::tuple<int, std::size_t, std::size_t, bool>;
class RoundTrip : public ::testing::TestWithParam<Layout> {};

TEST_P(RoundTrip, every_tensor_comes_back) {
  const auto [shards, interval, block_size, compress] = GetParam();
  Folder folder;
  BundleWriter writer(shards, {interval, block_size, compress});
  const auto values = [](int i) {
    std::vector<float> v(static_cast<std::size_t>(i * 7 % 300));
    std::iota(v.begin(), v.end(), static_cast<float>(i));
    return v;
  };
  const auto name = [](int i) { return "model/layer_" + std::to_string(i) + "/kernel/.ATTRIBUTES/VARIABLE_VALUE"; };
  for (int i = 0; i < 200; ++i)
    writer.add(name(i), DT_FLOAT, {static_cast<std::int64_t>(values(i).size())}, bytes_of(values(i)));
  writer.write(folder / "variables");
  const Opened opened = open_checkpoint(folder / "variables");
  ASSERT_EQ(opened.code(), "");
  EXPECT_EQ(opened->keys().size(), 200U);
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(opened->contains(name(i)));
    EXPECT_EQ(opened->type_of(name(i))->to_string(), fmt::format("f32[{}]", values(i).size()));
    EXPECT_EQ(elements<float>(opened->read(name(i))), values(i)) << i;
  }
  EXPECT_FALSE(opened->contains("model"));
  EXPECT_FALSE(opened->contains(""));
}

INSTANTIATE_TEST_SUITE_P(Layouts, RoundTrip,
                         ::testing::Combine(::testing::Values(1, 3), ::testing::Values<std::size_t>(1, 2, 16),
                                            ::testing::Values<std::size_t>(1, 500, 262'144), ::testing::Bool()));

struct TypeRow {
  DataType saved;
  ElementType type;
  std::size_t bytes;
  bool is_complex = false;
};

class Types : public ::testing::TestWithParam<TypeRow> {};

TEST_P(Types, a_tensor_of_it_is_read) {
  const TypeRow row = GetParam();
  Folder folder;
  std::string bytes(6 * row.bytes, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(row.type == ElementType::boolean ? i % 2 : i * 31);
  BundleWriter writer;
  writer.add("plain", row.saved, {2, 3}, bytes);
  writer.add("reference", static_cast<DataType>(row.saved + 100), {2, 3}, bytes);
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  ASSERT_EQ(opened.code(), "");
  for (const char* key : {"plain", "reference"}) {
    const auto tensor = opened->read(key);
    ASSERT_TRUE(tensor) << tensor.error().first().format();
    EXPECT_EQ(tensor->element_type(), row.type);
    EXPECT_EQ(tensor->shape(), (row.is_complex ? Shape{2, 3, 2} : Shape{2, 3}));
    EXPECT_EQ(raw(tensor), bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Types,
    ::testing::Values(TypeRow{DT_FLOAT, ElementType::f32, 4}, TypeRow{DT_DOUBLE, ElementType::f64, 8},
                      TypeRow{DT_INT32, ElementType::i32, 4}, TypeRow{DT_UINT8, ElementType::u8, 1},
                      TypeRow{DT_INT16, ElementType::i16, 2}, TypeRow{DT_INT8, ElementType::i8, 1},
                      TypeRow{DT_COMPLEX64, ElementType::f32, 8, true}, TypeRow{DT_INT64, ElementType::i64, 8},
                      TypeRow{DT_BOOL, ElementType::boolean, 1}, TypeRow{DT_QINT8, ElementType::i8, 1},
                      TypeRow{DT_QUINT8, ElementType::u8, 1}, TypeRow{DT_QINT32, ElementType::i32, 4},
                      TypeRow{DT_BFLOAT16, ElementType::bf16, 2}, TypeRow{DT_QINT16, ElementType::i16, 2},
                      TypeRow{DT_QUINT16, ElementType::u16, 2}, TypeRow{DT_UINT16, ElementType::u16, 2},
                      TypeRow{DT_COMPLEX128, ElementType::f64, 16, true}, TypeRow{DT_HALF, ElementType::f16, 2},
                      TypeRow{DT_UINT32, ElementType::u32, 4}, TypeRow{DT_UINT64, ElementType::u64, 8}));

TEST(Bundle, scalars_and_empty_tensors_are_read) {
  Folder folder;
  BundleWriter writer;
  writer.add("scalar", DT_INT64, {}, bytes_of(std::vector<std::int64_t>{7}));
  writer.add("empty", DT_FLOAT, {0, 4}, "");
  writer.add("vast", DT_FLOAT, {INT64_MAX - 1, 0, INT64_MAX - 1}, "");
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  EXPECT_EQ(elements<std::int64_t>(opened->read("scalar")), (std::vector<std::int64_t>{7}));
  EXPECT_EQ(opened->read("empty")->shape(), (Shape{0, 4}));
  EXPECT_EQ(opened->read_slice("vast", Extents(3))->element_count(), 0);
}

TEST(Bundle, booleans_are_zero_or_one) {
  Folder folder;
  BundleWriter writer;
  writer.add("b", DT_BOOL, {3}, "\0\7\1"s);
  writer.write(folder / "m");
  EXPECT_EQ(raw(open_checkpoint(folder / "m")->read("b")), "\0\1\1"s);
}

TEST(Bundle, tensors_stay_in_their_shard) {
  Folder folder;
  BundleWriter writer(2);
  const std::vector<float> values(100'000, 1.5F);
  writer.add("first", DT_FLOAT, {100}, bytes_of(std::vector<float>(100, 2.0F)));
  writer.add("large", DT_FLOAT, {1000, 100}, bytes_of(values));
  writer.add("small", DT_FLOAT, {4}, bytes_of(std::vector<float>(4, 3.0F)));
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  const auto large = opened->read("large");
  ASSERT_TRUE(large);
  const FileRange* range = large->buffer()->file_range();
  ASSERT_TRUE(range);
  EXPECT_EQ(range->file->path(), (folder / "m.data-00001-of-00002").string());
  EXPECT_EQ(range->size, 400'000U);
  EXPECT_EQ(elements<float>(large), values);
  EXPECT_TRUE(opened->read("first")->buffer()->file_range());
  EXPECT_TRUE(opened->read("small")->in_memory());
}

TEST(Bundle, strings_are_decoded) {
  Folder folder;
  const std::vector<std::string> values = {"", "a\0b"s, std::string(300, 'x'), "\xFF", "last", ""};
  BundleWriter writer;
  writer.add_strings("text", {2, 3}, values);
  writer.add_strings("none", {0}, {});
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  const auto text = opened->read("text");
  ASSERT_TRUE(text) << text.error().first().format();
  EXPECT_EQ(text->shape(), (Shape{2, 3}));
  EXPECT_EQ(*to_strings(*text), values);
  EXPECT_TRUE(to_strings(*opened->read("none"))->empty());
}

TEST(RealCheckpoints, each_is_read_completely) {
  const fs::path root = mo::test::shared_models() + "/tf";
  if (mo::test::skips_without(fs::is_directory(root)))
    GTEST_SKIP() << "there are no models at " << root << " (set MO_SHARED)";
  std::size_t checkpoints = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".index") continue;
    ++checkpoints;
    const Opened opened = open_checkpoint(entry.path());
    ASSERT_EQ(opened.code(), "") << entry.path();
    EXPECT_FALSE(opened->keys().empty()) << entry.path();
    for (const std::string& key : opened->keys()) {
      const auto tensor = opened->read(key);
      ASSERT_TRUE(tensor) << entry.path() << " " << tensor.error().first().format();
      EXPECT_TRUE(tensor->load()) << entry.path() << " " << key;
      EXPECT_EQ(tensor->type(), *opened->type_of(key));
      if (key != "_CHECKPOINTABLE_OBJECT_GRAPH") continue;
      const auto graph = read_object_graph(to_strings(*tensor)->front());
      ASSERT_TRUE(graph) << entry.path();
      for (const auto& node : graph->nodes)
        for (const auto& attribute : node.attributes)
          EXPECT_TRUE(opened->contains(attribute.checkpoint_key)) << attribute.checkpoint_key;
    }
  }
  EXPECT_GT(checkpoints, 0U);
}

}  // namespace
}  // namespace mo::tensorflow::testing
